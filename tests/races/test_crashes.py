"""The process is killed (SIGKILL) at the statements and the commit of every kind of write, then starts again.

Nothing acknowledged is lost, nothing is half done, the books balance, the log verifies, and the same request
asked again has its effect exactly once. `CARDROOM_WRITE_POINTS=all` (`make write-points`) kills it at every
point; without it, at every second one and on both sides of the commit.
"""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import pytest

from cardroom.fair.entropy import OperatingSystem
from cardroom.lottery.alteration import alter
from cardroom.lottery.choices import make_choices, save_choices
from cardroom.lottery.draws import close_sales, perform_draw, seal_pool
from cardroom.lottery.sales import BegunPurchase, Order, Purchase, begin_purchase, reprint
from cardroom.lottery.scheduler import advance
from cardroom.lottery.settlement import settle_draw
from cardroom.store import lottery as rows
from tests import chance
from tests.databases import HandClock, Snapshot
from tests.lottery_house import House, open_house, other_choice

ALL = os.environ.get("CARDROOM_WRITE_POINTS") == "all"
LAST_HAND = 14


@dataclass
class Prepared:
    """A lottery just before an operation, to be copied for every crash point."""

    vault: Path
    clock: HandClock
    bought: Purchase
    begun: BegunPurchase


def _until_sales(_house: House) -> None:
    pass


def _until_close(house: House) -> None:
    house.clock.moment = house.draw(1).closes_at


def _until_seal(house: House) -> None:
    house.close(1)


def _until_draw(house: House) -> None:
    house.seal(1)
    house.clock.moment = house.draw(1).due_at


def _until_settle(house: House) -> None:
    house.drawn(1)


def _until_pay(house: House) -> None:
    house.settled(1)


def _sell(house: House, _prepared: Prepared) -> object:
    return house.sell(3, 3, key="crash")


def _choose(house: House, prepared: Prepared) -> object:
    ticket = prepared.begun.tickets[0]
    overrides = {ticket.id: {LAST_HAND: other_choice(ticket)}}
    return make_choices(house.lottery, prepared.begun.seq, overrides, key="crash")


def _save(house: House, prepared: Prepared) -> object:
    overrides = {prepared.begun.tickets[1].id: {LAST_HAND: other_choice(prepared.begun.tickets[1])}}
    return save_choices(house.lottery, prepared.begun.seq, overrides, key="crash")


def _begin(house: House, _prepared: Prepared) -> object:
    return begin_purchase(house.lottery, Order("terminal-3", 2, 2), key="crash")


def _alter(house: House, prepared: Prepared) -> object:
    ticket = prepared.bought.tickets[0]
    return alter(house.lottery, ticket.control_number, {LAST_HAND: other_choice(ticket)}, key="crash")


def _close(house: House, _prepared: Prepared) -> object:
    return close_sales(house.lottery, 1)


def _seal(house: House, _prepared: Prepared) -> object:
    return seal_pool(house.lottery, 1)


def _draw(house: House, _prepared: Prepared) -> object:
    return perform_draw(house.lottery, 1).cards


def _settle(house: House, _prepared: Prepared) -> object:
    return settle_draw(house.lottery, 1)


def _pay(house: House, prepared: Prepared) -> object:
    tickets = (*prepared.bought.tickets, *prepared.begun.tickets)  # one of all has won, whoever bought it
    with house.lottery.database.read() as connection:
        won = next(one.id for one in tickets if rows.find_prize(connection, one.id) is not None)
    return house.pay(reprint(house.lottery, won), key="crash")


Operation = Callable[[House, Prepared], object]

OPERATIONS: dict[str, tuple[Callable[[House], None], Operation, str]] = {
    "sell": (_until_sales, _sell, "TicketsSold"),
    "begin": (_until_sales, _begin, "TicketsSold"),
    "save": (_until_sales, _save, "ChoicesSaved"),
    "choose": (_until_sales, _choose, "ChoicesMade"),
    "alter": (_until_sales, _alter, "TicketAltered"),
    "close": (_until_close, _close, "DrawClosed"),
    "seal": (_until_seal, _seal, "DrawSealed"),
    "draw": (_until_draw, _draw, "DrawDrawn"),
    "settle": (_until_settle, _settle, "DrawSettled"),
    "pay": (_until_pay, _pay, "PrizePaid"),
}


def _open(
    url: str, prepared: Prepared, probe: Callable[[str], None] | None = None
) -> AbstractContextManager[House]:
    clock = HandClock(prepared.clock.moment)
    return open_house(
        url, vault=prepared.vault, entropy=OperatingSystem(), clock=clock, probe=probe, started=False
    )


def _points(url: str, prepared: Prepared, operation: Operation) -> list[str]:
    reached: list[str] = []
    with _open(url, prepared, reached.append) as house:
        operation(house, prepared)
    return reached


def _killed_at(url: str, prepared: Prepared, operation: Operation, point: int) -> None:
    """Run the operation in a process of its own that is killed at one point."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the child runs nothing of other threads
        child = os.fork()
    if child == 0:
        chance.begin("the program that is killed")
        reached = 0

        def kill(_what: str) -> None:
            nonlocal reached
            reached += 1
            if reached == point:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            with _open(url, prepared, kill) as house:
                operation(house, prepared)
        finally:
            os._exit(1)  # it should not have come here
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status)
    assert os.WTERMSIG(status) == signal.SIGKILL


@pytest.mark.slow
@pytest.mark.requirement("R-15", "R-30", "R-44", "R-48")
@pytest.mark.parametrize("name", OPERATIONS)
def test_killed_at_every_point(name: str, database_url: str, tmp_path: Path) -> None:
    prepare, operation, kind = OPERATIONS[name]
    vault = tmp_path / "vault"
    with open_house(database_url, vault=vault, entropy=OperatingSystem()) as house:
        bought = house.sell(3, 2, key="before")
        begun = begin_purchase(house.lottery, Order("terminal-2", 2), key="begun")
        prepare(house)
        prepared = Prepared(vault, house.clock, bought, begun)
        with house.lottery.database.read() as connection:
            known = {record.seq: record.hash for record in rows.records(connection)}
    snapshot = Snapshot(database_url)
    points = _points(database_url, prepared, operation)
    assert points[-2:] == ["commit", "committed"]
    chosen = {*range(1, len(points) + 1, 1 if ALL else 2), len(points) - 1, len(points)}
    for point in sorted(chosen):
        url = snapshot.restore()
        _killed_at(url, prepared, operation, point)
        with _open(url, prepared) as house:
            where = f"{name}, killed at {point} of {len(points)}: {points[point - 1]}"
            assert house.faults() == (), where
            with house.lottery.database.read() as connection:
                log = {record.seq: record.hash for record in rows.records(connection)}
            assert {seq: log[seq] for seq in known} == known, where  # what was acknowledged is still there
            committed = points[point - 1] == "committed"
            assert (len(log) > len(known)) is committed, where  # all of it or nothing of it
            first = operation(house, prepared)
            assert operation(house, prepared) == first  # asked again: the same answer
            with house.lottery.database.read() as connection:
                effects = list(rows.records(connection, after=len(known), kinds=[kind]))
            assert len(effects) == 1, f"{where}: took effect {len(effects)} times"
            if 1 < point < len(points) - 1:
                continue  # the log is what it was before the first point: the day goes on as after that one
            house.clock.moment = house.draw(1).due_at
            advance(house.lottery)
            assert house.draw(1).status == "settled"
            assert house.faults() == ()
