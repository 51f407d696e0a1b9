"""Side bets in a simulation: every line looked up in a table made by the bet's own function."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement, product
from math import comb
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput
from cardroom.rules.sidebets import SIDE_BETS, SideBet
from cardroom.rules.sidebets.base import Role
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.compiled import inlined, part

_DECK: Final = len(CARDS)
_ROLES: Final[tuple[Role, ...]] = ("first", "second", "up", "hole")
MOST_LINES: Final = 16
"""Room for the lines of a side bet, the loss among them."""

SideTables = tuple[NDArray[np.uint8], NDArray[np.bool_], NDArray[np.uint8]]


def simulated_sides(rules: TwentyOneRules) -> list[SideBet]:
    """The side bets of a table in the order of the tables: those on four cards come last."""
    bets = [SIDE_BETS[wager] for wager in rules.offered_side_bets]
    for bet in bets:
        _refuse_what_cannot_be_simulated(bet)
    return [bet for bet in bets if not _on_four(bet)] + [bet for bet in bets if _on_four(bet)]


def _on_four(bet: SideBet) -> bool:
    return len(bet.looks_at) == len(_ROLES)


def _refuse_what_cannot_be_simulated(bet: SideBet) -> None:
    if {"up", "hole"} <= set(bet.looks_at) and not (_on_four(bet) and bet.any_order):
        raise MalformedInput(
            f"the side bet {bet.wager} looks at the up card and the hole card, and not at all four cards in "
            f"any order: such a bet cannot be simulated; {_leave_out(bet)}"
        )
    if len(lines_of(bet)) > MOST_LINES:
        raise MalformedInput(
            f"the side bet {bet.wager} has {len(bet.lines)} lines that pay; {MOST_LINES - 1} are the most "
            f"that can be simulated; {_leave_out(bet)}"
        )


def _leave_out(bet: SideBet) -> str:
    return f"take it off the table with --set side_bets.{bet.wager}.offered=false"


def lines_of(bet: SideBet) -> tuple[str, ...]:
    """The lines of a bet by number; number 0 is a loss."""
    return ("lose", *bet.lines)


def side_tables(bets: list[SideBet]) -> SideTables:
    """Tables of lines for bets on up to three cards, whether their third is the hole card, and on four."""
    three = [bet for bet in bets if not _on_four(bet)]
    four = [bet for bet in bets if _on_four(bet)]
    return (
        np.array([_three(bet) for bet in three], np.uint8).reshape(len(three), _DECK, _DECK, _DECK),
        np.array(["hole" in bet.looks_at for bet in three], np.bool_),
        np.array([_four(bet) for bet in four], np.uint8).reshape(len(four), comb(_DECK + 3, 4)),
    )


def _three(bet: SideBet) -> NDArray[np.uint8]:
    """[first, second, up or hole]: the lines of a bet that looks at some of these cards, in its own order."""
    lines = _by_line(bet.line, lines_of(bet), len(bet.looks_at))
    order = sorted(range(len(bet.looks_at)), key=lambda place: _ROLES.index(bet.looks_at[place]))
    third: Role = "hole" if "hole" in bet.looks_at else "up"
    shape = [_DECK if role in bet.looks_at else 1 for role in ("first", "second", third)]
    return np.broadcast_to(lines.transpose(order).reshape(shape), (_DECK,) * 3)


@cache
def _by_line(line: Any, lines: tuple[str, ...], cards: int) -> NDArray[np.uint8]:
    number = {name: index for index, name in enumerate(lines)}
    table = [number[line(*some) or "lose"] for some in product(CARDS, repeat=cards)]
    return np.array(table, np.uint8).reshape((_DECK,) * cards)


def _four(bet: SideBet) -> NDArray[np.uint8]:
    return _four_by_line(bet.line, lines_of(bet))


@cache
def _four_by_line(line: Any, lines: tuple[str, ...]) -> NDArray[np.uint8]:
    number = {name: index for index, name in enumerate(lines)}
    table = np.zeros(comb(_DECK + 3, 4), np.uint8)
    for cards in combinations_with_replacement(CARDS, 4):
        table[place_of_four(*(card.index for card in cards))] = number[line(*cards) or "lose"]
    return table


@part
def place_of_four(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The place of four cards a ≤ b ≤ c ≤ d among all such, by the combinatorial number system."""
    b += 1
    c += 2
    d += 3
    return a + b * (b - 1) // 2 + c * (c - 1) * (c - 2) // 6 + d * (d - 1) * (d - 2) * (d - 3) // 24


@inlined
def _in_order(low: Any, high: Any) -> Any:
    return min(low, high), max(low, high)


@part
def count_sides(
    first: Any,
    second: Any,
    up: Any,
    hole: Any,
    lines_of_three: Any,
    third_is_hole: Any,
    lines_of_four: Any,
    side_lines: Any,
) -> Any:
    """Count the line of every side bet for one player's first two cards."""
    three = lines_of_three.shape[0]
    for bet in range(three):
        third = hole if third_is_hole[bet] else up
        side_lines[bet, lines_of_three[bet, first, second, third]] += 1
    if lines_of_four.shape[0] > 0:
        a, b = _in_order(np.int64(first), np.int64(second))
        c, d = _in_order(np.int64(up), np.int64(hole))
        a, c = _in_order(a, c)
        b, d = _in_order(b, d)
        b, c = _in_order(b, c)
        place = place_of_four(a, b, c, d)
        for bet in range(lines_of_four.shape[0]):
            side_lines[three + bet, lines_of_four[bet, place]] += 1
