"""What people at the table may ask for, and how it is written and heard."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NoReturn

from cardroom.core.cards import Card
from cardroom.core.errors import MalformedInput
from cardroom.core.money import format_cents, parse_cents
from cardroom.rules.twentyone.law import Action


@dataclass(frozen=True, slots=True)
class Insure:
    """Put an insurance wager on the spot; as an option offered it stands for any amount up to its own."""

    stake_cents: int

    def __str__(self) -> str:
        return f"insure {format_cents(self.stake_cents)}"


@dataclass(frozen=True, slots=True)
class DeclineInsurance:
    """Take no insurance."""

    def __str__(self) -> str:
        return "no insurance"


@dataclass(frozen=True, slots=True)
class EvenMoney:
    """Take 1 to 1 at once on a blackjack against an ace (BJ-2)."""

    def __str__(self) -> str:
        return "even money"


@dataclass(frozen=True, slots=True)
class DoubleFor:
    """Double with a named amount; a double is for the whole amount or not at all."""

    added_cents: int

    def __str__(self) -> str:
        return f"double for {format_cents(self.added_cents)}"


@dataclass(frozen=True, slots=True)
class DoubleFaceDown:
    """Ask for the double card face down; always refused (S21-6)."""

    def __str__(self) -> str:
        return "double face down"


@dataclass(frozen=True, slots=True)
class ChangeWager:
    """Ask to put up, change or take back a wager during the round; always refused (PROC-9)."""

    wager: str
    stake_cents: int

    def __str__(self) -> str:
        return f"wager {format_cents(self.stake_cents)} on {self.wager}"


@dataclass(frozen=True, slots=True)
class WagerBetweenPlayers:
    """Ask for a wager with somebody other than the house; always refused (PE21-15)."""

    other: str
    stake_cents: int

    def __str__(self) -> str:
        return f"wager {format_cents(self.stake_cents)} with {self.other}"


PlayerAction = Action | Insure | DeclineInsurance | EvenMoney | DoubleFor
"""What a player answers when a decision is awaited."""

NeverAllowed = DoubleFaceDown | ChangeWager | WagerBetweenPlayers
"""What people ask for and no table of the house allows."""

Request = PlayerAction | NeverAllowed
"""All that somebody may ask for, allowed or not."""

Input = Card | Request
"""What `step` takes: the next card, or what somebody asks for."""

_WORDS: Final[dict[str, Request]] = {
    **{str(action): action for action in Action},
    "no insurance": DeclineInsurance(),
    "even money": EvenMoney(),
    "double face down": DoubleFaceDown(),
}
_AMOUNTS: Final[dict[str, type[Insure | DoubleFor]]] = {"insure": Insure, "double for": DoubleFor}
_WAGER: Final = re.compile(r"wager (?P<amount>\S+)(?: on (?P<wager>\S+)| with (?P<other>.+))?", re.IGNORECASE)
_ALL_WORDS: Final = (
    "stand, hit, double, double for AMOUNT, split, surrender, rescue, "
    "no insurance, insure AMOUNT or even money"
)


def parse_action(text: str) -> Request:
    """Read an instruction; one that is not clear is asked again, never guessed (PROC-15).

    What no table allows is read, too, so that it is refused by its clause and not as unclear.

    >>> parse_action("Insure $2.50"), parse_action("hit") is Action.HIT
    (Insure(stake_cents=250), True)
    >>> parse_action("wager 5 with Bob")
    WagerBetweenPlayers(other='Bob', stake_cents=500)
    """
    words = " ".join(text.lower().split())
    if words in _WORDS:
        return _WORDS[words]
    if match := _WAGER.fullmatch(" ".join(text.split())):
        return _never_taken(match) or _unclear(text)
    for verb, make in _AMOUNTS.items():
        if words.startswith(f"{verb} "):
            try:
                return make(parse_cents(words.removeprefix(verb)))
            except MalformedInput:
                break
    return _unclear(text)


def _never_taken(match: re.Match[str]) -> ChangeWager | WagerBetweenPlayers | None:
    """A wager that is asked for during the round; None where the amount is none."""
    try:
        cents = parse_cents(match["amount"])
    except MalformedInput:
        return None
    if match["other"]:
        return WagerBetweenPlayers(match["other"], cents)
    return ChangeWager((match["wager"] or "primary").lower(), cents)


def _unclear(text: str) -> NoReturn:
    raise MalformedInput(f"{text.strip()!r} is not clear; say {_ALL_WORDS}", clause="PROC-15")
