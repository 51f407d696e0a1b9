"""A ticket as people hold it: everything that is printed, and the code that binds it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime

from cardroom.core.cards import Card, parse_cards
from cardroom.core.money import format_cents
from cardroom.engine.knockout21.ticket import Ticket
from cardroom.lottery.codes import CodeKey
from cardroom.lottery.plays import play_of
from cardroom.lottery.schedule import last_claim_day, parse_day, wall_clock
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store.lottery import DrawRow, TicketRow


@dataclass(frozen=True, slots=True)
class PrintedTicket:
    """What a ticket shows (KO21-2.5, R-26)."""

    id: str
    control_number: str
    code: str
    game: str
    draw: int
    day: date
    draw_at: datetime
    terminal: str
    sold_at: datetime
    price_cents: int
    play: Ticket
    first_cards: tuple[Card, ...]
    state: str
    print_number: int
    claim_until: date
    commitment: str
    log_head: str

    @property
    def overrides(self) -> tuple[int, ...]:
        """The positions whose choice is not the chart's."""
        return self.play.overrides(self.first_cards)

    def lines(self) -> list[str]:
        """The ticket as text, a line each."""
        return [
            self.game,
            f"Draw {self.draw}, {self.day.isoformat()}, {self.draw_at:%H:%M %Z}",
            f"Hands {self.play}",
            f"Dealer's first cards of Game 2 {' '.join(map(str, self.first_cards))}",
            f"Price {format_cents(self.price_cents, symbol=True)}",
            f"Sold {self.sold_at:%Y-%m-%d %H:%M:%S %Z} at terminal {self.terminal}",
            f"Print {self.print_number} of ticket {self.id}",
            f"Claim until {self.claim_until.isoformat()}",
            f"Commitment {self.commitment}",
            f"Log {self.log_head}",
        ]

    def text(self) -> str:
        """The ticket as text, with its control number and the code over all of it."""
        return "\n".join([*self.lines(), f"Control number {self.control_number}", f"Code {self.code}"])


def printed(
    codes: CodeKey,
    rules: Knockout21Rules,
    draw: DrawRow,
    row: TicketRow,
    *,
    log_head: str,
    play: Ticket | None = None,
) -> PrintedTicket:
    """The print of a ticket as it stands; `play` spares reading its hands and choices again."""
    day = parse_day(draw.day)
    content = PrintedTicket(
        id=row.id,
        control_number=codes.control_number(row.id),
        code="",
        game=rules.title,
        draw=draw.number,
        day=day,
        draw_at=wall_clock(rules, draw.scheduled_at),
        terminal=row.terminal,
        sold_at=wall_clock(rules, row.sold_at),
        price_cents=row.price_cents,
        play=play or play_of(row.hands, row.choices),
        first_cards=parse_cards(draw.first_cards or ""),
        state=row.state,
        print_number=2 if row.state == "altered" else 1,
        claim_until=last_claim_day(rules, day),
        commitment=draw.commitment,
        log_head=log_head,
    )
    return replace(content, code=codes.print_code(content.control_number, *content.lines()))
