"""Bets on the dealer's second card and hand where there is no hole card (21-1.19): figures and all trees.

The second card comes when all have played, so that how they play may change which card it is. Over all cards
it does not: whatever is done at every decision, the engine's complete tree gives the value in fractions.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import pytest

from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone import (
    Event,
    JackpotPaid,
    Round,
    RoundVoided,
    WagerPaid,
    WagerTaken,
)
from cardroom.engine.twentyone.alike import alike
from cardroom.engine.walk import Branches, by_chance, moves, walk
from cardroom.exact.sidebets import side_bet_figures
from cardroom.rules.twentyone import TwentyOneRules
from tests.twentyone import ann, house

SECOND: dict[str, Any] = {
    "title": "Second",
    "looks_at": ["player_1", "dealer_up", "dealer_hole"],
    "lines": [
        {"name": "three alike", "when": {"same": ["rank"]}, "pays": "40:1"},
        {"name": "over", "when": {"of": "dealer", "total": {"min": 19}}, "pays": "3:2"},
        {"name": "first", "when": {"of": ["player_1", "dealer_hole"], "same": ["rank"]}, "pays": "7:1"},
    ],
}
ENDS: dict[str, Any] = {
    "title": "Ends",
    "looks_at": ["player_1", "player_2", "dealer_hand"],
    "lines": [
        {
            "name": "pair over a bust",
            "when": {"all": [{"of": "player", "same": ["rank"]}, {"of": "dealer", "bust": True}]},
            "pays": "9:1",
        },
        {"name": "long", "when": {"of": "dealer", "number": {"min": 4}}, "pays": "5:1"},
        {"name": "twenty", "when": {"of": "dealer", "total": 20}, "pays": "2:1"},
        {"name": "bust", "when": {"of": "dealer", "bust": True}, "pays": "1:1"},
    ],
}
MATCH: dict[str, Any] = {"side_bets.match-down": {"offered": True, "needs": "match-the-dealer"}}
SMALL = {"hole_card": "none", "split.max_hands": 1, "limits.side_max": "500.00"}
TENS_AND_SEVENS = "7c:3,8d:2,9h:2,Ts:3,Qh:2"
ACES = "Ac:2,5d:2,9h:2,Ts:2,Qh:2,Kc:1"
CASES = [
    ("second", {}, TENS_AND_SEVENS),
    ("second", {"dealer_blackjack_takes": "original", "surrender": "late"}, ACES),
    ("ends", {"dealer_hits_soft_17": False}, TENS_AND_SEVENS),
    ("ends", {"dealer_22_pushes": True}, ACES),
    ("lucky-ladies", {}, ACES),
    ("match-down", MATCH, TENS_AND_SEVENS),
    ("monster-match-1", {}, ACES),
    ("buster-blackjack", {}, TENS_AND_SEVENS),
    ("push-22", {"surrender": "early"}, ACES),
    ("second", {"split.max_hands": 2, "double.max_doubles": 0}, "8c:6,9h:3,Ts:4"),
]


def offering(wager: str, changes: dict[str, Any]) -> TwentyOneRules:
    own = {"second": SECOND, "ends": ENDS}
    bet = {f"side_bets.{wager}": own[wager]} if wager in own else {f"side_bets.{wager}.offered": True}
    return house("blackjack", {**SMALL, **(bet if changes is not MATCH else {}), **changes})


def net_of(rules: TwentyOneRules, wager: str, events: Iterable[Event]) -> Fraction:
    net = Fraction(0)
    for event in events:
        if getattr(event, "wager", "") != wager:
            continue
        if isinstance(event, WagerPaid | JackpotPaid):
            line = rules.side_bets[wager].fixed_stake_cents or 200
            net += Fraction(event.payment_cents, line)
        elif isinstance(event, WagerTaken):
            net -= 1
    return net


def over_all_play(rules: TwentyOneRules, wager: str, shoe: CardCounts) -> tuple[Fraction, Fraction]:
    """The least and the most that a wager is worth, over all ways to play every hand."""
    side = {wager: rules.side_bets[wager].fixed_stake_cents or 200}
    if needs := rules.side_bets[wager].needs:
        side[needs] = 200
    meters = {name: int(bet.meter_seed or 0) for name, bet in rules.side_bets.items() if bet.meter_seed}
    raised = rules.side_bets[wager].meter_increment_percent

    def tried(state: Round) -> Iterable[tuple[Any, int]]:
        return moves(twentyone, state) if wager in dict(state.spots[0].side) else ()

    def fold(state: Round, branches: Branches[Event, tuple[Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
        for branch in branches:
            assert not any(isinstance(event, RoundVoided) for event in branch.events), "the shoe is too small"
        values = [
            (chance, branch.value[0] + net, branch.value[1] + net)
            for chance, branch in by_chance(branches)
            for net in (net_of(rules, wager, branch.events),)
        ]
        if not values:
            return Fraction(0), Fraction(0)
        if isinstance(twentyone.awaits(state), twentyone.Turn):
            return min(low for _, low, _ in values), max(high for _, _, high in values)
        return (
            sum((chance * low for chance, low, _ in values), Fraction(0)),
            sum((chance * high for chance, _, high in values), Fraction(0)),
        )

    def same(state: Round) -> object:
        return alike(state), state.spots[0].first_two, state.spots[0].side, state.dealer[:2]

    assert raised == 0 or meters
    start, _ = twentyone.start(rules, ann(1000, side), shoe)
    return walk(twentyone, start, fold, tried=tried, alike=same)


@pytest.mark.slow
@pytest.mark.clause("21-1.19", "SIDE-7")
@pytest.mark.parametrize(("wager", "changes", "cards"), CASES, ids=str)
def test_figures_are_those_of_every_tree_however_the_hands_are_played(
    wager: str, changes: dict[str, Any], cards: str
) -> None:
    rules, shoe = offering(wager, changes), CardCounts.parse(cards)
    figures = side_bet_figures(rules, wager, shoe=shoe)
    low, high = over_all_play(rules, wager, shoe)
    assert low == high == figures.expected_value
    assert sum(outcome.probability > 0 for outcome in figures.outcomes) > 1


@pytest.mark.clause("21-1.19")
def test_they_are_the_figures_of_a_table_with_a_hole_card() -> None:
    for wager in ("lucky-ladies", "buster-blackjack", "push-22"):
        kinds = [
            side_bet_figures(offering(wager, {"hole_card": kind}), wager).outcomes
            for kind in ("none", "dealt", "unseen")
        ]
        assert kinds[0] == kinds[1] == kinds[2]
