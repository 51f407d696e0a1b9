"""What the house has computed at the back, kept for all servers of a run of the tests.

Every server computes anew the figures, the advice and the judgements that its visitors ask for. The same work
has the same answer, and the tests start hundreds of servers: here each work is done once for all processes
that share the tests, whichever of them asks first; others that ask meanwhile wait for it.
"""

from __future__ import annotations

import fcntl
import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

from cardroom.web import figures
from cardroom.web.worker import Worker

Answer = TypeVar("Answer")


class RememberingWorker(Worker):
    """A worker that knows what it, or one of another process of the tests, has been asked before."""

    def __init__(self, name: str, folder: Path) -> None:
        super().__init__(name)
        self._folder = folder

    def run(self, work: Callable[[], Answer]) -> Answer:
        kept = self._folder / hashlib.sha256(pickle.dumps(work)).hexdigest()
        if not kept.exists():
            with kept.with_suffix(".turn").open("w") as turn:
                fcntl.flock(turn, fcntl.LOCK_EX)
                if not kept.exists():
                    self._keep(kept, super().run(work))
        answer: Answer = pickle.loads(kept.read_bytes())
        return answer

    def _keep(self, kept: Path, answer: object) -> None:
        with NamedTemporaryFile(dir=self._folder, delete=False) as file:
            file.write(pickle.dumps(answer))
        Path(file.name).replace(kept)  # whole from the first moment, for whoever looks


def take_over(folder: Path) -> None:
    """From now on, in this process; sheets and simulations, which tell how far they are, are left alone."""
    folder.mkdir(exist_ok=True)
    for name, computations in (("figures", figures.computed), ("advice", figures.advised)):
        computations._worker = RememberingWorker(name, folder)
