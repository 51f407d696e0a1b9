"""Bets as people type them, and the habits of the computer's players.

>>> parse_bets("1=5 all=2.50")
{'round-1': 500, 'all-the-way': 250}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.core.money import parse_cents
from cardroom.engine.knockout52 import Stakes
from cardroom.presentation import wager_title
from cardroom.rules.knockout52 import WAGERS, Knockout52Rules

_SHORT: Final[Mapping[str, str]] = {
    **{name: wager for wager in WAGERS for name in (wager, wager.replace("-", ""), wager.replace("-", "_"))},
    **{name: f"round-{n}" for n in "1234" for name in (n, f"r{n}")},
    **dict.fromkeys(("a", "all", "5"), "all-the-way"),
}
HOW: Final = 'a bet is WAGER=AMOUNT, such as "1=5 3=2 all=1"; the wagers are 1, 2, 3, 4 and all'

_HABITS: Final[tuple[tuple[str, Mapping[str, int]], ...]] = (
    ("Ada", {"round-1": 2}),
    ("Blaise", dict.fromkeys(WAGERS, 1)),
    ("Carl", {"all-the-way": 1}),
    ("Dora", {"round-2": 2, "round-3": 1}),
    ("Emil", {"round-4": 1, "all-the-way": 1}),
    ("Fay", {"round-1": 5, "round-2": 1}),
)
MOST_PLAYERS: Final = len(_HABITS)


def parse_bets(text: str) -> dict[str, int]:
    """Read wagers with their stakes: wager id → cents; whether they may stand is the engine's word."""
    stakes: dict[str, int] = {}
    for part in text.replace(",", " ").split():
        name, equals, amount = part.partition("=")
        wager = _SHORT.get(name.lower())
        if not equals or wager is None:
            raise MalformedInput(f"{part!r} is not a bet; {HOW}")
        if wager in stakes:
            raise MalformedInput(f"{wager_title(wager)} is staked twice; give one amount for each wager")
        stakes[wager] = parse_cents(amount)
    return stakes


def computer_players(rules: Knockout52Rules, count: int) -> tuple[Stakes, ...]:
    """The first so many of the computer's players, who stake multiples of the smallest wager out of habit."""
    if not 0 <= count <= MOST_PLAYERS:
        raise MalformedInput(f"--players {count} is not allowed; allowed: 0 to {MOST_PLAYERS}")
    least, most = rules.limits.min, rules.limits.max
    return tuple(
        Stakes(name, {wager: min(units * least, most) for wager, units in habit.items()})
        for name, habit in _HABITS[:count]
    )
