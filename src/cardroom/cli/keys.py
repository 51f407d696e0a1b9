"""Single keys from the terminal while something else is going on."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Final, Self

_ESCAPE: Final = "\x1b"
_LONGEST_SEQUENCE: Final = 16


class Keys:
    """While open, keys come at once and unseen; without a terminal on stdin there are never any.

    Ctrl-C still interrupts. On a system without termios a pause is only a pause.
    """

    def __init__(self) -> None:
        self._settings: list[Any] | None = None

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

    def poll(self, seconds: float | None) -> str | None:
        """The next key within so many seconds (None: however long it takes), or None."""
        if self._settings is None:
            time.sleep(seconds or 0)
            return None
        import os
        import select

        if not select.select([sys.stdin], [], [], seconds)[0]:
            return None
        text = os.read(sys.stdin.fileno(), _LONGEST_SEQUENCE).decode("utf-8", errors="replace")
        return None if text.startswith(_ESCAPE) else text[:1]  # arrows and the like mean nothing here
