"""Leaving a game in play: Ctrl-C, a window that is closed (SIGHUP), or SIGTERM."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, Final, Self

SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_SECONDS_BETWEEN_LOOKS: Final = 0.2
_SIGNAL_EXIT: Final = 128
"""What shells report for a signal is its number and this."""


class PlayerLeft(Exception):
    """The player leaves the table, or the input has ended."""


class Leaving:
    """While open, a signal to leave is noted, so that a committed round is settled and recorded first.

    However often it comes, nothing is cut short: hands stand, so the round is over at once. Only what
    waits for a person is `breakable`.
    """

    def __init__(self) -> None:
        self.signal: int | None = None
        self._breakable = False
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
        for number, before in self._before.items():
            signal.signal(number, before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.signal is None:
            self.signal = number
        if self._breakable:
            self._breakable = False
            raise PlayerLeft

    @property
    def noted(self) -> bool:
        """Whether the player is gone."""
        return self.signal is not None

    @property
    def exit_code(self) -> int:
        """What the command is to leave with: 130 after Ctrl-C."""
        return 0 if self.signal is None else _SIGNAL_EXIT + self.signal

    @contextmanager
    def breakable(self) -> Iterator[None]:
        """Something that waits for a person, or takes long: a signal ends it with `PlayerLeft`.

        A signal may come in the moment before the wait begins, or while a library is at work that keeps the
        exception to itself; so a clock looks again, five times a second, whether the player is gone.
        """
        self._breakable = True
        try:
            if self.noted:
                raise PlayerLeft
            with self._clock():
                yield
        finally:
            self._breakable = False

    @contextmanager
    def _clock(self) -> Iterator[None]:
        """While open, a timer wakes whatever waits; only where there are timers and handlers."""
        if not self._before or not hasattr(signal, "setitimer"):
            yield
            return
        before = signal.signal(signal.SIGALRM, self._look_again)
        signal.setitimer(signal.ITIMER_REAL, _SECONDS_BETWEEN_LOOKS, _SECONDS_BETWEEN_LOOKS)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _look_again(self, _number: int, _frame: FrameType | None) -> None:
        if self.noted:
            raise PlayerLeft
