"""`cardroom repair`: what is wrong with a house's log, and how two people settle it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.archive import require_database
from cardroom.cli.options import Json
from cardroom.cli.output import console, print_json
from cardroom.cli.prompts import read_secret
from cardroom.core.places import DEFAULT_DATABASE
from cardroom.presentation.money import dollars

if TYPE_CHECKING:
    from cardroom.web.repairing import Person, Repair, Trouble


def repair(
    database: Annotated[
        str,
        typer.Argument(
            metavar="DATABASE", help="sqlite:///FILE or postgresql://…", envvar="CARDROOM_DATABASE"
        ),
    ] = DEFAULT_DATABASE,
    close: Annotated[
        list[str] | None,
        typer.Option(
            "--close",
            metavar="TABLE",
            help="Settle this table: its open stakes go back, and it begins anew; may be given again.",
            show_default=False,
        ),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option("--by", metavar="NAME", help="Who does it: two operators.", show_default=False),
    ] = None,
    reason: Annotated[str, typer.Option("--reason", help="Why; the log keeps it.")] = "",
    as_json: Json = False,
) -> None:
    """Show records of the log that cannot have happened. Exit code 1 while a table is closed by one."""
    from cardroom.store.migrate import open_database
    from cardroom.store.server_lock import only_server
    from cardroom.web.clock import SystemClock
    from cardroom.web.repairing import Repair
    from cardroom.web.settings import Settings, known_key

    require_database(database)
    settings = Settings(database=database, key=known_key(database))
    alone = only_server(database) if close else nullcontext()
    with alone, open_database(database, SystemClock()) as opened:
        found = Repair(opened, settings)
        if close:
            found.clear(close, found.signed([_asked(found, name) for name in by or []]), reason)
        troubles, oddities = found.troubles(), found.oddities()
    if as_json:
        print_json(
            {
                "tables": [asdict(trouble) for trouble in troubles],
                "oddities": oddities,
                "cleared": close or [],
            }
        )
    else:
        _show(troubles, oddities, close or [])
    if troubles:
        raise typer.Exit(1)


def _asked(found: Repair, name: str) -> Person:
    """Somebody's password, and their code where they have one, typed or from a pipe."""
    from cardroom.web.repairing import Person

    password = read_secret(f"Password of {name}: ")
    code = read_secret(f"Code of {name}: ") if found.has_second_factor(name) else None
    return Person(name, password, code)


def _show(troubles: list[Trouble], oddities: list[str], cleared: list[str]) -> None:
    out = console()
    for table in cleared:
        out.print(f"table {table} is cleared; it begins anew when the server starts", style="bold green")
    for trouble in troubles:
        game = f" ({trouble.game})" if trouble.game else ""
        out.print(f"table {trouble.table}{game} is closed", style="bold red")
        out.print(
            f"  record {trouble.record} ({trouble.kind}) cannot have happened: {trouble.why}", soft_wrap=True
        )
        out.print(f"  held on its account: {dollars(trouble.held_cents)}")
        for player, cents in sorted(trouble.stakes.items()):
            out.print(f"  to go back to player {player}: {dollars(cents)}", soft_wrap=True)
        how = f"cardroom repair --close {trouble.table} --by NAME --by NAME --reason WHY"
        out.print(f"  stop the server, then: {how}", soft_wrap=True)
    for oddity in oddities:
        out.print(f"{oddity}; nothing came of it", soft_wrap=True)
    if not troubles and not oddities:
        out.print("every record fits what came before it", style="bold green")
