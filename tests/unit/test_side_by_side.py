"""Two games, rules files or side bets side by side."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import cardroom as cr
from cardroom.lab import side_by_side
from cardroom.lab.side_by_side import Cell, Comparison
from tests.command_line import CommandLine

PAIRS = """\
title = "Own Pairs"
looks_at = ["player_1", "player_2"]
lines = [
  { name = "perfect pair", when = { same = ["rank", "suit"] }, pays = "30:1" },
  { name = "pair", when = { same = ["rank"] }, pays = "5:1" },
]
"""


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def value(found: dict[str, Any], of: str, figure: str) -> list[Fraction | None]:
    (line,) = (line for line in found["figures"] if (line["of"], line["figure"]) == (of, figure))
    return [None if one is None else Fraction(one["fraction"]) for one in line["values"]]


@pytest.mark.slow
def test_two_side_bets(cardroom: CommandLine, tmp_path: Path) -> None:
    """Of 311 cards 5 make a perfect pair, 6 a coloured and 12 a mixed one."""
    (tmp_path / "own.toml").write_text(PAIRS)
    found = cardroom("compare", "perfect-pairs", tmp_path / "own.toml", "--json").json
    assert found["names"] == ["perfect-pairs", "own.toml"]
    assert found["options"]["perfect_pair"] == ["25:1", "30:1"]
    assert found["options"]["mixed_pair"] == ["6:1", None]
    assert found["options"]["lines.pair.when"] == [None, {"same": ["rank"]}]
    assert value(found, "6 decks", "house edge") == [Fraction(19, 311), Fraction(288 - 30 * 5 - 5 * 18, 311)]
    assert value(found, "6 decks", "chance of pair") == [None, Fraction(18, 311)]
    said = cardroom("compare", "perfect-pairs", tmp_path / "own.toml").out
    assert "perfect_pair: 25:1 → 30:1" in said
    assert "6 decks: house edge" in said


def test_two_sets_of_rules(cardroom: CommandLine, tmp_path: Path) -> None:
    """Knockout 52 with one deck and with eight, as the figures of each by itself."""
    (tmp_path / "house.toml").write_text('extends = "knockout-52"\ndecks = 8\n')
    found = cardroom("compare", "knockout-52", tmp_path / "house.toml", "--json").json
    own = cr.Game("knockout-52").options["decks"]
    assert found["options"] == {"decks": [own, 8]}
    alone = [cardroom("odds", "knockout-52", "--set", f"decks={decks}", "--json").json for decks in (own, 8)]
    for line in found["figures"]:
        if line["figure"] == "house edge, %":
            edges = [one["decimal"] for one in line["values"]]
            assert edges in [
                [one["house_edge_percent"], other["house_edge_percent"]]
                for one, other in zip(alone[0]["wagers"], alone[1]["wagers"], strict=True)
            ]
    assert found["cells"] == []
    rows = cr.compare("knockout-52", tmp_path / "house.toml")
    assert len(rows) == len(found["figures"])


@pytest.mark.thorough
@pytest.mark.slow
def test_cells_of_the_chart_that_differ(cardroom: CommandLine, tmp_path: Path) -> None:
    """Who meets a dealer that hits soft 17 doubles 11 against an ace of six decks, and else hits it."""
    (tmp_path / "stands.toml").write_text('extends = "blackjack"\ndealer_hits_soft_17 = false\n')
    found = cardroom("compare", "blackjack", tmp_path / "stands.toml", "--json").json
    cells = {(cell["hand"], cell["up_card"]): cell["values"] for cell in found["cells"]}
    here, there = cells["hard 11", "A"]
    assert (here[0], there[0]) == ("D", "H")
    assert ("hard 16", "T") not in cells
    said = cardroom("compare", "blackjack", tmp_path / "stands.toml").out
    assert "dealer_hits_soft_17: true → false" in said
    assert "hard 11: against A D" in said


def test_a_row_that_one_chart_has_alone_is_said_in_one_line(
    cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = (
        *(Cell("hard 4 (doubles 1)", up, None, "S") for up in "23456789TA"),
        Cell("hard 11", "T", "D", "H"),
        Cell("hard 11", "A", "D", "H"),
        *(Cell("soft 13 (cards 3)", up, "H", None) for up in "23456789TA"),
    )
    found = Comparison(("pontoon", "spanish-21"), {}, (), cells)
    monkeypatch.setattr(side_by_side, "side_by_side", lambda *_: found)
    _, said = cardroom("compare", "pontoon", "spanish-21").out.split("that differ\n")[1:]
    assert said.splitlines() == [
        "hard 4 (doubles 1): only spanish-21 has this row",
        "hard 11: against 10 D → H, against A D → H",
        "soft 13 (cards 3): only pontoon has this row",
    ]


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("blackjack", "perfect-pairs", "blackjack is a game and perfect-pairs a side bet; compare two of a"),
        ("blackjak", "blackjack", "no game and no side bet 'blackjak' (did you mean 'blackjack'?)"),
        ("nowhere.toml", "blackjack", "cannot read the rules file nowhere.toml"),
        ("two.toml", "perfect-pairs", "two.toml holds 2 side bets; compare files with one each"),
        ("wrong.toml", "perfect-pairs", "wrong.toml:1: decks: 'decks' is no bet"),
    ],
)
def test_what_cannot_be_compared(
    cardroom: CommandLine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    one: str,
    other: str,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("two.toml").write_text("[side_bets.perfect-pairs]\n[side_bets.royal-match]\n")
    Path("wrong.toml").write_text("decks = 6\n")
    assert said in cardroom.refused("compare", one, other)
