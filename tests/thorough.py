"""Long lists of cases that are alike: `make test` tries some of each kind, `make thorough` all of them."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

_WIDE = 768
_PLAIN_FONTS = "bare"
WANTED = os.environ.get("CARDROOM_THOROUGH") == "1"


def one_in(step: int, cases: Iterable[object], *, several: bool = False) -> list[Any]:
    """All cases as parameters of a test: one of every so many is part of `make test`, from the first on; the
    others are marked `thorough`. With `several`, a case holds several arguments.
    """
    return [
        pytest.param(
            *(case if several and isinstance(case, tuple) else (case,)),
            marks=() if number % step == 0 else (pytest.mark.thorough,),
        )
        for number, case in enumerate(cases)
    ]


def without_thorough(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Tests to be run, and those left to `make thorough`."""
    left = [item for item in items if not WANTED and item.get_closest_marker("thorough")]
    apart = set(left)
    return [item for item in items if item not in apart], left


IN_PART_ON_POSTGRESQL = (
    "property/test_lottery_years.py",
    "races/test_crashes.py",
    "web/test_opening_points.py",
    "web/test_write_points.py",
)
"""Flows that SQLite tries all of, and PostgreSQL every fourth one: what is done is the same on both."""


SOME_OF = {
    "agree/": 3,
    "agree/test_counter_flat.py": 3,
    "agree/test_counter_ordinary.py": 3,
    "agree/test_exact_optimum.py": 3,
    "agree/test_exact_ordering.py": 3,
    "agree/test_knockout21.py": 2,
    "agree/test_random_rules.py": 3,
    "agree/test_counters_cuda.py": 3,
    "agree/test_team_kernel.py": 3,
    "agree/test_twentyone_kernel.py::test_kernel_equals_engine_with_each_option_changed": 3,
    "perft/test_exact_twentyone.py": 3,
    "perft/test_late_second_card.py": 2,
    "perft/test_twentyone.py": 3,
    "property/test_lottery_days.py": 3,
    "races/test_dask.py::test_no_scheduler_at_the_address": 2,
    "property/test_lottery_years.py": 2,
    "unit/test_envs.py::test_the_solvers_strategy_earns_its_exact_value": 3,
    "unit/test_exact_twentyone.py": 2,
    "unit/test_games.py::test_levers_favour_whom_they_say": 3,
    "unit/test_hand_for_every_line.py::test_a_line_is_shown_by_a_hand_that_the_engine_pays": 3,
    "unit/test_howto.py::test_a_film_is_told_step_by_step_in_about_half_a_minute": 3,
    "unit/test_howto.py::test_every_bet_has_a_whole_page_from_cards_of_its_own_shoe": 3,
    "unit/test_library.py::test_a_task_takes_five_lines_and_one_import": 2,
    "unit/test_lottery_rebuilding.py": 2,
    "unit/test_new_bonus.py": 2,
    "unit/test_par.py::test_the_sheets_of_the_other_games": 2,
    "unit/test_players_hand.py": 2,
    "unit/test_protect.py": 3,
    "unit/test_readme.py::test_console_block": 1,
    "unit/test_shelf.py": 1,
    "unit/test_store_archives.py": 3,
    "web/test_felt.py": 2,
    "web/test_felt_splits.py": 2,
    "web/test_one_way_to_say.py::test_wagers_are_called_the_same_everywhere": 4,
}
"""Of many cases of a test that differ in rules, shoes or games, one in so many is tried, the first of each
test among them: by folder, by file or by test; what is named more closely counts."""
FEWEST = 3
"""A test with fewer cases is tried whole."""


ONE_SIZE = {
    "web/test_phases.py": 360,
    "web/test_wall.py": 1920,
    "test_advice_on_a_phone_is_in_money_for_split_and_doubled_hands_and_fits": 360,
    "test_all_that_is_printed_on_the_felt_can_be_read": 1280,
}
"""Files and tests whose cases with fonts have one width."""


def mark_alike(items: Sequence[pytest.Item]) -> None:
    """Mark the cases that no list marks by itself: flows on the second database, fonts on every size."""
    flows: Counter[str] = Counter()
    tried: Counter[tuple[str, str]] = Counter()
    _mark_some(items)
    for item in items:
        parameters: dict[str, Any] = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        name = "/".join(item.path.parts[-2:])
        if parameters.get("database_url") == "postgresql" and name in IN_PART_ON_POSTGRESQL:
            flows[name] += 1
            if flows[name] % 4 != 2:
                item.add_marker("thorough")
        if "any_fonts" in parameters:
            fonts, test = parameters["any_fonts"], getattr(item, "originalname", name)
            sizes = parameters.get("size") or parameters.get("widths")
            width = sizes[0] if sizes else ONE_SIZE.get(test, ONE_SIZE.get(name))
            if width and _fonts_fit_anyway(fonts, width):
                item.add_marker("thorough")
            elif sizes and fonts != _PLAIN_FONTS:
                # Each page on each size with the plain set, and by turns with one of the two others.
                tried[test, fonts] += 1
                if tried[test, fonts] % 2 == (fonts == "serif"):
                    item.add_marker("thorough")


def _mark_some(items: Sequence[pytest.Item]) -> None:
    """Mark most of the cases that differ in rules, shoes or games only."""
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
            if not item.get_closest_marker("thorough"):
                folder, file = item.path.parts[-2:]
                cases[f"{folder}/{file}::{item.originalname}"].append(item)
    for name, alike in cases.items():
        folder, file = name.split("/")[0] + "/", name.split("::")[0]
        step = SOME_OF.get(name) or SOME_OF.get(file) or SOME_OF.get(folder) or 1
        if len(alike) >= FEWEST:
            for number, item in enumerate(alike):
                if number % step:
                    item.add_marker("thorough")


def _fonts_fit_anyway(fonts: str, width: int) -> bool:
    """Narrow letters on a narrow page, and wide ones on a wide page, where the bare set was tried before."""
    return fonts == "rich" if width < _WIDE else fonts == "serif"
