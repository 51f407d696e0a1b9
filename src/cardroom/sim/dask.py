"""Batches spread over a Dask cluster: one that runs at an address, or a small one on this machine.

The cluster is lent tasks of a few batches, some more than it has threads, and the results are taken up in
order. When a worker is lost, Dask has its tasks played again elsewhere; a task's result is taken up once.
"""

from __future__ import annotations

import logging
import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from cardroom.core.errors import CardroomError, Unavailable
from cardroom.core.extras import missing
from cardroom.sim.batches import Play, Spread, Tally

if TYPE_CHECKING:
    from distributed import Client

_BATCHES_PER_TASK: Final = 4
_TASKS_AHEAD: Final = 2  # per thread of the cluster
_PATIENCE_SECONDS: Final = 5
_ADDRESS: Final = re.compile(r"(?:(?:tcp|tls)://)?(?:\[[0-9a-fA-F:]+\]|[^\s/:]+):\d{1,5}")
_LOOPBACK: Final = "127.0.0.1"


def dask(scheduler: str | None = None, workers: int = 1) -> Spread:
    """Batches played by the cluster at an address, or else by so many processes of this machine."""
    if find_spec("distributed") is None:
        raise missing("a Dask cluster", "dask")

    def spread(play: Play, batches: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Tally]]:
        with _client(scheduler, workers) as client:
            yield from _in_order(client, play, iter(batches))

    return spread


@contextmanager
def _client(scheduler: str | None, workers: int) -> Iterator[Client]:
    """A client of the cluster, which is closed with it where it is our own."""
    from distributed import Client, LocalCluster

    with ExitStack() as opened:
        opened.enter_context(_only_our_words())
        if scheduler is None:
            cluster = LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                host=_LOOPBACK,
                dashboard_address=f"{_LOOPBACK}:0",
                scheduler_kwargs={"dashboard": False},
                silence_logs=logging.CRITICAL,
            )
            client = opened.enter_context(Client(opened.enter_context(cluster)))
        else:
            if _ADDRESS.fullmatch(scheduler) is None:
                raise Unavailable(
                    f"no Dask scheduler answers at {scheduler}: an address is HOST:PORT or tcp://HOST:PORT"
                )
            try:
                client = opened.enter_context(Client(scheduler, timeout=_PATIENCE_SECONDS))
            except (OSError, ValueError, TypeError) as error:
                raise Unavailable(f"no Dask scheduler answers at {scheduler}: {_first_line(error)}") from None
        try:
            client.wait_for_workers(1, timeout=_PATIENCE_SECONDS)
        except TimeoutError:
            raise Unavailable(f"the Dask scheduler at {scheduler} has no workers") from None
        yield client


@contextmanager
def _only_our_words() -> Iterator[None]:
    """Dask's own messages are for those who run a cluster; what stops a simulation is said by an error."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(before)


def _in_order(client: Client, play: Play, batches: Iterator[tuple[int, int]]) -> Iterator[tuple[int, Tally]]:
    pending: deque[Any] = deque()
    try:
        while True:
            ahead = _TASKS_AHEAD * sum(client.nthreads().values())
            while len(pending) < max(ahead, 1) and (group := list(islice(batches, _BATCHES_PER_TASK))):
                pending.append(client.submit(_play_group, play, group, pure=False))
            if not pending:
                return
            yield from _result(pending[0])
            pending.popleft()
    finally:
        for future in pending:
            future.cancel()


def _play_group(play: Play, group: list[tuple[int, int]]) -> list[tuple[int, Tally]]:
    """What a worker does."""
    return [(rounds, play(batch, rounds)) for batch, rounds in group]


def _result(future: Any) -> list[tuple[int, Tally]]:
    from distributed import KilledWorker

    try:
        result: list[tuple[int, Tally]] = future.result()
    except CardroomError:
        raise
    except CancelledError:
        raise Unavailable("the Dask scheduler was lost; a checkpoint keeps what was played") from None
    except KilledWorker as error:
        raise Unavailable(
            f"one worker of the Dask cluster after the other died: {_first_line(error)}"
        ) from None
    except (ImportError, RuntimeError, OSError) as error:
        raise Unavailable(
            f"the Dask cluster cannot play this; its workers need the same cardroom: {_first_line(error)}"
        ) from None
    return result


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
