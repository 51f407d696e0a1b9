"""A session of Knockout 52: committed shoes, bets, games, the record, the result by wager."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cardroom.cli.knockout52.bets import HOW, parse_bets
from cardroom.cli.knockout52.dealing import Dealing, Pace
from cardroom.cli.knockout52.screen import odds_table, session_table
from cardroom.cli.leaving import Leaving, PlayerLeft
from cardroom.cli.output import console
from cardroom.cli.prompts import read_answer
from cardroom.cli.recording import RecordFile
from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.engine.knockout52 import Event, Game, Stakes, format_game, net_cents, start
from cardroom.fair import CommittedShoe, SeedBook, fresh_seed, fresh_shoe_id, repeatable_seed
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.sentences import knockout52_outcome
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm

MOST_GAMES: Final = 1_000_000
LONGEST_CUT: Final = 200
_HELP: Final = (
    f"{HOW}. Enter repeats your last bet, 'odds' shows the wagers and their edge, 'cut WORDS' puts words of"
    " yours into the shuffle, 'quit' leaves."
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What was asked for on the command line; `bets` is None where the player is to be asked."""

    rules: Knockout52Rules
    bets: str | None
    games: int | None
    pace: Pace
    chances: bool
    others: tuple[Stakes, ...]
    name: str
    cut: str
    seed: int | None
    record: Path | None
    plain: bool = False

    @property
    def most_games(self) -> int:
        if self.games is not None:
            if not 1 <= self.games <= MOST_GAMES:
                raise MalformedInput(f"--games {self.games} is not allowed; allowed: 1 to {MOST_GAMES}")
            return self.games
        return MOST_GAMES if self.bets is None else 1


class Session:
    """One player's stay at the table."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rules = settings.rules
        self.cut = _checked_cut(settings.cut)
        self.last_bets = ""
        self.played: list[Game] = []
        self.left_in: int | None = None
        """The game in which you left; it was dealt to its end."""
        self.out = console()
        self.going = Leaving()

    def run(self) -> int:
        """Play until the games are over or the player leaves, then show the result; the exit code."""
        games = self.settings.most_games
        if self.settings.bets is not None:
            self._started(self.settings.bets)  # wrong bets are refused before anything is dealt or written
        with self.going, RecordFile(self.settings.record) as record:
            self._greet(record)
            try:
                for number in range(1, games + 1):
                    self._play(number, record)
            except PlayerLeft:
                pass
            self._farewell()
        return self.going.exit_code

    def _greet(self, record: RecordFile) -> None:
        limits = self.rules.limits
        self.out.print(
            f"{self.rules.title}: {counted(self.rules.decks, 'deck')}, stakes {limits.min} to {limits.max},"
            f" rules {self.rules.rules_hash[:12]}",
            style="bold",
        )
        if record.finished:
            self.out.print(record.finished, style="yellow", soft_wrap=True)
        if self.settings.seed is not None:
            self.out.print(f"Repeatable games from seed {self.settings.seed}: not for money.", style="yellow")
        if self.settings.bets is None:
            self.out.print(_HELP, style="dim")

    def _play(self, number: int, record: RecordFile) -> None:
        """One game, from the commitment to the revealed secret."""
        shoe = self._shoe(number, record.book)
        self.out.print(f"\nGame {number}", style="bold")
        self.out.print(f"Commitment {shoe.commitment}")
        game = self._ask() if self.settings.bets is None else self._started(self.settings.bets)[0]
        if self._deal(shoe, game, record) or self.going.noted:
            self.left_in = number
            raise PlayerLeft

    def _deal(self, shoe: CommittedShoe, game: Game, record: RecordFile) -> bool:
        """Deal the committed cards, record the game and reveal the secret; whether the player leaves."""
        salt = self.cut.encode()
        cards = shoe.cards(salt=salt)
        settings = self.settings
        self.out.print()
        dealing = Dealing(
            game, cards, self.out, settings.pace, self.going, chances=settings.chances, plain=settings.plain
        )
        if record.path is not None and settings.pace.takes_time:
            record.begin(shoe, salt=salt)
            record.keep((_written(game),), sync=True)
            dealing.on_card = lambda: record.keep((_written(dealing.game),), sync=False)
        try:
            dealing.play()
        finally:  # a game that was begun is dealt to its end and recorded, whatever broke it off
            dealing.on_card = lambda: None
            dealing.deal_rest()
            self.played.append(dealing.game)
            record.add(shoe.record(cards=cards, rounds=(_written(dealing.game),), salt=salt))
        result = dollars(net_cents(dealing.game)[settings.name], plus=True)
        self.out.print(f"\n{knockout52_outcome(dealing.game)} Your result: {result}", style="bold")
        self.out.print(f"Secret     {shoe.seed}")
        return dealing.leaving

    def _shoe(self, number: int, book: SeedBook) -> CommittedShoe:
        repeatable = self.settings.seed
        if repeatable is None:
            shoe_id, seed = fresh_shoe_id(), fresh_seed(book)
        else:
            shoe_id = f"game-{number}"
            seed = repeatable_seed(repeatable, shoe_id)
        deck = str(self.rules.shoe)
        return CommittedShoe.of(self.rules, shoe_id=shoe_id, deck=deck, seed=seed, repeatable=repeatable)

    def _started(self, bets: str) -> tuple[Game, tuple[Event, ...]]:
        return start(self.rules, (Stakes(self.settings.name, parse_bets(bets)), *self.settings.others))

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
        again = f" [{self.last_bets}]" if self.last_bets else ""
        return f"Your bets{again}: "

    def _answer(self, line: str) -> Game | None:
        """Act on what was typed; a game when it was bets that may stand."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "q" | "quit" | "exit":
                raise PlayerLeft
            case "h" | "help" | "?":
                self.out.print(_HELP, style="dim")
            case "o" | "odds":
                self.out.print(odds_table(self.rules))
            case "cut":
                self.cut = _checked_cut(rest.strip())
                answer_line = (
                    f"Your words go into the shuffle: {self.cut}"
                    if self.cut
                    else "No words of yours any more."
                )
                self.out.print(answer_line)
            case _:
                game, _ = self._started(line or self.last_bets)
                self.last_bets = line or self.last_bets
                return game
        return None

    def _farewell(self) -> None:
        if not self.played:
            self.out.print("\nNo game was played.")
            return
        self.out.print(f"\nYour session of {counted(len(self.played), 'game')}", style="bold")
        self.out.print(session_table(self.rules, self.played))
        if self.left_in is not None:
            self.out.print(f"You left in game {self.left_in}, and it was dealt to its end.", style="yellow")
        if self.settings.record is not None:
            self.out.print(f"Check the games: cardroom verify {self.settings.record}", soft_wrap=True)


def _written(game: Game) -> str:
    """A game as it stands in a record, which has the rules beside it."""
    return format_game(game, RulesForm.APART)


def _checked_cut(words: str) -> str:
    if len(words) > LONGEST_CUT or not (words.isprintable() or not words):
        raise MalformedInput(f"a cut is at most {LONGEST_CUT} printable characters on one line")
    return words
