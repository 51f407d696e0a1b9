"""The blackjack family simulated: within its error of the exact value, and the same for any workers."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.exact.sidebets import insurance_figures, side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.rule_sets import FAMILY, SOLVED
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.batches import threads
from cardroom.sim.twentyone import Dealing, simulate

ROUNDS = 4_000_000
SEED = 21
MOST_ERRORS = 3
MOST_ERRORS_OF_MANY = 4  # of some forty lines one may be off by three


@pytest.mark.parametrize(("game", "changes"), SOLVED, ids=str)
def test_simulated_is_within_three_errors_of_exact(game: str, changes: dict[str, Any]) -> None:
    rules = load_rules_as(TwentyOneRules, game, changes)
    solution = solve(rules, "basic")
    result = simulate(
        rules,
        solution.strategy.action,
        ROUNDS,
        seed=SEED,
        strategy="basic",
        side_bets=False,
        spread=threads(2),
    )
    primary = result.estimate("primary")
    assert abs(float(primary.mean) - solution.expected_value) <= MOST_ERRORS * primary.standard_error
    exact = {part.name: part.expected_value for part in solution.by_up_card}
    assert len(exact) == len(result.details["by_up_card"])
    for row in result.details["by_up_card"]:
        off = row["expected_value"] - exact[row["up_card"]]
        assert abs(off) <= MOST_ERRORS_OF_MANY * row["standard_error"], row["up_card"]
    assert result.details["average_wager"] == pytest.approx(solution.average_final_wager, abs=0.002)


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        *((game, {}) for game in FAMILY),
        ("players-edge-21", {"decks": "infinite"}),
        ("blackjack", {"decks": 1}),
    ],
    ids=str,
)
def test_side_bets_come_as_often_as_they_should(game: str, changes: dict[str, Any]) -> None:
    """Every line of every side bet, and insurance: rounds expected by the exact chance, ± its error."""
    rules = load_rules_as(TwentyOneRules, game, changes)
    actions = solve(rules, "basic").strategy.action
    result = simulate(rules, actions, ROUNDS, seed=SEED, strategy="basic", spread=threads(2))
    exact = [side_bet_figures(rules, wager) for wager in rules.offered_side_bets]
    for figures in [*exact, insurance_figures(rules)]:
        estimate = result.estimate(figures.wager)
        if figures.wager != "insurance":
            assert estimate.rounds == ROUNDS
        counted = dict.fromkeys((net for net, _ in estimate.tally), 0)
        for net, count in estimate.tally:
            counted[net] += count
        chances = dict.fromkeys((outcome.net for outcome in figures.outcomes), 0.0)
        for outcome in figures.outcomes:
            chances[outcome.net] += float(outcome.probability)
        assert {net for net, count in counted.items() if count} <= set(chances)
        for net, chance in chances.items():
            expected = estimate.rounds * chance
            error = (expected * (1 - chance)) ** 0.5
            came = counted.get(net, 0)
            assert abs(came - expected) <= MOST_ERRORS_OF_MANY * error + 1, (figures.wager, net)


@pytest.mark.parametrize(
    ("spots", "dealing"), [(1, Dealing.fresh()), (1, Dealing(None, 78, 1)), (3, Dealing(7, None, 1))]
)
def test_any_number_of_workers_gives_the_same_result(spots: int, dealing: Dealing) -> None:
    rules = load_rules_as(TwentyOneRules, "players-edge-21")
    actions = solve(rules, "basic").strategy.action
    one, two = (
        simulate(
            rules,
            actions,
            2_500_000,
            seed=5,
            strategy="basic",
            dealing=dealing,
            spots=spots,
            spread=threads(workers),
        )
        for workers in (1, 2)
    )
    assert one == two
    assert one.rounds == 2_500_000


def test_several_spots_expect_what_one_does() -> None:
    """From a fresh shoe no spot gains or loses by the others: what they take is as random as the rest."""
    rules = load_rules_as(TwentyOneRules, "blackjack", {"decks": 2})
    solution = solve(rules, "basic")
    result = simulate(
        rules,
        solution.strategy.action,
        1_500_000,
        seed=SEED,
        strategy="basic",
        spots=4,
        side_bets=False,
        spread=threads(2),
    )
    primary = result.estimate("primary")
    assert abs(float(primary.mean) - solution.expected_value) <= MOST_ERRORS * primary.standard_error
