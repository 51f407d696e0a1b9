"""How long a house takes to open, by how much has happened in it.

`python -m bench.startup` makes houses whose logs hold about as many records as are asked for: games of
Knockout 52, beyond twenty thousand records players, thirty thousand of them, who come and go, and beyond a
hundred thousand regulars who read how long they have played. Then it starts the server on each: once after
the checkpoint was lost, so that the whole log is read, then as every day, several times. Reported are the
seconds from the start of the process to the first page, and the server's memory then; both beside those of
an empty house, in one run.
"""

from __future__ import annotations

import argparse
import http.client
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path

from bench.sales import wait_until_idle
from cardroom.records.players import RealityChecked
from cardroom.store.plan import Entry
from cardroom.store.unit import Unit
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.web.house import House
from cardroom.web.settings import Settings, key_for

HOST = "127.0.0.1"
SIZES = (0, 1_000, 100_000, 2_000_000)
STARTS = 5
AIM_SECONDS, AIM_MEMORY = 1.5, 1.2
_GAMES_PER_COMMIT = 5
_RECORDS_PER_COMMIT = 5_000
_RECORDS_OF_GAMES = 20_000
_RECORDS_OF_GUESTS = 100_000
_PLAYERS = 30_000
_REGULARS = 200
_WAIT_SECONDS = 900
_PLAYERS_PER_GAME = 3


class _Clock:
    """A clock that goes a little further with every game."""

    def __init__(self) -> None:
        self.moment = datetime(2025, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment


def fill(database: str, records: int) -> int:
    """Let a house live until its log has so many records; how many it has then."""
    clock = _Clock()
    house = House(Settings(database, key_for(database), lottery=False), clock=clock)
    own = house.database.engine.raw_connection()  # the writer has one connection
    own.cursor().execute("PRAGMA synchronous=OFF")
    own.close()
    numbers = count()
    while (left := min(records, _RECORDS_OF_GUESTS) - house.memory.head.seq) > 0:
        # Many records in one commit: memory follows at once, since each card depends on the one before it.
        house.database.follow(lambda _records: None, after=house.memory.head.seq)
        life = _play if house.memory.head.seq < _RECORDS_OF_GAMES else _come_and_go
        house.database.write(partial(life, house, clock, numbers, left))
        if next(numbers) % 10 == 0:
            house.checkpoints.save(house.memory.head, house.memory.take_changed())
            house.memory.let_go()
    seq = house.memory.head.seq
    house.checkpoints.discard()
    while seq < records:
        clock.moment += timedelta(hours=1)
        seq = house.database.write(partial(_read_on, min(records - seq, _RECORDS_PER_COMMIT)))
    house.database.close()
    return seq


def _play(house: House, clock: _Clock, numbers: Iterator[int], _left: int, unit: Unit) -> None:
    """Some games of Knockout 52, each with players who are new or come again after a long time."""
    table = house.tables.find(Knockout52Table, "willow")

    def record(entries: Sequence[Entry]) -> None:
        for entry in entries:
            house.memory.apply(unit.record(entry.record, entry.moves, entry.about))

    for _ in range(_GAMES_PER_COMMIT):
        number = next(numbers)
        clock.moment += timedelta(seconds=60)
        for seat in range(_PLAYERS_PER_GAME):
            identity = f"{1 + (number * _PLAYERS_PER_GAME + seat) % _PLAYERS:032x}"
            record(house.players.welcome(house.player(identity)))
            record(house.players.take_chips(house.player(identity), 10_00, clock.moment).entries[-1:])
            stakes = {"round-1": 5_00, "all-the-way": 1_00}
            record(table.place(house.tables.purse(identity), stakes).entries)
        record(table.step(house.tables.purse, clock.moment).entries)
        while table.dealing:
            record(table.step(house.tables.purse, clock.moment).entries)


def _come_and_go(house: House, clock: _Clock, numbers: Iterator[int], left: int, unit: Unit) -> None:
    """Players who come, take chips, and read how long they have played."""
    for _ in range(min(left, _RECORDS_PER_COMMIT) // 3 + 1):
        clock.moment += timedelta(seconds=2)
        player = house.player(f"{1 + next(numbers) % _PLAYERS:032x}")
        entries = [
            *house.players.welcome(player),
            *house.players.take_chips(player, 1_00, clock.moment).entries[-1:],
            *house.players.set_reality_minutes(player, 30).entries,
            *house.players.acknowledge(player).entries,
        ]
        for entry in entries:
            house.memory.apply(unit.record(entry.record, entry.moves, entry.about))


def _read_on(number: int, unit: Unit) -> int:
    """Regulars read how long they have played; written as it would be, and heard by nobody yet."""
    for place in range(number):
        unit.record(RealityChecked(player=f"{1 + place % _REGULARS:032x}", net_cents=0))
    return unit.head.seq


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def start(database: str, *, until_idle: bool = False) -> tuple[float, float, float]:
    """Start the server: seconds to its first page, its memory in MB then, and the CPU seconds it took.

    `until_idle` lets it live until all that it does beside its pages is done, at any hour: the lottery reads
    the log for itself, and the figures of all games are computed once.
    """
    port = free_port()
    command = [str(Path(sys.executable).with_name("cardroom")), "serve", "--port", str(port)]
    command += ["--database", database]
    begin = time.perf_counter()
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while True:
            try:
                connection = http.client.HTTPConnection(HOST, port, timeout=5)
                connection.request("GET", "/")
                if connection.getresponse().status == http.client.OK:
                    break
            except OSError:
                if server.poll() is not None or time.perf_counter() - begin > _WAIT_SECONDS:
                    raise RuntimeError("the server did not start") from None
                time.sleep(0.01)
        taken = time.perf_counter() - begin
        memory, worked = _resident_mb(server.pid), _cpu_seconds(server.pid)
        if until_idle:
            wait_until_idle(server)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(60)
    return taken, memory, worked


def _resident_mb(process: int) -> float:
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _cpu_seconds(process: int) -> float:
    """What the process itself has worked, whatever else the machine had to do."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Fill, start and report; 1 where an aim is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="*", default=list(SIZES))
    parser.add_argument("--folder", help="keep the houses here, and use those that are here already")
    arguments = parser.parse_args()
    sizes = arguments.records
    missed = False
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or temporary
        empty: tuple[float, float, float] | None = None
        for size in sorted({0, *sizes}):
            database = f"sqlite:///{folder}/{size}.sqlite3"
            if not Path(folder, f"{size}.sqlite3").exists():
                begin = time.perf_counter()
                records = fill(database, size)
                print(f"{records:>9,} records, made in {time.perf_counter() - begin:.0f} s", flush=True)
            else:
                print(f"{size:>9,} records, made before", flush=True)
            rebuilt, _, _ = start(database, until_idle=True)  # it reads all records
            starts = [start(database) for _ in range(STARTS)]
            seconds, memory, worked = (statistics.median(figures) for figures in zip(*starts, strict=True))
            empty = empty or (seconds, memory, worked)
            times, more, work = seconds / empty[0], memory / empty[1], worked / empty[2]
            missed |= times > AIM_SECONDS or more > AIM_MEMORY
            print(
                f"          first page after {seconds:.2f} s ({times:.2f} times an empty house, aim "
                f"{AIM_SECONDS}), {worked:.2f} s of CPU ({work:.2f} times), "
                f"memory {memory:.0f} MB ({more:.2f} times, aim {AIM_MEMORY}); "
                f"with the whole log to read {rebuilt:.1f} s",
                flush=True,
            )
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
