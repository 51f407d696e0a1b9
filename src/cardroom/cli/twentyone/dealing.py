"""A round on the screen: cards at a pace, computer players, your decisions, refusals with their clause."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.text import Text

from cardroom.cli.keys import ESCAPE, Keys
from cardroom.cli.leaving import Leaving, PlayerLeft
from cardroom.cli.live import Picture, can_be_live
from cardroom.cli.twentyone.advice import advice, verdict
from cardroom.cli.twentyone.computer import Habit, decide
from cardroom.cli.twentyone.prompts import ADVICE, LEAVE, menu, read_line, understood
from cardroom.cli.twentyone.screen import FORMS, IN_LINES, Form, table_of
from cardroom.core.errors import CardroomError
from cardroom.engine import twentyone
from cardroom.fair.replay_twentyone import stands
from cardroom.table.twentyone import Awaited, OwnEvent, StartRound, Table, TableEvent

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_BACKSPACE: Final = ("\x7f", "\b")


def _nothing() -> None:
    pass


@dataclass(slots=True)
class Dealing:
    """One round, from the first card to the last payment."""

    table: Table
    you: str
    habits: Mapping[str, Habit]
    """Computer players by name; you, too, where the computer plays for you."""
    out: Console
    seconds: float
    going: Leaving
    plain: bool = False
    """Lines in place of pictures that are drawn again in their place."""
    on_step: Callable[[], None] = _nothing
    """Called after every card and every decision, to write them down."""
    events: list[twentyone.Event] = field(default_factory=list)
    leaving: bool = False
    hands_stood: bool = False
    """Somebody who is gone stood for you."""
    refused: CardroomError | None = None
    """A refusal where nobody could be asked again; the round was then stood out."""
    note: str | Text = ""
    advised: bool = False
    """You asked for advice in this round, so what your choices cost is said, too."""

    def play(self) -> None:
        """Deal the round; whoever leaves or cannot be asked stands."""
        self._took(self.table.do(StartRound()))
        if can_be_live(self.out, plain=self.plain) and self.you not in self.habits:
            self._play_live()
        else:
            self._play_on(None, None)
            self.out.print(self._picture())

    def stand_out(self) -> None:
        """Play the round to its end without a word: whatever broke it off, it was committed."""
        while self.table.state.in_round:
            awaited = self.table.view(self.you).awaits
            if awaited.kind == "card":
                self._took(self.table.deal_card())
            else:
                self.leaving = True
                self._answer(awaited, self._said_for(awaited) or self._stood(awaited))

    def _play_live(self) -> None:
        with Keys() as keys:
            with Picture(self.out, keys) as picture:
                self._play_on(keys, picture)
                self._draw(picture)
            whole = picture.whole
        if not whole:
            self.out.print("", self._picture(), sep="\n")

    def _took(self, events: tuple[TableEvent, ...]) -> None:
        self.events += [event for event in events if not isinstance(event, OwnEvent)]
        self.on_step()

    def _play_on(self, keys: Keys | None, picture: Picture | None) -> None:
        while self.table.state.in_round:
            awaited = self.table.view(self.you).awaits
            if awaited.kind == "card":
                self._took(self.table.deal_card())
                if picture is not None and keys is not None:
                    self._draw(picture)
                    if self.seconds and not self._gone:
                        self._pause(keys)
                continue
            answer = self._choice(awaited, keys, picture)
            if answer is not None:
                self._act(awaited, answer)

    def _pause(self, keys: Keys) -> None:
        try:
            keys.poll(self.seconds)
        except PlayerLeft:
            self.leaving = True

    @property
    def _gone(self) -> bool:
        return self.leaving or self.going.noted or self.refused is not None

    def _said_for(self, awaited: Awaited) -> str | None:
        """What a computer player says."""
        assert awaited.player is not None
        habit = self.habits.get(awaited.player)
        if habit is None:
            return None
        seen = self.table.view(awaited.player).round
        assert seen is not None
        return str(decide(habit, seen, awaited.options))

    def _stood(self, awaited: Awaited) -> str:
        self.hands_stood = True
        return str(stands(awaited.options))

    def _choice(self, awaited: Awaited, keys: Keys | None, picture: Picture | None) -> str | None:
        """What the player in turn says; None where there is more to ask."""
        answer = self._said_for(awaited)
        if answer is not None:
            return answer
        if self._gone:
            return self._stood(awaited)
        try:
            with self.going.breakable():
                if keys is not None and picture is not None and keys.there:
                    answer = self._ask_keys(awaited, keys, picture)
                else:
                    answer = self._ask_lines(awaited)
                if answer == ADVICE:
                    self._advise(picture)
                    return None
        except PlayerLeft:
            answer = LEAVE
        except CardroomError as error:
            self._refuse(error)
            return None
        if answer == LEAVE:
            self.leaving = True
            return None
        return answer

    def _advise(self, picture: Picture | None) -> None:
        assert self.table.state.round is not None
        self.advised = True
        if picture is not None:
            self._draw(picture, "The first advice takes a while: the whole game is solved …")
        self.note = Text(advice(self.table.state.round), "cyan")
        if picture is None:
            self.out.print(self.note)
            self.note = ""

    def _ask_keys(self, awaited: Awaited, keys: Keys, picture: Picture) -> str | None:
        keys.drop()
        while True:
            self._draw(picture, menu(awaited.options, self.out.width))
            key = keys.poll(None)
            if key == ":":
                self.note = ""
                answer = self._ask_words(keys, picture)
                if answer is not None:
                    return understood(answer, awaited.options)
            elif key is not None and key not in f"\n\r {ESCAPE}":
                self.note = ""
                return understood(key, awaited.options)

    def _ask_words(self, keys: Keys, picture: Picture) -> str | None:
        """A line typed at the foot of the picture, such as `insure 2`; Esc goes back to the keys."""
        typed = ""
        while True:
            self._draw(picture, f": {typed}_   (Enter says it, Esc goes back)")
            key = keys.poll(None, pasted=True)
            if key == ESCAPE:
                return None
            if key is not None and key in "\r\n":
                return typed.strip() or None
            if key is not None and key in _BACKSPACE:
                typed = typed[:-1]
            elif key is not None and key.isprintable():
                typed += key

    def _ask_lines(self, awaited: Awaited) -> str | None:
        self.out.print(self._picture())
        self.note = ""
        self.out.print(menu(awaited.options, self.out.width), style="dim")
        line = read_line("Your choice: ")
        if line is None:
            return LEAVE
        if line == ":":
            return None
        return understood(line.removeprefix(":"), awaited.options) if line else None

    def _act(self, awaited: Awaited, answer: str) -> None:
        game = self.table.state.round
        try:
            self._answer(awaited, answer)
            if self.advised and awaited.player == self.you and game is not None:
                self.note = Text(verdict(game, answer), "cyan")
        except CardroomError as error:
            self._refuse(error)

    def _answer(self, awaited: Awaited, answer: str) -> None:
        assert awaited.player is not None
        assert awaited.spot is not None
        self._took(self.table.act(awaited.player, awaited.spot, answer))

    def _refuse(self, error: CardroomError) -> None:
        self.note = Text(str(error), "red")
        if not sys.stdin.isatty():
            self.refused = error  # a script cannot be asked again

    def _picture(self, *notes: str, form: Form | None = None) -> RenderableType:
        seen = self.table.view(self.you).round
        assert seen is not None
        form = form or (IN_LINES if self.plain else FORMS[0])
        table = table_of(seen, self.you, note=self.note, form=form, width=self.out.width)
        return Group(table, *(Text(note, "dim") for note in notes))

    def _forms(self, *notes: str) -> Iterator[RenderableType]:
        for form in FORMS:
            yield self._picture(*notes, form=form)

    def _draw(self, picture: Picture, *notes: str) -> None:
        picture.draw(self._forms(*notes))
