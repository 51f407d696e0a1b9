"""`cardroom repair`: what is wrong with a house's log, and how two people settle it."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.archive import require_database
from cardroom.cli.options import Json
from cardroom.cli.output import console, print_json
from cardroom.cli.signing import By, Codes, PasswordFiles, Signatures
from cardroom.core.places import DEFAULT_DATABASE
from cardroom.presentation.money import dollars

if TYPE_CHECKING:
    from cardroom.web.repairing import Trouble


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
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
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
        people = Signatures(opened, by, password_file, code_of).two("clearing a table") if close else {}
        repairs = Repair(opened, settings)
        if close:
            repairs.clear(close, people, reason)
        troubles, oddities = repairs.troubles(), repairs.oddities()
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
