"""A command on a terminal of its own: keys go in, the screen's text comes out."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Self

_ON_TERMINAL = (
    "import fcntl, signal, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "[signal.signal(one, signal.SIG_DFL) for one in (signal.SIGHUP, signal.SIGTERM)];"
    "signal.signal(signal.SIGINT, signal.default_int_handler);"
    "from cardroom.cli import main; sys.exit(main())"
)
_PATIENCE_SECONDS = 300


class Terminal:
    """`cardroom …` on a terminal of 80 columns and 50 lines, unless told otherwise."""

    def __init__(
        self,
        *arguments: str,
        exit_code: int = 0,
        columns: int = 80,
        lines: int = 50,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.exit_code = exit_code
        self.keys, inside = pty.openpty()
        self.resize(columns, lines)
        self._state = tempfile.TemporaryDirectory()
        own = {"TERM": "xterm", "XDG_STATE_HOME": self._state.name}  # nobody's bankroll is touched
        environment = {**os.environ, **own, **(variables or {})}
        for name in ("COLUMNS", "LINES"):
            environment.pop(name, None)
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
        self.until_one_of(words)

    def until_one_of(self, *words: str) -> None:
        """Read until one of several words has come since the last key."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not any(word in self.seen for word in words):
            assert time.monotonic() < deadline, self.seen
            if select.select([self.keys], [], [], 0.1)[0]:
                try:
                    self.seen += os.read(self.keys, 65536).decode(errors="replace")
                except OSError:
                    raise AssertionError(f"The command has ended; it showed:\n{self.seen}") from None

    def resize(self, columns: int, lines: int) -> None:
        """Give the window another size, of which the command is told."""
        fcntl.ioctl(self.keys, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def signal(self, number: int) -> None:
        """Send the command a signal; what was seen before is forgotten."""
        self.seen = ""
        self.process.send_signal(number)

    def wait_until_stopped(self) -> None:
        """Wait until Ctrl-Z has taken effect."""
        _, status = os.waitpid(self.process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)

    def go_on(self) -> None:
        """What `fg` does."""
        self.signal(signal.SIGCONT)

    def close(self) -> None:
        """Close the window."""
        os.close(self.keys)
        self.keys = -1

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
        try:
            code = self._read_to_the_end()
        finally:
            self.process.kill()  # one that does not end is not left behind
            self.process.wait()
            if self.keys >= 0:
                os.close(self.keys)
            self._state.cleanup()
        if error is None:
            assert code == self.exit_code, f"it ended with {code}; it showed:\n{self.seen}"

    def _read_to_the_end(self) -> int:
        """Read what still comes, so that the command never waits for a reader; its exit code."""
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < deadline, self.seen
            if self.keys >= 0 and select.select([self.keys], [], [], 0.05)[0]:
                try:
                    self.seen += os.read(self.keys, 65536).decode(errors="replace")
                except OSError:  # nobody is on the other side any more
                    self.process.wait(_PATIENCE_SECONDS)
            elif self.keys < 0:
                self.process.wait(_PATIENCE_SECONDS)
        return self.process.returncode
