"""`cardroom backup` and `cardroom restore`: one moment of a house in a file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.archive import require_database
from cardroom.cli.options import Json
from cardroom.cli.output import console, print_json
from cardroom.core.places import DEFAULT_DATABASE
from cardroom.presentation.numbers import counted

if TYPE_CHECKING:
    from cardroom.store.backup import Backup

DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database", metavar="URL", help="sqlite:///FILE or postgresql://…", envvar="CARDROOM_DATABASE"
    ),
]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where it goes; never overwritten.")],
    database: DatabaseUrl = DEFAULT_DATABASE,
    as_json: Json = False,
) -> None:
    """Write one moment of a database into a file; a server may run meanwhile.

    The key file and the folder of the lottery's secrets are not in it: they are backed up on their own.
    """
    from cardroom.lottery.clock import SystemClock
    from cardroom.lottery.vault import vault_folder
    from cardroom.store.backup import write_backup
    from cardroom.store.migrate import open_database
    from cardroom.web.settings import key_file

    require_database(database)
    clock = SystemClock()
    with open_database(database, clock) as opened:
        written = write_backup(opened, file, clock.now())
    if as_json:
        print_json(_plain(written))
        return
    out = console()
    rows = counted(written.rows, "row")
    out.print(f"{file}: {rows}, the log up to {written.head}", style="bold green", soft_wrap=True)
    besides = f"the key file {key_file(database)}, the folder {vault_folder(database)}"
    out.print(f"not in it, and needed besides: {besides}", soft_wrap=True)
    for archive in written.archives:
        out.print(f"and the archive {archive}", soft_wrap=True)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of `cardroom backup`.")],
    database: DatabaseUrl = DEFAULT_DATABASE,
    as_json: Json = False,
) -> None:
    """Bring a back-up into an empty database of either kind; nothing is ever overwritten.

    The next server retires every secret that was not told yet, and settles unfinished rounds: stakes go back.
    """
    from cardroom.lottery.clock import SystemClock
    from cardroom.store.backup import restore_backup
    from cardroom.web.settings import key_file

    restored = restore_backup(file, database, SystemClock())
    if as_json:
        print_json(_plain(restored))
        return
    out = console()
    rows = counted(restored.rows, "row")
    out.print(f"restored {rows}, the log up to {restored.head}", style="bold green", soft_wrap=True)
    out.print(
        f"start `cardroom serve` with the key of this house ({key_file(database)}): it retires every secret "
        "that was not told yet, and gives stakes of unfinished rounds back",
        soft_wrap=True,
    )
    for archive in restored.archives:
        out.print(f"the log is whole only with the archive {archive}", soft_wrap=True)


def _plain(backup: Backup) -> dict[str, object]:
    return {
        "file": str(backup.path),
        "head": str(backup.head),
        "revision": backup.revision,
        "made_at": backup.made_at,
        "rows": backup.rows,
        "archives": list(backup.archives),
    }
