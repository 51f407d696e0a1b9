"""Every pattern against a plain predicate on real cards, for every hand of a small deck."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from cardroom.core.cards import Card, Suit, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.engine import twentyone
from cardroom.rules import load_rules_as
from cardroom.rules.bets import Pattern, machine_of
from cardroom.rules.bets.patterns import MOST_LEVELS
from cardroom.rules.bets.trackers import LooksAt, roles_of
from cardroom.rules.twentyone import TwentyOneRules

DECK = parse_cards("Ac Ah 2h 3d 7c 7d 7h Td Jh Qh Qs Kh")
Cards = Sequence[Card]
TWO: tuple[LooksAt, ...] = ("player_1", "player_2")
THREE: tuple[LooksAt, ...] = (*TWO, "dealer_up")
FOUR: tuple[LooksAt, ...] = (*THREE, "dealer_hole")


def red(card: Card) -> bool:
    return card.suit in (Suit.DIAMONDS, Suit.HEARTS)


def worth(cards: Cards) -> tuple[int, bool]:
    hard = sum(card.value for card in cards)
    soft = any(card.value == 1 for card in cards) and hard <= 11
    return (hard + 10, True) if soft else (hard, False)


def ranks(cards: Cards) -> list[int]:
    return sorted(int(card.rank) for card in cards)


def row(cards: Cards) -> bool:
    low = ranks(cards)
    high = sorted(14 if rank == 1 else rank for rank in low)
    return any(some == list(range(some[0], some[0] + len(some))) for some in (low, high))


def group_sizes(cards: Cards, key: Callable[[Card], Any]) -> list[int]:
    return sorted(Counter(map(key, cards)).values(), reverse=True)


def matches(cards: Cards) -> tuple[int, int]:
    *player, dealer = cards
    alike = [card for card in player if card.rank == dealer.rank]
    suited = sum(card.suit == dealer.suit for card in alike)
    return suited, len(alike) - suited


def spread(cards: Cards) -> int:
    """How many ranks lie between the player's cards, where the dealer's does; else 0."""
    low, dealer, high = (14 if card.rank == 1 else int(card.rank) for card in (cards[0], cards[2], cards[1]))
    low, high = min(low, high), max(low, high)
    return high - low - 1 if low < dealer < high else 0


PATTERNS: list[tuple[dict[str, Any], tuple[LooksAt, ...], Callable[[Cards], bool]]] = [
    ({"same": ["rank"]}, THREE, lambda cards: len({card.rank for card in cards}) == 1),
    ({"same": ["suit"]}, THREE, lambda cards: len({card.suit for card in cards}) == 1),
    ({"same": ["rank", "colour"]}, TWO, lambda c: c[0].rank == c[1].rank and red(c[0]) == red(c[1])),
    ({"same": ["value"]}, TWO, lambda cards: cards[0].value == cards[1].value),
    ({"different": ["suit"]}, FOUR, lambda cards: len({card.suit for card in cards}) == 4),
    ({"different": ["rank", "suit"]}, TWO, lambda c: c[0].rank != c[1].rank and c[0].suit != c[1].suit),
    ({"ranks": ["7", "7", "7"]}, THREE, lambda cards: ranks(cards) == [7, 7, 7]),
    ({"ranks": ["K", "Q"], "same": ["suit"]}, TWO, lambda c: ranks(c) == [12, 13] and c[0].suit == c[1].suit),
    ({"cards": ["Qh", "Qh"]}, TWO, lambda cards: [str(card) for card in cards] == ["Qh", "Qh"]),
    ({"cards": ["7d", "7h", "Ac"]}, THREE, lambda cards: sorted(map(str, cards)) == ["7d", "7h", "Ac"]),
    ({"every": {"suits": ["hearts"]}}, THREE, lambda cards: all(card.suit is Suit.HEARTS for card in cards)),
    (
        {"every": {"colours": ["red"], "ranks": ["7", "A"]}},
        TWO,
        lambda c: all(red(x) and x.rank in (1, 7) for x in c),
    ),
    ({"contains": {"ranks": ["7"]}}, THREE, lambda cards: 7 in ranks(cards)),
    ({"contains": {"ranks": ["7"], "number": 2}}, THREE, lambda cards: ranks(cards).count(7) == 2),
    (
        {"contains": {"suits": ["hearts"], "number": {"min": 2, "max": 3}}},
        FOUR,
        lambda cards: 2 <= sum(card.suit is Suit.HEARTS for card in cards) <= 3,
    ),
    ({"in_a_row": True}, THREE, row),
    ({"in_a_row": True, "same": ["suit"]}, THREE, lambda c: row(c) and len({x.suit for x in c}) == 1),
    (
        {"groups": {"alike": ["rank"], "sizes": [2, 2]}},
        FOUR,
        lambda c: sum(n // 2 for n in group_sizes(c, lambda x: x.rank)[:2]) >= 2 and len(set(ranks(c))) > 1,
    ),
    ({"groups": {"alike": ["rank", "suit"], "sizes": [2]}}, FOUR, lambda c: group_sizes(c, str)[0] >= 2),
    ({"groups": {"alike": ["rank"], "sizes": [3]}}, FOUR, lambda c: group_sizes(c, lambda x: x.rank)[0] >= 3),
    ({"match": {"suited": 1, "unsuited": 1}}, THREE, lambda cards: matches(cards) == (1, 1)),
    ({"match": {"unsuited": {"min": 1}}}, THREE, lambda cards: matches(cards) in ((0, 1), (0, 2))),
    ({"between": 1}, THREE, lambda cards: spread(cards) == 1),
    ({"between": {"min": 4}}, THREE, lambda cards: spread(cards) >= 4),
    ({"total": 20}, TWO, lambda cards: worth(cards)[0] == 20),
    ({"total": {"min": 19, "max": 21}}, THREE, lambda cards: 19 <= worth(cards)[0] <= 21),
    (
        {"total": {"min": 13, "softness": "soft"}},
        TWO,
        lambda cards: worth(cards)[1] and worth(cards)[0] >= 13,
    ),
    ({"total": {"max": 12, "ace": "1"}}, TWO, lambda cards: sum(card.value for card in cards) <= 12),
    ({"bust": True}, THREE, lambda cards: worth(cards)[0] > 21),
    ({"blackjack": True}, TWO, lambda cards: {card.value for card in cards} == {1, 10}),
    ({"of": "player", "same": ["rank"]}, THREE, lambda cards: cards[0].rank == cards[1].rank),
    ({"of": ["player_2"], "every": {"ranks": ["7"]}}, THREE, lambda cards: cards[1].rank == 7),
    (
        {"all": [{"of": "player", "cards": ["Qh", "Qh"]}, {"of": "dealer", "blackjack": True}]},
        FOUR,
        lambda c: str(c[0]) == str(c[1]) == "Qh" and {c[2].value, c[3].value} == {1, 10},
    ),
    (
        {"any": [{"total": 20}, {"same": ["suit"]}]},
        TWO,
        lambda c: worth(c)[0] == 20 or c[0].suit == c[1].suit,
    ),
    (
        {"same": ["rank"], "not": {"same": ["suit"]}},
        TWO,
        lambda c: c[0].rank == c[1].rank and c[0].suit != c[1].suit,
    ),
    ({"number": 3}, THREE, lambda cards: True),
    ({"number": {"min": 4}}, THREE, lambda cards: False),
]


@pytest.mark.parametrize(("data", "looks_at", "predicate"), PATTERNS, ids=range(len(PATTERNS)))
def test_a_pattern_is_what_it_says(
    data: dict[str, Any], looks_at: tuple[LooksAt, ...], predicate: Callable[[Cards], bool]
) -> None:
    pattern = Pattern.model_validate(data)
    machine, roles = machine_of(looks_at, (pattern,)), roles_of(looks_at)
    for cards in product(DECK, repeat=len(roles)):
        holds = machine.line(machine.state_of(zip(roles, cards, strict=True))) == 0
        assert holds == predicate(cards), cards


@pytest.mark.parametrize(("data", "looks_at", "predicate"), PATTERNS, ids=range(len(PATTERNS)))
def test_a_pattern_is_written_as_it_was_read(
    data: dict[str, Any], looks_at: object, predicate: object
) -> None:
    pattern = Pattern.model_validate(data)
    assert Pattern.model_validate(pattern.tree) == pattern
    assert Pattern.model_validate(pattern.tree).tree == pattern.tree


def test_the_dealers_hand_to_its_end() -> None:
    """A bust with five cards or more: every hand of up to six cards of the deck's lowest ranks and a king."""
    pattern = Pattern.model_validate({"bust": True, "number": {"min": 5}})
    machine = machine_of(("dealer_hand",), (pattern,))
    roles = ("dealer_up", "dealer_hole", *["dealer_draw"] * 4)
    for number in range(2, 7):
        for cards in product(parse_cards("Ac 2h 6d Kh"), repeat=number):
            held = machine.line(machine.state_of(zip(roles, cards, strict=False))) == 0  # type: ignore[arg-type]
            assert held == (worth(cards)[0] > 21 and number >= 5)


def within(levels: int, key: str) -> dict[str, Any]:
    """A pattern so many levels deep in others."""
    data: dict[str, Any] = {"same": ["rank"]}
    for _ in range(levels):
        data = {key: data} if key == "not" else {key: [{"same": ["suit"]}, data]}
    return data


def test_patterns_stand_in_each_other() -> None:
    deepest = Pattern.model_validate(within(MOST_LEVELS - 1, "any"))
    assert Pattern.model_validate(deepest.tree) == deepest


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "a pattern says what it asks of the cards"),
        ({"of": "player"}, "a pattern says what it asks of the cards"),
        ({"some": ["rank"]}, "Extra inputs are not permitted"),
        ({"same": ["shape"]}, "Input should be 'rank', 'suit', 'colour' or 'value'"),
        ({"ranks": ["1"]}, "'1' is not a rank"),
        ({"cards": ["Qx"]}, "is not a card"),
        ({"total": {"min": 5, "max": 4}}, "min 5 is above max 4"),
        (within(MOST_LEVELS, "not"), "patterns stand at most 12 deep in each other"),
        (within(MOST_LEVELS, "any"), "patterns stand at most 12 deep in each other"),
        (within(100_000, "not"), "patterns stand at most 12 deep in each other"),
    ],
)
def test_what_is_no_pattern_is_refused(data: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Pattern.model_validate(data)


def test_a_pattern_of_cards_that_the_bet_does_not_look_at() -> None:
    dealer = Pattern.model_validate({"of": "dealer", "same": ["rank"]})
    with pytest.raises(MalformedInput, match="the bet does not look at these cards"):
        machine_of(TWO, (dealer,))
    with pytest.raises(MalformedInput, match="held against one card of the dealer's"):
        machine_of(FOUR, (Pattern.model_validate({"match": {"suited": 1}}),))


def test_a_round_with_decided_side_bets_goes_to_another_process() -> None:
    """Advice is computed in one; what a bet has worked out from its patterns stays here."""
    wager = twentyone.SpotWager(1, "Ann", 500, {"match-up": 500})
    state, _ = twentyone.start(load_rules_as(TwentyOneRules, "players-edge-21"), [wager])
    for card in parse_cards("9h9cKd7s"):
        state, _ = twentyone.step(state, card)
    assert pickle.loads(pickle.dumps(state)) == state
