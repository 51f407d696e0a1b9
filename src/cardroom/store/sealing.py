"""Sealing: old records of the log go into archive files, and the live log keeps what is still in use.

What may be sealed: records from before a moment, before the last checkpoint, and before the first record of a
draw that is not over. What stays in the live log of the sealed records:

- whole, those that are still asked for by name (`InUse`): the last round of a table, a player's newest books;
- their heads alone, those that a ticket, a claim or a balance refers to, and the last one;
- the movements of money as few movements that leave the same balances, and the last balance of each account;
- the answers to requests, under a hash of their keys, so that a key has one outcome for ever.

Each archive is one transaction under the writer's lock: its file is whole and on the disk before the commit.
A server may run meanwhile. Killed at any point, either all records are still in the log, or none that the
archive holds; a file that was written without its commit is written again by the next run.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, and_, delete, exists, func, insert, or_, select, update

from cardroom.core.errors import Conflict, Unavailable
from cardroom.records.house import ClockPutBack
from cardroom.records.lottery import DayCommitted
from cardroom.store.archive_file import SUFFIX, DamagedArchive, MissingArchive, open_archive, write_archive
from cardroom.store.archives import ArchiveRow, all_archives, sealed_head, split_name
from cardroom.store.ledger import Transfer, all_balances
from cardroom.store.log import LogHead, LogRecord, check_chain, time_text
from cardroom.store.schema import (
    archives,
    balances,
    claims,
    draws,
    log,
    mentions,
    requests,
    rules,
    sealed_names,
    spent_keys,
    tickets,
    transfers,
)
from cardroom.store.unit import short_hash

if TYPE_CHECKING:
    from cardroom.store.checkpoints import Checkpoint
    from cardroom.store.database import Database
    from cardroom.store.unit import Unit

LARGEST_ARCHIVE: Final = 5_000
"""So many records at most are in one archive, so that the others who write do not wait long."""
_PAUSE_SECONDS: Final = 0.25
"""Between two archives, whoever waits for the writer's lock comes first."""
_ROWS_AT_ONCE: Final = 500
_RULES_FIELDS: Final = ("rules_hash", "rules_before", "rules_after")


@dataclass(frozen=True, slots=True)
class InUse:
    """What is still asked for by name: these names, and the newest record of every name that begins so."""

    names: Sequence[str] = ()
    prefixes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Limit:
    """The last record that may be sealed, and what keeps the next one in the log."""

    seq: int
    because: str


def sealing_limit(connection: Connection, before: datetime, checkpoint: Checkpoint | None) -> Limit:
    """How far the log may be sealed."""
    if checkpoint is None:
        return Limit(0, "there is no checkpoint of this version; start the server and stop it to have one")
    moment = time_text(before)
    # Where the log's time was put back, all before that is as old as the record that says so.
    put_back = select(func.coalesce(func.max(log.c.seq), 0)).where(
        log.c.kind == ClockPutBack.__name__, log.c.at < moment
    )
    first_young = select(func.min(log.c.seq)).where(
        log.c.kind != "", log.c.at >= moment, log.c.seq > put_back.scalar_subquery()
    )
    limits = [
        (connection.execute(first_young).scalar(), f"the records from {before:%Y-%m-%d %H:%M} UTC on stay"),
        (checkpoint.head.seq, "the last checkpoint stays with all that came after it"),
        _first_of_open_draws(connection),
    ]
    seq, because = min((seq, because) for seq, because in limits if seq is not None)
    return Limit(int(seq) - 1, because)


def _first_of_open_draws(connection: Connection) -> tuple[int | None, str]:
    """The first record that speaks of a draw that is not over."""
    statement = select(draws.c.number).where(draws.c.status.not_in(("settled", "void")))
    open_draws = set(connection.execute(statement).scalars())
    committed = select(log).where(log.c.kind == DayCommitted.__name__).order_by(log.c.seq)
    for row in connection.execute(committed) if open_draws else ():
        logged = LogRecord(int(row.seq), row.at, row.kind, row.body, row.hash)
        committed_day = logged.read_as(DayCommitted)
        waiting = sorted(number for number, *_ in committed_day.draws if number in open_draws)
        if waiting:
            return logged.seq, f"draw {waiting[0]} of {committed_day.day} is not over"
    return None, ""


def seal(database: Database, folder: Path, limit: Limit, in_use: InUse) -> Iterator[ArchiveRow]:
    """Write archives up to a limit, one after another, each with its own commit."""
    folder = folder.resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Unavailable(f"cannot make the folder {folder}: {error.strerror}") from None
    while True:
        row = database.write(lambda unit: _seal_next(unit, folder, limit, in_use), alone=True)
        if row is None:
            return
        yield row
        time.sleep(_PAUSE_SECONDS)


def _seal_next(unit: Unit, folder: Path, limit: Limit, in_use: InUse) -> ArchiveRow | None:
    connection = unit.connection
    before = all_archives(connection)
    start = sealed_head(connection)
    end_seq = min(limit.seq, start.seq + LARGEST_ARCHIVE)
    if end_seq <= start.seq:
        return None
    records = _records(connection, start, end_seq)
    number = len(before) + 1
    path = folder / f"{number:06d}{SUFFIX}"
    _refuse_another_house(path, start)
    names = _names(connection, start.seq, end_seq)
    header = write_archive(
        path, number, before[-1].hash if before else None, start, records, _rules(connection, records), names
    )
    row = ArchiveRow(number, start, header.end, header.hash, str(path))
    _register(connection, row, names)
    _seal_money(connection, end_seq)
    _seal_requests(connection, end_seq)
    _seal_records(connection, end_seq, in_use)
    return row


def _records(connection: Connection, start: LogHead, end_seq: int) -> list[LogRecord]:
    statement = select(log).where(log.c.seq > start.seq, log.c.seq <= end_seq).order_by(log.c.seq)
    chain = [
        LogRecord(int(row.seq), row.at, row.kind, row.body, row.hash) for row in connection.execute(statement)
    ]
    fault = next(check_chain(chain, start=start), None)
    if fault is not None:
        raise Conflict(f"nothing was sealed: {fault}")
    return chain


def _refuse_another_house(path: Path, start: LogHead) -> None:
    """A file that was left by a run that was killed is written anew; one of another house is not touched."""
    try:
        header = open_archive(path).header
    except MissingArchive:
        return
    except DamagedArchive as error:
        raise Conflict(
            f"nothing was sealed: {error.message}; it stands where an archive is to be written"
        ) from None
    if header.start != start:
        raise Conflict(f"nothing was sealed: {path.name} in this folder is an archive of another database")


def _rules(connection: Connection, records: Sequence[LogRecord]) -> dict[str, str]:
    """The texts of all rules that records name."""
    named = {
        content[field]
        for record in records
        for content in [record.upgraded()]
        for field in _RULES_FIELDS
        if field in content
    }
    statement = select(rules.c.hash, rules.c.text).order_by(rules.c.hash)
    return {row.hash: row.text for row in connection.execute(statement) if row.hash in named}


def _names(connection: Connection, after: int, end_seq: int) -> dict[str, int]:
    statement = (
        select(mentions.c.name, func.max(mentions.c.seq))
        .where(mentions.c.seq > after, mentions.c.seq <= end_seq)
        .group_by(mentions.c.name)
    )
    return {name: int(seq) for name, seq in connection.execute(statement)}


def _register(connection: Connection, row: ArchiveRow, names: Mapping[str, int]) -> None:
    connection.execute(
        insert(archives),
        {
            "number": row.number,
            "first_seq": row.start.seq + 1,
            "last_seq": row.end.seq,
            "start_hash": row.start.hash,
            "end_hash": row.end.hash,
            "hash": row.hash,
            "file": row.file,
        },
    )
    spans: dict[str, tuple[int, int]] = {}
    for name in names:
        numbered = split_name(name)
        if numbered is not None:
            stem, number = numbered
            first, last = spans.get(stem, (number, number))
            spans[stem] = (min(first, number), max(last, number))
    rows = [
        {"stem": stem, "archive": row.number, "first": first, "last": last}
        for stem, (first, last) in sorted(spans.items())
    ]
    _insert(connection, sealed_names, rows)


def _insert(connection: Connection, table: Any, rows: Sequence[Mapping[str, Any]]) -> None:
    for place in range(0, len(rows), _ROWS_AT_ONCE):
        connection.execute(insert(table), rows[place : place + _ROWS_AT_ONCE])


def _seal_money(connection: Connection, end_seq: int) -> None:
    """Put few movements in the place of all, and keep of every account the last balance."""
    carried = carried_forward(all_balances(connection, until=end_seq))
    connection.execute(delete(transfers).where(transfers.c.seq <= end_seq))
    rows = [
        {
            "seq": end_seq,
            "line": line,
            "source": one.source,
            "target": one.target,
            "amount_cents": one.amount_cents,
        }
        for line, one in enumerate(carried)
    ]
    _insert(connection, transfers, rows)
    later = balances.alias("later")
    has_later = exists().where(later.c.account == balances.c.account, later.c.step > balances.c.step)
    connection.execute(delete(balances).where(balances.c.seq <= end_seq, has_later))
    connection.execute(delete(balances).where(balances.c.seq <= end_seq, balances.c.balance_cents == 0))


def _seal_requests(connection: Connection, end_seq: int) -> None:
    """Keep of every request its answer, under a hash of its key: asked again, it has no second effect."""
    old = requests.c.seq <= end_seq
    rows = [
        {"key_hash": short_hash(row.key), "digest_hash": short_hash(row.digest), "answer": row.answer}
        for row in connection.execute(select(requests).where(old))
    ]
    _insert(connection, spent_keys, rows)
    connection.execute(delete(requests).where(old))


def carried_forward(books: Mapping[str, int]) -> list[Transfer]:
    """The movements that bring all accounts from nothing to their balances.

    >>> carried_forward({"house": -5, "ann": 3, "bob": 2}) == [
    ...     Transfer("house", "bob", 2), Transfer("house", "ann", 3)
    ... ]
    True
    """
    gave = [(account, -cents) for account, cents in sorted(books.items()) if cents < 0]
    got = [(account, cents) for account, cents in sorted(books.items()) if cents > 0]
    moves = []
    while gave and got:
        (source, owed), (target, due) = gave.pop(), got.pop()
        cents = min(owed, due)
        moves.append(Transfer(source, target, cents))
        if owed > cents:
            gave.append((source, owed - cents))
        if due > cents:
            got.append((target, due - cents))
    return moves


def _seal_records(connection: Connection, end_seq: int, in_use: InUse) -> None:
    """Take records and names away, but for what is in use and for the heads that are referred to."""
    newer = mentions.alias("newer")
    has_newer = exists().where(newer.c.name == mentions.c.name, newer.c.seq > mentions.c.seq)
    newest = [
        and_(mentions.c.name.startswith(prefix, autoescape=True), ~has_newer) for prefix in in_use.prefixes
    ]
    needed = or_(mentions.c.name.in_(list(in_use.names)), *newest)
    connection.execute(delete(mentions).where(mentions.c.seq <= end_seq, ~needed))
    is_named = exists().where(mentions.c.seq == log.c.seq)
    referred = or_(
        exists().where(tickets.c.purchase == log.c.seq),
        exists().where(claims.c.seq == log.c.seq),
        exists().where(balances.c.seq == log.c.seq),
    )
    connection.execute(delete(log).where(log.c.seq < end_seq, ~is_named, ~referred))
    reduced = update(log).where(log.c.seq <= end_seq, log.c.kind != "", ~is_named)
    connection.execute(reduced.values(kind="", body=""))
