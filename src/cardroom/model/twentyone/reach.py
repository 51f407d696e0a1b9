"""Which hands can come to be decided: by the cards of a shoe, and by what a strategy itself does."""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.decks import CardCounts
from cardroom.model.twentyone.automaton import NONE, NUMBER_OF, START, Automaton
from cardroom.model.twentyone.columns import NO_COLUMN, columns_of
from cardroom.rules.twentyone.law import Action

Columns = NDArray[np.bool_]
"""[column of a strategy]."""
_TEN: Final = 10
_PAIR_AND_ITS_SPLIT: Final = 2


def hands_that_come(
    automaton: Automaton, action: NDArray[np.int8], shoe: CardCounts | None = None
) -> NDArray[np.bool_]:
    """[state, column]: hands that a strategy comes to with the cards of a shoe.

    How many there are of a card is not looked at. Where the strategy says nothing, nothing follows.
    """
    return _Reach(automaton, action, automaton.rules.shoe() if shoe is None else shoe).come


class _Reach:
    def __init__(self, automaton: Automaton, action: NDArray[np.int8], shoe: CardCounts) -> None:
        self.automaton, self.action = automaton, action
        self.cards = {automaton.classes.of_card[card.index]: card for card in CARDS if shoe[card]}.values()
        columns = columns_of(automaton.rules)
        self.come = np.zeros((len(automaton.hands), len(columns)), np.bool_)
        self.waiting: list[int] = []
        ups = np.zeros(len(columns), np.bool_)
        values = {card.value for card in self.cards}
        for seen in product(values, repeat=columns.cards):
            if (place := columns.place(*seen)) != NO_COLUMN:
                ups[place] = True
        for first in self.cards:
            for state in self._with_a_card(int(automaton.next[START, first.index])):
                self._reach(state, ups)
        while self.waiting:
            self._go_on_from(self.waiting.pop())

    def _with_a_card(self, state: int) -> set[int]:
        return {int(self.automaton.next[state, card.index]) for card in self.cards}

    def _reach(self, state: int, columns: Columns) -> None:
        if (columns & ~self.come[state]).any():
            self.come[state] |= columns
            self.waiting.append(state)

    def _taken(self, state: int, kind: Action, columns: Columns) -> Columns:
        """The up cards against which an action is taken."""
        taken: Columns = columns & (self.action[state] == NUMBER_OF[kind])
        return taken

    def _go_on_from(self, state: int) -> None:
        if not self.automaton.may[state]:
            return
        columns = self.come[state]
        hit, double, split = (
            self._taken(state, kind, columns) for kind in (Action.HIT, Action.DOUBLE, Action.SPLIT)
        )
        gets = [(state, hit)] if hit.any() else []
        if double.any() and self.automaton.doubled[state] != NONE:
            gets.append((int(self.automaton.doubled[state]), double))
        for before, taken in gets:
            for after in self._with_a_card(before):
                self._reach(after, taken)
        if split.any():
            self._go_on_from_split(state, split)

    def _go_on_from_split(self, pair: int, columns: Columns) -> None:
        """Both hands get a second card; one that is split again may at last find no room."""
        automaton = self.automaton
        again = automaton.rules.split.max_hands > _PAIR_AND_ITS_SPLIT
        for card in self.cards:
            if card.value != min(automaton.hands[pair].pair, _TEN):
                continue
            for state in self._with_a_card(int(automaton.split_hand[card.index])):
                if again:
                    self._reach(state, columns)
                full = self._taken(state, Action.SPLIT, columns) if again else columns
                if full.any():
                    self._reach(int(automaton.unpaired[state]), full)
