"""A table at which a program plays: rounds dealt by the engine, every one from a shoe of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import Any

from cardroom.core.cards import Card
from cardroom.core.errors import MalformedInput
from cardroom.core.money import parse_cents
from cardroom.engine import knockout52, twentyone
from cardroom.engine.contract import CardAwaited, DecisionAwaited
from cardroom.engine.twentyone import DeclineInsurance, Phase, SpotWager
from cardroom.fair.deals import Binding, deal, deck_of, infinite_deck
from cardroom.fair.seeds import repeatable_seed
from cardroom.library.arguments import amount, refuse_others, whole
from cardroom.library.frames import Library, Rows, at
from cardroom.library.policy import (
    ACE_UP,
    PolicyHand,
    StrategySource,
    choice_of,
    refuse_other_functions,
    strategy_of,
)
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.model.twentyone.strategy import Strategy
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.rules.base import HouseRules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm, shown
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action

PLAYER = "player"
_MOST_CARDS_OF_A_ROUND = 200
"""Of infinitely many decks: more than any round of one spot takes."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round that was played."""

    number: int
    notation: str
    """The round as a text that stands on its own, all its rules included: to keep, and to replay for ever."""
    net_cents: int

    def __repr__(self) -> str:
        return f"<round {self.number}: {dollars(self.net_cents)}>"

    def __str__(self) -> str:
        return shown(self.notation)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}\nnet {escape(dollars(self.net_cents))}</pre>"


class Rounds(Rows):
    """Rounds in the order in which they were played."""

    def __init__(self, title: str, rounds: Sequence[Round]) -> None:
        super().__init__(title, [{"round": one.number, "net_cents": one.net_cents} for one in rounds])
        self.played = tuple(rounds)

    @property
    def net_cents(self) -> int:
        """What all of them brought."""
        return sum(one.net_cents for one in self.played)

    def __getitem__(self, place: Any) -> Any:
        return at(self.played, place)

    def __iter__(self) -> Any:
        return iter(self.played)

    def to_frame(self, library: Library | None = None) -> Any:
        """Number and result of every round, in pandas or polars."""
        return Rows(self.title, self._rows).to_frame(library)

    def __repr__(self) -> str:
        return f"<{counted(len(self), 'round')} of {self.title}: {dollars(self.net_cents)}>"

    def __str__(self) -> str:
        return "\n".join(map(str, self.played))


class Table:
    """A table with one player; the same seed deals the same cards."""

    def __init__(self, rules: HouseRules, seed: int, wager: str | int | Mapping[str, object] | None) -> None:
        self._rules = rules
        self._seed = seed
        self._wager = wager
        self._numbers = count(1)

    def play(self, bot: StrategySource | None = None, rounds: int = 1) -> Rounds:
        """Some rounds by a strategy or a function `bot(hand, up)`; insurance is never taken.

        By basic strategy unless told otherwise.
        """
        rounds = whole(rounds, "rounds", least=1)
        rules = self._rules
        if isinstance(rules, TwentyOneRules):
            player = _Player(rules, "basic" if bot is None else bot)
            played = [self._round(rules, player, number) for number in islice(self._numbers, rounds)]
        elif isinstance(rules, Knockout52Rules):
            refuse_others(rules.title, {"bot": bot})
            played = [self._layout(rules, number) for number in islice(self._numbers, rounds)]
        else:
            raise MalformedInput(f"{rules.game} is a lottery; it has draws, not a table")
        return Rounds(rules.title, played)

    def _cards(self, rules: TwentyOneRules | Knockout52Rules, number: int) -> list[Card]:
        shoe = f"round {number}"
        if rules.decks == "infinite":
            deck, most = infinite_deck(rules.deck), _MOST_CARDS_OF_A_ROUND
        else:
            deck = deck_of(getattr(rules, "deck", "standard"), rules.decks)
            most = None
        binding = Binding(rules.game, rules.rules_hash, shoe, deck)
        return list(deal(repeatable_seed(self._seed, shoe), binding, count=most).cards)

    def _round(self, rules: TwentyOneRules, player: _Player, number: int) -> Round:
        stake = _cents(self._wager, int(rules.limits.min))
        cards = iter(self._cards(rules, number))
        state, events = twentyone.start(rules, [SpotWager(1, PLAYER, stake)])
        log = list(events)
        while True:
            awaited = twentyone.awaits(state)
            if isinstance(awaited, CardAwaited):
                state, events = twentyone.step(state, next(cards))
            elif isinstance(awaited, DecisionAwaited):
                state, events = twentyone.step(state, player.decide(state))
            else:
                break
            log += events
        return Round(
            number, twentyone.format_round(state, RulesForm.WHOLE), twentyone.balance(log).players[PLAYER]
        )

    def _layout(self, rules: Knockout52Rules, number: int) -> Round:
        wagers = self._wager if isinstance(self._wager, Mapping) else {"round-1": self._wager}
        stakes = {name: _cents(amount, int(rules.limits.min)) for name, amount in wagers.items()}
        state, _ = knockout52.start(rules, [knockout52.Stakes(PLAYER, stakes)])
        cards = iter(self._cards(rules, number))
        while isinstance(knockout52.awaits(state), CardAwaited):
            state, _ = knockout52.step(state, next(cards))
        return Round(
            number, knockout52.format_game(state, RulesForm.WHOLE), knockout52.net_cents(state)[PLAYER]
        )

    def __repr__(self) -> str:
        return f"<table of {self._rules.title}, seed {self._seed}>"


class _Player:
    """Somebody who decides by a function or by a table."""

    def __init__(self, rules: TwentyOneRules, bot: StrategySource) -> None:
        self._rules = rules
        self._automaton = compile_hands(rules)
        self._function = bot if callable(bot) and not isinstance(bot, Strategy) else None
        self._table: Strategy | None = None
        if self._function is not None:
            refuse_other_functions(self._function)
        else:
            from cardroom.exact.twentyone import solve

            self._table = solve(rules, strategy_of(bot, rules)).strategy

    def decide(self, state: twentyone.Round) -> twentyone.PlayerAction:
        if state.phase is Phase.INSURANCE:
            return DeclineInsurance()
        spot = state.spots[state.turn]
        hand = spot.hands[state.hand]
        options = tuple(option for option in state.options if isinstance(option, Action))
        up = state.up
        assert up is not None
        if self._function is not None:
            total, soft = law.total_of(hand.cards)
            told = PolicyHand(
                total=total,
                soft=soft,
                cards=len(hand.cards),
                pair=Action.SPLIT in options,
                pair_value=hand.cards[0].value if Action.SPLIT in options else 0,
                doubles=hand.doubles,
                from_split=hand.from_split,
                options=tuple(map(str, options)),
            )
            up_value = ACE_UP if up.value == 1 else up.value
            words = f"{' '.join(map(str, hand.cards))} against {up}"
            return choice_of(self._function(told, up_value), options, words)
        assert self._table is not None
        number = self._automaton.state_of(hand.cards, from_split=hand.from_split, doubles=hand.doubles)
        if Action.SPLIT not in options:
            number = int(self._automaton.unpaired[number])
        chosen = self._table.choose(number, state.dealer[: self._table.columns.cards])
        return chosen if chosen in options else options[0]


def _cents(wager: object, smallest: int) -> int:
    """An amount in dollars, the table's smallest where none is named."""
    written = amount(wager)
    return smallest if written is None else parse_cents(written)
