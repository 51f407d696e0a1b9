"""The note of the house's time: a reading of it that is kept beside the mark for the next server.

The time of day may jump while no server runs, or just before one stops: whoever starts next reads here what
time it was by the machine's own seconds, and sees the jump. People who have set the house's time right in
between, by a command, are believed.
"""

from __future__ import annotations

import json
import logging
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cardroom.records.house import ClockAccepted, ClockPutBack
from cardroom.store.mark import replace_file
from cardroom.store.unit import read_log
from cardroom.web.clock import HouseClock, Reading

if TYPE_CHECKING:
    from cardroom.store.database import Database

logger = logging.getLogger("cardroom.web")

_SUFFIX: Final = ".clock"
_SECONDS_BETWEEN_NOTES: Final = 60.0
_SET_BY_PEOPLE: Final = [ClockAccepted.__name__, ClockPutBack.__name__]


class ClockNote:
    """The note in its file, and the clock of which it tells."""

    def __init__(self, mark: Path, clock: HouseClock) -> None:
        self.path = mark.with_name(mark.name + _SUFFIX)
        self._clock = clock
        self._kept: Reading | None = None

    def read(self, database: Database) -> Reading | None:
        """What an earlier server has noted; None where it cannot be read, or people set the time since."""
        try:
            plain = json.loads(self.path.read_text("ascii"))
            seq = int(plain["seq"])
            reading = Reading(
                machine_start=str(plain["machine_start"]),
                steady_seconds=float(plain["steady_seconds"]),
                time=datetime.fromisoformat(plain["time"]),
                tolerated=timedelta(seconds=float(plain["tolerated_seconds"])),
            )
        except (OSError, ValueError, LookupError, TypeError, OverflowError):
            return None
        with database.read() as connection:
            is_set = any(True for _ in read_log(connection, after=seq, kinds=_SET_BY_PEOPLE))
        return None if is_set else reading

    def keep(self, seq: int, *, now: bool) -> None:
        """Note the house's time at a record of the log, once in a while; `now`: in any case."""
        reading, kept = self._clock.reading(), self._kept
        if kept and not now and reading.steady_seconds - kept.steady_seconds < _SECONDS_BETWEEN_NOTES:
            return
        plain = {
            "seq": seq,
            "machine_start": reading.machine_start,
            "steady_seconds": reading.steady_seconds,
            "time": reading.time.isoformat(),
            "tolerated_seconds": reading.tolerated.total_seconds(),
        }
        try:
            replace_file(self.path, f"{json.dumps(plain)}\n", durably=now)
        except OSError as error:  # the house goes on; what is lost is a warning
            logger.error("the time could not be noted in %s: %s", self.path, error)
        self._kept = reading
