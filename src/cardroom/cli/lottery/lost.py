"""`cardroom lottery`: the desk: lost tickets and large prizes, signed by operators."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.lottery.commands import (
    DEFAULT_VAULT,
    DatabaseUrl,
    Overrides,
    PdfFolder,
    PngFolder,
    VaultFolder,
    _open,
)
from cardroom.cli.lottery.signed import Reason
from cardroom.cli.options import Json
from cardroom.cli.output import console, plain_table, print_json
from cardroom.cli.signing import By, Codes, PasswordFiles, Signatures
from cardroom.core.errors import MalformedInput
from cardroom.core.places import DEFAULT_DATABASE
from cardroom.presentation.money import dollars

if TYPE_CHECKING:
    from cardroom.lottery.house import Lottery

TicketId = Annotated[str, typer.Argument(metavar="TICKET", help="The ticket's id.", show_default=False)]
Moment = Annotated[
    str | None,
    typer.Option(metavar="TIME", help='By the house\'s clock: "2025-06-14 10:30".', show_default=False),
]


def lost(
    draw: Annotated[int | None, typer.Option("--draw", help="The draw it was for.")] = None,
    terminal: Annotated[str | None, typer.Option("--terminal", help="Where it was bought.")] = None,
    sold_from: Moment = None,
    sold_until: Moment = None,
    choice: Overrides = None,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    as_json: Json = False,
) -> None:
    """Look for a lost ticket by what its owner remembers; an operator signs, and the log keeps it."""
    from cardroom.cli.lottery.tickets import parse_choices
    from cardroom.lottery.lost import Remembered, look_up
    from cardroom.lottery.schedule import wall_clock

    with _open(database, vault) as lottery:
        remembered = Remembered(
            draw,
            terminal,
            _moment(lottery, sold_from),
            _moment(lottery, sold_until),
            parse_choices(choice or []),
        )
        who = Signatures(lottery.database, by, password_file, code_of).one("operate", "a search")
        tickets = look_up(lottery, remembered, by=who.name)
        lines = [
            (row.id, row.draw, row.terminal, wall_clock(lottery.rules, row.sold_at), row.stopped or "")
            for row in tickets
        ]
    if as_json:
        print_json(
            [
                {
                    "id": name,
                    "draw": number,
                    "terminal": where,
                    "sold_at": sold.isoformat(),
                    "stopped": stopped,
                }
                for name, number, where, sold, stopped in lines
            ]
        )
        return
    table = plain_table("Ticket", "Draw", "Terminal", "Sold", "Stopped", right=("Draw",))
    for name, number, where, sold, stopped in lines:
        table.add_row(name, str(number), where, f"{sold:%Y-%m-%d %H:%M:%S}", stopped)
    console().print(table if lines else "no ticket fits")


def _moment(lottery: Lottery, text: str | None) -> datetime | None:
    from cardroom.core.timezones import time_zone

    if text is None:
        return None
    try:
        local = datetime.fromisoformat(text)
    except ValueError:
        raise MalformedInput(f'{text!r} is not a time; write it like "2025-06-14 10:30"') from None
    zone = local.tzinfo or time_zone(lottery.rules.timezone)
    return local.replace(tzinfo=zone).astimezone(UTC)


def stop(
    ticket: TicketId,
    reason: Reason,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Stop a ticket that was reported lost: no print of it is paid; an operator signs."""
    from cardroom.lottery.lost import stop as stop_ticket

    with _open(database, vault) as lottery:
        who = Signatures(lottery.database, by, password_file, code_of).one("operate", "a stop")
        stop_ticket(lottery, ticket, by=who.name, reason=reason)
    typer.echo(f"ticket {ticket} is stopped")


def lift(
    ticket: TicketId,
    reason: Reason,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Let a stopped ticket be paid again, whose paper was found; two people sign."""
    from cardroom.lottery.lost import lift_stop

    with _open(database, vault) as lottery:
        signed = Signatures(lottery.database, by, password_file, code_of).two("lifting a stop")
        lift_stop(lottery, ticket, operators=list(signed), reason=reason)
    typer.echo(f"ticket {ticket} may be paid again")


def reissue(
    ticket: TicketId,
    reason: Reason,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    pdf: PdfFolder = None,
    png: PngFolder = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
    as_json: Json = False,
) -> None:
    """Print a stopped ticket anew; two people sign, and every earlier print of it is void."""
    from cardroom.cli.lottery.tickets import print_tickets, require_print
    from cardroom.lottery.lost import reissue as reissue_ticket

    require_print(pdf, png)
    with _open(database, vault) as lottery:
        signed = Signatures(lottery.database, by, password_file, code_of).two("printing a lost ticket anew")
        anew = reissue_ticket(lottery, ticket, appointed=signed, reason=reason)
    print_tickets((anew,), pdf, png, lottery.rules, as_json=as_json)


def approvals(
    database: DatabaseUrl = DEFAULT_DATABASE, vault: VaultFolder = DEFAULT_VAULT, as_json: Json = False
) -> None:
    """Large prizes that wait for an operator's approval, and from which amount on they do."""
    from dataclasses import asdict

    from cardroom.lottery.approval import approval_from, waiting

    with _open(database, vault) as lottery:
        prizes = waiting(lottery)
        with lottery.database.read() as connection:
            cents = approval_from(connection)
    if as_json:
        print_json({"from_cents": cents, "waiting": [asdict(one) for one in prizes]})
        return
    typer.echo(f"a prize of {dollars(cents)} or more is paid when an operator has approved it")
    if prizes:
        table = plain_table("Ticket", "Draw", "Terminal", "Prize", "Approval", right=("Draw", "Prize"))
        for one in prizes:
            table.add_row(one.ticket, str(one.draw), one.terminal, dollars(one.amount_cents), one.approval)
        console().print(table)


def approve(
    ticket: TicketId,
    reason: Reason,
    decline: Annotated[bool, typer.Option("--decline", help="Say no.")] = False,
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Approve a large prize that was asked for, or decline it; an operator signs."""
    from cardroom.lottery.approval import decide

    with _open(database, vault) as lottery:
        who = Signatures(lottery.database, by, password_file, code_of).one("operate", "an approval")
        decide(lottery, ticket, "declined" if decline else "approved", by=who.name, reason=reason)
    typer.echo(f"the prize of ticket {ticket} is {'declined' if decline else 'approved: it may be claimed'}")


def approval_from(
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="Such as 1000.00.", show_default=False)],
    by: By = None,
    password_file: PasswordFiles = None,
    code_of: Codes = None,
    database: DatabaseUrl = DEFAULT_DATABASE,
    vault: VaultFolder = DEFAULT_VAULT,
) -> None:
    """Say from which amount on a prize waits for approval; an operator signs."""
    from cardroom.core.money import parse_cents
    from cardroom.lottery.approval import set_approval_from

    cents = parse_cents(amount)
    with _open(database, vault) as lottery:
        who = Signatures(lottery.database, by, password_file, code_of).one("operate", "a setting")
        set_approval_from(lottery, cents, by=who.name)
    typer.echo(f"a prize of {dollars(cents)} or more is paid when an operator has approved it")
