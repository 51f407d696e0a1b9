"""`--wager` and `--side-wager`: the size that figures are for, in every command and game that has one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.exact.twentyone import solve
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine

SIX_FIVE_IN_CHIPS = ("--set", "blackjack_pays=6:5", "--set", "rounding=chip")
CHIPS = ("--set", "rounding=chip")
ONE_SPLIT = ("--set", "split.max_hands=2")


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def primary_edge(answer: dict[str, object]) -> float:
    wagers = answer["wagers"]
    assert isinstance(wagers, list)
    edge: float = wagers[0]["house_edge_percent"]
    return edge


@pytest.mark.slow
def test_odds_are_for_the_smallest_wager_of_the_table_and_say_so(cardroom: CommandLine) -> None:
    asked = ("odds", "blackjack", *SIX_FIVE_IN_CHIPS, *ONE_SPLIT, "--strategy", "basic")
    answer = cardroom(*asked, "--json").json
    rules = load_rules_as(
        TwentyOneRules, "blackjack", {"blackjack_pays": "6:5", "rounding": "chip", "split.max_hands": 2}
    )
    assert primary_edge(answer) == -100 * solve(rules, "basic", wager_cents=400).expected_value
    assert answer["size"]["wager_cents"] == 400
    assert answer["size"]["by_size"] == []
    assert [*answer["size"]["paid_in_full_percent"]] == ["primary"]
    words = " ".join(cardroom(*asked).out.split())
    assert "Figures are for a wager of $4.00, the only one here." in words
    assert "down to whole chips of $1.00." in words
    assert "By size" not in words


@pytest.mark.slow
def test_a_wager_moves_every_figure_that_depends_on_it(cardroom: CommandLine) -> None:
    asked = ("odds", "players-edge-21", *ONE_SPLIT)
    small, large = (cardroom(*asked, *size, "--json").json for size in ((), ("--wager", "$500")))
    assert (small["size"]["wager_cents"], large["size"]["wager_cents"]) == (300, 50_000)
    assert primary_edge(small) < primary_edge(large)
    lines = {line["wager_cents"]: line for line in small["size"]["by_size"]}
    assert lines[300]["why"] == "minimum"
    assert lines[50_000]["why"] == "maximum"
    assert lines[300]["house_edge_percent"]["primary"] == primary_edge(small)
    assert lines[50_000]["house_edge_percent"]["primary"] == primary_edge(large)
    bonus = [next(one for one in each["wagers"] if one["wager"] == "super-bonus") for each in (small, large)]
    assert [one["outcomes"][0]["pays"] for one in bonus] == ["1000:3", "10:1"]
    text = cardroom(*asked).out
    assert "House edge by the size of the wager" in text
    assert "last double capped" in text


@pytest.mark.slow
def test_where_nothing_depends_on_the_size_no_table_is_printed(cardroom: CommandLine) -> None:
    text = cardroom("odds", "blackjack", *ONE_SPLIT).out
    assert "Figures are for a wager of $4.00, the only one here; none depends on its size." in text
    assert "House edge by the size" not in text
    assert "Figures are for a wager of $1.00, the smallest here; none depends" in (
        cardroom("odds", "knockout-52").out
    )


def test_knockout_52_by_size(cardroom: CommandLine) -> None:
    odds = cardroom("odds", "knockout-52", *CHIPS, "--json").json
    assert f"{primary_edge(odds):.1f}" == "35.7"
    assert odds["size"]["depends_on_size"] == ["round-1"]
    paid_in_full = cardroom("odds", "knockout-52", *CHIPS, "--wager", "2", "--json").json
    assert f"{primary_edge(paid_in_full):.2f}" == "3.54"
    text = cardroom("odds", "knockout-52", *CHIPS).out
    assert "35.6935 %" in text
    assert "nothing" in text  # that is what Round 1 pays on $1


@pytest.mark.slow
def test_a_ticket_of_knockout_21_has_one_price(cardroom: CommandLine) -> None:
    assert "Figures are for a ticket of $5.00, its only price" in cardroom("odds", "knockout-21").out
    assert cardroom("odds", "knockout-21", "--wager", "5", "--json").json["size"]["wager_cents"] == 500
    says = cardroom.refused("odds", "knockout-21", "--wager", "4")
    assert says == "--wager 4 is not allowed; a Knockout 21 ticket costs $5.00 (sales.ticket_price)"


@pytest.mark.parametrize("command", ["odds", "strategy", "hand", "simulate", "par"])
def test_a_wager_that_the_table_does_not_take_is_refused(
    cardroom: CommandLine, command: str, tmp_path: Path
) -> None:
    cards = ("A7", "--dealer", "9") if command == "hand" else ()
    file = ("-o", tmp_path / "sheet.json") if command == "par" else ()
    asked = (command, "players-edge-21", *cards, *file, "--wager")
    assert cardroom.refused(*asked, "501") == "--wager 501 is not allowed; allowed: $3.00 to $500.00 (PROC-2)"
    assert "not in whole chips; the smallest chip is $1.00 (21-1.14)" in cardroom.refused(*asked, "3.50")
    assert "is not an amount of money" in cardroom.refused(*asked, "much")


@pytest.mark.slow
def test_a_side_wager_has_limits_of_its_own(cardroom: CommandLine) -> None:
    says = cardroom.refused("odds", "blackjack", "--side-wager", "5")
    assert says == "--side-wager 5 is not allowed; allowed: $2.00 to $4.00 (SIDE-5)"
    uneven = ("--set", "side_bets.match-the-dealer.one_unsuited=7:2")
    asked = ("odds", "blackjack", *ONE_SPLIT, *CHIPS, *uneven, "--side-wager", "3")
    answer = cardroom(*asked, "--json").json
    match = next(one for one in answer["wagers"] if one["wager"] == "match-the-dealer")
    pays = {line["outcome"]: line["pays"] for line in match["outcomes"]}
    assert pays["one_unsuited"] == "10:3"  # $10.50 down to the chip
    text = cardroom(*asked).out
    assert "House edge by the size of the side wager" in text


@pytest.mark.slow
def test_hand_and_strategy_are_for_a_wager(cardroom: CommandLine) -> None:
    rules = load_rules_as(TwentyOneRules, "players-edge-21", {"split.max_hands": 2})
    asked = ("players-edge-21", *ONE_SPLIT, "--wager", "500")
    hand = cardroom("hand", asked[0], "A6", "--dealer", "6", *asked[1:], "--json").json
    small = cardroom("hand", asked[0], "A6", "--dealer", "6", *ONE_SPLIT, "--json").json
    assert (hand["wager_cents"], small["wager_cents"]) == (50_000, 300)
    assert hand["actions"] != small["actions"]
    assert (
        "The initial wager is $500.00." in cardroom("hand", asked[0], "A6", "--dealer", "6", *asked[1:]).out
    )
    chart = cardroom("strategy", *asked, "--json").json
    assert chart["wager_cents"] == 50_000
    assert chart["expected_value"]["decimal"] == solve(rules, "basic", wager_cents=50_000).expected_value


@pytest.mark.slow
def test_a_simulation_stands_beside_the_exact_value_of_its_own_wager(cardroom: CommandLine) -> None:
    asked = ("simulate", "players-edge-21", *ONE_SPLIT, *CHIPS, "--rounds", "1000", "--no-side-bets")
    answer = cardroom(*asked, "--json").json
    assert answer["wager_cents"] == 300
    rules = load_rules_as(TwentyOneRules, "players-edge-21", {"split.max_hands": 2, "rounding": "chip"})
    primary = answer["wagers"][0]
    assert primary["exact"]["decimal"] == solve(rules, "basic", wager_cents=300).expected_value
    assert "4/3" in {line["net"] for line in primary["outcomes"]}  # 3 to 2 on $3, down to the chip
    assert "for a wager of $3.00" in cardroom(*asked).out
    knockout = cardroom("simulate", "knockout-52", *CHIPS, "--rounds", "1000", "--json").json
    assert knockout["wager_cents"] == 100
    assert {line["net"] for line in knockout["wagers"][0]["outcomes"]} == {"-1", "0"}


def test_the_par_sheet_of_knockout_52_by_size(cardroom: CommandLine, tmp_path: Path) -> None:
    import json

    file = tmp_path / "sheet.json"
    assert cardroom("par", "knockout-52", *CHIPS, "--wager", "3", "--rounds", "1000", "-o", file).code == 0
    sheet = json.loads(file.read_text("utf-8"))
    assert sheet["size"]["wager_cents"] == 300
    assert "a wager of $3.00, as asked" in sheet["equipment_and_limits"]["Size of the wager"]
    first = sheet["wagers"][0]
    assert first["house_edge_percent"] == pytest.approx(14.2580, abs=5e-5)  # 1 − p·4/3, p = 0.643065
    by_size = {
        line["wager_cents"]: line["house_edge_percent"]["round-1"] for line in sheet["edge_by_wager_size"]
    }
    assert by_size[300] == pytest.approx(first["house_edge_percent"], rel=1e-14)
    assert by_size[50_000] == pytest.approx(3.5403, abs=5e-5)
    assert len(sheet["size"]["curve"]) > 20
