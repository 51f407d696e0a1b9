"""Bonuses as lines on the player's hand as it ends: data of the same kind as the lines of a side bet."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from pydantic import Field

from cardroom.core.cards import Card
from cardroom.core.odds import Odds
from cardroom.rules.bets.lines import LineName
from cardroom.rules.bets.patterns import NAMED, Part, Pattern
from cardroom.rules.bets.trackers import PLAYERS_HAND, Machine, machine_of
from cardroom.rules.options import OptionalOdds

IN_ANY_ORDER: Final = "in whatever order its cards came: of, match and between are for side bets"
"""Why a line on a player's hand has no places."""


class BonusLine(Part):
    """A line of bonuses: its name, the pattern of the hand that earns it, and its rate, if it is paid."""

    name: LineName
    when: Pattern
    pays: OptionalOdds = None
    words: str = Field("", max_length=400)

    @property
    def id(self) -> str:
        """The name that programs use: `five_cards`."""
        return self.name.replace(" ", "_")

    @property
    def for_blackjack(self) -> bool:
        """Whether it is a line on blackjacks, and then on nothing else (21-1.23)."""
        return self.when.blackjack is not None

    @property
    def saying(self) -> str:
        """How the rules say it, with `{}` for the rate."""
        return self.words or f"{'' if self.for_blackjack else '21 with '}{self.name} pays {{}}"


@cache
def standard_lines() -> tuple[BonusLine, ...]:
    """The lines of bonus 21s that houses have unless they have others."""
    return tuple(BonusLine.model_validate(line) for line in file_of_bonuses()["lines"])


@cache
def file_of_bonuses() -> Mapping[str, Any]:
    """The standard lines as plain data: of bonus 21s, and of the Super Bonus."""
    text = (resources.files("cardroom.rules") / "bonus_21.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def bonus_machine(lines: Sequence[BonusLine], named_suit: str) -> Machine:
    """The machine of bonus lines, the named suit put in."""
    return machine_of(("player_hand",), tuple(line.when.with_suit(NAMED, named_suit) for line in lines))


def state_of_hand(machine: Machine, cards: Sequence[Card]) -> int:
    """The state of a machine after the cards of a player's hand."""
    return machine.state_of((PLAYERS_HAND[min(place, 2)], card) for place, card in enumerate(cards))


def paid_lines(machine: Machine, lines: Sequence[BonusLine], state: int) -> list[tuple[str, Odds]]:
    """The lines that a hand makes and the house pays, in the order of the lines."""
    made = (lines[place] for place in machine.holding(state))
    return [(line.id, line.pays) for line in made if line.pays is not None]
