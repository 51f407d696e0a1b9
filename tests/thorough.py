"""Long lists of cases that are alike: `make test` tries some of each kind, `make thorough` all of them."""

from __future__ import annotations

import os
from collections import Counter
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
"""Flows that SQLite tries all of, and PostgreSQL every second one: what is done is the same on both."""


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
    for item in items:
        parameters: dict[str, Any] = (
            item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        )
        name = "/".join(item.path.parts[-2:])
        if parameters.get("database_url") == "postgresql" and name in IN_PART_ON_POSTGRESQL:
            flows[name] += 1
            if flows[name] % 2 == 0:
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


def _fonts_fit_anyway(fonts: str, width: int) -> bool:
    """Narrow letters on a narrow page, and wide ones on a wide page, where the bare set was tried before."""
    return fonts == "rich" if width < _WIDE else fonts == "serif"
