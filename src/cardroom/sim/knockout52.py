"""Knockout 52 by the billion: a game draws its cards as it deals them, and no more than it needs.

Each card is swapped to its space from a place not yet dealt, so every game shuffles as far as it deals, and
the deck it leaves is as good a start for the next as a sorted one. Four places come from one 64-bit word,
each the high half of a wide product whose low half goes on to the next; a word that would favour some places
is refused.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.sim.batches import ROUNDS_PER_BATCH, Tally, threads
from cardroom.sim.compiled import njit
from cardroom.sim.random import Stream, multiply_wide, next_word, stream
from cardroom.sim.result import Estimate, SimulationResult
from cardroom.sim.run import Progress, Run, Sum

CARDS_PER_WORD: Final = 4
_NO_RANK: Final = 255


@dataclass(frozen=True, slots=True)
class CompiledGame:
    """The rules as arrays, padded so that the last group of four cards may reach past the last space."""

    deck: NDArray[np.uint8]
    """The rank of every card in the shoe."""
    faces: NDArray[np.uint8]
    """The rank of every space."""
    cards_left: NDArray[np.uint64]
    """How many cards can come on each space."""
    refused_below: NDArray[np.uint64]
    """For each group of four spaces, what the rest of a word must reach for its four draws to be even."""

    @classmethod
    def of(cls, rules: Knockout52Rules) -> CompiledGame:
        layout = rules.layout
        groups = -(-layout.spaces // CARDS_PER_WORD)
        spaces = groups * CARDS_PER_WORD
        ranks = np.repeat(np.arange(1, layout.ranks + 1, dtype=np.uint8), rules.cards_per_rank)
        deck = np.zeros(max(len(ranks), spaces), dtype=np.uint8)
        deck[: len(ranks)] = ranks
        faces = np.full(spaces, _NO_RANK, dtype=np.uint8)
        faces[: layout.spaces] = [layout.rank_of_space(space) for space in range(layout.spaces)]
        left = [max(1, len(ranks) - space) for space in range(spaces)]
        refused = [2**64 % math.prod(left[i : i + CARDS_PER_WORD]) for i in range(0, spaces, CARDS_PER_WORD)]
        return cls(deck, faces, np.array(left, dtype=np.uint64), np.array(refused, dtype=np.uint64))

    def play(self, games: int, stream: Stream, deck: NDArray[np.uint8], ended: Tally) -> None:
        """Play games on this deck, which is left as the last one left it: its cards at the head."""
        play_games(games, stream, deck, self.faces, self.cards_left, self.refused_below, ended)


@njit(cache=True, inline="always")
def _matches(deck: Any, faces: Any, space: Any, place: Any) -> Any:
    """Deal the card that lies `place` cards on from a space, and see whether it matches."""
    source = space + np.int64(place)
    card = deck[source]
    deck[source] = deck[space]
    deck[space] = card
    return card == faces[space]


@njit(cache=True, nogil=True)
def play_games(
    games: Any, stream: Any, deck: Any, faces: Any, cards_left: Any, refused_below: Any, ended: Any
) -> None:
    """Play games from a stream, and count in `ended` the space on which each ended."""
    a, b, c, d = stream
    for _ in range(games):
        space = 0
        for group in range(refused_below.size):
            space = group * CARDS_PER_WORD
            while True:
                word, a, b, c, d = next_word(a, b, c, d)
                first, word = multiply_wide(word, cards_left[space])
                second, word = multiply_wide(word, cards_left[space + 1])
                third, word = multiply_wide(word, cards_left[space + 2])
                fourth, word = multiply_wide(word, cards_left[space + 3])
                if word >= refused_below[group]:
                    break
            if _matches(deck, faces, space, first):
                break
            space += 1
            if _matches(deck, faces, space, second):
                break
            space += 1
            if _matches(deck, faces, space, third):
                break
            space += 1
            if _matches(deck, faces, space, fourth):
                break
            space += 1
        ended[space] += 1
    stream[0], stream[1], stream[2], stream[3] = a, b, c, d


@dataclass(frozen=True, slots=True)
class Knockout52Job:
    """Rules and seed; calling it plays one batch. A tally counts the games that ended on each space."""

    rules: Knockout52Rules
    seed: int
    stake_cents: int | None = None
    """A stake that is paid as the house rounds it; None: any stake, paid in full."""

    @property
    def identity(self) -> str:
        """A digest that two jobs share if and only if they play the same games."""
        return hashlib.sha256(f"{self.rules.canonical_text()} {self.seed}".encode()).hexdigest()

    @property
    def rounds_per_batch(self) -> int:
        return ROUNDS_PER_BATCH

    def __call__(self, batch: int, rounds: int) -> Tally:
        game = CompiledGame.of(self.rules)
        ended = np.zeros(len(game.faces) + 1, dtype=np.int64)
        game.play(rounds, stream(self.seed, batch), game.deck.copy(), ended)
        return ended

    def precision(self, tally: Tally) -> tuple[float, float]:
        """Of the wager whose mean is known least well."""
        least_known = max(self.estimates(tally), key=lambda estimate: estimate.standard_error)
        return float(least_known.mean), least_known.standard_error

    def estimates(self, tally: Tally) -> tuple[Estimate, ...]:
        """Each wager for a unit of the stake on it in every game."""
        rules = self.rules
        layout, rounds = rules.layout, int(tally.sum())
        ends = [int(tally[row * layout.ranks : (row + 1) * layout.ranks].sum()) for row in range(layout.rows)]
        wins = dict(zip(layout.wagers, [*ends, int(tally[layout.spaces :].sum())], strict=True))
        return tuple(
            Estimate(wager, ((Fraction(-1), rounds - won), (rules.pays_on(wager, self.stake_cents), won)))
            for wager, won in wins.items()
        )

    def report(self, added: Sum) -> SimulationResult:
        """The figures of what was added up."""
        return SimulationResult(
            self.rules.game,
            self.rules.rules_hash,
            added.rounds,
            self.seed,
            self.estimates(added.tally),
            {"wager_cents": self.stake_cents, "interrupted": added.interrupted},
        )


def simulate(
    rules: Knockout52Rules,
    rounds: int,
    *,
    seed: int,
    stake_cents: int | None = None,
    workers: int = 1,
    progress: Progress | None = None,
) -> SimulationResult:
    """Play `rounds` games by threads of this process."""
    job = Knockout52Job(rules, seed, stake_cents)
    return job.report(Run(rounds, spread=threads(workers), progress=progress).of(job))
