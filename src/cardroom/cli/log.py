"""`cardroom log`: the event log as text, for whoever checks it on another machine."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.archive import require_database
from cardroom.core.places import DEFAULT_DATABASE


def log(
    database: Annotated[
        str,
        typer.Option(
            "--database", metavar="URL", help="sqlite:///FILE or postgresql://…", envvar="CARDROOM_DATABASE"
        ),
    ] = DEFAULT_DATABASE,
) -> None:
    """Print the whole event log, archives included, a record a line; `cardroom verify log FILE` checks it."""
    from cardroom.lottery.clock import SystemClock
    from cardroom.store.log_text import log_lines
    from cardroom.store.migrate import open_database
    from cardroom.store.unit import read_log

    require_database(database)
    with open_database(database, SystemClock()) as opened, opened.read() as connection:
        for line in log_lines(read_log(connection)):
            typer.echo(line)
