"""A ticket as people hold it: everything that is printed, and the code that binds it.

There is no print before the choices are final: a ticket whose buyer still chooses has neither control number
nor code (KO21-2.6).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from cardroom.core.cards import Card, parse_cards
from cardroom.core.errors import Conflict
from cardroom.engine.knockout21.ticket import Ticket
from cardroom.lottery.codes import CodeKey
from cardroom.lottery.print_codes import print_code, print_number
from cardroom.lottery.schedule import last_claim_day, parse_day, wall_clock
from cardroom.lottery.ticket_text import play_of
from cardroom.presentation.knockout21.game_1 import game_1_sentence
from cardroom.presentation.knockout21.tickets import altered_until_line
from cardroom.presentation.money import dollars
from cardroom.rules.knockout21 import Game1Hit, Knockout21Rules
from cardroom.store.lottery import DrawRow, TicketRow


@dataclass(frozen=True, slots=True)
class SoldTicket:
    """A ticket that is paid for and in its draw; while its buyer chooses, this is all there is of it."""

    id: str
    purchase: int
    game: str
    game_1_hit: Game1Hit
    """How Game 1 is read (KO21-5.1)."""
    draw: int
    day: date
    draw_at: datetime
    closes_at: datetime
    terminal: str
    sold_at: datetime
    price_cents: int
    play: Ticket
    """The hands with the choices made so far; those not made are the charts'."""
    first_cards: tuple[Card, ...]
    state: str
    alter_until: datetime | None
    """Until when it may be altered, where that is not until its sales close (KO21-2.9)."""
    claim_until: date
    commitment: str

    @property
    def overrides(self) -> tuple[int, ...]:
        """The positions whose choice is not the chart's."""
        return self.play.overrides(self.first_cards)


@dataclass(frozen=True, slots=True)
class PrintedTicket(SoldTicket):
    """What a ticket shows (KO21-2.5, R-26)."""

    control_number: str
    code: str
    print_number: int
    log_head: str

    @property
    def alteration_line(self) -> str:
        """Until when this print may be altered, where that is not until its sales close; else nothing."""
        if self.alter_until is None or self.state == "altered":
            return ""
        return altered_until_line(f"{self.alter_until:%Y-%m-%d %H:%M %Z}")

    def lines(self) -> list[str]:
        """The ticket as text, a line each."""
        return [
            self.game,
            f"Draw {self.draw}, {self.day.isoformat()}, {self.draw_at:%H:%M %Z}",
            f"Hands {self.play}",
            f"Dealer's first cards of Game 2 {' '.join(map(str, self.first_cards))}",
            f"{game_1_sentence(self.game_1_hit)} (KO21-5.1)",
            f"Price {dollars(self.price_cents)}",
            f"Sold {self.sold_at:%Y-%m-%d %H:%M:%S %Z} at terminal {self.terminal}",
            *([self.alteration_line] if self.alteration_line else []),
            f"Print {self.print_number} of ticket {self.id}",
            f"Claim until {self.claim_until.isoformat()}",
            f"Commitment {self.commitment}",
            f"Log {self.log_head}",
        ]

    def text(self) -> str:
        """The ticket as text, with its control number and the code over all of it."""
        return "\n".join([*self.lines(), f"Control number {self.control_number}", f"Code {self.code}"])


def _facts(rules: Knockout21Rules, draw: DrawRow, row: TicketRow, play: Ticket | None) -> dict[str, Any]:
    day = parse_day(draw.day)
    ends_early = row.alter_until is not None and row.alter_until < draw.closes_at
    return {
        "id": row.id,
        "purchase": row.purchase,
        "game": rules.title,
        "game_1_hit": rules.game_1_hit,
        "draw": draw.number,
        "day": day,
        "draw_at": wall_clock(rules, draw.scheduled_at),
        "closes_at": wall_clock(rules, draw.closes_at),
        "terminal": row.terminal,
        "sold_at": wall_clock(rules, row.sold_at),
        "price_cents": row.price_cents,
        "play": play or play_of(row.hands, row.draft_choices or row.choices),
        "first_cards": parse_cards(draw.first_cards or ""),
        "state": row.state,
        "alter_until": wall_clock(rules, row.alter_until) if row.alter_until and ends_early else None,
        "claim_until": last_claim_day(rules, day),
        "commitment": draw.commitment,
    }


def unprinted(
    rules: Knockout21Rules, draw: DrawRow, row: TicketRow, *, play: Ticket | None = None
) -> SoldTicket:
    """A ticket whose buyer still chooses; `play` spares reading its hands and choices again."""
    return SoldTicket(**_facts(rules, draw, row, play))


def printed(
    codes: CodeKey,
    rules: Knockout21Rules,
    draw: DrawRow,
    row: TicketRow,
    *,
    log_head: str,
    play: Ticket | None = None,
) -> PrintedTicket:
    """The print of a ticket as it stands: print 1 with its final choices, print 2 once it was altered."""
    if row.state == "choosing":
        raise Conflict("this ticket is not printed yet: its buyer is still choosing", clause="KO21-2.6")
    return PrintedTicket(
        **_facts(rules, draw, row, play),
        control_number=codes.control_number(row.id),
        code=print_code(codes, rules, draw, row, log_head),
        print_number=print_number(row),
        log_head=log_head,
    )
