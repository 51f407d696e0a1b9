"""Split hands taken together, with real decks: against dealing all of them in turn, by other code.

A pair of nines against a five shows everything in few cards: nines are split to four hands, 11 is doubled,
every other hand stands.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, parse_card, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import Solution, solve
from tests.twentyone import house

RANKS = range(1, 11)
"""By value, an ace 1."""
UP, PAIR = 5, 9
Taken = tuple[int, ...]
Spot = tuple[tuple[int, int], ...]
"""(total, stake) of each hand."""


def plus(taken: Taken, rank: int) -> Taken:
    return tuple(count + (value == rank) for value, count in zip(RANKS, taken, strict=True))


def total_of(ranks: list[int]) -> int:
    total = sum(ranks)
    return total + 10 if 1 in ranks and total <= 11 else total


def spots(left: list[int]) -> dict[tuple[Taken, Spot], float]:
    """Chances of the cards that all hands take besides the first pair, and of what the hands are."""
    ended: defaultdict[tuple[Taken, Spot], float] = defaultdict(float)
    # (hands to be dealt to, hands in all, cards taken, hands that are done)
    nothing: Taken = (0,) * 10
    states: dict[tuple[int, int, Taken, Spot], float] = {(2, 2, nothing, ()): 1.0}
    while states:
        after: defaultdict[tuple[int, int, Taken, Spot], float] = defaultdict(float)
        for (to_deal, hands, taken, done), chance in states.items():
            if to_deal == 0:
                ended[taken, done] += chance
                continue
            in_all = sum(left) - sum(taken)
            for rank in RANKS:
                comes = chance * (left[rank - 1] - taken[rank - 1]) / in_all
                now = plus(taken, rank)
                if comes <= 0.0:
                    continue
                if rank == PAIR and hands < 4:
                    after[to_deal + 1, hands + 1, now, done] += comes
                elif rank == 2:
                    for last in RANKS:
                        then = comes * (left[last - 1] - now[last - 1]) / (in_all - 1)
                        if then > 0.0:
                            hand = (total_of([PAIR, 2, last]), 2)
                            after[to_deal - 1, hands, plus(now, last), (*done, hand)] += then
                else:
                    hand = (total_of([PAIR, rank]), 1)
                    after[to_deal - 1, hands, now, (*done, hand)] += comes
        states = {(a, b, c, tuple(sorted(d))): 0.0 for a, b, c, d in after}
        for (a, b, c, d), chance in after.items():
            states[a, b, c, tuple(sorted(d))] += chance
    return ended


def dealer_draws() -> dict[tuple[Taken, int], int]:
    """In how many orders the dealer, who hits soft 17, draws cards to the up card and ends in 17 … 21."""
    found: defaultdict[tuple[Taken, int], int] = defaultdict(int)

    def draw(drawn: Taken, ranks: list[int]) -> None:
        total = total_of(ranks)
        soft = total != sum(ranks)
        if total > 21:
            return
        if len(ranks) > 1 and (total > 17 or (total == 17 and not soft)):
            found[drawn, total] += 1
            return
        for rank in RANKS:
            draw(plus(drawn, rank), [*ranks, rank])

    draw((0,) * 10, [UP])
    return found


def chances(left: NDArray[np.int64], drawn: Taken) -> NDArray[np.float64]:
    """[shoe]: the chance of drawing cards in one order."""
    result = np.ones(len(left))
    in_all = left.sum(axis=1).astype(np.float64)
    for rank, count in enumerate(drawn):
        for nth in range(count):
            result *= np.maximum(left[:, rank] - nth, 0) / in_all
            in_all -= 1
    return result


def by_dealing(decks: int) -> dict[int, float]:
    """The distribution of the result of the pair."""
    left = [4 * decks] * 9 + [16 * decks]
    left[UP - 1] -= 1
    left[PAIR - 1] -= 2
    ended = spots(left)
    shoes = np.array([np.subtract(left, taken) for taken, _ in ended])
    weights = np.array(list(ended.values()))
    finals: dict[int, NDArray[np.float64]] = {total: np.zeros(len(shoes)) for total in range(17, 22)}
    for (drawn, total), orders in dealer_draws().items():
        finals[total] += orders * chances(shoes, drawn)
    finals[0] = np.ones(len(shoes)) - np.sum(list(finals.values()), axis=0)
    result: defaultdict[int, float] = defaultdict(float)
    for final, of_final in finals.items():
        for (_, hands), chance in zip(ended, weights * of_final, strict=True):
            result[sum(stake * ((own > final) - (own < final)) for own, stake in hands)] += float(chance)
    return result


def solved(decks: int) -> Solution:
    return solve(house("blackjack", {"decks": decks}), "basic")


# What is lost by degree 3 is about (5 cards / N)⁴ of the pairs that make three hands and more: the bounds are
# for the pair, which comes once in 2,270 rounds.
@pytest.mark.parametrize(("decks", "within"), [(6, 1e-11), (2, 1e-9), (1, 2e-8)])
def test_up_to_four_hands_are_counted_together(decks: int, within: float) -> None:
    ours = solved(decks).distribution_of(parse_cards("9c9d"), parse_card("5s"))
    theirs = by_dealing(decks)
    assert sum(theirs.values()) == pytest.approx(1, abs=1e-12)
    assert {net for net, _ in ours} == {Fraction(net) for net in theirs}
    for net, chance in ours:
        assert chance == pytest.approx(theirs[int(net)], abs=within)


def test_first_two_cards_make_up_the_whole() -> None:
    """The distribution is the sum of those of the first two cards and the up card."""
    solution = solve(house("blackjack", {"decks": 1}), "composition")
    up = parse_card("6s")
    counts = [4 - (rank == 6) for rank in range(1, 10)] + [16]
    cards = {value: [card for card in CARDS if card.value == value and card != up] for value in RANKS}
    sums: defaultdict[Fraction, float] = defaultdict(float)
    for one, other in combinations_with_replacement(RANKS, 2):
        chance = counts[one - 1] * (counts[other - 1] - (one == other)) / (51 * 50)
        orders = 1 if one == other else 2
        for net, part in solution.distribution_of([cards[one][0], cards[other][1]], up):
            sums[net] += orders * chance * part
    against = next(each for each in solution.up_cards if each.seen.up == 5)
    unit = solution.solver.automaton.unit
    whole = {Fraction(units, unit): chance for units, chance in solution.by_result(against).items()}
    assert sums.keys() == whole.keys()
    for net, chance in whole.items():
        assert chance == pytest.approx(sums[net], abs=1e-13)


def test_first_cards_are_two() -> None:
    with pytest.raises(MalformedInput, match="first cards are two; 9c9d2s was given"):
        solved(6).distribution_of(parse_cards("9c9d2s"), parse_card("5s"))
