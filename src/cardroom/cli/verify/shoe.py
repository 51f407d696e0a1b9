"""Verification of records of shoes, as `cardroom verify` shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from cardroom.cli.output import console, print_json
from cardroom.games import GAMES
from cardroom.presentation.numbers import counted
from cardroom.rules import rules_model

if TYPE_CHECKING:
    from cardroom.fair.verify import Verdict


def verify(text: str, *, file: Path, replay: bool, commitment: str | None, as_json: bool) -> bool:
    """Look at every record of a file and say what was found; whether all is in order."""
    from cardroom.cli.recording import read_envelope
    from cardroom.fair.commitment import Commitment
    from cardroom.fair.verify import verify_records

    expected = None if commitment is None else str(Commitment.parse(commitment.strip().lower()))
    verdicts = verify_records(text, envelope=read_envelope(file))
    shown_before = expected is None or any(
        verdict.fields.get("commitment") == expected for verdict in verdicts
    )
    if as_json:
        print_json(
            {
                "records": [
                    {
                        "line": verdict.line,
                        "game": verdict.fields.get("game"),
                        "shoe_id": verdict.fields.get("shoe_id"),
                        "commitment": verdict.fields.get("commitment"),
                        "holds": verdict.holds,
                        "remarks": list(verdict.remarks),
                        "findings": [
                            {"where": finding.where, "what": finding.what} for finding in verdict.findings
                        ],
                    }
                    for verdict in verdicts
                ],
                "commitment_found": None if expected is None else shown_before,
            }
        )
    else:
        for verdict in verdicts:
            _print_verdict(verdict, replay=replay)
        if not shown_before:
            console().print("No record here has the commitment you were shown.", style="bold red")
    return shown_before and all(verdict.holds for verdict in verdicts)


def _print_verdict(verdict: Verdict, *, replay: bool) -> None:
    out = console()
    fields = verdict.fields
    title = f"{fields.get('game', 'a record')}, shoe {fields.get('shoe_id', '?')}"
    if not verdict.holds:
        out.print(
            f"line {verdict.line}: {title}: {counted(len(verdict.findings), 'finding')}", style="bold red"
        )
        for finding in verdict.findings:
            out.print(f"  {finding}", soft_wrap=True)
        return
    out.print(f"line {verdict.line}: {title}: all in order", style="bold green")
    for remark in verdict.remarks:
        out.print(f"  {remark}", style="yellow", soft_wrap=True)
    for line in _what_was_shown(verdict):
        out.print(f"  {line}", soft_wrap=True)
    game = GAMES[fields["game"]]
    if replay and game.show_replay is not None:
        rules = rules_model(fields["game"]).model_validate(fields["rules"])
        for notation in fields["rounds"]:
            game.follow("show_replay")(notation, rules, out)


def _what_was_shown(verdict: Verdict) -> Iterator[str]:
    fields = verdict.fields
    cards = len(fields["cards"]) // 2
    rounds = sum(not notation.startswith("burn ") for notation in fields["rounds"])
    yield f"the commitment {fields['commitment'][:16]}… opens to the secret"
    yield f"the secret deals the {counted(cards, 'card')}, and {counted(rounds, 'round')} used them in order"
    if words := sum(bool(one["salt"]) for one in fields.get("salts", ())):
        yield f"{counted(words, 'salt')} of players went into the cards after the commitment"
    yield f"the rules are those of hash {fields['rules_hash'][:16]}…"
    if fields["origin"] != "operating system":
        yield f"{fields['origin']}: a repeatable shoe, not for money"
