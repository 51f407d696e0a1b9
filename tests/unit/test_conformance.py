"""The conformance page is true: every requirement has its line, and the tests it names are marked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.clauses.register import marks_of

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "conformance.md"
ROW = re.compile(r"^\| (R-\d+) \|[^|]+\|[^|]+\| ([^|]+) \|$")
ASKED = [f"R-{number}" for number in (*range(1, 36), *range(43, 49), *range(50, 54))]


def page() -> dict[str, list[str]]:
    """Each requirement of the page with the test files that it names."""
    rows = (ROW.match(line) for line in PAGE.read_text("utf-8").splitlines())
    return {row[1]: [name.strip() for name in row[2].split(",")] for row in rows if row}


def test_every_requirement_asked_for_has_its_line() -> None:
    assert [name for name in page() if name in ASKED] == ASKED


@pytest.mark.parametrize("requirement", ASKED)
def test_the_tests_named_carry_the_mark(requirement: str) -> None:
    for name in page()[requirement]:
        marked = set(marks_of((ROOT / "tests" / name).read_text("utf-8"), "requirement"))
        assert requirement in marked, f"{name} has no test marked {requirement}"
