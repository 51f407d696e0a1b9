"""A session at a table of the blackjack family: shoes, wagers, rounds, the record, the results.

Nothing here asks, shows or waits: that is what a session's face does, in lines (`lines.py`) or on the whole
screen (`full_screen.py`). Both play by this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from cardroom.cli.bankroll import Bankroll
from cardroom.cli.recording import RecordFile
from cardroom.cli.twentyone.bets import SpotBet, parse_spot_bets
from cardroom.cli.twentyone.computer import ComputerPlayer, chart
from cardroom.cli.twentyone.cut import NOBODYS_CUT, Cut
from cardroom.cli.twentyone.round_in_play import RoundInPlay
from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.core.money import format_cents
from cardroom.engine import twentyone
from cardroom.fair.replay import BURN
from cardroom.presentation.numbers import counted
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import ClearWagers, FairDealer, ProcedureDealer, Shuffle, Table
from cardroom.table.twentyone.shoes import require_cut_allowed

if TYPE_CHECKING:
    from cardroom.table.twentyone import Dealer

MOST_ROUNDS: Final = 1_000_000
OTHER_LIMITS: Final = "for other wagers start with --set limits.min=1.00 --set limits.max=100.00"
_ENOUGH: Final = 40
"""Chips for so many times the wagers are bought before a round: four hands doubled three times take 32."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What was asked for on the command line; `bets` is None where the player is to be asked."""

    rules: TwentyOneRules
    bets: str | None
    auto: bool
    rounds: int | None
    seconds: float
    others: tuple[ComputerPlayer, ...]
    spots: int
    name: str
    cut: Cut | None
    procedure: bool
    chips_cents: int | None
    seed: int | None
    record: Path | None
    plain: bool = False
    coach: bool = False
    """Advice at every decision, and what each choice cost, without being asked for."""
    ask_above_cents: float | None = None
    """Ask before a choice that costs more than this on average; None asks nothing."""
    bankroll: Bankroll | None = None
    """What you play with, where it is kept between sessions."""

    @property
    def most_rounds(self) -> int:
        if self.rounds is None:
            return MOST_ROUNDS if self.bets is None else 1
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise MalformedInput(f"--rounds {self.rounds} is not allowed; allowed: 1 to {MOST_ROUNDS}")
        return self.rounds


@dataclass(frozen=True, slots=True)
class Played:
    """A round that is over."""

    number: int
    notation: str
    events: tuple[twentyone.Event, ...]
    net_cents: int
    revealed: tuple[str, ...] = ()
    """The records of shoes that ended with it."""


def with_a_way_out(rules: TwentyOneRules, error: CardroomError) -> CardroomError:
    """A refusal of a wager at a table of one wager says how to get another table."""
    if error.clause != "PROC-2" or rules.limits.min < rules.limits.max:
        return error
    return type(error)(f"{error}; {OTHER_LIMITS}")


class Session:
    """One player's stay at the table; open while it lasts."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rules = settings.rules
        self.you = settings.name
        self.last_bets = format_cents(int(self.rules.limits.min))
        self.played: list[Played] = []
        self.stood_in: int | None = None
        """The round in which you left and your hands stood."""
        self.bankroll = settings.bankroll
        self.refilled = False
        self.record = RecordFile(settings.record)
        self.table: Table
        self._revealed = 0

    def __enter__(self) -> Self:
        self._check_settings()
        self.record.__enter__()
        try:
            kind = ProcedureDealer if self.settings.procedure else FairDealer
            dealer: Dealer = kind(repeatable=self.settings.seed, book=self.record.book)
            self.table = Table(self.rules, dealer)
            self._sit()
        except BaseException:
            self.record.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.record.__exit__(kind, error, trace)

    def _check_settings(self) -> None:
        """Refuse what is wrong before anything is dealt or written."""
        settings = self.settings
        assert settings.most_rounds
        if settings.procedure and settings.record is not None:
            raise MalformedInput("--record needs the fair shuffle; --shuffle procedure is for study")
        seats = self.rules.procedure.spots
        free = seats - len(settings.others)
        if not 1 <= settings.spots <= free:
            raise MalformedInput(
                f"--spots {settings.spots} is not allowed; allowed: 1 to {free}, of the table's {seats}"
                f" with {counted(len(settings.others), 'other player')} on one each"
            )
        if any(other.name == self.you for other in settings.others):
            raise MalformedInput(f"{self.you} is the name of another player; choose another with --name")
        if settings.cut is not None and self.rules.decks != "infinite":  # such a shoe is not cut
            cards_deep, _ = settings.cut.in_cards(self.rules)
            require_cut_allowed(self.rules, cards_deep, settings.cut.words)
        if settings.bets is not None:
            refusal = twentyone.why_not_start(
                self.rules,
                [
                    twentyone.SpotWager(spot, self.you, bet.stake_cents, dict(bet.side))
                    for spot, bet in enumerate(self.bets_of(settings.bets), 1)
                    if bet is not None
                ],
            )
            if refusal is not None:
                raise with_a_way_out(self.rules, refusal.error())

    def _sit(self) -> None:
        table, settings = self.table, self.settings
        table.open()
        if self.bankroll is not None:
            self.refilled = self.bankroll.refill(int(self.rules.limits.min))
        brought = settings.chips_cents if self.bankroll is None else self.bankroll.cents
        table.sit(self.you, brought or 0)
        for spot in range(1, settings.spots + 1):
            table.take_spot(self.you, spot)
        for spot, other in enumerate(settings.others, settings.spots + 1):
            table.sit(other.name)
            table.take_spot(other.name, spot)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a player is to know before the first bet."""
        said = [self.record.finished]
        if self.settings.seed is not None:
            said.append(f"Repeatable cards from seed {self.settings.seed}: not for money.")
        if self.settings.procedure:
            said.append("Shuffled by hand as a model does it: for study, not for money.")
        if self.bankroll is not None:
            said.append(self.bankroll.trouble)
            if self.refilled:
                said.append("Your bankroll did not cover the smallest wager: you get fresh chips.")
        return tuple(words for words in said if words)

    @property
    def brought_chips(self) -> bool:
        """Whether your chips are counted: those you brought, or your bankroll."""
        return self.settings.chips_cents is not None or self.bankroll is not None

    @property
    def chips_cents(self) -> int:
        return self.table.chips.cents(self.you)

    @property
    def result_cents(self) -> int:
        """Won or lost in this session."""
        return sum(played.net_cents for played in self.played)

    @property
    def needs_shoe(self) -> bool:
        """Whether the cards are to be shuffled before the next round."""
        return self.table.view().awaits.kind == "shuffle"

    @property
    def needs_cut(self) -> bool:
        return self.table.view().awaits.kind == "cut"

    def commit_shoe(self) -> Shuffle:
        """Shuffle; what the house shows of the result before its first card. It is written down before."""
        committed = self.table.dealer.commit(self.rules, self.table.state.shoes + 1)
        self.table.do(committed)
        self._begin_record()
        return committed

    def cut(self, wish: Cut) -> None:
        """A cut by you, or by the house where nobody was asked (PROC-6)."""
        cutter = None if wish is NOBODYS_CUT else self.you
        self.table.cut(cutter, *wish.in_cards(self.rules), wish.words)
        self.table.place_cut_card()
        self._begin_record()

    def bets_of(self, text: str) -> list[SpotBet | None]:
        """Your bets as typed, spot by spot."""
        return parse_spot_bets(self.rules, text, self.settings.spots)

    def lacks_chips_for(self, text: str) -> bool:
        """Whether the chips you brought do not cover some bets any more."""
        needed = sum(bet.total_cents for bet in self.bets_of(text) if bet is not None)
        return self.brought_chips and self.chips_cents < needed

    def place(self, text: str) -> None:
        """Put the wagers of everybody in their circles; all of yours or none."""
        bets = self.bets_of(text)
        least = int(self.rules.limits.min)
        own = self.table.state.spots_of(self.you)
        self._require_dealable(own, bets)
        if not self.brought_chips:
            self._buy(self.you, sum(bet.total_cents for bet in bets if bet is not None))
        for spot in own:
            if spot in self.table.state.circles:
                self.table.do(ClearWagers(self.you, spot))
        for spot, bet in zip(own, bets, strict=True):
            if bet is not None:
                self.table.place_wagers(self.you, spot, bet.stake_cents, bet.side)
        for other in self.settings.others:
            self._buy(other.name, least)
            for spot in self.table.state.spots_of(other.name):
                self.table.place_wagers(other.name, spot, least, {})
        self.last_bets = text

    def _require_dealable(self, own: Sequence[int], bets: Sequence[SpotBet | None]) -> None:
        """Refuse bets that may not be dealt: they are said as a whole here, so they are checked at once."""
        wagers = [
            twentyone.SpotWager(spot, self.you, bet.stake_cents, dict(bet.side))
            for spot, bet in zip(own, bets, strict=True)
            if bet is not None
        ]
        refusal = twentyone.why_not_start(self.rules, wagers) if wagers else None
        if refusal is not None:
            raise refusal.error()

    def _buy(self, player: str, cents: int) -> None:
        short = _ENOUGH * cents - self.table.chips.cents(player)
        if cents > 0 and short > 0:
            self.table.chips.add(player, short)

    @property
    def next_round(self) -> int:
        """The number of the next round, or of the one in play."""
        return self.table.state.rounds + (not self.table.state.in_round)

    def round_in_shoe(self) -> str:
        """Which round of its shoe is next, where that is another number: the one that `verify` names."""
        state = self.table.state
        assert state.shoe is not None
        before = sum(not notation.startswith(BURN) for notation in state.shoe.rounds)
        return "" if before == state.rounds else f" (round {before + 1} of shoe {state.shoes})"

    def new_round(self) -> RoundInPlay:
        """The round whose wagers stand; it is written down as it is played."""
        habits = {other.name: other.habit for other in self.settings.others}
        if self.settings.auto:
            habits[self.you] = chart
        self.write_down()
        round_in_play = RoundInPlay(self.table, self.you, habits)
        if not self.settings.auto:
            round_in_play.on_step = self.write_down
        return round_in_play

    def end_round(self, round_in_play: RoundInPlay) -> Played:
        """Play a round to its end, whatever broke it off, and record it."""
        number = self.table.state.rounds
        round_in_play.stand_out()
        if round_in_play.hands_stood and self.stood_in is None:
            self.stood_in = number
        game = self.table.state.round
        assert game is not None
        net = sum(self.own(round_in_play.events).values())
        if self.bankroll is not None:
            self.bankroll.add(net)
        notation = twentyone.format_round(game, RulesForm.WHOLE)
        played = Played(number, notation, tuple(round_in_play.events), net, self._reveal())
        self.played.append(played)
        return played

    def own(self, events: Iterable[twentyone.Event]) -> dict[str, int]:
        """What your wagers brought in some events, by wager."""
        nets = twentyone.net_by_wager(events)
        return {wager: cents for (player, wager), cents in nets.items() if player == self.you}

    def _begin_record(self) -> None:
        """The shoe in play as it is before its first card, through to the file."""
        shoe, dealer = self.table.state.shoe, self.table.dealer
        if self.record.path is not None and shoe is not None and isinstance(dealer, FairDealer):
            self.record.begin(dealer.committed(self.rules, shoe), salt=shoe.salt)

    def write_down(self) -> None:
        """The rounds of the shoe in play as far as they have come, through to the file."""
        record, shoe = self.record, self.table.state.shoe
        if not record.in_play or shoe is None:
            return
        game = self.table.state.round
        rounds = shoe.rounds
        if self.table.state.in_round and game is not None:
            rounds = (*rounds, twentyone.format_round(game, RulesForm.APART))
        record.keep(rounds, sync=not self.table.state.in_round)

    def _reveal(self) -> tuple[str, ...]:
        """Write what the end of a round, or of the session, leaves; the records of shoes that are over."""
        records = tuple(self.table.records[self._revealed :])
        self._revealed = len(self.table.records)
        for line in records:
            self.record.add(line)
        if self.record.in_play:
            self.write_down()
        return records

    def close(self) -> tuple[str, ...]:
        """Close the table; the records of the shoes that end with it."""
        self.table.close()
        return self._reveal()

    def to_json(self) -> dict[str, Any]:
        """The session as `play --json` prints it."""
        return {
            "game": self.rules.game,
            "rules_hash": self.rules.rules_hash,
            "player": self.you,
            "seed": self.settings.seed,
            "rounds": [
                {
                    "number": played.number,
                    "net_cents": played.net_cents,
                    "by_wager_cents": self.own(played.events),
                    "notation": played.notation,
                }
                for played in self.played
            ],
            "net_cents": self.result_cents,
            "chips_cents": self.chips_cents if self.brought_chips else None,
            "left_in_round": self.stood_in,
        }

    def played_round(self, which: str) -> Played:
        """A round by its number, the last one where none is said."""
        numbers = {str(played.number): played for played in self.played}
        played = numbers.get(which.strip() or str(len(self.played)))
        if played is None:
            raise MalformedInput(f"there is no round {which}; played are {', '.join(numbers) or 'none'}")
        return played


def secret_of(record: str) -> str:
    """The secret that a record reveals."""
    import json

    secret: str = json.loads(record)["secret"]
    return secret
