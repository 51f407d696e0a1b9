"""The shortest ways through the lottery's API for tests: buy, finish, hold a draw."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest

API = "/api/v1/knockout-21"
PATIENCE_SECONDS = 180
"""A draw is a matter of a second, but not on a machine that has much else to do."""


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not happened():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.02)


def buy(guest: Guest, *, key: int = 1, **order: int) -> dict[str, Any]:
    """A purchase begun, its choices still to be made."""
    answer = guest.post(f"{API}/purchases", json=order, headers=guest.key(key))
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def finish(guest: Guest, bought: dict[str, Any]) -> dict[str, Any]:
    """The tickets of a purchase, printed."""
    answer = guest.post(f"{API}/purchases/{bought['purchase']}/choices", json={}, headers=guest.key(900))
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def hold_draw(hall: CardRoom, clock: HandClock, guest: Guest, number: int) -> None:
    """Go to a draw's time, and past the end of its show."""
    draw = next(one for one in guest.get(f"{API}/draws").json()["on_sale"] if one["draw"] == number)
    at = datetime.fromisoformat(draw["draw_at"])
    clock.moment = at.replace(second=1)
    wait_for(lambda: hall.house.lottery is not None and number in hall.house.lottery.shows)
    clock.advance(seconds=20)
    wait_for(lambda: guest.get(f"{API}/draws/{number}").status_code == 200)
