"""Verification of archive files, as `cardroom verify` shows it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cardroom.cli.output import console, print_json


def verify(paths: Sequence[Path], *, database: str | None, as_json: bool) -> bool:
    """Look at archives, and at the database that made them where one is given; whether all is in order."""
    from cardroom.cli.verify.log import print_evidence
    from cardroom.store.archive_check import check_against, check_archives
    from cardroom.store.archive_file import open_archive
    from cardroom.table.evidence import EvidenceCheck

    verdicts = check_archives(paths)
    faults: list[str] = []
    if database is not None:
        from cardroom.cli.archive import require_database
        from cardroom.lottery.clock import SystemClock
        from cardroom.store.migrate import open_database

        require_database(database)
        with open_database(database, SystemClock()) as opened, opened.read() as connection:
            faults = check_against(connection, verdicts)
    holds = not faults and not any(verdict.findings for verdict in verdicts)
    first = verdicts[0].header
    check = EvidenceCheck(from_the_first=first is not None and first.number == 1)
    if holds:
        for verdict in verdicts:
            for record in open_archive(verdict.path).records():
                check.take(record)
    evidence = check.evidence
    holds = holds and not evidence.faults
    if as_json:
        print_json(
            {
                "archives": [
                    {
                        "file": str(verdict.path),
                        "number": header.number if header else None,
                        "start": str(header.start) if header else None,
                        "end": str(header.end) if header else None,
                        "hash": header.hash if header else None,
                        "findings": list(verdict.findings),
                    }
                    for verdict in verdicts
                    for header in [verdict.header]
                ],
                "database": faults,
                "evidence": evidence.to_json(),
                "holds": holds,
            }
        )
        return holds
    out = console()
    for verdict in verdicts:
        header = verdict.header
        for finding in verdict.findings:
            where = "" if finding.startswith(verdict.path.name) else f"{verdict.path.name}: "
            out.print(f"{where}{finding}", style="bold red", soft_wrap=True)
        if header is not None and not verdict.findings:
            span = f"records {header.start.seq + 1} to {header.end.seq}"
            out.print(
                f"{verdict.path.name}: archive {header.number}, {span}: all in order", style="bold green"
            )
            out.print(f"  hash {header.hash}", soft_wrap=True)
            if header.number > 1 and header is next(one.header for one in verdicts if one.header):
                out.print(
                    f"  the archives before it, up to {header.number - 1}, were not given", style="yellow"
                )
    if evidence.proofs or evidence.faults:
        print_evidence(evidence)
    for fault in faults:
        out.print(f"database: {fault}", style="bold red", soft_wrap=True)
    if database is not None and holds:
        out.print("the database goes on from these archives: all in order", style="bold green")
    return holds
