"""Final outputs under statistical test, and the tests under test: each catches a generator it should."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import pytest

from cardroom.core.cards import CARDS, Card
from cardroom.fair import Binding, deal, deck_of, infinite_deck, repeatable_seed
from cardroom.fair.deals import shuffled
from cardroom.fair.keystream import Keystream
from cardroom.fair.statistics import (
    LEVEL,
    all_pass,
    battery,
    chi_square_p_value,
    duplicates_test,
    frequency_test,
    normal_p_value,
    places_test,
    poisson_p_value,
    runs_test,
    serial_test,
)

pytestmark = pytest.mark.slow

SHUFFLES = 4000
INDEPENDENT = 100_000


@pytest.fixture(scope="module")
def shuffles() -> list[tuple[Card, ...]]:
    """Each from a seed of its own, as shoes are."""
    return [
        deal(repeatable_seed(52, f"s{n}"), Binding("knockout-52", "", f"s{n}", deck_of("standard", 1))).cards
        for n in range(SHUFFLES)
    ]


@pytest.fixture(scope="module")
def independent() -> tuple[Card, ...]:
    binding = Binding("knockout-21", "", "draw", infinite_deck("standard"))
    return deal(repeatable_seed(21, "draw"), binding, count=INDEPENDENT).cards


@pytest.mark.requirement("R-1")
def test_every_card_comes_up_in_every_place(shuffles: list[tuple[Card, ...]]) -> None:
    """A pair of card and place is missed by 4000 shuffles with probability (51/52)^4000 < 10^-33."""
    assert {(card, place) for cards in shuffles for place, card in enumerate(cards)} == {
        (card, place) for card in CARDS for place in range(52)
    }


@pytest.mark.requirement("R-1")
def test_every_permutation_comes_from_equally_many_draws() -> None:
    """Five cards, all 5 · 4 · 3 · 2 sequences of draws: each of the 5! permutations exactly once."""

    class Given(Keystream):
        def __init__(self, draws: tuple[int, ...]) -> None:
            self.draws = iter(draws)

        def below(self, bound: int) -> int:
            draw = next(self.draws)
            assert 0 <= draw < bound
            return draw

    reached = [shuffled(CARDS[:5], Given(draws)) for draws in product(*(range(n) for n in (5, 4, 3, 2)))]
    assert len(reached) == len(set(reached)) == math.factorial(5)


@pytest.mark.requirement("R-2")
def test_final_outputs_pass(shuffles: list[tuple[Card, ...]], independent: tuple[Card, ...]) -> None:
    results = battery(shuffles, independent)
    assert len(results) == 5
    assert all_pass(results), results


@pytest.mark.requirement("R-8")
def test_no_shuffle_comes_twice(shuffles: list[tuple[Card, ...]]) -> None:
    assert len(set(shuffles)) == SHUFFLES


FAILS = LEVEL / 5


def test_a_biased_place_is_caught(shuffles: list[tuple[Card, ...]]) -> None:
    """In every fourth shuffle the first eight cards lie in the order of the deck."""
    biased = [
        tuple(sorted(cards[:8])) + cards[8:] if n % 4 == 0 else cards for n, cards in enumerate(shuffles)
    ]
    assert places_test(shuffles).p_value > FAILS > places_test(biased).p_value


def test_repeated_beginnings_are_caught(shuffles: list[tuple[Card, ...]]) -> None:
    repeated = shuffles[: SHUFFLES // 2] * 2
    assert duplicates_test(shuffles).p_value > FAILS > duplicates_test(repeated).p_value
    # Too few are caught as well: a generator that avoids what came before.
    distinct = list({cards[:3]: cards for cards in shuffles}.values())
    assert duplicates_test(distinct).p_value < FAILS


def with_every(cards: Sequence[Card], step: int, card: Card) -> list[Card]:
    return [card if n % step == 0 else own for n, own in enumerate(cards)]


def test_a_favoured_card_is_caught(independent: tuple[Card, ...]) -> None:
    biased = with_every(independent, 250, CARDS[7])
    assert frequency_test(independent).p_value > FAILS > frequency_test(biased).p_value


def test_scaling_by_the_remainder_alone_is_caught() -> None:
    """A byte modulo 52, without rejection: the first 48 cards come 5 times in 256, the others 4 times."""
    raw = [n * 167 % 256 for n in range(INDEPENDENT)]  # each byte value equally often
    assert frequency_test([CARDS[byte % 52] for byte in raw]).p_value < FAILS


def test_clustering_is_caught(independent: tuple[Card, ...]) -> None:
    clustered = sorted(independent[:1000]) + list(independent[1000:])
    assert runs_test(independent).p_value > FAILS > runs_test(clustered).p_value


def test_dependent_pairs_are_caught(independent: tuple[Card, ...]) -> None:
    dependent = list(independent)
    for n in range(0, len(dependent), 20):
        dependent[n + 1] = dependent[n]
    assert serial_test(independent).p_value > FAILS > serial_test(dependent).p_value
    assert frequency_test(dependent).p_value > FAILS, "seen by the pairs only"


@pytest.mark.parametrize(
    ("statistic", "degrees", "p_value"),
    [  # the usual tables
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (18.307038, 10, 0.05),
        (67.504807, 50, 0.05),
        (124.342113, 100, 0.05),
        (135.806723, 100, 0.01),
        (77.929465, 100, 0.95),
    ],
)
def test_chi_square_tables(statistic: float, degrees: int, p_value: float) -> None:
    assert chi_square_p_value(statistic, degrees) == pytest.approx(p_value, rel=1e-6)


@pytest.mark.parametrize("degrees", [2, 8, 50, 400])
@pytest.mark.parametrize("share", [0.2, 0.8, 1.0, 1.3, 2.5])
def test_chi_square_of_even_degrees_is_a_poisson_sum(degrees: int, share: float) -> None:
    half = degrees * share / 2
    terms = (k * math.log(half) - half - math.lgamma(k + 1) for k in range(degrees // 2))
    total = math.fsum(math.exp(term) for term in terms)
    assert chi_square_p_value(degrees * share, degrees) == pytest.approx(total, rel=1e-9, abs=1e-12)


def test_edges_of_the_p_values() -> None:
    assert chi_square_p_value(0, 5) == 1
    assert normal_p_value(1.959964) == pytest.approx(0.05, rel=1e-6)
    assert poisson_p_value(0, 5.0) == pytest.approx(2 * math.exp(-5))
    assert poisson_p_value(5, 5.0) == 1
    tail = 1 - math.fsum(math.exp(-5) * 5**k / math.factorial(k) for k in range(12))
    assert poisson_p_value(12, 5.0) == pytest.approx(2 * tail)
