"""A file to which the records of shoes are added, one line each.

A shoe in play is written down round by round, card by card, so that it outlives the process; what is written
of it gives way to its record when it is over. Its secret waits in an envelope beside the file, so that the
file says nothing about cards to come.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from cardroom.core.errors import CardroomError, MalformedInput, Unavailable
from cardroom.fair import CommittedShoe, Seed, SeedBook
from cardroom.fair.open_shoe import is_open_line, opening_line, parse_open_shoe, round_line, seed_in_envelope
from cardroom.fair.record import FRESH

_OWN_USE: Final = 0o600


def envelope_of(path: Path) -> Path:
    """Where the secret of a file's shoe in play waits."""
    return path.with_name(f"{path.name}.envelope")


def read_envelope(path: Path) -> str | None:
    """The secret of a shoe that was broken off, if it is there; one of a shoe in play stays closed."""
    if not envelope_of(path).exists():
        return None
    try:
        with path.open("rb") as file:
            if not _locked(file.fileno()):
                raise Unavailable(f"a game is in play on {path}; its shoe can be looked at when it is over")
    except OSError:
        return None
    return _text_of_envelope(path)


def _text_of_envelope(path: Path) -> str | None:
    try:
        return envelope_of(path).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return None


def _locked(file: int) -> bool:
    """Take an open file for oneself until it is closed; whether nobody else has it."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class RecordFile:
    """Opened before the first card, so that a file that cannot be written stops the game and not its record.

    The seeds of the records that are already there go into `book`: none of them may come again (R-8). A shoe
    that was broken off is finished by the rule that whoever is gone stands; `finished` says so.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.book = SeedBook()
        self.finished = ""
        self._file: int | None = None
        self._regular = False
        self._end = 0
        """Where the records end and the lines of the shoe in play begin."""
        self._shoe_id = ""
        self._rounds: tuple[str, ...] = ()

    def __enter__(self) -> Self:
        if self.path is None:
            return self
        try:
            self._regular = not self.path.exists() or self.path.is_file()  # some devices have no end
            flags = os.O_RDWR | os.O_CREAT if self._regular else os.O_WRONLY
            self._file = os.open(self.path, flags, 0o666)
            if self._regular:
                self._lock()
                self._read()
        except (OSError, UnicodeDecodeError) as error:
            self._close()
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise Unavailable(f"cannot add records to {self.path}: {reason}") from None
        except CardroomError:
            self._close()
            raise
        return self

    def _lock(self) -> None:
        """Two games do not write one file at a time."""
        assert self._file is not None
        if not _locked(self._file):
            raise Unavailable(
                f"another game is adding records to {self.path}; wait for its end or name another file"
            )

    def _read(self) -> None:
        """Note the seeds that are there, and finish a shoe that was broken off."""
        assert self.path is not None
        data = self.path.read_bytes()
        lines = data.decode("utf-8").splitlines(keepends=True)
        opens = next((place for place, line in enumerate(lines) if is_open_line(line)), len(lines))
        fingerprints = _fingerprints(self.path, lines[:opens])
        self._end = len("".join(lines[:opens]).encode())
        if lines[opens:]:
            fingerprints.add(self._finish(lines[opens:]).fingerprint)
        self.book = SeedBook(fingerprints)

    def _finish(self, lines: list[str]) -> Seed:
        """Record a shoe that was broken off; its secret."""
        assert self.path is not None
        shoe = parse_open_shoe(lines)
        seed = seed_in_envelope(_text_of_envelope(self.path), shoe)
        if seed is None:
            raise Unavailable(
                f"{self.path} ends with a shoe that was broken off, and {envelope_of(self.path)}, which holds"
                " its secret, is not there; name another file"
            )
        self.add(shoe.finished(seed))
        hands = "" if shoe.last_is_over else "; its hands stood"
        self.finished = f"The last game on {self.path} was broken off: its shoe is now recorded{hands}."
        return seed

    @property
    def in_play(self) -> bool:
        """Whether a shoe is written down that is not over."""
        return bool(self._shoe_id)

    def begin(self, shoe: CommittedShoe, *, salt: bytes = b"") -> None:
        """Write down a shoe before its first card; its secret goes into the envelope.

        It is written once its commitment is shown, and again with what a player's cut puts into the shuffle.
        """
        again = self._shoe_id == shoe.binding.shoe_id
        self._shoe_id, self._rounds = shoe.binding.shoe_id, ()
        if self._file is None or not self._regular:
            return
        assert self.path is not None
        try:
            if shoe.origin == FRESH and not again:
                flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
                with os.fdopen(os.open(envelope_of(self.path), flags, _OWN_USE), "w") as envelope:
                    envelope.write(f"{shoe.seed}\n")
                    envelope.flush()
                    os.fsync(envelope.fileno())
            # A cut only makes the line longer, so that nothing of an earlier one is left behind it.
            self._write(opening_line(shoe, salt=salt), at=self._end, sync=True)
        except OSError as error:
            raise self._cannot(error) from None

    def keep(self, rounds: Sequence[str], *, sync: bool) -> None:
        """Write down the rounds of the shoe in play as far as they have come; those that are over at once."""
        if self._file is None or not self._regular:
            return
        news = [
            place for place, notation in enumerate(rounds) if self._rounds[place : place + 1] != (notation,)
        ]
        try:
            for place in news:
                self._write(round_line(self._shoe_id, place, rounds[place]), sync=sync and place == news[-1])
        except OSError as error:
            raise self._cannot(error) from None
        self._rounds = tuple(rounds)

    def add(self, record: str) -> None:
        """Write the record of a shoe that is over, in place of what was written down while it was in play."""
        if self._file is None:
            return
        try:
            if not self._regular:
                self._write(record, sync=False)
            else:
                # First behind the lines of the shoe in play, then over them: at no moment is it nowhere.
                behind = max(os.lseek(self._file, 0, os.SEEK_END), self._end + len(record.encode()) + 1)
                os.ftruncate(self._file, behind)
                self._write(record, at=behind, sync=True)
                self._write(record, at=self._end, sync=True)
                self._end = os.lseek(self._file, 0, os.SEEK_CUR)
                os.ftruncate(self._file, self._end)
        except OSError as error:
            raise self._cannot(error) from None
        assert self.path is not None
        self._shoe_id, self._rounds = "", ()
        if self._regular:
            envelope_of(self.path).unlink(missing_ok=True)

    def _write(self, line: str, *, at: int | None = None, sync: bool) -> None:
        assert self._file is not None
        if self._regular:
            os.lseek(self._file, *((0, os.SEEK_END) if at is None else (at, os.SEEK_SET)))
        data = f"{line}\n".encode()
        while data:
            data = data[os.write(self._file, data) :]
        if sync and self._regular:
            os.fsync(self._file)

    def _cannot(self, error: OSError) -> Unavailable:
        return Unavailable(f"cannot add a record to {self.path}: {error.strerror}")

    def _close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()


def _fingerprints(path: Path, records: Sequence[str]) -> set[str]:
    """The fingerprints of the seeds in a record file; a file of another kind is left alone."""
    fingerprints = set()
    for number, line in enumerate(records, 1):
        try:
            fingerprints.add(Seed.parse(json.loads(line)["secret"]).fingerprint)
        except (CardroomError, ValueError, RecursionError, KeyError, TypeError):
            raise MalformedInput(
                f"{path} is not a file of records (line {number}); nothing is added to it"
            ) from None
    return fingerprints
