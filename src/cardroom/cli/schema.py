"""`cardroom schema COMMAND`: the JSON Schema of what a command prints with `--json`."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.output import write_json


def schema(
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND",
            help="Such as odds, or lottery sell; without it they are listed.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of a command's --json, or list the commands that have one."""
    from cardroom.cli.shapes import SHAPES, schema_of

    if command:
        write_json(schema_of(" ".join(command)))
        return
    for name in SHAPES:
        typer.echo(name)
