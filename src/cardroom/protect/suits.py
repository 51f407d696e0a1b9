"""A count of suits: how far the longest suit of what is left is ahead of the shortest, for flushes."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.protect.paths import Paths
from cardroom.protect.worth import side_worth

_SUIT = np.array([int(card.suit) for card in CARDS])


@dataclass(frozen=True, slots=True)
class SuitCount:
    """A side bet made from a count of suits on, by the exact values of the rounds in which it was made."""

    rounds: int
    share: float
    share_error: float
    edge: float
    edge_error: float
    win_per_100: float
    """Units for 100 rounds seen."""
    win_error: float


def suit_counts(paths: Paths) -> NDArray[np.float64]:
    """[round]: cards of the longest suit less those of the shortest, for each deck that is left."""
    by_suit = np.stack([paths.left[:, suit == _SUIT].sum(axis=1) for suit in range(4)], axis=1)
    ahead = by_suit.max(axis=1) - by_suit.min(axis=1)
    return np.asarray(ahead * len(CARDS) / paths.unseen)


def play_suit_count(paths: Paths, wager: str, from_count: float) -> SuitCount:
    """Errors are from how shoes differ."""
    made = suit_counts(paths) >= from_count
    value = np.zeros(len(made))
    value[made] = side_worth(paths.only(made), wager).value
    shoes = len(paths.cards)
    rounds = np.bincount(paths.shoe, minlength=shoes)
    bets = np.asarray(np.bincount(paths.shoe, weights=made, minlength=shoes), np.float64)
    won = np.asarray(np.bincount(paths.shoe, weights=made * value, minlength=shoes), np.float64)
    share, win = float(bets.sum() / rounds.sum()), float(won.sum() / rounds.sum())
    edge = float(won.sum() / bets.sum()) if bets.any() else 0.0

    def error(sums: NDArray[np.float64], ratio: float, base: NDArray[np.float64]) -> float:
        return sqrt(float(np.square(sums - ratio * base).sum())) / max(1.0, float(base.sum()))

    return SuitCount(
        int(rounds.sum()),
        share,
        error(bets, share, rounds.astype(float)),
        edge,
        error(won, edge, bets),
        100 * win,
        100 * error(won, win, rounds.astype(float)),
    )
