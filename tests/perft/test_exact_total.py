"""The primary wager with the Super Bonus by one strategy: paid so by the engine, and the best there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest

from cardroom.core.cards import Card, Rank, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import Action
from cardroom.engine.twentyone.state import Hand
from cardroom.exact.sidebets import super_bonus_figures
from cardroom.exact.twentyone import parse_shoe, solve
from cardroom.exact.twentyone.total import solve_total
from cardroom.model.twentyone.automaton import ACTIONS
from cardroom.rules.twentyone import TwentyOneRules
from tests.exact_twentyone import STAKE_CENTS, engine_mean, node_of
from tests.twentyone import house

APART = {"insurance.offered": False}


def by_engine(rules: TwentyOneRules, shoe: str, suited_sevens: Action | None) -> Fraction:
    """What the engine pays a player who plays for the primary wager, but two suited sevens against a 7 so."""
    solution = solve(rules, shoe=parse_shoe(shoe), wager_cents=STAKE_CENTS)
    solver, by_seen = solution.solver, {up.seen: up for up in solution.up_cards}

    def choose(hand: Hand, hands: int, up: Sequence[Card]) -> Action:
        sevens = [card.rank for card in (*hand.cards, *up)] == [Rank.SEVEN] * 3
        if suited_sevens and sevens and len({card.suit for card in hand.cards}) == 1 and not hand.from_split:
            return suited_sevens
        return ACTIONS[int(by_seen[solver.seen_of(up)].played.action[node_of(solver, hand, hands)])]

    return engine_mean(rules, solver.shoe.cards, choose)


@pytest.mark.parametrize(
    "changes",
    [
        {"split.max_hands": 2, "bonus_21.on_split_hands": False},
        {"split.max_hands": 1},
        {"split.max_hands": 2, "bonus_21.on_split_hands": False, "super_bonus.small_pays": "1.00"},
    ],
)
def test_the_engine_pays_the_total(changes: Mapping[str, object]) -> None:
    """Of all that may be done with two suited sevens against a 7, the total takes what pays most."""
    rules, shoe = house("players-edge-21", {**APART, **changes}), "7d:4,9c:3,Kc:5"
    total = solve_total(rules, shoe=parse_shoe(shoe), wager_cents=STAKE_CENTS)
    for_primary = by_engine(rules, shoe, None)
    others = [by_engine(rules, shoe, action) for action in (Action.STAND, Action.HIT, Action.SURRENDER)]
    assert total.value() == pytest.approx(float(max(for_primary, *others)), abs=1e-13)


def test_the_chance_of_a_player_who_plays_for_it() -> None:
    """The cards alone decide it: counted in fractions beside the solver."""
    for decks in (3, 6, 8):
        rules = house("players-edge-21", {"decks": decks})
        total = solve_total(rules, "basic", wager_cents=300)
        counted = super_bonus_figures(rules, 300).outcomes[0].probability
        assert total.chance == pytest.approx(float(counted), rel=1e-12)
        assert {hand.cards for hand in total.changed} == {"77 suited", "77 diamonds"}
        assert total.super_bonus_value == pytest.approx(float(counted) * 1000 / 3, rel=1e-12)


def test_a_large_wager_does_not_play_for_a_small_bonus() -> None:
    """$5,000 is ten wagers of $500: the third seven is not worth what a split is."""
    rules = house("players-edge-21")
    small, large = (solve_total(rules, wager_cents=cents) for cents in (300, 50_000))
    assert small.changed
    assert not large.changed
    assert large.chance == 0
    assert large.value() == solve(rules, wager_cents=50_000).expected_value
    assert small.value() > solve(rules, wager_cents=300).expected_value


def test_envy_by_the_number_of_players() -> None:
    """Each of the others wins as often, and the house pays $50 to every other player (PE21-13.1)."""
    total = solve_total(house("players-edge-21"), wager_cents=300)
    assert total.envy_value(1) == 0
    assert total.envy_value(7) == pytest.approx(6 * total.chance * 50 / 3, rel=1e-14)
    lines = total.to_json()["by_players"]
    assert [line["players"] for line in lines] == [1, 2, 3, 4, 5, 6, 7]
    for line in lines:
        parts = total.primary_value + total.super_bonus_value + line["envy_expected_value"]
        assert line["expected_value"] == pytest.approx(parts, abs=1e-15)


def test_a_chart_is_followed_as_it_is() -> None:
    rules = house("players-edge-21")
    basic = solve(rules, "basic", wager_cents=300)
    total = solve_total(rules, basic.strategy, wager_cents=300)
    sevens = parse_cards("7c7c7d")
    assert basic.best_action(sevens[:2], sevens[2]) is Action.SPLIT
    assert total.chance == 0
    assert total.value() == pytest.approx(basic.expected_value, abs=1e-15)


def test_without_a_super_bonus_there_is_no_total() -> None:
    with pytest.raises(MalformedInput, match="this table has none"):
        solve_total(house("blackjack"), wager_cents=400)
