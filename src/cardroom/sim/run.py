"""A simulation from its first batch to its last: added up in order, stopped, saved, taken up again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Final, NamedTuple, Protocol

from cardroom.core.errors import MalformedInput
from cardroom.sim.batches import Spread, Tally, batches_of, threads
from cardroom.sim.checkpoint import Checkpoint

Progress = Callable[[int, int], None]
"""Called with the rounds done and the rounds asked for, in the calling thread."""

_FEWEST_ROUNDS: Final = 2  # an error cannot be told from one
_SECONDS_PER_SAVE: Final = 1.0


class Job(Protocol):
    """What is simulated; calling it plays one batch. It can be sent to another machine."""

    @property
    def identity(self) -> str:
        """A text that two jobs share if and only if they play the same rounds."""

    @property
    def rounds_per_batch(self) -> int: ...

    def __call__(self, batch: int, rounds: int) -> Tally: ...

    def precision(self, tally: Tally) -> tuple[float, float]:
        """The mean of the wager that is known least well, and its standard error."""


class Snapshot(NamedTuple):
    """How far a simulation has come: the mean of its least known wager and the standard error of it."""

    rounds: int
    mean: float
    standard_error: float


Follow = Callable[[Snapshot], None]


class Sum(NamedTuple):
    """What has been added up, over how many rounds, and whether it was cut short by Ctrl-C."""

    tally: Tally
    rounds: int
    interrupted: bool = False


class _State(NamedTuple):
    """Changed as a whole, so that an interruption never finds half a batch in it."""

    tally: Tally | None
    rounds: int
    batches: int


@dataclass(frozen=True, slots=True)
class Run:
    """How far a job is played and by whom; no part of it changes what a round brings."""

    rounds: int
    spread: Spread | None = None
    """Who plays; this thread's own process where nobody is named."""
    until_standard_error: float | None = None
    """Stop before all rounds are played when the error is this small."""
    checkpoint: Path | None = None
    progress: Progress | None = None
    follow: Follow | None = None

    def of(self, job: Job) -> Sum:
        """Add up batches until the rounds are played, the error is small enough, or Ctrl-C."""
        if self.rounds < _FEWEST_ROUNDS:
            raise MalformedInput(f"a simulation plays at least {_FEWEST_ROUNDS} rounds, not {self.rounds}")
        checkpoint = None if self.checkpoint is None else Checkpoint(self.checkpoint, job.identity)
        state = whole = self._taken_up(job, checkpoint)
        saved = monotonic()
        interrupted = False
        size = job.rounds_per_batch
        results = (self.spread or threads(1))(job, batches_of(self.rounds, first=state.batches, size=size))
        try:
            if not self._enough(job, state):
                for rounds, tally in results:
                    total = tally if state.tally is None else _added(state, tally)
                    state = _State(total, state.rounds + rounds, state.batches + rounds // size)
                    if rounds % size == 0:
                        whole = state
                    if checkpoint is not None and monotonic() - saved >= _SECONDS_PER_SAVE:
                        _save(checkpoint, whole)
                        saved = monotonic()
                    if self.progress is not None:
                        self.progress(state.rounds, self.rounds)
                    if self._enough(job, state):
                        break
        except KeyboardInterrupt:
            if state.tally is None:
                raise
            interrupted = True
        finally:
            close: Any = getattr(results, "close", None)
            if close is not None:
                close()
            if checkpoint is not None:
                _save(checkpoint, whole)
        assert state.tally is not None
        return Sum(state.tally, state.rounds, interrupted)

    def _taken_up(self, job: Job, checkpoint: Checkpoint | None) -> _State:
        batches, tally = (checkpoint.load() if checkpoint else None) or (0, None)
        rounds = batches * job.rounds_per_batch
        if rounds > self.rounds:
            raise MalformedInput(
                f"the checkpoint holds {rounds:,} rounds, more than the {self.rounds:,} asked for"
            )
        return _State(tally, rounds, batches)

    def _enough(self, job: Job, state: _State) -> bool:
        """Tell the follower where the simulation stands, and see whether that is enough."""
        if state.tally is None or (self.follow is None and self.until_standard_error is None):
            return False
        mean, error = job.precision(state.tally)
        if self.follow is not None:
            self.follow(Snapshot(state.rounds, mean, error))
        return self.until_standard_error is not None and error <= self.until_standard_error


def _added(state: _State, tally: Tally) -> Tally:
    """Both tallies together; refused where a sum no longer fits into 64 bits, which nobody else would say."""
    assert state.tally is not None
    total = state.tally + tally
    if bool((((state.tally ^ total) & (tally ^ total)) < 0).any()):
        raise MalformedInput(
            f"the sums of more than {state.rounds:,} rounds with wagers so large do not fit into 64 bits; "
            "ask for fewer rounds, or smaller wagers"
        )
    return total


def _save(checkpoint: Checkpoint, state: _State) -> None:
    if state.tally is not None:
        checkpoint.save(state.batches, state.tally)
