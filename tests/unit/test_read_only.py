"""The wheel where nothing of it can be written: not the package, not the home, by a user whom nobody knows.

Whoever runs the tests as root sees it as an unknown user, who may read all and write a temporary folder.
Others see it as themselves, with the package and the home closed to them.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest

from tests.unit.test_package import environment, facts, wheel  # fixtures among them
from tests.web.house_pages import PAGES

__all__ = ["facts", "wheel"]

UNKNOWN = "54321"
READING = "dac_read_search"
"""The right to read what belongs to others, such as a Python in root's own folder; not to write it."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="needs users and rights as Linux has them"),
]


def as_somebody_unknown() -> list[str]:
    """What to put before a command; nothing for who is not root."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        return []
    alone = ["setpriv", "--reuid", UNKNOWN, "--regid", UNKNOWN, "--clear-groups"]
    reading = [*alone, "--inh-caps", f"-all,+{READING}", "--ambient-caps", f"+{READING}"]
    for prefix in (reading, alone):
        if (
            subprocess.run([*prefix, sys.executable, "-c", ""], capture_output=True, check=False).returncode
            == 0
        ):
            return prefix
    return []


class Closed:
    """An environment of the wheel that cannot be written, and a temporary folder that can."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.python = python
        self.before = as_somebody_unknown()
        if os.geteuid() == 0 and not self.before:
            pytest.skip("root may write everything, and this machine lets it be nobody else")
        self.temporary, self.home = folder / "temporary", folder / "home"
        for place, mode in ((self.temporary, 0o1777), (self.home, 0o555)):
            place.mkdir()
            place.chmod(mode)
        (self.package,) = python.parents[1].glob("lib/python3*/site-packages/cardroom")
        for place in (self.package, *(path for path in self.package.rglob("*") if path.is_dir())):
            place.chmod(0o555)
        self.settings = {
            "PATH": os.environ["PATH"],
            "TMPDIR": str(self.temporary),
            "PYTHONIOENCODING": "utf-8",
        }

    def command(self, *words: str) -> list[str]:
        return [*self.before, str(self.python), "-I", *words]

    def run(self, *words: str, **settings: str) -> str:
        ran = subprocess.run(
            self.command(*words),
            env=self.settings | settings,
            cwd=self.home,
            capture_output=True,
            check=False,
            encoding="utf-8",
            timeout=300,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout + ran.stderr

    def kernels(self) -> set[str]:
        return {path.name for path in self.temporary.rglob("*.nbi")}


@pytest.fixture(scope="module")
def closed(wheel: Path, facts: Message) -> Iterator[Closed]:
    """In a folder that all may enter: those that pytest makes are for their owner alone."""
    folder = Path(tempfile.mkdtemp(prefix="cardroom-closed-"))
    folder.chmod(0o755)
    place = Closed(environment(folder / "web", wheel, facts, "web"), folder)
    yield place
    for path in (place.package, *(path for path in place.package.rglob("*") if path.is_dir())):
        path.chmod(0o755)
    shutil.rmtree(folder)


def test_nothing_can_be_written_and_nobody_is_known(closed: Closed) -> None:
    code = """
import os, cardroom
places = [os.path.dirname(cardroom.__file__), os.path.expanduser("~")]
open_to_us = [place for place in places if os.access(place, os.W_OK)]
print(open_to_us, os.getuid(), cardroom.Game("knockout-52").title)
"""
    uid = UNKNOWN if closed.before else str(os.getuid())
    assert closed.run("-c", code, HOME=str(closed.home)) == f"[] {uid} Knockout 52\n"
    assert cleared(closed)


@pytest.mark.thorough
def test_odds_are_computed_with_a_home_that_is_closed_and_kernels_are_found_again(closed: Closed) -> None:
    words = ("-m", "cardroom", "odds", "blackjack")
    first = closed.run(*words, HOME=str(closed.home))
    assert "primary" in first.lower() or "house edge" in first.lower()
    kernels = closed.kernels()
    assert kernels
    again = closed.run(*words, HOME=str(closed.home))
    assert closed.kernels() == kernels
    assert figures(again) == figures(first)
    assert cleared(closed)


def test_every_page_is_answered_without_any_home(closed: Closed) -> None:
    """Of the house's own files only the database and its key are written, where they are named."""
    database = f"sqlite:///{closed.temporary / 'house.sqlite3'}"
    server = subprocess.Popen(
        closed.command("-m", "cardroom", "serve", "--port", "0", "--database", database),
        cwd=closed.home,
        env=closed.settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        assert server.stdout is not None
        lines = []
        for line in server.stdout:
            lines.append(line)
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                break
        else:
            pytest.fail("".join(lines))
        for path in PAGES:
            if path == "/no-such-page":
                continue
            with urllib.request.urlopen(found[0] + path, timeout=120) as page:
                assert page.status == 200, path
                assert b"</html>" in page.read(), path
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.communicate(timeout=60)
    assert cleared(closed)


def test_a_house_without_a_place_for_its_database_says_so_in_a_line(closed: Closed) -> None:
    ran = subprocess.run(
        closed.command("-m", "cardroom", "serve", "--port", "0"),
        cwd=closed.home,
        env=closed.settings,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )
    assert ran.returncode == 2
    assert len(ran.stderr.strip().splitlines()) == 1, ran.stderr
    assert "cannot write" in ran.stderr
    assert "--database" in ran.stderr


def figures(text: str) -> list[str]:
    return re.findall(r"[−-]?\d+\.\d+ %", text)


def cleared(closed: Closed) -> bool:
    """Whether package and home are as they were: no compiled code, no cache, no file."""
    return not any(closed.home.iterdir()) and not [
        path for path in closed.package.rglob("*") if path.suffix in (".pyc", ".nbi", ".nbc", ".stamp")
    ]
