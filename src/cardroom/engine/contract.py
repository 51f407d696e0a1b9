"""What every game's engine offers, so that one table, one replay and one tree walk serve all of them.

A game's module is an `Engine`: six functions, all pure. The order of undealt cards is never in a state. An
option that is offered is always accepted, and one that is not offered is always refused with its clause. The
same log gives the same state, to the bit.

`cardroom.engine.walk` walks the tree below a state, `cardroom.engine.playing` gives a state its inputs one
after another, and `cardroom.engine.playthrough` writes down how a round went: of any engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from cardroom.core.cards import Card
from cardroom.core.refusal import Refusal

__all__ = ["Awaited", "CardAwaited", "DecisionAwaited", "Done", "Engine", "Refusal"]

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


Awaited = CardAwaited | DecisionAwaited[Any] | Done

Rules_contra = TypeVar("Rules_contra", contravariant=True)
Wagers_contra = TypeVar("Wagers_contra", contravariant=True)
State = TypeVar("State")
Input_contra = TypeVar("Input_contra", contravariant=True)
Event_co = TypeVar("Event_co", covariant=True)
View_co = TypeVar("View_co", covariant=True)


class Engine(Protocol[Rules_contra, Wagers_contra, State, Input_contra, Event_co, View_co]):
    """A game as a state machine: a module with these functions."""

    def start(self, rules: Rules_contra, wagers: Wagers_contra, /) -> tuple[State, tuple[Event_co, ...]]:
        """The wagers are checked and stand on the table."""

    def awaits(self, state: State, /) -> Awaited:
        """A card, a decision with its options, or nothing more."""

    def step(self, state: State, action: Input_contra, /) -> tuple[State, tuple[Event_co, ...]]:
        """The state after a card or an action, and what happened."""

    def chance(self, state: State, /) -> Sequence[tuple[Card, int]]:
        """Every card that can come now, with its integer weight; nothing while none is awaited."""

    def view(self, state: State, seat: int, /) -> View_co:
        """What a seat may know."""

    def why_not(self, state: State, action: Input_contra, /) -> Refusal | None:
        """The refusal with its clause, or None when the card or the action is allowed."""
