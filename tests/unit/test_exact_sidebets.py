"""Side bets counted by exchanging suits against every ordered draw; meters, insurance, Super Bonus."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from cardroom.core.cards import CARDS
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.sidebets import (
    insurance_figures,
    progressive_figures,
    side_bet_figures,
    super_bonus_figures,
)
from cardroom.exact.twentyone import parse_shoe
from cardroom.rules.bets import shelf_bet
from tests.twentyone import house

WAGERS = [("blackjack", "21+3"), ("blackjack", "match-the-dealer"), ("players-edge-21", "monster-match-1")]
SHOES = ["A:8,6:8,7:8,8:8", "Ac:2,2c:3,3d:1,3c:1,2d:2,Kc:1,Qc:1,Ad:2", "7:4,8:8,9:4,J:4"]


def counted(wager: str, shoe: CardCounts) -> dict[str, Fraction]:
    """The chance of each line, every draw counted in its order."""
    bet = shelf_bet(wager).bet
    ways: Counter[str] = Counter()
    for cards in product([card for card in CARDS if shoe[card]], repeat=len(bet.looks_at)):
        times = 1
        for place, card in enumerate(cards):
            times *= max(shoe[card] - cards[:place].count(card), 0)
        ways[bet.line(*cards) or "lose"] += times
    total = sum(ways.values())
    return {line: Fraction(times, total) for line, times in ways.items() if times}


@pytest.mark.slow
@pytest.mark.parametrize("shoe", SHOES)
@pytest.mark.parametrize(("game", "wager"), WAGERS)
def test_lines_are_counted_rightly(game: str, wager: str, shoe: str) -> None:
    cards = parse_shoe(shoe)
    figures = side_bet_figures(house(game), wager, shoe=cards)
    chances = {line.outcome: line.probability for line in figures.outcomes if line.probability}
    assert chances == counted(wager, cards)


def test_a_posted_table_is_paid_as_posted() -> None:
    rules = house("blackjack", {"side_bets.21+3.flush": "7:1"})
    more = Fraction(2 * 292_896, 5_013_320)
    assert side_bet_figures(rules, "21+3").expected_value == Fraction(-1997, 48205) + more


def test_decks_that_never_run_out() -> None:
    rules = house("spanish-21", {"decks": "infinite"})
    figures = side_bet_figures(rules, "match-the-dealer")
    # Each card matches on its own: suited with 1 in 48, unsuited with 3 in 48.
    one, three = Fraction(1, 48), Fraction(3, 48)
    lines = {line.outcome: line.probability for line in figures.outcomes}
    assert lines["two_suited"] == one**2
    assert lines["suited_and_unsuited"] == 2 * one * three
    assert lines["one_unsuited"] == 2 * three * (1 - one - three)


@pytest.mark.parametrize("wager", ["monster-match-1", "monster-match-5"])
def test_the_meter_at_which_monster_match_is_fair(wager: str) -> None:
    rules = house("players-edge-21")
    figures = progressive_figures(rules, wager)
    stake = shelf_bet(wager).bet.fixed_stake_cents
    assert figures.jackpot_chance == Fraction(48 * 6 * 5 * 4 * 3, 288 * 287 * 286 * 285)
    fair = figures.break_even_meter_cents
    assert fair.denominator == 1
    assert figures.at_meter(int(fair), stake) == 0
    assert side_bet_figures(rules, wager, meter_cents=int(fair)).expected_value == 0
    seed = 1_000_000 * stake // 100
    assert figures.at_seed.expected_value == figures.at_meter(seed, stake) < 0


def test_insurance_of_a_small_shoe() -> None:
    figures = insurance_figures(house("players-edge-21"), shoe=parse_shoe("Ac:1,Ad:1,Kc:1,9c:2"))
    # With either ace up one of four cards is the king, of the ace's suit half the time.
    lines = {line.outcome: (line.net, line.probability) for line in figures.outcomes}
    assert lines["suited blackjack"] == (Fraction(5), Fraction(1, 8))
    assert lines["blackjack"] == (Fraction(2), Fraction(1, 8))
    assert figures.expected_value == Fraction(7, 8) - Fraction(3, 4)


def test_the_super_bonus_by_wager() -> None:
    rules = house("players-edge-21")
    small, large = super_bonus_figures(rules, 2400), super_bonus_figures(rules, 2500)
    assert [figures.outcomes[0].net for figures in (small, large)] == [Fraction(1000, 24), Fraction(5000, 25)]
    assert small.outcomes[0].probability == Fraction(1, 668382)


def test_what_is_not_offered_is_refused() -> None:
    with pytest.raises(MalformedInput, match="'21\\+3' is not on offer at this table"):
        side_bet_figures(house("spanish-21"), "21+3")
    with pytest.raises(MalformedInput, match="match-up has no meter"):
        progressive_figures(house("players-edge-21"), "match-up")
    with pytest.raises(MalformedInput, match="no Super Bonus"):
        super_bonus_figures(house("blackjack"), 400)
    with pytest.raises(MalformedInput, match="no insurance"):
        insurance_figures(house("blackjack", {"insurance.offered": False}))
    with pytest.raises(MalformedInput, match="no ace in the shoe"):
        insurance_figures(house("blackjack"), shoe=parse_shoe("7:4"))
    with pytest.raises(MalformedInput, match="looks at 3 cards"):
        side_bet_figures(house("blackjack"), "21+3", shoe=parse_shoe("7:2"))
