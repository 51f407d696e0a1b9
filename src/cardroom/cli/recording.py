"""A file to which the records of shoes are added, one line each."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from cardroom.core.errors import CardroomError, MalformedInput, Unavailable
from cardroom.fair import Seed, SeedBook


class RecordFile:
    """Opened before the first card, so that a file that cannot be written stops the game and not its record.

    The seeds of the records that are already there go into `book`: none of them may come again (R-8).
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.book = SeedBook()
        self._file: IO[str] | None = None

    def __enter__(self) -> Self:
        if self.path is None:
            return self
        try:
            if self.path.is_file():  # a device has no records, and some have no end
                self.book = SeedBook(_fingerprints(self.path))
            self._file = self.path.open("a", encoding="utf-8", newline="\n")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise Unavailable(f"cannot add records to {self.path}: {reason}") from None
        return self

    def add(self, record: str) -> None:
        """Write one record, through to the file."""
        if self._file is None:
            return
        try:
            self._file.write(record + "\n")
            self._file.flush()
        except OSError as error:
            raise Unavailable(f"cannot add a record to {self.path}: {error.strerror}") from None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            with suppress(OSError):  # what could not be written was reported when it was added
                self._file.close()


def _fingerprints(path: Path) -> set[str]:
    """The fingerprints of the seeds in a record file; a file of another kind is left alone."""
    found = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found.add(Seed.parse(json.loads(line)["secret"]).fingerprint)
        except (CardroomError, ValueError, KeyError, TypeError):
            raise MalformedInput(
                f"{path} is not a file of records (line {number}); nothing is added to it"
            ) from None
    return found
