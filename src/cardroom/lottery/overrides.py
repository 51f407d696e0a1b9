"""What only two people together may do to a draw: hold, release, draw by hand, call off (R-25)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, assert_never

from cardroom.core.errors import Conflict
from cardroom.fair.draw import draw_cards
from cardroom.lottery.draws import Drawer, perform_draw, release_draw, stop_draw, void_draw
from cardroom.lottery.house import Lottery, draw_or_refuse
from cardroom.records.house import DrawOverridden
from cardroom.store import lottery as rows
from cardroom.store.unit import Unit

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
    """Do it, and say in the same transaction who did it and who had appointed each of them; that record.

    The two were known by their passwords before; `appointed` has who appointed each of them.
    """
    people = sorted(appointed)
    done: list[DrawOverridden] = []

    def note(unit: Unit, before: rows.DrawRow) -> None:
        after = draw_or_refuse(unit.connection, number)
        record = DrawOverridden(
            draw=number,
            what=what,
            reason=reason,
            by=people,
            before=_state(before),
            after=_state(after),
            appointed=dict(appointed),
        )
        unit.record(record)
        done.append(record)

    match what:
        case "hold":
            stop_draw(lottery, number, f"{reason} ({' and '.join(people)})", note=note)
        case "release":
            release_draw(lottery, number, operators=people, reason=reason, note=note)
        case "draw":
            perform_draw(
                lottery, number, operators=people, manual=True, reason=reason, drawer=drawer, note=note
            )
        case "void":
            void_draw(lottery, number, operators=people, reason=reason, note=note)
        case _:
            assert_never(what)
    if not done:
        with lottery.database.read() as connection:
            state = _state(draw_or_refuse(connection, number))
        raise Conflict(f"draw {number} is {state} already")
    return done[-1]


def _state(draw: rows.DrawRow) -> str:
    """How a draw stands, in a word or two."""
    return f"{draw.status}, held: {draw.held}" if draw.held else draw.status
