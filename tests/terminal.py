"""A command on a terminal of its own: keys go in, the screen's text comes out."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from types import TracebackType
from typing import Self

_ON_TERMINAL = (
    "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "from cardroom.cli import main; sys.exit(main())"
)
_PATIENCE_SECONDS = 60


class Terminal:
    """`cardroom …` on a terminal of 80 columns."""

    def __init__(self, *arguments: str, exit_code: int = 0) -> None:
        self.exit_code = exit_code
        self.keys, inside = pty.openpty()
        environment = {**os.environ, "COLUMNS": "80", "LINES": "50", "TERM": "xterm"}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _ON_TERMINAL, *arguments],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            env=environment,
            start_new_session=True,
        )
        os.close(inside)
        self.seen = ""

    def until(self, words: str) -> None:
        """Read until the words have come since the last key."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while words not in self.seen:
            assert time.monotonic() < deadline, self.seen
            if select.select([self.keys], [], [], 0.1)[0]:
                self.seen += os.read(self.keys, 65536).decode(errors="replace")

    def press(self, keys: str) -> None:
        """Type keys; what was seen before is forgotten."""
        self.seen = ""
        os.write(self.keys, keys.encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.process.kill()
        code = self.process.wait(_PATIENCE_SECONDS)
        os.close(self.keys)
        if error is None:
            assert code == self.exit_code
