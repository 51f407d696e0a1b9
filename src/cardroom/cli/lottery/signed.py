"""`cardroom lottery`: what operators sign for with their accounts: void, hold, release, switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.lottery.commands import DEFAULT_VAULT, DatabaseUrl, DrawNumber, VaultFolder, _open
from cardroom.cli.signing import By, Codes, PasswordFiles, Signatures
from cardroom.core.errors import CardroomError
from cardroom.core.places import DEFAULT_DATABASE

if TYPE_CHECKING:
    from cardroom.lottery.house import Lottery
    from cardroom.lottery.overrides import What

Reason = Annotated[str, typer.Option("--reason", help="Why; the log keeps it.")]


def void(
    draw: DrawNumber,
    reason: Reason,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Call a draw off before its cards are drawn; two people sign, and every ticket gets its price back."""
    with _open(database, vault) as lottery:
        override(lottery, Signatures(lottery.database, by, password_file, code_of), draw, "void", reason)
    typer.echo(f"draw {draw} is void; its tickets are paid back")


def hold(
    draw: DrawNumber,
    reason: Reason,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Stop a draw until two people release it; two people sign."""
    with _open(database, vault) as lottery:
        override(lottery, Signatures(lottery.database, by, password_file, code_of), draw, "hold", reason)
    typer.echo(f"draw {draw} is held")


def release(
    draw: DrawNumber,
    reason: Reason,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Let a stopped draw go on; two people sign, and every check is made again."""
    with _open(database, vault) as lottery:
        override(lottery, Signatures(lottery.database, by, password_file, code_of), draw, "release", reason)
    typer.echo(f"draw {draw} may go on")


def override(lottery: Lottery, signatures: Signatures, draw: int, what: What, reason: str) -> None:
    """Do what two people sign for, and keep who they were in the same commit; a refusal is kept too."""
    from cardroom.core.errors import MalformedInput
    from cardroom.fair.draw_process import draw_apart
    from cardroom.lottery.house import draw_or_refuse
    from cardroom.lottery.overrides import override_draw
    from cardroom.records.house import OverrideRefused

    if not reason.strip():
        raise MalformedInput(f"{_ACTS[what]} is an emergency act and takes a reason", clause="KO21-3.4")
    signatures.require_two(_ACTS[what])
    with lottery.database.read() as connection:
        draw_or_refuse(connection, draw)
    try:
        signed = signatures.two(_ACTS[what])
        override_draw(lottery, draw, what, reason, signed, drawer=draw_apart)
    except CardroomError as error:
        first, second = (*signatures.names, "", "")[:2]
        refused = OverrideRefused(
            draw=draw, what=what, reason=reason, by=first[:80], second=second[:80], why=error.message
        )
        lottery.database.write(lambda unit: unit.note(refused), alone=True)  # whatever the clock shows
        raise


_ACTS = {
    "void": "calling off a draw",
    "hold": "holding a draw",
    "release": "releasing a draw",
    "draw": "a manual draw",
}


def switch(
    scope: Annotated[
        str, typer.Argument(metavar="SCOPE", help="all, game:ID, terminal:NAME or draw:NUMBER.")
    ],
    on: Annotated[bool, typer.Option("--on/--off", help="Sell, or do not.")],
    reason: Reason = "",
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Switch sales off or on; an operator signs."""
    from cardroom.lottery import house

    with _open(database, vault) as lottery:
        signatures = Signatures(lottery.database, by, password_file, code_of)
        who = signatures.one("disable", "a switch")
        house.switch(lottery, scope, off=not on, by=[who.name], reason=reason)
    typer.echo(f"{scope} is switched {'on' if on else 'off'}")
