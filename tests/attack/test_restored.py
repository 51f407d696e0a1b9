"""Who learns secrets, and has an older state of the house put back, meets other cards: by HTTP alone."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import run_process
from tests.thorough import one_in
from tests.web.conftest import Guest

WILLOW = "/api/v1/knockout-52/tables/willow"
TABLES = ("/api/v1/tables/linden", "/api/v1/tables/alder", "/api/v1/tables/rowan")


def until(wanted: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + 300
    while not (found := wanted()):
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.05)
    return found


@contextmanager
def served(folder: Path, database: str) -> Iterator[str]:
    """`cardroom serve` in a process of its own, killed in the end; its address."""
    command = [
        str(Path(sys.executable).with_name("cardroom")),
        "serve",
        "--port",
        "0",
        "--database",
        database,
    ]
    (folder / "said.txt").unlink(missing_ok=True)  # processes of a killed server may still write into theirs
    with (folder / "said.txt").open("w+", encoding="utf-8") as said:
        process = subprocess.Popen(command, stderr=said, cwd=folder)
        try:

            def address() -> str | None:
                assert process.poll() is None, (folder / "said.txt").read_text("utf-8")
                lines = (folder / "said.txt").read_text("utf-8").splitlines()
                return next((line.split()[-1] for line in lines if "Cardroom is open at" in line), None)

            yield until(address)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()


def parts_of(file: Path) -> list[Path]:
    """The files of a database; the mark beside it is none of them."""
    names = (file.name, f"{file.name}-wal", f"{file.name}-shm")
    return [path for name in names if (path := file.with_name(name)).exists()]


def shown(guest: Guest) -> set[str]:
    """Every commitment that the house shows before the next card."""
    return {until(partial(_commitment, guest, place)) for place in (WILLOW, *TABLES)}


def _commitment(guest: Guest, place: str) -> str | None:
    view = guest.get(place).json()
    found: str | None = view.get("commitment") or (view.get("shoe") or {}).get("commitment")
    return found


def revealed(guest: Guest) -> dict[str, Any]:
    """A whole game of Knockout 52: its secret is told when it is over."""
    body = {"stakes": {"round-1": 500}}
    assert guest.put(f"{WILLOW}/wagers", json=body, headers=guest.key(1)).status_code == 200
    assert guest.post(f"{WILLOW}/deal").status_code == 200
    last = until(lambda: (view := guest.get(WILLOW).json())["phase"] == "open" and view["last"])
    proof = guest.get(f"/api/v1/knockout-52/games/{last['id']}/proof")
    assert proof.status_code == 200, proof.text
    told: dict[str, Any] = json.loads(proof.text)
    return told


@pytest.mark.parametrize("how", one_in(2, ["by our command", "by copying a file"]))
def test_secrets_that_were_told_are_not_dealt_again(tmp_path: Path, how: str) -> None:
    database, file = f"sqlite:///{tmp_path / 'room.sqlite3'}", tmp_path / "room.sqlite3"
    with served(tmp_path, database) as url:
        guest = Guest(url)
        before = shown(guest)
        if how == "by our command":
            backed_up = run_process("backup", str(tmp_path / "house.backup"), "--database", database)
            assert backed_up.returncode == 0, backed_up.stderr
        guest.close()
    if how == "by copying a file":
        for part in parts_of(file):
            shutil.copy(part, tmp_path / f"old-{part.name}")
    with served(tmp_path, database) as url:
        guest = Guest(url)
        assert shown(guest) == before  # a new start alone goes on with the shoes that it has
        told = revealed(guest)
        assert told["commitment"] in before
        guest.close()
    for part in parts_of(file):
        part.unlink()
    if how == "by our command":
        restored = run_process("restore", str(tmp_path / "house.backup"), "--database", database)
        assert restored.returncode == 0, restored.stderr
    else:
        for part in parts_of(tmp_path / "old-room.sqlite3"):
            shutil.copy(part, file.with_name(part.name.removeprefix("old-")))
    with served(tmp_path, database) as url:
        guest = Guest(url)
        assert not shown(guest) & before
        again = revealed(guest)
        assert again["secret"] != told["secret"]
        assert again["cards"] != told["cards"]
        guest.close()
    assert "every secret that was not told yet is retired" in (tmp_path / "said.txt").read_text("utf-8")
