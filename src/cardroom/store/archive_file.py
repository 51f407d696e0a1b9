"""Archive files: old records of the log, compressed, with the rules they name, so that each stands alone.

The first line of a file is its header, as canonical JSON: the archive's number, the head of the log at which
it starts and the one at which it ends, the hash of the archive before it, and the size and hash of every part
that follows. The hash of an archive is that of its header, and so of all of it. A part is compressed text:
first the rules by their hash, then where names are found, then the records, a thousand at a time.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cardroom.core.errors import Unavailable
from cardroom.records import canonical
from cardroom.store.log import GENESIS, LogHead, LogRecord

FORMAT: Final = "cardroom archive 1"
SUFFIX: Final = ".cardroom"
RULES: Final = "rules"
NAMES: Final = "names"
RECORDS: Final = "records"
_RECORDS_IN_A_PART: Final = 1_000
_LONGEST_HEADER: Final = 1_000_000
_LARGEST_PART: Final = 500_000_000


class DamagedArchive(Unavailable):
    """A file is no archive, or not the one that was written."""


class MissingArchive(Unavailable):
    """A file of archives is not where it should be."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the file: what it holds, the first record of it, its size in the file and its hash."""

    what: str
    first_seq: int
    size: int
    hash: str


@dataclass(frozen=True, slots=True)
class ArchiveHeader:
    """What the first line of an archive says."""

    number: int
    start: LogHead
    """The last record before the archive."""
    end: LogHead
    previous: str
    """The hash of the archive before it."""
    parts: tuple[Part, ...]

    def line(self) -> bytes:
        plain = {
            "end": str(self.end),
            "format": FORMAT,
            "number": self.number,
            "parts": [[part.what, part.first_seq, part.size, part.hash] for part in self.parts],
            "previous": self.previous,
            "start": str(self.start),
        }
        return canonical(plain).encode() + b"\n"

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.line()).hexdigest()


@dataclass(frozen=True, slots=True)
class ArchiveFile:
    """An archive whose header was read."""

    path: Path
    header: ArchiveHeader

    def rules(self) -> dict[str, str]:
        """The canonical texts of rules by their hash."""
        texts: dict[str, str] = self._plain(RULES)
        return texts

    def names(self) -> dict[str, int]:
        """The newest record in this archive that speaks of each name."""
        seqs: dict[str, int] = self._plain(NAMES)
        return seqs

    def records(self, *, after: int = 0) -> Iterator[LogRecord]:
        """The records after one, in their order."""
        parts = [part for part in self.header.parts if part.what == RECORDS]
        for part, following in zip(parts, [*parts[1:], None], strict=True):
            if following is None or following.first_seq > after + 1:
                for record in self._records_of(part):
                    if record.seq > after:
                        yield record

    def record(self, seq: int) -> LogRecord | None:
        """One record by its number."""
        record = next(self.records(after=seq - 1), None)
        return record if record is not None and record.seq == seq else None

    def _records_of(self, part: Part) -> list[LogRecord]:
        try:
            lines = self.read(part).split("\n")
            return [LogRecord(*json.loads(line)) for line in lines if line]
        except (ValueError, TypeError):
            raise DamagedArchive(f"{self.path.name} is damaged: records from {part.first_seq} on") from None

    def _plain(self, what: str) -> Any:
        part = next((part for part in self.header.parts if part.what == what), None)
        try:
            return {} if part is None else json.loads(self.read(part))
        except ValueError:
            raise DamagedArchive(f"{self.path.name} is damaged: its {what}") from None

    def read(self, wanted: Part) -> str:
        """The text of a part, held against its hash."""
        offset = len(self.header.line())
        for part in self.header.parts:
            if part == wanted:
                break
            offset += part.size
        try:
            with self.path.open("rb") as file:
                file.seek(offset)
                data = file.read(wanted.size)
        except OSError as error:
            raise MissingArchive(f"cannot read {self.path.name}: {error.strerror}") from None
        where = f"records from {wanted.first_seq} on" if wanted.what == RECORDS else f"its {wanted.what}"
        if hashlib.sha256(data).hexdigest() != wanted.hash:
            raise DamagedArchive(f"{self.path.name} is damaged: {where}")
        try:
            opener = zlib.decompressobj()
            text = opener.decompress(data, _LARGEST_PART)
            if opener.unconsumed_tail or not opener.eof:
                raise ValueError
            return text.decode()
        except (zlib.error, ValueError):
            raise DamagedArchive(f"{self.path.name} is damaged: {where}") from None


def open_archive(path: Path) -> ArchiveFile:
    """Read the header of an archive."""
    try:
        with path.open("rb") as file:
            line = file.readline(_LONGEST_HEADER)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise MissingArchive(f"cannot read {path.name}: {error.strerror}") from None
    try:
        plain = json.loads(line)
        header = ArchiveHeader(
            int(plain["number"]),
            LogHead.parse(plain["start"]),
            LogHead.parse(plain["end"]),
            str(plain["previous"]),
            tuple(
                Part(str(what), int(first), int(size), str(digest))
                for what, first, size, digest in plain["parts"]
            ),
        )
    except Exception:  # noqa: BLE001 — whatever stands there, it is no header
        raise DamagedArchive(f"{path.name} is damaged, or no archive: its header cannot be read") from None
    kinds = [part.what for part in header.parts]
    if header.line() != line or kinds[:3] != [RULES, NAMES, RECORDS] or {*kinds[3:]} - {RECORDS}:
        raise DamagedArchive(f"{path.name} is damaged: its header is not as it was written")
    expected = len(line) + sum(part.size for part in header.parts)
    if size != expected:
        raise DamagedArchive(f"{path.name} is damaged: it has {size} bytes, not {expected}")
    return ArchiveFile(path, header)


def write_archive(
    path: Path,
    number: int,
    previous: str | None,
    start: LogHead,
    records: Sequence[LogRecord],
    rules: Mapping[str, str],
    names: Mapping[str, int],
) -> ArchiveHeader:
    """Write an archive whole: under another name first, and under its own when every byte is on the disk."""
    contents = [(RULES, 0, canonical(rules)), (NAMES, 0, canonical(names))]
    for place in range(0, len(records), _RECORDS_IN_A_PART):
        some = records[place : place + _RECORDS_IN_A_PART]
        lines = [canonical([one.seq, one.at, one.kind, one.body, one.hash]) + "\n" for one in some]
        contents.append((RECORDS, some[0].seq, "".join(lines)))
    packed = [(what, first, zlib.compress(text.encode(), 9)) for what, first, text in contents]
    parts = tuple(
        Part(what, first, len(data), hashlib.sha256(data).hexdigest()) for what, first, data in packed
    )
    last = records[-1]
    header = ArchiveHeader(number, start, LogHead(last.seq, last.hash), previous or GENESIS, parts)
    _write_whole(path, [header.line(), *(data for *_, data in packed)])
    return header


def _write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    try:
        _replace(path, pieces)
    except OSError as error:
        raise Unavailable(f"cannot write {path}: {error.strerror}") from None


def _replace(path: Path, pieces: Iterable[bytes]) -> None:
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("wb") as file:
        file.writelines(pieces)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    if os.name == "posix":  # elsewhere a folder cannot be opened, and a rename is durable by itself
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
