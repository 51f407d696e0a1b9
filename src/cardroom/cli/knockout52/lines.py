"""A session of Knockout 52 in lines of text."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

from cardroom.cli.knockout52.bets import HOW
from cardroom.cli.knockout52.dealing import Dealing
from cardroom.cli.knockout52.screen import odds_table
from cardroom.cli.knockout52.session import Session, Settings, checked_cut
from cardroom.cli.knockout52.summary import farewell
from cardroom.cli.leaving import Leaving, PlayerLeft
from cardroom.cli.output import console
from cardroom.cli.prompts import read_answer
from cardroom.core.errors import CardroomError
from cardroom.engine.knockout52 import Game
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.sentences import knockout52_outcome

if TYPE_CHECKING:
    from rich.console import Console

_HELP: Final = (
    f"{HOW}. Enter repeats your last bet, 'odds' shows the wagers and their edge, 'cut WORDS' puts words of"
    " yours into the shuffle, 'quit' leaves."
)


class Lines:
    """The face of a session that reads lines and prints them."""

    def __init__(self, settings: Settings, out: Console | None = None) -> None:
        self.settings = settings
        self.rules = settings.rules
        self.session = Session(settings)
        self.out = out or console()
        self.going = Leaving()

    def run(self) -> int:
        """Play until the games are over or the player leaves, then show the result; the exit code."""
        games = self.settings.most_games
        with self.going, self.session as session:
            self._greet()
            try:
                for number in range(1, games + 1):
                    self._play(number)
            except PlayerLeft:
                pass
            farewell(session, self.out)
        return self.going.exit_code

    def _greet(self) -> None:
        limits = self.rules.limits
        self.out.print(
            f"{self.rules.title}: {counted(self.rules.decks, 'deck')}, stakes {limits.min} to {limits.max},"
            f" rules {self.rules.rules_hash[:12]}",
            style="bold",
        )
        for warning in self.session.warnings:
            self.out.print(warning, style="yellow")
        if self.session.bankroll is not None:
            self.out.print(f"Your bankroll: {dollars(self.session.bankroll.cents)}", style="dim")
        if self.settings.bets is None:
            self.out.print(_HELP, style="dim")

    def _play(self, number: int) -> None:
        """One game, from the commitment to the revealed secret."""
        session, settings = self.session, self.settings
        shoe = session.commit()
        self.out.print(f"\nGame {number}", style="bold")
        self.out.print(f"Commitment {shoe.commitment}")
        game = self._ask() if settings.bets is None else session.started(settings.bets)
        self.out.print()
        in_play = session.begin(game)
        dealing = Dealing(
            in_play, self.out, settings.pace, self.going, chances=settings.chances, plain=settings.plain
        )
        try:
            dealing.play()
        finally:  # a game that was begun is dealt to its end and recorded, whatever broke it off
            net = session.end(in_play)
        result = dollars(net, plus=True)
        self.out.print(f"\n{knockout52_outcome(in_play.game)} Your result: {result}", style="bold")
        self.out.print(f"Secret     {shoe.seed}")
        if dealing.leaving or self.going.noted:
            session.left_in = number
            raise PlayerLeft

    def _ask(self) -> Game:
        """Ask for bets until they may stand; wrong ones end the session where nobody can be asked again."""
        while True:
            try:
                if (game := self._answer(read_answer(self._prompt(), self.going))) is not None:
                    return game
            except CardroomError as error:
                if not sys.stdin.isatty():
                    raise
                self.out.print(str(error), style="red")

    def _prompt(self) -> str:
        again = f" [{self.session.last_bets}]" if self.session.last_bets else ""
        return f"Your bets{again}: "

    def _answer(self, line: str) -> Game | None:
        """Act on what was typed; a game when it was bets that may stand."""
        session = self.session
        word, _, rest = line.partition(" ")
        match word.lower():
            case "q" | "quit" | "exit":
                raise PlayerLeft
            case "h" | "help" | "?":
                self.out.print(_HELP, style="dim")
            case "o" | "odds":
                self.out.print(odds_table(self.rules))
            case "cut":
                session.cut = checked_cut(rest.strip())
                words = f"Your words go into the shuffle: {session.cut}"
                self.out.print(words if session.cut else "No words of yours any more.")
            case _:
                game = session.started(line or session.last_bets)
                session.last_bets = line or session.last_bets
                return game
        return None
