"""Leaving a game in play: Ctrl-C, a window that is closed (SIGHUP), or SIGTERM."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Final, Self

SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_SECONDS_BETWEEN_LOOKS: Final = 0.2
_SECONDS_TO_ARRIVE: Final = 2.0
_AT_ONCE: Final = 0.001
_SIGNAL_EXIT: Final = 128
"""What shells report for a signal is its number and this."""


PROCESS_ENDS: Final = threading.Event()
"""Set where the command is all that this process does, so that whoever leaves it leaves the process."""


class PlayerLeft(Exception):
    """The player leaves the table, or the input has ended."""


class Leaving:
    """While open, a signal to leave is noted, so that a committed round is settled and recorded first.

    However often it comes, nothing is cut short: hands stand, so the round is over at once. Only what
    waits for a person is `breakable`.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self.wait: Wait | None = None
        """What a signal ends."""
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():  # only there may handlers be set
            for number in SIGNALS:
                if signal.getsignal(number) is not signal.SIG_IGN:  # nohup is to hold
                    self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # One who presses Ctrl-C again while Python ends would end it by the signal, without its exit code.
        ends = self.noted and PROCESS_ENDS.is_set()
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if ends else before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.signal is None:
            self.signal = number
        if self.wait is not None:
            self.wait.end(frame)

    @property
    def noted(self) -> bool:
        """Whether the player is gone."""
        return self.signal is not None

    @property
    def exit_code(self) -> int:
        """What the command is to leave with: 130 after Ctrl-C."""
        return 0 if self.signal is None else _SIGNAL_EXIT + self.signal

    def breakable(self) -> Wait:
        """Something that waits for a person, or takes long: a signal ends it with `PlayerLeft`."""
        return Wait(self, clock=bool(self._before) and hasattr(signal, "setitimer"))


class Wait:
    """A wait that a signal ends.

    The signal itself is only noted. A clock looks, five times a second and at once after a signal, whether
    the player is gone, and ends the wait: a signal may come in the moment before the wait begins, a library
    may keep the exception to itself, and Python's `input` must not be told twice in one breath. Nothing is
    raised while the wait is being opened or closed, or the clock would be left running; and what was raised
    is left a while to arrive, as those it passes put the terminal back in order.
    """

    def __init__(self, going: Leaving, *, clock: bool) -> None:
        self._going = going
        self._clock = clock
        self._clock_before: Any = None
        self._outer: Wait | None = None

    def __enter__(self) -> None:
        if self._going.noted:
            raise PlayerLeft
        if self._clock:
            self._clock_before = signal.signal(signal.SIGALRM, self._look)
            _look_after(_SECONDS_BETWEEN_LOOKS)
        self._outer, self._going.wait = self._going.wait, self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._going.wait = self._outer
        if self._clock:
            if self._outer is None:
                _look_after(0)
            signal.signal(signal.SIGALRM, self._clock_before)
        if error is None and self._going.noted:
            raise PlayerLeft

    def end(self, frame: FrameType | None) -> None:
        """End the wait now: a signal has come."""
        if self._clock:
            _look_after(_AT_ONCE)
        else:
            self._look(0, frame)

    def _look(self, _number: int, frame: FrameType | None) -> None:
        if not self._going.noted:
            return
        while frame is not None:
            if frame.f_code in _OPENING_AND_CLOSING:
                return
            frame = frame.f_back
        if self._clock:
            _look_after(_SECONDS_TO_ARRIVE)
        raise PlayerLeft


_OPENING_AND_CLOSING: Final = (Wait.__enter__.__code__, Wait.__exit__.__code__)


def _look_after(seconds: float) -> None:
    """Set the clock to come after some seconds, and then again and again; 0 stops it."""
    again = max(seconds, _SECONDS_BETWEEN_LOOKS) if seconds else 0
    signal.setitimer(signal.ITIMER_REAL, seconds, again)
