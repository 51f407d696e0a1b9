"""Ctrl-C that waits: held back while something is made that must not be left half made."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final


class _Held:
    """How deep the main thread is in what must not be interrupted, and whether somebody pressed Ctrl-C."""

    def __init__(self) -> None:
        self.depth = 0
        self.pressed = False
        self.before: Callable[..., Any] | int | None = None

    def press(self, _number: int, _frame: object) -> None:
        self.pressed = True

    def begin(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return  # Python interrupts the main thread alone
        if self.depth == 0:
            if signal.getsignal(signal.SIGINT) is None:  # set by somebody who is not Python: left alone
                return
            self.before = signal.signal(signal.SIGINT, self.press)
        self.depth += 1

    def end(self) -> None:
        if threading.current_thread() is not threading.main_thread() or self.depth == 0:
            return
        self.depth -= 1
        if self.depth == 0:
            pressed, self.pressed = self.pressed, False
            signal.signal(signal.SIGINT, self.before)
            if pressed:
                signal.raise_signal(signal.SIGINT)


_HELD: Final = _Held()


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C back; it comes at the end of the outermost of these, if it was pressed."""
    _HELD.begin()
    try:
        yield
    finally:
        _HELD.end()


class HoldsInterrupts:
    """What listens to the beginning and the end of something that must not be interrupted.

    A compiler that is interrupted leaves kernels half made, which cannot be called, or it loses the
    interruption in its machinery.
    """

    def on_start(self, _event: object) -> None:
        _HELD.begin()

    def on_end(self, _event: object) -> None:
        _HELD.end()
