"""A simulation's course: any workers, the same sum; interrupted and resumed; stopped when precise enough."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from cardroom.core.errors import MalformedInput
from cardroom.sim.batches import Tally, threads
from cardroom.sim.run import Run, Snapshot

PER_BATCH = 100
ROUNDS = 1050  # ten batches and a short one


@dataclass(frozen=True)
class Coin:
    """A wager on heads; a tally is (heads, tails)."""

    seed: int = 1
    broken_at: int = -1

    @property
    def identity(self) -> str:
        return f"coin {self.seed}"

    @property
    def rounds_per_batch(self) -> int:
        return PER_BATCH

    def __call__(self, batch: int, rounds: int) -> Tally:
        if batch == self.broken_at:
            raise MalformedInput("the coin is lost")
        heads = int(np.random.default_rng([self.seed, batch]).integers(0, 2, rounds).sum())
        return np.array([heads, rounds - heads])

    def precision(self, tally: Tally) -> tuple[float, float]:
        heads, tails = map(int, tally)
        rounds = heads + tails
        mean = (heads - tails) / rounds
        return mean, ((1 - mean**2) / (rounds - 1)) ** 0.5


class PressCtrlC:
    """Follows a simulation and interrupts it after some batches."""

    def __init__(self, batches: int) -> None:
        self.left = batches

    def __call__(self, snapshot: Snapshot) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


def by_hand(batches: int) -> list[int]:
    return [sum(int(Coin()(batch, PER_BATCH)[side]) for batch in range(batches)) for side in (0, 1)]


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_any_number_of_workers_gives_the_same_sum(workers: int) -> None:
    added = Run(ROUNDS, threads(workers)).of(Coin())
    assert (added.rounds, added.interrupted) == (ROUNDS, False)
    assert added.tally.tolist() == (np.array(by_hand(10)) + Coin()(10, 50)).tolist()
    assert added.tally.tolist() != Run(ROUNDS, threads(workers)).of(Coin(seed=2)).tally.tolist()


@pytest.mark.parametrize("workers", [1, 3])
def test_ctrl_c_ends_with_what_is_known(workers: int) -> None:
    added = Run(ROUNDS, threads(workers), follow=PressCtrlC(4)).of(Coin())
    assert (added.rounds, added.interrupted) == (400, True)
    assert added.tally.tolist() == by_hand(4)


def test_ctrl_c_before_anything_is_known() -> None:
    class Slow(Coin):
        def __call__(self, batch: int, rounds: int) -> Tally:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Run(ROUNDS).of(Slow())


@pytest.mark.parametrize("stops", [[4], [1, 2, 3], [11]])
def test_interrupted_and_resumed_is_the_same_as_in_one_go(tmp_path: Path, stops: list[int]) -> None:
    whole = Run(ROUNDS).of(Coin())
    file = tmp_path / "kept.json"
    for stop in stops:
        assert Run(ROUNDS, checkpoint=file, follow=PressCtrlC(stop)).of(Coin()).interrupted
    resumed = Run(ROUNDS, threads(2), checkpoint=file).of(Coin())
    assert (resumed.rounds, resumed.tally.tolist()) == (ROUNDS, whole.tally.tolist())
    assert list(tmp_path.iterdir()) == [file]


def test_a_longer_run_goes_on_from_a_shorter_one(tmp_path: Path) -> None:
    """The short last batch of the first run is not part of the second."""
    file = tmp_path / "kept.json"
    Run(250, checkpoint=file).of(Coin())
    assert json.loads(file.read_text())["batches"] == 2
    seen: list[int] = []
    longer = Run(ROUNDS, checkpoint=file, progress=lambda done, _: seen.append(done)).of(Coin())
    assert seen[0] == 300
    assert longer.tally.tolist() == Run(ROUNDS).of(Coin()).tally.tolist()


def test_a_finished_run_is_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    first = Run(500, checkpoint=file).of(Coin())
    again = Run(500, checkpoint=file).of(Coin(broken_at=0))
    assert again.tally.tolist() == first.tally.tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "is not a checkpoint"),
        ("nonsense", "is not a checkpoint"),
        ('{"version": 1, "job": "coin 2", "batches": 1, "tally": [1, 2]}', "of another simulation"),
        ('{"version": 9, "job": "coin 1", "batches": 1, "tally": [1, 2]}', "of another simulation"),
        ('{"version": 1, "job": "coin 1", "batches": 11, "tally": [1, 2]}', "more than the 1,050 asked for"),
    ],
)
def test_a_wrong_checkpoint_is_refused_and_left_alone(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "kept.json"
    file.write_text(text)
    with pytest.raises(MalformedInput, match=said):
        Run(ROUNDS, checkpoint=file).of(Coin())
    assert file.read_text() == text


def test_a_batch_that_fails_ends_the_run_and_what_was_whole_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    with pytest.raises(MalformedInput, match="the coin is lost"):
        Run(ROUNDS, threads(2), checkpoint=file).of(Coin(broken_at=6))
    assert json.loads(file.read_text())["batches"] == 6
    assert json.loads(file.read_text())["tally"] == by_hand(6)


@pytest.mark.parametrize("workers", [1, 4])
def test_until_the_error_is_small_enough(workers: int) -> None:
    """The errors of 100, 200, … rounds are about 0.1, 0.071, 0.058, 0.05, 0.045."""
    target = 0.046
    added = Run(10**9, threads(workers), until_standard_error=target).of(Coin())
    assert added.rounds == 500
    assert Coin().precision(added.tally)[1] <= target < Coin().precision(np.array(by_hand(4)))[1]


def test_until_the_error_is_small_enough_after_a_checkpoint(tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    Run(300, checkpoint=file).of(Coin())
    added = Run(10**9, until_standard_error=0.046, checkpoint=file).of(Coin())
    assert added.rounds == 500
    assert Run(10**9, until_standard_error=0.046, checkpoint=file).of(Coin(broken_at=5)).rounds == 500


@dataclass(frozen=True)
class Fortune(Coin):
    """Every batch wins and loses a third of what 64 bits can hold."""

    def __call__(self, batch: int, rounds: int) -> Tally:
        return np.array([2**63 // 3, -(2**63 // 3)])


def test_sums_that_do_not_fit_are_refused_and_not_wrong() -> None:
    assert Run(3 * PER_BATCH).of(Fortune()).tally.tolist() == [2**63 // 3 * 3, -(2**63 // 3 * 3)]
    with pytest.raises(MalformedInput, match=r"the sums of more than 300 rounds .* do not fit into 64 bits"):
        Run(4 * PER_BATCH).of(Fortune())


@pytest.mark.parametrize("rounds", [-5, 0, 1])
def test_too_few_rounds(rounds: int) -> None:
    with pytest.raises(MalformedInput, match="at least 2 rounds"):
        Run(rounds).of(Coin())
