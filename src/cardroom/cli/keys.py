"""Single keys from the terminal while something else is going on."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import threading
import time
from collections import deque
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Final, Self

from cardroom.cli.leaving import PlayerLeft

ESCAPE: Final = "\x1b"
_AT_ONCE: Final = 1024
_SEQUENCE: Final = re.compile(r"\x1b(\[[0-9;]*[A-Za-z~]|O.|[^\x1b])")  # arrows and the like mean nothing here
_PASTED: Final = re.compile(r"\x1b\[200~.*?(\x1b\[201~|$)", re.DOTALL)
_SEQUENCE_SECONDS: Final = 0.05
"""What follows an escape within this time belongs to it."""
_PASTES_MARKED, _PASTES_PLAIN = "\x1b[?2004h", "\x1b[?2004l"
_CURSOR_SHOWN, _CURSOR_HIDDEN = "\x1b[?25h", "\x1b[?25l"


def drop_typed_ahead() -> None:
    """Forget what was typed before anybody was asked."""
    if sys.stdin.isatty():
        with suppress(ImportError):
            import termios

            with suppress(termios.error):
                termios.tcflush(sys.stdin, termios.TCIFLUSH)


class Keys:
    """While open, keys come at once and unseen; without a terminal on stdin there are never any.

    Ctrl-C still interrupts. Ctrl-Z gives the terminal back as it was, and `fg` takes it again; `repaint` says
    that the picture is to be drawn anew, as after a change of the window. On a system without termios a pause
    is only a pause.
    """

    def __init__(self) -> None:
        self.repaint = False
        self._settings: list[Any] | None = None
        self._pressed: deque[str] = deque()
        self._handlers: dict[int, Any] = {}
        self._wake: tuple[int, int] | None = None
        self._wake_before = -1

    def __enter__(self) -> Self:
        if sys.stdin.isatty():
            try:
                import termios
            except ImportError:
                return self
            self._settings = termios.tcgetattr(sys.stdin)
            self._take_terminal()
            if threading.current_thread() is threading.main_thread():
                self._handle_signals()
        return self

    def _handle_signals(self) -> None:
        """A signal ends a wait for keys; that of a stop, a return or a new size is answered here."""
        self._wake = os.pipe()
        for end in self._wake:
            os.set_blocking(end, False)
        self._wake_before = signal.set_wakeup_fd(self._wake[1], warn_on_full_buffer=False)
        for number, handler in (
            (signal.SIGTSTP, self._stopped),
            (signal.SIGCONT, self._returned),
            (signal.SIGWINCH, self._resized),
        ):
            self._handlers[number] = signal.signal(number, handler)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._settings is None:
            return
        for number, before in self._handlers.items():
            signal.signal(number, before)
        self._handlers.clear()
        if self._wake is not None:
            signal.set_wakeup_fd(self._wake_before)
            for end in self._wake:
                os.close(end)
            self._wake = None
        self._give_terminal()
        self._settings = None

    def _take_terminal(self) -> None:
        import tty

        tty.setcbreak(sys.stdin)
        _control(_PASTES_MARKED)

    def _give_terminal(self) -> None:
        import termios

        _control(_PASTES_PLAIN + _CURSOR_SHOWN)
        with suppress(termios.error):  # a window that was closed takes no settings
            termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, self._settings or [])

    def _stopped(self, number: int, frame: FrameType | None) -> None:
        self._give_terminal()
        before = signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, before)
        self._returned(signal.SIGCONT, frame)  # also where nobody was there to stop us

    def _returned(self, number: int, frame: FrameType | None) -> None:
        self._take_terminal()
        _control(_CURSOR_HIDDEN)
        self.repaint = True

    def _resized(self, number: int, frame: FrameType | None) -> None:
        self.repaint = True

    @property
    def there(self) -> bool:
        """Whether keys can come at all."""
        return self._settings is not None

    def drop(self) -> None:
        """Forget the keys that were pressed before anybody was asked."""
        self._pressed.clear()
        drop_typed_ahead()

    def poll(self, seconds: float | None, *, pasted: bool = False) -> str | None:
        """The next key within so many seconds, or None, also when a signal came; a paste is no key."""
        if self._settings is None:
            time.sleep(seconds or 0)
            return None
        if not self._pressed and not self.repaint and self._ready(seconds):
            self._read(pasted=pasted)
        return self._pressed.popleft() if self._pressed else None

    def _ready(self, seconds: float | None) -> bool:
        """Whether a key is there within some seconds; a signal ends the wait, but no tick of a timer."""
        wake = [] if self._wake is None else [self._wake[0]]
        deadline = None if seconds is None else time.monotonic() + seconds
        while True:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready = select.select([sys.stdin, *wake], [], [], left)[0]
            signals = b""
            if wake and wake[0] in ready:
                with suppress(BlockingIOError):
                    signals = os.read(wake[0], _AT_ONCE)
            if sys.stdin in ready or set(signals) != {signal.SIGALRM}:
                return sys.stdin in ready

    def _read(self, *, pasted: bool) -> None:
        text = self._bytes()
        if text.endswith(ESCAPE) and self._ready(_SEQUENCE_SECONDS):
            text += self._bytes()
        if not pasted:
            text = _PASTED.sub("", text)
        self._pressed.extend(_SEQUENCE.sub("", text))

    def _bytes(self) -> str:
        try:
            data = os.read(sys.stdin.fileno(), _AT_ONCE)
        except OSError:
            data = b""
        if not data:  # the terminal is gone
            raise PlayerLeft
        return data.decode("utf-8", errors="replace")


def _control(codes: str) -> None:
    """Say something to the terminal itself, past everything that is buffered."""
    with suppress(OSError, ValueError, AttributeError):
        if sys.stdout.isatty() and os.environ.get("TERM") not in (None, "", "dumb", "unknown"):
            sys.stdout.flush()
            os.write(sys.stdout.fileno(), codes.encode())
