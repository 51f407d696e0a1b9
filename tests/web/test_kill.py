"""The server as the command line starts it, killed in mid-round with a draw on sale, and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

from cardroom.lottery.clock import SystemClock
from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.store.migrate import open_database


class Server:
    """`cardroom serve` in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.database = f"sqlite:///{folder / 'room.sqlite3'}"
        command = [str(Path(sys.executable).with_name("cardroom")), "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--database", self.database, *options], stderr=subprocess.PIPE, cwd=folder, text=True
        )
        until(self._answers)

    def _answers(self) -> bool:
        assert self.process.poll() is None, "the server has ended"
        try:
            return httpx.get(self.url).status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> str:
        """Stop it as a power cut would; what it had said."""
        os.kill(self.process.pid, signal.SIGKILL)
        _, said = self.process.communicate()
        return said


def until(happened: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 60
    while not (found := happened()):
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.02)
    return found


@pytest.mark.requirement("R-44", "R-48")
def test_a_killed_server_comes_back_with_the_same_state_and_the_money_balances(tmp_path: Path) -> None:
    server = Server(tmp_path, "--demo")
    with httpx.Client(base_url=server.url, timeout=30) as guest:
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


def _bought(guest: httpx.Client, key: dict[str, str]) -> Any:
    answer = guest.post("/api/v1/knockout-21/purchases", json={}, headers=key)
    return answer.json() if answer.status_code == 201 else None


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [str(Path(sys.executable).with_name("cardroom")), "serve", "--port", port]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert f"port {port}" in done.stderr


def test_an_interrupt_closes_the_room_without_a_word(tmp_path: Path) -> None:
    server = Server(tmp_path)
    until(lambda: httpx.get(f"{server.url}/api/v1/games").status_code == 200)
    server.process.send_signal(signal.SIGINT)
    _, said = server.process.communicate(timeout=60)
    assert "Traceback" not in said
    assert server.process.returncode in (0, 130)
