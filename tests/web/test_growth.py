"""How the log grows by what strangers do: not before their chips move, and then at a stated pace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from starlette.testclient import TestClient

from cardroom.store.lottery import records
from cardroom.store.schema import guests
from cardroom.web.app import create_app
from cardroom.web.house import House
from cardroom.web.players import wishes
from tests.databases import HandClock
from tests.web.conftest import CardRoom, quick_settings
from tests.web.lottery_hall import API

NOON = datetime(2026, 6, 14, 19, 0, tzinfo=UTC)
WAGERS = "/api/v1/knockout-52/tables/heron/wagers"


class Stranger:
    """Whoever has a cookie; the house may be opened anew meanwhile."""

    def __init__(self, client: TestClient) -> None:
        self.keys = 0
        self.client = client
        client.headers["X-CSRF-Token"] = self.session()["csrf"]

    def come_back(self, client: TestClient) -> None:
        client.cookies.update(dict(self.client.cookies))
        self.client = client
        client.headers["X-CSRF-Token"] = self.session()["csrf"]

    def session(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get("/api/v1/session").json()
        return found

    def limit(self, period: str) -> tuple[int | None, int | None]:
        """The limit on losses that holds, and the one that waits."""
        (found,) = [
            one for one in self.session()["limits"] if (one["kind"], one["period"]) == ("loss", period)
        ]
        return found["value"], found["waiting"] and found["waiting"]["value"]

    def say(self, path: str, **body: object) -> int:
        self.keys += 1
        return self.client.put(f"/api/v1/session/{path}", json=body).status_code

    def stake(self, cents: int) -> int:
        self.keys += 1
        key = {"Idempotency-Key": f"growth-{self.keys:06d}"}
        return self.client.put(WAGERS, json={"stakes": {"round-1": cents}}, headers=key).status_code


@contextmanager
def opened(folder: Path, clock: HandClock, **settings: object) -> Iterator[tuple[TestClient, House]]:
    app = create_app(quick_settings(folder, **settings), clock=clock)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        yield client, app.state.house


def kinds(house: House, after: int = 0) -> list[str]:
    """What the log says of players and their wagers; tables begin their shoes by themselves."""
    with house.database.read() as connection:
        found = [record.kind for record in records(connection, after=after)]
    return [kind for kind in found if kind != "TableRequestGranted"]


@pytest.mark.requirement("R-57")
def test_what_a_guest_wishes_is_in_the_log_with_the_first_chips_and_not_before(tmp_path: Path) -> None:
    clock = HandClock(NOON)
    with opened(tmp_path, clock) as (client, house):
        first = house.memory.head.seq
        ann = Stranger(client)
        for value in (5_000, 900, 1_000, 1_500, 2_000):
            assert ann.say("limits", kind="loss", period="day", value=value) == 200
        for number in range(20):
            assert ann.say("name", name=f"Ann {number}") == 200
        assert ann.say("reality-check", minutes=15) == 200
        assert ann.client.post("/api/v1/session/reality-check").status_code == 200
        assert ann.limit("day") == (900, 2_000)  # the tightest holds, the last looser one waits
        assert ann.stake(1_000) == 409
        assert kinds(house, first) == []
    clock.advance(hours=1)
    with opened(tmp_path, clock) as (client, house):
        ann.come_back(client)
        first = house.memory.head.seq
        assert (ann.session()["name"], ann.limit("day")) == ("Ann 19", (900, 2_000))
        assert ann.stake(1_000) == 409
        assert kinds(house, first) == []
        assert ann.stake(500) == 200
        told = kinds(house, first)
        assert sorted(told[:5]) == [
            "LimitSet",
            "LimitSet",
            "PlayerNamed",
            "PlayerWelcomed",
            "RealityCheckSet",
        ]
        assert ann.limit("day") == (900, 2_000)
        clock.advance(hours=23)  # a day after it was set, not after the first chips
        assert ann.limit("day") == (2_000, None)
        assert ann.say("name", name="Ann") == 200
        assert kinds(house, first)[len(told) :] == ["PlayerNamed"]
    with opened(tmp_path, clock) as (client, house):
        ann.come_back(client)
        assert (ann.session()["name"], ann.limit("day")) == ("Ann", (2_000, None))


@pytest.mark.requirement("R-58")
def test_a_break_of_a_guest_holds_and_its_end_is_that_of_the_break(tmp_path: Path) -> None:
    clock = HandClock(NOON)
    with opened(tmp_path, clock) as (client, house):
        ann = Stranger(client)
        assert client.post("/api/v1/session/break", json={"hours": 2 * 365 * 24}).status_code == 200
        assert client.post("/api/v1/session/break", json={"hours": 1}).status_code == 409
        assert ann.stake(500) == 409
        assert "BreakTaken" not in kinds(house)
    clock.advance(days=700)
    with opened(tmp_path, clock) as (client, _):
        ann.come_back(client)
        assert ann.stake(500) == 409
    clock.advance(days=31)
    with opened(tmp_path, clock) as (client, _):
        ann.come_back(client)
        assert ann.stake(500) == 200


def test_guests_without_chips_are_bounded_in_number_and_in_age(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wishes, "MOST_GUESTS", 3)
    clock = HandClock(NOON)

    def kept(house: House) -> int:
        with house.database.read() as connection:
            return connection.execute(select(func.count()).select_from(guests)).scalar_one()

    with opened(tmp_path, clock) as (client, house):
        for number in range(5):
            client.cookies.clear()
            assert Stranger(client).say("name", name=f"Guest {number}") == 200
            clock.advance(days=1)
            assert kept(house) == min(3, number + 1)
        clock.moment += timedelta(days=362)  # the first of those that were left is a year old
        client.cookies.clear()
        Stranger(client).say("name", name="Late")
        assert kept(house) == 3
        clock.moment += timedelta(days=366)
        client.cookies.clear()
        Stranger(client).say("name", name="Later")
        assert kept(house) == 1


def test_changes_have_a_pace_for_a_visitor_and_for_an_address(tmp_path: Path) -> None:
    """0.4 changes a second: 40 at once from an address, 2 by a visitor."""
    with opened(tmp_path, HandClock(NOON), changes_per_second=0.4) as (client, house):
        first = house.memory.head.seq
        answers = []
        for _ in range(25):
            client.cookies.clear()
            guest = Stranger(client)
            answers += [guest.stake(100 + 100 * number) for number in range(3)]
        let_in = len(answers) - answers.count(429)  # the table is full soon
        assert 40 <= let_in <= 50  # a few more, where the machine is slow
        assert answers[:3] == [200, 200, 429]
        assert kinds(house, first).count("PlayerWelcomed") <= let_in / 2
        refused = client.put(WAGERS, json={"stakes": {}}, headers={"Idempotency-Key": "growth-last-one"})
        assert refused.status_code == 429
        assert int(refused.headers["Retry-After"]) in (3, 10)
        assert client.post("/api/v1/lab/rules", json={"game": "blackjack"}).status_code == 200


def test_a_change_of_a_wager_takes_no_more_of_the_disk_than_the_documentation_says(tmp_path: Path) -> None:
    with opened(tmp_path, HandClock(NOON)) as (client, house):
        guest = Stranger(client)
        guest.keys = 10**5

        def size() -> int:
            with house.database.read() as connection:
                pages: int = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
                each: int = connection.exec_driver_sql("PRAGMA page_size").scalar_one()
                return pages * each

        assert guest.stake(100) == 200
        before = size()
        for number in range(100):
            assert guest.stake(100 * (2 + number % 3)) == 200
        assert size() - before <= 100 * 2_000


def test_tables_have_a_pace_of_their_own(tmp_path: Path) -> None:
    with opened(tmp_path, HandClock(NOON), tables_per_minute=0.01, burst_tables=2) as (client, _):
        answers = []
        for number in range(3):
            client.cookies.clear()
            Stranger(client)
            key = {"Idempotency-Key": f"growth-{number:06d}"}
            answers.append(client.post("/api/v1/tables", json={"game": "blackjack"}, headers=key).status_code)
        assert answers == [201, 201, 429]


def test_numbers_of_no_ticket_are_counted_and_not_logged_one_by_one(hall: CardRoom) -> None:
    guest = hall.client()
    first = hall.house.memory.head.seq
    for number in range(20):
        claim = {"control_number": f"{number:020d}", "code": "nonsense"}
        checked = guest.post(f"{API}/check", json=claim)
        assert (checked.status_code, checked.json()["verdict"]) == (200, "not found")
        claimed = guest.post(f"{API}/claims", json=claim, headers=guest.key(number))
        assert (claimed.status_code, claimed.json()["verdict"]) == (200, "not found")
    new = [record for record in hall.log() if record.seq > first]
    assert [record.kind for record in new if record.kind in ("TicketChecked", "ClaimRefused")] == [
        "TicketChecked"
    ]
