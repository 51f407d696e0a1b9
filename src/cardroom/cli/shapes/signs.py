"""The JSON of `protect --log`: signs of counting."""

from __future__ import annotations

from typing_extensions import TypedDict

from cardroom.cli.shapes.base import Printed


class Asked(TypedDict):
    """How often something was done where the count asks for it, beside where it does not."""

    asked: int
    done: int
    share: float | None
    share_standard_error: float | None
    not_asked: int
    done_elsewhere: int
    share_elsewhere: float | None
    share_elsewhere_standard_error: float | None
    difference: float | None
    difference_standard_error: float | None


class Going(TypedDict):
    """How one thing goes with another."""

    correlation: float
    standard_error: float


class SideBetGoing(Going):
    """A stake on a side bet with what the bet is worth from the cards that are left."""

    wager: str


class PlayerSigns(TypedDict):
    """One player's wagers and play beside the count."""

    player: str
    name: str
    rounds: int
    shoes: int
    correlation_of_wager_with_count: float | None
    correlation_standard_error: float | None
    index_plays: int
    basic_plays: int
    index_share: float | None
    index_share_standard_error: float | None
    play: Asked
    insurance: Asked
    side_bets: list[SideBetGoing]
    presence: Going | None
    signs: list[str]
    hint: bool
    words: str


class SignsOfCounting(Printed):
    """`--log`: signs of counting in the rounds of a real table."""

    count: str
    players: list[PlayerSigns]
