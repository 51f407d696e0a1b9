"""Attackers are visitors too: what a visitor opened is closed with the test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.attack.machine import Machine
from tests.databases import KINDS, sqlite_copy
from tests.web.conftest import _answers_are_known, guests_leave

__all__ = ["_answers_are_known", "guests_leave", "machine"]


@pytest.fixture(scope="module", params=KINDS)
def machine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """One server for a file of attacks, on each kind of database; `SETTINGS` of the file are the server's."""
    folder = tmp_path_factory.mktemp("machine")
    if request.param == "sqlite":
        url = sqlite_copy(request.getfixturevalue("sqlite_template"), folder)
    else:
        url = request.getfixturevalue("postgres").new()
    found = Machine(url, folder, **getattr(request.module, "SETTINGS", {}))
    found.start()
    yield found
    found.stop()
