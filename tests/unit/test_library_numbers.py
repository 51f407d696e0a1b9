"""Numbers of NumPy and of the standard library's other kinds are taken wherever plain ones are."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import cardroom as cr
from cardroom.library.arguments import amount, integer, plain, real, seed_of, several, truth, whole

untyped: Any = cr
"""For what the types would not let through."""
THOUSANDS = [1000, 1e3, np.int64(1000), np.uint16(1000), np.float64(1e3), np.float32(1e3), np.array(1000)]
GAME, LAYOUT, LOTTERY = (untyped.Game(game) for game in ("blackjack", "knockout-52", "knockout-21"))


@pytest.mark.parametrize("number", [*THOUSANDS, Fraction(1000), Decimal(1000)], ids=repr)
def test_a_thousand_of_every_kind(number: object) -> None:
    assert [type(one) for one in (whole(number, "rounds", least=2), seed_of(number))] == [int, int]
    assert whole(number, "rounds", least=2) == integer(number, "a count") == seed_of(number) == 1000
    assert amount(number) in ("1000", "1000.00")
    assert real(number, "a bankroll", above=0) == 1000


@pytest.mark.parametrize(
    "number",
    [True, np.True_, "1000", None, np.array([1, 2]), 1000j, 1.5, np.float64(1.5), float("nan")],
    ids=repr,
)
def test_what_is_no_whole_number(number: object) -> None:
    with pytest.raises(ValueError, match="a whole number from 2"):
        whole(number, "rounds", least=2)


@pytest.mark.parametrize("number", ["1000", None, True, [1]], ids=repr)
def test_what_is_no_number_is_a_type_error_too(number: object) -> None:
    for read in (lambda: whole(number, "rounds", least=2), lambda: real(number, "a level", above=0)):
        with pytest.raises(TypeError) as caught:
            read()
        assert isinstance(caught.value, cr.MalformedInput)


def test_more_than_can_be_played_is_refused_before_it_is_played() -> None:
    with pytest.raises(ValueError, match="at most 1,000,000,000,000,000"):
        GAME.simulate(1e30)


def test_plain_values_and_lists() -> None:
    assert [plain(one) for one in (np.bool_(False), np.str_("late"), "late", None)] == [
        False,
        "late",
        "late",
        None,
    ]
    assert type(plain(np.bool_(True))) is bool
    assert several(np.array([1, 8])) == several(range(1, 9, 7)) == several((1, 8)) == [1, 8]
    assert several("late") == ["late"]
    assert several(6) == several(np.int64(6)) == [6]
    assert truth(np.bool_(True), "side_bets") is True


def test_options_by_numpy() -> None:
    """The same rules to the bit: their hash says so."""
    rules = {"decks": np.int64(8), "dealer_hits_soft_17": np.bool_(False), "limits.max": np.int64(100)}
    assert untyped.Game("blackjack", rules) == cr.Game(
        "blackjack", decks=8, dealer_hits_soft_17=False, limits_max=100
    )
    assert untyped.Game("blackjack", split_never=np.array([4, 5])) == cr.Game("blackjack", split_never=[4, 5])


def test_a_comparison_over_an_array() -> None:
    table = untyped.compare("knockout-52", decks=np.array([1, 8]))
    assert table.column("decks") == [1, 8]
    assert table[np.int64(1)] == table[1]


@pytest.mark.parametrize("most", [100, 100.0, Decimal("100"), np.float64(100), "100.00", "100"])
def test_money_by_numbers_of_every_kind(most: object) -> None:
    assert cr.Game("players-edge-21", limits_max=most).rules.flat()["limits.max"] == "100.00"
    assert cr.Game("players-edge-21", {"limits.max": most}) == cr.Game("players-edge-21", limits_max="100.00")


def test_money_has_cents_and_no_less() -> None:
    seed = "side_bets.monster-match-1.meter_seed"
    assert cr.Game("players-edge-21", {seed: 9000.5}).rules.flat()[seed] == "9000.50"
    for wrong in (100.005, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="amount"):
            cr.Game("players-edge-21", limits_max=wrong)


def test_a_lottery_and_a_layout_by_numpy() -> None:
    assert LOTTERY.returns(np.array([10, 20])).column("tickets") == [10, 20]
    assert LOTTERY.odds(tickets=np.int64(10)).to_dict() == LOTTERY.odds(tickets=10).to_dict()
    rounds = LAYOUT.table(seed=np.int64(1), wager={"round-1": np.float64(5)}).play(rounds=np.int64(2))
    assert [one.notation for one in rounds] == [
        one.notation for one in LAYOUT.table(seed=1, wager={"round-1": 5}).play(rounds=2)
    ]


@pytest.mark.slow
def test_a_strategy_by_a_chart_and_by_an_array_of_names() -> None:
    game = untyped.Game("blackjack", decks=1)
    chart = game.strategy()
    assert game.edge(chart) == chart.edge
    by_array = game.edge(lambda hand, up: np.array(["stand"]) if hand.total > 16 else np.str_("hit"))
    assert by_array == game.edge(lambda hand, up: "stand" if hand.total > 16 else "hit")
