"""The server in a process of its own, killed in mid-round and in mid-draw, and started again."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from cardroom.engine.knockout21 import Draw
from cardroom.lottery.clock import SystemClock
from cardroom.lottery.verify import verify_draw
from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.store.log import check_chain
from cardroom.store.lottery import DrawRow, find_draw, records
from cardroom.store.migrate import open_database

RUNNING: list[Server] = []


@pytest.fixture(autouse=True)
def _servers_end() -> Iterator[None]:
    """No server outlives its test, however that ends."""
    yield
    while RUNNING:
        server = RUNNING.pop()
        if server.process.poll() is None:
            server.kill()


class Server:
    """`cardroom serve` in a process of its own."""

    def __init__(self, folder: Path, *options: str, quick_from: str | None = None) -> None:
        self.database = f"sqlite:///{folder / 'room.sqlite3'}"
        serve = [str(Path(sys.executable).with_name("cardroom")), "serve", "--port", "0"]
        command, cwd = [*serve, "--database", self.database, *options], folder
        if quick_from is not None:
            quick = [sys.executable, "-m", "tests.web.quick_clock", str(folder), quick_from]
            command, cwd = quick, Path(__file__).parents[2]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, cwd=cwd, text=True)
        RUNNING.append(self)
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        self.url = self.said.split()[-1]
        until(self._answers)

    def _answers(self) -> bool:
        assert self.process.poll() is None, "the server has ended"
        try:
            # Not the lobby, which has the figures of all games computed for servers that live for seconds.
            return httpx.get(f"{self.url}/api/v1/session", timeout=300).status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> str:
        """Stop it as a power cut would; what it had said."""
        os.kill(self.process.pid, signal.SIGKILL)
        _, said = self.process.communicate()
        return self.said + said


def until(happened: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 300
    while not (found := happened()):
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.02)
    return found


@pytest.mark.requirement("R-44", "R-48")
def test_a_killed_server_comes_back_with_the_same_state_and_the_money_balances(tmp_path: Path) -> None:
    server = Server(tmp_path, "--demo")
    with httpx.Client(base_url=server.url, timeout=300) as guest:
        guest.headers["X-CSRF-Token"] = guest.get("/api/v1/session").json()["csrf"]
        key = iter({"Idempotency-Key": f"kill-{number:06d}"} for number in range(100))
        until(lambda: guest.get("/api/v1/knockout-21/draws").json().get("on_sale"))
        bought = until(lambda: _bought(guest, next(key)))
        until(lambda: guest.get("/api/v1/tables/rowan").json()["shoe"]["commitment"])
        body = {"stake_cents": 1000, "side": {"match-up": 500}}
        assert (
            guest.put("/api/v1/tables/rowan/spots/2/wagers", json=body, headers=next(key)).status_code == 200
        )
        guest.post("/api/v1/tables/rowan/deal")

        def settled() -> Any:
            view = guest.get("/api/v1/tables/rowan").json()
            return view if view["you"]["options"] or (view["last"] and view["phase"] == "wagers") else None

        before = until(settled)
        chips = guest.get("/api/v1/session").json()["chips_cents"]
        assert "shown this once" in server.kill()

        server = Server(tmp_path, "--demo")
        guest.base_url = server.url
        after = until(settled)
        for name in ("round", "turn", "step", "spots", "shoe"):
            assert after[name] == before[name], name
        assert guest.get("/api/v1/session").json()["chips_cents"] == chips
        tickets = until(lambda: guest.get("/api/v1/knockout-21/tickets").json().get("tickets"))
        assert [ticket["id"] for ticket in tickets] == [ticket["id"] for ticket in bought["tickets"]]
        assert "password" not in server.kill()  # the first password is shown once
    with open_database(server.database, SystemClock()) as database, database.read() as connection:
        assert ledger_faults(connection) == []
        assert sum(all_balances(connection).values()) == 0


DRAWS = "/api/v1/knockout-21/draws"
NOON = "2025-06-14T19:00:05+00:00"
EVENTS_SEEN = 20


@pytest.mark.requirement("R-15", "R-44")
@pytest.mark.parametrize("moment", ["sealed and not drawn", "on the wall"])
def test_a_draw_goes_on_with_the_same_cards_after_the_server_was_killed(tmp_path: Path, moment: str) -> None:
    server = Server(tmp_path, quick_from=NOON)
    with httpx.Client(base_url=server.url, timeout=300) as guest:
        guest.headers["X-CSRF-Token"] = guest.get("/api/v1/session").json()["csrf"]
        key = iter({"Idempotency-Key": f"kill-{number:06d}"} for number in range(1000))
        while True:
            until(lambda: guest.get(DRAWS).json().get("on_sale"))
            ticket = until(lambda: _bought(guest, next(key)))["tickets"][0]
            number, seen = ticket["draw"], []
            if moment == "on the wall":
                seen = _seen_of(server, number)
            else:
                until(partial(_is_sealed, server, number))
            server.kill()
            before = _draw(server, number)
            server = Server(tmp_path, quick_from=_last_moment(server))
            guest.base_url = server.url
            until(lambda: guest.get(DRAWS).status_code == 200)
            if seen or before.status == "sealed":
                break  # it was killed in that very moment; else it comes again with the next draw
        assert guest.get(f"{DRAWS}/{number}").status_code == 404  # the wall has not shown all of it
        last = f"{number}.{len(seen)}" if seen else None
        told = watched(server.url, last=last, enough=lambda told: _is_over(told[-1], number))
        rest = [event for event in told if event["draw"] == number]
        assert [event["index"] for event in (*seen, *rest)] == list(range(len(seen) + len(rest)))
        after = until(lambda: _found(guest.get(f"{DRAWS}/{number}")))
        assert after["commitment"] == before.commitment
        assert after["root"] == before.root
        assert before.cards in (None, after["cards"])
        assert (before.cards is None) == (moment != "on the wall")
        hits = [event["card"] for event in (*seen, *rest) if event["kind"] == "hit"]
        assert hits == [str(position.hit) for position in Draw.parse(after["cards"]).positions]
        assert verify_draw(guest.get(f"{DRAWS}/{number}/record").text).findings == ()

        chips = guest.get("/api/v1/session").json()["chips_cents"]
        # Its buyer never chose: the close has printed it with the charts' choices (KO21-2.8).
        issued = guest.get(f"/api/v1/knockout-21/tickets/{ticket['id']}").json()
        claim = {"control_number": issued["control_number"], "code": issued["code"]}
        paid = guest.post("/api/v1/knockout-21/claims", json=claim, headers=next(key)).json()
        won = paid["prize_cents"] if paid["verdict"] == "prize" else 0
        assert guest.get("/api/v1/session").json()["chips_cents"] == chips + won
        server.kill()
    with open_database(server.database, SystemClock()) as database, database.read() as connection:
        drawn = [one for one in records(connection, kinds=["DrawDrawn"]) if one.content["draw"] == number]
        assert len(drawn) == 1
        assert list(check_chain(records(connection))) == []
        assert ledger_faults(connection) == []
        assert sum(all_balances(connection).values()) == 0


def _seen_of(server: Server, number: int) -> list[dict[str, Any]]:
    """The first events of a draw on the wall; none where it was on the wall before anybody looked."""

    def enough(told: list[dict[str, Any]]) -> bool:
        return (told[-1]["draw"], told[-1]["index"]) >= (number, EVENTS_SEEN - 1)

    seen = [event for event in watched(server.url, enough=enough) if event["draw"] == number]
    return seen if [event["index"] for event in seen] == list(range(EVENTS_SEEN)) else []


def watched(
    url: str, *, enough: Callable[[list[dict[str, Any]]], bool], last: str | None = None
) -> list[dict[str, Any]]:
    """What a screen is told of a draw, from where it was on."""
    told: list[dict[str, Any]] = []
    headers = {"Last-Event-ID": last} if last else {}
    deadline = time.monotonic() + 240
    with httpx.stream("GET", f"{url}/api/v1/knockout-21/monitor", headers=headers, timeout=300) as stream:
        event = ""
        for line in stream.iter_lines():
            assert time.monotonic() < deadline, "it is not shown"
            name, _, value = line.partition(": ")
            if name == "event":
                event = value
            elif name == "data" and event == "draw":
                told.append(json.loads(value))
                if enough(told):
                    return told
    raise AssertionError("the wall went dark")


def _is_over(event: dict[str, Any], draw: int) -> bool:
    return bool(event["draw"] == draw and event["kind"] == "settled")


def _draw(server: Server, number: int) -> DrawRow:
    with open_database(server.database, SystemClock()) as database, database.read() as connection:
        found = find_draw(connection, number)
    assert found is not None
    return found


def _is_sealed(server: Server, number: int) -> bool:
    """Whether it is, or was and is drawn by now."""
    return _draw(server, number).status not in ("committed", "open", "closed")


def _last_moment(server: Server) -> str:
    """When the log was written last, by the server's clock: it stood still since."""
    with open_database(server.database, SystemClock()) as database, database.read() as connection:
        return max(record.at for record in records(connection))


def _found(answer: httpx.Response) -> Any:
    return answer.json() if answer.status_code == 200 else None


def _bought(guest: httpx.Client, key: dict[str, str]) -> Any:
    answer = guest.post("/api/v1/knockout-21/purchases", json={}, headers=key)
    return answer.json() if answer.status_code == 201 else None


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [str(Path(sys.executable).with_name("cardroom")), "serve", "--port", port]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert f"port {port}" in done.stderr


def test_an_interrupt_closes_the_room_without_a_word(tmp_path: Path) -> None:
    server = Server(tmp_path)
    until(lambda: httpx.get(f"{server.url}/api/v1/games", timeout=300).status_code == 200)
    server.process.send_signal(signal.SIGINT)
    _, said = server.process.communicate(timeout=300)
    assert "Traceback" not in said
    assert server.process.returncode in (0, 130)
