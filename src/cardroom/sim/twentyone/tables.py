"""A game and a strategy compiled to the few integer tables that every kernel, on CPU and GPU, plays from.

The automaton knows everything a hand can become; the strategy picks one action at each point. What is left
is a table: the hand so far and the next card give the next point, or the end of the hand. No kernel knows a
rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput
from cardroom.model.twentyone.automaton import ACTIONS, FINALS, NUMBER_OF, START, Automaton
from cardroom.model.twentyone.columns import BOTH_CARDS, Columns, columns_of
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.law import Action
from cardroom.rules.twentyone.schema import TwentyOneRules

UP_VALUES: Final = 10
"""Up cards by value: ace, 2 … 9, ten-valued."""
SPLIT: Final = -1
"""A point at which the hand is split."""
NO_HAND: Final = 0
"""What stands for a dealer's hand where there is none such."""
DEALER_BLACKJACK: Final = FINALS.index("blackjack")
_MOST_POINTS: Final = np.iinfo(np.int16).max - 1


@dataclass(frozen=True, eq=False)
class PlayTables:
    """A game with its strategy. A *point* is SPLIT, a hand that takes a card, or (from `ends` on) an end."""

    unit: int
    """How many units the original wager is."""
    ends: int
    """Points from this number on are ends of a hand: `point - ends` is a row of `pay`."""
    deal: NDArray[np.int16]
    """[first card, second card, column]: the point of the first two cards."""
    looked: NDArray[np.int16]
    """[first card, second card]: their end when the dealer's look shows a blackjack."""
    take: NDArray[np.int16]
    """[point, card]: the point after the card."""
    split_deal: NDArray[np.int16]
    """[room for another hand, split card, second card, column]: the point of a hand after a split."""
    pay: NDArray[np.int32]
    """[end, dealer's final]: the result in units."""
    stake: NDArray[np.int32]
    """[end]: the whole wager on the hand, in units."""
    needs_dealer: NDArray[np.bool_]
    """[end]: the dealer must play for it."""
    super_bonus: NDArray[np.bool_]
    """[end, up value]: the hand has won the Super Bonus against that up card."""
    dealer_start: NDArray[np.int8]
    """[up value, hole card]: the dealer's hand, or `-1 - final` where it stands."""
    dealer_take: NDArray[np.int8]
    """[dealer's hand, card]: the same after a card."""
    has_hole: bool
    """Whether the dealer has a hole card, or draws the second one after the players (21-1.19)."""
    looks: bool
    """Whether a dealer's blackjack is known before anybody plays."""
    original_only: bool
    """Whether such a blackjack, where it is not, takes the original wagers only (21-1.26)."""
    dealer_alone: NDArray[np.int8]
    """[up value]: the dealer's hand of the up card alone, where there is no hole card."""
    column_of: NDArray[np.uint8]
    """[up value, hole card]: the column of the strategy, that of the up card alone unless both are seen.

    A blackjack that is seen has none, and nobody asks for it."""
    sees_both: bool
    """Whether both of the dealer's cards are seen before anybody plays (21-1.21)."""
    void: int
    """The end of a hand whose round is dead (21-1.13): nothing won, nothing lost."""
    max_hands: int
    value_of: NDArray[np.uint8]
    """[card]: its value, 0 (ace) … 9 (ten-valued)."""

    @property
    def most_units(self) -> int:
        """No round wins or loses more units than this."""
        return int(np.abs(self.pay).max()) * self.max_hands


def compile_play(automaton: Automaton, actions: NDArray[np.int8]) -> PlayTables:
    """The tables of a game played by `actions[state, column]` (numbers of `ACTIONS`)."""
    return _Compiler(automaton, actions).tables()


class _Compiler:
    def __init__(self, automaton: Automaton, actions: NDArray[np.int8]) -> None:
        self.automaton = automaton
        self.actions = actions
        self.nodes: list[tuple[int, int]] = []
        """[point]: the state that takes a card, and the column."""
        self.point_of: dict[tuple[int, int], int] = {}
        """The same the other way round."""
        self.columns = columns_of(automaton.rules)
        self.has_hole = automaton.rules.hole_card != "none"
        self.looks = not automaton.rules.second_card_waits
        self.met = DEALER_BLACKJACK if self.looks else len(FINALS)
        """Finals before this one are met by hands that were played: after a look there is no blackjack."""
        self.ends: dict[tuple[tuple[int, ...], int, tuple[bool, ...]], int] = {}
        """(pays, stake, Super Bonus) → end."""
        self.known: dict[tuple[int, int, bool], int] = {}
        """(state, column, room for another hand) → point: many cards lead to one state."""

    def tables(self) -> PlayTables:
        automaton, cards = self.automaton, range(len(CARDS))
        first = automaton.next[START]
        # Points are written with ends below SPLIT until the number of nodes is known.
        deal = np.array(
            [[self._points(after, room=True) for after in automaton.next[first[a]].tolist()] for a in cards],
            np.int32,
        )
        hands = automaton.split_hand
        split_deal = np.array(
            [
                [
                    [self._points(after, room=room) for after in automaton.next[hands[a]].tolist()]
                    for a in cards
                ]
                for room in (False, True)
            ],
            np.int32,
        )
        take: list[list[int]] = []
        while len(take) < len(self.nodes):
            state, up = self.nodes[len(take)]
            after = automaton.next[state].tolist()
            points = {one: self._point(one, up, room=False) for one in sorted(set(after))}
            take.append([points[one] for one in after])
        nodes = len(take)
        if nodes + len(self.ends) >= _MOST_POINTS:
            raise MalformedInput("the rules have too many different hands to be simulated")

        def numbered(points: NDArray[np.int32]) -> NDArray[np.int16]:
            return np.where(points < SPLIT, nodes + (SPLIT - 1 - points), points).astype(np.int16)

        looked = np.array([[self._looked(int(automaton.next[first[a], b])) for b in cards] for a in cards])
        void = self.ends.setdefault(((0,) * len(FINALS), 0, (False,) * UP_VALUES), len(self.ends))
        pays, stakes, bonus = zip(*self.ends, strict=True)
        start, alone, dealer_take = dealer_tables(automaton.rules)
        return PlayTables(
            unit=automaton.unit,
            ends=nodes,
            deal=numbered(deal),
            looked=numbered(looked.astype(np.int32)),
            take=numbered(np.array(take, np.int32).reshape(nodes, len(CARDS))),
            split_deal=numbered(split_deal),
            pay=np.array(pays, np.int32),
            stake=np.array(stakes, np.int32),
            needs_dealer=np.array([len(set(pay[: self.met])) > 1 for pay in pays]),
            super_bonus=np.array(bonus, np.bool_),
            dealer_start=start,
            dealer_take=dealer_take,
            has_hole=self.has_hole,
            looks=self.looks,
            original_only=automaton.rules.original_only,
            dealer_alone=alone,
            column_of=columns_by_cards(self.columns),
            sees_both=self.columns is BOTH_CARDS,
            void=void,
            max_hands=automaton.rules.split.max_hands,
            value_of=np.array([card.value - 1 for card in CARDS], np.uint8),
        )

    def _points(self, state: int, *, room: bool) -> list[int]:
        return [self._point(state, column, room=room) for column in range(len(self.columns))]

    def _point(self, state: int, up: int, *, room: bool) -> int:
        """The point of a hand after its decision: it takes a card, SPLIT, or an end (below SPLIT)."""
        key = (state, up, room)
        if key not in self.known:
            self.known[key] = self._decided(state, up, room=room)
        return self.known[key]

    def _decided(self, state: int, up: int, *, room: bool) -> int:
        automaton = self.automaton
        if not room:
            state = int(automaton.unpaired[state])
        if not automaton.may[state]:
            return self._end(state, self._pays(automaton.pay[state], up))
        action = ACTIONS[self.actions[state, up]]
        if not automaton.may_against(up)[state] >> NUMBER_OF[action] & 1:
            raise MalformedInput(
                f"the strategy says {action} where the rules allow only {_listed(automaton, state, up)}"
            )
        if action is Action.SPLIT:
            return SPLIT
        if action is Action.HIT:
            return self._node(state, up)
        if action is Action.DOUBLE:
            return self._node(int(automaton.doubled[state]), up)
        if action is Action.STAND:
            return self._end(state, self._pays(automaton.pay[state], up))
        return self._end(state, self._pays(given_up_pays(automaton, action, state), up))

    def _pays(self, pay: NDArray[np.int32], up: int) -> NDArray[np.int32]:
        return pay if self.looks or up + 1 in law.LOOKED_UNDER else pays_without_blackjack(pay)

    def _looked(self, state: int) -> int:
        """The end of the first two cards against a dealer's blackjack, which nobody plays on."""
        return self._end(state, self.automaton.pay[state])

    def _node(self, state: int, up: int) -> int:
        point = self.point_of.setdefault((state, up), len(self.nodes))
        if point == len(self.nodes):
            self.nodes.append((state, up))
        return point

    def _end(self, state: int, pay: NDArray[np.int32]) -> int:
        """An end by what it pays; after the look it waits for the dealer only where totals count."""
        pays = tuple(int(units) for units in pay)
        key = (pays, int(self.automaton.stake[state]), tuple(self.automaton.super_bonus[state].tolist()))
        return SPLIT - 1 - self.ends.setdefault(key, len(self.ends))


def given_up_pays(automaton: Automaton, action: Action, state: int) -> NDArray[np.int32]:
    """[dealer's final]: what a hand is paid that is surrendered or rescued."""
    given_up = automaton.surrender_pay if action is Action.SURRENDER else automaton.rescue_pay[state]
    pays = np.full(len(FINALS), given_up, np.int32)
    if action is Action.SURRENDER and automaton.rules.second_card_waits:
        pays[DEALER_BLACKJACK] = automaton.surrender_blackjack_pay
    elif automaton.rules.original_only:
        pays[DEALER_BLACKJACK] = -automaton.unit
    return pays


def pays_without_blackjack(pay: NDArray[np.int32]) -> NDArray[np.int32]:
    """[dealer's final]: the pays where the up card makes no blackjack, and none has to be waited for."""
    pays = pay.copy()
    pays[DEALER_BLACKJACK] = pays[0]
    return pays


def columns_by_cards(columns: Columns) -> NDArray[np.uint8]:
    """[up value, hole card]: the column of a strategy; 0 for a blackjack that is seen."""
    seen = [[(up + 1, card.value)[: columns.cards] for card in CARDS] for up in range(UP_VALUES)]
    return np.array([[max(columns.place(*cards), 0) for cards in row] for row in seen], np.uint8)


def _listed(automaton: Automaton, state: int, up: int) -> str:
    return ", ".join(automaton.options(state, up))


def dealer_tables(rules: TwentyOneRules) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8]]:
    """The dealer's hand as tables: below 0 it stands, with final `-1 - number`."""
    hands: dict[tuple[int, bool, int], int] = {}
    """(total, soft, cards: 1, or 2 for more) → number."""

    def number(total: int, *, soft: bool, cards: int) -> int:
        if cards == 2 and total == law.BLACKJACK_TOTAL:
            return -1 - DEALER_BLACKJACK
        if total > law.BLACKJACK_TOTAL:
            pushes = total == law.PUSHING_TOTAL and rules.dealer_22_pushes
            return -1 - FINALS.index("22" if pushes else "bust")
        if not law.dealer_draws(rules, total, soft=soft):
            return -1 - FINALS.index(str(total))
        return hands.setdefault((total, soft, min(cards, 2)), len(hands))

    start = np.zeros((UP_VALUES, len(CARDS)), np.int8)
    for up in range(UP_VALUES):
        for card in CARDS:
            total, soft = law.add_card(*law.add_card(0, False, up + 1), card.value)
            start[up, card.index] = number(total, soft=soft, cards=2)
    alone = np.full(UP_VALUES, NO_HAND, np.int8)
    if rules.hole_card == "none":
        for up in range(UP_VALUES):
            total, soft = law.add_card(0, False, up + 1)
            alone[up] = number(total, soft=soft, cards=1)
    take: list[list[int]] = []
    while len(take) < len(hands):
        total, soft, cards = list(hands)[len(take)]
        row = []
        for card in CARDS:
            after, after_soft = law.add_card(total, soft, card.value)
            row.append(number(after, soft=after_soft, cards=cards + 1))
        take.append(row)
    return start, alone, np.array(take, np.int8)
