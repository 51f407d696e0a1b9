"""A round on the screen: cards at a pace, computer players, your decisions, refusals with their clause."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.text import Text

from cardroom.cli.interrupts import DeferredInterrupt
from cardroom.cli.keys import Keys
from cardroom.cli.twentyone.advice import advice, verdict
from cardroom.cli.twentyone.asking import ADVICE, LEAVE, menu, read_line, understood, wind_up
from cardroom.cli.twentyone.computer import Habit, decide
from cardroom.cli.twentyone.screen import table_of
from cardroom.core.errors import CardroomError
from cardroom.engine import twentyone
from cardroom.table import Awaited, OwnEvent, StartRound, Table, TableEvent

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

_ASLEEP: Final = 0.2
"""Seconds between looks at whether Ctrl-C was pressed."""
_BACKSPACE: Final = ("\x7f", "\b")


@dataclass(slots=True)
class Dealing:
    """One round, from the first card to the last payment."""

    table: Table
    you: str
    habits: Mapping[str, Habit]
    """Computer players by name; you, too, where the computer plays for you."""
    out: Console
    seconds: float
    interrupt: DeferredInterrupt
    events: list[twentyone.Event] = field(default_factory=list)
    leaving: bool = False
    refused: CardroomError | None = None
    """A refusal where nobody could be asked again; the round was then stood out."""
    note: str | Text = ""
    advised: bool = False
    """You asked for advice in this round, so what your choices cost is said, too."""

    def play(self) -> None:
        """Deal the round; whoever leaves or cannot be asked stands."""
        self._took(self.table.do(StartRound()))
        if self.out.is_terminal and sys.stdin.isatty() and self.you not in self.habits:
            self._play_live()
        else:
            self._play_on(None, None)
            self.out.print(self._picture())

    def _play_live(self) -> None:
        from rich.live import Live

        with Keys() as keys, Live(console=self.out, auto_refresh=False, transient=False) as live:
            self._play_on(keys, live)
            self._draw(live)

    def _took(self, events: tuple[TableEvent, ...]) -> None:
        self.events += [event for event in events if not isinstance(event, OwnEvent)]

    def _play_on(self, keys: Keys | None, live: Live | None) -> None:
        while self.table.state.in_round:
            awaited = self.table.view(self.you).awaits
            if awaited.kind == "card":
                self._took(self.table.deal_card())
                if live is not None and keys is not None:
                    self._draw(live)
                    if self.seconds and not self._gone:
                        keys.poll(self.seconds)
                continue
            assert awaited.player is not None
            assert awaited.spot is not None
            said = self._choice(awaited, keys, live)
            if said is not None:
                self._act(awaited, said)

    @property
    def _gone(self) -> bool:
        return self.leaving or self.interrupt.noted or self.refused is not None

    def _choice(self, awaited: Awaited, keys: Keys | None, live: Live | None) -> str | None:
        """What the player in turn says; None where there is more to ask."""
        assert awaited.player is not None
        habit = self.habits.get(awaited.player)
        if habit is not None:
            seen = self.table.view(awaited.player).round
            assert seen is not None
            return str(decide(habit, seen, awaited.options))
        if self._gone:
            return wind_up(awaited.options)
        if keys is not None and live is not None and keys.there:
            said = self._ask_keys(awaited, keys, live)
        else:
            said = self._ask_lines(awaited)
        if said == LEAVE:
            self.leaving = True
            return None
        if said == ADVICE:
            assert self.table.state.round is not None
            self.advised = True
            if live is not None:
                self._draw(live, "The first advice takes a while: the whole game is solved …")
            self.note = Text(advice(self.table.state.round), "cyan")
            if live is None:
                self.out.print(self.note)
            return None
        return said

    def _ask_keys(self, awaited: Awaited, keys: Keys, live: Live) -> str | None:
        self._draw(live, menu(awaited.options))
        while (key := keys.poll(_ASLEEP)) is None:
            if self.interrupt.noted:
                return LEAVE
        self.note = ""
        if key == ":":
            return self._ask_words(keys, live)
        if key in "\n\r ":
            return None
        return understood(key, awaited.options)

    def _ask_words(self, keys: Keys, live: Live) -> str | None:
        """A line typed at the foot of the picture, such as `insure 2`."""
        typed = ""
        while True:
            self._draw(live, f": {typed}_")
            key = keys.poll(_ASLEEP)
            if self.interrupt.noted:
                return LEAVE
            if key is not None and key in "\r\n":
                return typed.strip() or None
            if key is not None and key in _BACKSPACE:
                typed = typed[:-1]
            elif key is not None and key.isprintable():
                typed += key

    def _ask_lines(self, awaited: Awaited) -> str | None:
        self.out.print(self._picture())
        self.out.print(menu(awaited.options), style="dim")
        line = read_line()
        if line is None:
            return LEAVE
        return understood(line, awaited.options) if line else None

    def _act(self, awaited: Awaited, said: str) -> None:
        assert awaited.player is not None
        assert awaited.spot is not None
        game = self.table.state.round
        try:
            self._took(self.table.act(awaited.player, awaited.spot, said))
            if self.advised and awaited.player == self.you and game is not None:
                self.note = Text(verdict(game, said), "cyan")
        except CardroomError as error:
            self.note = Text(str(error), "red")
            if not sys.stdin.isatty():
                self.refused = error  # a script cannot be asked again

    def _picture(self, *notes: str) -> Group:
        seen = self.table.view(self.you).round
        assert seen is not None
        return Group(table_of(seen, self.you, note=self.note), *(Text(note, "dim") for note in notes))

    def _draw(self, live: Live, *notes: str) -> None:
        live.update(self._picture(*notes), refresh=True)
