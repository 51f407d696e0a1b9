"""How Game 1 is read is told on tickets and in the documents, with exact figures of both readings."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cardroom.exact.knockout21.chances import chances, chances_without_lucky_losers
from cardroom.lottery.ticket_print import ticket_pdf
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Game1Hit, Knockout21Rules
from cardroom.rules.knockout21.law import added_in_game_1
from tests.lottery_house import house_rules, open_house

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "lottery.md"
WORDS = {
    "ace-keeps-value": "Game 1 adds the hit card unless it busts the hand. "
    "An ace keeps the value it has in the starting hand.",
    "literal": "Game 1 adds every hit card that does not bust the hand, "
    "also where a soft total becomes a lower hard one.",
}


@pytest.mark.clause("KO21-5.1", "KO21-2.5")
@pytest.mark.parametrize("reading", ["ace-keeps-value", "literal"])
def test_a_ticket_says_how_game_1_is_read(sqlite_url: str, reading: Game1Hit) -> None:
    with open_house(sqlite_url, rules=house_rules(game_1_hit=reading)) as house:
        ticket = house.sell().tickets[0]
    assert f"{WORDS[reading]} (KO21-5.1)" in ticket.text().splitlines()
    words = re.findall(rb"\(((?:[^()\\]|\\.)*)\) Tj", ticket_pdf(ticket))
    assert WORDS[reading] in " ".join(word.decode("latin-1") for word in words)


@pytest.mark.clause("KO21-5.1")
def test_the_document_says_what_the_literal_reading_would_change() -> None:
    lines = DOCUMENT.read_text("utf-8").splitlines()
    for reading, name in (("ace-keeps-value", "an ace keeps its value (in force)"), ("literal", "literal")):
        rules = load_rules_as(Knockout21Rules, "knockout-21", {"game_1_hit": reading})
        among, without = chances(rules), chances_without_lucky_losers(rules)
        returned = float(among["game-1"] * int(rules.prizes.game_1) / rules.ticket_price_cents)
        figures = [
            f"{float(1 / among['game-1']):.4f}",
            f"{float(1 / among['any-prize']):.4f}",
            f"{100 * returned:.3f} %",
            f"{float(1 / without['game-1']):.4f}",
            f"{float(1 / without['any-prize']):.4f}",
        ]
        assert f"| {name} | {' | '.join(figures)} |" in lines
    # The document's example: an ace and a nine with a six.
    assert not added_in_game_1("ace-keeps-value", (1, 9), 6)
    assert added_in_game_1("literal", (1, 9), 6)
