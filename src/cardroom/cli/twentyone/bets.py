"""Wagers as people type them: the primary wager, then side wagers by their short names; spots apart by `/`.

>>> from cardroom.rules import load_rules_as
>>> parse_bets(load_rules_as(TwentyOneRules, "players-edge-21"), "10 up=5 down=2.50 m1")
(1000, {'match-up': 500, 'match-down': 250, 'monster-match-1': 100})
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.core.money import format_cents, parse_cents
from cardroom.presentation import wager_title
from cardroom.rules.bets import shelf_bet, shelf_names
from cardroom.rules.twentyone import TwentyOneRules

_SHORT: Final[Mapping[str, str]] = {
    "match-the-dealer": "match",
    "match-up": "up",
    "match-down": "down",
    "monster-match-1": "m1",
    "monster-match-5": "m5",
}


BETWEEN_SPOTS: Final = "/"
NO_BET: Final = "-"
"""What is typed for a spot that sits a round out."""


@dataclass(frozen=True, slots=True)
class SpotBet:
    """All wagers of one spot in cents."""

    stake_cents: int
    side: Mapping[str, int] = field(default_factory=dict)

    @property
    def total_cents(self) -> int:
        return self.stake_cents + sum(self.side.values())


def short_name(wager: str) -> str:
    """What people type for a side wager."""
    return _SHORT.get(wager, wager)


def _typed(rules: TwentyOneRules, wager: str) -> str:
    """What people type for a side wager, with a place for its amount where it has none of its own."""
    name, title = short_name(wager), wager_title(wager, rules)
    typed = name if rules.side_bets[wager].fixed_stake_cents else f"{name}=AMOUNT"
    return typed if name == title else f"{typed} ({title})"


def how(rules: TwentyOneRules) -> str:
    """What a bet looks like at this table, in a sentence."""
    offered = [_typed(rules, wager) for wager in rules.offered_side_bets]
    side = f", then any of {', '.join(offered)}" if offered else ""
    return f"a bet is the wager, such as {format_cents(int(rules.limits.min))}{side}"


def read_sides(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Words of `--side`: the bets of the shelf that they put on the table, and the wagers that they make.

    >>> read_sides(["perfect-pairs=2", "in-bet", "match=1"])
    (['perfect-pairs', 'in-bet'], ['perfect-pairs=2', 'match=1'])
    """
    named = {word: word.partition("=")[0].lower() for word in words}
    on_table = [name for name in named.values() if name in shelf_names()]
    wagers = [
        word
        for word, name in named.items()
        if "=" in word or name not in on_table or shelf_bet(name).bet.fixed_stake_cents
    ]
    return on_table, wagers


def parse_bets(rules: TwentyOneRules, text: str) -> tuple[int, dict[str, int]]:
    """Read a spot's wagers in cents; the house's least wager where only side wagers are named."""
    known = (*rules.side_bets, *shelf_names())  # those that are not on offer here are refused by the law
    names = {name: wager for wager in known for name in (wager, short_name(wager))}
    stake: int | None = None
    side: dict[str, int] = {}
    for part in text.replace(",", " ").split():
        name, equals, amount = part.partition("=")
        wager = names.get(name.lower())
        if wager is not None:
            fixed = (rules.side_bets.get(wager) or shelf_bet(wager).bet).fixed_stake_cents
            if not equals and not fixed:
                raise MalformedInput(f"{part!r} needs an amount: {part}=2; {how(rules)}")
            if wager in side:
                raise MalformedInput(
                    f"{wager_title(wager, rules)} is staked twice; give one amount for each wager"
                )
            side[wager] = parse_cents(amount) if equals else fixed
        elif equals or stake is not None:
            raise MalformedInput(f"{part!r} is not a bet; {how(rules)}")
        else:
            try:
                stake = parse_cents(part)
            except MalformedInput as error:
                raise MalformedInput(f"{error}; {how(rules)}") from None
    return (int(rules.limits.min) if stake is None else stake), side


def parse_spot_bets(rules: TwentyOneRules, text: str, spots: int) -> list[SpotBet | None]:
    """The wagers of each of a player's spots, None where one sits out: one bet for all, or one for each.

    >>> from cardroom.rules import load_rules_as
    >>> parse_spot_bets(load_rules_as(TwentyOneRules, "players-edge-21"), "10 / - / 25 up=5", 3)
    [SpotBet(stake_cents=1000, side={}), None, SpotBet(stake_cents=2500, side={'match-up': 500})]
    """
    parts = text.split(BETWEEN_SPOTS)
    if len(parts) == 1:
        parts *= spots
    if len(parts) != spots:
        raise MalformedInput(
            f"{text.strip()!r} holds {len(parts)} bets and you play {spots} spot{'' if spots == 1 else 's'};"
            f" write one bet for all, or one for each spot, such as {' / '.join(['10', NO_BET][:spots])}"
        )
    bets = [None if part.strip() == NO_BET else SpotBet(*parse_bets(rules, part)) for part in parts]
    if not any(bets):
        raise MalformedInput("a round needs at least one wager", clause="21-1.3")
    return bets
