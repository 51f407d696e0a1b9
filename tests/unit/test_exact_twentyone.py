"""The solver as a whole: parts that add up, strategies in their order, small optima, bad input."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pytest

from cardroom.core.cards import CARDS, Rank, parse_card, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import effect_of_removal, parse_shoe, sensitivity, solve
from cardroom.exact.twentyone.solution import Solution, find_node
from cardroom.exact.twentyone.solver import Solver
from cardroom.lab.published.charts import SIX_DECKS_S17
from cardroom.model.twentyone.automaton import NONE, NUMBER_OF, START, compile_hands
from cardroom.model.twentyone.strategy import Chart, Strategy
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.law import Action
from tests.twentyone import GAMES, house

HARD_RULES: list[tuple[str, Mapping[str, object]]] = [
    ("blackjack", {"decks": 1, "surrender": "late"}),
    ("blackjack", {"split.resplit_aces": True, "split.hit_aces": True, "double.on": "any_cards"}),
    ("spanish-21", {}),
    ("players-edge-21", {"decks": 8}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "changes"), HARD_RULES)
def test_the_whole_is_the_sum_of_its_parts(game: str, changes: Mapping[str, object]) -> None:
    by_composition, by_total = (solve(house(game, changes), name) for name in ("composition", "basic"))
    for solution in (by_composition, by_total):
        for parts in (solution.by_up_card, solution.by_first_two):
            assert sum(part.chance for part in parts) == pytest.approx(1, abs=1e-12)
            whole = sum(part.chance * part.expected_value for part in parts)
            assert whole == pytest.approx(solution.expected_value, abs=1e-12)
    assert by_composition.expected_value >= by_total.expected_value
    mean = sum(float(net) * chance for net, chance in by_total.distribution)
    assert mean == pytest.approx(by_total.expected_value, abs=1e-10)
    assert sum(chance for _, chance in by_total.distribution) == pytest.approx(1, abs=1e-10)


@pytest.mark.slow
def test_no_chart_beats_the_best_by_totals() -> None:
    chart = Chart.parse(SIX_DECKS_S17)
    for changes in ({}, {"decks": 2}, {"double.after_split": False}, {"decks": 8, "surrender": "late"}):
        rules = house("blackjack", changes)
        given = solve(rules, chart.strategy(compile_hands(rules))).expected_value
        assert given <= solve(rules, "basic").expected_value <= solve(rules).expected_value


def alternatives(solver: Solver) -> list[list[tuple[int, int]]]:
    """For each prospect that comes to a decision: all orders of preference, as (state, action)."""
    automaton = solver.automaton
    orders = [(NUMBER_OF[Action.DOUBLE], end) for end in (0, 1)] + [(0,), (1,)]
    choices = []
    for prospect in np.unique(automaton.prospect[automaton.may > 0]).tolist():
        states = np.flatnonzero((automaton.prospect == prospect) & (automaton.may > 0)).tolist()
        come = {int(state) for state in solver.nodes.state[solver.nodes.composition > 0]} & set(states)
        total = automaton.hands[states[0]].total
        if not come or total not in (12, 14, 16, 18) or automaton.hands[states[0]].soft:
            continue
        tried = {
            tuple((s, next(a for a in (*order, 0) if automaton.may[s] >> a & 1)) for s in states)
            for order in orders
        }
        choices.append([list(one) for one in sorted(tried)])
    return [[pair for one in combination for pair in one] for combination in product(*choices)]


@pytest.mark.slow
@pytest.mark.parametrize("column", [5, 7, 9])
def test_the_best_by_totals_is_the_best_of_all(column: int) -> None:
    """Every strategy on hard 12 to 18, of a shoe of sixes, eights and tens without splits."""
    solver = Solver.of(house("blackjack", {"split.max_hands": 1}), parse_shoe("6:5,8:5,T:8"))
    best = solver.best_strategy()
    rank = {5: 5, 7: 7, 9: 9}[column]

    def worth(action: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> float:
        strategy = Strategy("tried", solver.automaton, action)
        solution = Solution(
            solver, "tried", strategy, [up for up in solver.play(strategy) if up.seen.up == rank]
        )
        return solution.by_up_card[0].expected_value

    optimum = worth(best.action)
    tried = 0
    for change in alternatives(solver):
        action = best.action.copy()
        for state, number in change:
            action[state, column] = number
        tried += 1
        assert worth(action) <= optimum + 1e-14
    assert tried >= 100


@pytest.mark.slow
def test_values_of_actions() -> None:
    solution = solve(house("players-edge-21"), "basic")
    values = solution.action_values(parse_cards("6d7d"), parse_card("7c"))
    assert set(values) == {Action.STAND, Action.HIT, Action.DOUBLE, Action.SURRENDER}
    assert values[Action.SURRENDER] == pytest.approx(-0.5)
    # Diamonds are the suit that pays 3 to 1 (PE21-14).
    assert values[Action.HIT] > solution.action_values(parse_cards("6c7c"), parse_card("7c"))[Action.HIT]
    assert solution.action_values(parse_cards("AdKd"), parse_card("7c")) == {}
    assert solution.best_action(parse_cards("8c8d"), parse_card("7c")) is Action.SPLIT


@pytest.mark.parametrize(
    ("cards", "up", "says"),
    [
        ("AcAcAcAcAc", "7d", "more often in play"),
        ("Ac", "7d", "a hand has two cards or more"),
        ("KcQc2d", "7d", "is bust"),
        ("Ac7c", "Ac", "more often in play"),
    ],
)
def test_an_impossible_hand_is_refused(cards: str, up: str, says: str) -> None:
    solution = solve(house("blackjack", {"decks": 1}))
    with pytest.raises(MalformedInput, match=says):
        solution.action_values(parse_cards(cards), parse_card(up))


@pytest.mark.slow
def test_a_card_that_is_not_in_the_deck_is_refused() -> None:
    with pytest.raises(MalformedInput, match="Th is more often in play than in the shoe"):
        solve(house("spanish-21")).action_values(parse_cards("7c8c"), parse_card("Th"))
    with pytest.raises(MalformedInput, match="there is no Th in the shoe"):
        solve(house("spanish-21", {"decks": "infinite"})).action_values(parse_cards("7c8c"), parse_card("Th"))


def test_other_bad_input_is_refused() -> None:
    rules = house("blackjack")
    with pytest.raises(MalformedInput, match="unknown strategy 'best'"):
        solve(rules, "best")
    with pytest.raises(MalformedInput, match="could run out in the middle of a round"):
        solve(rules, shoe=parse_shoe("A:2,2:2,5:2,6:2,T:4"))
    with pytest.raises(MalformedInput, match="fractions are for small shoes"):
        solve(rules, exact=True)
    with pytest.raises(MalformedInput, match="is not a count of cards"):
        parse_shoe("A:2,Z:3")
    with pytest.raises(MalformedInput, match="no card can be missing from infinitely many decks"):
        effect_of_removal(house("blackjack", {"decks": "infinite"}))


@pytest.mark.slow
def test_removing_a_card() -> None:
    effects = effect_of_removal(house("blackjack", {"decks": 1, "dealer_hits_soft_17": False}))
    # The five is worth most to the house and the ace to the player.
    assert max(effects, key=lambda rank: effects[rank]) is Rank.FIVE
    assert min(effects, key=lambda rank: effects[rank]) is Rank.ACE
    deck = sum(effects[rank] for rank in Rank)
    assert abs(deck) < 0.002  # a whole suit removed changes little


@pytest.mark.slow
def test_what_rules_are_worth() -> None:
    changes = {(change.key, change.value): change.difference for change in sensitivity(house("blackjack"))}
    assert changes["dealer_hits_soft_17", False] == pytest.approx(0.0021, abs=2e-4)
    assert changes["surrender", "late"] > 0
    assert changes["blackjack_pays", "6:5"] == pytest.approx(-0.0136, abs=1e-4)
    assert ("double.rescue", "none") not in changes


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_shape_of_the_primary_wager(game: str) -> None:
    solution = solve(house(game, {"split.max_hands": 2}), "basic")
    shown = solution.figures().to_json()
    assert (shown["wager"], shown["strategy"]) == ("primary", "basic")
    assert shown["expected_value"]["fraction"] is None
    assert shown["expected_value"]["decimal"] == pytest.approx(solution.expected_value, abs=1e-12)
    assert 1 < solution.average_final_wager < 1.3
    assert shown["hit_frequency"] == pytest.approx(solution.hit_frequency)


def test_fractions_for_the_command_line() -> None:
    solution = solve(house("blackjack"), shoe=parse_shoe("8:8,T:14"), exact=True)
    shown = solution.figures().to_json()
    assert shown["expected_value"]["fraction"] == str(solution.expected_value)
    values = solution.action_values(parse_cards("8c8d"), parse_card("Tc"))
    compiled = solve(house("blackjack"), shoe=parse_shoe("8:8,T:14"))
    ours = compiled.action_values(parse_cards("8c8d"), parse_card("Tc"))
    assert {action: float(value) for action, value in values.items()} == pytest.approx(ours, abs=1e-12)
    assert solution.best_action(parse_cards("8c8d"), parse_card("Tc")) is not None
    assert NONE == -1


@pytest.mark.slow
@pytest.mark.clause("21-1.15")
@pytest.mark.parametrize("game", ["blackjack", "spanish-21", "players-edge-21"])
def test_doubling_a_21_after_a_split_is_worth_nothing_from_a_full_shoe(game: str) -> None:
    free, stands = (
        solve(house(game, {"decks": 1, "split.blackjack_total_stands": stands})).expected_value
        for stands in (False, True)
    )
    assert free == stands


@pytest.mark.slow
@pytest.mark.clause("21-1.15")
def test_doubling_a_21_after_a_split_out_of_a_depleted_shoe() -> None:
    """The figures of the docs; the engine walks both trees in `tests/perft/test_exact_every_option.py`."""
    shoe = parse_shoe("Ac:2,6c:4,Tc:5")
    free, stands = (
        solve(
            house("blackjack", {"split.max_hands": 2, "split.blackjack_total_stands": stands}),
            shoe=shoe,
            exact=True,
        ).expected_value
        for stands in (False, True)
    )
    assert round(100 * float(free), 2) == 31.15
    assert round(100 * float(stands), 2) == 28.96


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_hand_is_a_set_of_cards(game: str) -> None:
    """Every set of up to four cards comes in some order, and whatever the order it is the same hand."""
    solver = Solver.of(house(game))
    nodes, of_card = solver.nodes, solver.automaton.classes.of_card
    there = {of_card[card.index]: card for card in CARDS if solver.shoe.cards[card]}.values()
    start = int(nodes.at[0, START])
    up = parse_card("2h")
    for size in (2, 3, 4):
        for cards in combinations_with_replacement(there, size):
            if law.total_of(cards)[0] > 21:
                continue
            ends = set()
            for order in set(permutations(cards)):
                node = start
                for card in order:
                    node = int(nodes.next[node, of_card[card.index]]) if node != NONE else NONE
                ends.add(node)
            assert ends - {NONE} == {find_node(solver, cards, up)}


def test_a_blackjack_within_a_hand_is_none() -> None:
    """An ace, a ten and a five are a hard 16 in the order in which they come to be one."""
    solution = solve(house("blackjack"))
    up = parse_card("8d")
    values = solution.action_values(parse_cards("AcTd5h"), up)
    assert values == solution.action_values(parse_cards("Ac5hTd"), up)
    assert values[Action.HIT] > values[Action.STAND]


def test_t_is_what_the_deck_has() -> None:
    """A shoe named by its ranks is the full shoe of six Spanish decks, which have no ten itself."""
    ranks = "A:24,2:24,3:24,4:24,5:24,6:24,7:24,8:24,9:24,T:72"
    assert parse_shoe(ranks, "spanish") == house("spanish-21").shoe()
    with pytest.raises(MalformedInput, match="'Td:2': there is no Td in a spanish deck"):
        parse_shoe("A:2,Td:2", "spanish")
    assert parse_shoe("T:16,A:4").of_rank(Rank.TEN) == 4
