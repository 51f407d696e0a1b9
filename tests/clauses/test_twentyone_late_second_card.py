"""Side bets at a table without a hole card: they wait for the dealer's second card (21-1.19)."""

from __future__ import annotations

import pytest

from cardroom.engine.twentyone import CardDealt, SpotWager, WagerPaid, WagerReturned, WagerTaken
from tests.twentyone import Played, ann, house, played

MATCHES = {"match-up": 100, "match-down": 100}
LATE_BETS = {
    "hole_card": "none",
    "side_bets.lucky-ladies.offered": True,
    "side_bets.sevens": {
        "title": "Sevens",
        "looks_at": ["player_3"],
        "lines": [{"name": "seven", "when": {"every": {"ranks": ["7"]}}, "pays": "10:1"}],
    },
    "side_bets.long-bust": {
        "title": "Long Bust",
        "looks_at": ["dealer_hand"],
        "lines": [
            {"name": "five cards", "when": {"bust": True, "number": {"min": 5}}, "pays": "12:1"},
            {"name": "bust", "when": {"bust": True}, "pays": "2:1"},
        ],
    },
}
"""Bets on the dealer's second card, on the dealer's hand, and on the player's third card."""
EDGE = house("players-edge-21", {"hole_card": "none"})


def settled(round_: Played, *wagers: str) -> list[tuple[str, int]]:
    """What was paid (above zero) or taken of these wagers, in its order."""
    return [
        (event.wager, event.payment_cents if isinstance(event, WagerPaid) else -event.stake_cents)
        for event in round_.events
        if isinstance(event, WagerPaid | WagerTaken) and event.wager in wagers
    ]


@pytest.mark.clause("21-1.19", "SIDE-3", "SIDE-6")
def test_a_bet_on_the_second_card_is_settled_when_it_comes() -> None:
    waits = played(EDGE, "9h 6h 9d stand", ann(1000, MATCHES))
    assert settled(waits, *MATCHES) == [("match-up", -100)]
    assert waits.of(CardDealt)[-1].spot == 1
    matched = waits.then("9c")  # 6-9: the dealer has to draw, and the wager is paid before that
    assert settled(matched, *MATCHES) == [("match-up", -100), ("match-down", 800)]
    assert not matched.over
    assert matched.then("Kc").over
    assert settled(waits.then("4c"), *MATCHES)[1:] == [("match-down", -100)]


@pytest.mark.clause("21-1.19", "SIDE-3")
def test_the_dealer_takes_the_second_card_for_a_side_bet_alone() -> None:
    bust = played(EDGE, "9h 6h 5d hit Kc", ann(1000, MATCHES))
    assert settled(bust, *MATCHES, "primary") == [("match-up", -100), ("primary", -1000)]
    assert not bust.over  # Match Down still waits for its card
    done = bust.then("9c")
    assert settled(done, "match-down") == [("match-down", 400)]
    assert done.over  # no third card: the dealer's 15 is nothing to anybody
    assert played(EDGE, "9h 6h 5d hit Kc", ann(1000, {"match-up": 100})).over
    paid = played(EDGE, "Ah 6h Kd", ann(1000, MATCHES))
    assert settled(paid, "primary") == [("primary", 1500)]
    assert not paid.over
    assert paid.then("Ac").over


@pytest.mark.clause("21-1.19", "SIDE-7")
@pytest.mark.parametrize(
    ("cards", "stake", "result"),
    [
        ("9c 6c 8d stand Td Ks", 200, 400),  # the dealer busts with three cards
        ("9c 6c 8d stand Td 5h", 200, -200),
        ("9c 6c 8d hit 5h Td Ks", 200, 400),  # no hand is left, and the dealer plays out the hand
        ("Ac 2c Kd 3d 5h 4h Ks", 200, 2400),  # nor here: a blackjack was paid; five cards, a bust
        ("9c Ac 8d no stand Ks", 200, -200),  # a dealer's blackjack ends it
    ],
)
def test_a_bet_on_the_hand_has_the_dealer_play_it_out(cards: str, stake: int, result: int) -> None:
    bets = house("blackjack", LATE_BETS)
    round_ = played(bets, cards, ann(1000, {"long-bust": stake}))
    assert round_.over
    assert settled(round_, "long-bust") == [("long-bust", result)]
    before = played(bets, cards.rpartition(" ")[0], ann(1000, {"long-bust": stake}))
    assert settled(before, "long-bust") == []


@pytest.mark.clause("21-1.19", "21-1.26", "SIDE-6")
def test_bets_on_the_second_card_beside_all_that_waits_for_it() -> None:
    """Insurance, a surrender, original wagers, a third card beside the hand: each in its turn."""
    side = {"lucky-ladies": 200}
    insured = played(house("blackjack", LATE_BETS), "Qh Ad Qh insure=5.00 stand", ann(1000, side))
    blackjack = insured.then("Kc")
    assert settled(blackjack, "lucky-ladies", "insurance", "primary") == [
        ("lucky-ladies", 200_000),
        ("primary", -1000),
        ("insurance", 1000),
    ]
    assert blackjack.over
    late = house("blackjack", {**LATE_BETS, "surrender": "late"})
    given_up = played(late, "Kh Td 6s surrender", ann(1000, side))
    assert settled(given_up.then("Ac"), "lucky-ladies", "primary") == [
        ("lucky-ladies", -200),
        ("primary", -1000),
    ]
    original = house("blackjack", {**LATE_BETS, "dealer_blackjack_takes": "original"})
    doubled = played(original, "6h Td 5s double 9c Ac", ann(1000, side))
    assert doubled.over
    assert doubled.net() == -1000 - 200
    third = played(
        house("blackjack", LATE_BETS), "Kh 9d Qs stand", ann(1000, {"sevens": 200, "lucky-ladies": 200})
    )
    beside = third.then("7c")
    assert settled(beside, "sevens", "lucky-ladies") == [("sevens", 2000)]
    assert settled(beside.then("Kc"), "lucky-ladies") == [("lucky-ladies", 800)]


@pytest.mark.clause("21-1.19", "SIDE-6")
def test_losing_bets_on_the_second_card_are_taken_before_winning_ones_are_paid() -> None:
    wagers = [SpotWager(1, "Ann", 1000, MATCHES), SpotWager(2, "Bob", 1000, MATCHES)]
    bob_loses = played(EDGE, "9h 4h 6h 5d 5c hit Kc hit Kd stand", wagers).then("9c")
    ends = [event for event in bob_loses.events if isinstance(event, WagerTaken | WagerPaid)]
    last = [(type(event), event.spot) for event in ends if event.wager == "match-down"]
    assert last == [(WagerTaken, 2), (WagerPaid, 1)]


@pytest.mark.clause("21-1.13", "21-1.19")
def test_a_bet_whose_second_card_never_comes_is_returned() -> None:
    dead = played(EDGE, "9h 6h 5d hit Kc", ann(1000, MATCHES), shoe="9h 6h 5d Kc")
    assert dead.over
    assert [event.wager for event in dead.of(WagerReturned)] == ["match-down"]
    assert dead.net() == -1000 - 100
