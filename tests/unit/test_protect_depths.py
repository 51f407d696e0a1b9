"""Side bets by depth alone: against all that can be left of tiny shoes, as fractions, and wrong input."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.protect.depths import perfect_by_depth, suits_by_depth
from cardroom.protect.paths import Paths
from cardroom.protect.perfect import exactly_at
from cardroom.protect.suits import play_suit_count
from cardroom.rules import load_rules
from cardroom.rules.twentyone import TwentyOneRules


def rules_with(*wagers: str, **changes: object) -> TwentyOneRules:
    offered = {f"side_bets.{wager}.offered": True for wager in wagers}
    return load_rules("blackjack", {"decks": 1, **offered, **changes})


def rules_that_pay(total: dict[str, object], pays: str) -> TwentyOneRules:
    bet = {
        "offered": True,
        "title": "Two cards",
        "looks_at": ["player_1", "player_2"],
        "lines": [{"name": "wins", "when": {"total": {"ace": "1", **total}}, "pays": pays}],
    }
    return load_rules("blackjack", {"decks": 1, "side_bets.two-cards": bet})


THIRTEEN = rules_with("over-13", "under-13")


@pytest.mark.parametrize("wager", ["over-13", "under-13"])
@pytest.mark.parametrize(
    "cards",
    [
        "Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Kd",
        "7c 7d 7h 6c 6d 8c",
        "Ac Ad 2c 5h 5d 9c 9d Th Jh",
        "Ac 2c 3c",
        "Tc Jc Qc Kc 9c",
    ],
)
def test_a_bet_on_a_total_is_the_mean_over_all_that_can_be_left(wager: str, cards: str) -> None:
    """Every number of cards left of shoes with and without each value, against the count of all subsets."""
    shoe = CardCounts.of_cards(parse_cards(cards))
    by_left = perfect_by_depth(THIRTEEN, wager, shoe)
    for left in range(2, shoe.total + 1):
        assert by_left[left] == pytest.approx(float(exactly_at(THIRTEEN, wager, shoe, left)), abs=1e-12)


@pytest.mark.parametrize("wager", ["over-13", "under-13"])
def test_a_whole_shoe_pays_nobody_and_less_than_is_left_pays_more(wager: str) -> None:
    by_left = perfect_by_depth(rules_with("over-13", "under-13", decks=6), wager)
    assert by_left[-1] == 0
    assert (np.diff(by_left[26:]) <= 1e-15).all()


@pytest.mark.parametrize(
    ("total", "pays"), [({"min": 14}, "3:2"), ({"min": 19}, "5:1"), ({"max": 4}, "9:1"), ({"min": 3}, "1:8")]
)
def test_other_totals_and_odds_are_those_of_the_rules(total: dict[str, object], pays: str) -> None:
    rules = rules_that_pay(total, pays)
    shoe = CardCounts.of_cards(parse_cards("Ac 2d 4d 6c 7c 8c 9c Tc Kd"))
    expected = [float(exactly_at(rules, "two-cards", shoe, left)) for left in range(2, 10)]
    assert perfect_by_depth(rules, "two-cards", shoe)[2:] == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("wager", ["21+3-flat", "match-the-dealer"])
def test_a_count_of_suits_is_the_mean_over_all_that_can_be_left(wager: str) -> None:
    """Every three cards that may be gone of a deck; share and win as those of the rounds that are played."""
    rules = rules_with(wager)
    gone = np.array(list(combinations(range(52), 3)), np.uint8)
    left = np.ones((len(gone), 52), np.int64)
    np.put_along_axis(left, gone.astype(np.int64), 0, axis=1)
    number = len(gone)
    paths = Paths(rules, gone, np.arange(number), np.full(number, 3), left)
    for count in (2.0, 3.0):
        played = play_suit_count(paths, wager, count)
        share, win = suits_by_depth(rules, wager, count, 49)
        assert share == pytest.approx(played.share, abs=1e-12)
        assert 100 * win == pytest.approx(played.win_per_100, abs=1e-11)


def test_the_three_suits_of_a_wager_are_all_its_cards() -> None:
    """From a count of nothing on it is always made, and wins what it wins from a whole shoe."""
    rules = rules_with("21+3-flat", decks=6)
    share, win = suits_by_depth(rules, "21+3-flat", 0, 60)
    assert share == pytest.approx(1)
    assert win == pytest.approx(float(Fraction(-32386, 1_000_000)), abs=1e-6)


@pytest.mark.parametrize("wager", ["21+3", "match-the-dealer"])
def test_a_bet_on_something_else_is_refused(wager: str) -> None:
    with pytest.raises(MalformedInput, match="total of the player's first two cards"):
        perfect_by_depth(rules_with(wager), wager)


def test_a_total_between_two_limits_is_refused() -> None:
    with pytest.raises(MalformedInput, match="one limit"):
        perfect_by_depth(rules_that_pay({"min": 12, "max": 14}, "3:1"), "two-cards")


@pytest.mark.parametrize("wager", ["over-13", "sweet-16-hearts"])
def test_a_bet_that_does_not_treat_suits_alike_is_refused(wager: str) -> None:
    with pytest.raises(MalformedInput, match="suits alike"):
        suits_by_depth(rules_with(wager), wager, 8, 30)
