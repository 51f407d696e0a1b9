"""Half of the solver's kernels is compiled by a second process: the ones that a solution then asks for."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from cardroom.exact.twentyone import beside, joint, moments, play, solve, split
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules

KERNELS: tuple[Any, ...] = (
    play._plan,
    play._spread,
    play._ended_sum,
    split._deal_second_cards,
    moments._add_moments,
    moments._centre,
    joint._factor,
    joint._solve,
    joint._add_products,
    moments._combine,
)


@pytest.mark.slow
def test_a_solution_asks_for_no_other_form_of_what_was_compiled_beside() -> None:
    beside.compile_kernels()
    before = {kernel: set(kernel.signatures) for kernel in KERNELS}
    assert all(before.values())
    assert solve(load_rules_as(TwentyOneRules, "blackjack"), wager_cents=400).distribution
    assert {kernel: set(kernel.signatures) - some for kernel, some in before.items()} == {
        kernel: set() for kernel in KERNELS
    }


class TestSecondProcess:
    @pytest.fixture(autouse=True)
    def processes(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
        """What is done with processes that are not there."""
        happened: list[str] = []

        def popen(command: list[str], **_: object) -> object:
            happened.append(command[-1].split("; ")[-1])
            return SimpleNamespace(wait=lambda: happened.append("waited"))

        monkeypatch.setattr(subprocess, "Popen", popen)
        monkeypatch.setattr(os, "cpu_count", lambda: 2)
        monkeypatch.setattr(beside, "_started", [])
        beside.begin.cache_clear()
        yield happened
        beside.begin.cache_clear()

    def keep(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        kept = SimpleNamespace(stats=SimpleNamespace(cache_path=str(folder)))
        monkeypatch.setattr(joint, "_solve", kept)

    def test_is_started_once_where_nothing_is_compiled(
        self, processes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.keep(tmp_path, monkeypatch)
        beside.begin()
        beside.begin()
        beside.wait()
        beside.wait()
        assert processes == ["compile_kernels()", "waited"]

    def test_is_not_started_where_kernels_are_or_no_second_core_is(
        self, processes: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.keep(tmp_path, monkeypatch)
        monkeypatch.setattr(os, "cpu_count", lambda: 1)
        beside.begin()
        monkeypatch.setattr(os, "cpu_count", lambda: 2)
        beside.begin.cache_clear()
        (tmp_path / "joint._solve-1.py311.nbi").touch()
        beside.begin()
        beside.wait()
        assert processes == []
