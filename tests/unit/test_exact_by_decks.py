"""Side bets by the number of decks: one count of all draws against a count of each shoe."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardroom.exact.by_decks import Decks, figures_with_decks
from cardroom.exact.sidebets import side_bet_figures
from tests.twentyone import house

KINDS = ["21+3", "perfect-pairs", "lucky-lucky", "push-22", "pair-square"]


@pytest.mark.parametrize("decks", [2, "infinite"])
@pytest.mark.parametrize("name", KINDS)
def test_one_count_for_all_decks_is_a_count_of_each_shoe(name: str, decks: Decks) -> None:
    rules = house("blackjack", {f"side_bets.{name}.offered": True, "decks": decks})
    every = {one.outcome: one.probability for one in figures_with_decks(rules, name, decks).outcomes}
    counted = {one.outcome: one.probability for one in side_bet_figures(rules, name).outcomes}
    assert {line: chance for line, chance in every.items() if chance} == {
        line: chance for line, chance in counted.items() if chance
    }


def test_pairs_by_decks_by_hand() -> None:
    """Of 52 × decks − 1 other cards, decks − 1 are the same, decks of the colour, 2 × decks of the other."""
    rules = house("blackjack", {"side_bets.perfect-pairs.offered": True})
    for decks in (1, 2, 3, 4, 5, 6, 7, 8):
        same, colour, mixed, _ = figures_with_decks(rules, "perfect-pairs", decks).outcomes
        left = 52 * decks - 1
        assert (same.probability, colour.probability, mixed.probability) == (
            Fraction(decks - 1, left),
            Fraction(decks, left),
            Fraction(2 * decks, left),
        )


def test_spanish_decks_have_no_tens() -> None:
    rules = house("spanish-21", {"side_bets.perfect-pairs.offered": True})
    _, _, mixed, _ = figures_with_decks(rules, "perfect-pairs", 6).outcomes
    assert mixed.probability == Fraction(12, 287)
