"""Kernel, engine, solver and figures counted by hand agree on wagers of every size."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, perm

import pytest

from cardroom.exact.knockout52 import wager_figures
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import automaton_of, disagreements
from cardroom.lab.sizes_knockouts import knockout_52_by_size
from cardroom.lab.sizes_twentyone import twentyone_by_size
from cardroom.lab.twentyone import beside_figures
from cardroom.rules import load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim import knockout52 as knockout52_simulation
from cardroom.sim.twentyone import simulate
from cardroom.sim.twentyone.dice import dice, random_actions, random_shoes

SIX_FIVE_IN_CHIPS = {"blackjack_pays": "6:5", "rounding": "chip"}
CHIPS = {"rounding": "chip"}
SIGMAS = 6.5
"""A right simulation is farther off once in 10¹⁰ runs; and the seeds are fixed."""


def rules_of(game: str, changes: Mapping[str, object] | None = None) -> TwentyOneRules:
    return load_rules_as(TwentyOneRules, game, changes)


def knockout_52(changes: Mapping[str, object] | None = None) -> Knockout52Rules:
    return load_rules_as(Knockout52Rules, "knockout-52", changes)


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        ("blackjack", SIX_FIVE_IN_CHIPS),
        ("blackjack", {**CHIPS, "surrender": "late", "limits.min": "3.00"}),
        ("blackjack", {**CHIPS, "side_bets.match-the-dealer.one_unsuited": "7:2", "limits.side_min": "3.00"}),
        ("spanish-21", {**CHIPS, "limits.min": "1.00"}),
        ("players-edge-21", CHIPS),
        ("players-edge-21", {"limits.min": "126.00"}),
        ("players-edge-21", {**CHIPS, "limits.min": "251.00"}),
        ("players-edge-21", {"limits.min": "500.00", "double.rescue": "before-last-double"}),
    ],
    ids=str,
)
def test_kernel_equals_engine_cent_for_cent_in_chips_and_under_caps(
    game: str, changes: Mapping[str, object]
) -> None:
    """The engine stakes the table's minimum; full shoes and strategies at random."""
    generator = dice(1114)
    rules = rules_of(game, changes)
    for spots in (1, 1, 2):
        actions = random_actions(automaton_of(rules), generator)
        shoes = random_shoes(rules, 120, generator)
        assert next(disagreements(rules, actions, shoes, spots), None) is None


def test_six_to_five_in_chips_at_four_dollars() -> None:
    """$4 wins $4 in place of $4.80: a fifth of the wager at every blackjack that the dealer has not too."""
    rules = rules_of("blackjack", SIX_FIVE_IN_CHIPS)
    own = Fraction(2 * 24 * 96, 312 * 311)
    dealers_too = Fraction(2 * 23 * 95, 310 * 309)
    lost = own * (1 - dealers_too) / 5
    for strategy, in_full, in_chips in (("basic", "1.978", "2.884"), ("composition", "1.975", "2.882")):
        full, sized = (-solve(rules, strategy, wager_cents=cents).expected_value for cents in (None, 400))
        assert sized - full == pytest.approx(float(lost), abs=1e-13)
        assert (f"{100 * full:.3f}", f"{100 * sized:.3f}") == (in_full, in_chips)


def test_knockout_52_at_a_dollar_in_chips() -> None:
    """Half of $1 is paid as nothing: Round 1 loses its stake whenever no card of thirteen matches."""
    without_match = sum(
        Fraction((-1) ** matches * comb(13, matches) * 4**matches, perm(52, matches)) for matches in range(14)
    )
    by_wager = {each.wager: each for each in wager_figures(knockout_52(CHIPS), 100)}
    assert -by_wager["round-1"].expected_value == without_match
    assert f"{100 * float(without_match):.1f}" == "35.7"
    (in_full, *_) = wager_figures(knockout_52(CHIPS))
    assert f"{in_full.house_edge_percent:.2f}" == "3.54"


@pytest.mark.parametrize(
    ("changes", "wager_cents", "printed"),
    [(CHIPS, 300, "0.941"), (None, 50_000, "0.231"), (None, 300, "0.136"), (CHIPS, 400, "0.136")],
)
def test_players_edge_by_size_is_what_the_simulation_plays(
    changes: Mapping[str, object] | None, wager_cents: int, printed: str
) -> None:
    rules = rules_of("players-edge-21", changes)
    solution = solve(rules, "basic", wager_cents=wager_cents)
    assert f"{-100 * solution.expected_value:.3f}" == printed
    result = simulate(
        rules,
        solution.strategy.action,
        2_000_000,
        seed=12,
        strategy="basic",
        side_bets=False,
        wager_cents=wager_cents,
    )
    primary = result.estimate("primary")
    assert abs(float(primary.mean) - solution.expected_value) < SIGMAS * primary.standard_error
    assert result.details["wager_cents"] == wager_cents


def test_a_size_that_is_paid_in_full_has_the_figures_of_any_other_to_the_last_digit() -> None:
    rules = rules_of("players-edge-21")
    full, sized = (solve(rules, "basic", wager_cents=cents) for cents in (None, 12_500))
    assert sized.expected_value == full.expected_value
    assert sized.solver.automaton is full.solver.automaton
    by_size = [
        simulate(rules, full.strategy.action, 20_000, seed=3, strategy="basic", wager_cents=cents)
        for cents in (None, 12_500)
    ]
    assert by_size[0].estimate("primary") == by_size[1].estimate("primary")


def test_the_edge_is_given_by_size_from_the_minimum_to_the_maximum() -> None:
    rules = rules_of("players-edge-21")
    sizes = twentyone_by_size(rules, "composition", with_curve=True)
    assert sizes.wager_cents == 300
    lines = {line.wager_cents: line for line in sizes.lines}
    assert {300, 500, 1000, 2500, 10_000, 12_600, 25_100, 50_000} <= {*lines}
    # A third double of more than $125, a second of more than $250 would add more than $500.
    assert lines[12_600].why == "last double capped"
    assert lines[25_100].why == "last two doubles capped"
    assert (lines[300].why, lines[50_000].why) == ("minimum", "maximum")
    for cents in (300, 10_000, 12_600, 50_000):
        worth = solve(rules, wager_cents=cents).expected_value
        assert lines[cents].edges["primary"] == -100 * worth
    assert lines[10_000].edges["primary"] == lines[300].edges["primary"] < lines[12_600].edges["primary"]
    # One in 668,382 wins $1,000, and $5,000 from $25 on (PE21-13).
    assert lines[500].edges["super-bonus"] == pytest.approx(-100 * 1000 / 5 / 668_382, rel=1e-12)
    assert lines[2500].edges["super-bonus"] == pytest.approx(-100 * 5000 / 25 / 668_382, rel=1e-12)
    assert [*sizes.in_full] == ["primary"]
    assert sizes.curve[0].wager_cents == 300
    assert sizes.curve[-1].wager_cents == 50_000
    assert {line.wager_cents for line in sizes.curve} >= {12_600, 25_100}


@pytest.mark.parametrize("game", ["blackjack", "spanish-21"])
def test_where_nothing_depends_on_the_size_one_sentence_says_so(game: str) -> None:
    for limits in ({}, {"limits.max": "500.00"}):
        sizes = twentyone_by_size(rules_of(game, limits), "composition")
        assert (sizes.wagers, sizes.lines, sizes.in_full) == ((), (), {})
        (sentence,) = sizes.sentences
        assert sentence.startswith("Figures are for a wager of $4.00, the ")
        assert sentence.endswith("; none depends on its size.")
    assert knockout_52_by_size(knockout_52()).lines == ()


def test_side_bets_and_insurance_are_rounded_on_stakes_of_their_own() -> None:
    changes = {
        **CHIPS,
        "side_bets.match-the-dealer.one_unsuited": "7:2",
        "insurance.pays": "3:2",
        "insurance.suited_pays": "3:2",
        "limits.min": "10.00",
        "limits.max": "10.00",
    }
    rules = rules_of("blackjack", changes)
    in_full = side_bet_figures(rules, "match-the-dealer")
    (chance,) = [line.probability for line in in_full.outcomes if line.outcome == "one_unsuited"]
    for side_cents, missing in ((200, 0), (300, Fraction(1, 6))):
        by_wager = {each.wager: each for each in beside_figures(rules, side_cents=side_cents)}
        # 7 to 2 on $3 is $10.50, and half a dollar is not paid; on $2 it is $7.
        expected = in_full.expected_value - chance * missing
        assert by_wager["match-the-dealer"].expected_value == expected
        # Insurance of $10 is $5, and wins $7: 96 tens in the 311 cards that are left.
        assert by_wager["insurance"].expected_value == Fraction(96, 311) * Fraction(12, 5) - 1
    sizes = twentyone_by_size(rules, "composition").side
    assert sizes is not None
    assert sizes.wagers == ("match-the-dealer",)
    assert [line.wager_cents for line in sizes.lines] == [200, 300, 400]


def test_a_wager_too_small_to_be_halved_has_no_insurance() -> None:
    rules = rules_of("blackjack", {**CHIPS, "limits.min": "1.00"})
    assert "insurance" not in {each.wager for each in beside_figures(rules)}
    assert "insurance" in {each.wager for each in beside_figures(rules, wager_cents=200)}
    result = simulate(
        rules, solve(rules, "basic").strategy.action, 5000, seed=1, strategy="basic", wager_cents=100
    )
    assert "insurance" not in {estimate.wager for estimate in result.estimates}


def test_simulated_side_bets_and_knockout_52_are_paid_by_size() -> None:
    rules = rules_of("blackjack", {**CHIPS, "side_bets.match-the-dealer.one_unsuited": "7:2"})
    result = simulate(
        rules, solve(rules, "basic").strategy.action, 5000, seed=1, strategy="basic", side_cents=300
    )
    assert Fraction(10, 3) in dict(result.estimate("match-the-dealer").tally)
    rounds = knockout52_simulation.simulate(knockout_52(CHIPS), 100_000, seed=5, stake_cents=300)
    first = rounds.estimate("round-1")
    (exact, *_) = wager_figures(knockout_52(CHIPS), 300)
    assert abs(float(first.mean - exact.expected_value)) < SIGMAS * first.standard_error
    assert [net for net, _ in first.tally] == [-1, Fraction(1, 3)]
