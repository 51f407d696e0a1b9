"""The clause register: which clauses `docs/rules` has, and which of them the tests say they prove."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from cardroom.games import clause_prefixes

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "rules"
TESTS = ROOT / "tests"
NOT_BUILT_YET = Path(__file__).with_name("not_built_yet.txt")

_CLAUSE_ROW = re.compile(rf"^\| *(?P<id>(?:{'|'.join(clause_prefixes())})-\d+(?:\.\d+)?) *\|")


def clauses_of(page: str) -> list[str]:
    """The ids in the first column of a page's tables, in order.

    >>> clauses_of("| id | clause |\\n|---|---|\\n| KO52-1 | A game. |\\nKO52-2 in a sentence.")
    ['KO52-1']
    """
    return [row["id"] for line in page.splitlines() if (row := _CLAUSE_ROW.match(line))]


def written_clauses() -> list[str]:
    """Every clause of every page."""
    return [clause for page in sorted(PAGES.glob("*.md")) for clause in clauses_of(page.read_text("utf-8"))]


def marks_of(source: str, mark: str) -> Iterator[str]:
    """The ids given to `pytest.mark.<mark>(…)` in a source, as a decorator or anywhere else.

    >>> list(marks_of("pytestmark = [pytest.mark.clause('BJ-1', 'BJ-2'), pytest.mark.slow]", "clause"))
    ['BJ-1', 'BJ-2']
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == f"pytest.mark.{mark}":
            for argument in node.args:
                if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
                    raise TypeError(f"line {node.lineno}: a {mark} mark takes ids as plain strings")
                yield argument.value


def marked_clauses() -> dict[str, list[str]]:
    """Each clause that some test names, with the test files that name it."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for clause in sorted(set(marks_of(path.read_text("utf-8"), "clause"))):
            found.setdefault(clause, []).append(str(path.relative_to(ROOT)))
    return found


def not_built_yet() -> list[str]:
    """The prefixes of clauses whose game (or part) is not built yet, a line each; `#` starts a comment."""
    lines = (line.partition("#")[0].strip() for line in NOT_BUILT_YET.read_text("utf-8").splitlines())
    return [line for line in lines if line]


def is_under(clause: str, prefix: str) -> bool:
    """Whether a clause belongs to a prefix: a game (`PE21`), a section (`21-1`) or the clause itself.

    >>> is_under("21-1.13", "21-1"), is_under("KO21-1.1", "21"), is_under("BJ-12", "BJ-1")
    (True, False, False)
    """
    return clause == prefix or clause.startswith((f"{prefix}-", f"{prefix}."))


if __name__ == "__main__":
    marked = marked_clauses()
    waiting = not_built_yet()
    for written in written_clauses():
        later = any(is_under(written, prefix) for prefix in waiting)
        print(f"{written:10}", ", ".join(marked.get(written, ["not built yet" if later else "NO TEST"])))
