"""The lines of insurance: which dealer's blackjacks with an ace up are paid, and at which odds.

They are data of the same kind as the lines of a side bet on the dealer's up card and hole card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Final

from cardroom.core.cards import CARDS, Card, Rank
from cardroom.core.decks import DECKS, DeckKind
from cardroom.core.errors import CardroomError
from cardroom.rules.bets.bonus import file_of_bonuses
from cardroom.rules.bets.lines import LineName
from cardroom.rules.bets.patterns import NAMED, Part, Pattern
from cardroom.rules.bets.trackers import machine_of
from cardroom.rules.options import PayOdds

LOOKS_AT: Final = ("dealer_up", "dealer_hole")
_BLACKJACK: Final = Pattern.model_validate({"blackjack": True})


class InsuranceLine(Part):
    """A line of insurance: its name, the pattern of the dealer's two cards, and what it pays."""

    name: LineName
    when: Pattern
    pays: PayOdds

    @property
    def id(self) -> str:
        """The name that programs use: `suited_blackjack`."""
        return self.name.replace(" ", "_")

    @property
    def wrong(self) -> str:
        """Why its pattern cannot be asked of the dealer's two cards, or nothing."""
        if self.when.with_suit(NAMED, "clubs") != self.when:
            return "a line of insurance says which suit; none is named"
        try:
            machine_of(LOOKS_AT, (self.when,))
        except CardroomError as error:
            return f"when.{error.message}; insurance looks at the dealer's up card and hole card"
        return ""


@cache
def standard_patterns() -> Mapping[str, tuple[str, Pattern]]:
    """Name and pattern of the two lines that every house has, under the options that say what they pay."""
    return {
        key: (line["name"], Pattern.model_validate(line["when"]))
        for key, line in file_of_bonuses()["insurance"].items()
    }


def standard_names() -> tuple[str, str]:
    """The names of the two: of a blackjack of one suit, and of any other."""
    return standard_patterns()["suited_pays"][0], standard_patterns()["pays"][0]


@lru_cache(maxsize=256)
def lines_made(patterns: tuple[Pattern, ...]) -> Mapping[tuple[Card, Card], tuple[int, ...]]:
    """Every blackjack with an ace up, by up card and hole card: the lines that it makes, by their places."""
    machine = machine_of(LOOKS_AT, tuple(Pattern(all=(when, _BLACKJACK)) for when in patterns))
    return {
        (up, hole): machine.holding(machine.state_of(zip(machine.roles, (up, hole), strict=True)))
        for up in CARDS
        if up.rank is Rank.ACE
        for hole in CARDS
        if hole.value == 10
    }


def never_paid(lines: Sequence[InsuranceLine], deck: DeckKind) -> tuple[int, str] | None:
    """The place of the first line that no blackjack of a deck is ever paid by, and why; None if none is."""
    some = [
        made
        for cards, made in lines_made(tuple(line.when for line in lines)).items()
        if all(card in DECKS[deck] for card in cards)
    ]
    for place in range(len(lines)):
        if not any(place in made for made in some):
            return place, "no dealer's blackjack with an ace up makes it"
        if not any(made[:1] == (place,) for made in some):
            return place, "it is never paid, for an earlier line always is"
    return None
