"""A table saved in the middle of anything and restored is the same table, and goes on in the same way."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.core.errors import CardroomError
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import FairDealer, Table
from cardroom.table.twentyone.machine import awaits
from cardroom.table.twentyone.saved import restored_state, round_rules_hash, saved_state
from tests.tables import rules_of

GAMES = ("blackjack", "spanish-21", "players-edge-21")


def through_text(table: Table) -> Table:
    """The table saved as JSON and restored, with the same dealer."""
    plain = json.loads(json.dumps(saved_state(table.state)))
    known: dict[str, TwentyOneRules] = {table.state.rules.rules_hash: table.state.rules}
    if table.state.round is not None:
        known[table.state.round.rules.rules_hash] = table.state.round.rules
    again = Table(table.state.rules, table.dealer, chips=table.chips)
    again.state = restored_state(plain, known[plain["rules_hash"]], known[round_rules_hash(plain)])
    return again


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("decks", [1, 6, "infinite"])
@settings(max_examples=15)
@given(choices=st.lists(st.integers(0, 9), min_size=5, max_size=40))
def test_a_saved_table_is_the_same_at_every_step(game: str, decks: int | str, choices: list[int]) -> None:
    if game == "players-edge-21" and decks != 6:
        return
    table = Table(rules_of(game, {"decks": decks}), FairDealer(repeatable=7))
    table.open()
    table.sit("Ann", 10_000_000)
    table.take_spot("Ann", 1)
    table.take_spot("Ann", 4)
    for choice in choices:
        assert through_text(table).state == table.state
        awaited = awaits(table.state)
        match awaited.kind:
            case "shuffle":
                table.new_shoe(player="Ann", words="salt")
            case "wagers":
                table.place_wagers("Ann", 1 if choice % 2 else 4, 400)
                table.deal()
            case "decision":
                assert awaited.player is not None
                assert awaited.spot is not None
                action = awaited.options[choice % len(awaited.options)]
                try:
                    table.act(awaited.player, awaited.spot, str(action))
                except CardroomError:
                    table.act(awaited.player, awaited.spot, str(awaited.options[0]))
                table = through_text(table)
                table.deal_on()
            case _:
                table.deal_on()
    assert through_text(table).state == table.state


def test_rules_changed_after_the_last_round_are_kept_apart() -> None:
    table = Table(rules_of("blackjack", {}), FairDealer(repeatable=3))
    table.open()
    table.sit("Ann", 1_000_000)
    table.take_spot("Ann", 1)
    table.new_shoe()
    table.place_wagers("Ann", 1, 400)
    table.deal()
    while awaits(table.state).kind == "decision":
        table.act("Ann", 1, "stand" if "stand" in map(str, awaits(table.state).options) else "no insurance")
        table.deal_on()
    table.close()
    table.change_rules("floor", {"limits.max": "100.00"})
    saved = saved_state(table.state)
    assert saved["rules_hash"] != round_rules_hash(saved)
    assert through_text(table).state == table.state
