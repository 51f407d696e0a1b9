"""What only two people together may do to a draw: hold, release, draw by hand, call off (R-25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, assert_never

from cardroom.core.errors import Conflict
from cardroom.fair.draw import draw_cards
from cardroom.lottery.draws import Drawer, perform_draw, release_draw, stop_draw, void_draw
from cardroom.lottery.house import Lottery, draw_or_refuse
from cardroom.records.house import DrawOverridden

What = Literal["hold", "release", "draw", "void"]
OVERRIDES: Final[dict[str, tuple[What, ...]]] = {
    "open": ("hold", "void"),
    "closed": ("hold", "void"),
    "sealed": ("hold", "draw", "void"),
    "held": ("release", "void"),
}
"""What two people may do to a draw, by its state; `held` whatever its state is."""


def override_draw(
    lottery: Lottery,
    number: int,
    what: What,
    reason: str,
    appointed: Mapping[str, str],
    *,
    drawer: Drawer = draw_cards,
) -> DrawOverridden:
    """Do it, and give the record that says who did it and who had appointed each of them.

    The two were known by their passwords before; `appointed` has who appointed each of them.
    """
    people = sorted(appointed)
    before = state_of(lottery, number)
    match what:
        case "hold":
            if before in ("drawn", "settled", "void"):
                raise Conflict(f"draw {number} is {before}; nothing is left to be held")
            stop_draw(lottery, number, f"{reason} ({' and '.join(people)})")
        case "release":
            release_draw(lottery, number, operators=people, reason=reason)
        case "draw":
            perform_draw(lottery, number, operators=people, manual=True, reason=reason, drawer=drawer)
        case "void":
            void_draw(lottery, number, operators=people, reason=reason)
        case _:
            assert_never(what)
    return DrawOverridden(
        draw=number,
        what=what,
        reason=reason,
        by=people,
        before=before,
        after=state_of(lottery, number),
        appointed=dict(appointed),
    )


def state_of(lottery: Lottery, number: int) -> str:
    """How a draw stands, in a word or two."""
    with lottery.database.read() as connection:
        draw = draw_or_refuse(connection, number)
    return f"{draw.status}, held: {draw.held}" if draw.held else draw.status
