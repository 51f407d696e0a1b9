"""Statistics of shuffles: their laws by complete enumeration, and what they say of the house's shuffle."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, permutations

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.fair import Binding, deck_of, repeatable_seed
from cardroom.fair.deals import keystream_of
from cardroom.lab.shuffle import STATISTICS, compare, measures
from cardroom.table.twentyone.study import procedure_measures, procedure_permutations
from tests.tables import rules_of


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7])
def test_mean_and_variance_are_those_of_all_permutations(size: int) -> None:
    everything = list(permutations(range(size)))
    for name, statistic, mean, variance in STATISTICS:
        values = [statistic(permutation) for permutation in everything]
        average = Fraction(sum(values), len(values))
        assert mean(size) == average, name
        assert variance(size) == sum((value - average) ** 2 for value in values) / len(values), name


@pytest.mark.parametrize(
    ("permutation", "expected"),
    [
        ((0, 1, 2, 3, 4), (1, 4, 0, 0)),
        ((4, 3, 2, 1, 0), (5, 0, 12, 10)),
        ((2, 3, 4, 0, 1), (2, 3, 12, 6)),  # a cut
        ((0, 3, 1, 4, 2), (2, 0, 6, 3)),  # a riffle
    ],
)
def test_by_hand(permutation: tuple[int, ...], expected: tuple[int, ...]) -> None:
    assert tuple(measure.value for measure in measures(permutation)) == expected


def test_slower_ways_agree() -> None:
    binding = Binding("blackjack", "", "x", deck_of("standard", 1))
    below = keystream_of(repeatable_seed(1, "x"), binding).below
    order = list(range(30))
    for place in range(29):
        chosen = place + below(30 - place)
        order[place], order[chosen] = order[chosen], order[place]
    found = {measure.name: measure.value for measure in measures(order)}
    assert found["inversions"] == sum(left > right for left, right in combinations(order, 2))
    assert found["adjacent pairs kept"] == sum(right - left == 1 for left, right in pairwise(order))
    assert found["rising sequences"] == 1 + sum(
        order.index(card + 1) < order.index(card) for card in range(29)
    )


def test_the_mean_over_shuffles_is_sharper() -> None:
    one, four = measures((0, 1, 2, 3)), compare([(0, 1, 2, 3)] * 4)
    assert [measure.value for measure in one] == [measure.value for measure in four]
    assert four[0].z == pytest.approx(2 * one[0].z)


@pytest.mark.parametrize("wrong", [[], [(0, 1), (0, 1, 2)], [(0,)], [(1, 2)], [(0, 0)]])
def test_what_is_no_permutation_is_refused(wrong: list[tuple[int, ...]]) -> None:
    with pytest.raises(MalformedInput):
        compare(wrong)


@pytest.mark.clause("PROC-5")
def test_one_pass_of_riffles_is_far_from_random_and_the_figure_shows_it() -> None:
    rules = rules_of("blackjack")
    after = {m.name: m for m in procedure_measures(rules, "after a shoe", shuffles=20, seed=1)}
    # Every card goes through one riffle, in which about every second pair stays together.
    assert 120 < after["adjacent pairs kept"].value < 180
    assert after["adjacent pairs kept"].z > 100
    assert after["rising sequences"].value < 30
    assert after["rising sequences"].z < -30


def test_uniform_shuffles_pass() -> None:
    found = []
    for number in range(40):
        binding = Binding("blackjack", "", f"uniform {number}", deck_of("standard", 1))
        below = keystream_of(repeatable_seed(1, binding.shoe_id), binding).below
        order = list(range(312))
        for place in range(311):
            chosen = place + below(312 - place)
            order[place], order[chosen] = order[chosen], order[place]
        found.append(tuple(order))
    assert all(abs(measure.z) < 4 for measure in compare(found))


def test_the_study_is_repeatable_and_bounded() -> None:
    rules = rules_of("spanish-21")
    first = procedure_permutations(rules, "new game", shuffles=2, seed=5)
    assert first == procedure_permutations(rules, "new game", shuffles=2, seed=5)
    assert first != procedure_permutations(rules, "new game", shuffles=2, seed=6)
    assert all(sorted(order) == list(range(288)) for order in first)
    with pytest.raises(MalformedInput):
        procedure_permutations(rules, "new game", shuffles=0, seed=5)
