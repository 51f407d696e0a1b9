"""Checkpoints: what the log has folded to, kept in parts, so that a start reads only what came after it.

A checkpoint stands for the log up to one of its records. Each part (a table, a player, the house) has a name,
a body and a hash of its own, and only parts that changed are written again. The checkpoint knows how many
there are, so that one that was taken away is missed. A checkpoint is a convenience: where one is damaged, of
another version, or not of this log, it is put away, and all is folded from the log.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, delete, func, insert, select, update

from cardroom.core.errors import Unavailable
from cardroom.fair.encoding import encode
from cardroom.records import canonical
from cardroom.store.log import LogHead
from cardroom.store.schema import checkpoints, log, parts

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.unit import Unit

_LABEL: Final = "cardroom/checkpoint/1"
_ROWS_AT_ONCE: Final = 500


class DamagedCheckpoint(Unavailable):
    """A part of a checkpoint is not as it was written."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A checkpoint that holds: the record of the log up to which it goes."""

    head: LogHead


class Checkpoints:
    """The last checkpoint of a database; `version` is that of the program's folded state."""

    def __init__(self, database: Database, version: int) -> None:
        self._database = database
        self.version = version

    def last(self) -> Checkpoint | None:
        """The checkpoint to start from; None where there is none of this version and this log."""
        checkpoint = self._checkpoint_or_reason()
        return checkpoint if isinstance(checkpoint, Checkpoint) else None

    def why_not(self) -> str | None:
        """Why no start is made from the checkpoint that is there; None where one is, or there is none."""
        reason = self._checkpoint_or_reason()
        return reason if isinstance(reason, str) else None

    def _checkpoint_or_reason(self) -> Checkpoint | str | None:
        with self._database.read() as connection:
            row = connection.execute(select(checkpoints)).first()
            if row is None:
                return None
            if row.version != self.version:
                return f"it is of version {row.version}, and this program's is {self.version}"
            at = connection.execute(select(log.c.hash).where(log.c.seq == row.seq)).scalar()
            there = _count(connection)
        if there != row.parts:
            return f"{there} parts are there, and it was saved with {row.parts}"
        if at != row.log_hash:
            return f"it is of another log, which has another record {row.seq}"
        return Checkpoint(LogHead(int(row.seq), row.log_hash))

    def part(self, name: str) -> dict[str, Any] | None:
        """A part by its name, as it was saved; None where there is none."""
        with self._database.read() as connection:
            row = connection.execute(select(parts).where(parts.c.name == name)).first()
        return None if row is None else _opened(row.name, row.body, row.hash)

    def parts(
        self, prefix: str, *, mend: Callable[[str], dict[str, Any] | None] | None = None
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """All parts whose names begin so, with their bodies; `mend` gives what a damaged one should hold."""
        after = prefix + "\U0010ffff"
        statement = select(parts).where(parts.c.name >= prefix, parts.c.name < after).order_by(parts.c.name)
        with self._database.read() as connection:
            for row in connection.execute(statement):
                try:
                    body: dict[str, Any] | None = _opened(row.name, row.body, row.hash)
                except DamagedCheckpoint:
                    if mend is None:
                        raise
                    body = mend(row.name)
                if body is not None:
                    yield row.name, body

    def save(self, head: LogHead, changed: Mapping[str, dict[str, Any] | None]) -> None:
        """Write the parts that changed (None takes one away) and move the checkpoint, all in one commit."""
        rows = [_row(name, body) for name, body in changed.items() if body is not None]
        names = list(changed)

        def run(unit: Unit) -> None:
            held = _held(unit.connection) + len(rows) - _without(unit.connection, names)
            for start in range(0, len(rows), _ROWS_AT_ONCE):
                unit.connection.execute(insert(parts), rows[start : start + _ROWS_AT_ONCE])
            unit.connection.execute(delete(checkpoints))
            row = {"seq": head.seq, "log_hash": head.hash, "version": self.version, "parts": held}
            unit.connection.execute(insert(checkpoints), row)

        self._database.write(run, alone=True)

    def save_part(self, name: str, body: dict[str, Any]) -> None:
        """Write one part that knows by itself up to which record it goes."""
        row = _row(name, body)

        def run(unit: Unit) -> None:
            added = 1 - _without(unit.connection, [name])
            unit.connection.execute(insert(parts), row)
            unit.connection.execute(update(checkpoints).values(parts=checkpoints.c.parts + added))

        self._database.write(run, alone=True)

    def discard(self) -> None:
        """Put the checkpoint away, all of it."""

        def run(unit: Unit) -> None:
            unit.connection.execute(delete(checkpoints))
            unit.connection.execute(delete(parts))

        self._database.write(run, alone=True)


def _held(connection: Connection) -> int:
    """How many parts there must be: by the checkpoint that stands, so that no loss is passed over."""
    held = connection.execute(select(checkpoints.c.parts)).scalar()
    return _count(connection) if held is None else int(held)


def _count(connection: Connection) -> int:
    return int(connection.execute(select(func.count()).select_from(parts)).scalar_one())


def _without(connection: Connection, names: list[str]) -> int:
    """Take parts away; how many of them there were."""
    chunks = [names[start : start + _ROWS_AT_ONCE] for start in range(0, len(names), _ROWS_AT_ONCE)]
    return sum(connection.execute(delete(parts).where(parts.c.name.in_(chunk))).rowcount for chunk in chunks)


def _row(name: str, body: dict[str, Any]) -> dict[str, str]:
    text = canonical(body)
    return {"name": name, "body": text, "hash": _hash(name, text)}


def _hash(name: str, text: str) -> str:
    return hashlib.sha256(encode(_LABEL, name, text)).hexdigest()


def _opened(name: str, text: str, kept: str) -> dict[str, Any]:
    if _hash(name, text) != kept:
        raise DamagedCheckpoint(f"the checkpoint's part {name!r} is damaged; it is made anew from the log")
    body: dict[str, Any] = json.loads(text)
    return body
