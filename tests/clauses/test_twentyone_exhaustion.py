"""A shoe that runs out in the middle of a round (21-1.13)."""

from __future__ import annotations

import pytest

from cardroom.engine.twentyone import (
    Action,
    CardDealt,
    CardsPickedUp,
    CardTurned,
    DiscardsShuffled,
    RoundEnded,
    RoundVoided,
    ShoeRanOut,
    SpotWager,
    Status,
    WagerReturned,
    WagerTaken,
    balance,
    chance,
)
from tests.twentyone import card, house, played

pytestmark = pytest.mark.clause("21-1.13")

BJ = house("blackjack")
PE21 = house("players-edge-21")


def test_the_last_card_of_the_shoe_is_dealt_without_ado() -> None:
    round_ = played(BJ, "9h 9d 8s 8c stand", shoe="9h9d8s8c")
    assert round_.over
    assert round_.of(ShoeRanOut) == []
    assert round_.net() == 0


def test_discards_are_shuffled_when_a_card_is_wanted_and_none_is_there() -> None:
    round_ = played(BJ, "9h 9d 2s 8c", shoe="9h9d2s8c", discards="7c7d")
    assert round_.of(ShoeRanOut) == []  # nobody wants a card yet
    hit = round_.then("hit")
    assert hit.events[-2:] == (ShoeRanOut(), DiscardsShuffled(2))
    assert chance(hit.state) == ((card("7c"), 1), (card("7d"), 1))
    done = hit.then("7d stand")
    assert done.cards() == ["9h2s7d"]
    assert done.net() == 1000


def test_the_cards_on_the_table_are_not_among_the_discards() -> None:
    hit = played(BJ, "9h 9d 2s 8c hit", shoe="9h9d2s8c", discards="7c")
    assert hit.refusal(card("9h")).clause == "BJ-1"


def test_the_shoe_may_run_out_during_the_deal() -> None:
    round_ = played(BJ, "9h 9d", shoe="9h9d", discards="2s8cKc")
    assert round_.events[-2:] == (ShoeRanOut(), DiscardsShuffled(3))
    assert round_.then("2s 8c").options[0] is Action.STAND


def test_without_any_card_the_round_is_void_and_undecided_wagers_go_back() -> None:
    round_ = played(BJ, "9h 9d 2s 8c hit", shoe="9h9d2s8c")
    assert round_.over
    assert round_.events[-7:] == (
        ShoeRanOut(),
        RoundVoided(),
        WagerReturned(1, "Ann", "primary", 1, 1000, "void"),
        CardTurned(2, card("8c")),
        CardsPickedUp(None, 1, (card("9d"), card("8c"))),
        CardsPickedUp(1, 1, (card("9h"), card("2s"))),
        RoundEnded(),
    )
    assert round_.net() == 0
    assert round_.state.spots[0].hands[0].status is Status.VOID


def test_what_was_paid_or_taken_stands() -> None:
    wagers = [
        SpotWager(1, "Ann", 1000, {"match-up": 100, "match-down": 200}),
        SpotWager(2, "Bob", 2000),
        SpotWager(3, "Cid", 3000, {"monster-match-1": 100}),
    ]
    # Ann busts; Bob's blackjack was paid; Cid doubles, and the card is not there.
    round_ = played(PE21, "Kh Ah 6h 9d 6s Ks 5s 8c hit Qh double", wagers, shoe="KhAh6h9d6sKs5s8cQh")
    assert round_.over
    assert [(e.player, e.wager, e.stake_cents) for e in round_.of(WagerTaken)] == [
        ("Ann", "match-up", 100),
        ("Ann", "primary", 1000),
    ]
    assert [(e.player, e.wager, e.stake_cents) for e in round_.of(WagerReturned)] == [
        ("Cid", "monster-match-1", 100),
        ("Cid", "primary", 6000),
        ("Ann", "match-down", 200),
    ]
    assert [round_.net(player) for player in ("Ann", "Bob", "Cid")] == [-1100, 3000, 0]
    # The meter keeps what was put into it.
    assert balance(round_.events).meters == {"monster-match-1": 8}
    assert balance(round_.events).table_cents == 0


def test_between_the_two_cards_of_a_split() -> None:
    round_ = played(BJ, "8h 9d 8s 8c split 3c", shoe="8h9d8s8c3c")
    assert round_.over
    returned = [(e.hand, e.stake_cents) for e in round_.of(WagerReturned)]
    assert returned == [(2, 1000), (1, 1000)]


def test_while_the_dealer_draws() -> None:
    round_ = played(BJ, "Kh 2d 9s 3c stand 4c", shoe="Kh2d9s3c4c")
    assert round_.over
    assert round_.of(RoundVoided)
    assert round_.net() == 0


def test_insurance_is_decided_before_a_card_can_lack() -> None:
    round_ = played(BJ, "9h Ad 2s 8c insure=5.00 hit", shoe="9hAd2s8c")
    assert round_.over
    assert round_.net() == -500


def test_an_empty_shoe_deals_nothing() -> None:
    round_ = played(BJ, "", shoe="")
    assert round_.over
    assert round_.of(CardDealt) == []
    assert round_.net() == 0


def test_infinite_decks_never_run_out() -> None:
    round_ = played(house("blackjack", {"decks": "infinite"}), "9h 9h 9h 9h split 9h 9h split 9h 9h")
    assert round_.cards() == ["9h9h", "9h9h", "9h9h"]
    assert [weight for _, weight in chance(round_.then("hit").state)] == [1] * 52
