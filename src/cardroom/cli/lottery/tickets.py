"""Knockout 21 tickets on the command line: choices read, asked for when the hands are shown, and printed."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cardroom.cli.output import print_json
from cardroom.core.errors import CardroomError, IllegalAction, MalformedInput
from cardroom.core.extras import require

if TYPE_CHECKING:
    from cardroom.lottery.house import Lottery
    from cardroom.lottery.sales import BegunPurchase
    from cardroom.lottery.tickets import PrintedTicket, SoldTicket
    from cardroom.rules.knockout21 import Knockout21Rules
    from cardroom.rules.knockout21.law import Choice


def parse_choices(texts: Iterable[str]) -> dict[int, Choice]:
    """Read choices such as `5=H`, by position from 0; a hand of Game 1, or one named twice, is refused."""
    from cardroom.engine.knockout21.ticket import why_not_choose
    from cardroom.rules.knockout21 import POSITIONS
    from cardroom.rules.knockout21.law import Choice

    choices: dict[int, Choice] = {}
    for text in texts:
        hand, equals, letter = text.partition("=")
        if (
            not equals
            or not (hand.isascii() and hand.isdecimal())
            or not 1 <= int(hand) <= POSITIONS
            or letter.upper() not in {"H", "S"}
        ):
            raise MalformedInput(f"{text!r} is not a choice; write HAND=H or HAND=S, hands 1 to {POSITIONS}")
        position = int(hand) - 1
        if position in choices:
            raise MalformedInput(f"hand {int(hand)} is chosen twice; name each hand once")
        if (refusal := why_not_choose(position)) is not None:
            raise IllegalAction(refusal.reason, clause=refusal.clause)
        choices[position] = Choice(letter.upper())
    return choices


def finish_purchase(lottery: Lottery, begun: BegunPurchase) -> tuple[PrintedTicket, ...]:
    """Show the hands of a purchase, ask for the choices, keep each as it is made, and print.

    A purchase that was finished before is only printed again.
    """
    from cardroom.lottery.choices import make_choices, save_choices
    from cardroom.lottery.tickets import PrintedTicket

    printed = tuple(ticket for ticket in begun.tickets if isinstance(ticket, PrintedTicket))
    if len(printed) == len(begun.tickets):
        return printed
    for number, ticket in enumerate(begun.tickets, 1):
        if isinstance(ticket, PrintedTicket):
            continue
        _show(ticket, number, len(begun.tickets))
        try:
            changes = _read_changes()
        except (EOFError, KeyboardInterrupt):
            typer.echo(
                f"\npurchase {begun.seq} is paid for and waits for its choices until sales close; "
                f"go on with: cardroom lottery choose {begun.seq}",
                err=True,
            )
            raise typer.Exit(130) from None
        so_far = {position: ticket.play.choices[position] for position in ticket.overrides}
        kept = {position: choice for position, choice in so_far.items() if choice is not None}
        save_choices(lottery, begun.seq, {ticket.id: {**kept, **changes}}, key=request_key())
    chosen = make_choices(lottery, begun.seq, {}, key=request_key())
    for one in chosen:
        if not one.accepted:
            typer.echo(
                f"sales of draw {one.ticket.draw} closed before the print; "
                "the ticket has the charts' choices (KO21-2.8)",
                err=True,
            )
    return tuple(one.ticket for one in chosen)


def request_key() -> str:
    """A new key for a request that came without one."""
    from cardroom.fair.entropy import OperatingSystem

    return OperatingSystem().take(16).hex()


def _show(ticket: SoldTicket, number: int, of: int) -> None:
    from cardroom.engine.knockout21 import basic_choices
    from cardroom.rules.knockout21 import GAMES, HANDS_OF_GAME
    from cardroom.rules.knockout21.law import hand_total

    typer.echo(
        f"Ticket {number} of {of}: draw {ticket.draw}, {ticket.day.isoformat()} {ticket.draw_at:%H:%M %Z}; "
        f"sales close at {ticket.closes_at:%H:%M:%S}",
        err=True,
    )
    advice = basic_choices(ticket.play.hands, ticket.first_cards)
    for game in GAMES:
        typer.echo(f"Game {game}", err=True)
        for place, position in enumerate(HANDS_OF_GAME[game]):
            cards = ticket.play.hands[position]
            total = hand_total([card.value for card in cards])
            dealer = f"  dealer {ticket.first_cards[place]}" if game == 2 else ""
            choice, advised = ticket.play.choices[position], advice[position]
            if choice is None:
                words = "plays itself"
            else:
                words = choice.name.lower() + ("" if choice is advised else ", not the chart's choice")
            hand = " ".join(str(card) for card in cards)
            typer.echo(f"  hand {position + 1:2}  {hand}  {total:2}{dealer}  {words}", err=True)


def _read_changes() -> dict[int, Choice]:
    """The choices to be changed, asked for until they can be read."""
    while True:
        # Asked on the error output and read as a line: standard output is for the tickets alone.
        typer.echo("Choices to change, such as 5=S 12=H (Enter: none): ", err=True, nl=False)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        try:
            return parse_choices(line.replace(",", " ").split())
        except CardroomError as error:
            typer.echo(str(error), err=True)


def require_print(pdf: Path | None, png: Path | None) -> None:
    """Refuse prints that cannot be made before anything is sold or altered."""
    if pdf is not None:
        require("a PDF", "documents", "reportlab", "segno")
    if png is not None:
        require("a picture", "documents", "PIL", "segno")


def print_tickets(
    tickets: tuple[PrintedTicket, ...],
    pdf: Path | None,
    png: Path | None,
    rules: Knockout21Rules,
    *,
    as_json: bool,
    key: str | None = None,
) -> None:
    """Show tickets as they are printed, with their purchase and its key, and put them on paper if asked."""
    for folder, ending in ((pdf, "pdf"), (png, "png")):
        if folder is not None:
            from cardroom.lottery.ticket_print import ticket_pdf, ticket_png

            folder.mkdir(parents=True, exist_ok=True)
            for ticket in tickets:
                paper = ticket_pdf if ending == "pdf" else ticket_png
                (folder / f"{ticket.id}.{ending}").write_bytes(paper(ticket, rules))
    if as_json:
        print_json([_ticket_json(ticket) | ({"key": key} if key else {}) for ticket in tickets])
        return
    typer.echo("\n\n".join(ticket.text() for ticket in tickets))
    for purchase in sorted({ticket.purchase for ticket in tickets}):
        words = f"; key {key}: asked again with it, nothing is done twice" if key else ""
        typer.echo(f"purchase {purchase}{words}", err=True)


def _ticket_json(ticket: PrintedTicket) -> dict[str, Any]:
    return {
        "id": ticket.id,
        "purchase": ticket.purchase,
        "draw": ticket.draw,
        "day": ticket.day.isoformat(),
        "control_number": ticket.control_number,
        "code": ticket.code,
        "hands": str(ticket.play),
        "first_cards": [str(card) for card in ticket.first_cards],
        "overrides": [position + 1 for position in ticket.overrides],
        "price_cents": ticket.price_cents,
        "sold_at": ticket.sold_at.isoformat(),
        "print": ticket.print_number,
        "claim_until": ticket.claim_until.isoformat(),
        "commitment": ticket.commitment,
        "log_head": ticket.log_head,
    }
