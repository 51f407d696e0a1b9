"""House options as the controls of a form."""

from __future__ import annotations

import pytest

from cardroom.games import GAMES
from cardroom.rules import load_rules
from cardroom.web.controls import controls_of


@pytest.mark.parametrize("game", GAMES)
def test_every_option_that_is_said_has_its_control_and_nothing_else_has_one(game: str) -> None:
    """Patterns of cards, such as those of the Super Bonus, are written in a file."""
    rules = load_rules(game)
    assert [control["key"] for control in controls_of(rules)] == [key for key, _, _ in rules.sentences()]
