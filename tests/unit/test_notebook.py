"""The notebooks of the docs: their cells run from the top, and what each shows is what it is to show."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import cardroom as cr

DOCS = Path(__file__).resolve().parents[2] / "docs"
NOTEBOOK, LEARNING = DOCS / "tour.ipynb", DOCS / "learning.ipynb"


def code_cells(notebook: Path = NOTEBOOK) -> dict[str, str]:
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


def shown(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; the value of its last line."""
    *statements, last = ast.parse(source).body
    assert isinstance(last, ast.Expr), "a cell ends with what it shows"
    exec(compile(ast.Module(statements, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.parametrize(
    ("path", "others"),
    [(NOTEBOOK, []), (LEARNING, ["import gymnasium", "import numpy as np", "import cardroom.envs"])],
    ids=["tour", "learning"],
)
def test_the_notebook_is_kept_without_outputs_and_imports_one_name(path: Path, others: list[str]) -> None:
    notebook = json.loads(path.read_text("utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert [
        cell["id"] for cell in notebook["cells"] if cell.get("outputs") or cell.get("execution_count")
    ] == []
    lines = [line for source in code_cells(path).values() for line in source.splitlines()]
    assert sorted(line for line in lines if "import" in line) == sorted(["import cardroom as cr", *others])


@pytest.mark.slow
def test_learning_comes_within_three_hundredths_of_the_optimum() -> None:
    """By the notebook's own words, and by the exact value of the policy that it ends with."""
    names: dict[str, Any] = {}
    values = [shown(source, names) for source in code_cells(LEARNING).values()]
    assert len(values) == 4
    game = cr.Game("blackjack")
    assert game.edge(names["policy"]) - game.edge() == pytest.approx(values[-1], abs=1e-15)
    assert 0 < values[-1] < 0.03
    points = names["curve"].rows().column("behind")
    assert points[0] > 0.1
    assert len(points) == 7
    assert "7 values" in repr(names["curve"])


@pytest.mark.slow
def test_the_notebook_runs_and_every_object_shows_itself() -> None:
    names: dict[str, Any] = {}
    pages = {}
    for name, source in code_cells().items():
        value = shown(source, names)
        assert len(repr(value).splitlines()) <= 2, name
        pages[name] = value._repr_html_()
    assert {"chart", "hand", "distribution", "par"} <= set(pages)
    for cell, words in {
        "chart": "<table",
        "hand": "stand",
        "distribution": "round-1",
        "par": "<iframe",
    }.items():
        assert words in pages[cell], cell
    assert set(names["hand"].values) >= {"stand", "hit"}
    picture = ElementTree.fromstring(names["strategy"].to_svg())
    assert picture.tag.endswith("svg")
