"""One simulation of the blackjack family as data: what a batch needs, and what it counts."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.model.twentyone.automaton import Automaton, compile_hands
from cardroom.rules import parse_rules_as
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.batches import ROUNDS_PER_BATCH, Tally
from cardroom.sim.twentyone.dealing import Dealing, new_marks, shoe_cards
from cardroom.sim.twentyone.insurance import insured_lines
from cardroom.sim.twentyone.kernel import (
    ACES_UP,
    COUNTERS,
    MOST_SPOTS,
    Game,
    Room,
    Tallies,
    play_rounds,
    play_waves,
)
from cardroom.sim.twentyone.sides import MOST_LINES, side_tables, simulated_sides
from cardroom.sim.twentyone.stream import ROUNDS_PER_STREAM, seed_key, stream_states
from cardroom.sim.twentyone.tables import UP_VALUES, PlayTables, compile_play

STREAMS_PER_BATCH: Final = ROUNDS_PER_BATCH // ROUNDS_PER_STREAM
MOST_UNITS: Final = 10**6
"""The largest win of a round in units that a tally has room for."""


@dataclass(frozen=True, slots=True)
class Job:
    """Rules, strategy, dealing and seed; calling it plays one batch."""

    rules_text: str
    actions: bytes
    """The strategy's table `action[state, column]`, row by row."""
    seed: int
    dealing: Dealing
    spots: int = 1
    side_bets: bool = True
    wager_cents: int | None = None
    """The primary wager, rounded and capped as the house does; None: any wager, paid in full."""
    side_cents: int | None = None
    """The stake of each side bet, likewise."""

    @classmethod
    def of(
        cls,
        rules: TwentyOneRules,
        actions: NDArray[np.int8],
        *,
        seed: int,
        dealing: Dealing,
        spots: int = 1,
        side_bets: bool = True,
        wager_cents: int | None = None,
        side_cents: int | None = None,
    ) -> Job:
        if not 1 <= spots <= min(MOST_SPOTS, rules.procedure.spots):
            raise MalformedInput(
                f"{spots} spots are not allowed; allowed: 1 to {min(MOST_SPOTS, rules.procedure.spots)}"
            )
        if side_bets:
            simulated_sides(rules)  # refuses bets that cannot be simulated
        return cls(
            rules.canonical_text(),
            actions.tobytes(),
            seed,
            dealing,
            spots,
            side_bets,
            wager_cents,
            side_cents,
        )

    @property
    def identity(self) -> str:
        """A digest that two jobs share if and only if they play the same rounds."""
        return hashlib.sha256(repr(self).encode()).hexdigest()

    @property
    def prepared(self) -> Prepared:
        return _prepared(self)

    @property
    def rounds_per_batch(self) -> int:
        return ROUNDS_PER_BATCH

    def precision(self, tally: Tally) -> tuple[float, float]:
        """The mean result of the primary wager, and its standard error."""
        prepared = self.prepared
        nets = prepared.tallies(tally).nets.sum(axis=0)
        scale = prepared.tables.unit * prepared.spots
        results = (np.arange(nets.size) - nets.size // 2) / scale
        rounds = int(nets.sum())
        mean = float(nets @ results) / rounds
        variance = float(nets @ (results - mean) ** 2) / (rounds - 1)
        return mean, float(np.sqrt(variance / rounds))

    def __call__(self, batch: int, rounds: int) -> Tally:
        """Play one batch: its own streams, `ROUNDS_PER_STREAM` rounds each, the last perhaps fewer."""
        prepared = self.prepared
        per_stream = rounds_per_stream(rounds)
        lanes = len(per_stream)
        states = stream_states(seed_key(self.seed), batch * STREAMS_PER_BATCH, lanes).reshape(-1)
        shoes = prepared.cards.copy() if prepared.game.infinite else np.tile(prepared.cards, lanes)
        tally = np.zeros(prepared.tally_size, np.int64)
        room, tallies = Room.of(lanes), prepared.tallies(tally)
        if prepared.in_waves:
            play_waves(per_stream, prepared.game, states, shoes, new_marks(lanes), room, tallies)
        else:
            play_rounds(per_stream, self.spots, prepared.game, states, shoes, new_marks(lanes), room, tallies)
        return tally


@dataclass(frozen=True, eq=False)
class Prepared:
    """A job made ready to play on this machine: tables compiled, places of the tally known."""

    rules: TwentyOneRules
    automaton: Automaton
    tables: PlayTables
    game: Game
    cards: NDArray[np.uint8]
    spots: int

    @property
    def in_waves(self) -> bool:
        """Whether the fast kernel plays it: one spot, no side bet followed card by card, …"""
        return self.spots == 1 and self.game.in_waves and not len(self.game.machine_start)

    @property
    def results(self) -> int:
        """How many results, in units, a round may have."""
        return 2 * self.tables.most_units * self.spots + 1

    @property
    def sides(self) -> int:
        game = self.game
        return len(game.lines_of_three) + len(game.lines_of_four) + len(game.machine_start)

    @property
    def counters(self) -> int:
        """How many things are counted besides results: more where insurance has lines of the house's own."""
        return max(COUNTERS, ACES_UP + 1 + len(self.rules.insurance.paytable))

    @property
    def tally_size(self) -> int:
        return UP_VALUES * self.results + self.counters + self.sides * MOST_LINES

    def tallies(self, tally: Tally) -> Tallies:
        """The parts of a tally, as kernels write and readers read them."""
        nets, counters, lines = np.split(tally, np.cumsum([UP_VALUES * self.results, self.counters]))
        return Tallies(nets.reshape(UP_VALUES, self.results), counters, lines.reshape(self.sides, MOST_LINES))


def rounds_per_stream(rounds: int) -> NDArray[np.int64]:
    """The rounds of each stream of a batch, most first."""
    full, rest = divmod(rounds, ROUNDS_PER_STREAM)
    return np.array([ROUNDS_PER_STREAM] * full + [rest] * (rest > 0), np.int64)


@lru_cache(maxsize=8)
def _prepared(job: Job) -> Prepared:
    rules = parse_rules_as(TwentyOneRules, job.rules_text)
    automaton = compile_hands(rules, job.wager_cents)
    actions = np.frombuffer(job.actions, np.int8).reshape(len(automaton.may), -1)
    tables = compile_play(automaton, actions)
    if tables.most_units * job.spots > MOST_UNITS:
        raise MalformedInput(
            "a wager of this size has too many different results to be counted; simulate a rounder one"
        )
    cards = shoe_cards(rules)
    infinite = rules.decks == "infinite"
    dealing = Dealing.fresh() if infinite else job.dealing
    game = Game.of(
        tables,
        insured=insured_lines(rules),
        cards=len(cards),
        infinite=infinite,
        plan=dealing.plan(len(cards)),
        sides=side_tables(
            simulated_sides(rules).values() if job.side_bets else [], hits_soft_17=rules.dealer_hits_soft_17
        ),
    )
    return Prepared(rules, automaton, tables, game, cards, job.spots)
