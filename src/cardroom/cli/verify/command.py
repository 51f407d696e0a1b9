"""`cardroom verify FILE`: re-derive what a record says, with no server."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Annotated, Final

import typer

from cardroom.cli.options import Json
from cardroom.core.errors import MalformedInput

KINDS: Final = {
    "archive": "cardroom.cli.verify.archive",
    "draw": "cardroom.cli.verify.draw",
    "log": "cardroom.cli.verify.log",
    "shoe": "cardroom.cli.verify.shoe",
}
"""What there are records of, and the module whose `verify` looks at a file of them."""

ARCHIVE: Final = "archive"
_FORMAT: Final = re.compile(r'"format":\s*"cardroom (?:open )?([a-z]+) \d+"')
_ARCHIVE_SUFFIX: Final = ".cardroom"
_LONGEST_HEADER: Final = 1_000_000
_LARGEST_RECORD: Final = 1_000_000_000


def verify(
    record: Annotated[
        list[str],
        typer.Argument(
            metavar="[KIND] FILE…",
            help=f"The file, after what it is a record of where that is to be checked: {', '.join(KINDS)}. "
            "Archives may be several.",
            show_default=False,
        ),
    ],
    replay: Annotated[bool, typer.Option("--replay", help="Show every round, card by card.")] = False,
    commitment: Annotated[
        str | None,
        typer.Option(
            "--commitment",
            metavar="HEX",
            help="The commitment you were shown before the cards; one record must be its.",
            show_default=False,
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            "--database",
            metavar="URL",
            help="The database that made the archives, to be held against them.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Re-derive shoes, rounds and draws from a record, or the chain and the evidence of archives and logs.

    Exit code 1, and named, when anything disagrees.
    """
    if _are_archives(record):
        from cardroom.cli.verify.archive import verify as verify_archives

        paths = [Path(name) for name in (record[1:] if record[0] == ARCHIVE else record)]
        if replay or commitment is not None:
            raise MalformedInput(
                "--replay and --commitment are for records of shoes and draws, not for archives"
            )
        if not verify_archives(paths, database=database, as_json=as_json):
            raise typer.Exit(1)
        return
    if database is not None:
        raise MalformedInput("--database is for archives: cardroom verify archive FILE… --database URL")
    *kinds, name = record
    if len(kinds) > 1 or any(kind not in KINDS for kind in kinds):
        raise MalformedInput(f"write cardroom verify [KIND] FILE; the kinds are {', '.join(KINDS)}")
    text = _read(Path(name))
    header = _FORMAT.search(text)
    kind = header[1] if header and header[1] in KINDS else kinds[0] if kinds else "shoe"
    if kinds and kind != kinds[0]:
        raise MalformedInput(f"{name} is a record of a {kind}, not of a {kinds[0]}")
    holds = import_module(KINDS[kind]).verify(
        text, file=Path(name), replay=replay, commitment=commitment, as_json=as_json
    )
    if not holds:
        raise typer.Exit(1)


def _are_archives(paths: list[str]) -> bool:
    """Whether files are archives: because they are said to be, by their names, or by what stands in them."""
    if paths[0] == ARCHIVE and len(paths) > 1:
        return True
    first = Path(paths[0])
    if first.suffix == _ARCHIVE_SUFFIX:
        return True
    try:
        with first.open("rb") as file:
            header = _FORMAT.search(file.readline(_LONGEST_HEADER).decode("utf-8", "replace"))
    except OSError:
        return False
    return header is not None and header[1] == ARCHIVE


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_RECORD + 1)
        if len(data) > _LARGEST_RECORD:
            raise MalformedInput(f"{path} is longer than any record, {_LARGEST_RECORD // 10**6} MB")
        return data.decode("utf-8")
    except OSError as error:
        raise MalformedInput(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise MalformedInput(f"{path} is not a record: byte {error.start + 1} is not UTF-8 text") from None
