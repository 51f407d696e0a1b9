"""A round in play: cards, computer players, your answers, standing for who is gone; no screen, no keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cardroom.cli.twentyone.computer import Habit, decide
from cardroom.engine import twentyone
from cardroom.fair.replay.twentyone import stands
from cardroom.table.twentyone import Awaited, OwnEvent, StartRound, Table, TableEvent


def _nothing() -> None:
    pass


@dataclass(slots=True)
class RoundInPlay:
    """One round, from the first card to the last payment."""

    table: Table
    you: str
    habits: Mapping[str, Habit] = field(default_factory=dict)
    """Computer players by name; you, too, where the computer plays for you."""
    on_step: Callable[[], None] = _nothing
    """Called after every card and every decision, to write them down."""
    events: list[twentyone.Event] = field(default_factory=list)
    leaving: bool = False
    hands_stood: bool = False
    """Somebody who is gone stood for you."""

    def start(self) -> None:
        """Begin the round with the wagers that stand."""
        self._took(self.table.do(StartRound()))

    @property
    def over(self) -> bool:
        return not self.table.state.in_round

    @property
    def awaited(self) -> Awaited:
        return self.table.view(self.you).awaits

    def deal_card(self) -> None:
        """Deal the card that is awaited."""
        self._took(self.table.deal_card())

    def said_for(self, awaited: Awaited) -> str | None:
        """What a computer player says."""
        assert awaited.player is not None
        habit = self.habits.get(awaited.player)
        if habit is None:
            return None
        seen = self.table.view(awaited.player).round
        assert seen is not None
        return str(decide(habit, seen, awaited.options))

    def answer(self, awaited: Awaited, answer: str) -> None:
        """What the player in turn says."""
        assert awaited.player is not None
        assert awaited.spot is not None
        self._took(self.table.act(awaited.player, awaited.spot, answer))

    def stood(self, awaited: Awaited) -> str:
        """What is said for you when you are gone."""
        self.hands_stood = True
        return str(stands(awaited.options))

    def stand_out(self) -> None:
        """Play the round to its end without a word: whatever broke it off, it was committed."""
        while not self.over:
            awaited = self.awaited
            if awaited.kind == "card":
                self.deal_card()
            else:
                self.leaving = True
                self.answer(awaited, self.said_for(awaited) or self.stood(awaited))

    def _took(self, events: tuple[TableEvent, ...]) -> None:
        self.events += [event for event in events if not isinstance(event, OwnEvent)]
        self.on_step()
