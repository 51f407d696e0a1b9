"""The check of the whole log, in a process of its own and one at a time, with a word of how far it is.

The chain, the books, the lottery's rows and control, and the evidence of every shoe and game: what
`cardroom verify` and `cardroom lottery verify` check of a log and a database.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardroom.core.errors import Conflict
from cardroom.store.log import LogRecord
from cardroom.web.computations import Asker, Bounds, Computations
from cardroom.web.worker import Worker

if TYPE_CHECKING:
    from cardroom.web.house import House

checks: Final = Computations(Worker("log check"), Bounds(in_all=1, per_address=1, per_visitor=1))
_TOLD_EVERY: Final = 500
"""So many records lie between two words of how far the check is."""
MOST_FAULTS: Final = 200
"""So many faults are named; more are counted."""


class LogCheckDesk:
    """Whether the log is being checked, and how far."""

    def __init__(self) -> None:
        self.progress_file: Path | None = None
        """Where the process at the back says how far it is."""

    def progress(self) -> dict[str, Any] | None:
        """What is being checked, and how many records of how many are done; None where nothing is."""
        if self.progress_file is None:
            return None
        with suppress(OSError, ValueError):
            progress: dict[str, Any] = json.loads(self.progress_file.read_text("utf-8"))
            return progress
        return {"what": "it begins", "done": 0, "of": 0}


async def check_in_worker(house: House, asker: Asker) -> dict[str, Any]:
    """Check the log, the books and the evidence; whoever hangs up has it broken off."""
    desk, settings = house.log_check, house.settings
    if desk.progress_file is not None:
        raise Conflict("the log is being checked already; its answer goes to whoever asked first")
    with tempfile.TemporaryDirectory(prefix="cardroom-check-") as folder:
        desk.progress_file = Path(folder) / "progress.json"
        work = partial(
            checked, settings.database, settings.archives, desk.progress_file, with_lottery=settings.lottery
        )
        try:
            return await checks.run(work, asker)
        finally:
            desk.progress_file = None


def checked(url: str, archives: Path | None, progress_file: Path, *, with_lottery: bool) -> dict[str, Any]:
    """Check a database from the first record of its log on, in this process."""
    from cardroom.lottery.reports import check_database
    from cardroom.store import lottery as rows
    from cardroom.store.archive_file import DamagedArchive, MissingArchive
    from cardroom.store.ledger import ledger_faults
    from cardroom.store.log import check_chain
    from cardroom.store.migrate import open_database
    from cardroom.table.evidence import check_evidence
    from cardroom.web.clock import SystemClock

    with open_database(url, SystemClock(), archives=archives) as database:
        with database.read() as connection:
            head = rows.head(connection)
            tell = partial(_counted, progress_file, head.seq)
            faults = ledger_faults(connection)
            said: list[str] = []
            try:
                records = tell("the chain of the log", rows.records(connection))
                faults = [str(fault) for fault in check_chain(records)] + faults
                evidence = check_evidence(tell("the cards of every shoe and game", rows.records(connection)))
                faults += evidence.faults
                said = evidence.sentences()
            except (MissingArchive, DamagedArchive) as error:
                faults.append(error.message)
        if with_lottery and not faults:
            _say(progress_file, "the lottery's rows and its control", head.seq, head.seq)
            faults += check_database(database).faults
    more = [f"and {len(faults) - MOST_FAULTS} more"] if len(faults) > MOST_FAULTS else []
    return {"head": str(head), "faults": [*faults[:MOST_FAULTS], *more], "evidence": said}


def _counted(progress_file: Path, of: int, what: str, records: Iterable[LogRecord]) -> Iterator[LogRecord]:
    for done, logged in enumerate(records):
        if done % _TOLD_EVERY == 0:
            _say(progress_file, what, done, of)
        yield logged


def _say(progress_file: Path, what: str, done: int, of: int) -> None:
    """Replace what was said as a whole, so that nobody reads half of it."""
    draft = progress_file.with_suffix(".part")
    with suppress(OSError):  # whoever asked has gone, and the folder with them
        draft.write_text(json.dumps({"what": what, "done": done, "of": of}), "utf-8")
        draft.replace(progress_file)
