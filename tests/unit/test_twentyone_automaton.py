"""The automaton of hands says of every hand what the law says of its cards."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.core.cards import CARDS, Card, Rank, parse_cards
from cardroom.core.decks import DECKS
from cardroom.model.twentyone.automaton import ACTIONS, FINALS, NONE, NUMBER_OF, START, compile_hands
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action, Outcome
from tests.twentyone import house

VARIANTS: list[tuple[str, Mapping[str, object]]] = [
    ("blackjack", {}),
    ("blackjack", {"surrender": "late", "double.after_split": False, "split.max_hands": 2}),
    ("blackjack", {"split.unlike_tens": False, "split.resplit_aces": True, "blackjack_pays": "6:5"}),
    ("blackjack", {"split.hit_aces": True, "split.double_aces": True, "double.max_doubles": 0}),
    ("blackjack", {"split.hit_aces": True, "split.double_aces": True, "split.blackjack_total_stands": True}),
    ("spanish-21", {}),
    ("spanish-21", {"bonus_21.on_split_hands": True, "surrender": "late", "double.rescue": "original"}),
    ("players-edge-21", {}),
    ("players-edge-21", {"double.rescue": "before-last-double", "bonus_21.seven_cards": "none"}),
]
UP_SEVEN = CARDS[Rank.SEVEN - 1]


def expected_pay(
    rules: TwentyOneRules, cards: tuple[Card, ...], doubles: int, from_split: bool, unit: int
) -> list[int]:
    total, _ = law.total_of(cards)
    stake = unit << doubles
    won = stake * law.win_odds(rules, cards, doubles=doubles, from_split=from_split).ratio
    blackjack = law.is_blackjack(cards, from_split=from_split)
    pays = {Outcome.WIN: int(won), Outcome.PUSH: 0, Outcome.LOSE: -stake}
    return [
        pays[
            law.outcome(
                rules,
                total,
                22 if final == "bust" else 21 if final == "blackjack" else int(final),
                blackjack=blackjack,
                dealer_blackjack=final == "blackjack",
            )
        ]
        for final in FINALS
    ]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "changes"), VARIANTS)
@given(data=st.data())
def test_every_hand_is_what_the_law_says(
    game: str, changes: Mapping[str, object], data: st.DataObject
) -> None:
    rules = house(game, changes)
    table = compile_hands(rules)
    low = st.sampled_from([card for card in DECKS[rules.deck] if card.value in (1, 2, 3, 6, 7, 8)])
    draw = st.one_of(st.sampled_from(DECKS[rules.deck]), low)
    from_split = data.draw(st.booleans())
    cards: tuple[Card, ...] = (data.draw(draw),)
    state = int(table.split_hand[cards[0].index] if from_split else table.next[START, cards[0].index])
    doubles = 0
    while True:
        card = data.draw(draw)
        cards = (*cards, card)
        state = int(table.next[state, card.index])
        hands = 2 if from_split else 1
        facts = law.facts(rules, cards, doubles=doubles, from_split=from_split, hands=hands)
        natural = law.is_blackjack(cards, from_split=from_split)
        options = () if natural else law.options(rules, facts)
        assert table.options(state) == options
        assert table.pay[state].tolist() == expected_pay(rules, cards, doubles, from_split, table.unit)
        assert table.stake[state] == table.unit << doubles
        assert bool(table.super_bonus[state, UP_SEVEN.value - 1]) == (
            law.super_bonus_cents(rules, cards, UP_SEVEN, 2500, doubles=doubles, from_split=from_split) > 0
        )
        full = law.facts(rules, cards, doubles=doubles, from_split=from_split, hands=rules.split.max_hands)
        if not natural and len(cards) == 2:
            assert table.options(int(table.unpaired[state])) == law.options(rules, full)
        if Action.RESCUE in options:
            lost = law.rescue_loses(rules, table.unit, doubles)
            assert table.rescue_pay[state] == -lost
        moves = [action for action in (Action.HIT, Action.DOUBLE) if action in options]
        if not moves:
            return
        if data.draw(st.sampled_from(moves)) is Action.DOUBLE:
            doubles += 1
            state = int(table.doubled[state])


def test_pays_of_a_size_follow_the_rounding_and_the_cap() -> None:
    rules = house("players-edge-21", {"limits.max": "500.00"})
    table = compile_hands(rules, 30_000)
    eleven = table.state_of(parse_cards("5c6d"))
    once = int(table.doubled[eleven])
    twice = int(table.doubled[int(table.next[once, parse_cards("2c")[0].index])])
    # The second double of $300 adds $500 at most (PE21-8.2): $600, then $1,100.
    assert [Fraction(int(table.stake[each]), table.unit) for each in (once, twice)] == [2, Fraction(11, 3)]
    assert Fraction(int(table.pay[twice, 0]), table.unit) == Fraction(11, 3)
    odd = compile_hands(house("blackjack", {"rounding": "chip", "surrender": "late"}), 500)
    # 3 to 2 on $5 is $7.50, and $7 in whole chips; half of $5 comes back as $2 (21-1.14).
    blackjack = [Fraction(int(units), odd.unit) for units in odd.pay[odd.state_of(parse_cards("AcKd"))]]
    assert blackjack == [*[Fraction(7, 5)] * 6, 0, Fraction(7, 5)]
    assert Fraction(odd.surrender_pay, odd.unit) == Fraction(2 - 5, 5)


def test_sizes_that_are_paid_alike_share_one_table() -> None:
    rules = house("players-edge-21", {"rounding": "chip"})
    full = compile_hands(rules)
    assert compile_hands(rules, 400) is full  # even, and far from the cap
    assert compile_hands(rules, 500) is not full
    assert compile_hands(rules, 500).numbered == full.numbered
    # At $200 and at $400 the maximum takes different parts of a third double.
    assert compile_hands(rules, 40_000) is not compile_hands(rules, 20_000)


def test_a_maximum_of_a_cent_caps_no_wager_that_is_paid_in_full() -> None:
    limits = {"limits.min": "0.01", "limits.max": "0.01", "limits.chip": "0.01"}
    table = compile_hands(house("players-edge-21", limits))
    once = int(table.doubled[table.state_of(parse_cards("5c6d"))])
    twice = int(table.doubled[int(table.next[once, parse_cards("2c")[0].index])])
    assert table.stake[twice] == 4 * table.unit


def test_states_are_few_and_no_two_are_the_same() -> None:
    for game, most in (("blackjack", 200), ("spanish-21", 400), ("players-edge-21", 500)):
        table = compile_hands(house(game))
        assert len(table.hands) < most
        assert table.hands[START].cards == 0
        assert (table.next >= 0).all()
        assert set(table.numbered.values()) == set(range(len(table.hands)))


def test_suits_are_told_apart_only_on_the_way_to_a_bonus() -> None:
    table = compile_hands(house("players-edge-21"))
    assert table.state_of(parse_cards("6d7d")) != table.state_of(parse_cards("6c7c"))
    assert table.state_of(parse_cards("6d7c")) == table.state_of(parse_cards("6h7s"))
    assert table.state_of(parse_cards("6d7d2c")) == table.state_of(parse_cards("6c7d2c"))
    plain = compile_hands(house("blackjack"))
    assert plain.state_of(parse_cards("6d7d")) == plain.state_of(parse_cards("4c9h"))


def test_actions_have_the_numbers_of_the_tables() -> None:
    assert [NUMBER_OF[action] for action in ACTIONS] == list(range(len(Action)))
    assert compile_hands(house("blackjack")).doubled.min() == NONE
