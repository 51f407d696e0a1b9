"""Luck and skill apart: a finished round judged from its notation."""

from __future__ import annotations

import pytest

from cardroom.core.cards import parse_cards
from cardroom.engine import twentyone as engine
from cardroom.engine.twentyone import Action, SpotWager
from cardroom.exact.sidebets import side_bet_figures
from cardroom.lab.advice import advice, solved
from cardroom.lab.judging import judged_round, judged_with_side_wagers
from cardroom.rules.round_head import RulesForm
from tests.tables import rules_of


@pytest.mark.slow
def test_result_is_expected_less_mistakes_plus_luck_with_side_wagers() -> None:
    """T-9 against a 6 is hit and busts: $4 and the $2 of 21+3 are lost, and the hit was the mistake."""
    rules = rules_of("blackjack")
    game, _ = engine.start(rules, [SpotWager(1, "Ann", 400, {"21+3": 200})])
    game, _ = engine.play(game, parse_cards("Th 6c 9d 5s"))
    known = advice(game)
    assert known is not None
    cost = known.cost_cents(Action.HIT)
    assert cost is not None
    assert cost > 100
    game, _ = engine.play(game, [Action.HIT, *parse_cards("Kc")])
    assert game.phase is engine.Phase.OVER
    notation = engine.format_round(game, RulesForm.APART)
    text = rules.canonical_text()
    books = judged_with_side_wagers(notation, text)["Ann"]
    side = side_bet_figures(rules, "21+3", stake_cents=200)
    best = 400 * float(solved(rules, 400).expected_value) + 200 * float(side.expected_value)
    assert books.net_cents == -600
    assert (books.decisions, books.mistakes) == (1, 1)
    assert books.mistakes_cents == pytest.approx(cost)
    assert books.expected_cents == pytest.approx(best)
    assert books.luck_cents == pytest.approx(-600 - (best - cost))
    assert judged_round(notation, text)["Ann"].net_cents == -400
