"""The primary wager in parts: they add up, agree with the answers for single hands, and come out as CSV."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from cardroom.core.cards import parse_cards
from cardroom.exact.twentyone import Solution, parse_shoe, solve
from cardroom.lab.dealer import dealer_finals, dealer_finals_by_up_card
from cardroom.lab.parts import hand_parts, parts_to_csv, parts_to_json
from tests.command_line import CommandLine
from tests.twentyone import house


@pytest.fixture(scope="module")
def spanish() -> Solution:
    return solve(house("spanish-21", {"surrender": "late"}))


def test_parts_add_up_to_the_whole(spanish: Solution) -> None:
    data = parts_to_json(spanish)
    for key in ("by_up_card", "by_first_card", "by_first_two", "by_first_two_and_up_card"):
        assert sum(part["probability"] for part in data[key]) == pytest.approx(1, abs=1e-12)
        mean = sum(part["probability"] * part["expected_value"] for part in data[key])
        assert mean == pytest.approx(spanish.expected_value, abs=1e-12), key


@pytest.mark.parametrize(
    ("name", "up", "cards"),
    [("67", "5", "6c7d"), ("67 suited", "5", "6c7c"), ("67 spades", "5", "6s7s"), ("88", "A", "8c8d")],
)
def test_every_hand_is_what_it_is_alone(spanish: Solution, name: str, up: str, cards: str) -> None:
    (part,) = [part for part in hand_parts(spanish) if (part.cards, part.up_card) == (name, up)]
    alone = spanish.action_values(parse_cards(cards), parse_cards(f"{up}h")[0])
    assert part.values == pytest.approx(alone)
    assert part.action is spanish.best_action(parse_cards(cards), parse_cards(f"{up}h")[0])


def test_in_fractions_the_same() -> None:
    rules, shoe = house("blackjack", {"split.max_hands": 3, "surrender": "late"}), parse_shoe("9:8,T:10,7:4")
    exact, compiled = solve(rules, shoe=shoe, exact=True), solve(rules, shoe=shoe)
    for one, other in zip(hand_parts(exact), hand_parts(compiled), strict=True):
        assert (one.cards, one.up_card, one.action) == (other.cards, other.up_card, other.action)
        assert one.probability == pytest.approx(other.probability, abs=1e-13)
        assert one.expected_value == pytest.approx(other.expected_value, abs=1e-12)


def test_dealers_end_by_up_card() -> None:
    """They mix to all dealers, and are plain where few cards are left."""
    for decks in (1, 6, "infinite"):
        rules = house("blackjack", {"decks": decks})
        by_up, whole = dealer_finals_by_up_card(rules), dealer_finals(rules)
        for final, chance in whole.items():
            mixed = sum((4 if up == "T" else 1) / 13 * finals.get(final, 0.0) for up, finals in by_up.items())
            assert mixed == pytest.approx(chance, abs=1e-14)
        assert all(sum(finals.values()) == pytest.approx(1, abs=1e-13) for finals in by_up.values())
        assert [up for up, finals in by_up.items() if "blackjack" in finals] == ["A", "T"]
    rules = house("blackjack")
    assert dealer_finals_by_up_card(rules, parse_shoe("6c:1,Tc:1,5c:1"))["6"] == {"21": 1.0}
    assert dealer_finals_by_up_card(rules, parse_shoe("Ac:1,Tc:3"))["A"] == {"blackjack": 1.0}
    assert dealer_finals_by_up_card(rules, parse_shoe("2c:1,3c:1"))["2"] == {"out of cards": 1.0}


def test_csv_says_what_json_says(spanish: Solution) -> None:
    rows = list(csv.DictReader(io.StringIO(parts_to_csv(spanish))))
    hands = [row for row in rows if row["part"] == "first two cards and up card"]
    expected = hand_parts(spanish)
    assert len(hands) == len(expected)
    for row, part in zip(hands, expected, strict=True):
        assert (row["cards"], row["up_card"]) == (part.cards, part.up_card)
        assert float(row["expected_value"]) == part.expected_value
        assert {key for key in ("stand", "hit", "double", "split", "surrender") if row[key]} == {
            action.value for action in part.values
        }
    ends = [row for row in rows if row["part"] == "dealer's final"]
    assert sum(float(row["probability"]) for row in ends) == pytest.approx(10)
    assert {row["part"] for row in rows} > {"up card", "first card", "first two cards"}


@pytest.mark.slow
def test_the_command_prints_and_writes_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    shoe = ("--set", "split.max_hands=1", "--set", "decks=1")
    data = json.loads(cardroom("odds", "blackjack", *shoe, "--parts", "--json").out)
    assert {part["name"] for part in data["by_first_card"]} == set("A23456789T")
    assert len(data["by_first_two_and_up_card"]) == 55 * 10
    assert data["dealer_finals"]["A"]["blackjack"] == pytest.approx(16 / 51)
    file = tmp_path / "parts.csv"
    answer = cardroom("odds", "blackjack", *shoe, "--parts", "--csv", file)
    assert "First card" in answer.out
    assert "Dealer ends in %" in answer.out
    assert file.read_text().startswith("part,cards,up_card,final,")
    assert "cannot write" in cardroom.refused("odds", "blackjack", *shoe, "--csv", tmp_path / "no" / "x.csv")


@pytest.mark.slow
def test_the_command_has_the_total(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    small = ("--set", "split.max_hands=1", "--set", "decks=4")
    total = json.loads(cardroom("odds", "players-edge-21", *small, "--total", "--wager", "3", "--json").out)[
        "total"
    ]
    assert total["wager_cents"] == 300
    assert len(total["by_players"]) == 7
    alone = total["primary_expected_value"] + total["super_bonus"]["expected_value"]
    assert total["by_players"][0]["expected_value"] == pytest.approx(alone, abs=1e-15)
    assert "one strategy for both" in cardroom("odds", "players-edge-21", *small, "--total").out
    assert "this table has none" in cardroom.refused("odds", "blackjack", "--total")
    assert "--exact" in cardroom.refused("odds", "players-edge-21", "--total", "--exact")
