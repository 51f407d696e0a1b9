"""Replay of High Card: a round is written as its stake and its two cards, `100 AhKd`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from cardroom.core.cards import Card, parse_cards
from cardroom.engine.contract import Done
from cardroom.engine.playing import replayed
from cardroom.rules import HouseRules
from tests.high_card import engine
from tests.high_card.engine import Round, awaits, net_cents
from tests.high_card.rules import HighCardRules

if TYPE_CHECKING:
    from rich.console import Console


def _round(rules: HouseRules, notation: str) -> Round:
    assert isinstance(rules, HighCardRules)
    stake, _, cards = notation.partition(" ")
    state, _ = replayed(engine, rules, int(stake), parse_cards(cards))
    return state


def deck(rules: HouseRules) -> str:
    assert isinstance(rules, HighCardRules)
    return str(rules.shoe)


def cards(rules: HouseRules, notation: str, _before: tuple[Card, ...]) -> tuple[Card, ...]:
    return _round(rules, notation).cards


def is_over(rules: HouseRules, notation: str) -> bool:
    return isinstance(awaits(_round(rules, notation)), Done)


def dealt(rules: HouseRules, notation: str) -> tuple[Card, ...]:
    return _round(rules, notation).cards


def nets_cents(rules: HouseRules, notation: str) -> Mapping[str, int]:
    return {"player": net_cents(_round(rules, notation))}


def stood_out(rules: HouseRules, notation: str, coming: tuple[Card, ...]) -> str:
    state = _round(rules, notation)
    return f"{state.stake_cents} {''.join(map(str, (*state.cards, *coming[len(state.cards) : 2])))}"


def show(notation: str, rules: HouseRules, out: Console) -> None:
    """Print a round."""
    player, dealer = _round(rules, notation).cards
    out.print(f"  {player} against {dealer}")
