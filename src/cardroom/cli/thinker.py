"""What takes a while is worked out beside the screen."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from textual.app import App

from cardroom.core.errors import CardroomError

Result = TypeVar("Result")


class Thinker:
    """Works things out beside the screen, one after another; each answer comes in the app's own turn."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def work_out(
        self,
        work: Callable[[], Result],
        then: Callable[[Result], None],
        refused: Callable[[CardroomError], None],
    ) -> None:
        """Do some work, then hand its result over, or say why there is none."""

        def job() -> None:
            try:
                result = work()
            except CardroomError as error:
                self._hand_over(partial(refused, error))
            else:
                self._hand_over(partial(then, result))

        self._jobs.put(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            self._jobs.get()()

    def _hand_over(self, answer: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the app has ended meanwhile
            self._app.call_from_thread(answer)
