"""What it is worth to wait for a good draw: Game 2's first cards are printed before anybody buys (KO21-1.5).

All tickets of a draw have the same first cards, so good ones make more winners and smaller shares; what a
waiting buyer can gain comes from the least and the greatest share alone, and from Lucky Losers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from cardroom.core.errors import MalformedInput
from cardroom.exact.knockout21.chain import EXACT_TICKETS, Floats, chain, matrix_size
from cardroom.exact.knockout21.chances import hand_classes, value_chance
from cardroom.exact.knockout21.draw_figures import picture, prizes_by_winners
from cardroom.rules.knockout21 import HANDS_OF_GAME, Knockout21Rules
from cardroom.rules.knockout21.law import VALUES

_NAMES: Final = "A23456789T"


@dataclass(frozen=True)
class Waiting:
    """The return of a ticket by the dealer's first cards of Game 2, for a draw of some tickets."""

    tickets: int
    returns: Floats
    """[value − 1 of each first card, in order]: what a ticket gets back of its price, all games together."""
    chances: Floats
    """[the same]: how often these first cards lie there."""

    @cached_property
    def _best_first(self) -> tuple[Floats, Floats]:
        order = np.argsort(-self.returns, axis=None, kind="stable")
        return self.returns.ravel()[order], np.cumsum(self.chances.ravel()[order])

    @property
    def blind_return(self) -> float:
        """The return of a buyer who takes every draw."""
        return float((self.returns * self.chances).sum())

    def return_of_best(self, share: float) -> float:
        """The return of a buyer who takes only the best draws, this share of all."""
        returns, taken = self._best_first
        weights = np.diff(np.minimum(taken, share), prepend=0.0)
        return float(returns @ weights) / share

    @property
    def favourable(self) -> float:
        """How often a draw gives back more than its price."""
        return float(self.chances[self.returns > 1].sum())

    def first_cards(self, *, best: bool) -> tuple[str, float]:
        """The best or the worst first cards, such as `66665`, and their return."""
        at = int(self.returns.argmax() if best else self.returns.argmin())
        values = np.unravel_index(at, self.returns.shape)
        return "".join(_NAMES[value] for value in values), float(self.returns[values])

    def to_json(self) -> dict[str, Any]:
        cards = {name: self.first_cards(best=name == "best") for name in ("best", "worst")}
        return {
            "tickets": self.tickets,
            "blind_return": self.blind_return,
            "return_of_best_tenth": self.return_of_best(0.1),
            "return_of_best_hundredth": self.return_of_best(0.01),
            "favourable_chance": self.favourable,
            **{name: {"first_cards": text, "return": value} for name, (text, value) in cards.items()},
        }


def waiting(rules: Knockout21Rules, *, tickets: int) -> Waiting:
    """The return for every sequence of first cards, when this many tickets take part whatever they are."""
    if not 1 <= tickets <= EXACT_TICKETS:
        raise MalformedInput(f"waiting is worked out for 1 to {EXACT_TICKETS} tickets, not {tickets}")
    size = matrix_size(tickets)
    steps = [chain(hand_classes(rules.game_1_hit, 2, first), size).matrix for first in VALUES]
    paid = np.zeros(size + 1)
    paid[: tickets + 1] = np.arange(tickets + 1) * prizes_by_winners(rules, 2, tickets)
    in_game = np.zeros((1, size + 1))
    in_game[0, tickets] = 1.0
    hands = len(HANDS_OF_GAME[2])
    for _ in range(hands - 1):
        in_game = np.stack([in_game @ step for step in steps], axis=1).reshape(-1, size + 1)
    expected = in_game @ np.stack([step @ paid for step in steps], axis=1)
    # Games 1 and 3 do not look at these cards.
    others = sum(game.per_ticket_cents for game in picture(rules, tickets=tickets).games if game.game != 2)
    returns = (expected / tickets + others) / rules.ticket_price_cents
    weights = np.array([float(value_chance(value)) for value in VALUES])
    chances = weights
    for _ in range(hands - 1):
        chances = np.multiply.outer(chances, weights)
    return Waiting(tickets, returns.reshape((len(VALUES),) * hands), chances)
