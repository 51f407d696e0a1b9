"""What holds of every engine, by the contract alone: options, replay, and what a view gives away."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.core.cards import CARDS
from cardroom.core.errors import IllegalAction
from cardroom.engine.contract import CardAwaited, DecisionAwaited, Done
from cardroom.engine.playing import replayed
from cardroom.engine.walk import moves
from cardroom.games import GAMES
from tests.engines import ENGINES, Played, leaks_nothing

CHANCE = st.randoms(use_true_random=False)
of_every_game = pytest.mark.parametrize("name", ENGINES)


def any_round(game: Played, chance: Random, steps: int) -> tuple[Any, list[Any], Any, tuple[Any, ...]]:
    """So many steps of a round, or a whole one: its wagers, inputs, last state and events."""
    wagers = game.wagers(chance)
    state, events = game.engine.start(game.rules(), wagers)
    inputs: list[Any] = []
    while len(inputs) < steps and (following := moves(game.engine, state)):
        asked, weights = zip(*following, strict=True)
        inputs.append(chance.choices(asked, weights)[0])
        state, more = game.engine.step(state, inputs[-1])
        events += more
    return wagers, inputs, state, events


def test_every_game_is_among_them() -> None:
    assert {*GAMES} < {*ENGINES}
    for name in GAMES:
        assert ENGINES[name].engine is GAMES[name].follow("engine")


@pytest.mark.slow
@of_every_game
@given(chance=CHANCE)
def test_a_round_comes_to_its_end(name: str, chance: Random) -> None:
    _, _, state, _ = any_round(ENGINES[name], chance, 500)
    assert isinstance(ENGINES[name].engine.awaits(state), Done)


@pytest.mark.slow
@of_every_game
@given(chance=CHANCE, steps=st.integers(0, 40))
def test_the_same_inputs_give_the_same_round_to_the_bit(name: str, chance: Random, steps: int) -> None:
    game = ENGINES[name]
    wagers, inputs, state, events = any_round(game, chance, steps)
    assert replayed(game.engine, game.rules(), wagers, inputs) == (state, events)


@pytest.mark.slow
@of_every_game
@given(chance=CHANCE, steps=st.integers(0, 40))
def test_what_is_offered_is_accepted_and_what_is_not_is_refused(
    name: str, chance: Random, steps: int
) -> None:
    game, engine = ENGINES[name], ENGINES[name].engine
    _, _, state, _ = any_round(game, chance, steps)
    awaited, cards = engine.awaits(state), dict(engine.chance(state))
    assert isinstance(awaited, CardAwaited) is bool(cards)
    assert all(weight > 0 for weight in cards.values())
    if isinstance(awaited, DecisionAwaited):
        assert awaited.options
    for asked, _ in moves(engine, state):
        assert engine.why_not(state, asked) is None
        after, events = engine.step(state, asked)
        assert events
        assert after != state
    for asked in [*game.never, *(card for card in CARDS if card not in cards)]:
        refusal = engine.why_not(state, asked)
        assert refusal is not None
        assert refusal.clause
        with pytest.raises(IllegalAction, match=refusal.clause):
            engine.step(state, asked)


@pytest.mark.slow
@of_every_game
@given(chance=CHANCE, steps=st.integers(0, 60))
def test_a_view_gives_nothing_away(name: str, chance: Random, steps: int) -> None:
    _, _, state, _ = any_round(ENGINES[name], chance, steps)
    leaks_nothing(ENGINES[name], state, chance)
