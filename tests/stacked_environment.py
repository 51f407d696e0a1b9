"""An environment that deals the cards that a test wants."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.core.cards import CARDS, Card
from cardroom.envs.twentyone import TwentyOneEnv


class Stacked(TwentyOneEnv):
    """Deals these cards first: by a stream of zeros a shoe comes out in the order in which it lies."""

    first: Sequence[Card] = ()

    def _seed(self, stream: int) -> None:
        super()._seed(stream)
        rest = [CARDS[index] for index in self.options.cards]
        for card in self.first:
            rest.remove(card)
        self._lanes.shoes[:] = [card.index for card in (*self.first, *rest)]
        self._lanes.streams[:] = 0
