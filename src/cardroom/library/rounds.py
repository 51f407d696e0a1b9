"""A table at which a program plays: rounds dealt by the engine, every one from a shoe of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING, Any

from cardroom.core.cards import Card
from cardroom.core.money import parse_cents
from cardroom.fair.deals import Binding, deal, deck_of, infinite_deck
from cardroom.fair.seeds import repeatable_seed
from cardroom.library.answers import answers_for
from cardroom.library.arguments import amount, whole
from cardroom.library.frames import Library, Rows, at
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.rules.base import HouseRules
from cardroom.rules.round_head import shown

if TYPE_CHECKING:
    from cardroom.library.policy import StrategySource

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
        play = answers_for(rules).seat(bot, self._wager)
        played = [Round(number, *play(self._cards(number))) for number in islice(self._numbers, rounds)]
        return Rounds(rules.title, played)

    def _cards(self, number: int) -> list[Card]:
        rules: Any = self._rules
        if rules.decks == "infinite":
            deck, most = infinite_deck(rules.deck), _MOST_CARDS_OF_A_ROUND
        else:
            deck = deck_of(getattr(rules, "deck", "standard"), rules.decks)
            most = None
        binding = Binding(rules.game, rules.rules_hash, f"round {number}", deck)
        return list(deal(repeatable_seed(self._seed, binding.shoe_id), binding, count=most).cards)

    def __repr__(self) -> str:
        return f"<table of {self._rules.title}, seed {self._seed}>"


def stake_of(wager: object, smallest: int) -> int:
    """An amount in dollars, the table's smallest where none is named."""
    written = amount(wager)
    return smallest if written is None else parse_cents(written)
