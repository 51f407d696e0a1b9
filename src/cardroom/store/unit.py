"""What one transaction reads and writes: records of the log, movements of money, rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Table, insert, or_, select

from cardroom.core.errors import Conflict
from cardroom.records import Record
from cardroom.rules import HouseRules
from cardroom.store.archives import archived_records, sealed_head
from cardroom.store.ledger import KnownBalances, Transfer, is_guarded, last_guarded
from cardroom.store.log import (
    EMPTY,
    TRANSFERS,
    LogHead,
    LogRecord,
    body_text,
    chained,
    parse_time,
    time_text,
)
from cardroom.store.schema import (
    balances,
    claims,
    draws,
    log,
    mentions,
    prizes,
    requests,
    rules,
    spent_keys,
    tickets,
    transfers,
)

_ORDER: Final = (log, mentions, requests, rules, draws, tickets, prizes, transfers, balances, claims)
"""Rows are written in this order, so that what is referred to is there first."""


class Unit:
    """A transaction under way. Rows are gathered and written together; a refused request leaves none."""

    def __init__(self, connection: Connection, now: datetime, known: KnownBalances | None = None) -> None:
        self.connection = connection
        head = connection.execute(
            select(log.c.seq, log.c.at, log.c.hash).order_by(log.c.seq.desc()).limit(1)
        ).first()
        self.head = LogHead(int(head.seq), head.hash) if head else EMPTY
        self.now = now
        """What the clock shows."""
        self._head_time = parse_time(head.at) if head else now
        # A clock that was put back does not put the log back: time stands still until it has caught up.
        self.at = max(now, self._head_time)
        self._rows: dict[Table, list[dict[str, Any]]] = {table: [] for table in _ORDER}
        self._known = {} if known is None else known.at(self.head.hash)
        self._guarded: dict[str, tuple[int, int]] = {}
        self._remembered: dict[object, Any] = {}
        self._keys: Sequence[str] = ()
        self.records: list[LogRecord] = []
        """The records of this transaction, in their order."""

    def expect(self, keys: Sequence[str]) -> None:
        """The keys of all requests in this transaction, so that they are looked up at one go."""
        self._keys = keys

    def answered(self, key: str, digest: str) -> dict[str, Any] | None:
        """The answer given before to a request with this key; refused when that was a different request."""
        known: dict[str, tuple[str, str]] = self.remember("requests", lambda: self._load_requests(self._keys))
        if key not in self._keys:
            known = self._load_requests([key])
        if key not in known:
            return None
        told_digest, answer = known[key]
        if told_digest not in (digest, short_hash(digest)):
            raise Conflict(f"the key {key!r} was used before, for a different request")
        content: dict[str, Any] = json.loads(answer)
        return content

    def _load_requests(self, keys: Sequence[str]) -> dict[str, tuple[str, str]]:
        return answers_to(self.connection, keys)

    def answer(self, key: str, digest: str, content: Mapping[str, Any]) -> None:
        """Keep the answer to a request, under its key, with the last record."""
        self.add(requests, key=key, digest=digest, answer=body_text(content), seq=self.head.seq)

    def remember(self, name: object, load: Any) -> Any:
        """Something read once in this transaction."""
        if name not in self._remembered:
            self._remembered[name] = load()
        return self._remembered[name]

    @property
    def log_time(self) -> datetime:
        """The time of the log's last record."""
        return parse_time(self.records[-1].at) if self.records else self._head_time

    def put_time_back(self) -> None:
        """Let the log go on at the time of the clock, which is before that of its last record."""
        self.at = self.now

    def note(self, record: Record) -> LogRecord:
        """Add a record that does not move the log's time: it has the time of the record before it."""
        at, self.at = self.at, self.log_time
        try:
            return self.record(record)
        finally:
            self.at = at

    def record(self, record: Record, moves: Sequence[Transfer] = (), about: Sequence[str] = ()) -> LogRecord:
        """Add a record to the log, the movements of money that belong to it, and the names it is found by."""
        content = record.content()
        moves = [move for move in moves if move.amount_cents != 0]
        if moves:
            content[TRANSFERS] = [[move.source, move.target, move.amount_cents] for move in moves]
        entry = chained(
            self.head.hash, self.head.seq + 1, time_text(self.at), record.kind, body_text(content)
        )
        self.records.append(entry)
        self.add(log, seq=entry.seq, at=entry.at, kind=entry.kind, body=entry.body, hash=entry.hash)
        self.head = LogHead(entry.seq, entry.hash)
        for name in about:
            self.add(mentions, name=name, seq=entry.seq)
        for line, move in enumerate(moves):
            self._move(entry.seq, line, move)
        return entry

    def _move(self, seq: int, line: int, move: Transfer) -> None:
        self.add(
            transfers,
            seq=seq,
            line=line,
            source=move.source,
            target=move.target,
            amount_cents=move.amount_cents,
        )
        for account, cents in ((move.source, -move.amount_cents), (move.target, move.amount_cents)):
            if is_guarded(account):
                step, before = self._last_step(account)
                self._guarded[account] = (step + 1, before + cents)
                self.add(balances, account=account, step=step + 1, seq=seq, balance_cents=before + cents)

    def _last_step(self, account: str) -> tuple[int, int]:
        """The step and the balance of a guarded account before its next movement."""
        step = self._guarded.get(account) or self._known.get(account)
        return last_guarded(self.connection, account) if step is None else step

    @property
    def moved(self) -> Mapping[str, tuple[int, int]]:
        """The guarded accounts that moved in this transaction: their last step and their balance."""
        return self._guarded

    def keep_rules(self, kept: HouseRules) -> None:
        """Keep the canonical text of rules, once, under their hash."""
        rules_hash = kept.rules_hash
        if any(row["hash"] == rules_hash for row in self._rows[rules]):
            return
        statement = select(rules.c.hash).where(rules.c.hash == rules_hash)
        if self.connection.execute(statement).first() is None:
            self.add(rules, hash=rules_hash, text=kept.canonical_text())

    def add(self, table: Table, **row: Any) -> None:
        """A row to be written with this transaction."""
        self._rows[table].append(row)

    def mark(self) -> tuple[LogHead, int, dict[str, tuple[int, int]], dict[Table, int]]:
        """Where the transaction stands, to come back to when a request is refused."""
        lengths = {table: len(rows) for table, rows in self._rows.items()}
        return self.head, len(self.records), dict(self._guarded), lengths

    def back_to(self, mark: tuple[LogHead, int, dict[str, tuple[int, int]], dict[Table, int]]) -> None:
        self.head, records, self._guarded, lengths = mark
        del self.records[records:]
        for table, length in lengths.items():
            del self._rows[table][length:]

    def write(self, connection: Connection) -> None:
        """Send the gathered rows to the database."""
        for table in _ORDER:
            rows = self._rows[table]
            if rows:
                connection.execute(insert(table), rows)
                rows.clear()


def answers_to(connection: Connection, keys: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Digest and answer of each key that was used; what is sealed is known by short hashes."""
    statement = select(requests).where(requests.c.key.in_(keys))
    answers = {row.key: (row.digest, row.answer) for row in connection.execute(statement)}
    missing = {short_hash(key): key for key in keys if key not in answers}
    if missing:
        spent = select(spent_keys).where(spent_keys.c.key_hash.in_(missing))
        for row in connection.execute(spent):
            answers[missing[row.key_hash]] = (row.digest_hash, row.answer)
    return answers


def short_hash(text: str) -> str:
    """What is kept of a key or a digest once its record is sealed: 128 bits."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def read_log(
    connection: Connection,
    *,
    after: int = 0,
    kinds: Sequence[str] | None = None,
    naming: str = "",
    or_kinds: Sequence[str] = (),
) -> Iterator[LogRecord]:
    """The log from a record on, or only some kinds of it, or those in whose text a name stands.

    `or_kinds` come with those of a name. What is sealed is read from its archive.
    """
    sealed_seq = sealed_head(connection).seq
    if after < sealed_seq:
        for record in archived_records(connection, after=after, kinds=kinds):
            if naming in record.body or record.kind in or_kinds:
                yield record
    statement = select(log).where(log.c.seq > max(after, sealed_seq)).order_by(log.c.seq)
    if kinds is not None:
        statement = statement.where(log.c.kind.in_(kinds))
    if naming:
        named = log.c.body.contains(naming, autoescape=True)
        statement = statement.where(or_(named, log.c.kind.in_(or_kinds)))
    with connection.execute(statement.execution_options(yield_per=1000)) as selected:
        for row in selected:
            yield LogRecord(int(row.seq), row.at, row.kind, row.body, row.hash)
