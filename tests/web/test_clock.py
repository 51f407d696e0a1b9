"""A clock that jumps: durations go on, sales close, draws wait, none is passed over, and people are told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Browser, expect

from cardroom.fair.entropy import OperatingSystem
from cardroom.lottery.clock_care import put_clock_back
from cardroom.lottery.house import Lottery, switch_in
from cardroom.lottery.vault import MemoryVault
from cardroom.records.house import LoggedOut, OperatorAppointed, PasswordChanged
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store.log import check_chain
from cardroom.store.lottery import records
from cardroom.store.migrate import open_database
from cardroom.store.plan import Entry
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.clock import HouseClock
from cardroom.web.house import House
from cardroom.web.security.operators import hashed
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest, open_screen, quick_settings, start
from tools.golden_evening import settings_of

NOON = datetime(2025, 6, 14, 19, 0, tzinfo=UTC)
"""Noon in Vancouver."""
DAY = timedelta(days=1)
LOTTERY = "/api/v1/knockout-21"
RULES = load_rules_as(Knockout21Rules, "knockout-21")
PASSWORD = "a password of the tests"


@dataclass
class Hands:
    """A time of day and a steady clock, both set by hand."""

    day: HandClock
    steady: float = 100.0

    def pass_by(self, seconds: float) -> None:
        self.steady += seconds
        self.day.advance(seconds=seconds)


@pytest.fixture
def hands() -> Hands:
    return Hands(HandClock(NOON))


@pytest.fixture
def clock(hands: Hands) -> HouseClock:
    return HouseClock(hands.day, lambda: hands.steady)


def seconds(clock: HouseClock) -> float:
    return (clock.now() - NOON).total_seconds()


def test_a_day_ahead_for_three_seconds_moves_the_houses_time_by_three_seconds(
    hands: Hands, clock: HouseClock
) -> None:
    hands.day.moment += DAY
    for second in range(1, 4):
        hands.pass_by(1)
        assert seconds(clock) == second
        assert str(clock.jump) == "the time of day is 1 day, 0:00:00 ahead of the time to be expected"
    hands.day.moment -= DAY
    hands.pass_by(1)
    assert (seconds(clock), clock.jump) == (4, None)


def test_forty_seconds_back_freeze_nothing(hands: Hands, clock: HouseClock) -> None:
    hands.day.moment -= timedelta(seconds=40)
    for second in range(1, 100):
        hands.pass_by(1)
        assert seconds(clock) == second
        assert str(clock.jump) == "the time of day is 0:00:40 behind the time to be expected"


@pytest.mark.parametrize("off_by", [20, -20])
def test_a_small_difference_is_made_good_by_a_tenth(hands: Hands, clock: HouseClock, off_by: int) -> None:
    hands.day.moment += timedelta(seconds=off_by)
    faster = 1.1 if off_by > 0 else 0.9
    for second in range(1, 201):
        hands.pass_by(1)
        assert seconds(clock) == pytest.approx(faster * second)
        assert clock.jump is None
    hands.pass_by(1)
    assert clock.now() == hands.day.now()


def test_people_trust_a_clock_that_is_ahead(hands: Hands, clock: HouseClock) -> None:
    hands.day.moment += DAY
    clock.trust_time_of_day()
    assert (clock.now(), clock.jump) == (NOON + DAY, None)


def test_people_trust_a_clock_that_is_behind_and_the_houses_time_waits_for_it(
    hands: Hands, clock: HouseClock
) -> None:
    hands.day.moment -= timedelta(seconds=100)
    clock.trust_time_of_day()
    for second in range(1, 1_001):
        hands.pass_by(1)
        assert clock.jump is None
        assert seconds(clock) == pytest.approx(0.9 * second)
    hands.pass_by(1)
    assert clock.now() == hands.day.now()
    hands.day.moment -= timedelta(seconds=40)  # what was tolerated once is not tolerated for ever
    assert clock.jump is not None


def test_the_houses_time_is_not_before_the_log(hands: Hands, clock: HouseClock) -> None:
    clock.not_before(NOON + timedelta(seconds=45))
    assert (seconds(clock), clock.jump is None) == (45, False)
    clock.not_before(NOON)
    assert seconds(clock) == 45


@given(
    st.lists(st.tuples(st.floats(0, 1000), st.floats(-(10**6), 10**6)), max_size=30),
)
def test_durations_are_those_of_the_steady_clock_whatever_the_time_of_day_does(
    steps: list[tuple[float, float]],
) -> None:
    hands = Hands(HandClock(NOON))
    clock = HouseClock(hands.day, lambda: hands.steady)
    for passed, jumped in steps:
        before = clock.now()
        hands.pass_by(passed)
        hands.day.moment += timedelta(seconds=jumped)
        lasted = (clock.now() - before).total_seconds()
        assert 0.9 * passed - 1e-4 <= lasted <= 1.1 * passed + 1e-4


# A server whose machine's clock is moved.


class Machine:
    """A machine that was started at noon; its time of day can be moved, its seconds cannot."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self.off_by = timedelta(0)

    def now(self) -> datetime:
        return NOON + timedelta(seconds=time.monotonic() - self._begun) + self.off_by


@pytest.fixture
def machine() -> Machine:
    return Machine()


@pytest.fixture
def hall(machine: Machine, tmp_path: Path) -> Iterator[CardRoom]:
    """A room whose lottery is open."""
    found = start(quick_settings(tmp_path, lottery=True), HouseClock(machine))
    guest = found.client()
    until(lambda: guest.get(f"{LOTTERY}/draws").json().get("on_sale"))
    yield found
    found.stop()


def until(wanted: Any) -> Any:
    """Wait for a condition, not for time."""
    deadline = time.monotonic() + 180
    while not (found := wanted()):
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.02)
    return found


def buy(guest: Guest, number: int) -> int:
    return guest.post(f"{LOTTERY}/purchases", json={}, headers=guest.key(number)).status_code


def play_a_hand(guest: Guest, number: int) -> None:
    """A wager, the deal, and the hand played to its end: nothing freezes."""
    spot = guest.put(
        "/api/v1/tables/linden/spots/1/wagers", json={"stake_cents": 400}, headers=guest.key(number)
    )
    assert spot.status_code == HTTPStatus.OK, spot.text
    before = guest.get("/api/v1/tables/linden").json()["round_number"]
    assert guest.post("/api/v1/tables/linden/deal").status_code == HTTPStatus.OK

    def is_over() -> bool:
        view = guest.get("/api/v1/tables/linden").json()
        if view["phase"] == "round" and view["you"]["options"]:
            action = "no insurance" if view["round"]["phase"] == "insurance" else "stand"
            body = {"spot": 1, "action": action, "step": view["step"]}
            guest.post("/api/v1/tables/linden/actions", json=body, headers=guest.key(number + view["step"]))
        return bool(view["round_number"] > before and view["phase"] != "round" and view["round"]["over"])

    until(is_over)


def operator(room: CardRoom, name: str = "operator") -> Guest:
    """An operator with a password of their own, logged in."""
    guest = room.client()
    if name == "operator":
        first = room.house.first_password
        assert first is not None
        guest.post("/api/v1/operations/login", json={"name": name, "password": first})
        guest.put("/api/v1/operations/password", json={"old": first, "new": PASSWORD})
    login = guest.post("/api/v1/operations/login", json={"name": name, "password": PASSWORD})
    assert login.status_code == HTTPStatus.OK, login.text
    return guest


def appoint_second(room: CardRoom) -> dict[str, str]:
    """A second operator, whom the first did not appoint."""
    appointed = OperatorAppointed(name="ivy", role="operator", password_hash="x", by="the founding")
    changed = PasswordChanged(name="ivy", password_hash=hashed(PASSWORD))
    room.house.journal.record_now(Entry(appointed), Entry(changed))
    return {"name": "ivy", "password": PASSWORD}


def draws_done(room: CardRoom) -> int:
    """How many draws were closed, put off, drawn and settled, all together."""
    kinds = ("DrawClosed", "DrawPostponed", "DrawSealed", "DrawDrawn", "DrawSettled")
    return sum(record.kind in kinds for record in room.log())


def switches_of_the_clock(room: CardRoom) -> list[str]:
    return [record.kind for record in room.log() if record.content.get("what") == "clock"]


def test_a_day_ahead_for_three_seconds(hall: CardRoom, machine: Machine) -> None:
    guest = hall.client()
    assert buy(guest, 1) == HTTPStatus.CREATED
    play_a_hand(guest, 1_000)
    page = operator(hall)
    room = hall.house.lottery
    assert room is not None
    before, closed = {draw.number for draw in (*room.window, *room.recent)}, draws_done(hall)
    machine.off_by = DAY
    begun = time.monotonic()
    assert buy(guest, 2) == HTTPStatus.CONFLICT
    play_a_hand(guest, 2_000)
    until(lambda: switches_of_the_clock(hall) == ["PlayDisabled"])
    overview = page.get("/api/v1/operations/overview").json()
    assert "1 day, 0:00:00 ahead" in overview["clock"]
    assert "Sales are closed" in page.get("/operations").text.replace("sales", "Sales")
    assert guest.get(f"{LOTTERY}/draws").json()["sales"]["switched_off"]
    until(lambda: time.monotonic() > begun + 3)
    machine.off_by = timedelta(0)
    until(lambda: switches_of_the_clock(hall) == ["PlayDisabled", "PlayEnabled"])
    until(lambda: buy(guest, 3) == HTTPStatus.CREATED)
    play_a_hand(guest, 3_000)
    # No draw was closed or passed: those on sale are the ones that were.
    assert draws_done(hall) == closed
    assert {draw.number for draw in (*room.window, *room.recent)} == before
    log = hall.log()
    assert not list(check_chain(log))
    assert max(record.at for record in log) < "2025-06-15"


def test_forty_seconds_back_and_one_operator_opens_sales(hall: CardRoom, machine: Machine) -> None:
    guest, page = hall.client(), operator(hall)
    machine.off_by = -timedelta(seconds=40)
    begun = time.monotonic()
    play_a_hand(guest, 1_000)
    assert time.monotonic() < begun + 35, "the table was frozen until the clock had caught up"
    until(lambda: switches_of_the_clock(hall) == ["PlayDisabled"])
    assert buy(guest, 1) == HTTPStatus.CONFLICT
    trusted = page.post("/api/v1/operations/clock", json={"reason": "the clock was ahead before"})
    assert trusted.status_code == HTTPStatus.OK, trusted.text
    assert buy(guest, 2) == HTTPStatus.CREATED
    again = page.post("/api/v1/operations/clock", json={"reason": "the clock was ahead before"})
    assert again.status_code == HTTPStatus.CONFLICT
    assert not list(check_chain(hall.log()))


def test_a_clock_that_stays_ahead_takes_two_people(hall: CardRoom, machine: Machine) -> None:
    guest, page = hall.client(), operator(hall)
    second = appoint_second(hall)
    machine.off_by = timedelta(hours=2)
    until(lambda: switches_of_the_clock(hall) == ["PlayDisabled"])
    alone = page.post("/api/v1/operations/clock", json={"reason": "it was behind before"})
    assert alone.status_code == HTTPStatus.FORBIDDEN
    assert buy(guest, 1) == HTTPStatus.CONFLICT
    body = {"reason": "it was behind before", "second": second}
    both = page.post("/api/v1/operations/clock", json=body)
    assert both.status_code == HTTPStatus.OK, both.text
    assert both.json()["by"] == ["ivy", "operator"]
    until(lambda: buy(guest, 2) == HTTPStatus.CREATED)
    assert hall.logged("PlayEnabled").content["by"] == "ivy and operator"
    assert hall.house.now() >= NOON + timedelta(hours=2)


def test_doubt_outlasts_a_restart(hall: CardRoom, machine: Machine) -> None:
    """Nobody knows any more what the clock did: two people open sales."""
    second = appoint_second(hall)
    page = operator(hall)
    closed = draws_done(hall)
    machine.off_by = DAY
    until(lambda: switches_of_the_clock(hall) == ["PlayDisabled"])
    hall.stop()
    again = start(hall.settings, HouseClock(machine))
    guest = again.client()
    until(lambda: guest.get(f"{LOTTERY}/draws").status_code == HTTPStatus.OK)
    until(lambda: again.house.lottery is not None and again.house.lottery.announcement)
    assert buy(guest, 1) == HTTPStatus.CONFLICT
    assert draws_done(again) == closed
    page = again.client()
    page.post("/api/v1/operations/login", json={"name": "operator", "password": PASSWORD})
    alone = page.post("/api/v1/operations/clock", json={"reason": "it is right"})
    assert alone.status_code == HTTPStatus.FORBIDDEN
    both = page.post("/api/v1/operations/clock", json={"reason": "it is right", "second": second})
    assert both.status_code == HTTPStatus.OK, both.text
    until(lambda: buy(guest, 2) == HTTPStatus.CREATED)
    again.stop()


def test_two_people_at_the_operations_page(hall: CardRoom, machine: Machine, browser: Browser) -> None:
    second = appoint_second(hall)
    operator(hall)
    machine.off_by = timedelta(hours=2)
    until(lambda: switches_of_the_clock(hall) == ["PlayDisabled"])
    screen = open_screen(browser, hall)
    page = screen.page
    page.goto("/operations")
    page.fill("#o-name", "operator")
    page.fill("#o-password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#o-clock")).to_contain_text("The time of day is 2:00:00 ahead")
    page.fill("#o-trust-reason", "it was behind before")
    page.fill("#o-trust-name", second["name"])
    page.fill("#o-trust-password", second["password"])
    page.keyboard.press("Enter")
    expect(page.locator("#o-clock")).to_have_count(0)
    expect(page.locator("#operations")).to_be_visible()  # nobody was logged out by the new time
    assert hall.logged("PlayEnabled").content["by"] == "ivy and operator"
    assert screen.troubles == []
    page.context.close()


def test_a_command_with_a_clock_ahead_and_people_who_put_the_log_right(
    hands: Hands, clock: HouseClock, sqlite_url: str
) -> None:
    """The house goes on at the log's time, says that the clock is behind, and follows when it is put back."""
    house = House(settings_of(sqlite_url), clock=clock)
    ahead = HandClock(NOON + DAY)
    with open_database(sqlite_url, ahead) as beside:
        beside.write(lambda unit: unit.record(LoggedOut(name="ivy")), alone=True)
    house.database.catch_up()
    assert clock.now() == NOON + DAY
    assert house.clock_watch.is_in_doubt
    table = house.tables.find(TwentyOneTable, "linden")
    for entry in table.step(house.tables.purse, house.now()).entries:  # the first shoe: nothing freezes
        house.journal.record_now(entry)
    assert (table.due_at() or house.now()) <= house.now()
    with open_database(sqlite_url, hands.day) as beside:
        lottery = Lottery(beside, MemoryVault(OperatingSystem()), RULES, OperatingSystem())
        put_clock_back(lottery, operators=["ivy", "max"], reason="the clock of the desk was a day ahead")
    house.database.catch_up()
    assert clock.now() == NOON
    assert house.clock_words() is None
    with house.database.read() as connection:
        assert not list(check_chain(records(connection)))
    house.database.close()


@pytest.mark.parametrize("moment", ["trusted, and sales not open yet", "closed, and not known yet"])
def test_what_two_people_open_is_never_said_to_be_the_clocks_doing(
    moment: str, hall: CardRoom, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look of the watch and the word of two people come at each other's worst moment: each is whole."""
    watch, clock = hall.house.clock_watch, hall.house.clock
    assert isinstance(clock, HouseClock)
    trust = clock.trust_time_of_day
    meanwhile: list[threading.Thread] = []

    def begin_beside(what: Callable[[], None]) -> None:
        """Begin it in a thread of its own; it is over, or waits for its turn."""
        meanwhile.append(threading.Thread(target=what))
        meanwhile[-1].start()
        meanwhile[-1].join(timeout=0.3)

    def two_people_open() -> None:
        watch.trust(by="ivy and operator", reason="it was behind before")

    def trusted_and_looked_at() -> None:
        trust()
        begin_beside(watch.look)

    def closed_and_opened(*arguments: Any, off: bool, **words: Any) -> None:
        switch_in(*arguments, off=off, **words)
        if off:
            begin_beside(two_people_open)

    if moment.startswith("trusted"):
        monkeypatch.setattr(clock, "trust_time_of_day", trusted_and_looked_at)
        machine.off_by = timedelta(hours=2)
        until(lambda: watch.is_in_doubt and switches_of_the_clock(hall) == ["PlayDisabled"])
        two_people_open()
    else:
        # What the log says is not yet known: the memory follows it a moment later.
        unaware = SimpleNamespace(disabled=frozenset(), head=SimpleNamespace(seq=0))
        monkeypatch.setattr(watch, "_memory", lambda: unaware)
        monkeypatch.setattr("cardroom.web.clock_watch.switch_in", closed_and_opened)
        machine.off_by = timedelta(hours=2)
        until(lambda: len(switches_of_the_clock(hall)) > 1)
    for thread in meanwhile:
        thread.join()
    assert switches_of_the_clock(hall) == ["PlayDisabled", "PlayEnabled"]
    assert hall.logged("PlayEnabled").content["by"] == "ivy and operator"
