"""Knockout 21 against the odds its operator prints and the facts of its page of rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.exact.knockout21.chances import chances, chances_without_lucky_losers
from cardroom.lab.audit.rows import audit, published_figures
from cardroom.lab.published.figures import KNOCKOUT_21, PublishedFigure
from tests.knockout21_cards import house


@pytest.mark.slow
@pytest.mark.parametrize("figure", KNOCKOUT_21, ids=lambda figure: figure.quantity)
def test_every_printed_odds_agree(figure: PublishedFigure) -> None:
    assert figure in published_figures()
    (line,) = audit([figure])
    assert line.verdict == "agrees", line


@pytest.mark.parametrize(
    ("reading", "wager", "one_in"),
    [
        ("ace-keeps-value", "game-1", "10.2353"),
        ("ace-keeps-value", "game-2", "31.2809"),
        ("ace-keeps-value", "game-3", "66.0993"),
        ("ace-keeps-value", "any-prize", "7.155"),
        ("literal", "game-1", "8.867"),
        ("literal", "any-prize", "6.488"),
    ],
)
@pytest.mark.clause("KO21-5.1")
def test_facts_of_the_page_of_rules(reading: str, wager: str, one_in: str) -> None:
    digits = len(one_in.partition(".")[2])
    assert f"{float(1 / chances(house(game_1_hit=reading))[wager]):.{digits}f}" == one_in


@pytest.mark.clause("KO21-5.1")
@pytest.mark.parametrize(("wager", "one_in"), [("game-1", "12.47"), ("any-prize", "8.12")])
def test_facts_of_the_page_of_rules_without_lucky_losers(wager: str, one_in: str) -> None:
    assert f"{float(1 / chances_without_lucky_losers(house(game_1_hit='literal'))[wager]):.2f}" == one_in


def test_the_literal_reading_is_not_what_the_operator_prints() -> None:
    for figure in (KNOCKOUT_21[0], KNOCKOUT_21[3]):
        (line,) = audit([replace(figure, changes=(("game_1_hit", "literal"),))])
        assert line.verdict == "disagrees"


def test_a_quantity_nobody_computes_is_refused() -> None:
    with pytest.raises(MalformedInput, match="'colour of game-1' is not computed for knockout-21"):
        audit([replace(KNOCKOUT_21[0], quantity="colour of game-1")])
