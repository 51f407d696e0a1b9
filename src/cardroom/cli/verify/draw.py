"""Verification of a Knockout 21 draw's record, as `cardroom verify` shows it."""

from __future__ import annotations

from pathlib import Path

from cardroom.cli.output import console, print_json
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted


def verify(text: str, *, file: Path, replay: bool, commitment: str | None, as_json: bool) -> bool:
    """Work out everything in the record again and say what was found; whether all is in order."""
    from cardroom.lottery.verify import verify_draw

    verdict = verify_draw(text)
    fields = verdict.fields
    shown_before = commitment is None or fields.get("commitment") == commitment.strip().lower()
    if as_json:
        print_json(
            {
                "draw": fields.get("number"),
                "holds": verdict.holds,
                "commitment_found": None if commitment is None else shown_before,
                "findings": [{"where": one.where, "what": one.what} for one in verdict.findings],
            }
        )
        return verdict.holds and shown_before
    out = console()
    if not verdict.holds:
        out.print(f"draw {fields.get('number', '?')}: {len(verdict.findings)} finding(s)", style="bold red")
        for finding in verdict.findings:
            out.print(f"  {finding}", soft_wrap=True)
    elif "returned" in fields:
        out.print(f"draw {fields['number']} of {fields['day']}: called off, all in order", style="bold green")
        returned = f"{counted(fields['ticket_count'], 'ticket')}, {dollars(fields['total_cents'])}"
        out.print(f"  signed by {' and '.join(fields['operators'])}: {fields['reason']}", soft_wrap=True)
        out.print(f"  every ticket's price is returned: {returned}")
    else:
        out.print(f"draw {fields['number']} of {fields['day']}: all in order", style="bold green")
        account = fields["account"]
        paid = dollars(account["prizes_cents"])
        for line in (
            f"the commitments open to the secrets, for rules {fields['rules_hash'][:16]}…",
            f"the root is that of the {fields['ticket_count']} tickets",
            "the secret and the root give the cards",
            f"the tickets and the cards give the {len(fields['prizes'])} prizes, {paid} in all",
        ):
            out.print(f"  {line}", soft_wrap=True)
        if replay:
            for number, position in enumerate(fields["cards"].replace("/", " ").split(), 1):
                dealer, hit = position.split("+")
                out.print(f"  position {number:2}: hit card {hit}, dealer {dealer}")
    if not shown_before:
        out.print("This record does not have the commitment you were shown.", style="bold red")
    return verdict.holds and shown_before
