"""A recorded game of Knockout 52, shown card by card for `cardroom verify --replay`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.cli.knockout52.screen import layout
from cardroom.engine.knockout52 import replay
from cardroom.presentation.sentences import knockout52_outcome, knockout52_sentence
from cardroom.rules.base import HouseRules
from cardroom.rules.knockout52 import Knockout52Rules

if TYPE_CHECKING:
    from rich.console import Console


def show(notation: str, rules: HouseRules, out: Console) -> None:
    """Print every event of a game in its order, then the layout as it was left."""
    assert isinstance(rules, Knockout52Rules)
    game, events = replay(notation, rules)
    for event in events:
        out.print(f"  {knockout52_sentence(event)}")
    out.print()
    out.print(layout(game, out.width))
    out.print(f"\n{knockout52_outcome(game)}")
