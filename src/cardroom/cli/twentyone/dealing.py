"""A round in lines or as a picture: cards at a pace, your decisions, refusals with their clause."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.text import Text

from cardroom.cli.keys import ESCAPE, Keys
from cardroom.cli.leaving import Leaving, PlayerLeft
from cardroom.cli.live import Picture, can_be_live
from cardroom.cli.twentyone.advice import advice, blunder, verdict
from cardroom.cli.twentyone.prompts import ADVICE, LEAVE, menu, read_line, understood
from cardroom.cli.twentyone.round_in_play import RoundInPlay
from cardroom.cli.twentyone.screen import FORMS, IN_LINES, Form, table_of
from cardroom.core.errors import CardroomError
from cardroom.table.twentyone import Awaited, Table

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_BACKSPACE: Final = ("\x7f", "\b")


@dataclass(slots=True)
class Dealing:
    """Shows a round and asks for your decisions."""

    round: RoundInPlay
    out: Console
    seconds: float
    going: Leaving
    plain: bool = False
    """Lines in place of pictures that are drawn again in their place."""
    coach: bool = False
    """Advice at every decision without being asked for."""
    ask_above_cents: float | None = None
    refused: CardroomError | None = None
    """A refusal where nobody could be asked again; the round was then stood out."""
    note: str | Text = ""
    advised: bool = False
    """You asked for advice in this round, so what your choices cost is said, too."""
    coached_at: int = -1
    """The decision, by the number of inputs before it, on which the coach spoke last."""
    asked_about: str = ""
    """The choice that was just asked about; said again, it is taken."""

    @property
    def table(self) -> Table:
        return self.round.table

    def play(self) -> None:
        """Deal the round; whoever leaves or cannot be asked stands."""
        self.round.start()
        self.advised = self.coach
        if can_be_live(self.out, plain=self.plain) and self.round.you not in self.round.habits:
            self._play_live()
        else:
            self._play_on(None, None)
            self.out.print(self._picture())

    def _play_live(self) -> None:
        with Keys() as keys:
            with Picture(self.out, keys) as picture:
                self._play_on(keys, picture)
                self._draw(picture)
            whole = picture.whole
        if not whole:
            self.out.print("", self._picture(), sep="\n")

    def _play_on(self, keys: Keys | None, picture: Picture | None) -> None:
        while not self.round.over:
            awaited = self.round.awaited
            if awaited.kind == "card":
                self.round.deal_card()
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
            self.round.leaving = True

    @property
    def _gone(self) -> bool:
        return self.round.leaving or self.going.noted or self.refused is not None

    def _choice(self, awaited: Awaited, keys: Keys | None, picture: Picture | None) -> str | None:
        """What the player in turn says; None where there is more to ask."""
        answer = self.round.said_for(awaited)
        if answer is not None:
            return answer
        if self._gone:
            return self.round.stood(awaited)
        try:
            with self.going.breakable():
                self._coach(picture)
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
            self.round.leaving = True
            return None
        return answer if answer is None else self._sure_of(answer)

    def _sure_of(self, answer: str) -> str | None:
        """An answer that costs less than what is asked about, or that was asked about and said again."""
        if self.ask_above_cents is None or answer == self.asked_about:
            self.asked_about = ""
            return answer
        assert self.table.state.round is not None
        question = blunder(self.table.state.round, answer, self.ask_above_cents)
        if not question:
            return answer
        self.asked_about = answer
        self.note = Text(f"{question} Say it again to do it.", "yellow")
        return None

    def _coach(self, picture: Picture | None) -> None:
        """Advise once on every decision, where that is wished."""
        game = self.table.state.round
        assert game is not None
        if self.coach and self.coached_at != len(game.inputs):
            self.coached_at = len(game.inputs)
            self._advise(picture)

    def _advise(self, picture: Picture | None) -> None:
        assert self.table.state.round is not None
        self.advised = True
        if picture is not None:
            self._draw(picture, "The first advice takes a while: the whole game is solved …")
        before = [self.note, "\n"] if self.note and self.coach else []
        self.note = Text.assemble(*before, (advice(self.table.state.round), "cyan"))
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
            self.round.answer(awaited, answer)
            if self.advised and awaited.player == self.round.you and game is not None:
                self.note = Text(verdict(game, answer), "cyan")
        except CardroomError as error:
            self._refuse(error)

    def _refuse(self, error: CardroomError) -> None:
        self.note = Text(str(error), "red")
        if not sys.stdin.isatty():
            self.refused = error  # a script cannot be asked again

    def _picture(self, *notes: str, form: Form | None = None) -> RenderableType:
        seen = self.table.view(self.round.you).round
        assert seen is not None
        form = form or (IN_LINES if self.plain else FORMS[0])
        table = table_of(
            seen, self.round.you, self.table.state.rules, note=self.note, form=form, width=self.out.width
        )
        return Group(table, *(Text(note, "dim") for note in notes))

    def _forms(self, *notes: str) -> Iterator[RenderableType]:
        for form in FORMS:
            yield self._picture(*notes, form=form)

    def _draw(self, picture: Picture, *notes: str) -> None:
        picture.draw(self._forms(*notes))
