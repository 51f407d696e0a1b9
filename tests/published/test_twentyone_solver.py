"""What others have published of strategies and of whole distributions, reproduced by the solver."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from cardroom.core.cards import parse_cards
from cardroom.exact.twentyone import solve
from cardroom.lab.published.charts import SIX_DECKS_S17
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.model.twentyone.strategy import Chart
from cardroom.rules.twentyone.law import Action
from tests.twentyone import house

S17 = {"dealer_hits_soft_17": False}
WALKER = {"surrender": "late", "bonus_21.on_split_hands": True, "double.rescue": "before-last-double"}
ONE_DOUBLE = {**WALKER, "double.max_doubles": 1}
REDOUBLE = {**WALKER, "double.max_doubles": 3}
WITH_SURRENDER = SIX_DECKS_S17.replace(
    "hard 13-16,S,S,S,S,S,H,H,H,H,H",
    "hard 13-14,S,S,S,S,S,H,H,H,H,H\nhard 15,S,S,S,S,S,H,H,H,Rh,H\nhard 16,S,S,S,S,S,H,H,Rh,Rs,Rh",
)
"""With late surrender: 16 against 9, 10, ace and 15 against 10; a 16 of more cards stands against 10."""


@pytest.mark.parametrize(
    ("changes", "percent"),
    [
        ({"decks": 6, **S17}, "-0.402870236"),
        ({"decks": 6, **S17, "split.max_hands": 2}, "-0.456886297"),
        ({"decks": 1, **S17, "split.max_hands": 2, "double.after_split": False}, "0.024273905"),
        ({"decks": 8}, "-0.644553852"),
    ],
)
def test_composition_dependent_values_to_nine_decimals(changes: Mapping[str, object], percent: str) -> None:
    assert f"{100 * solve(house('blackjack', changes)).expected_value:.9f}" == percent


@pytest.mark.slow
def test_one_split_has_the_published_distribution() -> None:
    solution = solve(house("blackjack", {**S17, "split.max_hands": 2}))
    published = {
        "-4": ".000197803",
        "-3": ".001706602",
        "-2": ".042626779",
        "-1": ".434424537",
        "0": ".087380892",
        "1": ".326607276",
        "3/2": ".045322988",
        "2": ".059166548",
        "3": ".002170906",
        "4": ".000395670",
    }
    assert {str(net): f"{chance:.9f}"[1:] for net, chance in solution.distribution} == published
    assert f"{solution.standard_deviation:.8f}" == "1.14654006"


def test_the_fixed_basic_strategy_with_surrender() -> None:
    rules = house("blackjack", {**S17, "surrender": "late"})
    chart = Chart.parse(WITH_SURRENDER).strategy(compile_hands(rules))
    assert f"{100 * solve(rules, chart).expected_value:.10f}" == "-0.3317035785"
    # The best strategy by totals is that very chart.
    assert f"{100 * solve(rules, 'basic').expected_value:.10f}" == "-0.3317035785"


def test_ten_two_against_four_is_hit_by_composition() -> None:
    rules = house("blackjack", S17)
    chart = Chart.parse(SIX_DECKS_S17).strategy(compile_hands(rules))
    best = solve(rules, "basic")
    assert solve(rules, chart).expected_value == pytest.approx(best.expected_value, abs=1e-15)
    assert ("2T", "4", Action.HIT, Action.STAND) in solve(rules).exceptions()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "percent"),
    [
        (ONE_DOUBLE, "0.78"),
        ({**ONE_DOUBLE, "decks": 8}, "0.80"),
        ({**ONE_DOUBLE, **S17}, "0.37"),
        ({**REDOUBLE}, "0.42"),
        ({**REDOUBLE, "decks": 8}, "0.45"),
    ],
)
def test_spanish_21_house_edges(changes: Mapping[str, object], percent: str) -> None:
    assert f"{-100 * solve(house('spanish-21', changes), 'basic').expected_value:.2f}" == percent


def test_the_published_exceptions_by_number_of_cards() -> None:
    solution = solve(house("spanish-21", REDOUBLE), "basic")
    stands = {
        (row.hand, int((row.cards or "2+")[0])): "".join(
            up for up, cell in zip("23456789TA", row.cells, strict=True) if cell == "S"
        )
        for row in solution.strategy.chart().rows
        if row.hand in {"hard 12", "hard 13", "hard 14", "hard 15", "hard 16"}
        and not (row.bonus or row.doubles)
    }
    # Hit 12; stand on 13 v 6, 14 v 4–6, 15 and 16 v 2–6; fewer with 4, 5 and 6 cards.
    wanted = {
        ("hard 12", 2): "",
        ("hard 13", 2): "6",
        ("hard 13", 4): "",
        ("hard 14", 2): "456",
        ("hard 14", 4): "56",
        ("hard 14", 5): "6",
        ("hard 14", 6): "",
        ("hard 15", 2): "23456",
        ("hard 15", 4): "3456",
        ("hard 15", 5): "456",
        ("hard 15", 6): "6",
        ("hard 16", 2): "23456",
        ("hard 16", 6): "56",
    }
    # One cell is ours alone: 16 of five cards against 2 is hit, which gains less than 0.0005 of a wager.
    assert stands == {**wanted, ("hard 16", 5): "3456"}
    table = solution.solver.automaton
    sixteen = solution.state_values(2)[table.state_of(parse_cards("2c2d3h4c5d"))]
    assert 0 < sixteen[1] - sixteen[0] < 0.0005


def test_players_edge_with_the_rule_of_the_other_source() -> None:
    """Two identical face cards that win at once: the source's 0.27 lies between the two readings of that,
    whatever the dealer has, or unless the dealer has a blackjack."""
    solution = solve(house("players-edge-21", {"double.rescue": "before-last-double"}), "basic")
    tens = next(part for part in solution.by_first_two if part.name == "TT")
    blackjacks = float(Fraction(2 * 24 * 70, 286 * 285))
    identical = float(Fraction(72 * 5, 288 * 287))
    always = -solution.expected_value - identical * (1 - tens.expected_value)
    not_against_blackjack = always + identical * blackjacks * 2
    assert 0.23 < 100 * always < 0.27 < 100 * not_against_blackjack < 0.29
