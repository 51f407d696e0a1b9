"""How the library answers for the blackjack family: by a strategy, on a shoe of choice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cardroom.core.cards import Card
from cardroom.engine import twentyone
from cardroom.engine.contract import CardAwaited, DecisionAwaited
from cardroom.engine.twentyone import DeclineInsurance, Phase, SpotWager
from cardroom.library.answers import Answers, Progress, Seat, wager_cents
from cardroom.library.arguments import amount, integer_or_none, refuse_others, seed_of, text, truth
from cardroom.library.policy import (
    ACE_UP,
    PolicyHand,
    StrategySource,
    choice_of,
    refuse_other_functions,
    strategy_of,
)
from cardroom.library.rounds import PLAYER, stake_of
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action

if TYPE_CHECKING:
    from cardroom.core.decks import CardCounts
    from cardroom.exact.twentyone import Solution
    from cardroom.library.numbers import Odds, Value
    from cardroom.sim.result import SimulationResult

BEST = "composition"
"""The strategy that exact figures have unless another is named: the best for each composition of a hand."""


class TwentyOneAnswers(Answers):
    """Hands against a dealer."""

    @property
    def rules(self) -> TwentyOneRules:
        """The rules as those of the family."""
        assert isinstance(self.game_rules, TwentyOneRules)
        return self.game_rules

    def solved(self, strategy: StrategySource | None, wager: object, shoe: str | None) -> Solution:
        """The game solved for a strategy, the best for each composition unless another is named."""
        from cardroom.exact.twentyone import solve

        return solve(
            self.rules,
            strategy_of(BEST if strategy is None else strategy, self.rules),
            shoe=self._shoe(shoe),
            wager_cents=wager_cents(self.rules, wager),
        )

    def _shoe(self, shoe: str | None) -> CardCounts | None:
        if shoe is None:
            return None
        from cardroom.exact.twentyone import parse_shoe

        return parse_shoe(text(shoe, "the shoe", "A:24,T:96"), self.rules.deck)

    def odds(
        self,
        strategy: StrategySource | None = None,
        *,
        wager: object = None,
        side_wager: object = None,
        shoe: str | None = None,
        tickets: int | None = None,
    ) -> Odds:
        """The primary wager by a strategy, and everything that is wagered beside it."""
        from cardroom.exact.sidebets import not_figured
        from cardroom.lab.twentyone import beside_figures
        from cardroom.lab.wager_sizes import read_side_wager
        from cardroom.library.numbers import Odds

        refuse_others(self.title, {"tickets": tickets})
        solution, cards = self.solved(strategy, wager, shoe), self._shoe(shoe)
        beside = beside_figures(
            self.rules,
            shoe=cards,
            wager_cents=wager_cents(self.rules, wager),
            side_cents=read_side_wager(amount(side_wager), self.rules, "side_wager"),
        )
        return Odds(self.title, (solution.figures(), *beside), not_figured(self.rules, shoe=cards))

    def edge(self, strategy: StrategySource | None, *, wager: object, shoe: str | None) -> Value:
        """The house edge of the primary wager, without the figures of what is wagered beside it."""
        from cardroom.library.numbers import Value

        return Value(-self.solved(strategy, wager, shoe).expected_value)

    def simulate(
        self,
        rounds: int,
        strategy: StrategySource | None,
        *,
        seed: int,
        workers: int | None,
        backend: str,
        side_bets: bool,
        wager: object,
        cut_cards: int | None,
        progress: Progress | None,
    ) -> SimulationResult:
        """Rounds by basic strategy unless told otherwise."""
        from cardroom.library.playing import dealing_of, spread_of, table_of
        from cardroom.rules.twentyone.sizes import smallest_side_cents
        from cardroom.sim.twentyone import simulate

        cents = wager_cents(self.rules, wager)
        spread = spread_of(backend, workers)
        with_sides = truth(side_bets, "side_bets")
        dealing = dealing_of(self.rules, integer_or_none(cut_cards, "a cut of"))
        solution = self.solved("basic" if strategy is None else strategy, wager, None)
        return simulate(
            self.rules,
            table_of(solution).action,
            rounds,
            seed=seed_of(seed),
            strategy=solution.strategy_name,
            side_bets=with_sides,
            wager_cents=cents,
            side_cents=smallest_side_cents(self.rules),
            dealing=dealing,
            spread=spread,
            progress=progress,
        )

    def seat(self, bot: StrategySource | None, wager: Mapping[str, object] | object) -> Seat:
        """A player on one spot."""
        rules = self.rules
        player = _Player(rules, "basic" if bot is None else bot)
        stake = stake_of(wager, int(rules.limits.min))

        def play(cards: Sequence[Card]) -> tuple[str, int]:
            coming = iter(cards)
            state, events = twentyone.start(rules, [SpotWager(1, PLAYER, stake)])
            log = list(events)
            while True:
                awaited = twentyone.awaits(state)
                if isinstance(awaited, CardAwaited):
                    state, events = twentyone.step(state, next(coming))
                elif isinstance(awaited, DecisionAwaited):
                    state, events = twentyone.step(state, player.decide(state))
                else:
                    break
                log += events
            notation = twentyone.format_round(state, RulesForm.WHOLE)
            return notation, twentyone.balance(log).players[PLAYER]

        return play


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
            policy_hand = PolicyHand(
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
            return choice_of(self._function(policy_hand, up_value), options, words)
        assert self._table is not None
        number = self._automaton.state_of(hand.cards, from_split=hand.from_split, doubles=hand.doubles)
        if Action.SPLIT not in options:
            number = int(self._automaton.unpaired[number])
        chosen = self._table.choose(number, state.dealer[: self._table.columns.cards])
        return chosen if chosen in options else options[0]
