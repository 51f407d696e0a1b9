"""`cardroom odds knockout-21`: what people read and what programs read."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.command_line import CommandLine


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_odds_among_many_are_fractions_per_hand_and_game(cardroom: CommandLine) -> None:
    answer = cardroom("odds", "knockout-21", "--json").json
    wagers = {wager["wager"]: wager for wager in answer["wagers"]}
    assert list(wagers) == ["game-1", "game-2", "game-3", "any-prize"]
    for wager, one_in in zip(wagers.values(), (10.235, 31.281, 66.099, 7.155), strict=True):
        assert round(wager["one_in"], 3) == one_in
        win, rest = (Fraction(outcome["probability"]["fraction"]) for outcome in wager["outcomes"])
        assert win + rest == 1
        assert wager["hit_frequency"] == float(win)
    for hands, name in ((4, "game-1"), (5, "game-2"), (6, "game-3")):
        per_hand = Fraction(wagers[name]["per_hand"]["fraction"])
        assert per_hand**hands == Fraction(wagers[name]["outcomes"][0]["probability"]["fraction"])
    literal = answer["game_1_readings"]["literal"]
    assert (round(literal["game_1_one_in"], 3), round(literal["any_prize_one_in"], 3)) == (8.867, 6.488)
    assert round(literal["without_lucky_losers"]["game_1_one_in"], 2) == 12.47
    assert "return_to_player" not in answer
    assert wagers["any-prize"]["expected_value"] is None


def test_odds_among_many_by_the_literal_reading(cardroom: CommandLine) -> None:
    answer = cardroom("odds", "knockout-21", "--set", "game_1_hit=literal", "--json").json
    wagers = {wager["wager"]: wager for wager in answer["wagers"]}
    assert round(wagers["game-1"]["one_in"], 3) == 8.867
    assert round(wagers["any-prize"]["one_in"], 3) == 6.488
    per_hand = Fraction(wagers["game-1"]["per_hand"]["fraction"])
    assert per_hand**4 == Fraction(wagers["game-1"]["outcomes"][0]["probability"]["fraction"])


def test_a_lone_ticket_returns_nine_times_its_price(cardroom: CommandLine) -> None:
    answer = cardroom("odds", "knockout-21", "--tickets", "1", "--json").json
    assert answer["return_to_player"] == 9
    assert answer["draw"]["house"]["expected"] == -40
    ticket = answer["wagers"][-1]
    assert (ticket["expected_value"]["decimal"], ticket["house_edge_percent"]) == (8, -800)
    assert ticket["standard_deviation"] == 0


def test_a_draw_of_n_tickets(cardroom: CommandLine) -> None:
    answer = cardroom("odds", "knockout-21", "--tickets", "50", "--waiting", "--json").json
    assert answer["return_to_player"] == answer["draw"]["return_to_player"]
    assert answer["waiting"]["blind_return"] == pytest.approx(answer["return_to_player"])
    returns = [wager["expected_return"]["decimal"] for wager in answer["wagers"]]
    assert sum(returns[:3]) == pytest.approx(returns[3])
    assert answer["draw"]["liability"]["most"] == "2250.00"  # all 50 win all: 10 + 15 + 20 dollars each


@pytest.mark.slow
def test_what_people_read(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for more in ([], ["--tickets", "3e3"], ["--tickets", "20", "--waiting"]):
        out = cardroom("odds", "knockout-21", *more).out
        assert max(map(len, out.splitlines())) <= 80
        assert "…" not in out
        assert "literal: Game 1 1 in 8.8666, any prize 1 in 6.4877" in out
        assert "without them 1 in 12.468 and 1 in 8.1247" in out
    assert "off by" in cardroom("odds", "knockout-21", "--tickets", "3e3").out


def test_what_is_refused(cardroom: CommandLine) -> None:
    assert "--tickets 0 is not allowed" in cardroom.refused("odds", "knockout-21", "--tickets", "0")
    assert "--tickets x is not allowed" in cardroom.refused("odds", "knockout-21", "--tickets", "x")
    assert "needs --tickets" in cardroom.refused("odds", "knockout-21", "--waiting")
    refused = cardroom.refused("odds", "knockout-21", "--tickets", "5", "--set", "draws.minimum_tickets=9")
    assert refused == "no draw is held with 5 tickets; it takes at least 9 (KO21-3.2)"
