"""Every clause of a game that is built has a test, and every mark names a clause."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.clauses.register import (
    clauses_of,
    is_under,
    marked_clauses,
    marks_of,
    not_built_yet,
    written_clauses,
)


def test_a_clause_stands_once() -> None:
    assert [clause for clause, times in Counter(written_clauses()).items() if times > 1] == []


@pytest.mark.slow
def test_every_clause_has_a_test() -> None:
    marked, waiting = marked_clauses(), not_built_yet()
    missing = [
        clause
        for clause in written_clauses()
        if clause not in marked and not any(is_under(clause, prefix) for prefix in waiting)
    ]
    assert missing == [], "clauses of docs/rules that no test names"


@pytest.mark.slow
def test_every_mark_names_a_clause() -> None:
    written = set(written_clauses())
    unknown = {clause: files for clause, files in marked_clauses().items() if clause not in written}
    assert unknown == {}, "marks that name no clause of docs/rules"


@pytest.mark.slow
def test_what_is_not_built_yet_has_no_tests() -> None:
    marked, written = marked_clauses(), written_clauses()
    for prefix in not_built_yet():
        assert any(is_under(clause, prefix) for clause in written), f"{prefix} names no clause"
        tested = [clause for clause in marked if is_under(clause, prefix)]
        assert tested == [], f"{prefix} has tests: take it (or its built part) off not_built_yet.txt"


def test_marks_are_found_in_every_place() -> None:
    source = """
import pytest
pytestmark = pytest.mark.clause("KO52-1")
@pytest.mark.clause("KO52-2", "KO52-3")
@pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.clause("KO52-4"))])
def test_it(n): ...
class TestThem:
    pytestmark = [pytest.mark.clause("KO52-5"), pytest.mark.requirement("R-5")]
    @pytest.mark.clause("KO52-6")
    def test_it(self): ...
"""
    assert sorted(marks_of(source, "clause")) == [f"KO52-{n}" for n in range(1, 7)]
    assert list(marks_of(source, "requirement")) == ["R-5"]


def test_a_mark_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(TypeError, match="plain strings"):
        list(marks_of("pytest.mark.clause(NAME)", "clause"))


def test_rows_are_clauses_and_sentences_are_not() -> None:
    page = "| KO52-1 | first |\n|KO21-2.10| tenth |\n| id | clause |\nSee PROC-1.\n| XX-1 | x |\n| BJ-a | x |"
    assert clauses_of(page) == ["KO52-1", "KO21-2.10"]


@pytest.mark.parametrize(
    ("clause", "prefix", "expected"),
    [
        ("PE21-8.1", "PE21", True),
        ("PE21-8.1", "PE21-8", True),
        ("PE21-8", "PE21-8", True),
        ("PE21-8", "21", False),
        ("21-1.13", "21", True),
        ("21-1.13", "21-1.1", False),
        ("KO21-1.1", "KO2", False),
    ],
)
def test_prefixes_end_where_an_id_does(clause: str, prefix: str, expected: bool) -> None:
    assert is_under(clause, prefix) is expected
