"""The pages' part of docs/conformance.md against the marks on the tests."""

from __future__ import annotations

import pytest

from tests.clauses.register import marks_of
from tests.unit.test_conformance import PAGE, ROOT, ROW

ASKED = [f"R-{number}" for number in (*range(36, 43), *range(44, 48), *range(54, 61))]


def lines() -> dict[str, list[str]]:
    """Each requirement of the pages' table with the test files that it names."""
    part = PAGE.read_text("utf-8").partition("## Pages")[2]
    rows = (ROW.match(line) for line in part.splitlines())
    return {row[1]: [name.strip() for name in row[2].split(",")] for row in rows if row}


def test_every_requirement_of_the_pages_has_its_line() -> None:
    assert list(lines()) == ASKED


@pytest.mark.parametrize("requirement", ASKED)
def test_the_tests_named_carry_the_mark(requirement: str) -> None:
    for name in lines()[requirement]:
        marked = set(marks_of((ROOT / "tests" / name).read_text("utf-8"), "requirement"))
        assert requirement in marked, f"{name} has no test marked {requirement}"
