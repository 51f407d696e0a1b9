"""Dealing a game card by card onto the screen: at a pace, by key, or at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich.live import Live

from cardroom.cli.interrupts import DeferredInterrupt
from cardroom.cli.keys import Keys
from cardroom.cli.knockout52.bets import parse_bets
from cardroom.cli.knockout52.screen import table_of
from cardroom.core.cards import Card
from cardroom.core.errors import CardroomError, IllegalAction, MalformedInput
from cardroom.engine.knockout52 import Game, PlaceWager, step, why_not
from cardroom.exact.knockout52 import live_chances

if TYPE_CHECKING:
    from rich.console import Console

SLOWEST_PACE: Final = 60.0
_KEY_WAIT: Final = 0.05  # seconds after which an interruption is noticed at the latest
_STEP: Final = "step"
_KEYS_RUNNING: Final = "space: card by card · c: chances · e: to the end · b: bet · q: leave after this game"
_KEYS_STEPPING: Final = "space: next card · r: run · c: chances · e: to the end · b: bet · q: leave after"


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between cards; `stepping` waits for a key (or a line of input) before each card instead."""

    seconds: float = 0.0
    stepping: bool = False

    @classmethod
    def parse(cls, text: str) -> Pace:
        if text == _STEP:
            return cls(stepping=True)
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= SLOWEST_PACE:
            raise MalformedInput(
                f"--pace {text} is not allowed; allowed: {_STEP}, or seconds per card, 0 to {SLOWEST_PACE:g}"
            )
        return cls(seconds)


@dataclass(frozen=True, slots=True)
class Dealt:
    """A finished game, and whether the player asked to leave."""

    game: Game
    leaving: bool = False


def deal_out(
    game: Game,
    cards: tuple[Card, ...],
    out: Console,
    pace: Pace,
    interrupt: DeferredInterrupt,
    *,
    chances: bool,
) -> Dealt:
    """Deal cards onto the layout until the game is over, and leave the last picture on the screen."""
    if out.is_terminal and sys.stdin.isatty() and (pace.stepping or pace.seconds):
        return _LiveDealer(game, cards, out, pace, interrupt, chances=chances).run()
    if pace.stepping:
        game = _deal_by_lines(game, cards, out)
    while game.outcome is None:
        game, _ = step(game, cards[len(game.cards)])
        if chances and game.outcome is None and len(game.cards) % game.rules.layout.ranks == 0:
            out.print(table_of(game, chances=chances_now(game)), "")
    out.print(table_of(game, chances=chances_now(game) if chances else None))
    return Dealt(game, leaving=interrupt.noted)


def chances_now(game: Game) -> Mapping[str, Fraction]:
    """The exact chance of every wager, given the cards on the layout."""
    return live_chances(game.rules.layout, game.rules.cards_per_rank, game.cards)


def refuse_late_bet(game: Game, text: str) -> None:
    """Refuse a bet after the first card with its clause (KO52-3)."""
    for wager, cents in parse_bets(text).items():
        refusal = why_not(game, PlaceWager(game.wagers[0].player, wager, cents))
        if refusal is not None:
            raise IllegalAction(refusal.reason, clause=refusal.clause)


def _deal_by_lines(game: Game, cards: tuple[Card, ...], out: Console) -> Game:
    """Without a terminal: an empty line deals a card, `c` shows the chances, anything else is a late bet."""
    while game.outcome is None:
        line = sys.stdin.readline()
        if not line:
            return game  # the input has ended; the rest is dealt at once
        if line.strip() == "c":
            out.print(table_of(game, chances=chances_now(game)))
        elif line.strip():
            refuse_late_bet(game, line)
        else:
            game, _ = step(game, cards[len(game.cards)])
    return game


class _LiveDealer:
    """The table on a terminal, redrawn with every card and every key."""

    def __init__(
        self,
        game: Game,
        cards: tuple[Card, ...],
        out: Console,
        pace: Pace,
        interrupt: DeferredInterrupt,
        *,
        chances: bool,
    ) -> None:
        self.game = game
        self.interrupt = interrupt
        self.cards = cards
        self.out = out
        self.seconds = pace.seconds
        self.stepping = pace.stepping
        self.chances = chances
        self.hurrying = False
        self.leaving = False
        self.note = ""
        self.on_key: dict[str, Callable[[], None]] = {
            "c": self._toggle_chances,
            "e": self._hurry,
            "q": self._leave,
            "b": self._late_bet,
            "r": self._run_on,
            " ": self._step,
            "\n": self._step,
        }
        self.deal_now = False

    def run(self) -> Dealt:
        with Keys() as keys, Live(console=self.out, auto_refresh=False, transient=False) as live:
            self._draw(live)
            while self.game.outcome is None:
                self._wait(keys, live)
                self.game, _ = step(self.game, self.cards[len(self.game.cards)])
                self._draw(live)
        return Dealt(self.game, leaving=self.leaving or self.interrupt.noted)

    def _wait(self, keys: Keys, live: Live) -> None:
        """Until the next card is due: the pace, or a key when stepping; not at all after an interruption."""
        self.deal_now = False
        due = time.monotonic() + self.seconds
        while not (self.hurrying or self.deal_now or self.interrupt.noted):
            left = _KEY_WAIT if self.stepping else min(_KEY_WAIT, due - time.monotonic())
            if left <= 0 or (self.stepping and not keys.there):
                return
            key = keys.poll(left)
            if key is not None:
                self.on_key.get(key, lambda: None)()
                self._draw(live)

    def _draw(self, live: Live) -> None:
        over = self.game.outcome is not None
        hint = _KEYS_STEPPING if self.stepping else _KEYS_RUNNING
        note = "" if over else self.note or hint
        shown = chances_now(self.game) if self.chances else None
        live.update(table_of(self.game, chances=shown, note=note), refresh=True)

    def _toggle_chances(self) -> None:
        self.chances, self.note = not self.chances, ""

    def _hurry(self) -> None:
        self.hurrying = True

    def _leave(self) -> None:
        self.hurrying = self.leaving = True

    def _run_on(self) -> None:
        self.stepping, self.note = False, ""
        self.seconds = self.seconds or 0.25

    def _step(self) -> None:
        self.deal_now, self.stepping, self.note = self.stepping, True, ""

    def _late_bet(self) -> None:
        wager = self.game.rules.layout.wagers[0]
        try:
            refuse_late_bet(self.game, f"{wager}=1")
        except CardroomError as error:
            self.note = str(error)
