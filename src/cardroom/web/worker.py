"""A room at the back for long computations: a process of its own, so that the tables keep their pace.

Work goes in one piece after another, and its answer comes back. The process is made when it is first needed,
ends with the server however that ends, and is replaced when a computation has made it large.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import resource
import signal
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, TypeVar

from cardroom.core.errors import Unavailable
from cardroom.lab.progress import listening

LARGEST_MB: Final = 700
"""A process that has been larger than this is not used again."""
_NICE: Final = 5
_PER_MB: Final = 2**20 if sys.platform == "darwin" else 2**10

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class _Progress:
    """What the process says between a piece of work and its answer."""

    share: float
    words: str


class Worker:
    """One process, and one thread here that waits for it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.thread = ThreadPoolExecutor(1, name)
        self._process: BaseProcess | None = None
        self._line: Connection | None = None
        self.progress: tuple[float, str] = (0.0, "")
        """Which share of what is being done is done, and in words what comes now."""

    def run(self, work: Callable[[], Answer]) -> Answer:
        """Do the work there and wait for it; it must be picklable. For the room's own thread alone."""
        line = self._open()
        try:
            self.progress = (0.0, "")
            line.send(work)
            while isinstance(message := line.recv(), _Progress):
                self.progress = (message.share, message.words)
            answer, error, size_mb = message
        except (EOFError, OSError):
            self._close()
            raise Unavailable("a computation was broken off; ask again") from None
        if size_mb > LARGEST_MB:
            self._close()
        if error is not None:
            raise error
        result: Answer = answer
        return result

    def _open(self) -> Connection:
        if self._line is None or self._process is None or not self._process.is_alive():
            spawn = multiprocessing.get_context("spawn")
            self._line, theirs = spawn.Pipe()
            self._process = spawn.Process(target=_work, args=(theirs,), name=self._name, daemon=True)
            self._process.start()
            theirs.close()
        return self._line

    def _close(self) -> None:
        if self._line is not None:
            self._line.close()  # the process reads an end and leaves
        self._line = self._process = None

    def break_off(self) -> None:
        """End what is being done, from any thread; whoever waits for it is told to ask again."""
        process = self._process
        if process is not None:
            process.kill()

    def stop(self) -> None:
        """Let go of what nobody waits for any more, when the server ends."""
        self.thread.shutdown(wait=False, cancel_futures=True)
        if self._process is not None:
            self._process.kill()


def _work(line: Connection) -> None:
    """The life of the process: it gives way to the tables, and leaves when nobody holds the other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever interrupts the server ends it, and it this
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.nice(_NICE)
    threading.Thread(target=_end_with_server, daemon=True).start()

    def tell(share: float, words: str) -> None:
        line.send(_Progress(share, words))

    while True:
        try:
            work: Callable[[], Any] = line.recv()
        except (EOFError, OSError):
            return
        answer, error = None, None
        try:
            with listening(tell):
                answer = work()
        except Exception as raised:  # noqa: BLE001 — whoever asked is told, whatever it is
            error = raised if _travels(raised) else RuntimeError(f"{type(raised).__name__}: {raised}")
        try:
            line.send((answer, error, _largest_mb()))
        except OSError:  # the server was killed meanwhile
            return


def _end_with_server() -> None:
    """End this process when the server has ended, also in the middle of a computation of many minutes."""
    server = multiprocessing.parent_process()
    assert server is not None
    wait([server.sentinel])
    os._exit(1)


def _largest_mb() -> float:
    """How large this process has been; where the system counts in what its parent was, by its own page."""
    try:
        lines = Path("/proc/self/status").read_text("ascii", "replace").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 2**10
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _PER_MB


def _travels(error: Exception) -> bool:
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 — a class of errors may fail in any way
        return False
    return True
