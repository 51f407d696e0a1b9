"""What needs a library that is not installed is refused at once, with the line to type."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from cardroom.cli import tables
from cardroom.core import extras
from tests.command_line import CommandLine

ROWS = [
    {"wager": "primary", "rounds": 10, "expected_value": -0.5, "exact": None},
    {"wager": "21+3", "rounds": 10, "expected_value": 0.25, "exact": 0.125},
]


@pytest.fixture
def cardroom(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    """A bare installation, in a folder of its own."""
    monkeypatch.setattr(extras, "find_spec", lambda _name: None)
    monkeypatch.setattr("cardroom.exact.twentyone.solve", None)
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("line", "what", "extra"),
    [
        ("strategy blackjack --svg chart.svg", "a picture", "plots"),
        ("strategy blackjack --png chart.png", "a picture", "plots"),
        ("par blackjack -o sheet.pdf", "a PDF", "documents,plots"),
        ("par blackjack -o sheet.html", "a plot", "plots"),
        ("simulate blackjack --plot plot.svg", "a plot", "plots"),
        ("simulate blackjack --parquet figures.parquet", "a Parquet file", "parquet"),
        ("simulate knockout-52 --parquet figures.parquet", "a Parquet file", "parquet"),
        ("simulate knockout-21 --parquet figures.parquet", "a Parquet file", "parquet"),
        ("simulate blackjack --backend dask", "a Dask cluster", "dask"),
        ("lottery sell --pdf prints", "a PDF", "documents"),
        ("lottery sell --png prints", "a picture", "documents"),
        ("lottery alter 1 --choice 5=H --pdf prints", "a PDF", "documents"),
    ],
)
def test_a_missing_extra_is_said_at_once(
    cardroom: CommandLine, tmp_path: Path, line: str, what: str, extra: str
) -> None:
    said = cardroom.refused(*line.split())
    assert said == f"{what} needs more libraries: pip install 'cardroom-lab[{extra}]'"
    assert not list(tmp_path.iterdir())


def test_rows_as_csv() -> None:
    first, second = csv.DictReader(tables.to_csv(ROWS).splitlines())
    assert first == {"wager": "primary", "rounds": "10", "expected_value": "-0.5", "exact": ""}
    assert second["exact"] == "0.125"


def test_rows_as_parquet() -> None:
    from pyarrow.parquet import read_table

    assert read_table(io.BytesIO(tables.to_parquet(ROWS))).to_pylist() == ROWS
