"""The event log: one chain of records, each holding the hash of all that came before it.

>>> record = chained(GENESIS, 1, "2025-06-14T18:21:00.000000Z", "DrawClosed", '{"draw":1}')
>>> record.hash == chained(GENESIS, 1, "2025-06-14T18:21:00.000000Z", "DrawClosed", '{"draw":2}').hash
False
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from cardroom.core.errors import MalformedInput
from cardroom.fair.encoding import encode
from cardroom.records import AnyRecord, Record, canonical, read_record, record_class
from cardroom.records.house import ClockPutBack

R = TypeVar("R", bound=Record)

GENESIS: Final = "0" * 64
TRANSFERS: Final = "transfers"
"""The name under which a record tells what money moved with it."""
_LABEL: Final = "cardroom/log/1"
_TIME_PUT_BACK: Final = ClockPutBack.__name__
"""The one kind of record whose time may be before that of the record before it."""
_TIME_FORM: Final = "%Y-%m-%dT%H:%M:%S.%fZ"


@dataclass(frozen=True, slots=True)
class Transfer:
    """An amount that moved from one account to another."""

    source: str
    target: str
    amount_cents: int


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One line of the log; `body` is canonical JSON, and `hash` covers the record and the chain before it."""

    seq: int
    at: str
    kind: str
    body: str
    hash: str

    @property
    def content(self) -> dict[str, Any]:
        """Everything that stands in the record, as it was written: plain data, money included."""
        plain: dict[str, Any] = json.loads(self.body)
        return plain

    def upgraded(self) -> dict[str, Any]:
        """The same in the newest version of its kind, for whoever reads records without their classes.

        Movements of money stand in no version, and stay beside the fields. Nothing else is checked.
        """
        plain = self.content
        moves = plain.pop(TRANSFERS, None)
        fields = record_class(self.kind).upgraded(plain)
        return fields if moves is None else {**fields, TRANSFERS: moves}

    def read(self) -> tuple[AnyRecord, list[Transfer]]:
        """The record as its own class, and the money that moved with it."""
        plain = self.content
        moves = [Transfer(*move) for move in plain.pop(TRANSFERS, ())]
        return read_record(self.kind, plain), moves

    def read_as(self, kind: type[R]) -> R:
        """The record where it is known to be of a kind."""
        record, _ = self.read()
        if not isinstance(record, kind):
            raise MalformedInput(f"record {self.seq} is of the kind {self.kind}, not {kind.__name__}")
        return record


@dataclass(frozen=True, slots=True)
class LogHead:
    """The last record's number and hash: whoever holds one can tell later that nothing before it changed."""

    seq: int
    hash: str

    @classmethod
    def parse(cls, text: str) -> LogHead:
        """Read `SEQ:HASH`, as it stands on tickets and in published records."""
        seq, colon, digest = text.partition(":")
        if not colon or not seq.isdecimal() or len(digest) != len(GENESIS):
            raise MalformedInput(f"{text[:80]!r} is not a head of the log; it is written SEQ:HASH")
        return cls(int(seq), digest)

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"


EMPTY: Final = LogHead(0, GENESIS)


@dataclass(frozen=True, slots=True)
class LogFault:
    """Something wrong with the log: at which record, and what."""

    seq: int
    what: str

    def __str__(self) -> str:
        return f"record {self.seq}: {self.what}"


def time_text(moment: datetime) -> str:
    """A moment as it stands in the log: UTC, microseconds, so that texts sort as times do."""
    return moment.astimezone(UTC).strftime(_TIME_FORM)


def parse_time(text: str) -> datetime:
    """Read `time_text` back."""
    return datetime.fromisoformat(text)


def body_text(content: Mapping[str, Any]) -> str:
    """The one JSON text of a record's content."""
    return canonical(content)


def chained(previous_hash: str, seq: int, at: str, kind: str, body: str) -> LogRecord:
    """The record that follows on a hash."""
    digest = hashlib.sha256(encode(_LABEL, previous_hash, str(seq), at, kind, body)).hexdigest()
    return LogRecord(seq, at, kind, body, digest)


def check_chain(
    records: Iterable[LogRecord], heads: Iterable[LogHead] = (), *, start: LogHead = EMPTY
) -> Iterator[LogFault]:
    """Everything wrong with the chain: changed, missing, inserted or moved records, and a cut-off tail.

    `heads` are heads known from outside (a ticket, a published record); only they show that a tail was cut
    off and the rest left in order, or that the whole chain was written anew. `start` is the head before the
    first record, where that is not the log's first.
    """
    known = {head.seq: head.hash for head in heads}
    previous, expected, last_at = start.hash, start.seq + 1, ""
    for record in records:
        if record.seq != expected:
            missing = f"record {expected} is missing" if record.seq > expected else "its number came before"
            yield LogFault(record.seq, missing)
        rebuilt = chained(previous, record.seq, record.at, record.kind, record.body)
        if rebuilt.hash != record.hash:
            yield LogFault(record.seq, "was changed, or what is before it was: its hash does not follow")
        if record.at < last_at and record.kind != _TIME_PUT_BACK:
            yield LogFault(record.seq, f"its time {record.at} is before that of the record before it")
        known_hash = known.pop(record.seq, record.hash)
        if known_hash != record.hash:
            yield LogFault(record.seq, f"a head known from outside says its hash is {known_hash}")
        previous, expected, last_at = record.hash, record.seq + 1, record.at
    for seq in sorted(known):
        yield LogFault(
            seq,
            f"is missing: a head known from outside says that it was written; the log ends at {expected - 1}",
        )
