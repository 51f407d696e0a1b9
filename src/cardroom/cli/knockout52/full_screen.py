"""A session of Knockout 52 on the whole screen."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rich.console import RenderableType
from rich.text import Text
from textual.timer import Timer

from cardroom.cli.full_screen import TableApp
from cardroom.cli.knockout52.bets import HOW
from cardroom.cli.knockout52.dealing import chances_now
from cardroom.cli.knockout52.screen import FORMS, odds_table, table_of
from cardroom.cli.knockout52.session import GameInPlay, Session, Settings
from cardroom.cli.knockout52.summary import farewell, history_line
from cardroom.cli.leaving import Leaving
from cardroom.cli.output import console
from cardroom.core.errors import CardroomError
from cardroom.engine.knockout52 import Game
from cardroom.presentation.announcements import result_sentence
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.sentences import knockout52_outcome

_USUAL_SECONDS: Final = 0.25


def run(settings: Settings) -> int:
    """Play on the whole screen, then show the result below the prompt; the exit code."""
    going = Leaving()
    with going, Session(settings) as session:
        app = Knockout52App(session, going)
        try:
            app.run_to_end()
        except OSError:
            if not going.noted:  # a window that was closed takes no more words
                raise
        finally:  # what was committed is dealt to its end and recorded
            app.end_game()
        farewell(session, console(), judged=True)
    return going.exit_code or app.return_code or 0


class Knockout52App(TableApp):
    """The layout, your wagers, the chances."""

    def __init__(self, session: Session, going: Leaving) -> None:
        super().__init__(going)
        self.session = session
        self.settings = session.settings
        self.in_play: GameInPlay | None = None
        self.last: Game | None = None
        """The game that is over, until the next one begins."""
        self.stepping = self.settings.pace.stepping
        self.seconds = self.settings.pace.seconds
        self.chances = self.settings.chances
        self.timer: Timer | None = None
        self.left = False

    @property
    def game(self) -> Game | None:
        return self.last if self.in_play is None else self.in_play.game

    def head(self) -> str:
        rules, limits = self.session.rules, self.session.rules.limits
        decks = counted(rules.decks, "deck")
        return f"{rules.title} · {decks} · stakes {limits.min} to {limits.max} · game {self._number}"

    @property
    def _number(self) -> int:
        return len(self.session.played) + (self.last is None)

    def board(self, width: int) -> Iterable[RenderableType]:
        game = self.game
        if game is None:
            yield Text(f"\nThe table is open. {HOW[0].upper()}{HOW[1:]}.")
            return
        live = chances_now(game) if self.chances and game.outcome is None else None
        for form in FORMS:
            yield table_of(game, chances=live, form=form, width=width)

    def beside(self) -> RenderableType:
        return odds_table(self.session.rules) if self.wide else ""

    def money(self) -> str:
        session = self.session
        now = f"this session {dollars(session.result_cents, plus=True)}"
        now += f" in {counted(len(session.played), 'game')}"
        if session.bankroll is None:
            return f"{now[0].upper()}{now[1:]}"
        total = dollars(session.bankroll.amounts.result_cents, plus=True)
        return f"Bankroll {dollars(session.bankroll.cents)} · {now} · all sessions {total}"

    def offered(self) -> Mapping[str, str]:
        chances = {"chances": "no chances" if self.chances else "chances"}
        always = {"keys": "keys", "leave": "leave"}
        if self.in_play is None:
            again = {"deal": f"deal {self.session.last_bets}"} if self.session.last_bets else {}
            history = {"history": "history"} if self.session.played else {}
            return {**again, "bet": "bet", **history, **chances, **always}
        if self.stepping:
            return {"deal": "next card", "go on": "go on", **chances, "finish": "to the end", **always}
        return {"deal": "card by card", **chances, "finish": "to the end", **always}

    def do(self, action: str) -> None:
        match action:
            case "leave":
                self.go()
            case "bet":
                self._ask_bet()
            case "chances":
                self.chances = not self.chances
            case "history":
                games = enumerate(self.session.played, 1)
                lines = [history_line(number, game, self.session.you) for number, game in games]
                self.read("Your games, the last one first", Text("\n").join(reversed(lines)))
            case "finish":
                self._stop_timer()
                self._finish()
            case "go on":
                self.stepping, self.seconds = False, self.seconds or _USUAL_SECONDS
                self._go_on()
            case _:
                self._deal_key()

    def _deal_key(self) -> None:
        """Space: the next game with the last bets, then card by card."""
        if self.in_play is None:
            self._begin_game(self.session.last_bets)
        elif self.stepping:
            self._next_card()
        else:
            self.stepping = True
            self._stop_timer()

    def begin(self) -> None:
        self.say(*(Text(words, "yellow") for words in self.session.warnings))
        self._commit()

    def _commit(self) -> None:
        shoe = self.session.commit()
        said = self.said.splitlines()
        self.say(*said, f"Commitment to the next game: {str(shoe.commitment)[:32]} …")

    def _ask_bet(self) -> None:
        self.say(f"{HOW[0].upper()}{HOW[1:]}.")
        self.ask("Your bets:", self._bet_as_typed, typed=self.session.last_bets, selected=True)

    def _bet_as_typed(self, text: str) -> None:
        try:
            self._begin_game(text or self.session.last_bets)
        except CardroomError as error:
            self.refuse(error)
            self.ask("Your bets:", self._bet_as_typed, typed=text)

    def _begin_game(self, bets: str) -> None:
        game = self.session.started(bets)
        self.session.last_bets = bets
        self.in_play, self.last = self.session.begin(game), None
        self.say("")
        self._go_on()

    def _go_on(self) -> None:
        """Cards come at their pace, or at once."""
        if self.stepping:
            return
        if not self.seconds:
            self._finish()
        elif self.timer is None:
            self.timer = self.set_interval(self.seconds, lambda: self.go_on_by_itself(self._next_card))

    def _stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.stop()
            self.timer = None

    def _next_card(self) -> None:
        if self.in_play is None:
            return
        self.in_play.next_card()
        if self.in_play.over:
            self._game_over()
        self.draw()

    def _finish(self) -> None:
        if self.in_play is not None:
            self.in_play.deal_rest()
            self._game_over()

    def _game_over(self) -> None:
        assert self.in_play is not None
        self._stop_timer()
        secret, game = self.in_play.shoe.seed, self.in_play.game
        net = self.end_game()
        self.last = game
        self.say(Text(result_sentence(net), "bold"), f"{knockout52_outcome(game)} Secret {secret}")
        if len(self.session.played) >= self.settings.most_games:
            self.go()
            return
        self._commit()

    def end_game(self) -> int:
        """Bring the game in play to its end and its record, if there is one; what it brought."""
        if self.in_play is None:
            return 0
        in_play, self.in_play = self.in_play, None
        return self.session.end(in_play)

    def go(self) -> None:
        if self.left:
            return
        self.left = True
        self._stop_timer()
        if self.in_play is not None:
            self.session.left_in = len(self.session.played) + 1
            self.end_game()
        self.exit()
