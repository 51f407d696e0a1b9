"""A worker: computations in a process of their own, whose end harms nobody and whose size is bounded."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from cardroom.core.errors import IllegalAction, Unavailable
from cardroom.web import worker
from cardroom.web.worker import Worker

ROOT = Path(__file__).resolve().parents[2]


def refuse(reason: str) -> None:
    raise IllegalAction(reason, clause="21-1.5")


def end_abruptly() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def room() -> Iterator[Worker]:
    found = Worker("test")
    yield found
    found.stop()


def test_work_is_done_elsewhere_and_always_in_the_same_place(room: Worker) -> None:
    assert room.run(partial(divmod, 21, 4)) == (5, 1)
    assert room.run(os.getpid) == room.run(os.getpid) != os.getpid()


def test_errors_come_back(room: Worker) -> None:
    with pytest.raises(IllegalAction, match="no card now"):
        room.run(partial(refuse, "no card now"))
    with pytest.raises(ZeroDivisionError):
        room.run(partial(divmod, 1, 0))
    assert room.run(partial(abs, -1)) == 1


def test_a_process_that_ends_is_replaced(room: Worker) -> None:
    before = room.run(os.getpid)
    with pytest.raises(Unavailable, match="ask again"):
        room.run(end_abruptly)
    assert room.run(os.getpid) != before


def test_a_large_server_does_not_make_its_workroom_large() -> None:
    program = (
        "import os; from cardroom.web.worker import Worker; "
        "large = bytearray(b'x') * (800 * 2**20); room = Worker('test'); "
        "print(room.run(os.getpid) == room.run(os.getpid)); room.stop()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert done.stdout == "True\n"


def test_a_process_that_has_grown_large_is_replaced(room: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LARGEST_MB", 1)
    assert room.run(os.getpid) != room.run(os.getpid)


@pytest.mark.parametrize("busy", [False, True], ids=["that is idle", "in the middle of a computation"])
def test_it_ends_with_a_server_that_is_killed(*, busy: bool) -> None:
    program = (
        "import os, time; from functools import partial; from cardroom.web.worker import Worker; "
        "room = Worker('test'); print(room.run(os.getpid), flush=True); "
        f"{'room.run(partial(time.sleep, 6000))' if busy else 'time.sleep(600)'}"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=ROOT) as server:
        assert server.stdout is not None
        worker = int(server.stdout.readline())
        server.kill()
    deadline = time.monotonic() + 300
    while is_running(worker):
        assert time.monotonic() < deadline, "the worker outlives its server"
        time.sleep(0.02)


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
