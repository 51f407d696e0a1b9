"""What the house has computed at the back, kept for all servers of a test process.

Every server computes anew the figures, the advice and the judgements that its visitors ask for. The same work
has the same answer, and the tests start hundreds of servers: here the worker's process does each work once.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

from cardroom.web import figures
from cardroom.web.worker import Worker

Answer = TypeVar("Answer")


class RememberingWorker(Worker):
    """A worker that knows what it has been asked before."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._answers: dict[bytes, bytes] = {}

    def run(self, work: Callable[[], Answer]) -> Answer:
        key = pickle.dumps(work)
        if key not in self._answers:
            self._answers[key] = pickle.dumps(super().run(work))
        found: Answer = pickle.loads(self._answers[key])
        return found


def take_over() -> None:
    """From now on, in this process; sheets and simulations, which tell how far they are, are left alone."""
    for name, computations in (("figures", figures.computed), ("advice", figures.advised)):
        if not isinstance(computations._worker, RememberingWorker):
            computations._worker = RememberingWorker(name)
