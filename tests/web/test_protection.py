"""Limits, breaks, time and results: what protects players from the game and from themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from cardroom.web.app import create_app
from cardroom.web.players.limits import LimitChange, in_force
from tests.databases import HandClock
from tests.web.conftest import quick_settings

NOON = datetime(2025, 6, 14, 12, tzinfo=UTC)
TABLE = "/api/v1/knockout-52/tables/willow"


class Seat:
    """A guest whose clock is set by hand."""

    def __init__(self, client: TestClient, clock: HandClock) -> None:
        self.client = client
        self.clock = clock
        self.keys = 0
        client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"]

    def session(self) -> dict[str, object]:
        found: dict[str, object] = self.client.get("/api/v1/session").json()
        return found

    def stake(self, cents: int, wager: str = "round-1") -> int:
        self.keys += 1
        headers = {"Idempotency-Key": f"protection-{self.keys}"}
        return self.client.put(
            f"{TABLE}/wagers", json={"stakes": {wager: cents}}, headers=headers
        ).status_code

    def chips(self, cents: int) -> int:
        self.keys += 1
        headers = {"Idempotency-Key": f"protection-{self.keys}"}
        return self.client.post("/api/v1/session/chips", json={"cents": cents}, headers=headers).status_code

    def limit(self, kind: str, period: str, value: int | None) -> None:
        body = {"kind": kind, "period": period, "value": value}
        assert self.client.put("/api/v1/session/limits", json=body).status_code == 200


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Seat]:
    clock = HandClock(NOON)
    with TestClient(create_app(quick_settings(tmp_path), clock=clock), base_url="http://127.0.0.1") as client:
        yield Seat(client, clock)


@pytest.mark.requirement("R-57")
def test_a_stake_that_could_pass_a_limit_on_losses_is_refused(seat: Seat) -> None:
    seat.limit("loss", "day", 2000)
    seat.limit("loss", "week", 5000)
    assert seat.stake(2100) == 409
    assert seat.stake(2000) == 200
    assert seat.stake(2500) == 409  # the lowest limit holds


@pytest.mark.requirement("R-57")
def test_a_tighter_limit_holds_at_once_and_a_looser_one_after_a_day(seat: Seat) -> None:
    seat.limit("loss", "day", 2000)
    seat.limit("loss", "day", 10_000)
    assert seat.stake(2500) == 409
    seat.clock.advance(hours=23, minutes=59)
    assert seat.stake(2500) == 409
    seat.clock.advance(minutes=2)
    assert seat.stake(2500) == 200
    seat.limit("loss", "day", 100)
    assert seat.stake(2600) == 409


@pytest.mark.requirement("R-57")
def test_taking_the_loosening_back_keeps_the_limit() -> None:
    changes = [
        LimitChange("loss", "day", 2000, NOON),
        LimitChange("loss", "day", None, NOON + timedelta(hours=1)),
        LimitChange("loss", "day", 2000, NOON + timedelta(hours=2)),
    ]
    assert in_force(changes, "loss", "day", NOON + timedelta(days=3)) == 2000


@pytest.mark.requirement("R-57")
def test_chips_beyond_the_limit_on_deposits_are_not_given_out(seat: Seat) -> None:
    seat.limit("deposit", "day", 30_000)
    assert seat.chips(20_000) == 200
    assert seat.chips(20_000) == 409
    seat.clock.advance(days=1, minutes=1)
    assert seat.chips(20_000) == 200


@pytest.mark.requirement("R-57")
def test_play_ends_with_the_time_a_player_has_set(seat: Seat) -> None:
    seat.limit("time", "day", 20)
    assert seat.stake(100) == 200
    seat.clock.advance(minutes=15)
    assert seat.stake(200) == 200
    seat.clock.advance(minutes=10)
    assert seat.stake(300) == 200  # 15 minutes were counted, 25 are now
    assert seat.stake(400) == 409
    seat.clock.advance(days=1)
    assert seat.stake(400) == 200


@pytest.mark.requirement("R-58")
def test_a_break_cannot_be_ended_early(seat: Seat) -> None:
    assert seat.client.post("/api/v1/session/break", json={"hours": 168}).status_code == 200
    assert seat.stake(100) == 409
    assert seat.chips(100) == 409
    assert seat.client.post("/api/v1/session/break", json={"hours": 1}).status_code == 409
    seat.clock.advance(days=6, hours=23)
    assert seat.stake(100) == 409
    seat.clock.advance(hours=2)
    assert seat.stake(100) == 200


@pytest.mark.requirement("R-59")
def test_time_and_result_are_told_and_a_reality_check_stops_play_until_it_is_read(seat: Seat) -> None:
    assert seat.client.put("/api/v1/session/reality-check", json={"minutes": 15}).status_code == 200
    assert seat.stake(500) == 200
    seat.clock.advance(minutes=14)
    assert seat.session()["session_minutes"] == 14
    told = seat.session()
    assert (told["session_net_cents"], told["in_play_cents"]) == (0, 500)  # a stake in play is not lost yet
    assert seat.session()["reality_check"] is False
    seat.clock.advance(minutes=1)
    assert seat.session()["reality_check"] is True
    assert seat.stake(600) == 409
    page = seat.client.get("/you").text
    assert "15 min" in page
    assert "$5 in play" in re.sub(r"<[^>]*>", "", page)
    assert seat.client.post("/api/v1/session/reality-check").status_code == 200
    assert seat.stake(600) == 200


def test_a_name_is_checked(seat: Seat) -> None:
    assert seat.client.put("/api/v1/session/name", json={"name": "Ann\nBob"}).status_code == 200
    assert seat.session()["name"] == "Ann Bob"
    assert seat.client.put("/api/v1/session/name", json={"name": "\u202e"}).status_code == 400
