"""A session in lines of text: for pipes, dumb terminals, screen readers, and where the app is not there."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from cardroom.cli.leaving import Leaving, PlayerLeft
from cardroom.cli.output import console
from cardroom.cli.prompts import read_answer
from cardroom.cli.twentyone.bets import how
from cardroom.cli.twentyone.cut import NOBODYS_CUT, Cut
from cardroom.cli.twentyone.dealing import Dealing
from cardroom.cli.twentyone.replay import show
from cardroom.cli.twentyone.session import (
    OTHER_LIMITS,
    Played,
    Session,
    Settings,
    secret_of,
    with_a_way_out,
)
from cardroom.cli.twentyone.summary import farewell, history_of
from cardroom.core.errors import CardroomError
from cardroom.engine import twentyone
from cardroom.presentation import wager_title
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.table.twentyone import player_cut_range

if TYPE_CHECKING:
    from rich.console import Console


class Lines:
    """The face of a session that reads lines and prints them."""

    def __init__(self, settings: Settings, out: Console | None = None) -> None:
        self.settings = settings
        self.rules = settings.rules
        self.session = Session(settings)
        self.out = out or console()
        self.going = Leaving()
        self.advised = settings.coach

    def run(self) -> int:
        """Play until the rounds are over or the player leaves, then show the result; the exit code."""
        rounds = self.settings.most_rounds
        with self.going, self.session as session:
            self._greet()
            refused: CardroomError | None = None
            try:
                for _ in range(rounds):
                    self._play()
            except PlayerLeft:
                pass
            except CardroomError as error:
                refused = error
            finally:  # whatever happened, the shoe's record is written before anything else
                records = session.close()
            self._reveal(records)
            farewell(session, self.out, judged=self.advised)
        if refused is not None:
            raise refused
        return self.going.exit_code

    def _greet(self) -> None:
        rules, limits = self.rules, self.rules.limits
        decks = "infinitely many decks" if rules.decks == "infinite" else counted(rules.decks, "deck")
        fixed = limits.min == limits.max
        wagers = f"{limits.min} only" if fixed else f"{limits.min} to {limits.max}"
        self.out.print(
            f"{rules.title}: {decks}, wagers {wagers}, rules {rules.rules_hash[:12]}", style="bold"
        )
        if fixed:
            self.out.print(f"{_sentence(OTHER_LIMITS)}.", style="dim")
        for warning in self.session.warnings:
            self.out.print(warning, style="yellow")
        for other in self.settings.others:
            habit = (other.habit.__doc__ or "").partition(":")[0].rstrip(".")
            self.out.print(f"{other.name}: {habit[0].lower()}{habit[1:]}", style="dim")
        if self.session.bankroll is not None:
            self.out.print(f"Your bankroll: {dollars(self.session.bankroll.cents)}", style="dim")
        if self.settings.bets is None:
            self._help()

    def _help(self) -> None:
        apart = " ' / ' stands between the bets of your spots." if self.settings.spots > 1 else ""
        self.out.print(
            f"{_sentence(how(self.rules))}.{apart} Enter repeats your last bet, 'history' lists the rounds,"
            " 'replay N' shows one card by card, 'rules' the rules, 'quit' leaves.",
            style="dim",
        )

    def _play(self) -> None:
        """One round, with a new shoe before it where one is due."""
        session, settings = self.session, self.settings
        if session.needs_shoe:
            self._new_shoe()
        if settings.bets is None:
            self._ask_bets()
        else:
            self._place_again(settings.bets)
        self.out.print(f"\nRound {session.next_round}{session.round_in_shoe()}", style="bold")
        dealing = Dealing(
            session.new_round(),
            self.out,
            settings.seconds,
            self.going,
            plain=settings.plain,
            coach=settings.coach,
            ask_above_cents=settings.ask_above_cents,
        )
        try:
            dealing.play()
        finally:  # a round that was begun is played to its end and recorded, whatever broke it off
            played = session.end_round(dealing.round)
        self.advised = self.advised or dealing.advised
        self._say_result(played)
        self._reveal(played.revealed)
        if dealing.refused is not None:
            raise dealing.refused
        if dealing.round.leaving or self.going.noted:
            raise PlayerLeft

    def _new_shoe(self) -> None:
        cut = self.settings.cut
        committed = self.session.commit_shoe()
        self.out.print(f"\nShoe {self.session.table.state.shoes}", style="bold")
        self.out.print(f"Commitment {committed.commitment}")
        while self.session.needs_cut:
            try:
                self.session.cut(cut or self._ask_cut())
            except CardroomError as error:
                if cut is not None or not sys.stdin.isatty():
                    raise
                self.out.print(str(error), style="red")

    def _ask_cut(self) -> Cut:
        """Ask a person at a terminal; where nobody can be asked, the house cuts in the middle (PROC-6)."""
        if self.settings.bets is not None or not sys.stdin.isatty():
            return NOBODYS_CUT
        allowed = player_cut_range(self.rules)
        line = self._read_line(f"Cut the cards, {allowed.least} to {allowed.most} deep [{allowed.middle}]: ")
        return Cut.parse(line, in_cards=True)

    def _ask_bets(self) -> None:
        """Ask for bets until they may stand; wrong ones end the session where nobody can be asked again."""
        while True:
            try:
                if self._answer(self._read_line(f"\nYour bet [{self.session.last_bets}]: ")):
                    return
            except CardroomError as error:
                if not sys.stdin.isatty():
                    raise with_a_way_out(self.rules, error) from None
                self.out.print(str(with_a_way_out(self.rules, error)), style="red")

    def _answer(self, line: str) -> bool:
        """Act on what was typed; whether it was bets that stand now."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "q" | "quit" | "exit":
                raise PlayerLeft
            case "help" | "?" | "h":
                self._help()
            case "history":
                self._history()
            case "replay":
                played = self.session.played_round(rest)
                show(played.notation, twentyone.parse_round(played.notation).opening.rules, self.out)
            case "rules":
                for _, words, clause in self.rules.sentences():
                    self.out.print(f"{clause:<9}{words}", style="dim")
            case _:
                self.session.place(line or self.session.last_bets)
                return True
        return False

    def _place_again(self, bets: str) -> None:
        """The bets of the command line; whose chips are gone after some rounds leaves."""
        if self.session.played and self.session.lacks_chips_for(bets):
            self.out.print("\nYou are out of chips.")
            raise PlayerLeft
        self.session.place(bets)

    def _say_result(self, played: Played) -> None:
        """Say what the round was worth."""
        own = self.session.own(played.events)
        parts = ", ".join(
            f"{wager_title(wager, self.rules)} {dollars(cents, plus=True)}" for wager, cents in own.items()
        )
        line = Text("\n").append(f"Your result: {dollars(played.net_cents, plus=True)}", "bold")
        if len(own) > 1:
            line.append(f"  {parts}", "dim")
        if self.session.brought_chips:
            line.append(f"  chips {dollars(self.session.chips_cents)}", "dim")
        self.out.print(line)

    def _reveal(self, records: Sequence[str]) -> None:
        for record in records:
            shoe = self.session.table.state.shoes
            self.out.print(f"Shoe {shoe} is over. Secret {secret_of(record)}")

    def _read_line(self, prompt: str) -> str:
        return read_answer(prompt, self.going)

    def _history(self) -> None:
        if not self.session.played:
            self.out.print("No round was played yet.")
        for played in self.session.played:
            for line in history_of(played, self.session.you):
                self.out.print(line, soft_wrap=True)


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]
