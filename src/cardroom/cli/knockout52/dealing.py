"""Dealing a game card by card onto the screen: at a pace, by key, or at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from cardroom.cli.keys import ESCAPE, Keys, drop_typed_ahead
from cardroom.cli.knockout52.bets import parse_bets
from cardroom.cli.knockout52.pace import Pace
from cardroom.cli.knockout52.screen import FORMS, Form, table_of
from cardroom.cli.knockout52.session import GameInPlay
from cardroom.cli.leaving import Leaving, PlayerLeft
from cardroom.cli.live import Picture, can_be_live
from cardroom.core.errors import CardroomError, IllegalAction
from cardroom.engine.knockout52 import Game, PlaceWager, why_not
from cardroom.exact.knockout52 import live_chances
from cardroom.presentation import key_of, meaning_of

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_USUAL_SECONDS: Final = 0.25
_RUNNING: Final = {"deal": "card by card", "chances": "chances", "finish": "to the end", "bet": "bet"}
_STEPPING: Final = {
    "deal": "next card",
    "go on": "go on",
    "chances": "chances",
    "finish": "to the end",
    "bet": "bet",
}
_LEAVE: Final = {"leave": "leave after this game"}


@dataclass(slots=True)
class Dealing:
    """Shows a game as it is dealt; its cards were committed, so it is dealt out."""

    in_play: GameInPlay
    out: Console
    pace: Pace
    going: Leaving
    chances: bool = False
    plain: bool = False
    leaving: bool = False
    hurrying: bool = False
    deal_now: bool = False
    note: str = ""
    stepping: bool = field(init=False)
    seconds: float = field(init=False)

    def __post_init__(self) -> None:
        self.stepping, self.seconds = self.pace.stepping, self.pace.seconds

    def play(self) -> None:
        """Deal cards onto the layout until the game is over, and leave the last picture on the screen."""
        if can_be_live(self.out, plain=self.plain) and (self.stepping or self.seconds):
            self._play_live()
            return
        if self.stepping:
            self._deal_by_lines()
        while not self._over:
            self._next_card()
            if self.chances and self._row_just_ended():
                self.out.print(self._picture(), "")
        self.out.print(self._picture())

    @property
    def game(self) -> Game:
        return self.in_play.game

    @property
    def _over(self) -> bool:
        return self.in_play.over

    def _row_just_ended(self) -> bool:
        return not self._over and len(self.game.cards) % self.game.rules.layout.ranks == 0

    def _next_card(self) -> None:
        self.in_play.next_card()

    def _deal_by_lines(self) -> None:
        """An empty line deals a card, the key of the chances shows them, anything else is a late bet."""
        while not self._over and not self.leaving:
            try:
                with self.going.breakable():
                    line = self._line()
            except PlayerLeft:
                self.leaving = True
                return
            if not line:
                return  # the input has ended; the rest is dealt at once
            word = line.strip().lower()
            if word == key_of("chances"):
                self.out.print(self._picture(chances=True))
            elif word == key_of("leave"):
                self.leaving = True
            elif word:
                self._late_bet(word)
            else:
                self._next_card()
                if sys.stdin.isatty():
                    self.out.print(self._picture())

    def _line(self) -> str:
        if sys.stdin.isatty():
            drop_typed_ahead()
            self.out.print("Enter deals a card, o shows the chances, q deals the rest and leaves: ", end="")
        return sys.stdin.readline()

    def _late_bet(self, text: str) -> None:
        try:
            refuse_late_bet(self.game, text)
        except CardroomError as error:
            if not sys.stdin.isatty():
                raise  # a script cannot be asked again
            self.out.print(str(error), style="red")

    def _play_live(self) -> None:
        with Keys() as keys:
            with Picture(self.out, keys) as picture:
                self._draw(picture)
                while not self._over:
                    self._wait(keys, picture)
                    self._next_card()
                    if self.stepping:
                        keys.drop()  # a key is for the card that was seen
                    self._draw(picture)
            whole = picture.whole
        if not whole:
            self.out.print("", self._picture(), sep="\n")

    def _wait(self, keys: Keys, picture: Picture) -> None:
        """Until the next card is due: the pace, or a key when stepping; not after a signal to leave."""
        self.deal_now = False
        due = time.monotonic() + self.seconds
        while not (self.hurrying or self.deal_now or self.going.noted):
            left = None if self.stepping else due - time.monotonic()
            if (left is not None and left <= 0) or not keys.there:
                return
            try:
                key = keys.poll(left)
            except PlayerLeft:
                self.leaving = self.hurrying = True
                return
            if key is not None:
                self._pressed(key)
            if key is not None or keys.repaint:
                self._draw(picture)

    def _pressed(self, key: str) -> None:
        meaning = "deal" if key in "\r\n" else meaning_of(key)
        if key == ESCAPE:
            self.note = ""
        elif meaning is None or meaning not in self._offered:
            self.note = f"{key!r} does nothing here; {self._hint}"
        else:
            self.note = ""
            self._do(meaning)

    def _do(self, meaning: str) -> None:
        match meaning:
            case "deal":
                self.deal_now, self.stepping = self.stepping, True
            case "go on":
                self.stepping, self.seconds = False, self.seconds or _USUAL_SECONDS
            case "chances":
                self.chances = not self.chances
            case "finish":
                self.hurrying = True
            case "leave":
                self.hurrying = self.leaving = True
            case _:
                self._show_late_bet()

    def _show_late_bet(self) -> None:
        wager = self.game.rules.layout.wagers[0]
        try:
            refuse_late_bet(self.game, f"{wager}={self.game.rules.limits.min}")
        except CardroomError as error:
            self.note = str(error)

    @property
    def _offered(self) -> Mapping[str, str]:
        return {**(_STEPPING if self.stepping else _RUNNING), **_LEAVE}

    @property
    def _hint(self) -> str:
        keys = {action: key_of(action).replace(" ", "space") for action in self._offered}
        return " · ".join(f"{keys[action]}: {words}" for action, words in self._offered.items())

    def _picture(
        self, note: str = "", *, chances: bool | None = None, form: Form = FORMS[0]
    ) -> RenderableType:
        live = chances_now(self.game) if (self.chances if chances is None else chances) else None
        return table_of(self.game, chances=live, note=note, form=form, width=self.out.width)

    def _draw(self, picture: Picture) -> None:
        note = "" if self._over else self.note or self._hint
        picture.draw(self._forms(note))

    def _forms(self, note: str) -> Iterator[RenderableType]:
        for form in FORMS:
            yield self._picture(note, form=form)


def chances_now(game: Game) -> Mapping[str, Fraction]:
    """The exact chance of every wager, given the cards on the layout."""
    return live_chances(game.rules.layout, game.rules.cards_per_rank, game.cards)


def refuse_late_bet(game: Game, text: str) -> None:
    """Refuse a bet after the first card with its clause (KO52-3)."""
    for wager, cents in parse_bets(text).items():
        refusal = why_not(game, PlaceWager(game.wagers[0].player, wager, cents))
        if refusal is not None:
            raise IllegalAction(refusal.reason, clause=refusal.clause)
