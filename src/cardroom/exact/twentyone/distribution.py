"""The whole distribution of a round's result, in units of the automaton.

Hands of one spot meet the same dealer and share the shoe, so they are not independent. Out of a small shoe
they are counted whole (`whole`), out of a larger one by projected polynomials (`joint`). What these leave out
is less than what their last degree changed, and that is the bound of the error which goes with the figures.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import numpy as np

from cardroom.exact.figures import ROUNDING
from cardroom.exact.twentyone.after_split import Distribution, Law, Split
from cardroom.exact.twentyone.measure import BLACKJACK, BUSTS, FINALS, WHOLE
from cardroom.exact.twentyone.nodes import Floats, Ints
from cardroom.exact.twentyone.play import (
    DOUBLE,
    HIT,
    RESCUE,
    SPLIT,
    SURRENDER,
    Actions,
    ended_sum,
    spread,
)
from cardroom.exact.twentyone.solver import Solver, UpCard
from cardroom.exact.twentyone.split import split_value
from cardroom.exact.twentyone.whole import DealerHands, SmallShoe

NOISE: Final = 1e-14
"""Chances below this may be nothing but rounding."""


def distribution(solver: Solver, up: UpCard, *, follow: bool, first_two: int | None = None) -> Distribution:
    """The distribution of the result against one up card, or the part of it with some first two cards."""
    ways = up.played.ways.copy()
    if first_two is not None:
        ways[np.arange(len(ways)) != first_two] = 0.0
    result = _without_split(solver, up, ways)
    error = 0.0
    small_shoe = _small_shoe(solver, up)
    for rank, chance in _splits(solver, up, ways).items():
        split = Split(solver, up, rank, follow=follow).spread(small_shoe)
        error += chance * split.error
        for units, part in split.chances.items():
            result[units] += chance * part
    come = sum(ways[node, 0] * _two_cards(solver, up, node) for node in solver.nodes.first_two.tolist())
    whole = sum(result.values())
    assert abs(whole - come) <= ROUNDING, f"chances add up to {whole} in place of {come}"
    return Distribution(result, error)


def _small_shoe(solver: Solver, up: UpCard) -> SmallShoe:
    """The shoe without the up card, for hands that are counted whole."""
    drawn, final, orders = solver.dealer_hands(up.seen)
    cards = solver.known.counts[drawn]
    come = (cards <= up.draw.left).all(axis=1)
    hands = DealerHands(
        cards[come],
        cards[come].sum(axis=1),
        final[come],
        orders[come],
        up.draw.makes_blackjack,
        up.draw.looks,
    )
    return SmallShoe(up.draw.left.astype(np.int64), hands, FINALS)


def final_wager(solver: Solver, up: UpCard, *, follow: bool) -> float:
    """The mean of all that stands on a spot at the end of a round against one up card, in wagers."""
    states, nodes, played = solver.states, solver.nodes, up.played
    # Every ending pays its stake, and so does a bust.
    counting = states._replace(
        pay=np.repeat(states.stake[:, None], FINALS, axis=1),
        stake=-states.stake,
        surrender_pay=1.0,
        surrender_loses=0.0,
        rescue_pay=states.stake,
    )
    # Wagers that a blackjack gives back (21-1.26) stand there, too.
    dealt = solver.dealt_without_a_look(up.seen) if solver.rules.original_only else up.dealt
    all_weights = dealt.weights if solver.rules.original_only else played.weights
    first_wager = 1.0
    result = 0.0
    for node in nodes.first_two.tolist():
        if ways := float(played.ways[node, 0]):
            blackjack = _two_cards(solver, up, node) - all_weights[nodes.composition[node], WHOLE]
            result += ways * first_wager * float(blackjack)
    ways_to = played.ways.copy()
    spread(ways_to, states, nodes, played.action)
    reached = np.flatnonzero((ways_to[:, 0] != 0.0) & (played.action != SPLIT))
    weights = all_weights[:, None]
    result += ended_sum(reached, nodes.composition[reached], ways_to, weights, counting, nodes, played.action)
    for rank, chance in _splits(solver, up, played.ways).items():
        wagered = split_value(rank, counting, nodes, dealt, played.action, follow=follow)
        result += chance * (wagered or 0.0)
    return float(result)


def _splits(solver: Solver, up: UpCard, ways: Floats) -> dict[int, float]:
    """The chance that a pair of a rank comes and is split, by rank."""
    result: dict[int, float] = {}
    for node in solver.nodes.first_two.tolist():
        rank = int(solver.states.pair[node])
        if up.played.action[node] == SPLIT and ways[node, 0] and up.dealt.can_split(rank):
            result[rank] = result.get(rank, 0.0) + float(ways[node, 0]) * up.dealt.pair_chance(rank)
    return result


def _without_split(solver: Solver, up: UpCard, ways: Floats) -> Law:
    nodes, states, played, automaton = solver.nodes, solver.states, up.played, solver.automaton
    result: Law = defaultdict(float)
    for node in nodes.first_two.tolist():
        if orders := float(ways[node, 0]):
            blackjack = orders * (
                _two_cards(solver, up, node) - played.weights[nodes.composition[node], WHOLE]
            )
            early = solver.counts_looked and played.action[node] == SURRENDER
            lost = int(automaton.pay[nodes.state[node], BLACKJACK])
            result[automaton.surrender_pay if early else lost] += float(blackjack)
    ways_to = ways.copy()
    spread(ways_to, states, nodes, played.action)
    reached = np.flatnonzero(ways_to[:, 0])
    weight = ways_to[reached, :1] * played.weights[nodes.composition[reached]]
    units, chances = _ends_of(solver, reached, played.action[reached], weight)
    sums, place = np.unique(units, return_inverse=True)
    for number, chance in zip(sums.tolist(), np.bincount(place.ravel(), chances).tolist(), strict=True):
        result[number] += chance
    return result


def _ends_of(solver: Solver, at: Ints, action: Actions, weight: Floats) -> tuple[Ints, Floats]:
    """(results, their chances) of all that ends at some nodes, whose measures are weighed."""
    automaton, nodes = solver.automaton, solver.nodes
    if solver.counts_looked:
        weight = weight.copy()
        weight[:, BLACKJACK] = 0.0  # no hand that is played meets it
    state = nodes.state[at]
    drawing, giving_up, rescuing = (action == HIT) | (action == DOUBLE), action == SURRENDER, action == RESCUE
    standing = ~(drawing | giving_up | rescuing | (action == SPLIT))
    doubled = nodes.state[nodes.doubled[at]]
    gets = np.where(action == DOUBLE, doubled, state)[drawing]
    units = [
        -automaton.stake[gets],
        np.full(int(giving_up.sum()), automaton.surrender_pay),
        np.full(int(giving_up.sum()), automaton.surrender_blackjack_pay),
        automaton.rescue_pay[state[rescuing]],
        solver.results[state[standing]].ravel(),
    ]
    chances = [
        weight[drawing, BUSTS],
        weight[giving_up, WHOLE] - weight[giving_up, BLACKJACK],
        weight[giving_up, BLACKJACK],
        weight[rescuing, WHOLE],
        weight[standing, :FINALS].ravel(),
    ]
    return np.concatenate(units).astype(np.int64), np.concatenate(chances)


def _two_cards(solver: Solver, up: UpCard, node: int) -> float:
    """The chance of the cards of a two-card node in one order."""
    draw = up.draw
    counts = solver.known.counts[solver.nodes.composition[node]]
    one, other = np.repeat(np.arange(len(draw.left)), counts).tolist()
    left = draw.left[other] - (draw.step if other == one else 0.0)
    return float(draw.left[one] / draw.total * left / (draw.total - draw.step))
