"""`strategy` and `hand` from a shoe that was given: named everywhere, drawn without the cards it lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import CommandLine

FIVES_AND_SIXES = "5c:50,6c:50"


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize("form", ["svg", "png", "html"])
def test_a_picture_leaves_out_up_cards_that_cannot_come(
    cardroom: CommandLine, tmp_path: Path, form: str
) -> None:
    file = tmp_path / f"chart.{form}"
    cardroom("strategy", "blackjack", "--shoe", FIVES_AND_SIXES, f"--{form}", str(file))
    assert file.stat().st_size > 1000


@pytest.mark.parametrize("words", [("strategy", "blackjack"), ("hand", "blackjack", "56", "--dealer", "5")])
def test_the_shoe_is_named(cardroom: CommandLine, words: tuple[str, ...]) -> None:
    assert f"from the 100 cards {FIVES_AND_SIXES}" in cardroom(*words, "--shoe", FIVES_AND_SIXES).out
    assert cardroom(*words, "--shoe", FIVES_AND_SIXES, "--json").json["shoe"] == FIVES_AND_SIXES
    assert "shoe" not in cardroom(*words, "--json").json


@pytest.mark.parametrize("exact", [(), ("--exact",)])
def test_hands_that_the_shoe_cannot_deal_are_not_in_the_chart(
    cardroom: CommandLine, exact: tuple[str, ...]
) -> None:
    words = ("strategy", "blackjack", "--shoe", "5c:6,6c:1,Tc:8", "--set", "split.max_hands=2", *exact)
    found = cardroom(*words, "--json").json
    grids = {grid["title"]: [row["hand"] for row in grid["rows"]] for grid in found["grids"]}
    assert grids["Pairs"] == ["pair 5", "pair 10"]  # of a single six there is no pair
    assert "Soft hands" not in grids
    assert {"soft 15", "pair 6"} < {row["hand"] for row in found["rows"]}  # a file says what it would do
    assert "soft" not in cardroom(*words).out


def test_a_chart_has_no_exceptions_by_composition(cardroom: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "always-hits-16.csv"
    cardroom("strategy", "blackjack", "--csv", str(file))
    rows = file.read_text("utf-8").splitlines()
    changed = ["hard 16,,,,,H,H,H,H,H,H,H,H,H,H" if row.startswith("hard 16,") else row for row in rows]
    assert changed != rows
    file.write_text("\n".join(changed), "utf-8")
    assert cardroom("strategy", "blackjack", "--strategy", str(file), "--json").json["exceptions"] == []


def test_the_longest_hand_of_all(cardroom: CommandLine) -> None:
    """After 21 aces any card is one too many."""
    found = cardroom("hand", "blackjack", "A" * 21, "--dealer", "2", "--json").json
    values = {line["action"]: float(line["expected_value"]["decimal"]) for line in found["actions"]}
    assert values["hit"] == pytest.approx(-1, abs=1e-12)
    assert values["stand"] > 0.88


@pytest.mark.parametrize("exact", [(), ("--exact",)])
@pytest.mark.parametrize(
    ("shoe", "said"),
    [
        ("A:0", "a round begins with 4 cards; the shoe has 0"),
        ("T:3", "a round begins with 4 cards; the shoe has 3"),
        ("A:99999,T:1000", "'A:99999' is more than a shoe holds; 9999 are the most"),
    ],
)
def test_shoes_that_cannot_be(cardroom: CommandLine, shoe: str, said: str, exact: tuple[str, ...]) -> None:
    assert said in cardroom.refused("odds", "blackjack", "--shoe", shoe, *exact)
