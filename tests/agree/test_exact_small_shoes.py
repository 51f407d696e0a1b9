"""The distribution out of small shoes: counted whole against fractions, and projected within its bound."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from cardroom.core.cards import CARDS
from cardroom.core.decks import CardCounts
from cardroom.exact.figures import Outcome, WagerFigures
from cardroom.exact.twentyone import Solution, after_split, parse_shoe, solve
from cardroom.exact.twentyone.whole import is_small
from tests.twentyone import house

ROUNDING = 1e-13


def furthest(one: Solution, other: Solution) -> float:
    """The largest difference between the probabilities of two distributions."""
    some, others = dict(one.distribution), dict(other.distribution)
    return max(abs(some.get(net, 0.0) - others.get(net, 0.0)) for net in some.keys() | others.keys())


@pytest.mark.parametrize(
    ("shoe", "changes"),
    [
        ("A:2,T:3,8:4,6:5", {"split.max_hands": 2}),  # a single ace left beside the up card is no pair
        ("A:3,T:2,8:4,6:4,7:2", {"split.max_hands": 2, "double.on": "any_cards"}),
        ("A:1,2:1,3:1,9:4,T:9", {"split.max_hands": 2}),
        ("T:7,9:6,8:6", {"split.max_hands": 3}),
        ("9:8,T:10", {}),
        ("6:6,7:4,8:5,T:2", {"split.max_hands": 2, "surrender": "late", "dealer_hits_soft_17": False}),
        ("Js:3,Qs:3,Ks:3,8:6,9:2", {"split.max_hands": 2, "split.unlike_tens": False}),
    ],
)
@pytest.mark.parametrize("strategy", ["composition", "basic"])
def test_a_small_shoe_is_counted_whole(shoe: str, changes: dict[str, object], strategy: str) -> None:
    cards, rules = parse_shoe(shoe), house("blackjack", changes)
    solution, fractions = (
        solve(rules, strategy, shoe=cards),
        solve(rules, strategy, shoe=cards, exact=True),
    )
    assert solution.distribution_error == 0.0
    assert "probability_error" not in solution.figures().to_json()
    assert [net for net, _ in solution.distribution] == [net for net, _ in fractions.distribution]
    for (_, ours), (_, theirs) in zip(solution.distribution, fractions.distribution, strict=True):
        assert ours == pytest.approx(float(theirs), abs=ROUNDING)
    assert solution.standard_deviation == pytest.approx(fractions.figures().standard_deviation, abs=1e-12)


@pytest.mark.parametrize("hands", [2, 3, 4])
@pytest.mark.parametrize("size", [22, 26, 32])
def test_what_a_projection_leaves_out_is_within_its_bound(
    hands: int, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng([hands, size])
    # Few low cards, so that no round can use up the shoe.
    high = [card for card in CARDS if card.value >= 6]
    cards = CardCounts.of_cards([high[place] for place in rng.choice(len(high), size, replace=False)])
    rules = house("blackjack", {"split.max_hands": hands})
    monkeypatch.setattr(after_split, "is_small", lambda *_: True)
    whole = solve(rules, "composition", shoe=cards)
    assert whole.distribution_error == 0.0
    monkeypatch.setattr(after_split, "is_small", lambda *_: False)
    projected = solve(rules, "composition", shoe=cards)
    assert furthest(whole, projected) <= projected.distribution_error + ROUNDING
    assert projected.distribution_error < 1e-5
    assert projected.figures().to_json()["probability_error"] == projected.distribution_error


def test_which_shoes_are_counted_whole() -> None:
    two_of_each, deck = np.full(10, 2), np.array([4] * 9 + [16])
    assert is_small(two_of_each, hands=2, terms=500)
    assert not is_small(two_of_each, hands=4, terms=500)
    assert is_small(np.array([8, 8, 8]), hands=4, terms=50)
    assert not is_small(deck, hands=2, terms=1600)


def test_outcomes_that_do_not_add_up_are_no_figures() -> None:
    win = Outcome("win", Fraction(1), Fraction(1, 2))
    with pytest.raises(AssertionError, match="primary: outcomes sum to 1/2"):
        WagerFigures("primary", (win,))
    with pytest.raises(AssertionError, match=r"sum to 0\.99"):
        WagerFigures("primary", (win, Outcome("lose", Fraction(-1), 0.49)))
    with pytest.raises(AssertionError, match="sum to nan"):
        WagerFigures("primary", (win, Outcome("lose", Fraction(-1), float("nan"))))
