"""`cardroom audit`: every published figure beside the computed one."""

from __future__ import annotations

import typer

from cardroom.cli.options import Json
from cardroom.cli.output import console, print_json, working


def audit(as_json: Json = False) -> None:
    """Set published figures beside ours. Exit code 1 when one disagrees unexplained."""
    from cardroom.lab.audit.rows import audit as run
    from cardroom.lab.findings import all_findings

    with working("computing every published figure"):
        lines = run()
        findings = all_findings()
    counts = {
        verdict: sum(line.verdict == verdict for line in lines)
        for verdict in ("agrees", "explained", "disagrees")
    }
    if as_json:
        print_json(
            {
                "figures": [line.to_json() for line in lines],
                "verdicts": counts,
                "findings": findings,
            }
        )
    else:
        out = console()
        styles = {"agrees": "green", "explained": "yellow", "disagrees": "bold red"}
        for line in lines:
            figure = line.figure
            changes = ", ".join(f"{key} = {value}" for key, value in figure.changes)
            out.print(f"{figure.game}{f' ({changes})' if changes else ''}, {figure.quantity}", style="bold")
            out.print(f"  published  {line.published}", soft_wrap=True)
            out.print(f"  ours       {line.ours}", soft_wrap=True)
            out.print(f"  {line.verdict}: {line.explanation}", style=styles[line.verdict], soft_wrap=True)
            out.print(f"  {figure.source}", style="dim", soft_wrap=True)
        out.print("\nFindings about the rules", style="bold")
        for finding in findings:
            out.print(f"  {finding['game']}: {finding['finding']}", soft_wrap=True)
        out.print()
        summary = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
        out.print(f"{len(lines)} figures: {summary}", style="bold")
    if counts["disagrees"]:
        raise typer.Exit(1)
