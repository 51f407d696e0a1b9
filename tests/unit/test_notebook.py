"""The notebook of the docs: its cells run from the top, and what each shows is a picture of its object."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "tour.ipynb"


def code_cells() -> dict[str, str]:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return {cell["id"]: "".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"}


def shown(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does; the value of its last line."""
    *statements, last = ast.parse(source).body
    assert isinstance(last, ast.Expr), "a cell ends with what it shows"
    exec(compile(ast.Module(statements, []), "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_notebook_is_kept_without_outputs_and_imports_one_name() -> None:
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert [
        cell["id"] for cell in notebook["cells"] if cell.get("outputs") or cell.get("execution_count")
    ] == []
    imports = [line for source in code_cells().values() for line in source.splitlines() if "import" in line]
    assert imports == ["import cardroom as cr"]


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
