"""`strategy` and `hand` from a shoe that was given: named everywhere, drawn without the cards it lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.cli.twentyone.options import suits_words
from tests.command_line import CommandLine
from tests.twentyone import house

pytestmark = pytest.mark.slow

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


def test_t_in_a_spanish_shoe(cardroom: CommandLine) -> None:
    """Six decks by their ranks: the published 3.06 % of Match the Dealer, and the game's own edge."""
    ranks = "A:24,2:24,3:24,4:24,5:24,6:24,7:24,8:24,9:24,T:72"
    found = cardroom("odds", "spanish-21", "--shoe", ranks, "--json").json["wagers"]
    edges = {wager["wager"]: wager["house_edge_percent"] for wager in found}
    assert edges["match-the-dealer"] == pytest.approx(3.06, abs=0.005)
    own = cardroom("odds", "spanish-21", "--json").json["wagers"]
    assert edges == {wager["wager"]: wager["house_edge_percent"] for wager in own}


def test_a_hand_in_any_order(cardroom: CommandLine) -> None:
    values = [
        cardroom("hand", "blackjack", cards, "--dealer", "8", "--json").json["actions"]
        for cards in ("AT5", "A5T", "5AT")
    ]
    assert values[0] == values[1] == values[2]


EIGHTS_AND_TENS = """# blackjack mine
hand,2,3,4,5,6,7,8,9,T,A
hard 16,S,S,S,S,S,S,S,S,S,S
hard 18,S,S,S,S,S,S,S,S,S,S
pair 8,P,P,P,P,P,P,P,P,P,P
pair T,S,S,S,S,S,S,S,S,S,S
"""


def test_a_chart_need_not_speak_of_hands_that_cannot_come(cardroom: CommandLine, tmp_path: Path) -> None:
    """Of eights and tens that are split or stood on, nothing but 16, 18 and the pairs is ever decided."""
    file = tmp_path / "eights-and-tens.csv"
    file.write_text(EIGHTS_AND_TENS, "utf-8")
    shoe = ("--shoe", "8:4,T:14", "--strategy", str(file))
    found = cardroom("odds", "blackjack", *shoe, "--exact", "--json").json["wagers"][0]
    compiled = cardroom("odds", "blackjack", *shoe, "--json").json["wagers"][0]
    assert compiled["expected_value"]["decimal"] == pytest.approx(
        found["expected_value"]["decimal"], abs=1e-12
    )
    assert cardroom.refused("odds", "blackjack", *shoe[2:]) == "the chart says nothing of hard 19"
    file.write_text(
        EIGHTS_AND_TENS.replace("pair 8,P", "pair 8,H"), "utf-8"
    )  # against a 2, which is not there
    assert cardroom("odds", "blackjack", *shoe, "--json").json["wagers"][0] == compiled


@pytest.mark.parametrize(
    ("game", "changes", "shoe", "wagers"),
    [
        ("blackjack", {}, "A:2,T:3,8:4,6:5", "21+3, Match the Dealer"),
        ("blackjack", {}, "A:2,Tc:3,8c:4,6c:5", "21+3, Match the Dealer"),
        ("blackjack", {}, "Ac:2, T♣:3,8C : 4,6c:5", ""),
        ("blackjack", {"side_bets.21+3.offered": False}, "A:8", "Match the Dealer"),
        ("blackjack", {}, None, ""),
        ("spanish-21", {}, "A:8", "Primary, Match the Dealer"),
    ],
)
def test_suits_that_were_not_given_are_said_to_be_spread(
    game: str, changes: dict[str, object], shoe: str | None, wagers: str
) -> None:
    said = f"Suits that --shoe does not name were spread evenly, which matters to {wagers}: write"
    words = suits_words(shoe, house(game, changes))
    assert words.startswith(said) if wagers else words == ""


def test_odds_say_so_under_the_table(cardroom: CommandLine) -> None:
    words = ("odds", "blackjack", "--shoe", "A:2,T:3,8:1", "--exact", "--set", "split.max_hands=1")
    out = cardroom(*words).out
    assert out.index("House edge") < out.index("Suits that --shoe does not name")


OWN_END = """
extends = "blackjack"
[side_bets.own-end]
title = "Own End"
looks_at = ["player_hand"]
lines = [{ name = "bust", when = { bust = true }, pays = "2:1" }]
[side_bets.house-end]
title = "House End"
looks_at = ["dealer_hand"]
lines = [{ name = "bust", when = { bust = true }, pays = "2:1" }]
"""


def test_a_shoe_too_small_for_a_bet_on_a_whole_hand_costs_the_figures_of_that_bet_alone(
    cardroom: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "own.toml"
    file.write_text(OWN_END, encoding="utf-8")
    words = ("odds", "blackjack", "--rules", str(file), "--exact", "--shoe")
    out = cardroom(*words, "5:3,6:2,9:2,Th:3").out
    assert "\nHouse End " in out
    assert "\nOwn End " not in out
    assert "Own End: a bet on the player's whole hand has no exact figures from a shoe that" in out
    out = cardroom(*words, "2:3,3:2").out
    assert "\nPrimary " in out
    assert "\nHouse End " not in out
    assert "House End: the shoe is too small: the dealer's hand may not come to its end." in out
