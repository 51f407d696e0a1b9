"""The notebooks of the docs: their cells run from the top, and what each shows is what it is to show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import cardroom as cr
from cardroom.library import pictures
from tools.pictures import SHOWN, code_cells, picture_of, shown

DOCS = Path(__file__).resolve().parents[2] / "docs"
KEPT = {"chart": "strategy", "hand": "hand", "distribution": "distribution", "par": "par"}
"""What the tour calls what each cell shows."""
NOTEBOOK, LEARNING = DOCS / "tour.ipynb", DOCS / "learning.ipynb"


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
    for name, source in code_cells(NOTEBOOK).items():
        value = shown(source, names)
        assert len(repr(value).splitlines()) <= 2, name
        pages[name] = value._repr_html_()
        if name in SHOWN:
            drawing = value._repr_svg_()
            assert pages[name].startswith(drawing), f"{name} is not shown as a picture"
            assert drawing + "\n" == picture_of(name).read_text("utf-8"), "python -m tools.pictures"
    assert {"chart", "hand", "distribution", "par"} <= set(pages)
    for cell, words in {
        "chart": ["Blackjack: basic strategy", "hard 17-21", "pair A"],
        "hand": ["♣", "♦", "♥", "stand", "costs"],
        "distribution": ["win", "lose", "1:2"],
        "par": ["all-the-way", "rules 0"],
    }.items():
        picture = ElementTree.fromstring(names[KEPT[cell]]._repr_svg_())
        drawn = [element.text or "" for element in picture.iter("{http://www.w3.org/2000/svg}text")]
        assert all(any(word in text for text in drawn) for word in words), (cell, drawn)
    assert "<iframe" in pages["par"]
    assert set(names["hand"].values) >= {"stand", "hit"}
    picture = ElementTree.fromstring(names["strategy"].to_svg())
    assert picture.tag.endswith("svg")


def test_pictures_need_no_library_and_hold_what_they_are_given() -> None:
    """Cards without suits, signs that markup knows, more outcomes than there is room for."""
    drawn = pictures.hand("A7 <v> 9", "A 7", "9", [("stand", 0.5), ("hit", -0.25)])
    root = ElementTree.fromstring(drawn)
    assert root.findtext("{*}title") == "A7 <v> 9"
    bars = [bar for bar in root.iter("{http://www.w3.org/2000/svg}rect") if bar.get("height") == "19"]
    widths = [float(bar.get("width") or 0) for bar in bars]
    assert widths[0] == pytest.approx(2 * widths[1])
    assert float(bars[1].get("x") or 0) + widths[1] == pytest.approx(float(bars[0].get("x") or 0)), "at zero"
    many = [(f"outcome {number}", f"{number}:1", 2.0**-number) for number in range(1, 40)]
    words = " ".join(ElementTree.fromstring(pictures.distribution("many", many)).itertext())
    assert "outcome 24" in words
    assert "outcome 25" not in words
    assert "15 rarer ones are left out" in words


def test_a_sheet_is_a_picture_where_plots_cannot_be_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    sheet = cr.Game("knockout-52").par(rounds=1000)
    monkeypatch.setattr("cardroom.core.extras.find_spec", lambda _name: None)
    page = sheet._repr_html_()
    assert page.startswith("<svg")
    assert "pip install" in page
    assert "<iframe" not in page
