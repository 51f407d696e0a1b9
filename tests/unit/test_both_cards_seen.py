"""A table where both of the dealer's cards lie face up: strategy, chart, advice, simulation and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import Solution, solve
from cardroom.lab.advice import advice
from cardroom.lab.cells import opened_cell
from cardroom.lab.charts import chart_html
from cardroom.lab.hands import hand_values
from cardroom.lab.mistakes import sorted_habits
from cardroom.lab.rule_sets import DOUBLE_EXPOSURE
from cardroom.lab.strategies import chart_of
from cardroom.library.policy import compiled
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.model.twentyone.columns import BOTH_CARDS
from cardroom.model.twentyone.strategy import Chart
from cardroom.protect.counts import find_count
from cardroom.protect.indices import find_indices
from cardroom.rules.twentyone.law import Action
from cardroom.sim.run import Run
from cardroom.sim.twentyone import Dealing, Job, report
from tests.twentyone import house, played

RULES = house("blackjack", {**DOUBLE_EXPOSURE, "decks": 1, "split.max_hands": 1, "double.max_doubles": 0})


@pytest.fixture(scope="module")
def basic() -> Solution:
    return solve(RULES, "basic")


def test_a_hand_is_played_by_both_cards(basic: Solution) -> None:
    """Who stands on less than a dealer who draws no more has lost; a stiff dealer may bust."""
    for cards, dealer, right in (
        ("Tc 8d", "Th 9s", Action.HIT),  # 19 stands
        ("Tc 9d", "Th 9s", Action.HIT),  # a tie loses
        ("Tc Kd", "Th 9s", Action.STAND),
        ("7c 5d", "Th 5s", Action.STAND),  # 15 must draw
        ("Tc 8d", "Ah 8s", Action.HIT),
    ):
        assert basic.best_action(parse_cards(cards), parse_cards(dealer)) is right
    # 20 against 19 that draws no more wins, whatever comes.
    assert basic.action_values(parse_cards("Tc Kd"), parse_cards("Th 9s"))[Action.STAND] == pytest.approx(1)
    assert basic.action_values(parse_cards("Tc 8d"), parse_cards("Th 9s"))[Action.STAND] == pytest.approx(-1)


def test_chances_of_what_is_seen_are_whole(basic: Solution) -> None:
    parts = {part.name: part for part in basic.by_up_card}
    assert len(parts) == 55
    assert sum(part.chance for part in parts.values()) == pytest.approx(1)
    assert parts["7T"].chance == pytest.approx(2 * 4 * 16 / (52 * 51))
    assert parts["77"].chance == pytest.approx(4 * 3 / (52 * 51))
    # Against a blackjack that is seen only blackjacks do not lose: 3 aces and 15 tens of 50 cards are left.
    ties = 2 * 3 * 15 / (50 * 49)
    assert parts["AT"].expected_value == pytest.approx(-(1 - ties))


def test_the_chart_has_a_column_for_all_that_both_cards_make(basic: Solution) -> None:
    chart = basic.strategy.chart()
    assert chart.columns == BOTH_CARDS.names
    again = Chart.parse(chart.csv()).strategy(compile_hands(RULES))
    assert np.array_equal(again.complete().action, basic.strategy.action)
    assert Chart.parse(chart.toml()) == chart
    assert '<th scope="col">A7</th>' in chart_html(chart_of(basic))
    with pytest.raises(MalformedInput, match="by these rules they are 2 3 4 5 6 7 8 9 T A"):
        chart.strategy(compile_hands(house("blackjack")))
    cell = opened_cell(basic, ["hard 18"], "19")
    assert cell["best"] == "hit"
    with pytest.raises(MalformedInput, match="'T' is no column of the chart"):
        opened_cell(basic, ["hard 18"], "T")


def test_values_of_a_hand_ask_for_both_cards(basic: Solution) -> None:
    found = hand_values(basic, "T8", "T9")
    assert found.to_json()["best"] == "hit"
    with pytest.raises(MalformedInput, match="the dealer shows two cards, such as T6"):
        hand_values(basic, "T8", "T")
    with pytest.raises(MalformedInput, match="is a blackjack: nothing is decided"):
        basic.action_values(parse_cards("Tc 8d"), parse_cards("Ah Ks"))


@pytest.mark.parametrize("cards", ["34,5", "3,45", "345,", ",345", "3,,45", "3,,4"])
def test_stray_commas_of_a_hand_are_refused(basic: Solution, cards: str) -> None:
    with pytest.raises(MalformedInput, match=f"^'{cards}' has stray commas; write cards such as 6c7d, or"):
        hand_values(basic, cards, "T9")


def test_a_hand_may_have_commas_or_spaces_between_its_cards(basic: Solution) -> None:
    plain, *others = (hand_values(basic, cards, "T9").values for cards in ("345", "3,4,5", "3, 4, 5", "3 45"))
    assert others == [plain] * 3


def test_advice_looks_at_both_cards() -> None:
    small = played(RULES, "Tc Th 8d 9s")
    given = advice(small.state)
    assert given is not None
    assert given.best.option is Action.HIT
    assert any(len(mistake.against) == 2 for mistake in sorted_habits(RULES))


def test_the_simulation_meets_the_exact_value(basic: Solution) -> None:
    """Within five standard errors of a million rounds, the seed being fixed."""
    job = Job.of(RULES, basic.strategy.action, seed=21, dealing=Dealing.fresh(), side_bets=False)
    found = report(job, Run(1_000_000).of(job), "basic").estimate("primary")
    assert abs(found.mean - basic.expected_value) < 5 * found.standard_error


def test_what_goes_by_the_up_card_alone_is_refused() -> None:
    with pytest.raises(MalformedInput, match="index numbers are by the up card"):
        find_indices(RULES, find_count("hi-lo"))
    with pytest.raises(MalformedInput, match="no strategy where both of the dealer's cards are seen"):
        compiled(lambda _hand, _up: "stand", RULES)
