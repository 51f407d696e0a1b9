"""What every game's engine offers, so that one table, one replay and one tree walk serve all of them.

A game's module has these functions, all pure:

- `start(rules, wagers) -> (state, events)`: the wagers are checked and stand on the table;
- `awaits(state)`: a card, a decision with its options, or done (the classes below);
- `step(state, input) -> (state, events)`: the input is a card or an action;
- `chance(state)`: every card that can come now, with its integer weight;
- `view(state, seat)`: what that seat may know;
- `why_not(state, action)`: the refusal with its clause, or None when the action is allowed.

The order of undealt cards is never in a state. An option that is offered is always accepted, and one that is
not offered is always refused with its clause. The same log gives the same state, to the bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from cardroom.core.refusal import Refusal

__all__ = ["CardAwaited", "DecisionAwaited", "Done", "Refusal"]

Action = TypeVar("Action")


@dataclass(frozen=True, slots=True)
class CardAwaited:
    """The next card of the shoe is to be dealt; `place` says where it will lie."""

    place: str


@dataclass(frozen=True, slots=True)
class DecisionAwaited(Generic[Action]):
    """Somebody is to decide; `seat` is whose turn it is and `options` all that is allowed."""

    seat: int
    options: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """The round is over, and all its money has moved."""
