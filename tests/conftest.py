"""What all tests share: each one may run anywhere, in any order, and leaves nothing behind."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from cardroom.lab import kept
from tests import (
    chance,
    cheap_passwords,
    compiled_statements,
    folder_in_memory,
    known_routes,
    one_tls,
    thorough,
)
from tests.command_line import hold_json_to_schemas

pytest_plugins = ["tests.databases"]
chance.take_over()
cheap_passwords.take_over()
compiled_statements.take_over()
known_routes.take_over()
one_tls.take_over()
folder_in_memory.take_over()

# Tests start hundreds of programs of this package: where bytecode is not written, each compiles all of it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Whoever starts the tests in the background may have had them ignore Ctrl-C, and their children with them.
signal.signal(signal.SIGINT, signal.default_int_handler)


# What collecting the tests makes stays to the end: it is not looked through for garbage, then or later.
gc.disable()

settings.register_profile("cardroom", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("CARDROOM_HYPOTHESIS", "cardroom"))
if settings.get_current_profile_name() == "cardroom":
    # Hypothesis takes numbers and texts from all modules of ours that a process has read so far, so that what
    # it makes up would depend on which tests ran before. It gets none of them: the same input at every run.
    vars(providers)["_get_local_constants"] = lambda: providers._local_constants


BY_FIXTURE = {"browsers": "browser", "own_postgres": "postgres", "postgres": "postgres"}
"""What a test needs, by the fixture that brings it."""
SLOW_FOLDERS = ("agree", "attack", "perft", "races", "web")
"""Folders of long enumeration, of crashes and of servers: all of it is `slow`."""


FIRST_FILES = (
    "unit/test_par.py",
    "web/test_felt.py",
    "web/test_pages.py",
    "web/test_write_points.py",
    "perft/test_exact_every_option.py",
    "agree/test_exact_optimum.py",
    "web/test_wall.py",
    "web/test_table_page.py",
    "races/test_crashes.py",
    "published/test_protection.py",
    "web/test_phases.py",
    "agree/test_exact_ordering.py",
    "unit/test_cli_twentyone_figures.py",
    "agree/test_twentyone_kernel.py",
    "published/test_twentyone.py",
    "web/test_one_way_to_say.py",
    "web/test_knockout21_buying.py",
    "perft/test_twentyone.py",
    "agree/test_knockout21.py",
    "web/test_floor_tables.py",
    "property/test_lottery_years.py",
    "attack/test_service.py",
    "perft/test_exact_twentyone.py",
    "web/test_table_story.py",
    "web/test_how.py",
    "agree/test_counter_flat.py",
    "races/test_dask.py",
    "web/test_opening_points.py",
    "agree/test_random_rules.py",
    "unit/test_store_archives.py",
    "web/test_kill.py",
    "attack/test_restored.py",
    "property/test_twentyone.py",
    "agree/test_by_size.py",
    "agree/test_environments.py",
    "attack/test_random_attacker.py",
)
"""Files that take longest: begun first, so that no process is left alone with one at the end."""


def pytest_xdist_auto_num_workers() -> int:
    """Two processes more than there are cores: browsers, servers and locks are waited for a good deal."""
    return (os.cpu_count() or 1) + 2


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    thorough.mark_alike(items)
    items[:], left = thorough.without_thorough(items)
    config.hook.pytest_deselected(items=left)

    def place(item: pytest.Item) -> int:
        name = "/".join(item.path.parts[-2:])
        return FIRST_FILES.index(name) if name in FIRST_FILES else len(FIRST_FILES)

    items.sort(key=place)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(200_000, 20, 100)  # small objects that live for a moment are looked through less often
    gc.enable()


def pytest_itemcollected(item: pytest.Item) -> None:
    marks = {BY_FIXTURE[name] for name in getattr(item, "fixturenames", ()) if name in BY_FIXTURE}
    parameters = (
        item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    )
    if "postgresql" in (parameters.get("database_url"), parameters.get("machine")):
        marks.add("postgres")
    if item.path.parent.name in SLOW_FOLDERS:
        marks.add("slow")
    for mark in sorted(marks):
        item.add_marker(mark)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    chance.begin(item.nodeid)


@pytest.fixture(autouse=True, scope="session")
def _json_as_schemas_say() -> Iterator[None]:
    """All JSON that a command prints in a test is held to the command's schema."""
    with pytest.MonkeyPatch.context() as patch:
        hold_json_to_schemas(patch)
        yield


@pytest.fixture(autouse=True, scope="session")
def _no_answer_is_kept() -> Iterator[None]:
    """Commands of tests compute what they print."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept, "folder", lambda: None)
        yield


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Output does not depend on the terminal, its width, its colours or its letters."""
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
