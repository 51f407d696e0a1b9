"""What is due is done: days committed, sales opened and closed, pools sealed, draws drawn and settled."""

from __future__ import annotations

from cardroom.core.errors import Conflict
from cardroom.lottery.claims import book_expired
from cardroom.lottery.draws import (
    close_sales,
    is_due,
    next_uncommitted_day,
    open_day,
    open_sales,
    perform_draw,
    seal_pool,
)
from cardroom.lottery.house import Lottery
from cardroom.lottery.schedule import wall_clock
from cardroom.lottery.settlement import settle_draw
from cardroom.presentation.numbers import counted
from cardroom.store import lottery as rows


def advance(lottery: Lottery, *, by: str = "schedule") -> list[str]:
    """Do everything that is due now, in order; what was done, a line each. Doing it again does nothing.

    A draw that is stopped is passed over, and so is one that waits for its next draw time (KO21-3.2).
    """
    done: list[str] = []
    database = lottery.database
    at = lottery.write(lambda unit: unit.at, alone=True)  # refused at a time that nobody expected
    while True:
        with database.read() as connection:
            on_sale = rows.draws_with_status(connection, "open", "committed")
            day = next_uncommitted_day(lottery, connection, at)
        if sum(at < draw.closes_at for draw in on_sale) > lottery.rules.sales.advance_draws:
            break
        numbers, opened = open_day(lottery, day, by=by)
        done.append(f"committed {counted(len(numbers), 'draw')} of {day.isoformat()}")
        done += [f"opened draw {number}" for number in opened]
    done += [f"opened draw {number}" for number in open_sales(lottery)]
    late = [draw.number for draw in on_sale if at >= draw.closes_at]
    done += [f"closed draw {close_sales(lottery, number).number}" for number in late]
    with database.read() as connection:
        waiting = rows.draws_with_status(connection, "closed", "sealed", "drawn")
    for draw in waiting:
        try:
            done += _go_on(lottery, draw)
        except Conflict as stopped:
            done.append(f"draw {draw.number} stopped: {stopped}")
    today = wall_clock(lottery.rules, at).date()
    booked = book_expired(lottery) if today != lottery.expiries_booked_on else 0
    lottery.expiries_booked_on = today
    if booked:
        done.append(f"booked {booked} expired prizes")
    return done


def _go_on(lottery: Lottery, draw: rows.DrawRow) -> list[str]:
    done: list[str] = []
    if draw.held is not None:
        return done
    if draw.status == "closed":
        draw = seal_pool(lottery, draw.number)
        done.append(f"sealed draw {draw.number}, tickets: {draw.ticket_count}")
    if draw.status == "sealed" and is_due(lottery, draw, lottery.database.clock.now()):
        draw = perform_draw(lottery, draw.number)
        done.append(f"drew draw {draw.number}")
    if draw.status == "drawn":
        draw = settle_draw(lottery, draw.number)
        done.append(f"settled draw {draw.number}")
    return done
