"""Golden prints: tickets as they were printed in each form of the code, and the database that they are in.

    python -m tools.golden_prints

Writes `tests/golden/prints-<form>/` for the newest form, unless it is there: a form that was printed once is
never written anew, and its papers are claimed in the tests for ever. The tickets of the second day are sold
by the Pacific law of before November 2026, when winters had a time of their own.
"""

from __future__ import annotations

import sys
import tempfile
from datetime import UTC, datetime
from typing import Final
from unittest import mock

from cardroom.core.timezones import time_zone
from cardroom.fair.entropy import Rehearsal
from cardroom.lottery.alteration import alter
from cardroom.lottery.house import Lottery
from cardroom.lottery.print_codes import NEWEST_FORM
from cardroom.lottery.sales import Order, sell
from cardroom.lottery.scheduler import advance
from cardroom.lottery.tickets import PrintedTicket
from cardroom.records import canonical
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout21.law import Choice
from cardroom.store import lottery as rows
from cardroom.store.migrate import open_database
from cardroom.web.live.vaults import DemoVault
from tools.golden import GOLDEN, dump
from tools.golden_evening import KEY, HandClock

BEFORE_NOVEMBER_2026: Final = "America/Los_Angeles"
"""A zone that kept the law that Vancouver's had."""
FEW_DRAWS: Final = {"draws.interval_minutes": 240}
FIRST_DAY: Final = datetime(2026, 6, 13, 17, tzinfo=UTC)
SECOND_DAY: Final = datetime(2026, 12, 10, 18, 30, tzinfo=UTC)


def written(lottery: Lottery, ticket: PrintedTicket) -> str:
    """A ticket with what it won, as a line."""
    with lottery.database.read() as connection:
        prize = rows.find_prize(connection, ticket.id)
    return canonical(
        {
            "id": ticket.id,
            "control_number": ticket.control_number,
            "code": ticket.code,
            "text": ticket.text(),
            "prize_cents": prize.amount_cents if prize else 0,
        }
    )


def sold_and_settled(lottery: Lottery, clock: HandClock) -> list[PrintedTicket]:
    """Two tickets of the next draw, the second of them altered, when the draw is over."""
    advance(lottery)
    first, second = sell(lottery, Order("terminal-1", 2), key=f"sale-{clock.now()}").tickets
    other = Choice.STAND if second.play.choices[14] is Choice.HIT else Choice.HIT
    second = alter(lottery, second.control_number, {14: other}, key=f"alter-{clock.now()}")
    clock.reach(first.closes_at.astimezone(UTC))
    advance(lottery)
    clock.reach(first.draw_at.astimezone(UTC))
    advance(lottery)
    return [first, second]


def main() -> int:
    """Write the prints of the newest form."""
    folder = GOLDEN / f"prints-{NEWEST_FORM}"
    if folder.exists():
        print(f"{folder.name} is there, and a form that was printed is never written anew")
        return 1
    zone = time_zone(BEFORE_NOVEMBER_2026)
    with (
        tempfile.TemporaryDirectory() as scratch,
        mock.patch("cardroom.lottery.schedule.time_zone", return_value=zone),
        mock.patch("cardroom.lottery.house.code_digest", return_value="0" * 64),
    ):
        clock = HandClock()
        clock.moment = FIRST_DAY
        with open_database(f"sqlite:///{scratch}/prints.sqlite3", clock) as database:
            rules = load_rules_as(Knockout21Rules, "knockout-21", FEW_DRAWS)
            lottery = Lottery(database, DemoVault(KEY), rules, Rehearsal(NEWEST_FORM))
            tickets = sold_and_settled(lottery, clock)
            clock.reach(SECOND_DAY)
            tickets += sold_and_settled(lottery, clock)
            folder.mkdir()
            (folder / "database.jsonl").write_text(dump(database), "utf-8")
            lines = [written(lottery, ticket) for ticket in tickets]
            (folder / "tickets.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
            (folder / "house.json").write_text(canonical({"now": clock.now().isoformat()}) + "\n", "utf-8")
    print(f"wrote {folder.name}: {len(tickets)} tickets")
    return 0


if __name__ == "__main__":
    sys.exit(main())
