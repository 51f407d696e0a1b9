"""What is left of a shoe when some of its cards have been dealt, drawn at random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class ShoeDraws:
    """Draws of one seed, in order."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def number(self, first: int, end: int) -> int:
        """A number from the first up to, and not with, the end; each as likely."""
        return int(self._random.integers(first, end))

    def left(self, counts: Sequence[int], cards: int, times: int = 1) -> NDArray[np.int64]:
        """[time, kind of card]: so many cards of a shoe, each set of them as likely."""
        drawn: NDArray[np.int64] = self._random.multivariate_hypergeometric(
            counts, cards, size=times, method="marginals"
        )
        return drawn

    def orders(self, cards: NDArray[np.uint8], times: int) -> NDArray[np.uint8]:
        """[time, place]: the cards of a shoe shuffled anew each time."""
        return np.asarray(self._random.permuted(np.tile(cards, (times, 1)), axis=1), np.uint8)

    def numbers(self, first: int, end: int, times: int) -> NDArray[np.int64]:
        """So many numbers at once."""
        return np.asarray(self._random.integers(first, end, times), np.int64)
