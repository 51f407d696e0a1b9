"""Two spots of one round: their covariance as simulated, exact with infinite decks, and as published."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.model.twentyone.automaton import ACTIONS, FINALS, START, Automaton, compile_hands
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action
from cardroom.sim.twentyone import Dealing, simulate
from cardroom.sim.twentyone.spots import LEAST_ROUNDS, two_spots
from tests.twentyone import house

Floats = NDArray[np.float64]
VALUES = range(1, 11)
CHANCE = {value: (4 if value == 10 else 1) / 13 for value in VALUES}
BLACKJACK = FINALS.index("blackjack")


def finals_of(rules: TwentyOneRules, up: int) -> Floats:
    """The chances of the dealer's ends with an up card from infinitely many decks."""
    result = np.zeros(len(FINALS))

    def draw(total: int, chance: float, *, soft: bool, cards: int) -> None:
        if cards > 1 and not law.dealer_draws(rules, total, soft=soft):
            end = BLACKJACK if cards == 2 and total == 21 else 0 if total > 21 else total - 16
            result[end] += chance
            return
        for value in VALUES:
            after, still_soft = law.add_card(total, soft, value)
            draw(after, chance * CHANCE[value], soft=still_soft, cards=cards + 1)

    total, soft = law.add_card(0, False, up)
    draw(total, 1.0, soft=soft, cards=1)
    return result


def means_of(automaton: Automaton, actions: NDArray[np.int8], up: int, power: int) -> Floats:
    """[dealer's end]: the mean of a spot's result to a power, for hands without a split."""
    card = {value: CARDS[value - 1].index for value in VALUES}
    pay = (automaton.pay / automaton.unit) ** power

    def drawn(state: int) -> Floats:
        parts = [CHANCE[value] * played(int(automaton.next[state, card[value]])) for value in VALUES]
        total: Floats = np.sum(parts, axis=0)
        return total

    @cache
    def played(state: int) -> Floats:
        action = ACTIONS[actions[state, up - 1]] if automaton.may[state] else Action.STAND
        if action is Action.HIT:
            return drawn(state)
        if action is Action.DOUBLE:
            return drawn(int(automaton.doubled[state]))
        assert action is Action.STAND
        row: Floats = pay[state]
        return row

    result = np.zeros(len(FINALS))
    for one in VALUES:
        for two in VALUES:
            state = int(automaton.next[automaton.next[START, card[one]], card[two]])
            chance = CHANCE[one] * CHANCE[two]
            result[:BLACKJACK] += chance * played(state)[:BLACKJACK]
            result[BLACKJACK] += chance * pay[state, BLACKJACK]  # nobody plays on (21-1.8)
    return result


def exact_with_infinite_decks(rules: TwentyOneRules, actions: NDArray[np.int8]) -> tuple[float, float]:
    """Variance of a spot and covariance of two: given the dealer's cards the spots are independent."""
    automaton = compile_hands(rules)
    mean = square = product = 0.0
    for up in VALUES:
        finals = CHANCE[up] * finals_of(rules, up)
        means = means_of(automaton, actions, up, 1)
        mean += float(finals @ means)
        square += float(finals @ means_of(automaton, actions, up, 2))
        product += float(finals @ means**2)
    return square - mean**2, product - mean**2


def test_with_infinite_decks_as_worked_out() -> None:
    rules = house("blackjack", {"decks": "infinite", "split.max_hands": 1})
    actions = solve(rules, "basic").strategy.action
    variance, covariance = exact_with_infinite_decks(rules, actions)
    assert variance == pytest.approx(solve(rules, "basic").variance, abs=1e-9)
    found = two_spots(rules, actions, 2_000_000, seed=5)
    assert 0 < found.covariance.standard_error < 0.002
    assert 0 < found.variance.standard_error < 0.002
    assert abs(found.variance.value - variance) < 4 * found.variance.standard_error
    assert abs(found.covariance.value - covariance) < 4 * found.covariance.standard_error


def test_two_spots_add_up_to_the_round() -> None:
    """The variance of both together, from the same rounds: twice the variance and twice the covariance."""
    rules = house("blackjack", {"decks": 1})
    actions = solve(rules, "basic").strategy.action
    dealing = Dealing.house(rules)
    found = two_spots(rules, actions, LEAST_ROUNDS, seed=3, dealing=dealing)
    both = simulate(
        rules, actions, LEAST_ROUNDS, seed=3, strategy="basic", spots=2, side_bets=False, dealing=dealing
    ).estimate("primary")
    assert found.rounds == both.rounds
    tally = [(float(net), count) for net, count in both.tally]
    mean = sum(net * count for net, count in tally) / both.rounds
    variance = sum((net - mean) ** 2 * count for net, count in tally) / both.rounds
    assert 2 * variance == pytest.approx(found.variance.value + found.covariance.value, abs=1e-12)


@pytest.mark.thorough
def test_two_spots_as_published() -> None:
    """Six decks, the dealer hits soft 17, double after a split, cut card: 1.346 and .499."""
    rules = house("blackjack", {})
    basic = solve(rules, "basic")
    assert round(basic.variance, 3) == 1.346
    found = two_spots(rules, basic.strategy.action, 4_000_000, seed=8)
    assert abs(found.variance.value - 1.346) < 0.0005 + 4 * found.variance.standard_error
    assert abs(found.covariance.value - 0.499) < 0.0005 + 4 * found.covariance.standard_error
    assert found.covariance.standard_error < 0.001


def test_too_few_rounds_are_refused() -> None:
    rules = house("blackjack", {})
    with pytest.raises(MalformedInput, match="10 rounds are too few for an error; it takes 262144"):
        two_spots(rules, compile_hands(rules).may[:, None].repeat(10, 1).astype(np.int8), 10, seed=1)
