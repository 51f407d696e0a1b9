"""The archives of a database: where the records of the log lie that are no longer in it.

The log is one: whoever reads it from its beginning reads the archives first, and what the live log still has
after them. A record that is asked for by a name is found by the numbers that each archive has of the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, select

from cardroom.store.archive_file import ArchiveFile, DamagedArchive, MissingArchive, open_archive
from cardroom.store.log import EMPTY, LogHead, LogRecord
from cardroom.store.schema import archives, sealed_names

FOLDER: Final = "cardroom_archives"
"""The option of a connection that names the folder to look for archives in first."""
_MOST_DIGITS: Final = 15


@dataclass(frozen=True, slots=True)
class ArchiveRow:
    """An archive as the database knows it; `file` is where it was written."""

    number: int
    start: LogHead
    end: LogHead
    hash: str
    file: str


def all_archives(connection: Connection) -> list[ArchiveRow]:
    """Every archive, by number."""
    return [
        ArchiveRow(
            int(row.number),
            LogHead(int(row.first_seq) - 1, row.start_hash),
            LogHead(int(row.last_seq), row.end_hash),
            row.hash,
            row.file,
        )
        for row in connection.execute(select(archives).order_by(archives.c.number))
    ]


def sealed_head(connection: Connection) -> LogHead:
    """The last record that lies in an archive."""
    statement = select(archives.c.last_seq, archives.c.end_hash).order_by(archives.c.number.desc()).limit(1)
    row = connection.execute(statement).first()
    return EMPTY if row is None else LogHead(int(row.last_seq), row.end_hash)


def opened(connection: Connection, row: ArchiveRow) -> ArchiveFile:
    """The file of an archive, held against what the database knows of it."""
    written = Path(row.file)
    folder = connection.get_execution_options().get(FOLDER)
    places = [written] if folder is None else [Path(folder) / written.name, written]
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        raise MissingArchive(
            f"records {row.start.seq + 1} to {row.end.seq} lie in archive {row.number} ({written.name}), "
            "which is not in the house's folder of archives"
        )
    archive = open_archive(path)
    if archive.header.hash != row.hash:
        raise DamagedArchive(f"{written.name} is not archive {row.number} of this database, or was changed")
    return archive


def require_archives(connection: Connection) -> None:
    """Refuse where an archive is not here, for whoever is about to read the whole log."""
    for row in all_archives(connection):
        opened(connection, row)


def archived_records(
    connection: Connection, *, after: int = 0, kinds: Sequence[str] | None = None
) -> Iterator[LogRecord]:
    """The records after one that lie in archives, or only some kinds of them."""
    for row in all_archives(connection):
        if row.end.seq > after:
            for record in opened(connection, row).records(after=after):
                if kinds is None or record.kind in kinds:
                    yield record


def archived_backwards(connection: Connection, kinds: Sequence[str]) -> Iterator[list[LogRecord]]:
    """Some kinds of records of each archive, the newest archive first."""
    for row in reversed(all_archives(connection)):
        yield [record for record in opened(connection, row).records() if record.kind in kinds]


def archived_about(connection: Connection, name: str) -> LogRecord | None:
    """The last archived record that speaks of something by its name."""
    numbered = split_name(name)
    if numbered is None:
        return None
    stem, number = numbered
    statement = (
        select(sealed_names.c.archive)
        .where(sealed_names.c.stem == stem, sealed_names.c.first <= number, sealed_names.c.last >= number)
        .order_by(sealed_names.c.archive.desc())
    )
    candidates = set(connection.execute(statement).scalars())
    for row in reversed(all_archives(connection)) if candidates else ():
        if row.number in candidates:
            file = opened(connection, row)
            seq = file.names().get(name)
            if seq is not None:
                return file.record(seq)
    return None


def split_name(name: str) -> tuple[str, int] | None:
    """The stem and the number of a name such as `round:linden-7`; None where it has no number."""
    stem, dash, number = name.rpartition("-")
    fits = dash and number.isascii() and number.isdecimal() and len(number) <= _MOST_DIGITS
    return (stem, int(number)) if fits else None
