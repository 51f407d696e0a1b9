"""Years of the lottery in minutes: outages, wrong clocks, new time zones and new rules in between.

    python -m tools.lottery_years --days 1096 --seed 1

The same seed gives the same years. Every ticket is claimed some day, or never; what comes of it is held
against a reckoning from the papers alone (`tools.lottery_reckoning`), and at the end so are the books, to the
cent.
"""

from __future__ import annotations

import argparse
import dataclasses
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any, Final
from unittest import mock

from cardroom.core.errors import CardroomError
from cardroom.core.timezones import time_zone
from cardroom.fair.entropy import Rehearsal
from cardroom.lottery.alteration import alter
from cardroom.lottery.claims import check_ticket, correct_expiry, pay_prize
from cardroom.lottery.clock_care import accept_clock, change_zone_data, clock_state, put_clock_back
from cardroom.lottery.house import Lottery
from cardroom.lottery.house_rules import set_rules
from cardroom.lottery.readiness import ClockJumped, OtherZoneData
from cardroom.lottery.reports import check_log
from cardroom.lottery.sales import Order, sell
from cardroom.lottery.scheduler import advance
from cardroom.lottery.tickets import PrintedTicket
from cardroom.lottery.vault import MemoryVault
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout21.law import Choice
from cardroom.store import lottery as rows
from cardroom.store.database import Database
from cardroom.store.ledger import all_balances
from cardroom.store.migrate import open_database
from tools.lottery_reckoning import Paper, Prizes, reckoned
from tools.lottery_years_plan import Clock, Counts, Held, Plan, Wrong

TWO: Final = ["ann", "bob"]
FIRST_DAY: Final = date(2025, 6, 1)
BASE: Final[dict[str, object]] = {"draws.interval_minutes": 480}
"""Two draws a day: 11:21 and 19:21."""
CHANGES: Final[tuple[dict[str, object], ...]] = (
    {"sales.tickets_per_draw": 1},
    {"sales.ticket_price": "6.00", "prizes.game_1": "12.00"},
    {"draws.interval_minutes": 240},
    {"game_1_hit": "literal"},
    {"prizes.game_2.pool_percent": 35, "prizes.game_3.max": "500.00", "prizes.coin": "0.25"},
    {"draws.minimum_tickets": 2},
    {"claims.years": 2},
    {},
)
"""The rules that follow one another, each a change of the first ones."""
OLD_LAW: Final = time_zone("America/Los_Angeles")
NEW_LAW: Final = time_zone("America/Vancouver")
ZONES: Final = (("2026e", OLD_LAW), ("2026f", NEW_LAW), ("2027a", NEW_LAW), ("2027b", NEW_LAW))
"""Zone data one after another: the first does not know that winters lose their own time in November 2026."""


class Years:
    """The life of a lottery, day by day."""

    def __init__(self, url: str, seed: int, plan: Plan) -> None:
        self.url, self.plan = url, plan
        self.chance = Rehearsal(2 * seed)
        self.entropy = Rehearsal(2 * seed + 1)
        self.vault = MemoryVault(self.entropy)
        self.counts = Counts(seed)
        self.zone = 0
        self.day = FIRST_DAY
        self.clock = Clock(self.at("10:00"))
        self.database: Database = open_database(url, self.clock)
        self.rules: dict[str, Knockout21Rules] = {}
        """By the day from which they hold, as they were set."""
        self.rules_of_draw: dict[int, Knockout21Rules] = {}
        """As they were when it was committed."""
        self.change = 0
        self.held: dict[str, Held] = {}
        self.reckoned: dict[tuple[int, str], dict[str, int]] = {}
        self.keys = 0
        self.lottery = self.opened(self.rules_of({}))

    # Time, zones and rules, as the world has them.

    def at(self, hour: str) -> datetime:
        """A moment of the day by the wall clock of the zone data in use."""
        local = datetime.fromisoformat(f"{self.day.isoformat()} {hour}")
        return local.replace(tzinfo=ZONES[self.zone][1]).astimezone(UTC)

    def rules_of(self, changes: dict[str, object]) -> Knockout21Rules:
        return load_rules_as(Knockout21Rules, "knockout-21", {**BASE, **changes})

    def opened(self, first: Knockout21Rules | None = None) -> Lottery:
        """The lottery as a new process opens it, which knows the shipped rules only."""
        shipped = first or load_rules_as(Knockout21Rules, "knockout-21")
        return Lottery(self.database, self.vault, shipped, self.entropy)

    def rules_on(self, day: str) -> Knockout21Rules:
        """The rules of a day, by what was set."""
        return self.rules[max(one for one in self.rules if one <= day)]

    def advance(self) -> None:
        """Do what is due; draws that are new have the rules that were set for their day."""
        advance(self.lottery)
        with self.database.read() as connection:
            for number in range(len(self.rules_of_draw) + 1, rows.last_draw_number(connection) + 1):
                draw = rows.find_draw(connection, number)
                assert draw is not None
                self.rules_of_draw[number] = self.rules_on(draw.day)
                if draw.rules_hash != self.rules_of_draw[number].rules_hash:
                    raise self.wrong(f"draw {number} of {draw.day} has other rules than were set")

    def one_in(self, count: int) -> bool:
        return self.chance.below(count) == 0

    def key(self) -> str:
        self.keys += 1
        return f"years-{self.keys}"

    def wrong(self, what: str) -> Wrong:
        return Wrong(f"seed {self.counts.seed}, {self.day.isoformat()}: {what}")

    # A day.

    def live(self) -> Counts:
        begun = time.perf_counter()
        self.rules[FIRST_DAY.isoformat()] = self.rules_of({})
        while self.counts.days < self.plan.days:
            closed = self.outage()
            self.day += timedelta(days=closed)
            self.counts.days += closed
            self.open_day(after_outage=closed > 0)
            self.live_day()
            self.day += timedelta(days=1)
            self.counts.days += 1
        self.finish()
        self.counts.seconds = round(time.perf_counter() - begun, 1)
        return self.counts

    def outage(self) -> int:
        """For how many days nobody runs the lottery."""
        planned = self.plan.long_outages.get(self.counts.days)
        if planned is None and (self.counts.days < 3 or not self.one_in(self.plan.outage_one_in)):
            return 0
        self.counts.outages += 1
        closed = planned or 2 + self.chance.below(self.plan.longest_outage - 1)
        self.counts.days_closed += closed
        return closed

    def open_day(self, *, after_outage: bool) -> None:
        if self.counts.days and self.one_in(self.plan.zone_one_in) and self.zone + 1 < len(ZONES):
            self.new_zones()
        if self.counts.days:
            self.lottery = self.opened()
        if after_outage:
            self.clock.moment = self.at("08:00")
            if clock_state(self.lottery).why_not:  # else nothing had been left to do
                self.refused(self.advance, ClockJumped)
                accept_clock(self.lottery, operators=TWO, reason="nobody was here")
        self.clock.moment = self.at("09:00")
        self.advance()
        if self.one_in(self.plan.rules_one_in):
            self.new_rules()

    def live_day(self) -> None:
        self.claims(at_midnight=False)
        self.clock.moment = self.at("10:00")
        for _ in range(1 + self.chance.below(4)):
            self.buy()
        if self.counts.days > 2 and self.one_in(self.plan.fault_one_in):
            self.clock_fault()
        if self.counts.days > 30 and self.one_in(self.plan.wrong_year_one_in):
            self.wrong_year()
        for moment in self.draw_times():
            if self.one_in(3):
                self.clock.moment = moment - timedelta(minutes=30)
                self.buy()
            self.clock.moment = moment
            self.advance()
        self.clock.moment = self.at("22:30")
        self.advance()
        if self.one_in(4):
            self.buy()
        self.claims(at_midnight=True)

    def draw_times(self) -> list[datetime]:
        """When draws are due today, as the lottery has committed them."""
        with self.database.read() as connection:
            waiting = rows.draws_with_status(connection, "open", "committed", "closed", "sealed")
        times = {draw.due_at for draw in waiting}
        return sorted(moment for moment in times if self.clock.moment < moment <= self.at("22:00"))

    def buy(self) -> None:
        count, draws = 1 + self.chance.below(3), 1 + self.chance.below(2)
        try:
            bought = sell(self.lottery, Order("terminal-1", count, draws), key=self.key())
        except CardroomError as refusal:
            if refusal.clause not in ("KO21-2.2", "KO21-2.9", "KO21-2.4"):
                raise
            return
        for ticket in bought.tickets:
            rules = self.rules_of_draw[ticket.draw]
            if count > rules.sales.tickets_per_draw or ticket.price_cents != rules.ticket_price_cents:
                raise self.wrong(f"ticket {ticket.id} was sold against the rules of {ticket.day}")
            self.counts.tickets += 1
            self.held[ticket.id] = self.thought_of(self.altered(ticket))

    def altered(self, ticket: PrintedTicket) -> PrintedTicket:
        if not self.one_in(6):
            return ticket
        other = Choice.STAND if ticket.play.choices[14] is Choice.HIT else Choice.HIT
        self.counts.altered += 1
        return alter(self.lottery, ticket.control_number, {14: other}, key=self.key())

    def thought_of(self, ticket: PrintedTicket) -> Held:
        """When somebody thinks of a ticket: soon, on the last day, on the day after it, or never."""
        kind = self.chance.below(10)
        if kind < 6:
            return Held(ticket, ticket.day + timedelta(days=1 + self.chance.below(60)))
        if kind < 8:
            return Held(ticket, self.last_day(ticket), at_midnight=True)
        if kind == 8:
            return Held(ticket, self.last_day(ticket) + timedelta(days=1))
        return Held(ticket, None)

    def last_day(self, ticket: PrintedTicket) -> date:
        """The last day of a claim, by the rules of the ticket's day (KO21-4.8)."""
        year = ticket.day.year + self.rules_of_draw[ticket.draw].claims.years
        try:
            return ticket.day.replace(year=year)
        except ValueError:
            return date(year, 2, 28)

    # Claims, held against the reckoning.

    def claims(self, *, at_midnight: bool) -> None:
        """Those who think of their tickets today bring them: at one minute past midnight, or one before."""
        self.clock.moment = max(self.clock.moment, self.at("23:59:50" if at_midnight else "09:30"))
        for held in [one for one in self.held.values() if one.claim_on is not None and not one.paid]:
            if held.claim_on is not None and held.claim_on <= self.day and held.at_midnight == at_midnight:
                held.claim_on = None
                self.claim(held)

    def claim(self, held: Held) -> None:
        ticket = held.ticket
        verdict, cents = self.expected(held)
        asked = check_ticket(self.lottery, ticket.control_number, terminal="t", code=ticket.code)
        answer = pay_prize(self.lottery, ticket.control_number, ticket.code, terminal="t", key=self.key())
        for what in (asked, answer):
            if (what.verdict, what.prize_cents) != (verdict, cents):
                told = f"{what.verdict} of {what.prize_cents} cents, not {verdict} of {cents}"
                raise self.wrong(f"ticket {ticket.id} of draw {ticket.draw} ({ticket.day}): {told}")
        if verdict == "prize":
            held.paid = True
            self.counts.paid += 1
            self.counts.paid_cents += cents
        elif verdict == "expired":
            self.counts.expired += 1
        elif verdict == "no prize":
            self.counts.no_prize += 1
        else:
            held.claim_on = self.day + timedelta(days=7)

    def expected(self, held: Held) -> tuple[str, int]:
        """What a ticket is worth now, by its paper, the cards of its draw and the calendar."""
        ticket = held.ticket
        with self.database.read() as connection:
            draw = rows.find_draw(connection, ticket.draw)
        assert draw is not None
        if draw.status not in ("settled", "void"):
            return "not yet drawn", 0
        is_void = draw.status == "void"
        cents = ticket.price_cents if is_void else self.won(ticket.draw, draw.cards or "")[ticket.id]
        if not cents:
            return "no prize", 0
        if held.paid:
            return "paid already", cents
        today = self.clock.moment.astimezone(ZONES[self.zone][1]).date()
        return ("expired" if today > self.last_day(ticket) else "prize"), cents

    def won(self, number: int, cards: str) -> dict[str, int]:
        """The prizes of a draw by the papers of all its tickets."""
        if (number, cards) not in self.reckoned:
            self.reckoned[number, cards] = self.reckon(number, cards)
        return self.reckoned[number, cards]

    def reckon(self, number: int, cards: str) -> dict[str, int]:
        papers = {one.ticket.id: one.ticket for one in self.held.values() if one.ticket.draw == number}
        rules = self.rules_of_draw[number].prizes
        shares = (rules.game_2, rules.game_3)
        prizes = Prizes(
            rules.game_1,
            (Fraction(shares[0].pool_percent) / 100, Fraction(shares[1].pool_percent) / 100),
            ((shares[0].min, shares[0].max), (shares[1].min, shares[1].max)),
            rules.coin,
            self.rules_of_draw[number].game_1_hit == "literal",
        )
        sales = sum(ticket.price_cents for ticket in papers.values())
        return reckoned({name: Paper.read(one.text()) for name, one in papers.items()}, cards, sales, prizes)

    # What the years bring.

    def refused(self, act: Callable[[], Any], why: type[CardroomError]) -> None:
        try:
            act()
        except why:
            self.counts.refused_by_clock += 1
        else:
            raise self.wrong(f"it was not refused: {why.__name__}")

    def clock_fault(self) -> None:
        """A clock that is wrong for a while: nothing is done, and then all goes on."""
        self.counts.clock_faults += 1
        ahead = self.one_in(2)
        hours = 72 + self.chance.below(24 * 800) if ahead else -26 - self.chance.below(24 * 30)
        self.clock.skew = timedelta(hours=hours)
        self.refused(self.advance, ClockJumped)
        self.refused(lambda: sell(self.lottery, Order("terminal-1"), key=self.key()), ClockJumped)
        check_ticket(self.lottery, "34679-34679A-34679-34679A", terminal="t")
        for held in list(self.held.values())[-2:]:
            number, code = held.ticket.control_number, held.ticket.code
            self.refused(
                lambda n=number, c=code: pay_prize(self.lottery, n, c, terminal="t", key=self.key()),  # type: ignore[misc]
                ClockJumped,
            )
        self.clock.skew = timedelta()
        self.buy()

    def wrong_year(self) -> None:
        """Two people accept a clock that is far ahead; later two put right what it did."""
        self.counts.wrong_years += 1
        self.clock.skew = timedelta(days=200 + self.chance.below(600))
        accept_clock(self.lottery, operators=TWO, reason="it looked right")
        self.advance()
        self.buy()
        self.clock.skew = timedelta()
        self.refused(self.advance, ClockJumped)
        put_clock_back(self.lottery, operators=TWO, reason="it was wrong")
        with self.database.read() as connection:
            expired = {
                prize.draw
                for draw in rows.draws_with_status(connection, "settled", "void")
                for prize in rows.prizes_of_draw(connection, draw.number)
                if prize.outcome == "expired"
            }
        for number in sorted(expired):
            try:
                self.counts.expiries_corrected += correct_expiry(
                    self.lottery, number, operators=TWO, reason="the clock was wrong"
                )
            except CardroomError as refusal:
                if refusal.clause != "KO21-4.8":  # rightly expired
                    raise
        self.advance()

    def new_zones(self) -> None:
        """A machine gets new time zones before the others: it is refused, until they are taken for all."""
        self.counts.zone_changes += 1
        self.zone += 1
        self.clock.moment = max(self.clock.moment, self.at("08:30"))
        self.lottery = self.opened()
        self.refused(self.advance, OtherZoneData)
        change_zone_data(self.lottery, by=["ann"])

    def new_rules(self) -> None:
        """Other rules, from a day on that is not committed yet."""
        self.counts.rule_changes += 1
        changed = self.rules_of(CHANGES[self.change % len(CHANGES)])
        self.change += 1
        with self.database.read() as connection:
            last = rows.last_day_not_over(connection) or self.day.isoformat()
            from_day = max(date.fromisoformat(last), self.day) + timedelta(days=1)
            while rows.draws_of_day(connection, from_day.isoformat()):  # a wrong clock's
                from_day += timedelta(days=1)
        set_rules(self.lottery, changed, from_day, by=TWO, reason="other times")
        self.rules[from_day.isoformat()] = changed

    # The end.

    def finish(self) -> None:
        """Everybody brings what they have, and the books are what the papers say."""
        self.clock.moment = self.at("09:00")
        self.lottery = self.opened()
        self.advance()
        for held in self.held.values():
            if not held.paid:
                self.claim(held)
        check = check_log(self.lottery)
        if check.faults:
            raise self.wrong(check.faults[0])
        self.check_books()
        self.database.close()

    def check_books(self) -> None:
        sold = sum(held.ticket.price_cents for held in self.held.values())
        with self.database.read() as connection:
            balances = all_balances(connection)
            draws = rows.all_draws(connection)
            self.counts.log_records = rows.head(connection).seq
        self.counts.draws = sum(draw.status == "settled" for draw in draws)
        self.counts.void_draws = sum(draw.status == "void" for draw in draws)
        if balances["outside:players"] != self.counts.paid_cents - sold:
            raise self.wrong("what players paid and got is not in the books")
        expired = waiting = 0
        for held in self.held.values():
            verdict, cents = self.expected(held)
            expired += cents if verdict == "expired" else 0
            waiting += cents if verdict == "prize" else 0
        booked = balances.get("unclaimed:prizes", 0)
        if booked != expired:
            raise self.wrong(f"{booked} cents are booked as expired, not {expired}")
        owed = sum(cents for name, cents in balances.items() if name.endswith(":prizes")) - expired
        if owed != waiting:
            raise self.wrong(f"{owed} cents of prizes wait, not {waiting}")


def live(url: str, seed: int, plan: Plan) -> Counts:
    """Live through the years on an empty database."""
    years: list[Years] = []

    def law(_name: str) -> Any:
        return ZONES[years[0].zone if years else 0][1]

    def version() -> str:
        return ZONES[years[0].zone if years else 0][0]

    with (
        mock.patch("cardroom.lottery.schedule.time_zone", law),
        mock.patch("cardroom.core.timezones.zone_data_version", version),
    ):
        years.append(Years(url, seed, plan))
        return years[0].live()


def main() -> int:
    """Live through some years and say what they came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=1096)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="cardroom-years-") as folder:
        counts = live(f"sqlite:///{folder}/years.db", options.seed, Plan(options.days))
    for name, value in dataclasses.asdict(counts).items():
        print(f"{name.replace('_', ' '):20} {value:,}")
    print("every ticket was worth what its paper says, and the books are right to the cent")
    return 0


if __name__ == "__main__":
    sys.exit(main())
