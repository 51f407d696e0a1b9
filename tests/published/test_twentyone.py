"""Every published figure of the blackjack family, to its printed precision or with a reason that holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.lab.audit import audit
from cardroom.lab.figures import PublishedFigure
from cardroom.lab.figures_twentyone import CACARULO, FARMER, TWENTY_ONE
from cardroom.lab.published_charts import six_deck_chart
from cardroom.rules.twentyone.automaton import compile_hands
from tests.twentyone import house

EXPLAINED = {
    ("blackjack", "expected value, basic", "-0.690223 %"): 2e-7,
    ("blackjack", "expected value, composition", "0.1839 %"): 2.5e-5,
    ("spanish-21", "house edge, basic", "0.38 %"): 1e-6,
    ("spanish-21", "cells unlike the published chart", "0"): 1,
    ("players-edge-21", "house edge, basic", "0.27 %"): 1.5e-3,
}
"""All printed figures that differ from ours for a reason, and by how much at most; all others agree."""


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
