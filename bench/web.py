"""How the card room holds up under load: seated players who act, and screens that watch the wall.

A server of its own on a free port; players in this process sit at tables of five, place wagers, ask for the
deal and stand, each as soon as they may; monitors read the wall. Printed are the times of actions as clients
see them, how long after the first screen each other one was told, and the server's memory.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx2 as httpx

SEATS = 5


def serve(port: int, folder: str) -> None:
    """The server's own process."""
    import uvicorn

    from cardroom.web.app import create_app
    from cardroom.web.settings import Settings

    settings = Settings(
        database=f"sqlite:///{folder}/bench.sqlite3",
        key=bytes(32),
        port=port,
        demo=True,
        card_seconds=0.3,
        wager_seconds=3.0,
        requests_per_second=1e6,
        burst_requests=10**6,
    )
    uvicorn.run(create_app(settings), port=port, log_level="error", ws="websockets-sansio", backlog=4096)


def quantile(values: list[float], share: float) -> float:
    """A value that so many of all are below; milliseconds."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] * 1000 if values else float("nan")


def told(values: list[float]) -> str:
    return f"median {quantile(values, 0.5):.0f} ms, p99 {quantile(values, 0.99):.0f} ms"


async def request(
    client: httpx.AsyncClient, took: list[float], method: str, path: str, **content: object
) -> httpx.Response:
    begin = time.perf_counter()
    answer = await client.request(method, path, **content)  # type: ignore[arg-type]
    took.append(time.perf_counter() - begin)
    return answer


async def player(url: str, table: str, spot: int, until: float, took: list[float]) -> int:
    """One seated player: wagers, asks for the deal, stands."""
    limits = httpx.Limits(max_connections=2)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client:
        client.headers["X-CSRF-Token"] = (await client.get("/api/v1/session")).json()["csrf"]
        path, number, decided = f"/api/v1/tables/{table}", 0, 0

        def key() -> dict[str, str]:
            nonlocal number
            number += 1
            return {"Idempotency-Key": f"bench-{number:08d}"}

        while time.perf_counter() < until:
            view = (await client.get(path)).json()
            if view["you"]["options"]:
                offered = [option["action"] for option in view["you"]["options"]]
                action = "stand" if "stand" in offered else "no insurance"
                body = {"spot": view["turn"]["spot"], "action": action, "step": view["step"]}
                await request(client, took, "POST", f"{path}/actions", json=body, headers=key())
                decided += 1
            elif view["phase"] == "wagers" and not view["you"]["ready"]:
                body = {"stake_cents": 400}
                await request(client, took, "PUT", f"{path}/spots/{spot}/wagers", json=body, headers=key())
                await request(client, took, "POST", f"{path}/deal")
            await asyncio.sleep(0.5)
        return decided


async def monitor(url: str, until: float, seen: dict[str, list[float]]) -> None:
    """One screen: when each event of the wall came."""
    address = f"{url}/api/v1/knockout-21/monitor"
    async with httpx.AsyncClient(timeout=None) as client, client.stream("GET", address) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("id: "):
                seen.setdefault(line[4:], []).append(time.perf_counter())
            if time.perf_counter() > until:
                return


async def load(url: str, players: int, monitors: int, seconds: float) -> None:
    async with httpx.AsyncClient(base_url=url, timeout=60) as owner:
        owner.headers["X-CSRF-Token"] = (await owner.get("/api/v1/session")).json()["csrf"]
        tables = []
        for number in range(-(-players // SEATS)):
            headers = {"Idempotency-Key": f"table-{number:06d}"}
            opened = await owner.post("/api/v1/tables", json={"game": "blackjack"}, headers=headers)
            tables.append(opened.json()["table"])
        while not (await owner.get("/api/v1/knockout-21/draws")).json().get("on_sale"):
            await asyncio.sleep(0.2)
    until = time.perf_counter() + seconds
    took: list[float] = []
    seen: dict[str, list[float]] = {}
    screens = [asyncio.create_task(monitor(url, until, seen)) for _ in range(monitors)]
    await asyncio.sleep(2)
    seated = [player(url, tables[n // SEATS], 1 + n % SEATS, until, took) for n in range(players)]
    decided = sum(await asyncio.gather(*seated))
    for screen in screens:
        screen.cancel()
    await asyncio.gather(*screens, return_exceptions=True)
    late = [at - min(moments) for moments in seen.values() if len(moments) > monitors // 2 for at in moments]
    print(f"{players} players in {seconds:.0f} s: {len(took)} requests, {decided} decisions")
    print(f"  actions: {told(took)} (aim: p99 under 150 ms)")
    print(f"{monitors} monitors, {len(seen)} events of the wall")
    print(f"  behind the first screen: {told(late)} (aim: p99 under 500 ms)")


def memory_of(process: int) -> float:
    """The resident memory of a process in MB."""
    for line in Path(f"/proc/{process}/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--monitors", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--serve", nargs=2, metavar=("PORT", "FOLDER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        serve(int(given.serve[0]), given.serve[1])
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 8192)), hard))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        begin = time.perf_counter()
        server = subprocess.Popen([sys.executable, __file__, "--serve", str(port), folder])
        url = f"http://127.0.0.1:{port}"
        while True:
            try:
                httpx.get(url)
                break
            except httpx.TransportError:
                time.sleep(0.02)
        print(f"start-up to the first page: {time.perf_counter() - begin:.2f} s (aim: under 3 s)")
        lobby = [_timed(url) for _ in range(9)]
        print(f"the lobby from a warm server: {statistics.median(lobby) * 1000:.0f} ms")
        try:
            before = memory_of(server.pid)
            asyncio.run(load(url, given.players, given.monitors, given.seconds))
            print(f"memory of the server: {before:.0f} MB before, {memory_of(server.pid):.0f} MB after")
        finally:
            server.terminate()
            server.wait()
    return 0


def _timed(url: str) -> float:
    begin = time.perf_counter()
    httpx.get(url)
    return time.perf_counter() - begin


if __name__ == "__main__":
    sys.exit(main())
