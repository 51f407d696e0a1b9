"""The tree of everything that can follow from a state, of any game: every card dealt, every option taken.

The walk folds the tree from its ends: at each state it knows the value of all that can come next. This counts
the ends of a round of High Card, two cards of a deck in order:

    walk(high_card, state, lambda state, branches: sum(branch.value for branch in branches) or 1)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from cardroom.engine.contract import CardAwaited, Done, Engine

State = TypeVar("State")
Input = TypeVar("Input")
Event = TypeVar("Event")
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Branch(Generic[Event, Value]):
    """One way on from a state: what is dealt or done, how many cards stand for it, and what comes of it."""

    entry: Any
    weight: int
    after: Any
    events: tuple[Event, ...]
    value: Value


Branches = Sequence[Branch[Event, Value]]
Moves = Callable[[State], Iterable[tuple[Any, int]]]
"""The inputs that are tried in a state, each with its weight."""


def moves(engine: Engine[Any, Any, State, Any, Event, Any], state: State) -> tuple[tuple[Any, int], ...]:
    """Everything that can come next: cards with how many there are, options with 1; nothing at an end."""
    awaited = engine.awaits(state)
    if isinstance(awaited, Done):
        return ()
    if isinstance(awaited, CardAwaited):
        return tuple(engine.chance(state))
    return tuple((option, 1) for option in awaited.options)


def walk(
    engine: Engine[Any, Any, State, Any, Event, Any],
    state: State,
    fold: Callable[[State, Branches[Event, Value]], Value],
    *,
    tried: Moves[State] | None = None,
    alike: Callable[[State], Hashable] | None = None,
) -> Value:
    """The value of a state by all that can follow from it; `fold` gets no branches at an end.

    `tried` may take fewer inputs than all, such as those of a strategy. `alike` gives one key to states from
    which the same follows with the same chances: only one of them is walked.
    """
    known: dict[Hashable, Value] = {}

    def visit(state: State) -> Value:
        key = None if alike is None else alike(state)
        if key is not None and key in known:
            return known[key]
        branches = []
        for entry, weight in moves(engine, state) if tried is None else tried(state):
            after, events = engine.step(state, entry)
            branches.append(Branch(entry, weight, after, events, visit(after)))
        value = fold(state, branches)
        if key is not None:
            known[key] = value
        return value

    return visit(state)


def by_chance(branches: Branches[Event, Value]) -> Iterator[tuple[Fraction, Branch[Event, Value]]]:
    """The branches with how likely each is; a decision that tries one option takes it for certain."""
    total = sum(branch.weight for branch in branches)
    for branch in branches:
        yield Fraction(branch.weight, total), branch
