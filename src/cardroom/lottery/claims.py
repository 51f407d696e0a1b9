"""Claims: a plain answer to every control number, a prize paid at most once, expired prizes booked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.lottery.accounts import prizes_account
from cardroom.lottery.approval import ask_for_approval, needs_approval
from cardroom.lottery.codes import parse_control_number
from cardroom.lottery.funds import CASH, Funds
from cardroom.lottery.house import (
    Lottery,
    checked_name,
    draw_or_refuse,
    request_digest,
    ticket_or_refuse,
    two_people,
)
from cardroom.lottery.print_codes import is_code_of
from cardroom.lottery.readiness import ClockJumped, make_ready
from cardroom.lottery.schedule import claim_expired, last_claim_day, parse_day, wall_clock
from cardroom.lottery.standing import Verdict, verdict_of
from cardroom.presentation.money import dollars
from cardroom.records.lottery import ClaimRefused, ExpiryCorrected, PrizePaid, PrizesExpired, TicketChecked
from cardroom.store import lottery as rows
from cardroom.store.ledger import UNCLAIMED, Transfer
from cardroom.store.log import LogHead, time_text
from cardroom.store.unit import Unit

_TELLS_NOTHING = ("not found", "void print", "stopped")
"""What may be said of a ticket whatever its draw comes to."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a ticket is worth, in one word and a sentence."""

    verdict: Verdict | Literal["not found", "void print"]
    prize_cents: int = 0
    ticket: str = ""
    draw: int = 0

    def __str__(self) -> str:
        return f"prize of {dollars(self.prize_cents)}" if self.verdict == "prize" else self.verdict


Withheld = Callable[[int], bool]
"""Whether nothing may be told yet of a draw, such as one that the wall has not shown to its end."""


def _nothing(_draw: int) -> bool:
    return False


def check_ticket(
    lottery: Lottery,
    control_number: str,
    *,
    terminal: str,
    code: str | None = None,
    withheld: Withheld = _nothing,
) -> Answer:
    """Say what a ticket is worth; every question is logged (R-29), and none moves the log's time.

    At a time that nobody expected, it is said as things stood at the log's last record.
    """
    checked_name(terminal, "the name of a terminal")

    def run(unit: Unit) -> Answer:
        at = unit.at
        try:
            make_ready(lottery, unit)
        except ClockJumped:
            at = unit.log_time
        answer = _public_answer(_look(lottery, unit, control_number, code, at), withheld)
        unit.note(
            TicketChecked(
                terminal=terminal, ticket=answer.ticket, answer=str(answer), asked_at=time_text(unit.now)
            )
        )
        return answer

    return lottery.database.write(run)


def is_ticket(lottery: Lottery, control_number: str) -> bool:
    """Whether a number is that of a printed ticket; nothing of the question is in the log."""
    with lottery.database.read() as connection:
        return _printed(lottery, connection, control_number) is not None


def note_unknown(lottery: Lottery, *, terminal: str, times: int) -> None:
    """Note that so many numbers were asked for that no ticket has; this does not move the log's time."""

    def run(unit: Unit) -> None:
        unit.note(
            TicketChecked(
                terminal=terminal, ticket="", answer="not found", asked_at=time_text(unit.now), times=times
            )
        )

    lottery.database.write(run)


def pay_prize(
    lottery: Lottery,
    control_number: str,
    code: str,
    *,
    terminal: str,
    key: str,
    payee: Funds = CASH,
    withheld: Withheld = _nothing,
) -> Answer:
    """Pay a prize to whoever brings the valid print, once; a retry with the same key gets the same answer.

    Check, payment and credit are one commit.
    """
    checked_name(terminal, "the name of a terminal")
    checked_name(key, "the key of a request")
    digest = request_digest({"pay": ascii(control_number), "code": ascii(code), "terminal": terminal})

    def run(unit: Unit) -> Answer:
        earlier = unit.answered(key, digest)
        if earlier is not None:
            return Answer(earlier["verdict"], earlier["prize_cents"], earlier["ticket"], earlier["draw"])
        answer = _public_answer(_look(lottery, unit, control_number, code, unit.at), withheld)
        if answer.verdict != "prize":
            unit.record(ClaimRefused(terminal=terminal, ticket=answer.ticket, answer=str(answer)))
            return answer
        row = ticket_or_refuse(unit.connection, answer.ticket)
        prize = rows.find_prize(unit.connection, answer.ticket)
        assert prize is not None
        payee.admit(unit, 0)
        if needs_approval(unit, row, prize):
            ask_for_approval(unit, row, prize, terminal=terminal, payee=payee.account)
            return Answer("waits for approval", prize.amount_cents, row.id, row.draw)
        move = Transfer(prizes_account(prize.draw), payee.account, prize.amount_cents)
        paid = PrizePaid(
            terminal=terminal,
            ticket=prize.ticket,
            draw=prize.draw,
            amount_cents=prize.amount_cents,
            payee=payee.account,
        )
        record = unit.record(paid, [move])
        unit.answer(
            key,
            digest,
            {
                "verdict": "prize",
                "prize_cents": prize.amount_cents,
                "ticket": prize.ticket,
                "draw": prize.draw,
            },
        )
        rows.add_claim(unit, prize, "paid", record.seq)
        return answer

    return lottery.write(run, key=key)


def _public_answer(answer: Answer, withheld: Withheld) -> Answer:
    """What may be told of a ticket now; that a print is void, or unknown, tells nothing of its draw."""
    if answer.verdict in _TELLS_NOTHING or not withheld(answer.draw):
        return answer
    return Answer("not yet drawn", ticket=answer.ticket, draw=answer.draw)


def _look(lottery: Lottery, unit: Unit, control_number: str, code: str | None, at: datetime) -> Answer:
    row = _printed(lottery, unit.connection, control_number)
    if row is None:
        return Answer("not found")
    if code is not None and not _valid_print(lottery, unit.connection, row, code):
        return Answer("void print", ticket=row.id, draw=row.draw)
    draw = draw_or_refuse(unit.connection, row.draw)
    prize = rows.find_prize(unit.connection, row.id)
    verdict = verdict_of(lottery.rules_of(unit.connection, draw.rules_hash), draw, row, prize, at)
    cents = 0 if prize is None or verdict in ("stopped", "not yet drawn") else prize.amount_cents
    return Answer(verdict, cents, row.id, row.draw)


def _printed(lottery: Lottery, connection: Any, control_number: str) -> rows.TicketRow | None:
    """The ticket of a number; one that is not printed yet has none."""
    try:
        number = parse_control_number(control_number)
    except MalformedInput:
        return None
    row = rows.find_ticket(connection, control_tag=lottery.codes.tag(number))
    return None if row is None or row.state == "choosing" else row


def _valid_print(lottery: Lottery, connection: Any, row: rows.TicketRow, code: str) -> bool:
    """Whether a code is that of the print now in force: an altered ticket voids the original (R-28, R-32)."""
    draw = draw_or_refuse(connection, row.draw)
    record = rows.record_at(connection, row.purchase)
    head = str(LogHead(record.seq, record.hash)) if record else ""
    rules = lottery.rules_of(connection, draw.rules_hash)
    return is_code_of(code, lottery.codes, rules, draw, row, head)


def book_expired(lottery: Lottery) -> int:
    """Book the prizes whose year is over to the unclaimed; how many there were (KO21-4.8, R-31)."""

    def run(unit: Unit) -> int:
        today = wall_clock(lottery.rules, unit.at).date()
        until = (today - timedelta(days=364)).isoformat()
        waiting = rows.waiting_prizes(unit.connection, until_day=until)
        facts = rows.days_and_rules(unit.connection, until_day=until) if waiting else {}
        booked = 0
        by_draw: dict[int, list[rows.PrizeRow]] = {}
        for prize in waiting:
            by_draw.setdefault(prize.draw, []).append(prize)
        for number, prizes in sorted(by_draw.items()):
            day, rules_hash = facts[number]
            if not claim_expired(lottery.rules_of(unit.connection, rules_hash), parse_day(day), unit.at):
                continue
            total = sum(prize.amount_cents for prize in prizes)
            expired = PrizesExpired(draw=number, tickets=[prize.ticket for prize in prizes])
            record = unit.record(expired, [Transfer(prizes_account(number), UNCLAIMED, total)])
            for prize in prizes:
                rows.add_claim(unit, prize, "expired", record.seq)
            booked += len(prizes)
        return booked

    return lottery.write(run, alone=True)


def correct_expiry(lottery: Lottery, number: int, *, operators: Sequence[str], reason: str) -> int:
    """Let the prizes of a draw that were booked as expired before their time be claimed again.

    Two people sign, as for every act that does not happen by itself; how many prizes there were.
    """
    if not reason.strip():
        raise MalformedInput("taking back an expiry takes a reason")
    names = two_people(operators, "taking back an expiry")

    def run(unit: Unit) -> int:
        draw = draw_or_refuse(unit.connection, number)
        rules = lottery.rules_of(unit.connection, draw.rules_hash)
        day = parse_day(draw.day)
        if claim_expired(rules, day, unit.at):
            last_day = last_claim_day(rules, day).isoformat()
            raise Conflict(
                f"the prizes of draw {number} could be claimed until {last_day}", clause="KO21-4.8"
            )
        prizes = [one for one in rows.prizes_of_draw(unit.connection, number) if one.outcome == "expired"]
        if not prizes:
            raise Conflict(f"no prize of draw {number} is booked as expired")
        tickets = [prize.ticket for prize in prizes]
        total = sum(prize.amount_cents for prize in prizes)
        unit.record(
            ExpiryCorrected(draw=number, tickets=tickets, by=names, reason=reason),
            [Transfer(UNCLAIMED, prizes_account(number), total)],
            [rows.expiry_name(ticket) for ticket in tickets],
        )
        rows.take_back_expiry(unit, tickets)
        return len(prizes)

    return lottery.write(run, alone=True)
