"""How the card room holds up under load: seated players who act, and screens that watch the wall.

`python -m bench.web` starts a server of its own on a free port, as `cardroom serve --demo` would. Players sit
at tables of five with a live connection each, as their pages have; asked for a wager or a decision they think
for one to three seconds, and then do it. Screens read the wall. Players and screens are processes of their
own. Reported are the times of actions as players see them, how late news came to tables and screens, what the
server and the clients worked, how late their event loops were, and the server's memory every ten seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import multiprocessing
import os
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from array import array
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.web_clients import HOST, Seen, Window, lateness, play, watch
from cardroom.web.live.tables import MOST_PRIVATE_TABLES_OF_ONE

ACTION_AIM_MS = 150
NEWS_AIM_MS = 500
OPEN_FILES = 8192
MEMORY_EVERY_SECONDS = 10.0
_CONNECTIONS_PER_SECOND = 250


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of the server."""

    players: int = 200
    monitors: int = 1000
    seats: int = 5
    """Players at each table."""
    seconds: float = 60.0
    warm_up_seconds: float = 60.0
    """How long everybody plays before it counts; the first draw falls into this time or soon after."""
    think_seconds: tuple[float, float] = (1.0, 3.0)
    card_seconds: float = 0.3
    """The dealer's pace; the house's own is 0.65."""
    server_cores: tuple[int, ...] = ()
    """The cores that the server keeps to; all when none is named."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was measured while it counted."""

    load: Load
    start_up_seconds: float
    lobby_seconds: float
    players: Seen
    screens: Seen
    server_cpu_seconds: float
    server_lag: list[float]
    memory_mb: list[tuple[float, float]]
    """Seconds since the clients began, and the server's resident memory then."""

    @property
    def broken(self) -> int:
        return self.players.broken + self.screens.broken

    def lines(self) -> Iterator[str]:
        load, players, screens = self.load, self.players, self.screens
        requests, seconds = len(players.answers), load.seconds
        yield f"start-up to the first page: {self.start_up_seconds:.2f} s (aim: under 3 s)"
        yield f"the lobby from a warm server: {self.lobby_seconds * 1000:.0f} ms (aim: under 500 ms)"
        yield (
            f"{load.players} players at tables of {load.seats}, thinking {load.think_seconds[0]:g} to "
            f"{load.think_seconds[1]:g} s, for {seconds:.0f} s: {requests} requests "
            f"({requests / seconds:.0f} a second), {players.decisions} decisions, {players.refused} refused"
        )
        yield f"  actions: {told(players.answers)} (aim: p99 under {ACTION_AIM_MS} ms)"
        yield f"  news of the tables: {len(players.news) / seconds:.0f} a second, {told(players.news)}"
        yield f"{load.monitors} screens: {len(screens.news) / seconds:.0f} pieces of news a second"
        yield f"  news of the wall: {told(screens.news)} (aim: p99 under {NEWS_AIM_MS} ms)"
        yield f"lines that broke: {self.broken}"
        for who, cpu, lag in (
            ("the server", self.server_cpu_seconds, self.server_lag),
            ("the players", players.cpu_seconds, players.lag),
            ("the screens", screens.cpu_seconds, screens.lag),
        ):
            work = f"{cpu:.1f} CPU-seconds ({cpu / seconds:.0%} of a core)"
            yield f"{who}: {work}, event loop late by {told(lag)}"
        each = 1000 * self.server_cpu_seconds / max(1, requests)
        yield f"the server's work for each request, all news included: {each:.1f} ms"
        counted = [(at, mb) for at, mb in self.memory_mb if at >= load.warm_up_seconds]
        if len(counted) > 1:
            values = [mb for _, mb in counted]
            yield (
                f"memory of the server: {self.memory_mb[0][1]:.0f} MB before, {values[0]:.0f} MB warm, "
                f"{values[-1]:.0f} MB at the end, {slope(counted) * 60:+.2f} MB a minute"
            )
        later = counted[len(counted) // 2 :]
        if len(later) > 2:
            yield f"  in the second half {slope(later) * 60:+.2f} MB a minute"


def told(values: Sequence[float]) -> str:
    """A distribution of seconds in a few words."""
    if not values:
        return "nothing"
    ordered = sorted(values)
    median, p99 = (1000 * ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.99))
    return f"median {median:.1f} ms, p99 {p99:.1f} ms, most {1000 * ordered[-1]:.0f} ms"


def slope(points: Sequence[tuple[float, float]]) -> float:
    """The least-squares slope of points."""
    return statistics.linear_regression([x for x, _ in points], [y for _, y in points]).slope


def serve(listening: int, folder: str, load: Load) -> None:
    """The server's own process; how late its event loop was is left in the folder."""
    import uvicorn

    from cardroom.web import figures
    from cardroom.web.app import create_app
    from cardroom.web.server import BACKLOG, config_of
    from cardroom.web.settings import Settings

    if load.server_cores:
        os.sched_setaffinity(0, load.server_cores)
    settings = Settings(
        database=f"sqlite:///{folder}/bench.sqlite3",
        key=bytes(32),
        demo=True,
        card_seconds=load.card_seconds,
        requests_per_second=1e6,  # all clients come from one address here
        burst_requests=10**6,
        changes_per_second=1e6,
        burst_creations=10**6,
        burst_tables=10**6,
        most_streams_per_address=10**6,
        most_connections_per_address=10**6,
    )
    config = config_of(create_app(settings), settings)
    moments, lag = array("d"), array("d")  # compact: the server's memory is measured

    def noted(at: float, seconds: float) -> None:
        moments.append(at)
        lag.append(seconds)

    async def serving() -> None:
        late = asyncio.create_task(lateness(noted))
        with socket.socket(fileno=listening) as listener:
            listener.listen(BACKLOG)
            await uvicorn.Server(config).serve([listener])
        late.cancel()

    signal.signal(
        signal.SIGTERM, signal.SIG_IGN
    )  # the server minds it, and raises it again when it has stopped
    with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
        runner.run(serving())
    figures.stop()
    Path(folder, "lag.json").write_text(json.dumps(list(zip(moments, lag, strict=True))), "utf-8")


@contextmanager
def server(load: Load, listener: socket.socket, folder: str) -> Iterator[subprocess.Popen[bytes]]:
    """The server while the block lasts, at a port that is open already."""
    command = [sys.executable, "-m", "bench.web", "--serve", str(listener.fileno()), folder]
    command += ["--card-seconds", str(load.card_seconds)]
    if load.server_cores:
        command += ["--server-cores", ",".join(map(str, load.server_cores))]
    process = subprocess.Popen(command, cwd=Path(__file__).parents[1], pass_fds=[listener.fileno()])
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def get(port: int, path: str) -> bytes:
    """One page, by a visitor of its own."""
    line = http.client.HTTPConnection(HOST, port, timeout=60)
    try:
        line.request("GET", path)
        return line.getresponse().read()
    finally:
        line.close()


def seconds_of_page(port: int) -> float:
    begin = time.perf_counter()
    get(port, "/")
    return time.perf_counter() - begin


def wait_for_page(port: int, process: subprocess.Popen[bytes]) -> None:
    while True:
        try:
            get(port, "/")
            return
        except OSError:
            if process.poll() is not None:
                raise SystemExit("the server does not start") from None
            time.sleep(0.02)


def new_visitor(line: http.client.HTTPConnection) -> dict[str, str]:
    """The headers of somebody who has not been here before."""
    line.request("GET", "/api/v1/session")
    answer = line.getresponse()
    cookie = (answer.getheader("Set-Cookie") or "").split(";")[0]
    return {
        "Cookie": cookie,
        "X-CSRF-Token": json.loads(answer.read())["csrf"],
        "Content-Type": "application/json",
    }


def open_tables(port: int, count: int) -> list[str]:
    """Private tables of blackjack, as many of a visitor's own as the house lets one have."""
    line = http.client.HTTPConnection(HOST, port, timeout=60)
    headers: dict[str, str] = {}
    tables = []
    for number in range(count):
        if number % MOST_PRIVATE_TABLES_OF_ONE == 0:
            headers = new_visitor(line)
        headers["Idempotency-Key"] = f"table-{number:06d}"
        line.request("POST", "/api/v1/tables", json.dumps({"game": "blackjack"}), headers)
        answer = line.getresponse()
        content = json.loads(answer.read())
        if answer.status != http.HTTPStatus.CREATED:
            raise SystemExit(f"no table: {content}")
        tables.append(content["table"])
    line.close()
    while not json.loads(get(port, "/api/v1/knockout-21/draws")).get("on_sale"):
        time.sleep(0.2)
    return tables


def memory_of(process: int) -> float:
    """The resident memory of a process in MB."""
    for line in Path(f"/proc/{process}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


def cpu_of(process: int) -> float:
    """The CPU-seconds of a process so far, its own and the system's for it."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sleep_until(moment: float) -> None:
    time.sleep(max(0.0, moment - time.time()))


def measure(load: Load, *, out: bool = False) -> Report:
    """Run the load against a server of its own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, OPEN_FILES)), hard))
    with (
        socket.create_server((HOST, 0)) as listener,
        tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder,
    ):
        port = listener.getsockname()[1]
        begun = time.perf_counter()
        with server(load, listener, folder) as process:
            wait_for_page(port, process)
            start_up = time.perf_counter() - begun
            lobby = statistics.median(seconds_of_page(port) for _ in range(9))
            tables = open_tables(port, -(-load.players // load.seats))
            seats = [(tables[n // load.seats], 1 + n % load.seats) for n in range(load.players)]
            first = time.time()
            begin = first + load.warm_up_seconds
            window = Window(port, begin, begin + load.seconds)
            spawn = multiprocessing.get_context("spawn")
            with ProcessPoolExecutor(2, mp_context=spawn) as pool:
                screens = pool.submit(watch, window, load.monitors)
                players = pool.submit(play, window, seats, load.think_seconds)
                memory = [(0.0, memory_of(process.pid))]
                cpu = 0.0
                every = min(MEMORY_EVERY_SECONDS, load.seconds / 4)
                moments = {first + every * n for n in range(1, int((window.until - first) / every))}
                for moment in sorted(moments | {window.begin, window.until}):
                    sleep_until(moment)
                    memory.append((moment - first, memory_of(process.pid)))
                    if moment == window.begin:
                        cpu = cpu_of(process.pid)
                    if out:
                        print(
                            f"  {memory[-1][0]:4.0f} s: {memory[-1][1]:.0f} MB", file=sys.stderr, flush=True
                        )
                cpu = cpu_of(process.pid) - cpu
                seen_by_players, seen_by_screens = players.result(), screens.result()
        # The system's clock and the monotonic one differ by this much.
        ahead = time.time() - time.monotonic()
        lag = [
            seconds
            for at, seconds in json.loads(Path(folder, "lag.json").read_text("utf-8"))
            if window.begin <= at + ahead < window.until
        ]
    return Report(load, start_up, lobby, seen_by_players, seen_by_screens, cpu, lag, memory)


def main() -> int:
    usual = Load()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=usual.players)
    parser.add_argument("--monitors", type=int, default=usual.monitors)
    parser.add_argument("--seats", type=int, default=usual.seats, help="players at each table")
    parser.add_argument("--seconds", type=float, default=usual.seconds, help="how long it counts")
    parser.add_argument("--minutes", type=float, help="the same in minutes")
    parser.add_argument(
        "--warm-up", type=float, default=usual.warm_up_seconds, help="seconds before it counts"
    )
    parser.add_argument("--card-seconds", type=float, default=usual.card_seconds, help="the dealer's pace")
    parser.add_argument("--server-cores", default="", help="cores the server keeps to, such as 0,1")
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    load = Load(
        players=given.players,
        monitors=given.monitors,
        seats=given.seats,
        seconds=60 * given.minutes if given.minutes else given.seconds,
        warm_up_seconds=given.warm_up,
        card_seconds=given.card_seconds,
        server_cores=tuple(int(core) for core in given.server_cores.split(",") if core),
    )
    if given.serve:
        serve(int(given.serve[0]), given.serve[1], load)
        return 0
    print(f"load average before: {os.getloadavg()[0]:.2f}")
    report = measure(load, out=True)
    for line in report.lines():
        print(line)
    if report.broken:
        print("lines broke: these are not the figures of the whole load", file=sys.stderr)
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
