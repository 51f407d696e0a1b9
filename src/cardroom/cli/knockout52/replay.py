"""A recorded game of Knockout 52, shown card by card for `cardroom verify --replay`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.cli.knockout52.screen import layout, outcome_sentence
from cardroom.core.money import format_cents
from cardroom.engine import knockout52
from cardroom.engine.knockout52 import replay
from cardroom.presentation import wager_title
from cardroom.rules.base import HouseRules
from cardroom.rules.knockout52 import Knockout52Rules

if TYPE_CHECKING:
    from rich.console import Console


def show(notation: str, rules: HouseRules, out: Console) -> None:
    """Print every event of a game in its order, then the layout as it was left."""
    assert isinstance(rules, Knockout52Rules)
    game, events = replay(notation, rules)
    for event in events:
        out.print(f"  {_words(event)}")
    out.print()
    out.print(layout(game, out.width))
    out.print(f"\n{outcome_sentence(game)}")


def _words(event: knockout52.Event) -> str:
    match event:
        case knockout52.WagerPlaced():
            return f"{event.player}: {_money(event.stake_cents)} staked on {wager_title(event.wager)}"
        case knockout52.MarkerMoved():
            return f"the marker stands in {wager_title(event.circle)}"
        case knockout52.CardDealt():
            match_word = " – a match" if event.match else ""
            return f"card {event.space + 1}, row {event.row}: {event.card.pretty}{match_word}"
        case knockout52.WagerCollected():
            return f"{event.player}: {_money(event.stake_cents)} lost on {wager_title(event.wager)}"
        case knockout52.WagerPaid():
            paid = _money(event.payment_cents)
            return f"{event.player}: {paid} won on {wager_title(event.wager)}, and the stake returned"
        case knockout52.GameEnded():
            return f"the game ends: {wager_title(event.outcome)}"


def _money(cents: int) -> str:
    return format_cents(cents, symbol=True)
