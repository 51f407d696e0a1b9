"""Cells of a chart opened, and hands from a shoe with cards removed."""

from __future__ import annotations

import pytest

from cardroom.core.cards import Card, parse_card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import Solution, solve
from cardroom.lab.cells import opened_cell
from cardroom.lab.charts import SAME
from cardroom.lab.hands import shoe_without
from cardroom.lab.progress import Steps, listening
from cardroom.lab.strategies import chart_of
from tests.tables import rules_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(rules_of("blackjack"), "composition")


def test_the_hands_of_hard_16_against_a_ten(solution: Solution) -> None:
    """T-6 and 9-7 are all its hands of two cards, and each has the values that the hand alone has."""
    cell = opened_cell(solution, ["hard 16"], "T")
    hands = {hand["cards"]: hand for hand in cell["hands"]}
    assert {name for name in hands if len(name) == 2} == {"6T", "79"}
    for hand in cell["hands"][:5]:
        exact = solution.action_values(_some_cards(hand["cards"]), parse_card("Ks"))
        shown = {one["action"]: one["expected_value"] for one in hand["actions"]}
        assert {str(action): pytest.approx(value) for action, value in exact.items()} == shown
    assert sum(hand["share"] for hand in cell["hands"]) <= 1 + 1e-12
    assert cell["actions"][0]["cost"] == 0.0
    assert cell["best"] == cell["actions"][0]["action"]


def _some_cards(name: str) -> tuple[Card, ...]:
    suits = "cdhs"
    return tuple(parse_cards("".join(f"{rank}{suits[place % 4]}" for place, rank in enumerate(name))))


def test_every_cell_of_the_chart_opens_and_says_what_it_shows(solution: Solution) -> None:
    chart = chart_of(solution)
    letters = {"S": "stand", "H": "hit", "D": "double", "P": "split", "R": "surrender"}
    for grid in chart.grids[:3]:
        for row in grid.rows:
            for column in (0, 4, 9):
                cell = row.cells[column]
                if cell == SAME or cell[0] not in letters or row.close[column]:
                    continue
                opened = opened_cell(solution, row.hands, "23456789TA"[column])
                assert opened["best"] == letters[cell[0]], (row.label, column)


def test_what_is_no_cell_is_refused(solution: Solution) -> None:
    for hands, up in ((["hard 99"], "T"), ([], "T"), (["hard 16"], "J")):
        with pytest.raises(MalformedInput):
            opened_cell(solution, hands, up)


def test_cards_leave_a_shoe() -> None:
    deck = CardCounts.of_decks("standard", 1)
    assert shoe_without(deck, "5d")[parse_card("5d")] == 0
    assert shoe_without(deck, "TTTT, K").total == 47
    assert shoe_without(deck, "A a A A").by_rank()[0] == 0
    for text in ("AAAAA", "5d5d", "x", "1"):
        with pytest.raises(MalformedInput):
            shoe_without(deck, text)


def test_steps_tell_their_share() -> None:
    heard: list[tuple[float, str]] = []
    with listening(lambda share, words: heard.append((share, words))):
        steps = Steps(4)
        steps.begin("one", 3)
        steps.begin("two")
    steps.begin("nobody listens")
    assert heard == [(0.0, "one"), (0.75, "two")]
