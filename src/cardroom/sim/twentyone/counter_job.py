"""One simulation with a counter as data: what a batch needs, and what it adds up."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput, UnknownName
from cardroom.model.twentyone.automaton import Automaton, compile_hands
from cardroom.model.twentyone.columns import columns_of
from cardroom.rules import parse_rules_as
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.batches import ROUNDS_PER_BATCH, Tally
from cardroom.sim.twentyone import counter
from cardroom.sim.twentyone.counter import (
    BINS,
    HIGHEST,
    LOWEST,
    SUMS,
    CountGame,
    OtherCountGame,
    Room,
    play_counting,
)
from cardroom.sim.twentyone.counter_tables import CountTables, compile_count
from cardroom.sim.twentyone.dealing import Dealing, new_marks, shoe_cards
from cardroom.sim.twentyone.insurance import insurance_nets
from cardroom.sim.twentyone.job import STREAMS_PER_BATCH, rounds_per_stream
from cardroom.sim.twentyone.kernel import MOST_SPOTS
from cardroom.sim.twentyone.sides import (
    MOST_LINES,
    nets_on_stake,
    require_no_further_cards,
    side_tables,
    simulated_sides,
)
from cardroom.sim.twentyone.stream import seed_key, stream_states

TOTALS: Final = 2  # shoes, dead rounds
ALWAYS: Final = LOWEST - 1
NEVER: Final = HIGHEST + 1
_LEAST_COVER: Final = 2
MOST_UNITS: Final = 1000
"""Of a wager: sums of squares of what is won are numbers of 64 bits."""
ROUNDINGS: Final = {"floor": counter.FLOOR, "nearest": counter.NEAREST, "truncate": counter.TRUNCATE}


@dataclass(frozen=True, slots=True)
class Reckoning:
    """How cards become the count that decides."""

    tags: tuple[Fraction, ...]
    """Of each of the 52 cards."""
    start: Fraction = Fraction(0)
    """The running count of a new shoe."""
    by_deck: bool = True
    """The true count: the running one divided by the decks not seen; else the running count itself."""
    step_cards: int = 1
    """The cards not seen are known to the nearest so many: 1 exactly, half a deck 26, or 24 without tens."""
    rounding: str = "floor"

    def parts(self, deck_size: int) -> int:
        """Of the running count, so that it, and its product with the cards of a deck, are whole numbers."""
        whole = lcm(self.start.denominator, *(tag.denominator for tag in self.tags))
        return whole * deck_size if self.by_deck else whole

    def inverse(self, shoe_size: int, deck_size: int) -> NDArray[np.float64]:
        """[cards not seen]: one over the whole number that a running count in parts is divided by."""
        unseen = np.arange(shoe_size + 2)
        parts = self.parts(deck_size)
        if not self.by_deck:
            return np.full(len(unseen), 1 / parts)
        step = self.step_cards
        known = np.maximum((2 * unseen + step) // (2 * step), 1) * step
        return np.asarray(1 / (parts // deck_size * known), np.float64)


@dataclass(frozen=True, slots=True)
class SideStake:
    """A side bet on the counter's first spot, made at a count or above."""

    wager: str
    from_count: int
    units: int
    """Of the least primary wager; a bet with a fixed stake takes that, whatever stands here."""

    def units_staked(self, rules: TwentyOneRules) -> Fraction:
        """What is on it, in units of the least primary wager."""
        fixed = rules.side_bets[self.wager].fixed_stake_cents
        return Fraction(fixed, int(rules.limits.min)) if fixed else Fraction(self.units)

    def nets(self, rules: TwentyOneRules) -> list[Fraction]:
        """What each line wins for a unit of this stake, by number."""
        return nets_on_stake(rules, self.wager, int(self.units_staked(rules) * int(rules.limits.min)))


@dataclass(frozen=True, slots=True)
class CounterJob:
    """Rules, strategy by the count, wagers by the count, dealing and seed; calling it plays one batch."""

    rules_text: str
    actions: bytes
    """`action[row, state, column]`: the strategy without a count, then one for each band of counts."""
    bands: tuple[int, ...]
    """The count at which each band but the first begins."""
    reckoning: Reckoning
    ramp: tuple[int, ...]
    """Units wagered on each spot, for every count from the lowest to the highest."""
    dealing: Dealing
    seed: int
    spots: int = 1
    others: int = 0
    enter: int = ALWAYS
    leave: int = ALWAYS
    insure_from: int = NEVER
    sides: tuple[SideStake, ...] = ()
    cover: int | None = None
    """No wager is more than so many times the last one in the shoe, nor less than that part of it."""

    def __post_init__(self) -> None:
        rules = self.rules
        if rules.decks == "infinite":
            raise MalformedInput("infinitely many decks cannot be counted; set decks to 1 … 8")
        most = min(MOST_SPOTS, rules.procedure.spots)
        if self.spots < 1 or self.others < 0 or self.spots + self.others > most:
            raise MalformedInput(
                f"{self.spots} spot{'s' * (self.spots != 1)} of the counter and {self.others} of others are "
                "not allowed; "
                f"allowed: 1 or more, and {most} in all"
            )
        if self.enter > LOWEST and not self.others:
            raise MalformedInput(
                "a counter who waits for a count needs somebody to be dealt to meanwhile: others 1 or more"
            )
        if self.leave > self.enter:
            raise MalformedInput(
                f"a counter who sits down at {self.enter} cannot get up below {self.leave}; "
                "the count to leave is at most the count to enter"
            )
        if self.cover is not None and not _LEAST_COVER <= self.cover <= MOST_UNITS:
            raise MalformedInput(
                f"a cover of {self.cover} is not allowed; allowed: {_LEAST_COVER} to {MOST_UNITS} "
                "(a wager is at most so many times the last one, and at least that part of it)"
            )
        if len(self.ramp) != BINS or min(self.ramp) < 1:
            raise MalformedInput("a ramp has a wager of 1 unit or more at every count")
        if max(self.ramp) > MOST_UNITS:
            raise MalformedInput(
                f"a wager of {max(self.ramp):,} units is not allowed; allowed: 1 to {MOST_UNITS:,}"
            )
        if len({stake.wager for stake in self.sides}) < len(self.sides):
            raise MalformedInput("a side bet is named twice; it has one count from which on it is made")
        for stake in self.sides:
            if stake.wager not in rules.offered_side_bets:
                here = ", ".join(rules.offered_side_bets) or "none"
                raise UnknownName(
                    f"there is no side bet {stake.wager!r} at this table; the side bets are {here}"
                )
            if not 1 <= stake.units <= MOST_UNITS:
                raise MalformedInput(
                    f"the side bet {stake.wager} is 1 to {MOST_UNITS:,} units, not {stake.units:,}"
                )
            fixed = rules.side_bets[stake.wager].fixed_stake
            if fixed is not None and stake.units > 1:
                raise MalformedInput(
                    f"the side bet {stake.wager} takes {fixed} and no other stake; leave its units out"
                )
            self._check_beside(stake)

    def _check_beside(self, stake: SideStake) -> None:
        """What must stand beside a side bet does so whenever it is made (SIDE-3)."""
        bet = self.rules.side_bets[stake.wager]
        made = {other.wager: other for other in self.sides}
        if bet.needs is not None and (bet.needs not in made or made[bet.needs].from_count > stake.from_count):
            raise MalformedInput(
                f"{stake.wager} needs {bet.needs} on the same hand ({bet.clause}); make it too, from a count "
                f"of {stake.from_count} or less: {bet.needs}@{stake.from_count}"
            )
        from_place = min(max(stake.from_count, LOWEST), HIGHEST) - LOWEST
        if bet.at_most is not None:
            other = made.get(bet.at_most)
            most = min(self.ramp[from_place:]) if other is None else other.units
            if stake.units > most:
                raise MalformedInput(
                    f"{stake.wager} is at most the {bet.at_most} wager ({bet.clause}), which is {most} unit"
                    f"{'s' * (most != 1)} there, not {stake.units}"
                )

    @property
    def rules(self) -> TwentyOneRules:
        return _rules(self.rules_text)

    @property
    def identity(self) -> str:
        """A digest that two jobs share if and only if they play the same rounds."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    @property
    def rounds_per_batch(self) -> int:
        return ROUNDS_PER_BATCH

    @property
    def prepared(self) -> PreparedCounter:
        return _prepared(self)

    def sums(self, tally: Tally) -> CounterSums:
        """The parts of a tally."""
        bins, lines, totals = np.split(tally, np.cumsum([BINS * SUMS, len(self.sides) * MOST_LINES]))
        return CounterSums(bins.reshape(BINS, SUMS), lines.reshape(len(self.sides), MOST_LINES), totals)

    def precision(self, tally: Tally) -> tuple[float, float]:
        """Units won by a round seen, and the standard error."""
        bins, parts = self.sums(tally).bins, self.prepared.parts
        rounds = int(bins[:, counter.SEEN].sum())
        mean = int(bins[:, counter.MONEY].sum()) / rounds / parts
        square = int(bins[:, counter.MONEY_SQUARED].sum()) / rounds / parts**2
        return mean, float(np.sqrt(max(square - mean**2, 0.0) / rounds))

    def __call__(self, batch: int, rounds: int) -> Tally:
        """Play one batch: its own streams, the last perhaps with fewer rounds."""
        prepared = self.prepared
        per_stream = rounds_per_stream(rounds)
        lanes = len(per_stream)
        states = stream_states(seed_key(self.seed), batch * STREAMS_PER_BATCH, lanes).reshape(-1)
        tally = np.zeros(BINS * SUMS + len(self.sides) * MOST_LINES + TOTALS, np.int64)
        self.play(prepared, per_stream, states, np.tile(prepared.cards, lanes), tally)
        return tally

    def play(
        self,
        prepared: PreparedCounter,
        rounds: NDArray[np.int64],
        states: NDArray[np.uint32],
        shoes: NDArray[np.uint8],
        tally: Tally,
        trace: NDArray[np.int64] | None = None,
    ) -> None:
        """Play `rounds[lane]` rounds of each lane from its stream and its shoe."""
        sums = self.sums(tally)
        lanes = len(rounds)
        play_counting(
            rounds,
            self.spots,
            self.others,
            prepared.game,
            states,
            shoes,
            new_marks(lanes),
            Room.of(1),
            sums.bins,
            sums.side_lines,
            np.zeros((max(1, len(self.sides)), MOST_LINES), np.int64),
            sums.totals,
            np.zeros((0, len(counter.TRACE)), np.int64) if trace is None else trace,
        )

    def traced(self, rounds: int) -> NDArray[np.int64]:
        """[round played, what of `TRACE`]: the first stream's rounds; all others stay nothing."""
        prepared = self.prepared
        trace = np.zeros((rounds, len(counter.TRACE)), np.int64)
        tally = np.zeros(BINS * SUMS + len(self.sides) * MOST_LINES + TOTALS, np.int64)
        states = stream_states(seed_key(self.seed), 0, 1).reshape(-1)
        self.play(prepared, np.array([rounds], np.int64), states, prepared.cards.copy(), tally, trace)
        return trace


class CounterSums(NamedTuple):
    """What was added up."""

    bins: NDArray[np.int64]
    """[count − LOWEST, what]"""
    side_lines: NDArray[np.int64]
    """[side bet, line]: rounds, of those in which the bet was made."""
    totals: NDArray[np.int64]
    """Shoes, dead rounds."""


@dataclass(frozen=True, eq=False)
class PreparedCounter:
    """A job made ready to play on this machine."""

    automaton: Automaton
    tables: CountTables
    game: CountGame
    cards: NDArray[np.uint8]
    parts: int
    """Parts of money in a unit wagered."""
    running_parts: int
    """Parts of the running count in 1."""
    nets: tuple[tuple[Fraction, ...], ...]
    """Of each side bet, what its lines win for a unit."""


@lru_cache(maxsize=16)
def _rules(text: str) -> TwentyOneRules:
    return parse_rules_as(TwentyOneRules, text)


@lru_cache(maxsize=16)
def _prepared(job: CounterJob) -> PreparedCounter:
    rules = job.rules
    assert rules.decks != "infinite"
    automaton = compile_hands(rules)
    actions = np.frombuffer(job.actions, np.int8).reshape(-1, len(automaton.may), len(columns_of(rules)))
    tables = compile_count(automaton, actions)
    cards = shoe_cards(rules)
    stakes = {stake.wager: stake for stake in job.sides}
    bets = {name: bet for name, bet in simulated_sides(rules).items() if name in stakes}
    require_no_further_cards(bets, "a player who counts")
    nets = tuple(tuple(stakes[name].nets(rules)) for name in bets)
    staked = [stakes[name].units_staked(rules) for name in bets]
    won = [[net * units for net in some] for some, units in zip(nets, staked, strict=True)]
    insurance = [[net / 2 for net in row] for row in insurance_nets(rules)]
    parts = lcm(tables.unit, *(net.denominator for some in (*won, *insurance) for net in some))
    side_nets = np.zeros((len(bets), MOST_LINES), np.int64)
    for row, some in enumerate(won):
        side_nets[row, : len(some)] = [int(net * parts) for net in some]
    reckoning, deck_size = job.reckoning, len(cards) // rules.decks
    running_parts = reckoning.parts(deck_size)
    row_of = 1 + np.searchsorted(job.bands, np.arange(LOWEST, HIGHEST + 1), side="right")
    kind = CountGame if rules.hole_card == "dealt" else OtherCountGame
    game = kind.of(
        tables,
        side_tables(bets.values(), hits_soft_17=rules.dealer_hits_soft_17),
        cards=np.uint64(len(cards)),
        plan=job.dealing.plan(len(cards)),
        tags=np.array([int(tag * running_parts) for tag in reckoning.tags], np.int64),
        start=int(reckoning.start * running_parts),
        inverse=reckoning.inverse(len(cards), deck_size),
        rounding=ROUNDINGS[reckoning.rounding],
        row_of=np.asarray(row_of, np.int64),
        ramp=np.array(job.ramp, np.int64),
        enter=job.enter,
        leave=job.leave,
        insure_from=job.insure_from,
        cover=job.cover or 0,
        parts=parts // tables.unit,
        insurable=~automaton.settled[tables.pairs] | rules.insurance.on_paid_blackjack,
        insurance=np.array([[int(net * parts) for net in row] for row in insurance], np.int64),
        side_from=np.array([stakes[name].from_count for name in bets], np.int64),
        side_nets=side_nets,
    )
    return PreparedCounter(automaton, tables, game, cards, parts, running_parts, nets)


def tags_of_cards(by_letter: dict[str, Fraction]) -> tuple[Fraction, ...]:
    """The tag of each of the 52 cards, from tags by the letter of a rank."""
    return tuple(by_letter["T" if card.value == 10 else card.rank.letter] for card in CARDS)
