"""Findings 12 to 16 and 18, over HTTP: a hostile visitor is refused, and another notices nothing of it."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import httpx2 as httpx
import pytest

from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import salt_hash
from cardroom.web.security.peers import parse_proxies
from tests.attack.machine import OPERATIONS, PASSWORD, Machine, until
from tests.web.conftest import Guest

LOTTERY = "/api/v1/knockout-21"
WILLOW = "/api/v1/knockout-52/tables/willow"
PROXY = "127.0.0.2"
SETTINGS: Final[dict[str, object]] = {
    "most_connections_per_address": 40,
    "request_seconds": 5.0,
    "proxies": parse_proxies([PROXY]),
}


def plays(guest: Guest, key: int) -> bool:
    """Whether another player's wager is taken; it is taken back again."""
    for stakes in ({"round-1": 500}, {}):
        answer = guest.put(f"{WILLOW}/wagers", json={"stakes": stakes}, headers=guest.key(key))
        key += 1
        if answer.status_code != HTTPStatus.OK:
            return False
    return True


@contextmanager
def behind_the_proxy(machine: Machine, address: str) -> Iterator[httpx.Client]:
    """A visitor of whom a proxy says that they come from an address."""
    transport = httpx.HTTPTransport(local_address=PROXY)
    headers = {"X-Forwarded-For": address}
    with httpx.Client(base_url=machine.url, timeout=300, transport=transport, headers=headers) as client:
        client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"]
        yield client


def kinds_after(operator: Guest, number: int) -> list[str]:
    """The kinds of the records that the log has after one, the newest first; fifty at most."""
    page = operator.get(f"{OPERATIONS}/log").json()["records"]
    return [record["kind"] for record in page if record["seq"] > number]


def test_12_simulations_of_one_visitor_are_bounded_and_stall_nobody(machine: Machine) -> None:
    guest, other = machine.guest(), machine.guest()
    path = "/api/v1/lab/simulation?game=blackjack&rounds=20000000"
    with ExitStack() as held:
        answers = [held.enter_context(guest.stream("GET", path)) for _ in range(12)]
        refused = [one for one in answers if one.status_code == HTTPStatus.TOO_MANY_REQUESTS]
        assert len(refused) >= 6
        assert all(int(one.headers["Retry-After"]) > 0 for one in refused)
        assert plays(other, 1)


def test_13_nothing_that_a_stranger_makes_up_fills_the_log(machine: Machine) -> None:
    guest, operator = machine.guest(), machine.operator()
    before = operator.get(f"{OPERATIONS}/log").json()["records"][0]["seq"]
    nonsense = {"control_number": "0000-0000-0000-0000", "code": "0000"}
    for number in range(40):
        forged = {"Cookie": f"cardroom_guest=x.{number:064x}"}
        httpx.get(f"{machine.url}/api/v1/session", headers=forged, timeout=300)
        wrong = {"X-CSRF-Token": "forged"}
        assert guest.put("/api/v1/session/name", json={"name": "x"}, headers=wrong).status_code == 403
        guest.post(f"{LOTTERY}/check", json=nonsense)
        limit = {"kind": "loss", "period": "day", "value": 100_000 - number}
        guest.put("/api/v1/session/limits", json=limit)
    made = [kind for kind in kinds_after(operator, before) if not kind.startswith(("Draw", "Knockout52"))]
    assert sorted(made) == sorted(set(made))  # each kind of it is told once


def test_13_private_tables_have_a_bound(machine: Machine) -> None:
    guest = machine.guest()
    body = {"game": "blackjack", "options": {}}
    statuses = [
        guest.post("/api/v1/tables", json=body, headers=guest.key(number)).status_code for number in range(5)
    ]
    assert statuses == [201, 201, 201, 409, 409]


def test_14_half_open_requests_leave_room_for_others_and_end(machine: Machine) -> None:
    host, port = "127.0.0.1", int(machine.url.rsplit(":", 1)[1])
    guest = machine.guest()
    with ExitStack() as held:
        lines = [
            held.enter_context(socket.create_connection((host, port), 300, ("127.0.0.4", 0)))
            for _ in range(60)
        ]
        for line in lines:
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        assert plays(guest, 1)
        other = http.client.HTTPConnection(host, port, timeout=300, source_address=("127.0.0.3", 0))
        other.request("GET", "/api/v1/session")
        assert other.getresponse().status == HTTPStatus.OK
        other.close()
        for line in lines:  # all are closed by the house, refused at once or after their time
            assert until(partial(_is_closed, line))


def _is_closed(line: socket.socket) -> bool:
    try:
        return not line.recv(65536)
    except ConnectionResetError:
        return True


def test_15_who_guesses_passwords_waits_and_the_operator_does_not(machine: Machine) -> None:
    machine.operator()  # who has chosen a password

    def log_in(client: httpx.Client, password: str) -> int:
        body = {"name": "operator", "password": password}
        return client.post(f"{OPERATIONS}/login", json=body).status_code

    with behind_the_proxy(machine, "198.51.100.7") as guesser:
        assert [log_in(guesser, "a wrong password") for _ in range(6)] == [401] * 5 + [429]
        assert log_in(guesser, PASSWORD) == 429  # also the right one, at that address
        guesser.headers["X-Forwarded-For"] = "203.0.113.9, 198.51.100.7"  # a lie before the true one
        assert log_in(guesser, "a wrong password") == 429
    with behind_the_proxy(machine, "203.0.113.9") as operator:
        assert log_in(operator, PASSWORD) == HTTPStatus.OK
    # Without a proxy's word nobody comes from another address than their own.
    liar = machine.guest()
    liar.headers["X-Forwarded-For"] = "198.51.100.7"
    assert log_in(liar, PASSWORD) == HTTPStatus.OK


def test_16_a_full_table_of_seven_salts_its_shoe_and_is_dealt(machine: Machine) -> None:
    seats = [machine.guest() for _ in range(7)]
    opened = seats[0].post(
        "/api/v1/tables", json={"game": "blackjack", "options": {"decks": 1}}, headers=seats[0].key(1)
    )
    table = f"/api/v1/tables/{opened.json()['table']}"
    committed = until(lambda: seats[0].get(table).json()["shoe"]["commitment"])
    salts = [f"{spot:02x}" * 32 for spot in range(1, 8)]
    for spot, (seat, salt) in enumerate(zip(seats, salts, strict=True), 1):
        hashed = salt_hash(Commitment.parse(committed), bytes.fromhex(salt))
        body = {"stake_cents": 400, "side": {}, "salt_hash": hashed}
        placed = seat.put(f"{table}/spots/{spot}/wagers", json=body, headers=seat.key(2))
        assert placed.status_code == HTTPStatus.OK, placed.text
    for seat in seats:
        assert seat.post(f"{table}/deal").status_code == HTTPStatus.OK
    until(lambda: seats[0].get(table).json()["phase"] in ("salts", "round"))
    for seat, salt in zip(seats, salts, strict=True):
        seat.post(f"{table}/salts", json={"salt": salt})
    view: dict[str, Any] = until(lambda: _dealt(seats[0], table))
    assert len(view["round"]["spots"]) == 7
    assert len(view["shoe"]["salts"]["hashes"]) == 7


def _dealt(guest: Guest, table: str) -> dict[str, Any] | None:
    view: dict[str, Any] = guest.get(table).json()
    return view if view["phase"] == "round" and view["round"]["spots"] else None


@pytest.mark.parametrize("point", ["commit", "committed"])
def test_18_a_stop_while_sales_are_opened_leaves_them_open_or_closed_and_says_so(
    machine: Machine, point: str
) -> None:
    guest = machine.guest()
    switch = {"what": "game:knockout-21", "off": True, "reason": "a test"}
    closed = machine.operator().post(f"{OPERATIONS}/switches", json=switch)
    assert closed.status_code == HTTPStatus.OK, closed.text
    operator = machine.operator()
    with machine.plug_pulled_at(point):
        operator.post(f"{OPERATIONS}/switches", json={**switch, "off": False})
    said = "game:knockout-21" in machine.operator().get(f"{OPERATIONS}/overview").json()["closed"]
    assert said == (point == "commit")
    until(lambda: guest.get(f"{LOTTERY}/draws").json().get("next"))
    assert guest.get(f"{LOTTERY}/draws").json()["sales"]["switched_off"] == said
    bought = guest.post(f"{LOTTERY}/purchases", json={}, headers=guest.key(1))
    assert bought.status_code == (HTTPStatus.CONFLICT if said else HTTPStatus.CREATED), bought.text
    if said:
        opened = machine.operator().post(f"{OPERATIONS}/switches", json={**switch, "off": False})
        assert opened.status_code == HTTPStatus.OK
