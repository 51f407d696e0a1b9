"""The machine of a house under attack, and whoever stands beside it: pulls the plug, and sets clocks.

Attackers know the HTTP interface and nothing else. What they cannot do, the owner of a machine can, or an
accident does it: that is here, so that tests of attacks look into no house.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cardroom.web.clock import HouseClock
from tests.databases import Snapshot
from tests.web.conftest import GUESTS, CardRoom, Guest, quick_settings, start
from tests.web.stage import MachineStopsError
from tests.web.write_points import losing_commit

NOON = datetime(2025, 6, 14, 19, 0, tzinfo=UTC)
"""Noon in Vancouver, when the lottery sells."""
PASSWORD = "a password of the tests"
FIRST = "first password of theirs"
OPERATIONS = "/api/v1/operations"
SECOND_PERSON_SECONDS = 180
"""Whoever was appointed less than so long ago signs beside nobody; a day in a house."""


class Clocks:
    """A time of day that runs and may jump, and seconds that nobody can set; people can let them pass."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._passed = 0.0
        self._off_by = timedelta(0)

    def steady(self) -> float:
        return time.monotonic() - self._begun + self._passed

    def now(self) -> datetime:
        return NOON + timedelta(seconds=self.steady()) + self._off_by

    def pass_by(self, seconds: float) -> None:
        self._passed += seconds

    def jump(self, **by: float) -> None:
        self._off_by += timedelta(**by)


class Machine:
    """A server on a database, at one address for as long as the machine is there."""

    def __init__(self, database: str, folder: Path, **settings: object) -> None:
        quick: dict[str, object] = {
            "database": database,
            "lottery": True,
            "repeatable": None,
            "mark": folder / "house.mark",
            "reveal_seconds": 0.5,
            "second_person_hours": SECOND_PERSON_SECONDS / 3600,
        }
        self.settings = quick_settings(folder, **{**quick, **settings})
        self.clocks = Clocks()
        self.printed = ""
        """The first operator's password, as the server prints it at its first start."""
        self._room: CardRoom | None = None
        self._port = 0

    @property
    def room(self) -> CardRoom:
        assert self._room is not None, "the server is not running"
        return self._room

    @property
    def url(self) -> str:
        return self.room.url

    def start(self, *, demo: bool = False) -> None:
        clock = HouseClock(self.clocks, self.clocks.steady)
        self._room = start(replace(self.settings, demo=demo), clock, port=self._port)
        self._port = int(self.url.rsplit(":", 1)[1])
        self.printed = self.room.house.first_password or self.printed
        if self.settings.lottery:
            guest = self.guest()
            until(lambda: guest.get("/api/v1/knockout-21/draws").status_code == 200)

    def stop(self) -> None:
        self.room.stop()
        self._room = None

    def kill(self) -> None:
        """Pull the plug: nothing more is written."""

        def stop(_point: str) -> None:
            raise MachineStopsError

        house = self.room.house
        house.database.probe = stop
        self.stop()
        house.database.close()
        house.journal.close()

    def restart(self) -> None:
        self.stop()
        self.start()

    # Accidents.

    @contextmanager
    def plug_pulled_at(self, point: str) -> Iterator[None]:
        """In the block the machine stops at the next point of that name of a commit that writes to the log.

        After the block it starts anew.
        """

        writes = False  # the lottery looks at its clock by commits that write nothing

        def stop(reached: str) -> None:
            nonlocal writes
            writes = writes or reached.startswith("INSERT INTO log")
            if writes and reached == point:
                self.room.house.database.probe = always
                raise MachineStopsError

        def always(_reached: str) -> None:
            raise MachineStopsError

        self.room.house.database.probe = stop
        yield
        self.kill()
        self.start()

    @contextmanager
    def answer_lost(self, *, done: bool) -> Iterator[None]:
        """In the block the answer to a COMMIT is lost."""
        with losing_commit(self.room.house.database, 0, done=done):
            yield

    @contextmanager
    def put_back(self) -> Iterator[None]:
        """Whatever happened in the block is undone: an older state of the database is put in its place."""
        self.stop()
        before = Snapshot(self.settings.database)
        self.start()
        yield
        self.stop()
        before.restore()
        self.start()

    # Visitors, and those who run the house.

    def guest(self) -> Guest:
        """A new visitor, who leaves with the test."""
        guest = Guest(self.url)
        GUESTS.append(guest)
        return guest

    def operator(self, name: str = "operator", given: str = "") -> Guest:
        """Somebody logged in, who has chosen a password of their own."""
        guest = self.guest()
        given = given or (self.printed if name == "operator" else FIRST)
        login = guest.post(f"{OPERATIONS}/login", json={"name": name, "password": PASSWORD})
        if login.status_code == 401:
            body = {"name": name, "password": given}
            assert guest.post(f"{OPERATIONS}/login", json=body).status_code == 200
            changed = guest.put(f"{OPERATIONS}/password", json={"old": given, "new": PASSWORD})
            assert changed.status_code == 200, changed.text
            login = guest.post(f"{OPERATIONS}/login", json={"name": name, "password": PASSWORD})
        assert login.status_code == 200, login.text
        return guest

    def _has_come(self, name: str) -> bool:
        credentials = {"name": name, "password": PASSWORD}
        return self.guest().post(f"{OPERATIONS}/login", json=credentials).status_code == 200

    def two_people(self) -> tuple[Guest, dict[str, str]]:
        """An operator, and another who signs beside them; the first one and a third appointed them."""
        if not self._has_come("bob"):
            self.clocks.pass_by(SECOND_PERSON_SECONDS)
            body: dict[str, Any] = {"role": "operator", "password": FIRST}
            for name in ("ann", "bob"):
                appointed = self.operator().put(f"{OPERATIONS}/operators", json={**body, "name": name})
                assert appointed.status_code == 200, appointed.text
                self.operator(name)
                self.clocks.pass_by(SECOND_PERSON_SECONDS)
                body["second"] = {"name": name, "password": PASSWORD}
        return self.operator("ann"), {"name": "bob", "password": PASSWORD}


def until(wanted: Callable[[], Any]) -> Any:
    """Wait for a condition, not for time."""
    deadline = time.monotonic() + 60
    while not (found := wanted()):
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.02)
    return found


def committed(guest: Guest, table: str) -> Any:
    """What the house has committed to for the next shoe of a table, once it has."""
    return guest.get(table).json()["shoe"]["commitment"]
