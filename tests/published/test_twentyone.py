"""Every published figure of the blackjack family, to its printed precision or with a reason that holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.lab.audit import audit, compare
from cardroom.lab.figures import PublishedFigure, SimulatedValue
from cardroom.lab.figures_twentyone import CACARULO, FARMER, TWENTY_ONE
from cardroom.lab.findings import edge_with_winning_faces
from cardroom.lab.published_charts import six_deck_chart
from cardroom.model.twentyone.automaton import compile_hands
from tests.twentyone import house

EXPLAINED = {
    ("blackjack", "expected value, basic", "-0.690223 %"): 2e-7,
    ("blackjack", "expected value, composition", "0.1839 %"): 2.5e-5,
    ("blackjack", "added edge of charlie=5, basic", "-1.46 %"): 1e-3,
    ("blackjack", "added edge of charlie=6, basic", "-0.16 %"): 1.5e-4,
    ("blackjack", "house edge, basic", "0.26 %"): 2e-4,
    ("spanish-21", "house edge, basic", "0.38 %"): 1e-6,
    ("spanish-21", "cells unlike the published chart", "0"): 1,
    ("players-edge-21", "house edge, basic", "0.27 %"): 1.5e-3,
    ("players-edge-21", "house edge if two identical suited faces won at once", "0.27 %"): 3.5e-4,
    ("blackjack", "house edge of 21+3-live", "9.73 %"): 0.0603,
    ("blackjack", "house edge of lucky-lucky", "2.65 %"): 1e-5,
    ("blackjack", "house edge of pair-square", "6 %"): 0.0462,
    ("blackjack", "house edge of pair-square", "10.3199 %"): 0.00291,
    ("blackjack", "house edge of top-3", "10 %"): 0.0108,
    ("blackjack", "house edge of push-22", "11.6445 %"): 0.0148,
    ("blackjack", "house edge of push-22", "12.1978 %"): 0.0078,
    ("blackjack", "house edge of push-22", "12.5511 %"): 0.00341,
    ("blackjack", "house edge of push-22", "12.5944 %"): 0.00287,
}
"""All printed figures that differ from ours for a reason, and by how much at most; all others agree."""


@pytest.mark.slow
@pytest.mark.parametrize("figure", TWENTY_ONE, ids=lambda figure: f"{figure.game} {figure.printed}")
def test_published(figure: PublishedFigure) -> None:
    (line,) = audit([figure])
    explained = (figure.game, figure.quantity, figure.printed) in EXPLAINED
    assert line.verdict == ("explained" if explained else "agrees"), line
    if figure.source in (FARMER, CACARULO):
        assert line.verdict == "agrees", line


def test_one_digit_more_or_less_is_found() -> None:
    figure = next(figure for figure in TWENTY_ONE if figure.printed == "-0.402870236 %")
    (line,) = audit([replace(figure, printed="-0.402870237 %")])
    assert line.verdict == "disagrees"
    with pytest.raises(MalformedInput, match="is not computed"):
        audit([replace(figure, quantity="colour of the shoe")])


def test_faces_that_win_up_card_by_up_card() -> None:
    """What two faces bring without the rule, one up card after the other, and with it by hand.

    Of 286 cards besides the player's two faces 24 are aces and 70 faces; 360 of 288 · 287 ordered pairs are
    two identical suited faces.
    """
    rules = house("players-edge-21", {"double.rescue": "before-last-double"})
    basic = solve(rules, "basic")
    faces = parse_cards("KcKc")
    played = blackjack = 0.0
    for up, count in zip(parse_cards("Ad2d3d4d5d6d7d8d9dJd"), [24] * 9 + [70], strict=True):
        hole = {"A": 70 / 285, "J": 24 / 285}.get(up.rank.letter, 0.0)
        values, action = basic.action_values(faces, up), basic.best_action(faces, up)
        assert action is not None
        blackjack += count / 286 * hole
        played += count / 286 * (1 - hole) * values[action]
    without = played - blackjack
    rate = 360 / (288 * 287)
    for at_once, worth, percent in ((False, 1 - 2 * blackjack, "0.273"), (True, 1.0, "0.237")):
        edge = -basic.expected_value - rate * (worth - without)
        assert edge_with_winning_faces(rules, at_once=at_once) == pytest.approx(edge, abs=1e-12)
        assert f"{100 * edge:.3f}" == percent
        told = next(figure for figure in TWENTY_ONE if figure.game == rules.game and figure.difference)
        assert told.difference is not None
        assert f"{percent} %" in told.difference.reason


def test_a_simulated_value_agrees_within_its_error_only() -> None:
    figure = PublishedFigure("blackjack", "covariance", "0.499", "somebody")
    near, far = (SimulatedValue(value, 0.0002, 1000, 7) for value in (0.5000, 0.5002))
    assert compare(figure, near).verdict == "agrees"  # 0.0005 of print and three times 0.0002
    assert compare(figure, far).verdict == "disagrees"
    assert compare(figure, near).ours == "0.500000 ± 0.000200"
    assert compare(figure, near).explanation.endswith("simulated, 1,000 rounds, seed 7")


@pytest.mark.parametrize(("game", "changes"), [("blackjack", {"decks": 1}), ("players-edge-21", {})])
def test_parts_by_first_card_add_up(game: str, changes: dict[str, object]) -> None:
    basic = solve(house(game, changes), "basic")
    shoe = basic.rules.shoe()
    by_rank = shoe.by_rank()
    counts = [*by_rank[:9], sum(by_rank[9:])]
    parts = basic.by_first_card
    assert "".join(part.name for part in parts) == "A23456789T"
    assert [part.chance for part in parts] == pytest.approx([count / shoe.total for count in counts])
    whole = sum(part.chance * part.expected_value for part in parts)
    assert whole == pytest.approx(basic.expected_value, abs=1e-12)


@pytest.mark.parametrize("hits", [False, True])
def test_the_published_chart_is_our_basic_strategy(hits: bool) -> None:
    rules = house("blackjack", {"dealer_hits_soft_17": hits})
    theirs = six_deck_chart(dealer_hits_soft_17=hits).strategy(compile_hands(rules))
    value, best = solve(rules, theirs).expected_value, solve(rules, "basic").expected_value
    assert value <= best
    assert value == pytest.approx(best, abs=1e-12)


def test_reasons_reach_no_further_than_they_say() -> None:
    found = {
        (figure.game, figure.quantity, figure.printed): figure.difference
        for figure in TWENTY_ONE
        if figure.difference is not None
    }
    assert {key: float(reason.up_to) for key, reason in found.items()} == EXPLAINED
    assert all(len(reason.reason) > 20 for reason in found.values())
