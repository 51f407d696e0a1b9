"""The GPU of these tests: the machine's own C++ compiler, once for each kernel and its macros."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from cardroom.sim.twentyone import cuda, team_cuda
from cardroom.sim.twentyone.counter_cuda import gpu_of
from tests.cuda_on_the_cpu import HostCupy


@pytest.fixture(scope="session")
def host_cupy(tmp_path_factory: pytest.TempPathFactory) -> HostCupy:
    return HostCupy(tmp_path_factory.mktemp("kernels"))


@pytest.fixture
def on_the_host(host_cupy: HostCupy, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulations find this GPU, and no later test finds what they kept of it."""
    monkeypatch.setitem(sys.modules, "cupy", host_cupy)
    yield
    cuda._gpu.cache_clear()
    gpu_of.cache_clear()
    team_cuda._gpu.cache_clear()
