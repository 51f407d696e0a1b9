"""Verification of an exported log, as `cardroom verify` shows it: its chain, and every shoe and game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cardroom.cli.output import console, print_json
from cardroom.core.errors import MalformedInput
from cardroom.presentation.numbers import counted

if TYPE_CHECKING:
    from cardroom.table.evidence import Evidence


def verify(text: str, *, file: Path, replay: bool, commitment: str | None, as_json: bool) -> bool:
    """Check the chain of the records, and the order of commitments, hashes, reveals and cards in them."""
    from cardroom.store.log import check_chain
    from cardroom.store.log_text import parse_log
    from cardroom.table.evidence import check_evidence

    if replay or commitment is not None:
        raise MalformedInput("--replay and --commitment are for records of shoes and draws, not for a log")
    start, records = parse_log(text)
    chain = [str(fault) for fault in check_chain(records, start=start)]
    evidence = check_evidence(records, from_the_first=start.seq == 0)
    if as_json:
        print_json({"records": len(records), "chain": chain, "evidence": evidence.to_json()})
    else:
        out = console()
        for fault in chain:
            out.print(fault, style="bold red", soft_wrap=True)
        if not chain:
            out.print(
                f"{file.name}: {counted(len(records), 'record')}, the chain is in order", style="bold green"
            )
        print_evidence(evidence)
    return not chain and not evidence.faults


def print_evidence(evidence: Evidence) -> None:
    """What the log shows of the cards that were dealt."""
    out = console()
    for fault in evidence.faults:
        out.print(fault, style="bold red", soft_wrap=True)
    if evidence.proofs and not evidence.faults:
        out.print("commitment, hashes, reveals, cards: all in this order", style="bold green")
    for line in _indented(evidence.sentences()):
        out.print(line, soft_wrap=True)


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]
