"""A draw's life: committed, opened, closed, sealed, drawn. (Settling it is `settlement`.)"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from cardroom.core import timezones
from cardroom.core.cards import format_cards, parse_cards
from cardroom.core.errors import CardroomError, Conflict, MalformedInput
from cardroom.fair.draw import (
    DrawnCards,
    DrawSeal,
    commit_opening,
    commit_secret,
    draw_cards,
    opening_cards,
    opens,
)
from cardroom.fair.merkle import leaf_hash, merkle_root
from cardroom.fair.seeds import Seed
from cardroom.lottery.accounts import prizes_account, sales_account
from cardroom.lottery.house import Lottery, checked_name, code_version, draw_or_refuse, two_people
from cardroom.lottery.house_rules import record_rules
from cardroom.lottery.readiness import RULES, ZONE_DATA, rules_on
from cardroom.lottery.schedule import close_of, draw_times, next_draw_time, parse_day, wall_clock
from cardroom.lottery.ticket_text import leaf_text
from cardroom.records.lottery import (
    DayCommitted,
    DaysWithoutDraws,
    DrawClosed,
    DrawDrawn,
    DrawHeld,
    DrawOpened,
    DrawPostponed,
    DrawReleased,
    DrawSealed,
    DrawVoided,
)
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.store.ledger import Transfer
from cardroom.store.log import time_text
from cardroom.store.unit import Unit

GRACE: Final = timedelta(seconds=60)
"""A draw begun so soon after its time is in time; later it waits for the next draw time (KO21-3.2)."""
FURTHEST_DAY: Final = timedelta(days=31)
"""A day further away is not committed: all days before it would be lost."""
_MOMENT: Final = timedelta(microseconds=1)

Drawer = Callable[[Seed, DrawSeal], DrawnCards]
"""The drawing process: it gets the secret and the seal, and can see nothing else."""
Note = Callable[[Unit, rows.DrawRow], None]
"""Writes something more in the transaction in which a draw was changed; it gets the draw as it was before."""


def open_day(lottery: Lottery, day: date, *, by: str) -> tuple[list[int], list[int]]:
    """Commit a day and open the draws that may be bought now, in one commit: the day's draws, those opened.

    A day that was committed stays as it is.
    """
    checked_name(by, "an operator's name")

    def run(unit: Unit) -> tuple[list[int], list[int]]:
        return _commit_day(lottery, unit, day, by), _open_window(lottery, unit)

    return lottery.write(run, alone=True)


def _times_of(lottery: Lottery, rules: Knockout21Rules, day: date, now: datetime) -> list[datetime]:
    times = list(draw_times(rules, day))
    if lottery.skips_past:
        times = [moment for moment in times if close_of(rules, moment) > now]
    return times


def _commit_day(lottery: Lottery, unit: Unit, day: date, by: str) -> list[int]:
    """Number the draws of a day and commit to their secrets."""
    existing = rows.draws_of_day(unit.connection, day.isoformat())
    if existing:
        return [draw.number for draw in existing]
    if day - wall_clock(lottery.rules, unit.at).date() > FURTHEST_DAY:
        raise Conflict(
            f"{day.isoformat()} is more than {FURTHEST_DAY.days} days from now; draws run on from day to day",
            clause="KO21-3.1",
        )
    settings = rows.all_settings(unit.connection)
    rules = rules_on(lottery, unit.connection, day, settings)
    rules_hash = rules.rules_hash
    last = rows.last_draw_number(unit.connection)
    previous = rows.find_draw(unit.connection, last)
    if previous is not None and previous.day >= day.isoformat():
        # Only draws that a wrong clock had put on later days, and that are over, let the days begin again.
        waiting = rows.last_day_not_over(unit.connection) or ""
        if waiting >= day.isoformat() or day < wall_clock(lottery.rules, unit.at).date():
            raise Conflict(
                f"draws run on from day to day, and {previous.day} is committed already", clause="KO21-3.1"
            )
    if previous is not None:
        _tell_of_days_without_draws(unit, parse_day(previous.day), day)
    if not any(name.startswith(RULES) for name in settings):
        record_rules(unit, rules, day.isoformat(), by=[by])
    rows.add_rules(unit, rules_hash, rules.canonical_text())
    if ZONE_DATA not in settings:
        rows.put_setting(unit, ZONE_DATA, timezones.zone_data_version())
    new = [
        rows.DrawRow(
            number=number,
            day=day.isoformat(),
            scheduled_at=moment,
            due_at=moment,
            closes_at=close_of(rules, moment),
            status="committed",
            rules_hash=rules_hash,
            commitment=commit_secret(lottery.vault.secret(number), number, rules_hash),
            opening_commitment=commit_opening(lottery.vault.opening(number), number, rules_hash),
        )
        for number, moment in enumerate(_times_of(lottery, rules, day, unit.at), last + 1)
    ]
    rows.add_draws(unit, new)
    unit.record(
        DayCommitted(
            day=day.isoformat(),
            rules_hash=rules_hash,
            rules=rules.canonical_text(),
            draws=[
                (
                    draw.number,
                    time_text(draw.scheduled_at),
                    time_text(draw.closes_at),
                    draw.commitment,
                    draw.opening_commitment,
                )
                for draw in new
            ],
            code=code_version(),
            by=by,
            zone_data=timezones.zone_data_version(),
        )
    )
    return [draw.number for draw in new]


def _tell_of_days_without_draws(unit: Unit, last: date, day: date) -> None:
    one = timedelta(days=1)
    if last + one < day:
        passed = DaysWithoutDraws(first_day=(last + one).isoformat(), last_day=(day - one).isoformat())
        unit.record(passed)


def open_sales(lottery: Lottery) -> list[int]:
    """Open the draws that may be bought now, and reveal their dealer's first cards (KO21-1.5, KO21-2.3)."""
    return lottery.write(lambda unit: _open_window(lottery, unit), alone=True)


def _open_window(lottery: Lottery, unit: Unit) -> list[int]:
    size = 1 + lottery.rules.sales.advance_draws
    opened = []
    for draw in rows.draws_still_to_close(unit.connection, unit.at, "open", "committed", limit=size):
        if draw.status == "committed":
            seed = lottery.vault.opening(draw.number)
            if not opens(commit_opening(seed, draw.number, draw.rules_hash), draw.opening_commitment):
                raise Conflict(f"the vault's opening seed of draw {draw.number} is not the one committed")
            cards = format_cards(opening_cards(seed, draw.number, draw.rules_hash))
            rows.change_draw(unit, draw.number, status="open", opening_seed=str(seed), first_cards=cards)
            unit.record(DrawOpened(draw=draw.number, opening_seed=str(seed), first_cards=cards))
            opened.append(draw.number)
    return opened


def close_sales(lottery: Lottery, number: int) -> rows.DrawRow:
    """Close a draw's sales; buyers still choosing get the charts' choices (KO21-2.8). Closing twice is once.

    With fewer tickets than the house asks for, the close is put off to that of the next draw time (KO21-3.2).
    """

    def run(unit: Unit) -> rows.DrawRow:
        draw = draw_or_refuse(unit.connection, number)
        rules = lottery.rules_of(unit.connection, draw.rules_hash)
        if draw.status not in {"committed", "open"}:
            return draw
        if unit.at < draw.closes_at:
            raise Conflict(
                f"draw {number} is on sale until {wall_clock(rules, draw.closes_at):%H:%M:%S}",
                clause="KO21-3.1",
            )
        if (
            draw.status == "committed"
        ):  # nobody was there to open it: it goes through every stage all the same
            _reveal_late(lottery, unit, draw)
        count, total = rows.count_and_total(unit.connection, number)
        if count < rules.draws.minimum_tickets:
            due = next_draw_time(rules, max(draw.due_at, unit.at))
            closes = close_of(rules, due)
            unit.record(
                DrawPostponed(draw=number, tickets=count, due_at=time_text(due), closes_at=time_text(closes))
            )
            rows.change_draw(unit, number, due_at=due, closes_at=closes)
        else:
            issued = rows.issue_all(unit, number)
            unit.record(DrawClosed(draw=number, count=count, total_cents=total, issued=issued))
            rows.change_draw(unit, number, status="closed")
        _open_window(lottery, unit)
        return draw_or_refuse(unit.connection, number)

    return lottery.write(run, alone=True)


def _reveal_late(lottery: Lottery, unit: Unit, draw: rows.DrawRow) -> None:
    seed = lottery.vault.opening(draw.number)
    cards = format_cards(opening_cards(seed, draw.number, draw.rules_hash))
    rows.change_draw(unit, draw.number, status="open", opening_seed=str(seed), first_cards=cards)
    unit.record(DrawOpened(draw=draw.number, opening_seed=str(seed), first_cards=cards))


def pool_root(connection: Any, number: int) -> tuple[str, int, int]:
    """The Merkle root, count and total of a draw's tickets as they stand."""
    pool = rows.pool_of_draw(connection, number)
    root = merkle_root([leaf_hash(leaf_text(*ticket)) for ticket in pool])
    return root.hex(), len(pool), sum(price for *_, price in pool)


def seal_pool(lottery: Lottery, number: int) -> rows.DrawRow:
    """Seal a closed draw's pool: its root, count and total; sealing twice is once (R-17)."""
    with lottery.database.read() as connection:
        draw = draw_or_refuse(connection, number)
        if draw.status not in {"closed", "open", "committed"}:
            return draw
        if draw.status != "closed":
            raise Conflict(f"sales of draw {number} have not closed; only a closed pool is sealed")
        if draw.held is not None:
            raise Conflict(f"draw {number} is held: {draw.held}")
        fault = _damage(lottery, connection, number)
        root, count, total = pool_root(connection, number)
    if fault:
        stop_draw(lottery, number, fault)
        raise Conflict(fault)

    def run(unit: Unit) -> rows.DrawRow:
        now = draw_or_refuse(unit.connection, number)
        if now.status != "closed":
            return now
        if rows.count_and_total(unit.connection, number) != (count, total):
            raise Conflict(f"the pool of draw {number} changed while it was sealed")
        unit.record(DrawSealed(draw=number, root=root, count=count, total_cents=total))
        rows.change_draw(unit, number, status="sealed", root=root, ticket_count=count, total_cents=total)
        return draw_or_refuse(unit.connection, number)

    return lottery.write(run, alone=True)


def _damage(lottery: Lottery, connection: Any, number: int) -> str:
    """Where the rows of a draw are not what the log says; empty where all are."""
    try:
        lottery.control.require_rows(connection, number)
    except Conflict as disagreement:
        return disagreement.message
    return ""


def stop_draw(lottery: Lottery, number: int, reason: str, *, note: Note | None = None) -> None:
    """Stop a draw until two people have looked at it; `note` writes into the same transaction."""

    def run(unit: Unit) -> None:
        draw = draw_or_refuse(unit.connection, number)
        if note is not None and draw.status in {"drawn", "settled", "void"}:
            raise Conflict(f"draw {number} is {draw.status}; nothing is left to be held")
        if draw.held == reason:
            return
        unit.record(DrawHeld(draw=number, reason=reason))
        rows.change_draw(unit, number, held=reason)
        if note is not None:
            note(unit, draw)

    lottery.write(run, alone=True)


def release_draw(
    lottery: Lottery, number: int, *, operators: Sequence[str], reason: str, note: Note | None = None
) -> None:
    """Let a stopped draw go on; every check that stopped it is made again (R-25)."""
    names = two_people(operators, "releasing a draw")

    def run(unit: Unit) -> None:
        draw = draw_or_refuse(unit.connection, number)
        if draw.held is None:
            raise Conflict(f"draw {number} is not held")
        unit.record(DrawReleased(draw=number, by=names, was=draw.held, reason=reason))
        rows.change_draw(unit, number, held=None)
        if note is not None:
            note(unit, draw)

    lottery.write(run, alone=True)


def perform_draw(
    lottery: Lottery,
    number: int,
    *,
    operators: Sequence[str] = (),
    manual: bool = False,
    reason: str = "",
    drawer: Drawer = draw_cards,
    note: Note | None = None,
) -> rows.DrawRow:
    """Draw the cards of a sealed draw at its time; drawing twice gives the first draw (R-15).

    Out of its time it is drawn by hand, in an emergency, by two people who say why (KO21-3.4, R-25).
    """
    names = _emergency(operators, "a manual draw", reason) if manual else sorted(set(operators))
    with lottery.database.read() as connection:
        draw = draw_or_refuse(connection, number)
        if draw.status in {"drawn", "settled"}:
            return draw
        _require_ready(draw)
        fault = _damage(lottery, connection, number)
        if not fault:
            try:
                lottery.control.require_pool(connection, draw)
            except Conflict as disagreement:
                fault = disagreement.message
    if fault:
        stop_draw(lottery, number, fault)
        raise Conflict(fault)
    secret = lottery.vault.secret(number)
    if not opens(commit_secret(secret, number, draw.rules_hash), draw.commitment):
        stop_draw(lottery, number, "the vault's secret is not the one committed")
        raise Conflict(f"the vault's secret of draw {number} is not the one committed")
    seal = DrawSeal(
        number, draw.rules_hash, bytes.fromhex(draw.root or ""), parse_cards(draw.first_cards or "")
    )
    drawn = drawer(secret, seal)

    def run(unit: Unit) -> rows.DrawRow:
        now = draw_or_refuse(unit.connection, number)
        if now.status in {"drawn", "settled"}:
            return now
        _require_ready(now)
        if not manual:
            _require_time(lottery, now, unit.at)
        unit.record(
            DrawDrawn(
                draw=number,
                cards=str(drawn.draw),
                secret=str(secret),
                words_used=drawn.words_used,
                words_rejected=drawn.words_rejected,
                operators=names,
                manual=manual,
                reason=reason,
                code=code_version(),
            )
        )
        rows.change_draw(unit, number, status="drawn", secret=str(secret), cards=str(drawn.draw))
        if note is not None:
            note(unit, now)
        return draw_or_refuse(unit.connection, number)

    try:
        return lottery.write(run, alone=True)
    except Conflict as refusal:
        if "database refuses" in refusal.message:  # these very cards or this secret came before
            stop_draw(lottery, number, f"a repeated draw: {refusal.message}")
        raise


def _emergency(operators: Sequence[str], what: str, reason: str) -> list[str]:
    """The two people who sign an emergency act, with the reason that the log keeps (KO21-3.4)."""
    if not reason.strip():
        raise MalformedInput(f"{what} is an emergency act and takes a reason", clause="KO21-3.4")
    return two_people(operators, what, clause="KO21-3.4")


def _require_ready(draw: rows.DrawRow) -> None:
    if draw.held is not None:
        raise Conflict(f"draw {draw.number} is held: {draw.held}")
    if draw.status != "sealed":
        raise Conflict(f"draw {draw.number} is {draw.status}; only a sealed pool is drawn")


def _require_time(lottery: Lottery, draw: rows.DrawRow, at: datetime) -> None:
    """A draw happens at its time, or at the next available one by the rules in force (KO21-3.2)."""
    if at < draw.due_at:
        raise Conflict(f"draw {draw.number} is not due before {time_text(draw.due_at)}", clause="KO21-3.1")
    slot = draw.due_at
    if slot + GRACE < at:
        slot = next_draw_time(lottery.rules, max(slot, at - GRACE - _MOMENT))
    if at < slot:
        raise Conflict(
            f"draw {draw.number} missed its time; the next available is {time_text(slot)}", clause="KO21-3.2"
        )


def is_due(lottery: Lottery, draw: rows.DrawRow, at: datetime) -> bool:
    """Whether a sealed draw may be drawn now without a signature."""
    try:
        _require_time(lottery, draw, at)
    except CardroomError:
        return False
    return True


def void_draw(
    lottery: Lottery, number: int, *, operators: Sequence[str], reason: str, note: Note | None = None
) -> rows.DrawRow:
    """Call off a draw before its cards are drawn; every ticket gets its price back (KO21-3.4, R-25)."""
    names = _emergency(operators, "calling off a draw", reason)

    def run(unit: Unit) -> rows.DrawRow:
        draw = draw_or_refuse(unit.connection, number)
        if draw.status == "void":
            return draw
        if draw.status in {"drawn", "settled"}:
            raise Conflict(f"draw {number} is drawn and stands", clause="KO21-3.4")
        void_in(unit, number, names, reason)
        if note is not None:
            note(unit, draw)
        _open_window(lottery, unit)
        return draw_or_refuse(unit.connection, number)

    return lottery.write(run, alone=True)


def call_off_far_draws(lottery: Lottery, unit: Unit, *, operators: Sequence[str], reason: str) -> list[int]:
    """Call off the draws that a wrong clock has committed for days after tomorrow, or put off to them."""
    tomorrow = wall_clock(lottery.rules, unit.at).date() + timedelta(days=1)
    waiting = rows.draws_with_status(unit.connection, "committed", "open", "closed", "sealed")
    far = [draw.number for draw in waiting if wall_clock(lottery.rules, draw.due_at).date() > tomorrow]
    for number in far:
        void_in(unit, number, operators, reason)
    return far


def void_in(unit: Unit, number: int, by: Sequence[str], reason: str) -> None:
    """Call a draw off inside a transaction: every ticket gets its price back."""
    issued = rows.issue_all(unit, number)
    pool = rows.pool_of_draw(unit.connection, number)
    total = sum(price for *_, price in pool)
    moves = [Transfer(sales_account(number), prizes_account(number), total)] if total else []
    won = [(ticket, price, "void") for ticket, _, _, price in pool]
    unit.record(DrawVoided(draw=number, by=list(by), reason=reason, issued=issued, prizes=won), moves)
    rows.change_draw(unit, number, status="void")
    rows.add_prizes(unit, number, won)


def next_uncommitted_day(lottery: Lottery, connection: Any, at: datetime) -> date:
    """The first day from today on that has no draws yet, after all those whose draws are not over."""
    waiting = rows.last_day_not_over(connection)
    day = wall_clock(lottery.rules, at).date()
    if not _times_of(lottery, lottery.rules_on(connection, day), day, at):
        day += timedelta(days=1)
    if waiting is not None:
        day = max(day, parse_day(waiting) + timedelta(days=1))
    while rows.draws_of_day(connection, day.isoformat()):
        day += timedelta(days=1)
    return day
