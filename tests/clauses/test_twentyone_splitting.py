"""Splitting, where programs of this kind go wrong: hands, order, aces, limits, wagers, doubles after it."""

from __future__ import annotations

import pytest

from cardroom.engine.twentyone import (
    Action,
    CardDealt,
    Status,
    WagerAdded,
    WagerPaid,
    WagerReturned,
    WagerTaken,
)
from cardroom.rules.twentyone import law
from tests.twentyone import ann, card, house, played

BJ = house("blackjack")
S21 = house("spanish-21")
PE21 = house("players-edge-21")


@pytest.mark.clause("21-1.6")
@pytest.mark.parametrize(
    ("pair", "allowed"),
    [("8h 8s", True), ("Kh Ks", True), ("Kh Qs", True), ("Th Js", True), ("9h 8s", False), ("Ah As", True)],
)
def test_what_may_be_split(pair: str, allowed: bool) -> None:
    first, second = pair.split()
    round_ = played(BJ, f"{first} 6d {second} 5c")
    assert (Action.SPLIT in round_.options) is allowed
    if not allowed:
        assert round_.refusal(Action.SPLIT).clause == "21-1.6"


@pytest.mark.clause("21-1.6")
def test_unlike_tens_are_a_house_option() -> None:
    strict = house("blackjack", {"split.unlike_tens": False})
    assert Action.SPLIT not in played(strict, "Kh 6d Qs 5c").options
    assert Action.SPLIT in played(strict, "Kh 6d Ks 5c").options


@pytest.mark.clause("21-1.6")
def test_three_cards_are_no_pair() -> None:
    assert played(BJ, "4h 6d 4s 5c hit 4c").refusal(Action.SPLIT).clause == "21-1.6"


@pytest.mark.clause("21-1.6")
def test_a_split_adds_an_equal_wager_and_deals_both_second_cards_first_hand_first() -> None:
    round_ = played(BJ, "8h 6d 8s Tc")
    after = round_.then("split 3c Kd")
    assert after.events[len(round_.events) + 1 :] == (
        WagerAdded(1, "Ann", 2, 1000, "with its hand"),
        CardDealt(1, 1, 2, card("3c")),
        CardDealt(1, 2, 2, card("Kd")),
    )
    assert after.cards() == ["8h3c", "8sKd"]
    assert [hand.stake_cents for hand in after.state.spots[0].hands] == [1000, 1000]
    assert after.turn == (1, 1)


@pytest.mark.clause("21-1.6", "21-1.11")
def test_a_hand_split_again_lies_right_after_the_one_it_came_from() -> None:
    round_ = played(BJ, "8h 6d 8s Tc split 8c 2d")
    again = round_.then("split 3h 4h")
    assert again.cards() == ["8h3h", "8c4h", "8s2d"]
    assert again.turn == (1, 1)
    # The last hand may be split too, when its turn comes.
    late = played(BJ, "8h 6d 8s Tc split 2d 8c stand split 3h 4h")
    assert late.cards() == ["8h2d", "8s3h", "8c4h"]
    assert late.turn == (1, 2)


@pytest.mark.clause("21-1.11")
def test_four_hands_each_with_its_own_wager_and_result() -> None:
    round_ = played(BJ, "8h 6d 8s Tc split 8c 8d split Kh 9c")
    assert round_.cards() == ["8hKh", "8c9c", "8s8d"]
    round_ = round_.then("stand stand split Ks 2c")
    assert round_.cards() == ["8hKh", "8c9c", "8sKs", "8d2c"]
    assert round_.refusal(Action.SPLIT).clause == "21-1.6"  # 8-K is no pair
    # 18, 17, 18, and 10 hit to 20, against 6-T-A = 17: three wins and a push.
    done = round_.then("stand hit Qc stand Ah")
    assert done.over
    assert done.net() == 3000


@pytest.mark.clause("BJ-4")
def test_split_aces_get_one_card_each_which_lies_sideways() -> None:
    round_ = played(BJ, "Ah 6d As Tc split 5c Ad")
    dealt = round_.of(CardDealt)[-2:]
    assert dealt == [CardDealt(1, 1, 2, card("5c"), True), CardDealt(1, 2, 2, card("Ad"), True)]
    # Neither is asked, not even the pair of aces: the dealer draws.
    assert not round_.state.options
    assert round_.then("Kc").net() == 2000


@pytest.mark.clause("BJ-4")
def test_options_of_split_aces_one_by_one() -> None:
    resplit = played(house("blackjack", {"split.resplit_aces": True}), "Ah 6d As Tc split Ad 5c")
    assert resplit.options == (Action.STAND, Action.SPLIT)
    assert resplit.refusal(Action.HIT).clause == "BJ-4"
    assert resplit.refusal(Action.DOUBLE).clause == "BJ-4"
    # The pair may still be split, so its card is not yet the last one; the other ace's is.
    assert [e.sideways for e in resplit.of(CardDealt)[-2:]] == [False, True]
    hit = played(house("blackjack", {"split.hit_aces": True}), "Ah 6d As Tc split Ad 5c")
    assert hit.options == (Action.STAND, Action.HIT)
    assert hit.refusal(Action.SPLIT).clause == "BJ-4"
    double = played(house("blackjack", {"split.double_aces": True}), "Ah 6d As Tc split Ad 5c")
    assert double.options == (Action.STAND, Action.DOUBLE)


@pytest.mark.clause("21-1.15")
def test_an_ace_and_a_ten_after_a_split_are_played_on_unless_the_house_has_them_stand() -> None:
    cards = "Kh 6d Qs Tc split Ac 5c"
    played_on = played(BJ, cards)
    assert played_on.turn == (1, 1)
    assert played_on.options == (Action.STAND, Action.HIT, Action.DOUBLE)
    # Doubled, it gets a ten and is 21 again; the other hand stands on 15, and the dealer busts with 26.
    assert played_on.then("double Ts stand Td").net() == 2000 + 1000
    stands = played(house("blackjack", {"split.blackjack_total_stands": True}), cards)
    assert stands.turn == (1, 2)  # nobody asks about the 21: the other hand's turn has come
    assert stands.then("stand Td").net() == 1000 + 1000  # even money: it is no blackjack (21-1.2)


@pytest.mark.clause("21-1.15")
def test_of_split_aces_and_longer_hands_the_option_says_what_is_left() -> None:
    aces = {"split.hit_aces": True, "split.double_aces": True}
    for stands, turn in ((False, (1, 1)), (True, (1, 2))):
        rules = house("blackjack", {**aces, "split.blackjack_total_stands": stands})
        assert played(rules, "Ah 6d As Tc split Kc 5c").turn == turn
    # A 21 of three cards is no ten and ace: it is asked as before.
    rules = house("blackjack", {"split.blackjack_total_stands": True})
    longer = played(rules, "8h 6d 8s Tc split 3c 5c hit Kc")
    assert longer.turn == (1, 1)
    assert longer.options == (Action.STAND, Action.HIT)
    # And a first hand of a ten and an ace is a blackjack, as ever.
    assert played(rules, "Kh 6d As Tc").net() == 1500


@pytest.mark.clause("21-1.15")
def test_what_stands_is_refused_by_its_clause() -> None:
    rules = house("blackjack", {"split.blackjack_total_stands": True})
    cards = (card("Kh"), card("Ac"))
    after_a_split = law.facts(rules, cards, doubles=0, from_split=True, hands=2)
    for action in (Action.HIT, Action.DOUBLE):
        refused = law.refusal(rules, after_a_split, action)
        assert refused is not None
        assert refused.clause == "21-1.15"
    assert law.options(rules, after_a_split) == ()


@pytest.mark.clause("S21-5")
def test_spanish_aces_are_split_resplit_hit_and_doubled() -> None:
    round_ = played(S21, "Ah 6d As Kc split Ad 5c")
    assert round_.options == (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT)
    round_ = round_.then("split 2c 3c")
    assert round_.cards() == ["Ah2c", "Ad3c", "As5c"]
    round_ = round_.then("hit 4c hit 3d stand double 6c stand")
    assert round_.cards() == ["Ah2c4c3d", "Ad3c6c", "As5c"]
    assert round_.turn == (1, 3)
    assert [hand.stake_cents for hand in round_.state.spots[0].hands] == [1000, 2000, 1000]


@pytest.mark.clause("PE21-6")
def test_players_edge_aces_up_to_four_hands() -> None:
    round_ = played(PE21, "Ah 6d As Kc split Ad Ac split 2c 3c")
    assert round_.cards() == ["Ah2c", "Ad3c", "AsAc"]
    round_ = round_.then("hit 5c stand double 4c stand split Ah 9c")
    assert round_.cards() == ["Ah2c5c", "Ad3c4c", "AsAh", "Ac9c"]
    assert round_.refusal(Action.SPLIT).clause == "PE21-6"
    assert round_.refusal(Action.SPLIT).reason == "the hands of a spot are at most 4"


@pytest.mark.clause("BJ-3")
def test_double_after_split_is_a_house_option() -> None:
    assert Action.DOUBLE in played(BJ, "8h 6d 8s Tc split 3c Kd").options
    without = played(house("blackjack", {"double.after_split": False}), "8h 6d 8s Tc split 3c Kd")
    assert without.refusal(Action.DOUBLE).clause == "BJ-3"


@pytest.mark.clause("21-1.6", "S21-6")
def test_a_doubled_split_hand_is_settled_with_its_own_stake() -> None:
    round_ = played(S21, "8h 6d 8s Kc split 3c 2d double Js")
    paid = round_.of(WagerPaid)
    assert [(e.hand, e.stake_cents, e.payment_cents, e.why) for e in paid] == [(1, 2000, 2000, "21")]
    assert round_.turn == (1, 2)
    pushed = round_.then("double Kd stand 4c")  # 20 against 6-K-4
    assert pushed.of(WagerReturned) == [WagerReturned(1, "Ann", "primary", 2, 2000, "push")]
    assert pushed.net() == 2000


@pytest.mark.clause("21-1.6")
def test_bust_split_hands_leave_the_others_in() -> None:
    round_ = played(BJ, "8h 6d 8s Tc split 8c Kd split Kc 9c hit 5c")
    assert [(e.hand, e.why) for e in round_.of(WagerTaken)] == [(1, "bust")]
    assert round_.turn == (1, 2)
    assert [hand.status for hand in round_.state.spots[0].hands] == [Status.LOST, Status.LIVE, Status.LIVE]
    assert round_.then("stand stand Qh").net() == 1000


@pytest.mark.clause("S21-3")
def test_a_21_of_a_later_hand_is_paid_when_its_card_comes_and_stays_in_its_place() -> None:
    round_ = played(S21, "Ah 6d As Kc split Ad Jc")
    assert [(e.hand, e.payment_cents) for e in round_.of(WagerPaid)] == [(2, 1000)]
    again = round_.then("split 2c 3c")
    assert again.cards() == ["Ah2c", "Ad3c", "AsJc"]
    statuses = [hand.status for hand in again.state.spots[0].hands]
    assert statuses == [Status.LIVE, Status.LIVE, Status.WON]


@pytest.mark.clause("21-1.2", "S21-3")
def test_two_card_21_after_a_split_wins_even_money_not_3_to_2() -> None:
    round_ = played(S21, "Kh 6d Ks Jc split Ad As")
    assert [(e.payment_cents, e.why) for e in round_.of(WagerPaid)] == [(1000, "21"), (1000, "21")]
    assert round_.over
    assert round_.net() == 2000


def test_a_split_of_a_large_wager_is_not_capped() -> None:
    round_ = played(PE21, "8h 6d 8s Kc split 3c Kd", ann(50_000))
    assert [hand.stake_cents for hand in round_.state.spots[0].hands] == [50_000, 50_000]
