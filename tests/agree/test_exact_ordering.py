"""Strategies in their order for every rule set tried, and the whole as the sum of its parts."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from cardroom.core.cards import Rank
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import Solution, solve
from cardroom.exact.twentyone.solver import Solver
from cardroom.lab.published.charts import HITS_WITH, STANDS, six_deck_chart
from cardroom.lab.rule_sets import EACH_OPTION, FAMILY, SOLVED, Changed, words
from cardroom.lab.simple_strategies import mimic_the_dealer, never_bust
from cardroom.model.twentyone.automaton import NUMBER_OF, compile_hands
from cardroom.model.twentyone.strategy import Chart, Strategy
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action
from tests.thorough import one_in
from tests.twentyone import house

TOGETHER: list[Changed] = [
    ("spanish-21", {"split.hit_aces": False}),
    ("players-edge-21", {"split.hit_aces": False, "surrender": "none"}),
    ("blackjack", {"double.on": "any_cards", "split.double_aces": True}),
]
"""Split aces that get one card, and would double on any number of them."""
CHOICES: dict[str, tuple[object, ...]] = {
    "decks": (1, 2, 6, 8, "infinite"),
    "deck": ("standard", "spanish"),
    "dealer_hits_soft_17": (False, True),
    "blackjack_always_wins": (False, True),
    "player_21_always_wins": (False, True),
    "charlie": ("none", 6),
    "dealer_22_pushes": (False, True),
    "surrender": ("none", "late"),
    "split.max_hands": (1, 2, 3, 4),
    "split.unlike_tens": (False, True),
    "split.resplit_aces": (False, True),
    "split.hit_aces": (False, True),
    "split.double_aces": (False, True),
    "split.blackjack_total_stands": (False, True),
    "double.on": ("two_cards", "any_cards"),
    "double.totals": ("10-11", "9-11", "any"),
    "double.after_split": (False, True),
    "double.max_doubles": (1, 2, 3),
    "double.rescue": ("none", "original", "before-last-double"),
    "bonus_21.five_cards": ("none", "3:2"),
    "bonus_21.seven_cards": ("none", "3:1"),
    "bonus_21.three_sevens_suited": ("none", "2:1"),
    "bonus_21.on_split_hands": (False, True),
}


def at_random(number: int) -> list[Changed]:
    """Rules that nobody would think of together."""
    chance = random.Random(21)
    return [
        (chance.choice(FAMILY), {key: chance.choice(values) for key, values in CHOICES.items()})
        for _ in range(number)
    ]


OTHER_WAGERS = ("insurance.", "limits.", "side_bets.", "super_bonus.")
"""Options that are no part of what the primary wager is worth."""


def of_primary_wager(changed: Changed) -> Changed:
    """Without the options of other wagers; where both dealer's cards are shown there may be no insurance."""
    game, changes = changed
    others = OTHER_WAGERS[1:] if changes.get("hole_card") == "shown" else OTHER_WAGERS
    return game, {key: changes[key] for key in sorted(changes) if not key.startswith(others)}


def rule_sets() -> list[Changed]:
    """The games as they are, every option changed, what simulations meet, and what nobody would think of."""
    shipped: list[Changed] = [(game, {}) for game in FAMILY]
    every = [*shipped, *EACH_OPTION, *SOLVED, *TOGETHER, *at_random(12)]
    return list({words(each): each for each in map(of_primary_wager, every)}.values())


RULE_SETS = rule_sets()


def published_strategies(rules: TwentyOneRules, best: Strategy) -> Iterator[Strategy]:
    """What people play by: charts in print, and rules of thumb."""
    automaton = compile_hands(rules)
    yield mimic_the_dealer(rules)
    yield never_bust(rules)
    once = rules.double.max_doubles == 1 and rules.double.rescue == "none"
    by_up_card = rules.hole_card != "shown"
    if rules.game == "blackjack" and once and by_up_card and not rules.bonus_21.rates:
        for hits in (False, True):
            chart = six_deck_chart(dealer_hits_soft_17=hits)
            tens = next(row for row in chart.rows if row.hand == "pair T")
            faces = () if rules.split.unlike_tens else (replace(tens, hand=f"pair {each}") for each in "JQK")
            yield replace(chart, rows=(*chart.rows, *faces)).strategy(automaton)
    if rules.game != "blackjack":
        yield with_published_stands(best)


def with_published_stands(best: Strategy) -> Strategy:
    """Our chart with hard 12 to 16 against 2 to 6 as published for Spanish 21."""
    action = best.action.copy()
    for state, hand in enumerate(best.automaton.hands):
        plain = not (hand.soft or hand.pair or hand.doubles or hand.progress)
        if plain and hand.cards > 1 and 12 <= hand.total <= 16:
            for up in "23456":
                stands = up in STANDS.get(hand.total, "") and hand.cards < HITS_WITH.get((hand.total, up), 99)
                chosen = Action.STAND if stands else Action.HIT
                if chosen in best.automaton.options(state):
                    action[state, int(up) - 1] = NUMBER_OF[chosen]
    return Strategy("published", best.automaton, action)


def solution(solver: Solver, strategy: str | Strategy) -> Solution:
    """As `solve` has it, with the tables of a house made once for all strategies."""
    table: Strategy | None
    if isinstance(strategy, Strategy):
        name, table = strategy.name, solver.fitted(strategy)
    else:
        name, table = strategy, None if strategy == "composition" else solver.best_strategy()
    return Solution(solver, name, table, solver.play(table))


def check_parts(found: Solution) -> None:
    """The parts by up card and by first two cards add up to the whole."""
    for parts in (found.by_up_card, found.by_first_two):
        assert sum(part.chance for part in parts) == pytest.approx(1, abs=1e-12)
        whole = sum(part.chance * part.expected_value for part in parts)
        assert whole == pytest.approx(found.expected_value, abs=1e-12)


@pytest.mark.parametrize("changed", one_in(3, RULE_SETS), ids=words)
def test_by_composition_is_best_then_by_totals_then_as_published(changed: Changed) -> None:
    game, changes = changed
    rules = house(game, changes)
    solver = Solver.of(rules)
    best, basic = solution(solver, "composition"), solution(solver, "basic")
    assert best.expected_value >= basic.expected_value - (1e-13 if rules.decks == "infinite" else 0)
    check_parts(best)
    check_parts(basic)
    read = Chart.parse(basic.strategy.chart().csv()).strategy(compile_hands(rules))
    assert np.array_equal(read.action, basic.strategy.action)
    values = []
    for strategy in published_strategies(rules, basic.strategy):
        given = solution(solver, strategy)
        assert given.expected_value <= basic.expected_value + 1e-14, strategy.name
        check_parts(given)
        values.append(given.expected_value)
    assert min(values) < basic.expected_value


ONE_SPLIT = {"split.max_hands": 2}
FREE_ACES = {"split.resplit_aces": True, "split.hit_aces": True, "split.double_aces": True}
DISTRIBUTIONS: list[Changed] = [
    ("blackjack", {**ONE_SPLIT, "decks": 1, "surrender": "late"}),
    ("blackjack", {**ONE_SPLIT, "split.hit_aces": True, "split.double_aces": True}),
    ("blackjack", {"decks": "infinite", "split.resplit_aces": True}),
    ("blackjack", {}),
    ("spanish-21", {**ONE_SPLIT, "decks": 2}),
    ("spanish-21", {}),
    ("spanish-21", {"decks": "infinite"}),
    ("players-edge-21", {}),
    ("players-edge-21", {"decks": "infinite"}),
    ("players-edge-21", {"decks": 1}),
]
FEW_DECKS: dict[int | str, float] = {1: 3e-10, 2: 1e-10}
"""What the degree of the polynomials in `joint` leaves out with one deck and two; with more it is nothing."""


@pytest.mark.parametrize("changed", one_in(2, DISTRIBUTIONS), ids=words)
@pytest.mark.parametrize("name", ["composition", "basic", "mimic the dealer"])
def test_the_mean_of_the_distribution_is_the_expected_value(changed: Changed, name: str) -> None:
    game, changes = changed
    rules = house(game, changes)
    solved = solve(rules, mimic_the_dealer(rules) if name.startswith("mimic") else name)
    check_parts(solved)
    assert sum(chance for _, chance in solved.distribution) == pytest.approx(1, abs=1e-12)
    mean = sum(float(net) * chance for net, chance in solved.distribution)
    assert mean == pytest.approx(solved.expected_value, abs=FEW_DECKS.get(rules.decks, 1e-12))


@pytest.mark.parametrize("otherwise", ["H", "Dh", "S"])
def test_split_aces_that_double_and_do_not_hit(otherwise: str) -> None:
    """A cell may have to say: hit, or double where a split ace may not hit."""
    rules = house("blackjack", {"split.double_aces": True})
    best = solve(rules, "basic")
    text = best.strategy.chart().csv()
    assert "Hds" in text
    other = Chart.parse(text.replace("Hds", otherwise)).strategy(compile_hands(rules))
    assert solve(rules, other).expected_value < best.expected_value - 1e-4


MANY: list[Changed] = [
    ("blackjack", {"decks": 1, "surrender": "late", **FREE_ACES}),
    ("blackjack", {"decks": 2, "double.max_doubles": 2, "double.on": "any_cards"}),
    ("spanish-21", {}),
    ("players-edge-21", {"decks": 2}),
]
LEAST_TRIED = 25


@pytest.mark.parametrize("changed", MANY, ids=words)
def test_no_chart_with_a_few_other_cells_is_better(changed: Changed) -> None:
    """Where decks are too many to try every chart: some cells changed together, for one up card."""
    game, changes = changed
    rules = house(game, changes)
    solver = Solver.of(rules)
    best = solution(solver, "basic")
    rows = [line.split(",") for line in best.strategy.chart().csv().splitlines()]
    first, bonus = rows[1].index("2"), rows[1].index("bonus")
    # A chart may name two cards in view of a bonus, where the class tells apart only what they may win.
    told_apart = [number for number in range(2, len(rows)) if not rows[number][bonus]]
    tried = 0
    for seed in range(2 * LEAST_TRIED):
        chance = random.Random(seed)
        other = [row.copy() for row in rows]
        column = chance.randrange(first, len(rows[1]))
        words_used = sorted({row[column] for row in rows[2:]} | {"H", "S"})
        for number in chance.sample(told_apart, 1 + seed % 5):
            pair = rows[number][0].startswith("pair")
            other[number][column] = chance.choice([word for word in words_used if pair or word != "P"])
        try:
            chart = Chart.parse("\n".join(map(",".join, other))).strategy(compile_hands(rules))
            given = solution(solver, chart)
        except MalformedInput:  # a word that is not for such a hand, or a split by suits
            continue
        tried += 1
        assert given.expected_value <= best.expected_value + 1e-14
    assert tried >= LEAST_TRIED


def test_like_tens_stand_against_every_ten() -> None:
    """The ranks of one value are one column of a chart, and one shoe may lack a pair that another has."""
    rules = house("blackjack", {"split.unlike_tens": False})
    best = solve(rules, "basic").strategy
    pairs = [number for number, hand in enumerate(best.automaton.hands) if hand.pair >= Rank.TEN]
    assert {best.automaton.hands[number].pair for number in pairs} == {
        Rank.TEN,
        Rank.JACK,
        Rank.QUEEN,
        Rank.KING,
    }
    for number in pairs:
        assert all(best.choose(number, up) is Action.STAND for up in range(1, 11))
