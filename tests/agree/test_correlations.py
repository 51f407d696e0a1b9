"""Correlations of wagers of one round: exact counts, a plain sum over all deals, simulated rounds."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from cardroom.core.cards import CARDS
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.correlation import Deals, correlations
from cardroom.sim.twentyone.joint import correlations as simulated
from tests.twentyone import house


def test_deals_give_the_figures_of_every_side_bet() -> None:
    for game in ("blackjack", "spanish-21"):
        rules = house(game, {"decks": 2})
        deals = Deals(rules)
        ways = deals.ways(3)
        for wager in rules.offered_side_bets:
            won, scale = deals.results(wager)
            value = Fraction(int((ways * won[..., 0]).sum()), int(ways.sum()) * scale)
            assert value == side_bet_figures(rules, wager).expected_value


def test_side_bets_among_themselves_by_a_plain_sum() -> None:
    rules = house("blackjack", {"decks": 1})
    found = correlations(solve(rules, "basic"), 1.0, rounds=1000, seed=1)[-1]
    assert (found.one, found.other, found.method) == ("21+3", "match-the-dealer", "exact")
    bets = [rules.side_bets[found.one], rules.side_bets[found.other]]
    sums = [0, 0, 0, 0, 0]
    deals = 0
    # By symmetry of the suits the first card may be taken to be a club.
    for first in CARDS[:13]:
        for second, up in itertools.permutations([card for card in CARDS if card is not first], 2):
            one, other = (
                int(bet.odds(line).ratio) if (line := bet.line(first, second, up)) else -1 for bet in bets
            )
            deals += 1
            for place, value in enumerate((one, other, one * one, other * other, one * other)):
                sums[place] += value
    x, y, xx, yy, xy = (Fraction(value, deals) for value in sums)
    assert found.value == pytest.approx(float(xy - x * y) / math.sqrt((xx - x * x) * (yy - y * y)), abs=1e-12)


@pytest.mark.parametrize("game", ["blackjack", "spanish-21"])
def test_the_primary_wager_with_a_side_bet_as_simulated(game: str) -> None:
    rules = house(game, {"split.max_hands": 2})
    basic = solve(rules, "basic")
    exact = {
        pair.other: pair.value
        for pair in correlations(basic, basic.standard_deviation, rounds=1, seed=1)
        if pair.one == "primary"
    }
    for each in simulated(rules, basic.strategy.action, 1_000_000, seed=7):
        assert abs(exact[each.wager] - each.correlation) < 4.5 * each.standard_error
        assert 0.0005 < each.standard_error < 0.003
