"""Archives checked: the chain inside each file and between files, and against the database of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from cardroom.core.errors import CardroomError
from cardroom.rules import parse_rules
from cardroom.store.archive_file import ArchiveFile, ArchiveHeader, open_archive
from cardroom.store.archives import all_archives, sealed_head
from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.store.log import EMPTY, GENESIS, check_chain
from cardroom.store.unit import read_log


@dataclass(frozen=True, slots=True)
class ArchiveVerdict:
    """What was found in a file; its header is None where that cannot be read."""

    path: Path
    header: ArchiveHeader | None
    findings: tuple[str, ...]


def check_archives(paths: Sequence[Path]) -> list[ArchiveVerdict]:
    """Look at every file, by number, and whether each goes on where the one before it ended."""
    files: list[ArchiveFile] = []
    damaged: list[ArchiveVerdict] = []
    for path in paths:
        try:
            files.append(open_archive(path))
        except CardroomError as error:
            damaged.append(ArchiveVerdict(path, None, (error.message,)))
    files.sort(key=lambda file: file.header.number)
    verdicts = []
    for place, file in enumerate(files):
        before = files[place - 1].header if place else None
        findings = (*_links(before, file.header), *_inside(file))
        verdicts.append(ArchiveVerdict(file.path, file.header, findings))
    return verdicts + damaged


def _links(before: ArchiveHeader | None, header: ArchiveHeader) -> Iterator[str]:
    if before is None:
        if header.number == 1 and (header.start != EMPTY or header.previous != GENESIS):
            yield "it is the first archive, but does not start at the beginning of the log"
        return
    if header.number != before.number + 1:
        yield f"archive {before.number + 1} is missing before it"
    elif header.previous != before.hash:
        yield f"it does not name archive {before.number} as the one before it"
    elif header.start != before.end:
        yield f"it starts after record {header.start.seq}; archive {before.number} ends with {before.end.seq}"


def _inside(file: ArchiveFile) -> Iterator[str]:
    """What is wrong inside a file: its records, the rules and names that it carries."""
    try:
        texts, names = file.rules(), file.names()
        records = list(file.records())
    except CardroomError as error:
        yield error.message
        return
    header = file.header
    yield from (str(fault) for fault in check_chain(records, [header.end], start=header.start))
    if records and records[-1].seq != header.end.seq:
        yield f"its header ends with record {header.end.seq}, but its last record is {records[-1].seq}"
    for rules_hash, text in texts.items():
        try:
            own_hash = parse_rules(text).rules_hash
        except CardroomError as error:
            yield f"its rules {rules_hash[:12]}… cannot be read: {error.message}"
        else:
            if own_hash != rules_hash:
                yield f"its rules {rules_hash[:12]}… have the hash {own_hash[:12]}…"
    seqs = {record.seq for record in records}
    yield from (f"{name} is said to be in record {seq}" for name, seq in names.items() if seq not in seqs)
    for record in records:
        try:
            read, _ = record.read()
        except CardroomError as error:
            yield f"record {record.seq}: {error.message}"
            continue
        needed = getattr(read, "rules_hash", None)
        if needed is not None and needed not in texts:
            yield f"record {record.seq}: the rules {needed[:12]}… are not in the archive"


def check_against(connection: Connection, verdicts: Sequence[ArchiveVerdict]) -> list[str]:
    """Where archives are not those of a database, or what it kept does not go on from them."""
    faults = []
    known = {row.number: row for row in all_archives(connection)}
    files = {verdict.header.number: verdict for verdict in verdicts if verdict.header is not None}
    for number, verdict in files.items():
        if number not in known:
            faults.append(f"{verdict.path.name}: the database knows no archive {number}")
        elif verdict.header is not None and verdict.header.hash != known[number].hash:
            faults.append(f"{verdict.path.name}: it is not archive {number} of the database")
    faults += [f"archive {number} was not given" for number in known if number not in files]
    start = sealed_head(connection)
    faults += [str(fault) for fault in check_chain(read_log(connection, after=start.seq), start=start)]
    faults += ledger_faults(connection)
    if known and not faults and not any(verdict.findings for verdict in verdicts):
        faults += _money_faults(connection, [open_archive(files[number].path) for number in sorted(known)])
    return faults


def _money_faults(connection: Connection, files: Sequence[ArchiveFile]) -> list[str]:
    """Accounts whose money at the end of the archives is not what all archived movements make of it."""
    moved: dict[str, int] = {}
    for file in files:
        for record in file.records():
            for move in record.read()[1]:
                moved[move.target] = moved.get(move.target, 0) + move.amount_cents
                moved[move.source] = moved.get(move.source, 0) - move.amount_cents
    kept = all_balances(connection, until=files[-1].header.end.seq)
    both = {account: (moved.get(account, 0), kept.get(account, 0)) for account in sorted({*moved, *kept})}
    return [
        f"{account}: the archives leave {own} cents, the database has {other}"
        for account, (own, other) in both.items()
        if own != other
    ]
