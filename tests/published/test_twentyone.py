"""Every published figure of the blackjack family, to its printed precision or with a reason that holds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.lab.audit import audit
from cardroom.lab.figures import PublishedFigure
from cardroom.lab.figures_twentyone import CACARULO, FARMER, TWENTY_ONE
from cardroom.lab.published_charts import six_deck_chart
from cardroom.rules.twentyone.automaton import compile_hands
from tests.twentyone import house

EXPLAINED = {"-0.690223 %", "0.1839 %", "0.38 %", "0", "0.27 %"}
"""All printed figures for which a difference has a reason; all others agree."""


@pytest.mark.parametrize("figure", TWENTY_ONE, ids=lambda figure: f"{figure.game} {figure.printed}")
def test_published(figure: PublishedFigure) -> None:
    (line,) = audit([figure])
    assert line.verdict == "agrees" or (line.verdict == "explained" and figure.printed in EXPLAINED), line
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
    for figure in TWENTY_ONE:
        if figure.difference is not None:
            assert figure.difference.up_to <= Fraction(1)
            assert len(figure.difference.reason) > 20
