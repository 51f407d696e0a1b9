"""Single keys from the terminal while something else is going on."""

from __future__ import annotations

import os
import re
import sys
import time
from collections import deque
from types import TracebackType
from typing import Any, Final, Self

_AT_ONCE: Final = 1024
_SEQUENCE: Final = re.compile(r"\x1b(\[[0-9;]*[A-Za-z~]|O.|.)?")  # arrows and the like mean nothing here


class Keys:
    """While open, keys come at once and unseen; without a terminal on stdin there are never any.

    Ctrl-C still interrupts. On a system without termios a pause is only a pause.
    """

    def __init__(self) -> None:
        self._settings: list[Any] | None = None
        self._pressed: deque[str] = deque()

    def __enter__(self) -> Self:
        if sys.stdin.isatty():
            try:
                import termios
                import tty
            except ImportError:
                return self
            self._settings = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._settings is not None:
            import termios

            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, self._settings)
            self._settings = None

    @property
    def there(self) -> bool:
        """Whether keys can come at all."""
        return self._settings is not None

    def poll(self, seconds: float) -> str | None:
        """The next key within so many seconds, or None."""
        if self._settings is None:
            time.sleep(seconds)
            return None
        import select

        if not self._pressed and select.select([sys.stdin], [], [], seconds)[0]:
            text = os.read(sys.stdin.fileno(), _AT_ONCE).decode("utf-8", errors="replace")
            self._pressed.extend(_SEQUENCE.sub("", text))
        return self._pressed.popleft() if self._pressed else None
