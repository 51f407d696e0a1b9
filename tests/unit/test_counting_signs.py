"""Signs of counting in recorded rounds: a counter among others, and plays by hand-laid cards."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cardroom.core.cards import CARDS, Card, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone as engine
from cardroom.lab.counting_signs import PlayerSigns, TableRound, counting_signs, true_count
from cardroom.protect.counts import find_count
from cardroom.rules import load_rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action

HI_LO = find_count("hi-lo")


@pytest.fixture(scope="module")
def rules() -> TwentyOneRules:
    return load_rules("blackjack", {"decks": 2, "limits.max": "100.00", "dealer_hits_soft_17": False})


def played(rules: TwentyOneRules, wagers: dict[str, int], order: list[Card], used: int) -> engine.Round:
    """A round from an order of cards; everybody stands from 12 on."""
    spots = [
        engine.SpotWager(place, name, cents, {}) for place, (name, cents) in enumerate(wagers.items(), 1)
    ]
    left, gone = CardCounts.of_cards(order[used:]), CardCounts.of_cards(order[:used])
    state, _ = engine.start(rules, spots, left, discards=gone)
    cards = iter(order[used:])
    while not isinstance(awaited := engine.awaits(state), engine.Done):
        if isinstance(awaited, engine.CardAwaited):
            state, _ = engine.step(state, next(cards))
        elif engine.DeclineInsurance() in awaited.options:
            state, _ = engine.step(state, engine.DeclineInsurance())
        else:
            state, _ = engine.step(state, Action.STAND)
    return state


def table_round(rules: TwentyOneRules, state: engine.Round, shoe: int) -> TableRound:
    names = {spot.player: f"id of {spot.player}" for spot in state.spots}
    return TableRound("linden", shoe, engine.format_round(state), rules, names)


def test_a_counter_is_told_from_others(rules: TwentyOneRules) -> None:
    """One wagers by the count, one always the same, one at random: eight shoes of ten rounds."""
    random = np.random.default_rng(4)
    rounds = []
    for shoe in range(8):
        order = [CARDS[index] for index in random.permutation([card.index for card in rules.shoe().cards()])]
        used = 1
        for _ in range(7):
            seen = CardCounts.of_cards(order[used:])
            opening = engine.Opening(rules, (), seen, CardCounts.of_cards(order[:used]), ())
            count = true_count(opening, HI_LO)
            wagers = {
                "counter": 4_00 + 8_00 * max(0, math.floor(count)),
                "flat": 8_00,
                "random": 4_00 * int(random.integers(1, 6)),
            }
            state = played(rules, wagers, order, used)
            rounds.append(table_round(rules, state, shoe))
            used += sum(isinstance(entry, Card) for entry in state.inputs)
    found = {one.name: one for one in counting_signs(rounds)}
    assert found["counter"].hint
    assert (found["counter"].rounds, found["counter"].shoes) == (56, 8)
    assert found["counter"].player == "id of counter"
    assert found["flat"].correlation is None
    assert "never changed" in found["flat"].words
    assert not found["random"].hint
    assert found["random"].error is not None
    assert found["random"].error >= 0.1  # of 56 rounds no less can be known: 1 over the root of 55 is 0.13


def test_the_count_before_a_round_by_hand(rules: TwentyOneRules) -> None:
    """Four low cards gone of two decks: +4 over 100/52 decks."""
    gone = parse_cards("2c3c4c5c")
    opening = engine.Opening(rules, (), rules.shoe().without(gone), CardCounts.of_cards(gone), ())
    assert true_count(opening, HI_LO) == pytest.approx(4 / (100 / 52))


@pytest.mark.parametrize(("action", "plays"), [(Action.STAND, (1, 0)), (Action.HIT, (0, 1))])
def test_plays_by_the_count(rules: TwentyOneRules, action: Action, plays: tuple[int, int]) -> None:
    """16 against a ten with low cards gone: the count says stand, basic strategy says hit."""
    gone = parse_cards("2c3c4c5c2d3d4d5d2h3h4h5h")
    left = rules.shoe().without(gone)
    spots = [engine.SpotWager(1, "one", 4_00, {})]
    state, _ = engine.start(rules, spots, left, discards=CardCounts.of_cards(gone))
    for card in parse_cards("Tc Td 6c 9d"):
        state, _ = engine.step(state, card)
    state, _ = engine.step(state, action)
    cards = iter(parse_cards("2s Ts Th"))
    while not isinstance(awaited := engine.awaits(state), engine.Done):
        card_awaited = isinstance(awaited, engine.CardAwaited)
        state, _ = engine.step(state, next(cards) if card_awaited else Action.STAND)
    (found,) = counting_signs([table_round(rules, state, 1)])
    assert (found.index_plays, found.basic_plays) == plays
    assert found.correlation is None  # one round says nothing


def test_errors_are_never_less_than_one_decision() -> None:
    signs = PlayerSigns("id", "one", 50, 6, 0.5, 0.1, 4, 0)
    assert signs.index_share == 1
    assert signs.index_error == pytest.approx(1 / 5)
    assert signs.hint
    assert "no proof" in signs.words
    assert signs.to_json()["hint"] is True
