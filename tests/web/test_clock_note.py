"""A jump of the clock is noticed by the next server too: the machine's own seconds go on between the two."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from cardroom.fair.entropy import OperatingSystem
from cardroom.lottery.clock_care import put_clock_back
from cardroom.lottery.house import Lottery
from cardroom.lottery.vault import MemoryVault
from cardroom.records.house import PlayDisabled, PlayEnabled
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store.migrate import open_database
from cardroom.store.unit import read_log
from cardroom.web.clock import HouseClock
from cardroom.web.house import House
from tests.attack.hands import Hands
from tools.golden_evening import settings_of

NOON = datetime(2025, 6, 14, 19, 0, tzinfo=UTC)
DAY = timedelta(days=1)
HOUR = 3600.0


class Machine:
    """A machine on which one server runs after another."""

    def __init__(self, url: str, folder: Path) -> None:
        self.hands = Hands(NOON)
        self.started = "first start"
        self._settings = replace(settings_of(url), mark=folder / "house.mark")

    def server(self) -> House:
        return House(
            self._settings, clock=HouseClock(self.hands, self.hands.steady, start=lambda: self.started)
        )

    def stopped(self, house: House) -> None:
        """The server is gone, in the middle of whatever it did."""
        house.database.close()


@pytest.fixture
def machine(sqlite_url: str, tmp_path: Path) -> Machine:
    return Machine(sqlite_url, tmp_path)


def switches(house: House) -> list[str]:
    kinds = [PlayDisabled.__name__, PlayEnabled.__name__]
    with house.database.read() as connection:
        return [record.kind for record in read_log(connection, kinds=kinds)]


@pytest.mark.parametrize("hours_off", [0.0, 5.0])
@pytest.mark.parametrize("seconds", [86_400.0, 60.0, -30.0, -86_400.0])
def test_a_jump_before_it_was_recorded_outlasts_the_server(
    machine: Machine, seconds: float, hours_off: float
) -> None:
    """It jumps, and the server stops before it has looked; the next one comes at once, or hours later."""
    first = machine.server()
    machine.hands.advance(seconds=10)
    machine.hands.jump(seconds)
    machine.stopped(first)
    machine.hands.advance(seconds=hours_off * HOUR)
    house = machine.server()
    assert house.now() == NOON + timedelta(seconds=10, hours=hours_off)
    assert house.clock_watch.is_in_doubt
    house.clock_watch.look()
    assert switches(house) == ["PlayDisabled"]
    assert house.clock_words() is not None
    assert house.clock_needs_two() == (seconds > 0)
    machine.hands.jump(-seconds)
    house.clock_watch.look()
    assert switches(house) == ["PlayDisabled", "PlayEnabled"]
    assert house.clock_words() is None
    machine.stopped(house)


@pytest.mark.parametrize("seconds", [59.0, -29.0, 0.0])
def test_hours_in_which_no_server_ran_are_no_jump(machine: Machine, seconds: float) -> None:
    machine.stopped(machine.server())
    machine.hands.advance(hours=30)
    machine.hands.jump(seconds)
    house = machine.server()
    assert not house.clock_watch.is_in_doubt
    assert house.now() == machine.hands.now()
    machine.stopped(house)


@pytest.mark.parametrize("started", ["second start", ""])
def test_a_machine_that_was_started_anew_counts_other_seconds(machine: Machine, started: str) -> None:
    """Nobody can tell a jump from the time in which the machine was off."""
    machine.stopped(machine.server())
    machine.started = started
    machine.hands.jump(DAY.total_seconds())
    house = machine.server()
    assert house.now() == NOON + DAY
    assert not house.clock_watch.is_in_doubt
    machine.stopped(house)


@pytest.mark.parametrize("seconds", [7_200.0, -100.0])
def test_what_people_have_trusted_is_trusted_after_a_restart(machine: Machine, seconds: float) -> None:
    house = machine.server()
    machine.hands.jump(seconds)
    house.clock_watch.look()
    house.clock_watch.trust(by="ivy and max", reason="it is right")
    assert house.clock_words() is None
    before = house.now()
    machine.stopped(house)
    house = machine.server()
    assert house.now() == before
    assert house.clock_words() is None
    machine.stopped(house)


def test_the_log_put_right_by_a_command_while_no_server_runs(machine: Machine, sqlite_url: str) -> None:
    """A server ran a day ahead; people put the clock and the log right, and the next one follows them."""
    machine.hands.jump(DAY.total_seconds())
    machine.stopped(machine.server())
    machine.hands.jump(-DAY.total_seconds())
    with open_database(sqlite_url, machine.hands) as beside:
        rules = load_rules_as(Knockout21Rules, "knockout-21")
        lottery = Lottery(beside, MemoryVault(OperatingSystem()), rules, OperatingSystem())
        put_clock_back(lottery, operators=["ivy", "max"], reason="the clock was a day ahead")
    house = machine.server()
    assert (house.now(), house.clock_words()) == (NOON, None)
    machine.stopped(house)


@pytest.mark.parametrize("text", ["", "{}", "[]", "\x00", '{"seq": "x"}', None])
def test_a_note_that_cannot_be_read_is_none(machine: Machine, text: str | None) -> None:
    house = machine.server()
    machine.stopped(house)
    note = house.clock_watch.note
    assert note is not None
    assert note.path.stat().st_mode & 0o777 == 0o600
    if text is None:
        note.path.unlink()
    else:
        note.path.write_text(text)
    machine.hands.jump(DAY.total_seconds())
    house = machine.server()
    assert house.now() == NOON + DAY
    machine.stopped(house)


def test_the_note_is_written_once_in_a_while(machine: Machine) -> None:
    house = machine.server()
    note = house.clock_watch.note
    assert note is not None
    first = note.path.read_text()
    machine.hands.advance(seconds=59)
    house.clock_watch.look()
    assert note.path.read_text() == first
    machine.hands.advance(seconds=1)
    house.clock_watch.look()
    assert note.path.read_text() != first
    machine.stopped(house)
