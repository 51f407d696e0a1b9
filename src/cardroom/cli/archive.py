"""`cardroom archive`: old records of the log are sealed into files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Final

import typer

from cardroom.cli.options import Json
from cardroom.cli.output import console, print_json
from cardroom.core.errors import MalformedInput
from cardroom.core.places import DEFAULT_DATABASE

KEEP_DAYS: Final = 90
_LONGEST_DAYS: Final = 36_500
_YOUNGEST: Final = timedelta(days=1)


def archive(
    directory: Annotated[Path, typer.Argument(metavar="DIRECTORY", help="Where the archive files go.")],
    before: Annotated[
        str | None,
        typer.Option(
            "--before",
            metavar="DATE",
            help="Seal what is older than the first moment of this day (UTC).",
            show_default=False,
        ),
    ] = None,
    keep_days: Annotated[
        int | None,
        typer.Option(
            "--keep-days",
            min=1,
            max=_LONGEST_DAYS,
            help=f"Keep this many days in the log; {KEEP_DAYS} unless told otherwise.",
        ),
    ] = None,
    database: Annotated[
        str,
        typer.Option(
            "--database", metavar="URL", help="sqlite:///FILE or postgresql://…", envvar="CARDROOM_DATABASE"
        ),
    ] = DEFAULT_DATABASE,
    as_json: Json = False,
) -> None:
    """Seal old records of the log into compressed, chained archive files; a server may run meanwhile."""
    from cardroom.lottery.clock import SystemClock
    from cardroom.store.archives import sealed_head
    from cardroom.store.checkpoints import Checkpoints
    from cardroom.store.migrate import open_database
    from cardroom.store.sealing import seal, sealing_limit
    from cardroom.web.memory import VERSION, in_use

    clock = SystemClock()
    moment = _moment(before, keep_days, clock.now())
    if directory.exists() and not directory.is_dir():
        raise MalformedInput(f"{directory} is not a folder")
    require_database(database)
    with open_database(database, clock) as opened:
        checkpoints = Checkpoints(opened, VERSION)
        with opened.read() as connection:
            limit = sealing_limit(connection, moment, checkpoints.last())
        rows = list(seal(opened, directory, limit, in_use(checkpoints)))
        with opened.read() as connection:
            sealed = sealed_head(connection)
    if as_json:
        print_json(
            {
                "archives": [
                    {
                        "number": row.number,
                        "first": row.start.seq + 1,
                        "last": row.end.seq,
                        "hash": row.hash,
                        "file": row.file,
                    }
                    for row in rows
                ],
                "sealed": str(sealed),
                "because": limit.because,
            }
        )
        return
    out = console()
    for row in rows:
        out.print(
            f"archive {row.number}: records {row.start.seq + 1} to {row.end.seq} in {row.file}",
            soft_wrap=True,
        )
        out.print(f"  hash {row.hash}", soft_wrap=True)
    if not rows:
        out.print("nothing to seal", soft_wrap=True)
    out.print(f"sealed up to record {sealed.seq}: {limit.because}", soft_wrap=True)


def require_database(url: str) -> None:
    """Refuse the file of a database that is not there: one that is misspelt is not to be made."""
    if url.startswith("sqlite:///") and not Path(url.removeprefix("sqlite:///")).exists():
        raise MalformedInput(f"there is no database {url}")


def _moment(before: str | None, keep_days: int | None, now: datetime) -> datetime:
    if before is not None and keep_days is not None:
        raise MalformedInput("give --before or --keep-days, not both")
    if before is None:
        return now - timedelta(days=keep_days or KEEP_DAYS)
    try:
        moment = datetime.strptime(before, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise MalformedInput(f"{before!r} is not a day; write it as 2025-06-14") from None
    if moment > now - _YOUNGEST:
        raise MalformedInput(f"--before {before}: the records of the last 24 hours stay in the log")
    return moment
