"""Knockout 52 by the billion: a game draws its cards as it deals them, and no more than it needs.

Each card is swapped to its space from a place not yet dealt, so every game shuffles as far as it deals, and
the deck it leaves is as good a start for the next as a sorted one. Four places come from one 64-bit word,
each the high half of a wide product whose low half goes on to the next; a word that would favour some places
is refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numba import njit
from numpy.typing import NDArray

from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.sim.batches import Progress, Tally, add_batches
from cardroom.sim.random import Stream, multiply_wide, next_word, stream
from cardroom.sim.result import Estimate, SimulationResult

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


def simulate(
    rules: Knockout52Rules, rounds: int, *, seed: int, workers: int = 1, progress: Progress | None = None
) -> SimulationResult:
    """Play `rounds` games; each wager's estimate is for a unit staked on it in every game."""
    game = CompiledGame.of(rules)

    def play(batch: int, games: int) -> Tally:
        ended = np.zeros(len(game.faces) + 1, dtype=np.int64)
        game.play(games, stream(seed, batch), game.deck.copy(), ended)
        return ended

    ended = add_batches(play, rounds, workers, progress)
    layout = rules.layout
    ends = [int(ended[row * layout.ranks : (row + 1) * layout.ranks].sum()) for row in range(layout.rows)]
    wins = dict(zip(layout.wagers, [*ends, int(ended[layout.spaces :].sum())], strict=True))
    estimates = tuple(
        Estimate(wager, ((Fraction(-1), rounds - won), (rules.odds_of(wager).ratio, won)))
        for wager, won in wins.items()
    )
    return SimulationResult(rules.game, rules.rules_hash, rounds, seed, estimates)
