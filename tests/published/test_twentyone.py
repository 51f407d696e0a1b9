"""Every published figure of the blackjack family, to its printed precision or with a reason that holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from cardroom.core.cards import Card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.engine import twentyone
from cardroom.engine.walk import moves
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import decision
from cardroom.lab.audit.rows import audit, compare
from cardroom.lab.findings import edge_with_winning_faces
from cardroom.lab.published.charts import six_deck_chart
from cardroom.lab.published.figures import PublishedFigure, SimulatedValue
from cardroom.lab.published.twentyone import CACARULO, FARMER, TWENTY_ONE
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.rules.twentyone import law
from tests.published.long_simulations import SIMULATED
from tests.twentyone import house

EXPLAINED = {
    ("blackjack", "expected value, basic", "-0.690223 %"): 2e-7,
    ("blackjack", "expected value, composition", "0.1839 %"): 2.5e-5,
    ("blackjack", "added edge of charlie=5, basic", "-1.46 %"): 1e-3,
    ("blackjack", "added edge of charlie=6, basic", "-0.16 %"): 1.5e-4,
    ("blackjack", "house edge, basic", "0.26 %"): 2e-4,
    ("blackjack", "house edge, basic", "0.7 %"): 1e-3,
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
@pytest.mark.parametrize(
    "figure",
    [figure for figure in TWENTY_ONE if figure not in SIMULATED],
    ids=lambda figure: f"{figure.game} {figure.printed}",
)
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


@pytest.mark.slow
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


@pytest.mark.parametrize("at_once", [False, True])
def test_faces_that_win_in_every_round_of_a_small_shoe(at_once: bool) -> None:
    """The engine plays every round of a small shoe; those that begin with two kings are paid by the rule."""
    rules = house("players-edge-21", {"split.max_hands": 1, "double.max_doubles": 1})
    shoe = CardCounts.parse("Kc:4,Ac:3,9d:6,8h:5")
    basic = solve(rules, "basic", shoe=shoe)
    assert basic.table is not None
    automaton, actions = basic.solver.automaton, basic.table.action

    def value(state: twentyone.Round, net_cents: int) -> Fraction:
        """What a round brings that has won so much until now, by basic strategy and without insurance."""
        awaited = twentyone.awaits(state)
        if isinstance(awaited, twentyone.Done):
            first, up, second, hole = state.inputs[:4]
            if [first, second] != list(parse_cards("KcKc")):
                return Fraction(net_cents, 1000)
            assert isinstance(up, Card)
            assert isinstance(hole, Card)
            return Fraction(1 if at_once or not law.is_blackjack([up, hole]) else -1)
        tried: Iterable[tuple[Any, int]] = moves(twentyone, state)
        if isinstance(awaited, twentyone.Turn):
            declined = twentyone.DeclineInsurance()
            tried = [(declined if declined in awaited.options else decision(automaton, actions, state), 1)]
        steps = [(twentyone.step(state, entry), weight) for entry, weight in tried]
        parts = [
            weight * value(after, net_cents + twentyone.balance(events).players.get("Ann", 0))
            for (after, events), weight in steps
        ]
        return sum(parts, Fraction(0)) / sum(weight for _, weight in steps)

    state, events = twentyone.start(rules, [twentyone.SpotWager(1, "Ann", 1000)], shoe)
    edge = -value(state, twentyone.balance(events).players.get("Ann", 0))
    assert edge_with_winning_faces(rules, at_once=at_once, shoe=shoe) == pytest.approx(float(edge), abs=1e-12)


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


@pytest.mark.slow
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
