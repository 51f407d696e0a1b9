"""Knockout 52: kernel, engine and exact agree with each other and with slower methods."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import perm, sqrt
from time import process_time

import numpy as np
import pytest

from cardroom.core.cards import Card
from cardroom.core.errors import MalformedInput
from cardroom.engine.knockout52 import Stakes, start, step
from cardroom.exact.knockout52 import chances, joint, live_chances, no_match_chance, wager_figures
from cardroom.rules.knockout52 import Knockout52Rules, Layout
from cardroom.sim.batches import ROUNDS_PER_BATCH
from cardroom.sim.knockout52 import CompiledGame, simulate
from cardroom.sim.random import next_word, stream
from tests.agree.naive_random import Xoshiro256PlusPlus, dealt_cards, places_of, refused_below
from tests.knockout52_tables import EVERY_WAGER, house, rows_without_match, tiny

DECKS = [1, 2, 4, 6, 8]
SMALL = [tiny(2, 1, 1), tiny(3, 3, 3), tiny(5, 2, 2, decks=2), tiny(13, 1, 1)]


# The generator


def test_the_generator_gives_the_words_its_authors_program_gives() -> None:
    state = [1, 2, 3, 4]
    words = []
    for _ in range(10):
        word, *state = next_word(*map(np.uint64, state))
        words.append(word)
    assert words == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
        14011001112246962877,
        12406186145184390807,
        15849039046786891736,
        10450023813501588000,
    ]


def test_streams_are_those_of_the_naive_twin() -> None:
    for seed, batch in product((0, 1, 2**70), (0, 1, 999)):
        assert [int(word) for word in stream(seed, batch)] == Xoshiro256PlusPlus.of_batch(seed, batch).state


@pytest.mark.parametrize("sizes", [[7, 6, 5, 4], [6, 5, 4, 3], [4, 3, 2, 1], [9, 8, 7, 6], [1, 1, 1, 1]])
def test_four_places_from_one_word_are_even(sizes: list[int]) -> None:
    words = 2**12
    least = refused_below(sizes, words)
    drawn = Counter(
        tuple(places)
        for word in range(words)
        if (places := places_of(word, sizes, least_rest=least, words=words))
    )
    assert set(drawn) == set(product(*map(range, sizes)))
    assert len(set(drawn.values())) == 1


# Kernel == engine


def cards_of_ranks(rules: Knockout52Rules, ranks: list[int]) -> list[Card]:
    """Cards of these ranks, each from the cards that are left."""
    left = list(rules.shoe.cards())
    cards = []
    for rank in ranks:
        cards.append(next(card for card in left if card.rank == rank))
        left.remove(cards[-1])
    return cards


@pytest.mark.parametrize("rules", [house(), house(decks=8), *SMALL], ids=lambda r: f"{r.shoe.total} cards")
def test_kernel_and_engine_play_the_same_games(rules: Knockout52Rules) -> None:
    """Game by game: the same cards from the same words, and the same end."""
    compiled = CompiledGame.of(rules)
    deck, words = compiled.deck.copy(), stream(7, 3)
    naive, naive_deck = Xoshiro256PlusPlus.of_batch(7, 3), sorted(int(c.rank) for c in rules.shoe.cards())
    fresh, _ = start(rules, [Stakes("Ann", {"round-1": 100})])
    for _ in range(2_000):
        ended = np.zeros(len(compiled.faces) + 1, dtype=np.int64)
        compiled.play(1, words, deck, ended)
        game, ranks = fresh, []
        for rank in dealt_cards(naive, naive_deck, rules.layout.spaces):
            ranks.append(rank)
            if rank == rules.layout.rank_of_space(len(ranks) - 1):
                break
        for card in cards_of_ranks(rules, ranks):
            assert game.outcome is None
            game, _ = step(game, card)
        # The kernel leaves the cards it dealt at the head of its deck.
        assert deck[: len(ranks)].tolist() == ranks
        (space,) = np.flatnonzero(ended).tolist()
        if game.outcome == "all-the-way":
            assert space >= rules.layout.spaces == len(ranks)
        else:
            assert space == len(ranks) - 1
            assert game.outcome == f"round-{rules.layout.row_of_space(space)}"


def test_the_kernel_refuses_the_words_it_should() -> None:
    """So few words are refused that none would be in a test: here every second one is."""
    least = 2**63
    compiled = CompiledGame.of(house())
    groups = range(0, 52, 4)
    assert compiled.refused_below.tolist() == [
        refused_below(compiled.cards_left[first : first + 4].tolist()) for first in groups
    ]
    compiled = replace(compiled, refused_below=np.full(len(groups), least, dtype=np.uint64))
    deck, words = compiled.deck.copy(), stream(8, 0)
    naive, naive_deck = Xoshiro256PlusPlus.of_batch(8, 0), sorted(int(c.rank) for c in house().shoe.cards())
    for _ in range(500):
        compiled.play(1, words, deck, np.zeros(53, dtype=np.int64))
        for space, rank in enumerate(dealt_cards(naive, naive_deck, 52, least_rest=least)):
            assert deck[space] == rank
            if rank == space % 13 + 1:
                break
        assert words.tolist() == naive.state


@pytest.mark.parametrize("workers", [2, 3])
def test_a_simulation_does_not_depend_on_its_workers(workers: int) -> None:
    rounds = 3 * ROUNDS_PER_BATCH + 12_345
    seen: list[tuple[int, int]] = []
    spread = simulate(
        house(), rounds, seed=5, workers=workers, progress=lambda done, asked: seen.append((done, asked))
    )
    assert spread == simulate(house(), rounds, seed=5)
    assert spread != simulate(house(), rounds, seed=6)
    assert seen == [(min(n * ROUNDS_PER_BATCH, rounds), rounds) for n in (1, 2, 3, 4)]


@pytest.mark.parametrize(("rounds", "workers"), [(1, 1), (0, 1), (-5, 1), (100, 0)])
def test_a_simulation_of_nothing_is_refused(rounds: int, workers: int) -> None:
    with pytest.raises(MalformedInput, match=r"a simulation (plays|has) at least"):
        simulate(house(), rounds, seed=1, workers=workers)


# Simulation == exact


@pytest.mark.parametrize(
    "rules", [*(house(decks=n) for n in DECKS), *SMALL], ids=lambda r: f"{r.shoe.total} cards"
)
def test_simulation_is_within_its_error_of_the_exact_value(rules: Knockout52Rules) -> None:
    result = simulate(rules, 4_000_000, seed=52, workers=2)
    assert result.rules_hash == rules.rules_hash
    for figures in wager_figures(rules):
        estimate = result.estimate(figures.wager)
        exact_error = sqrt(figures.variance / result.rounds)
        assert abs(float(estimate.mean - Fraction(figures.expected_value))) < 4 * exact_error
        assert estimate.standard_error == pytest.approx(exact_error, rel=0.02)
        low, high = estimate.confidence_interval(0.9999)
        assert low < float(figures.expected_value) < high


def test_the_end_of_a_game_falls_on_every_space_as_often_as_it_should() -> None:
    """Chi-square over all 53 ends."""
    games = 4_000_000
    compiled = CompiledGame.of(house())
    ended = np.zeros(53, dtype=np.int64)
    compiled.play(games, stream(11, 0), compiled.deck.copy(), ended)
    survived = [no_match_chance(Layout(), [4] * 13, 0, end) for end in range(53)]
    expected = [survived[space] - survived[space + 1] for space in range(52)] + [survived[52]]
    chi_square = sum(
        (count - games * float(chance)) ** 2 / (games * float(chance))
        for count, chance in zip(ended.tolist(), expected, strict=True)
    )
    assert int(ended.sum()) == games
    assert 20 < chi_square < 105  # 52 degrees of freedom: beyond either bound once in some 100,000 seeds


# Exact == slower methods


def row_ends_card_by_card(layout: Layout, cards_per_rank: int) -> list[Fraction]:
    """The chance of no match up to the end of each row, by following the deal: a second method."""
    ways = Counter({(cards_per_rank,) * layout.ranks: 1})
    chances_at_row_ends = []
    for space in range(layout.spaces):
        after: Counter[tuple[int, ...]] = Counter()
        for left, count in ways.items():
            for rank, cards in enumerate(left, start=1):
                if cards and rank != layout.rank_of_space(space):
                    after[(*left[: rank - 1], cards - 1, *left[rank:])] += count * cards
        ways = after
        if (space + 1) % layout.ranks == 0:
            orders = perm(layout.ranks * cards_per_rank, space + 1)
            chances_at_row_ends.append(Fraction(ways.total(), orders))
    return chances_at_row_ends


@pytest.mark.parametrize(
    ("ranks", "rows", "cards_per_rank"), [(5, 4, 4), (6, 4, 4), (4, 4, 8), (3, 4, 16), (13, 1, 1), (2, 4, 32)]
)
def test_counting_arrangements_agrees_with_following_the_deal(
    ranks: int, rows: int, cards_per_rank: int
) -> None:
    layout = Layout(ranks, rows)
    survived = [Fraction(1), *row_ends_card_by_card(layout, cards_per_rank)]
    expected = [survived[row] - survived[row + 1] for row in range(rows)] + [survived[-1]]
    assert list(live_chances(layout, cards_per_rank, ()).values()) == expected


@pytest.mark.parametrize("decks", DECKS)
def test_the_chances_of_the_five_wagers_are_exact_and_sum_to_one(decks: int) -> None:
    probabilities = chances(house(decks=decks))
    assert list(probabilities) == ["round-1", "round-2", "round-3", "round-4", "all-the-way"]
    assert sum(probabilities.values()) == 1
    assert all(0 < chance < 1 for chance in probabilities.values())


def test_chances_of_settled_wagers_are_nought_and_one() -> None:
    cards = rows_without_match(4)
    nothing = Fraction(0)
    assert live_chances(Layout(), 4, cards)["all-the-way"] == 1
    in_row_3 = live_chances(Layout(), 4, cards[:30])
    assert in_row_3["round-1"] == in_row_3["round-2"] == nothing < min(list(in_row_3.values())[2:])
    assert live_chances(Layout(), 4, [2, 2]) == {
        "round-1": 1, "round-2": 0, "round-3": 0, "round-4": 0, "all-the-way": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("layout", "cards_per_rank", "dealt", "said"),
    [
        (Layout(), 4, [1, 5], "after a match"),
        (Layout(), 4, [14], "rank 14 is not on the layout"),
        (Layout(), 1, [], "13 cards do not fill 52 spaces"),
        (Layout(2, 2), 3, [2, 1, 2, 1, 2], "5 cards do not fit on 4 spaces"),
        (Layout(3, 1), 1, [2, 3, 2], "rank 2 was dealt more often than the 1 in the shoe"),
    ],
)
def test_a_layout_that_cannot_be(layout: Layout, cards_per_rank: int, dealt: list[int], said: str) -> None:
    with pytest.raises(MalformedInput, match=said):
        live_chances(layout, cards_per_rank, dealt)


@pytest.mark.parametrize("decks", DECKS)
def test_a_live_update_takes_less_than_five_milliseconds(decks: int) -> None:
    cards = rows_without_match(4)
    for dealt in range(0, 52, 3):
        times = []
        for _ in range(3):
            began = process_time()  # other programs of the machine do not count
            live_chances(Layout(), 4 * decks, cards[:dealt])
            times.append(process_time() - began)
        assert min(times) < 0.005


# Figures


def test_figures_of_a_wager_by_hand() -> None:
    """Three ranks in one row: of the six orders two have no match (3 1 2 and 2 3 1)."""
    first, last = wager_figures(tiny(3, 1, 1))
    assert (first.wager, last.wager) == ("round-1", "all-the-way")
    assert first.expected_value == Fraction(4, 6) * Fraction(1, 2) - Fraction(2, 6)
    assert last.expected_value == Fraction(2, 6) * 50 - Fraction(4, 6)
    assert last.variance == Fraction(2, 6) * Fraction(4, 6) * 51**2
    assert last.hit_frequency == Fraction(1, 3)
    assert last.to_json() == {
        "wager": "all-the-way",
        "method": "exact",
        "expected_value": {"fraction": "16", "decimal": 16.0},
        "house_edge_percent": -1600.0,
        "hit_frequency": 1 / 3,
        "standard_deviation": pytest.approx(51 * sqrt(2) / 3),
        "outcomes": [
            {"outcome": "win", "pays": "50:1", "probability": {"fraction": "1/3", "decimal": 1 / 3}},
            {"outcome": "lose", "pays": "-1", "probability": {"fraction": "2/3", "decimal": 2 / 3}},
        ],
    }


def test_wagers_together_by_hand() -> None:
    figures = joint(tiny(3, 1, 1), {"all-the-way": 100, "round-1": 500})
    assert figures.stakes == (("round-1", 500), ("all-the-way", 100))
    assert figures.distribution == ((150, Fraction(2, 3)), (4_500, Fraction(1, 3)))
    assert figures.mean_cents == 1_600
    assert figures.variance == Fraction(2, 9) * 4_350**2
    # Round 1 nets +250 or -500, All the Way -100 or +5,000: always against each other.
    assert figures.covariance == (
        (Fraction(2, 9) * 750**2, Fraction(-2, 9) * 750 * 5_100),
        (Fraction(-2, 9) * 750 * 5_100, Fraction(2, 9) * 5_100**2),
    )


@pytest.mark.parametrize("decks", DECKS)
@pytest.mark.parametrize("rounding", ["cents", "chip"])
def test_wagers_together_follow_from_the_wagers_alone(decks: int, rounding: str) -> None:
    rules = house(decks=decks, rounding=rounding)
    figures = joint(rules, EVERY_WAGER)
    assert sum(probability for _, probability in figures.distribution) == 1
    assert figures.variance == sum(sum(row) for row in figures.covariance)
    alone = [joint(rules, {wager: cents}) for wager, cents in EVERY_WAGER.items()]
    assert figures.mean_cents == sum(one.mean_cents for one in alone)
    assert [figures.covariance[i][i] for i in range(5)] == [one.variance for one in alone]
    if rounding == "cents":
        assert [one.mean_cents for one in alone] == [
            cents * Fraction(wager.expected_value)
            for cents, wager in zip(EVERY_WAGER.values(), wager_figures(rules), strict=True)
        ]


def test_rounding_to_the_chip_costs_the_player() -> None:
    exact, rounded = (joint(house(rounding=r), {"round-1": 500}) for r in ("cents", "chip"))
    assert exact.mean_cents - rounded.mean_cents == 50 * chances(house())["round-1"]


def test_an_unknown_wager_is_refused() -> None:
    with pytest.raises(MalformedInput, match="there is no wager 'round-9'; the wagers are round-1, "):
        joint(house(), {"round-9": 100})
