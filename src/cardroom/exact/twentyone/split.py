"""Splits: the value of a pair that becomes two to four hands, and all hands against one up card."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from cardroom.exact.compiled import kernel
from cardroom.exact.twentyone.dealer import Draw
from cardroom.exact.twentyone.measure import WHOLE, split_measure
from cardroom.exact.twentyone.nodes import Compositions, Floats, Ints, Nodes
from cardroom.exact.twentyone.play import (
    ACTION_COUNT,
    EQUAL,
    SPLIT,
    Actions,
    Played,
    States,
    ended_sum,
    plan,
    spread,
)
from cardroom.model.twentyone.automaton import NONE, START


@lru_cache
def split_counts(max_hands: int) -> tuple[Ints, Ints]:
    """How many orders of second cards, pair card or other, lead to each end of a split.

    `short[s]`: s pair cards and s + 2 others, never as many hands as allowed. `full[b]`: as many hands as
    allowed when b hands had got another card.
    """
    short = np.zeros(max_hands, np.int64)
    full = np.zeros(max_hands + 1, np.int64)
    if max_hands == 2:
        full[0] = 1
        return short, full
    paths = np.zeros((max_hands, max_hands + 2), np.int64)
    paths[0, 0] = 1
    for s in range(max_hands - 2):
        for b in range(s + 2):
            if s + 1 == max_hands - 2:
                full[b] += paths[s, b]
            else:
                paths[s + 1, b] += paths[s, b]
            if b + 1 == s + 2:
                short[s] += paths[s, b]
            else:
                paths[s, b + 1] += paths[s, b]
    return short, full


@lru_cache(maxsize=1024)
def split_weights(max_hands: int, pair_cards: float, cards: float, step: float) -> Floats:
    """[pair cards in further hands, second card]: weights of one hand's value in the value of a split.

    The second card is 0: another, 1: a pair card; `pair_cards` and `cards` are in the shoe after the pair.
    One value of a hand, as if it were dealt first, with r more pair cards out of the shoe, serves for all
    hands: what a hand gets after others have stopped by rules that look at their own cards only has the
    same law. That n other hands got no pair card as their second is counted by inclusion and exclusion over
    how many of them did.
    """
    short, full = split_counts(max_hands)
    chance = np.zeros(2 * max_hands + 1)
    chance[0] = 1.0
    for r in range(2 * max_hands):
        left = max(pair_cards - step * r, 0.0)
        if left > 0.0:
            chance[r + 1] = chance[r] * left / (cards - step * r)
    weights = np.zeros((2 * max_hands, 2))
    for s in range(max_hands):
        hands = s + 2
        choose = float(short[s] * hands)
        for t in range(hands):
            weights[s + t, 0] += choose * chance[s + t]
            choose *= -(hands - 1 - t) / (t + 1)
    s = max_hands - 2
    for b in range(max_hands + 1):
        closed = float(full[b] * b)
        for t in range(b):
            weights[s + t, 0] += closed * chance[s + t]
            closed *= -(b - 1 - t) / (t + 1)
        still_open = float(full[b] * (max_hands - b))
        for t in range(b + 1):
            weights[s + t, 0] += still_open * chance[s + t]
            weights[s + t, 1] += still_open * chance[s + t]
            still_open *= -(b - t) / (t + 1)
    return weights


def hands_allowed(rank: int, states: States, nodes: Nodes, action: Actions, *, follow: bool) -> int:
    """To how many hands a pair is split: two where it may not, or by the table is not, split again."""
    for number in states.class_list[states.class_start[rank] : states.class_start[rank + 1]]:
        pair = nodes.next[nodes.split_hand[number], number]
        if pair != NONE and states.pair[pair] == rank and (not follow or action[pair] == SPLIT):
            return states.max_hands
    return 2


def split_ways(rank: int, states: States, nodes: Nodes, action: Actions, *, resplit: bool) -> Floats:
    """[node, second card is of the pair]: orders of cards by which a hand after a split comes to a node."""
    ways = np.zeros((len(nodes.state), 2))
    _deal_second_cards(
        rank,
        resplit,
        states.class_start,
        states.class_list,
        states.share,
        states.unpaired,
        nodes.split_hand,
        nodes.next,
        nodes.state,
        nodes.composition,
        nodes.at,
        ways,
    )
    spread(ways, states, nodes, action)
    return ways


@kernel
def _deal_second_cards(
    rank: int,
    resplit: bool,
    class_start: Ints,
    class_list: Ints,
    share: Floats,
    unpaired: Ints,
    split_hand: Ints,
    after_card: Ints,
    state: Ints,
    composition: Ints,
    node_at: Ints,
    ways: Floats,
) -> None:
    for at in range(class_start[rank], class_start[rank + 1]):
        start = split_hand[class_list[at]]
        first = share[START, class_list[at]]
        for k in range(len(class_start) - 1):
            for each in range(class_start[k], class_start[k + 1]):
                number = class_list[each]
                after = after_card[start, number]
                if k == rank and resplit:
                    after = node_at[composition[after], unpaired[state[after]]]
                ways[after, int(k == rank)] += first * share[state[start], number]


@dataclass(frozen=True, eq=False)
class Dealt:
    """What is dealt against one up card: the measures of all hands, and of those after splits on demand."""

    known: Compositions
    draw: Draw
    weights: Floats
    """[composition, column]: the measure of hands from the whole shoe."""
    to_22: Draw | None = None
    """The dealer's hands that make 22, where it pushes."""
    kept: dict[tuple[int, int], tuple[Ints, Floats]] = field(default_factory=dict)
    """Of a rank split to so many hands: all compositions that can come, and their measures."""

    def can_split(self, rank: int) -> bool:
        """Whether the shoe holds a pair of a rank."""
        return bool(self.draw.left[rank] > 0.0 and self.draw.left[rank] >= 2.0 * self.draw.step)

    def pair_chance(self, rank: int) -> float:
        """The chance that the first two cards are a pair of a rank."""
        left, draw = float(self.draw.left[rank]), self.draw
        return left / draw.total * (left - draw.step) / (draw.total - draw.step)

    def after_split(self, rank: int, hands: int, some: Ints) -> Floats:
        """[one of some compositions, second card, column]: measures of a hand after a split, given a pair."""
        if (rank, hands) in self.kept:
            all_of_them, measures = self.kept[rank, hands]
            places = np.searchsorted(all_of_them, some)
            assert np.array_equal(all_of_them[places], some), "a hand that no actions lead to"
            result: Floats = measures[places]
            return result
        draw = self.draw
        two = 2.0 * draw.step
        weights = split_weights(hands, float(draw.left[rank]) - two, draw.total - two, draw.step)
        return split_measure(self.known, draw, rank, weights, some, self.to_22)

    def keep_split(self, rank: int, hands: int, all_of_them: Ints) -> Floats:
        """The same for all compositions that can come, to be kept."""
        measures = self.after_split(rank, hands, all_of_them)
        self.kept[rank, hands] = (all_of_them, measures)
        return measures


def split_value(
    rank: int, states: States, nodes: Nodes, dealt: Dealt, action: Actions, *, follow: bool
) -> float | None:
    """The value of splitting a pair and playing all hands by `action`, given the pair; None without one."""
    if not dealt.can_split(rank):
        return None
    hands = hands_allowed(rank, states, nodes, action, follow=follow)
    ways = split_ways(rank, states, nodes, action, resplit=hands > 2)
    reached = np.flatnonzero(ways[:, 0] + ways[:, 1])
    some, place = np.unique(nodes.composition[reached], return_inverse=True)
    measures = dealt.after_split(rank, hands, some)
    return float(ended_sum(reached, place, ways, measures, states, nodes, action))


def play(states: States, nodes: Nodes, dealt: Dealt, table: Actions, *, follow: bool) -> Played:
    """Values of all hands against an up card by a table, or by the best action for each composition.

    Whether a pair is split does not depend on its suits, nor does the value of splitting it.
    """
    weights = dealt.weights
    value, of_action, action = plan(states, nodes, weights, table, follow=follow)
    first = states.first[:, 0]
    pairs = np.flatnonzero(states.pair != NONE)
    come = pairs[(first[pairs] != 0.0) & (weights[nodes.composition[pairs], WHOLE] != 0.0)]
    if not follow:
        action[np.setdiff1d(pairs, come)] = SPLIT  # after a split, where there is room
    for rank in np.unique(states.pair[come]).tolist():
        some = come[states.pair[come] == rank]
        split = split_value(rank, states, nodes, dealt, action, follow=follow)
        if split is None:
            continue
        split *= dealt.pair_chance(rank)
        of_action[some, SPLIT] = split
        if not follow and split > first[some] @ value[some] + EQUAL * dealt.pair_chance(rank):
            action[some] = SPLIT
        value[some[action[some] == SPLIT]] = split
    return Played(weights, value, of_action, action, states.first)


def nobody_plays(states: States, nodes: Nodes, dealt: Dealt) -> Played:
    """Where the dealer's blackjack is seen: no hand is played, so that the measure of all is 0."""
    number = len(nodes.state)
    return Played(
        weights=np.zeros_like(dealt.weights),
        value=np.zeros(number),
        of_action=np.full((number, ACTION_COUNT), np.nan),
        action=np.full(number, NONE, np.int8),
        ways=states.first,
    )
