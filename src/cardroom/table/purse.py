"""Where a player's chips are: a table asks for them when it needs them, and never keeps any itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.presentation.money import dollars

_MORE_THAN_ANY_STAKE: Final = 10**15
_PLAYER: Final = "player:"


class Purse(Protocol):
    """The chips of one player, who may play at several tables at once."""

    @property
    def owner(self) -> str:
        """The player's id."""

    @property
    def name(self) -> str:
        """What the player is called."""

    @property
    def chips_cents(self) -> int:
        """All chips of the player that are in no round."""

    def admit(self, stake_cents: int) -> None:
        """Refuse a stake that its owner may not make: for want of chips, or by a limit or a break."""

    def admit_more(self, stake_cents: int) -> None:
        """Refuse what its owner may not add to a wager in play: by a limit on losses, or in a break."""


def admits(purse: Purse, stake_cents: int) -> bool:
    """Whether the owner of a purse may make a stake now."""
    try:
        purse.admit(stake_cents)
    except CardroomError:
        return False
    return stake_cents <= purse.chips_cents


def admits_more(purse: Purse, stake_cents: int) -> bool:
    """Whether the owner of a purse may add so much to a wager in play."""
    try:
        purse.admit_more(stake_cents)
    except CardroomError:
        return False
    return True


Purses = Callable[[str], Purse]
"""The purse of a player, by id or by the name at the table."""


@dataclass(frozen=True, slots=True)
class Stack:
    """So many chips of a player."""

    owner: str
    chips_cents: int

    @property
    def name(self) -> str:
        return self.owner

    def admit(self, stake_cents: int) -> None:
        """Whoever has the chips may stake them."""

    def admit_more(self, stake_cents: int) -> None:
        """And add to what is staked."""


def granted(name: str) -> Purse:
    """The purse for what a log says was granted: it was asked then, and is not asked again."""
    return Stack(name, _MORE_THAN_ANY_STAKE)


class Chips:
    """Purses in memory: the chips that everybody has in front of them, by name."""

    def __init__(self) -> None:
        self._cents: dict[str, int] = {}

    def __call__(self, name: str) -> Purse:
        return Stack(name, self.cents(name))

    def cents(self, name: str) -> int:
        """What a player has."""
        return self._cents.get(name, 0)

    def add(self, name: str, cents: int) -> None:
        """Give a player chips."""
        if cents <= 0:
            shown = dollars(cents)
            raise MalformedInput(f"{shown} in chips; the amount is more than nothing")
        self._cents[name] = self.cents(name) + cents

    def book(self, transfers: Iterable[tuple[str, str, int]]) -> None:
        """Take chips from players and give them some, as money moves: (from, to, cents)."""
        for source, target, cents in transfers:
            for account, amount in ((source, -cents), (target, cents)):
                if account.startswith(_PLAYER):
                    name = account.removeprefix(_PLAYER)
                    self._cents[name] = self.cents(name) + amount
