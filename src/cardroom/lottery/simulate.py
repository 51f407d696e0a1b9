"""A whole day of the lottery in seconds: buyers, bad requests, lost answers, crashes, a clock put back.

The same seed gives the same day. After every step (or every so many) all that must always hold is checked.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any, Final

from cardroom.core.errors import CardroomError, Conflict
from cardroom.fair.entropy import Rehearsal
from cardroom.lottery.alteration import alter
from cardroom.lottery.choices import make_choices, save_choices
from cardroom.lottery.claims import check_ticket, pay_prize
from cardroom.lottery.house import Lottery
from cardroom.lottery.reports import check_log
from cardroom.lottery.sales import BegunPurchase, Order, Purchase, begin_purchase, reprint, sell
from cardroom.lottery.schedule import at_wall, close_of, draw_times
from cardroom.lottery.scheduler import advance
from cardroom.lottery.tickets import PrintedTicket
from cardroom.lottery.vault import MemoryVault
from cardroom.rules.knockout21 import POSITIONS, Knockout21Rules
from cardroom.rules.knockout21.law import Choice
from cardroom.store import lottery as rows
from cardroom.store.log import LogHead
from cardroom.store.migrate import open_database

_FIRST_CHOICE: Final = 4
_FAULT_POINTS: Final = 14
_FORGED: Final = "34679-34679A-34679-34679A"


class Killed(BaseException):
    """The simulated process dies here."""


class InvariantBroken(AssertionError):
    """Something that must always hold does not: a defect, with the seed and step that show it."""


@dataclass
class SimulatedClock:
    """Simulated time; `skew` is how far it was put back."""

    moment: datetime
    skew: timedelta = timedelta()

    def now(self) -> datetime:
        return self.moment - self.skew


@dataclass
class DayResult:
    """What came of a simulated day."""

    seed: int
    steps: int = 0
    tickets: int = 0
    purchases: int = 0
    refused: int = 0
    altered: int = 0
    paid_prizes: int = 0
    paid_cents: int = 0
    crashes: int = 0
    lost_answers: int = 0
    draws: int = 0
    checks: int = 0
    log_records: int = 0


@dataclass
class _Promises:
    """What was acknowledged to somebody, so must be true for ever."""

    tickets: dict[str, PrintedTicket] = field(default_factory=dict)
    sold: set[str] = field(default_factory=set)
    """The ids of all tickets, printed or not."""
    begun: list[BegunPurchase] = field(default_factory=list)
    paid: dict[str, int] = field(default_factory=dict)
    roots: dict[int, str] = field(default_factory=dict)
    cards: dict[int, str] = field(default_factory=dict)
    heads: list[LogHead] = field(default_factory=list)


class SimulatedDay:
    """One day from before the first sale to after the last draw."""

    def __init__(
        self,
        url: str,
        rules: Knockout21Rules,
        *,
        seed: int,
        day: date,
        buyers: int,
        faults: bool = True,
        crash_one_in: int = 5,
        check_every: int = 1,
    ) -> None:
        self.crash_one_in = crash_one_in
        self.url, self.rules, self.day, self.buyers = url, rules, day, buyers
        self.faults, self.check_every = faults, check_every
        self.people = Rehearsal(2 * seed)
        self.entropy = Rehearsal(2 * seed + 1)
        self.vault = MemoryVault(self.entropy)
        self.clock = SimulatedClock(at_wall(rules, day, rules.sales.opens))
        self.result = DayResult(seed)
        self.promises = _Promises()
        self.countdown = 0
        self.keys = 0
        self.lottery = self._open()

    def _open(self) -> Lottery:
        """The process starts, again or for the first time."""
        database = open_database(self.url, self.clock, probe=self._probe)
        return Lottery(database, self.vault, self.rules, self.entropy)

    def _probe(self, _point: str) -> None:
        if self.countdown:
            self.countdown -= 1
            if self.countdown == 0:
                raise Killed

    def _key(self) -> str:
        self.keys += 1
        return f"day-{self.result.seed}-{self.keys}"

    def _chance(self, one_in: int) -> bool:
        return self.people.below(one_in) == 0

    def run(self) -> DayResult:
        """Live through the day."""
        for moment in self._moments():
            self.clock.moment = moment
            self._tick()
        advance(self.lottery)  # with the clock right: what a wrong one kept waiting is still in its time
        self._remember_draws()
        with self.lottery.database.read() as connection:
            done = rows.draws_of_day(connection, self.day.isoformat())
            self.result.log_records = rows.head(connection).seq
        self.result.draws = sum(draw.status == "settled" for draw in done)
        postponed = sum(draw.status == "open" for draw in done)  # too few tickets: it waits (KO21-3.2)
        if self.result.draws + postponed != len(done):
            raise InvariantBroken(f"seed {self.result.seed}: a draw of the day was not settled")
        self._collect()
        self._check()
        self.lottery.database.close()
        return self.result

    def _moments(self) -> list[datetime]:
        """Buyers come at chance moments; the schedule acts at closes and draw times."""
        times = list(draw_times(self.rules, self.day))
        opening, end = self.clock.moment, times[-1] + timedelta(seconds=30)
        span = int((end - opening).total_seconds())
        visits = [opening + timedelta(seconds=self.people.below(span)) for _ in range(self.buyers)]
        duties = [opening, *times, *(close_of(self.rules, moment) for moment in times), end]
        self._duties = set(duties)
        return sorted({*visits, *duties})

    def _tick(self) -> None:
        if self.clock.moment in self._duties:
            self._step(lambda: advance(self.lottery))
            self._remember_draws()
            return
        visit = self.people.below(12)
        if visit < 5:
            self._buy()
        elif visit < 7:
            self._begin()
        elif visit == 7:
            self._choose()
        elif visit == 8:
            self._alter()
        elif visit == 9:
            self._bad_request()
        else:
            self._claim()

    def _order(self) -> Order:
        return Order(
            f"terminal-{1 + self.people.below(3)}", 1 + self.people.below(3), 1 + self.people.below(3)
        )

    def _buy(self) -> None:
        order, key = self._order(), self._key()
        purchase = self._step(lambda: sell(self.lottery, order, key=key))
        if purchase is not None:
            self._bought(purchase)

    def _begin(self) -> None:
        order, key = self._order(), self._key()
        purchase = self._step(lambda: begin_purchase(self.lottery, order, key=key))
        if purchase is not None:
            self._count(purchase)
            self.promises.begun.append(purchase)

    def _bought(self, purchase: Purchase) -> None:
        self._count(purchase)
        self.promises.tickets.update({ticket.id: ticket for ticket in purchase.tickets})
        self.promises.heads.append(LogHead.parse(purchase.tickets[0].log_head))

    def _count(self, purchase: Purchase | BegunPurchase) -> None:
        self.promises.sold.update(ticket.id for ticket in purchase.tickets)
        self.result.purchases += 1
        self.result.tickets += len(purchase.tickets)

    def _choices(self) -> dict[int, Choice]:
        places = (_FIRST_CHOICE + self.people.below(POSITIONS - _FIRST_CHOICE) for _ in range(2))
        return {place: Choice.HIT if self._chance(2) else Choice.STAND for place in places}

    def _choose(self) -> None:
        if not self.promises.begun:
            return
        place = self.people.below(len(self.promises.begun))
        purchase = self.promises.begun[place]
        overrides, key = {purchase.tickets[0].id: self._choices()}, self._key()
        if self._chance(3):  # a choice is made, and the buyer thinks on
            self._step(lambda: save_choices(self.lottery, purchase.seq, overrides, key=key))
            return
        del self.promises.begun[place]
        chosen = self._step(lambda: make_choices(self.lottery, purchase.seq, overrides, key=key))
        for one in chosen or ():
            self.promises.tickets[one.ticket.id] = one.ticket

    def _alter(self) -> None:
        ticket = self._some_ticket()
        if ticket is None:
            return
        overrides, key = self._choices(), self._key()
        altered = self._step(lambda: alter(self.lottery, ticket.control_number, overrides, key=key))
        if altered is not None:
            self.promises.tickets[ticket.id] = altered
            self.result.altered += 1

    def _some_ticket(self) -> PrintedTicket | None:
        tickets = list(self.promises.tickets.values())
        return tickets[self.people.below(len(tickets))] if tickets else None

    def _bad_request(self) -> None:
        kind = self.people.below(4)
        if kind == 0:
            self._step(lambda: sell(self.lottery, Order("terminal-1", 10), key="bad"))
        elif kind == 1:
            self._step(lambda: sell(self.lottery, Order("terminal-1", 1, 1, 10_000), key="bad"))
        elif kind == 2:
            key = self._key()  # once draw 1 has closed, a late buyer
            late = self._step(lambda: sell(self.lottery, Order("terminal-1", 1, 1, 1), key=key))
            if late is not None:
                self._bought(late)
        else:
            self._step(lambda: alter(self.lottery, _FORGED, {}, key="bad"))

    def _claim(self) -> None:
        ticket = self._some_ticket()
        if ticket is None:
            return
        if self._chance(4):
            self._step(lambda: check_ticket(self.lottery, ticket.control_number, terminal="terminal-1"))
            return
        self._pay(ticket)

    def _pay(self, ticket: PrintedTicket) -> None:
        key = self._key()
        answer = self._step(
            lambda: pay_prize(
                self.lottery, ticket.control_number, ticket.code, terminal="terminal-1", key=key
            )
        )
        if answer is not None and answer.verdict == "prize":
            if ticket.id in self.promises.paid:
                raise InvariantBroken(f"seed {self.result.seed}: ticket {ticket.id} was paid twice")
            self.promises.paid[ticket.id] = answer.prize_cents
            self.result.paid_prizes += 1
            self.result.paid_cents += answer.prize_cents

    def _collect(self) -> None:
        """At the end all who won bring their tickets, and every hundredth of those who did not."""
        with self.lottery.database.read() as connection:
            won = {
                prize.ticket
                for draw in self.promises.cards
                for prize in rows.prizes_of_draw(connection, draw)
            }
        for ticket_id in sorted(self.promises.sold - self.promises.tickets.keys()):
            with contextlib.suppress(Conflict):  # the close has printed it, or its draw was put off
                self.promises.tickets[ticket_id] = reprint(self.lottery, ticket_id)
        for index, ticket in enumerate(list(self.promises.tickets.values())):
            if ticket.id not in self.promises.paid and (ticket.id in won or index % 100 == 0):
                self._pay(ticket)

    def _remember_draws(self) -> None:
        with self.lottery.database.read() as connection:
            for draw in rows.draws_with_status(connection, "sealed", "drawn", "settled"):
                self.promises.roots.setdefault(draw.number, draw.root or "")
                if draw.cards:
                    self.promises.cards.setdefault(draw.number, draw.cards)

    def _step(self, request: Callable[[], Any]) -> Any:
        """One request, with what may go wrong around it: a crash, a lost answer, a clock put back."""
        self.result.steps += 1
        skewed = self.faults and self._chance(10)
        self.clock.skew = timedelta(seconds=self.people.below(90)) if skewed else timedelta()
        if self.faults and self._chance(self.crash_one_in):
            self.countdown = 1 + self.people.below(_FAULT_POINTS)
        try:
            answer = self._answer_to(request)
        finally:
            self.clock.skew = timedelta()
        if self.result.steps % self.check_every == 0:
            self._check()
        return answer

    def _answer_to(self, request: Callable[[], Any]) -> Any:
        try:
            answer = request()
        except Killed:
            self.result.crashes += 1
            self.countdown = 0
            self.lottery.database.close()
            self.lottery = self._open()
            return self._answer_to(request)  # whoever got no answer asks again, with the same key
        except CardroomError:
            self.countdown = 0
            self.result.refused += 1
            return None
        self.countdown = 0
        if self.faults and self._chance(12):
            self.result.lost_answers += 1
            again = request()
            if isinstance(answer, Purchase | BegunPurchase) and again != answer:
                raise InvariantBroken(f"seed {self.result.seed}: a retry got another answer")
        return answer

    def _check(self) -> None:
        """Everything that must hold after every step."""
        self.result.checks += 1
        where = f"seed {self.result.seed}, step {self.result.steps}"
        log_check = check_log(self.lottery, self.promises.heads[-3:])
        if log_check.faults:
            raise InvariantBroken(f"{where}: {log_check.faults[0]}")
        with self.lottery.database.read() as connection:
            self._check_draws(connection, where)
            paid = {
                prize.ticket: prize.amount_cents
                for draw in self.promises.cards
                for prize in rows.prizes_of_draw(connection, draw)
                if prize.outcome == "paid"
            }
        if any(paid.get(ticket) != cents for ticket, cents in self.promises.paid.items()):
            raise InvariantBroken(f"{where}: a payment that was acknowledged is not in the books")
        most = self.rules.prizes.game_1 + self.rules.prizes.game_2.max + self.rules.prizes.game_3.max
        least = min(self.rules.prizes.game_1, self.rules.prizes.game_2.min, self.rules.prizes.game_3.min)
        if any(not least <= cents <= most for cents in paid.values()):
            raise InvariantBroken(f"{where}: a prize is outside its limits")

    def _check_draws(self, connection: Any, where: str) -> None:
        numbers = set()
        for draw in rows.all_draws(connection):
            if self.promises.roots.get(draw.number, draw.root) != draw.root:
                raise InvariantBroken(f"{where}: the sealed root of draw {draw.number} changed")
            if self.promises.cards.get(draw.number, draw.cards) != draw.cards:
                raise InvariantBroken(f"{where}: draw {draw.number} was drawn again")
            if draw.status != "committed":
                for ticket in rows.tickets_of_draw(connection, draw.number):
                    numbers.add(ticket.id)
                    if ticket.sold_at >= draw.closes_at:
                        raise InvariantBroken(f"{where}: ticket {ticket.id} was sold after the close")
        if lost := self.promises.sold - numbers:
            raise InvariantBroken(f"{where}: ticket {min(lost)} was sold and is gone")


def simulate_day(
    url: str,
    rules: Knockout21Rules,
    *,
    seed: int,
    day: date = date(2025, 6, 14),
    buyers: int = 40,
    faults: bool = True,
    crash_one_in: int = 5,
    check_every: int = 1,
) -> DayResult:
    """Live through one day on an empty database."""
    simulated = SimulatedDay(
        url,
        rules,
        seed=seed,
        day=day,
        buyers=buyers,
        faults=faults,
        crash_one_in=crash_one_in,
        check_every=check_every,
    )
    try:
        return simulated.run()
    finally:
        simulated.lottery.database.close()
