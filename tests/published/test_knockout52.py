"""Knockout 52 against published figures, and the audit that compares them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.exact.knockout52 import chances, wager_figures
from cardroom.lab.audit.rows import audit, compare, published_figures
from cardroom.lab.published.figures import KNOCKOUT_52, ExpectedDifference, PublishedFigure
from tests.knockout52_tables import house

# P. Doyle, C. Grinstead and J. L. Snell, Frustration Solitaire.
NO_MATCH_IN_52_CARDS = (
    "4610507544750288132457667562311567997623087869/284025438982318025793544200005777916187500000000"
)


def test_no_match_in_52_cards_digit_for_digit() -> None:
    assert str(chances(house())["all-the-way"]) == NO_MATCH_IN_52_CARDS
    (outcome, _) = wager_figures(house())[-1].outcomes
    assert outcome.to_json()["probability"]["fraction"] == NO_MATCH_IN_52_CARDS


@pytest.mark.parametrize("figure", KNOCKOUT_52, ids=lambda figure: figure.printed[:12])
def test_every_published_figure_agrees(figure: PublishedFigure) -> None:
    (line,) = audit([figure])
    assert line.verdict == "agrees", line


def test_the_audit_has_a_line_for_every_figure() -> None:
    lines = audit(KNOCKOUT_52)
    assert [line.figure for line in lines] == list(KNOCKOUT_52)
    figures = published_figures()
    assert all(figure in figures for figure in KNOCKOUT_52)
    assert len(KNOCKOUT_52) < len(figures)
    assert lines[0].to_json() == {
        "game": "knockout-52",
        "rules": {},
        "quantity": "probability of all-the-way",
        "published": NO_MATCH_IN_52_CARDS,
        "ours": NO_MATCH_IN_52_CARDS,
        "verdict": "agrees",
        "explanation": "digit for digit",
        "source": "P. Doyle, C. Grinstead, J. L. Snell: Frustration Solitaire (1998)",
    }


def test_one_wrong_digit_is_found() -> None:
    figure = KNOCKOUT_52[0]
    for wrong in (NO_MATCH_IN_52_CARDS.replace("869/", "868/"), NO_MATCH_IN_52_CARDS + "0"):
        (line,) = audit([replace(figure, printed=wrong)])
        assert line.verdict == "disagrees"
    (line,) = audit([replace(figure, changes=(("decks", 2),))])
    assert line.verdict == "disagrees"


def test_a_fraction_is_not_met_by_a_float_or_in_other_terms() -> None:
    figure = replace(KNOCKOUT_52[0], printed="2/4")
    assert compare(figure, 0.5).verdict == "disagrees"
    assert compare(figure, Fraction(1, 2)).verdict == "disagrees"
    assert compare(replace(figure, printed="1/2"), Fraction(1, 2)).verdict == "agrees"


@pytest.mark.parametrize(
    ("printed", "ours", "verdict"),
    [
        ("1.62 %", 0.0162327, "agrees"),
        ("1.63 %", 0.0162327, "disagrees"),
        ("1.62", 1.6249, "agrees"),
        ("1.62", 1.6251, "disagrees"),
        ("-0.402870236 %", -0.004028702364, "agrees"),
        ("-0.402870236 %", -0.00402870237, "disagrees"),
        ("-0.402870236 %", 0.00402870236, "disagrees"),
        ("17", 17.4, "agrees"),
    ],
)
def test_decimals_agree_to_the_printed_precision(printed: str, ours: float, verdict: str) -> None:
    assert compare(replace(KNOCKOUT_52[0], printed=printed), ours).verdict == verdict


def test_a_difference_is_explained_only_as_far_as_its_reason_goes() -> None:
    reason = ExpectedDifference("the source approximates splits", up_to=Fraction(2, 100_000))
    figure = replace(KNOCKOUT_52[0], printed="0.1839 %", difference=reason)
    assert compare(figure, 0.001839).verdict == "agrees"
    line = compare(figure, 0.001820)
    assert (line.verdict, line.explanation) == ("explained", "the source approximates splits")
    assert line.ours == "0.1820000 %"
    assert compare(figure, 0.001800).verdict == "disagrees"


def test_a_quantity_nobody_computes_is_refused() -> None:
    with pytest.raises(MalformedInput, match="'colour of all-the-way' is not computed for knockout-52"):
        audit([replace(KNOCKOUT_52[0], quantity="colour of all-the-way")])
