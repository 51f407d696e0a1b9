"""A session of Knockout 52: committed shoes, bets, games, the record, the results.

Nothing here asks, shows or waits: that is what a session's face does, in lines (`lines.py`) or on the whole
screen (`full_screen.py`). Both play by this.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from cardroom.cli.bankroll import Bankroll
from cardroom.cli.knockout52.bets import parse_bets
from cardroom.cli.knockout52.pace import Pace
from cardroom.cli.recording import RecordFile
from cardroom.core.cards import Card
from cardroom.core.errors import IllegalAction, MalformedInput
from cardroom.engine.knockout52 import Game, Stakes, format_game, net_cents, start, step
from cardroom.fair import CommittedShoe, fresh_seed, fresh_shoe_id, repeatable_seed
from cardroom.presentation.money import dollars
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm

MOST_GAMES: Final = 1_000_000
LONGEST_CUT: Final = 200


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
    bankroll: Bankroll | None = None
    """What you play with, where it is kept between sessions."""

    @property
    def most_games(self) -> int:
        if self.games is not None:
            if not 1 <= self.games <= MOST_GAMES:
                raise MalformedInput(f"--games {self.games} is not allowed; allowed: 1 to {MOST_GAMES}")
            return self.games
        return MOST_GAMES if self.bets is None else 1


def _nothing() -> None:
    pass


@dataclass(slots=True)
class GameInPlay:
    """A game whose cards are committed, from the first card to the last payment."""

    shoe: CommittedShoe
    cards: tuple[Card, ...]
    game: Game
    salt: bytes
    on_card: Callable[[], None] = _nothing
    """Called after every card, to write it down."""

    @property
    def over(self) -> bool:
        return self.game.outcome is not None

    def next_card(self) -> None:
        """Deal the next of the committed cards."""
        self.game, _ = step(self.game, self.cards[len(self.game.cards)])
        self.on_card()

    def deal_rest(self) -> None:
        """Deal the game to its end without a word."""
        while not self.over:
            self.next_card()


class Session:
    """One player's stay at the table; open while it lasts."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rules = settings.rules
        self.you = settings.name
        self.cut = checked_cut(settings.cut)
        self.last_bets = ""
        self.played: list[Game] = []
        self.left_in: int | None = None
        """The game in which you left; it was dealt to its end."""
        self.bankroll = settings.bankroll
        self.refilled = False
        self.record = RecordFile(settings.record)
        self.shoe: CommittedShoe | None = None
        """The shoe of the next game, which is committed before the bets."""

    def __enter__(self) -> Self:
        assert self.settings.most_games
        if self.settings.bets is not None:
            self.started(self.settings.bets)  # wrong bets are refused before anything is dealt or written
        if self.bankroll is not None:
            self.refilled = self.bankroll.refill(int(self.rules.limits.min))
        self.record.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self.record.in_play and self.shoe is not None:  # committed to, and no card was dealt
                self.record.add(self.shoe.record(cards=self.shoe.cards(), rounds=()))
        finally:
            self.record.__exit__(kind, error, trace)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a player is to know before the first bet."""
        said = [self.record.finished]
        if self.settings.seed is not None:
            said.append(f"Repeatable games from seed {self.settings.seed}: not for money.")
        if self.bankroll is not None:
            said.append(self.bankroll.trouble)
            if self.refilled:
                said.append("Your bankroll did not cover the smallest wager: you get fresh chips.")
        return tuple(words for words in said if words)

    @property
    def result_cents(self) -> int:
        """Won or lost in this session."""
        return sum(net_cents(game)[self.you] for game in self.played)

    def commit(self) -> CommittedShoe:
        """Commit to the cards of the next game; it is written down before you are asked for bets."""
        repeatable = self.settings.seed
        if repeatable is None:
            shoe_id, seed = fresh_shoe_id(), fresh_seed(self.record.book)
        else:
            shoe_id = f"game-{len(self.played) + 1}"
            seed = repeatable_seed(repeatable, shoe_id)
        deck = str(self.rules.shoe)
        self.shoe = CommittedShoe.of(self.rules, shoe_id=shoe_id, deck=deck, seed=seed, repeatable=repeatable)
        if self.record.path is not None and self.settings.bets is None:
            self.record.begin(self.shoe)
        return self.shoe

    def started(self, bets: str) -> Game:
        """A game with your bets as typed, and everybody's; refused where they may not stand."""
        stakes = Stakes(self.you, parse_bets(bets))
        game, _ = start(self.rules, (stakes, *self.settings.others))
        staked = sum(stakes.stakes.values())
        if self.bankroll is not None and staked > self.bankroll.cents:
            raise IllegalAction(
                f"{dollars(staked)} is more than your bankroll of {dollars(self.bankroll.cents)}",
                clause="KO52-3",
            )
        return game

    def begin(self, game: Game) -> GameInPlay:
        """Put a game on the cards that were committed."""
        assert self.shoe is not None
        salt = self.cut.encode()
        in_play = GameInPlay(self.shoe, self.shoe.cards(salt=salt), game, salt)
        if self.record.path is not None and self.settings.pace.takes_time:
            self.record.begin(self.shoe, salt=salt)
            self.record.keep((_written(game),), sync=True)
            in_play.on_card = lambda: self.record.keep((_written(in_play.game),), sync=False)
        return in_play

    def end(self, in_play: GameInPlay) -> int:
        """Deal a game to its end, whatever broke it off, and record it; what it brought you."""
        in_play.on_card = _nothing
        in_play.deal_rest()
        self.played.append(in_play.game)
        self.record.add(
            in_play.shoe.record(cards=in_play.cards, rounds=(_written(in_play.game),), salt=in_play.salt)
        )
        net = net_cents(in_play.game)[self.you]
        if self.bankroll is not None:
            self.bankroll.add(net)
        return net

    def to_json(self) -> dict[str, Any]:
        """The session as `play --json` prints it."""
        return {
            "game": self.rules.game,
            "rules_hash": self.rules.rules_hash,
            "player": self.you,
            "seed": self.settings.seed,
            "rounds": [
                {
                    "number": number,
                    "net_cents": net_cents(game)[self.you],
                    "by_wager_cents": {
                        wager: self.rules.payment(wager, cents) if wager == game.outcome else -cents
                        for wager, cents in game.wagers[0].placed
                    },
                    "notation": format_game(game, RulesForm.WHOLE),
                }
                for number, game in enumerate(self.played, 1)
            ],
            "net_cents": self.result_cents,
            "chips_cents": None if self.bankroll is None else self.bankroll.cents,
            "left_in_round": self.left_in,
        }


def _written(game: Game) -> str:
    """A game as it stands in a record, which has the rules beside it."""
    return format_game(game, RulesForm.APART)


def checked_cut(words: str) -> str:
    """Words for the shuffle, within bounds."""
    if len(words) > LONGEST_CUT or not (words.isprintable() or not words):
        raise MalformedInput(f"a cut is at most {LONGEST_CUT} printable characters on one line")
    return words
