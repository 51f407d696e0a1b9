"""The end of a round is worked out once: money, discards and the text come from what has happened already."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.engine import twentyone
from cardroom.engine.twentyone import round as engine_round
from cardroom.records.tables import TwentyOneRoundEnded
from cardroom.rules.round_head import RulesForm
from cardroom.table.twentyone.finished import ended
from tests.tables import table_of


def test_the_last_card_is_the_only_step_of_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own step, and nothing else: the text is put together from what the state has kept."""
    table = table_of("players-edge-21", {"Ann": [1], "Bob": [2]}, cards="9h 8c 7s 9d 5h 8s 6c Kd")
    table.place_wagers("Ann", 1, 1000)
    table.place_wagers("Bob", 2, 1000)
    table.deal()
    table.act("Ann", 1, "stand")
    table.act("Bob", 2, "hit")
    table.deal_card()
    table.act("Bob", 2, "stand")
    walked = 0
    advance = engine_round._advance

    def counted(*args: Any) -> None:
        nonlocal walked
        walked += 1
        advance(*args)

    monkeypatch.setattr(engine_round, "_advance", counted)
    table.deal_card()
    played = table.state.round
    assert played is not None
    assert isinstance(twentyone.awaits(played), twentyone.Done)
    entry = ended("linden", table.state, {"Ann": "a" * 32, "Bob": "b" * 32})
    assert walked == 1

    record = entry.record
    assert isinstance(record, TwentyOneRoundEnded)
    # Ann stands on 18 and Bob on 19; the dealer's 15 and a king are 25.
    assert record.net_cents == {"Ann": 1000, "Bob": 1000}
    assert record.notation == twentyone.format_round(played, RulesForm.APART)
    assert record.staked_cents == {"Ann": 1000, "Bob": 1000}
    state, events = twentyone.replay(record.notation, played.rules)
    assert (state, events) == (played, table.state.round_events)
