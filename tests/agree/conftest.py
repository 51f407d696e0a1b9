"""The GPU of these tests: the machine's own C++ compiler, once for each kernel and its macros."""

from __future__ import annotations

import pytest

from tests.cuda_on_the_cpu import HostCupy


@pytest.fixture(scope="session")
def host_cupy(tmp_path_factory: pytest.TempPathFactory) -> HostCupy:
    return HostCupy(tmp_path_factory.mktemp("kernels"))
