"""A session at a table of the blackjack family: shoes, wagers, rounds, the record, the result by wager."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rich.text import Text

from cardroom.cli.leaving import Leaving, PlayerLeft
from cardroom.cli.output import console
from cardroom.cli.prompts import read_answer
from cardroom.cli.recording import RecordFile
from cardroom.cli.twentyone.bets import how, parse_bets
from cardroom.cli.twentyone.computer import ComputerPlayer, chart
from cardroom.cli.twentyone.cut import NOBODYS_CUT, Cut
from cardroom.cli.twentyone.dealing import Dealing
from cardroom.cli.twentyone.replay import show
from cardroom.cli.twentyone.screen import in_line, session_table
from cardroom.core.errors import CardroomError, MalformedInput
from cardroom.core.money import format_cents
from cardroom.engine import twentyone
from cardroom.fair.replay import BURN
from cardroom.presentation import wager_title
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.totals import total_words
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import FairDealer, ProcedureDealer, Table, player_cut_range

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


def with_a_way_out(rules: TwentyOneRules, error: CardroomError) -> CardroomError:
    """A refusal of a wager at a table of one wager says how to get another table."""
    if error.clause != "PROC-2" or rules.limits.min < rules.limits.max:
        return error
    return type(error)(f"{error}; {OTHER_LIMITS}")


class Session:
    """One player's stay at the table."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.rules = settings.rules
        self.you = settings.name
        self.last_bets = format_cents(int(self.rules.limits.min))
        self.played: list[Played] = []
        self.revealed = 0
        self.stood_in: int | None = None
        """The round in which you left and your hands stood."""
        self.out = console()
        self.going = Leaving()

    def run(self) -> int:
        """Play until the rounds are over or the player leaves, then show the result; the exit code."""
        rounds = self.settings.most_rounds
        self._check_settings()
        with self.going, RecordFile(self.settings.record) as record:
            self.table = Table(self.rules, self._dealer(record))
            self._sit()
            self._greet(record)
            refused: CardroomError | None = None
            try:
                for _ in range(rounds):
                    self._play(record)
            except PlayerLeft:
                pass
            except CardroomError as error:
                refused = error
            finally:  # whatever happened, the shoe's record is written before anything else
                self.table.close()
                lines = self._record(record)
            self._reveal(lines)
            self._farewell()
        if refused is not None:
            raise refused
        return self.going.exit_code

    def _check_settings(self) -> None:
        """Refuse what is wrong before anything is dealt or written."""
        settings = self.settings
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
        if settings.bets is not None:
            stake, side = parse_bets(self.rules, settings.bets)
            wager = twentyone.SpotWager(1, self.you, stake, side)
            refusal = twentyone.why_not_start(self.rules, [wager])
            if refusal is not None:
                raise with_a_way_out(self.rules, refusal.error())

    def _dealer(self, record: RecordFile) -> Dealer:
        kind = ProcedureDealer if self.settings.procedure else FairDealer
        return kind(repeatable=self.settings.seed, book=record.book)

    def _sit(self) -> None:
        table, settings = self.table, self.settings
        table.open()
        table.sit(self.you, settings.chips_cents or 0)
        for spot in range(1, settings.spots + 1):
            table.take_spot(self.you, spot)
        for spot, other in enumerate(settings.others, settings.spots + 1):
            table.sit(other.name)
            table.take_spot(other.name, spot)

    def _greet(self, record: RecordFile) -> None:
        rules, limits = self.rules, self.rules.limits
        decks = "infinitely many decks" if rules.decks == "infinite" else counted(rules.decks, "deck")
        fixed = limits.min == limits.max
        wagers = f"{limits.min} only" if fixed else f"{limits.min} to {limits.max}"
        self.out.print(
            f"{rules.title}: {decks}, wagers {wagers}, rules {rules.rules_hash[:12]}", style="bold"
        )
        if fixed:
            self.out.print(f"{_sentence(OTHER_LIMITS)}.", style="dim")
        if record.finished:
            self.out.print(record.finished, style="yellow", soft_wrap=True)
        if self.settings.seed is not None:
            self.out.print(f"Repeatable cards from seed {self.settings.seed}: not for money.", style="yellow")
        if self.settings.procedure:
            self.out.print("Shuffled by hand as a model does it: for study, not for money.", style="yellow")
        for other in self.settings.others:
            habit = (other.habit.__doc__ or "").partition(":")[0].rstrip(".")
            self.out.print(f"{other.name}: {habit[0].lower()}{habit[1:]}", style="dim")
        if self.settings.bets is None:
            self._help()

    def _help(self) -> None:
        self.out.print(
            f"{_sentence(how(self.rules))}. Enter repeats your last bet, 'history' lists the rounds,"
            " 'replay N' shows one card by card, 'rules' the rules, 'quit' leaves.",
            style="dim",
        )

    def _play(self, record: RecordFile) -> None:
        """One round, with a new shoe before it where one is due."""
        if self.table.view().awaits.kind == "shuffle":
            self._new_shoe()
        if self.settings.bets is None:
            self._ask_bets()
        else:
            self._place_again(self.settings.bets)
        habits = {other.name: other.habit for other in self.settings.others}
        if self.settings.auto:
            habits[self.you] = chart
        number = self.table.state.rounds + 1
        self.out.print(f"\nRound {number}{self._in_shoe()}", style="bold")
        dealing = Dealing(
            self.table,
            self.you,
            habits,
            self.out,
            self.settings.seconds,
            self.going,
            plain=self.settings.plain,
        )
        self._write_down(record)
        if not self.settings.auto:
            dealing.on_step = lambda: self._write_down(record)
        try:
            dealing.play()
        finally:  # a round that was begun is played to its end and recorded, whatever broke it off
            dealing.stand_out()
            if dealing.hands_stood and self.stood_in is None:
                self.stood_in = number
            net = self._ended(number, dealing.events)
            lines = self._record(record)
        self._say_result(net, dealing.events)
        self._reveal(lines)
        if dealing.refused is not None:
            raise dealing.refused
        if dealing.leaving or self.going.noted:
            raise PlayerLeft

    def _in_shoe(self) -> str:
        """Which round of its shoe is next, where that is another number: the one that `verify` names."""
        state = self.table.state
        assert state.shoe is not None
        before = sum(not notation.startswith(BURN) for notation in state.shoe.rounds)
        return "" if before == state.rounds else f" (round {before + 1} of shoe {state.shoes})"

    def _write_down(self, record: RecordFile) -> None:
        """The rounds of the shoe in play as far as they have come, through to the file."""
        shoe, dealer = self.table.state.shoe, self.table.dealer
        if record.path is None or shoe is None or not isinstance(dealer, FairDealer):
            return
        if not record.in_play:
            record.begin(dealer.committed(self.rules, shoe), salt=shoe.salt)
        game = self.table.state.round
        rounds = shoe.rounds
        if self.table.state.in_round and game is not None:
            rounds = (*rounds, twentyone.format_round(game, RulesForm.APART))
        record.keep(rounds, sync=not self.table.state.in_round)

    def _record(self, record: RecordFile) -> tuple[str, ...]:
        """Write what the end of a round, or of the session, leaves; the records of shoes that are over."""
        lines = tuple(self.table.records[self.revealed :])
        self.revealed = len(self.table.records)
        for line in lines:
            record.add(line)
        if record.in_play:
            self._write_down(record)
        return lines

    def _new_shoe(self) -> None:
        cut = self.settings.cut
        number = self.table.state.shoes + 1
        committed = self.table.dealer.commit(self.rules, number)
        self.table.do(committed)
        self.out.print(f"\nShoe {number}", style="bold")
        self.out.print(f"Commitment {committed.commitment}")
        if self.table.view().awaits.kind != "cut":
            return
        while True:
            wish = cut or self._ask_cut()
            cutter = None if wish is NOBODYS_CUT else self.you
            try:
                self.table.cut(cutter, *wish.in_cards(self.rules), wish.words)
            except CardroomError as error:
                if cut is not None or not sys.stdin.isatty():
                    raise
                self.out.print(str(error), style="red")
            else:
                break
        self.table.place_cut_card()

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
                if self._answer(self._read_line(f"\nYour bet [{self.last_bets}]: ")):
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
                self._replay(rest)
            case "rules":
                for _, words, clause in self.rules.sentences():
                    self.out.print(f"{clause:<9}{words}", style="dim")
            case _:
                self._place(line or self.last_bets)
                self.last_bets = line or self.last_bets
                return True
        return False

    def _place_again(self, bets: str) -> None:
        """The bets of the command line; whose chips are gone after some rounds leaves."""
        stake, side = parse_bets(self.rules, bets)
        needed = self.settings.spots * (stake + sum(side.values()))
        brought = self.settings.chips_cents is not None
        if brought and self.played and self.table.chips.cents(self.you) < needed:
            self.out.print("\nYou are out of chips.")
            raise PlayerLeft
        self._place(bets)

    def _place(self, bets: str) -> None:
        """Put the wagers of everybody in their circles; all of yours or none."""
        stake, side = parse_bets(self.rules, bets)
        total = stake + sum(side.values())
        wanted = [(self.you, spot, stake, side) for spot in self.table.state.spots_of(self.you)]
        least = int(self.rules.limits.min)
        for other in self.settings.others:
            wanted += [(other.name, spot, least, {}) for spot in self.table.state.spots_of(other.name)]
            self._buy(other.name, least)
        if self.settings.chips_cents is None and stake > 0:
            self._buy(self.you, total * self.settings.spots)
        for player, spot, cents, beside in wanted:
            self.table.place_wagers(player, spot, cents, beside)

    def _buy(self, player: str, cents: int) -> None:
        short = _ENOUGH * cents - self.table.chips.cents(player)
        if short > 0:
            self.table.chips.add(player, short)

    def _ended(self, number: int, events: list[twentyone.Event]) -> int:
        """Note a round that is over; its worth to you in cents."""
        game = self.table.state.round
        assert game is not None
        net = sum(self._own(events).values())
        self.played.append(Played(number, twentyone.format_round(game), tuple(events), net))
        return net

    def _own(self, events: Sequence[twentyone.Event]) -> dict[str, int]:
        nets = twentyone.net_by_wager(events)
        return {wager: cents for (player, wager), cents in nets.items() if player == self.you}

    def _say_result(self, net: int, events: list[twentyone.Event]) -> None:
        """Say what the round was worth."""
        own = self._own(events)
        parts = ", ".join(f"{wager_title(wager)} {dollars(cents, plus=True)}" for wager, cents in own.items())
        chips = dollars(self.table.chips.cents(self.you))
        line = Text("\n").append(f"Your result: {dollars(net, plus=True)}", "bold")
        if len(own) > 1:
            line.append(f"  {parts}", "dim")
        if self.settings.chips_cents is not None:
            line.append(f"  chips {chips}", "dim")
        self.out.print(line)

    def _reveal(self, lines: Sequence[str]) -> None:
        for line in lines:
            shoe = self.table.state.shoes
            self.out.print(f"Shoe {shoe} is over. Secret {secret_of(line)}", soft_wrap=True)

    def _read_line(self, prompt: str) -> str:
        return read_answer(prompt, self.going)

    def _history(self) -> None:
        if not self.played:
            self.out.print("No round was played yet.")
        for played in self.played:
            game, _ = twentyone.replay(played.notation)
            line = in_line(game.dealer)
            hands = [hand for spot in game.spots if spot.player == self.you for hand in spot.hands]
            own = ", ".join(total_words(hand.cards, from_split=hand.from_split) for hand in hands)
            self.out.print(
                f"{played.number:>5}  {own:<24} {dollars(played.net_cents, plus=True):>11}  dealer ",
                line,
                end="",
            )
            self.out.print(total_words(game.dealer) if game.dealer else "", style="dim")

    def _replay(self, which: str) -> None:
        numbers = {str(played.number): played for played in self.played}
        played = numbers.get(which.strip() or str(len(self.played)))
        if played is None:
            raise MalformedInput(f"there is no round {which}; played are {', '.join(numbers) or 'none'}")
        show(played.notation, twentyone.parse_round(played.notation).opening.rules, self.out)

    def _farewell(self) -> None:
        if not self.played:
            self.out.print("\nNo round was played.")
            return
        self.out.print(f"\nYour session of {counted(len(self.played), 'round')}", style="bold")
        events = [event for played in self.played for event in played.events]
        self.out.print(session_table(events, self.you, len(self.played)))
        if self.stood_in is not None:
            self.out.print(f"You left in round {self.stood_in}, and your hands stood.", style="yellow")
        if self.settings.record is not None:
            self.out.print(f"Check the rounds: cardroom verify {self.settings.record}", soft_wrap=True)


def secret_of(record: str) -> str:
    """The secret that a record reveals."""
    import json

    secret: str = json.loads(record)["secret"]
    return secret


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:]
