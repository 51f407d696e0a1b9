"""What a player notices while somebody else attacks the house at full rate.

`python -m bench.hostile` starts `cardroom serve --demo` in a process of its own. Players at one address place
wagers at Knockout 52 at a steady pace and have tickets checked; an attacker at another address does his worst
meanwhile, in a process of his own on the same machine. Reported is how long the players' requests took, alone
and under each attack.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.sales import wait_until_idle
from bench.web import wait_for_page
from bench.web_clients import HOST

AIM_MS = 300
PLAYER, ATTACKER = "127.0.0.1", "127.0.0.2"
WAGERS_A_SECOND = 10
PLAYERS = 3
CHECK_EVERY = 5
"""Every so many wagers a ticket is checked instead."""
HALF_OPEN = 1_100
_LOW_LIMIT = "the system allows few open files; see `ulimit -n`"


@dataclass
class Visitor:
    """Somebody with a cookie and a connection."""

    port: int
    address: str
    headers: dict[str, str] = field(default_factory=dict)
    keys: int = 0

    def __post_init__(self) -> None:
        self._line: http.client.HTTPConnection | None = None
        status, body, cookie = self.ask("GET", "/api/v1/session")
        while status == http.client.TOO_MANY_REQUESTS:
            time.sleep(0.2)
            status, body, cookie = self.ask("GET", "/api/v1/session")
        self.headers["Cookie"] = cookie.split(";")[0]
        self.headers["X-CSRF-Token"] = json.loads(body)["csrf"]

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, bytes, str]:
        """One request; status, answer and cookie."""
        if self._line is None:
            self._line = http.client.HTTPConnection(
                HOST, self.port, timeout=60, source_address=(self.address, 0)
            )
        self.keys += 1
        own = {"Idempotency-Key": f"hostile-{id(self)}-{self.keys:08d}", "Content-Type": "application/json"}
        try:
            text = None if body is None else json.dumps(body)
            self._line.request(method, path, text, {**self.headers, **own, **headers})
            answer = self._line.getresponse()
            return answer.status, answer.read(), answer.headers.get("Set-Cookie", "")
        except (OSError, http.client.HTTPException):
            self._line.close()
            self._line = None
            raise

    def hang_up_on(self, method: str, path: str, body: Any) -> None:
        """Ask, and do not wait for the answer."""
        line = http.client.HTTPConnection(HOST, self.port, timeout=60, source_address=(self.address, 0))
        headers = {**self.headers, "Content-Type": "application/json"}
        line.request(method, path, json.dumps(body), headers)
        time.sleep(0.05)
        line.close()


def strange_options() -> dict[str, Any]:
    """House options that nobody has asked for before."""
    limit = random.randrange(5, 5000)
    return {"game": "blackjack", "options": {"limits.max": limit, "decks": random.choice((1, 2, 4, 6, 8))}}


def simulations(port: int) -> None:
    visitor = Visitor(port, ATTACKER)
    seed = random.randrange(10**6)
    visitor.ask("GET", f"/api/v1/lab/simulation?game=blackjack&rounds=20000000&seed={seed}")


def log_ins(port: int) -> None:
    visitor = Visitor(port, ATTACKER)
    while True:
        credentials = {"name": f"operator{random.randrange(3)}", "password": "a guess of mine"}
        visitor.ask("POST", "/api/v1/operations/login", credentials)


def figures(port: int) -> None:
    visitor = Visitor(port, ATTACKER)
    while True:
        visitor.hang_up_on("POST", "/api/v1/lab/figures", strange_options())


def sheets(port: int) -> None:
    visitor = Visitor(port, ATTACKER)
    while True:
        limit = random.randrange(5, 5000)
        visitor.hang_up_on("GET", f"/api/v1/lab/par/spanish-21.pdf?set=limits.max={limit}", {})


def forged_cookies(port: int) -> None:
    line = http.client.HTTPConnection(HOST, port, timeout=60, source_address=(ATTACKER, 0))
    while True:
        line.request("GET", "/api/v1/session", headers={"Cookie": f"cardroom_guest={random.random()}.00"})
        line.getresponse().read()


def guests(port: int) -> None:
    while True:
        visitor = Visitor(port, ATTACKER)
        for _ in range(20):
            visitor.ask("POST", "/api/v1/session/chips", {"cents": 10_000})
            visitor.ask("PUT", "/api/v1/session/limits", {"kind": "loss", "period": "day", "value": 10_000})


def private_tables(port: int) -> None:
    visitor = Visitor(port, ATTACKER)
    while True:
        visitor.ask("POST", "/api/v1/tables", {"game": "blackjack", "options": {}})
        visitor.ask("POST", "/api/v1/knockout-52/tables", {"decks": 8})


def papers(port: int) -> None:
    """A guest with one ticket, who asks for its paper again and again."""
    visitor = Visitor(port, ATTACKER)
    _, body, _ = visitor.ask("POST", "/api/v1/knockout-21/purchases", {})
    purchase = json.loads(body)
    path = f"/api/v1/knockout-21/purchases/{purchase['purchase']}/choices"
    visitor.ask("POST", path, {})
    ticket = purchase["tickets"][0]["id"]
    while True:
        for form in ("png", "pdf"):
            visitor.hang_up_on("GET", f"/api/v1/knockout-21/tickets/{ticket}/paper.{form}", {})


def guides(port: int) -> None:
    visitor = Visitor(port, ATTACKER)
    while True:
        limit = random.randrange(5, 5000)
        visitor.hang_up_on("GET", f"/how/spanish-21?set=limits.max={limit}", {})


def wagers(port: int) -> None:
    visitor = Visitor(port, ATTACKER)
    while True:
        stakes = {"stakes": {"round-1": 100 * random.randrange(1, 6)}}
        visitor.ask("PUT", "/api/v1/knockout-52/tables/willow/wagers", stakes)


def nonsense_numbers(port: int) -> None:
    visitor = Visitor(port, ATTACKER)
    while True:
        number = {"control_number": f"{random.randrange(10**20):020d}"}
        visitor.ask("POST", "/api/v1/knockout-21/check", number)


def half_open(port: int) -> None:
    lines = []
    for _ in range(HALF_OPEN // 10):
        line = socket.create_connection((HOST, port), source_address=(ATTACKER, 0))
        line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        lines.append(line)
    time.sleep(3600)


ATTACKS: dict[str, tuple[Callable[[int], None], int]] = {
    "simulations": (simulations, 90),
    "log-ins": (log_ins, 40),
    "figures, hung up": (figures, 40),
    "PAR sheets, hung up": (sheets, 20),
    "forged cookies": (forged_cookies, 10),
    "guests, chips, limits": (guests, 20),
    "private tables": (private_tables, 10),
    "papers of a ticket": (papers, 20),
    "how-to of new rules": (guides, 20),
    "changes of wagers": (wagers, 12),
    "nonsense numbers": (nonsense_numbers, 12),
    "half-open requests": (half_open, 10),
}
"""What the attacker does, and how many times at once."""


def attack(work: Callable[[int], None], times: int, port: int) -> None:
    """The life of the attacker: he goes on whatever he is told."""

    def again_and_again() -> None:
        while True:
            try:
                work(port)
            except (OSError, http.client.HTTPException, ValueError, KeyError):
                time.sleep(0.01)

    threads = [threading.Thread(target=again_and_again, daemon=True) for _ in range(times)]
    for thread in threads:
        thread.start()
    threads[0].join()


def play(players: list[Visitor], seconds: float) -> list[float]:
    """Wagers and checks at a steady pace, and how long each took, in milliseconds."""
    took = []
    begin = time.perf_counter()
    for number in range(int(seconds * WAGERS_A_SECOND)):
        time.sleep(max(0.0, begin + number / WAGERS_A_SECOND - time.perf_counter()))
        player = players[number % len(players)]
        start = time.perf_counter()
        if number % CHECK_EVERY == 0:
            claim = {"control_number": "0" * 20}
            status, body, _ = player.ask("POST", "/api/v1/knockout-21/check", claim)
        else:
            stakes = {"stakes": {"round-1": 100 * (1 + number % 5)}}
            status, body, _ = player.ask("PUT", "/api/v1/knockout-52/tables/heron/wagers", stakes)
        took.append(1000 * (time.perf_counter() - start))
        if status != http.client.OK:
            raise RuntimeError(f"refused: {body.decode()}")
    return sorted(took)


def main() -> int:
    """Play alone, then under each attack; 1 where the aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0, help="under each attack")
    parser.add_argument("--attack", choices=list(ATTACKS), action="append")
    arguments = parser.parse_args()
    chosen = {name: ATTACKS[name] for name in arguments.attack or ATTACKS}
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        with socket.create_server((HOST, 0)) as free:
            port = free.getsockname()[1]
        command = [str(Path(sys.executable).with_name("cardroom")), "serve", "--demo", "--port", str(port)]
        server = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
        try:
            wait_for_page(port, server)
            wait_until_idle(server)
            players = [Visitor(port, PLAYER) for _ in range(PLAYERS)]
            for name, way in {"nobody": None, **chosen}.items():
                attacker = None
                if way is not None:
                    spawn = multiprocessing.get_context("spawn")
                    attacker = spawn.Process(target=attack, args=(*way, port), daemon=True)
                    attacker.start()
                    time.sleep(2)
                took = play(players, arguments.seconds)
                if attacker is not None:
                    attacker.kill()
                    attacker.join()
                median, late = took[len(took) // 2], took[int(len(took) * 0.99)]
                missed |= late > AIM_MS
                print(
                    f"{name:>22}: {len(took)} requests, median {median:5.1f} ms, p99 {late:6.1f} ms "
                    f"(aim {AIM_MS}), longest {took[-1]:6.1f} ms",
                    flush=True,
                )
        finally:
            server.terminate()
            server.wait()
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
