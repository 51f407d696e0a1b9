"""The app goes on to its end when its window is closed."""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import IO, Any

from textual.driver import Driver


class OpenEnded:
    """A screen's file whose window may be closed: from then on what is written goes nowhere.

    Textual writes in a thread of its own behind a queue of thirty. An error would end that thread, and the
    app would wait for ever for a place in the queue: a process left behind, with the round unsettled.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()


def outliving_its_window(driver: type[Driver]) -> type[Driver]:
    """A driver that goes on to the app's end when its window is closed."""
    if not hasattr(signal, "SIGHUP"):  # Windows ends the program with its window
        return driver

    class Outliving(driver):  # type: ignore[misc, valid-type]
        _file: Any

        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            if hasattr(self, "_file"):
                self._file = OpenEnded(self._file)

    return Outliving
