"""Simulations on a Dask cluster: the same sums as here, also when a worker is killed on the way."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator

import pytest
from distributed import LocalCluster

from cardroom.core.errors import Unavailable
from cardroom.exact.twentyone import solve
from cardroom.rules import load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim import dask as dask_module
from cardroom.sim.batches import ROUNDS_PER_BATCH
from cardroom.sim.dask import dask
from cardroom.sim.knockout52 import Knockout52Job
from cardroom.sim.run import Run, Snapshot
from cardroom.sim.twentyone import Dealing, Job

ROUNDS = 20 * ROUNDS_PER_BATCH + 12_345


def blackjack_job() -> Job:
    rules = load_rules_as(TwentyOneRules, "blackjack")
    actions = solve(rules, "basic").strategy.action
    return Job.of(rules, actions, seed=11, dealing=Dealing.house(rules))


def some_cluster(workers: int) -> LocalCluster:
    """Processes on loopback; the scheduler's port for HTTP is any that is free."""
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
    )


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with some_cluster(2) as running:
        yield running


def test_a_cluster_gives_the_sums_of_one_process(cluster: LocalCluster) -> None:
    job = blackjack_job()
    on_cluster = Run(ROUNDS, dask(cluster.scheduler_address)).of(job)
    here = Run(ROUNDS).of(job)
    assert on_cluster.rounds == here.rounds == ROUNDS
    assert on_cluster.tally.tolist() == here.tally.tolist()


def test_a_killed_worker_changes_nothing(cluster: LocalCluster) -> None:
    job = blackjack_job()
    killed: list[int] = []
    done: list[int] = []

    def kill_one(snapshot: Snapshot) -> None:
        done.append(snapshot.rounds)
        if not killed:
            victim = next(iter(cluster.workers.values()))
            killed.append(victim.pid)
            os.kill(victim.pid, signal.SIGKILL)

    on_cluster = Run(ROUNDS, dask(cluster.scheduler_address), follow=kill_one).of(job)
    assert killed
    with pytest.raises(ProcessLookupError):
        os.kill(killed[0], 0)
    assert done == sorted(set(done))
    assert done[-1] == ROUNDS
    nets = job.prepared.tallies(on_cluster.tally).nets
    assert int(nets.sum()) == ROUNDS  # none lost, none counted twice
    assert on_cluster.tally.tolist() == Run(ROUNDS).of(job).tally.tolist()


def test_it_stops_on_a_cluster_where_it_stops_here(cluster: LocalCluster) -> None:
    job = Knockout52Job(load_rules_as(Knockout52Rules, "knockout-52"), seed=3)
    target = 0.003  # of all-the-way, 6.44 a game: five million games
    on_cluster = Run(10**12, dask(cluster.scheduler_address), until_standard_error=target).of(job)
    here = Run(10**12, until_standard_error=target).of(job)
    assert here.rounds % ROUNDS_PER_BATCH == 0
    assert here.rounds < 10 * ROUNDS_PER_BATCH
    assert (on_cluster.rounds, on_cluster.tally.tolist()) == (here.rounds, here.tally.tolist())


def test_a_cluster_of_our_own() -> None:
    """Without an address: processes of this machine, which are gone afterwards."""
    job = Knockout52Job(load_rules_as(Knockout52Rules, "knockout-52"), seed=3)
    on_cluster = Run(3 * ROUNDS_PER_BATCH, dask(workers=2)).of(job)
    assert on_cluster.tally.tolist() == Run(3 * ROUNDS_PER_BATCH).of(job).tally.tolist()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "127.0.0.1:1", "nonsense", "carrier://pigeon"])
def test_no_scheduler_at_the_address(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_module, "_PATIENCE_SECONDS", 0.5)
    job = Knockout52Job(load_rules_as(Knockout52Rules, "knockout-52"), seed=3)
    with pytest.raises(Unavailable, match=f"no Dask scheduler answers at {address}"):
        Run(1000, dask(address)).of(job)


@pytest.mark.thorough
def test_a_cluster_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_module, "_PATIENCE_SECONDS", 0.5)
    job = Knockout52Job(load_rules_as(Knockout52Rules, "knockout-52"), seed=3)
    with some_cluster(0) as empty, pytest.raises(Unavailable, match="has no workers"):
        Run(1000, dask(empty.scheduler_address)).of(job)
