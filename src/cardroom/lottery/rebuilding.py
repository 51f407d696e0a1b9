"""Rows made anew from the log, when a disk, a hand or a program has changed them."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.lottery.house import Lottery, two_people
from cardroom.lottery.replay import Replay, state_faults
from cardroom.records.lottery import RowsRebuilt
from cardroom.store import lottery as rows
from cardroom.store import plain_rows
from cardroom.store.log import check_chain
from cardroom.store.unit import Unit

_MOST_NAMED = 1_000
"""So many faults stand in the record; beyond that it says how many more there were."""


def rebuild_rows(lottery: Lottery, *, operators: Sequence[str], reason: str) -> list[str]:
    """Make every row of draws, tickets, prizes, claims, settings and rules what the log says; what was wrong.

    The log itself must be in order. Draws that were stopped for it are released by two people, as always.
    """
    if not reason.strip():
        raise MalformedInput("making rows anew takes a reason")
    names = two_people(operators, "making rows anew")

    def run(unit: Unit) -> list[str]:
        connection = unit.connection
        broken = next(check_chain(rows.records(connection)), None)
        replayed = Replay().of(rows.records(connection))
        if broken is not None or replayed.faults:
            raise Conflict(
                f"the log itself is not in order ({broken or replayed.faults[0]}); see cardroom repair"
            )
        faults = state_faults(connection)
        if not faults:
            raise Conflict("every row is what the log says; there is nothing to make anew")
        tables = ("rules", *(table.name for table in plain_rows.PROJECTIONS))
        plain_rows.rebuild(unit, {name: replayed.table(name) for name in tables})
        more = len(faults) - _MOST_NAMED
        named = faults[:_MOST_NAMED] + ([f"and {more} more"] if more > 0 else [])
        unit.record(RowsRebuilt(faults=named, by=names, reason=reason))
        return faults

    return lottery.database.write(run, alone=True)
