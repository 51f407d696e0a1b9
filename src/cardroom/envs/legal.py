"""A space of actions that knows which of them are allowed now."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

Mask = NDArray[np.int8]
"""[action]: 1 where it is allowed, else 0; what `Discrete.sample` takes as a mask."""


class LegalActions(spaces.Discrete[np.int64]):
    """Numbered actions; without a mask of its own, `sample` draws one that is allowed now.

    >>> actions = LegalActions(3)
    >>> actions.legal[1] = 1
    >>> int(actions.sample())
    1
    """

    legal: Mask

    def __init__(self, actions: int, *, first: int = 0) -> None:
        super().__init__(actions)
        self.legal = np.zeros(actions, np.int8)
        self.first = first
        """What is drawn while no state is known: an action that every first state allows."""

    def seed(self, seed: Any = None) -> Any:
        """Begin anew: until the next state is shown, `sample` draws the first action.

        A draw between a seed and a reset is for a state that nobody knows yet.
        """
        self.legal = np.zeros(int(self.n), np.int8)
        return super().seed(seed)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Draw an action; the first one where none is allowed."""
        if probability is not None or mask is not None:
            return super().sample(mask, probability)
        return super().sample(self.legal) if self.legal.any() else np.int64(self.first)
