"""Answers that were computed before come again, and only while nothing has changed."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from cardroom.exact.figures import Outcome, WagerFigures
from cardroom.lab import kept

QUESTION = ("odds", "rules of a table", "basic")


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """What was computed; answers are kept in a folder of the test."""
    monkeypatch.setattr(kept, "folder", lambda: tmp_path)
    return []


def ask(computed: list[int], *question: str) -> int:
    def compute() -> int:
        computed.append(len(computed))
        return 42

    return kept.kept(question or QUESTION, compute)


def test_the_same_question_is_computed_once(computed: list[int]) -> None:
    assert ask(computed) == ask(computed) == 42
    assert len(computed) == 1


def test_another_question_is_computed(computed: list[int]) -> None:
    ask(computed, "odds", "ab")
    ask(computed, "odds", "a", "b")
    ask(computed, "oddsab")
    assert len(computed) == 3


def test_after_a_change_of_any_source_it_is_computed_again(
    computed: list[int], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    package = tmp_path_factory.mktemp("package")
    (package / "law.py").write_text("pays = 1")
    (package / "game.toml").write_text("decks = 6")
    monkeypatch.setattr(kept, "_PACKAGE", package)
    ask(computed)
    os.utime(package / "game.toml", ns=(1, 1))
    ask(computed)
    (package / "law.py").write_text("pays = 21")
    ask(computed)
    ask(computed)
    assert len(computed) == 3


@pytest.mark.parametrize("content", [b"", b"no answer", b"\x80\x04c"])
def test_a_file_that_cannot_be_read_is_no_answer(computed: list[int], tmp_path: Path, content: bytes) -> None:
    ask(computed)
    (file,) = tmp_path.iterdir()
    file.write_bytes(content)
    assert ask(computed) == 42
    assert len(computed) == 2


def test_old_answers_make_room(computed: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST_ANSWERS", 3)
    for number in range(5):
        ask(computed, str(number))
    assert len(list(tmp_path.iterdir())) == 3


def test_where_nothing_can_be_kept_it_is_computed(
    computed: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "folder", lambda: None)
    assert ask(computed) == ask(computed) == 42
    assert len(computed) == 2


def test_a_folder_that_others_may_write_is_not_used(tmp_path: Path) -> None:
    def folder() -> str:
        script = "from cardroom.lab.kept import folder; print(folder())"
        variables = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
        words = [sys.executable, "-c", script]
        return subprocess.run(words, env=variables, capture_output=True, check=True, text=True).stdout.strip()

    own = tmp_path / "cardroom"
    assert folder() == str(own)
    own.chmod(0o777)
    assert folder() == "None"


def test_figures_come_back_as_they_were(computed: list[int]) -> None:
    outcomes = (Outcome("win", Fraction(1), Fraction(1, 3)), Outcome("lose", Fraction(-1), Fraction(2, 3)))
    figures = WagerFigures("primary", outcomes, strategy="basic")
    for _ in range(2):
        assert kept.kept(QUESTION, lambda: (figures,)) == (figures,)


def test_an_answer_that_was_kept_imports_no_compiler() -> None:
    script = """
import sys
from fractions import Fraction
from cardroom.cli import main
from cardroom.exact.figures import Outcome, WagerFigures
from cardroom.lab import kept
from cardroom.lab.edge_by_size import EdgeBySize

figures = WagerFigures("primary", (Outcome("win", Fraction(1), Fraction(1)),), strategy="basic")
kept.kept = lambda question, compute: ((figures,), EdgeBySize(400, ("For $4.00.",), (), (), {}))
assert main(["odds", "blackjack", "--strategy", "basic"]) == 0
sys.exit("numba" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, encoding="utf-8")
    assert ran.returncode == 0, ran.stderr
    assert "by the basic strategy, the best that looks at the total and the dealer's card" in ran.stdout
