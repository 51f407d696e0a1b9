"""Inputs given to a state one after another: the one replay of all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, TypeVar

from cardroom.engine.contract import Engine

Rules = TypeVar("Rules")
Wagers = TypeVar("Wagers")
State = TypeVar("State")
Input = TypeVar("Input")
Event = TypeVar("Event")

Step = Callable[[State, Input], tuple[State, tuple[Event, ...]]]


class TakenStep(NamedTuple):
    """One step that was taken. Its parts: the state before, the input, the state after, what happened."""

    before: Any
    entry: Any
    after: Any
    events: tuple[Any, ...]


def steps(step: Step[State, Input, Event], state: State, inputs: Iterable[Input]) -> Iterator[TakenStep]:
    """Give a state some inputs, and stop at each to be looked at."""
    for entry in inputs:
        after, events = step(state, entry)
        yield TakenStep(state, entry, after, events)
        state = after


def played(
    step: Step[State, Input, Event],
    started: tuple[State, tuple[Event, ...]],
    inputs: Iterable[Input],
) -> tuple[State, tuple[Event, ...]]:
    """The state after all inputs, and all events in order, those of the start among them."""
    state, events = started
    log = list(events)
    for entry in inputs:
        state, events = step(state, entry)
        log += events
    return state, tuple(log)


def replayed(
    engine: Engine[Rules, Wagers, State, Input, Event, object],
    rules: Rules,
    wagers: Wagers,
    inputs: Iterable[Input],
) -> tuple[State, tuple[Event, ...]]:
    """A round of any game from its start."""
    return played(engine.step, engine.start(rules, wagers), inputs)
