"""A recorded round shown card by card, as `cardroom verify --replay` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.engine.twentyone import replay, view
from cardroom.rules.base import HouseRules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone.sentences import sentence

if TYPE_CHECKING:
    from rich.console import Console


def show(notation: str, rules: HouseRules, out: Console) -> None:
    """Print every event of a round in its order, then the table as it was left; or the card of a burn."""
    if notation.startswith("burn "):
        out.print(f"  burned: {notation.removeprefix('burn ').strip()}")
        return
    assert isinstance(rules, TwentyOneRules)
    game, events = replay(notation, rules)
    for event in events:
        out.print(f"  {sentence(event, rules)}", soft_wrap=True)
    from cardroom.cli.twentyone.screen import table_of

    out.print()
    out.print(table_of(view(game, game.spots[0].number), game.spots[0].player, game.rules, width=out.width))
    out.print()
