"""Spanish 21, clause by clause (S21)."""

from __future__ import annotations

import pytest

from cardroom.core.cards import Rank
from cardroom.core.errors import IllegalAction
from cardroom.engine.twentyone import (
    Action,
    CardDealt,
    DealerLooked,
    DeclineInsurance,
    DoubleFaceDown,
    InsuranceOpened,
    SpotWager,
    WagerAdded,
    WagerPaid,
    why_not_start,
)
from tests.twentyone import ann, card, counts, house, played

S21 = house("spanish-21")


@pytest.mark.clause("S21-1")
def test_six_decks_without_their_tens() -> None:
    shoe = S21.shoe()
    assert S21.decks == 6
    assert shoe.total == 6 * 48
    assert [shoe.of_rank(rank) for rank in Rank] == [24] * 9 + [0] + [24] * 3
    assert not played(S21, "Kh 6d 8s Ac stand").over  # soft 17 is hit


@pytest.mark.clause("S21-1")
def test_a_ten_cannot_come() -> None:
    assert played(S21).refusal(card("Th")).clause == "S21-1"
    with pytest.raises(IllegalAction, match="Th is no card of a spanish deck") as error:
        played(S21, shoe="2c 3c Th")
    assert error.value.clause == "S21-1"
    with pytest.raises(IllegalAction, match="Th is no card"):
        played(S21, discards="Th")
    assert counts("Th").total == 1


@pytest.mark.clause("S21-2")
def test_a_blackjack_is_paid_at_once_before_insurance_and_look() -> None:
    round_ = played(S21, "Ah 9h Ad Ks 8h Kc", [*ann(), SpotWager(2, "Bob", 1000)])
    kinds = [type(event) for event in round_.events]
    assert kinds.index(WagerPaid) < kinds.index(InsuranceOpened)
    assert round_.of(WagerPaid)[0].payment_cents == 1500
    assert round_.turn == (2, 1)  # Ann's paid blackjack is not asked about insurance
    done = round_.then("no")
    assert done.of(DealerLooked) == [DealerLooked(True)]
    assert done.net("Ann") == 1500  # it won, though the dealer has a blackjack
    assert done.net("Bob") == -1000


@pytest.mark.clause("S21-2")
def test_alone_with_a_paid_blackjack_there_is_nothing_to_look_for() -> None:
    round_ = played(S21, "Ah Ad Ks Kc")
    assert round_.over
    assert round_.of(DealerLooked) == []
    assert round_.net() == 1500


@pytest.mark.clause("S21-3")
def test_a_21_is_paid_at_once_and_always_wins() -> None:
    round_ = played(S21, "6h 9h 7d 5s 9s 6c hit Kh", [*ann(), SpotWager(2, "Bob", 1000)])
    assert [(e.player, e.payment_cents, e.why) for e in round_.of(WagerPaid)] == [("Ann", 1000, "21")]
    assert round_.turn == (2, 1)
    done = round_.then("stand 8h")  # the dealer makes 21 too
    assert done.net("Ann") == 1000
    assert done.net("Bob") == -1000


BONUSES = [
    ("2h 3s", "4c 5d 7h", "3:2", "five cards"),
    ("2h 3s", "4c 5d 2d 5h", "2:1", "six cards"),
    ("2h 3s", "4c 2c 3d 3h 4d", "3:1", "seven cards"),
    ("2h 2s", "2c 2d 3d 3h 3s 4c", "3:1", "seven cards"),  # eight of them
    ("6h 7s", "8c", "3:2", "six seven eight mixed"),
    ("8h 6h", "7h", "2:1", "six seven eight suited"),
    ("7s 8s", "6s", "3:1", "six seven eight named"),
    ("7h 7s", "7c", "3:2", "three sevens mixed"),
    ("7h 7h", "7h", "2:1", "three sevens suited"),
    ("7s 7s", "7s", "3:1", "three sevens named"),
    ("9h 7s", "5c", "1:1", "21"),
    ("2h 3s", "6c Kh", "1:1", "21"),
]
SPANISH_STAKE = 1000
PAYS = {"1:1": 1000, "3:2": 1500, "2:1": 2000, "3:1": 3000}


@pytest.mark.clause("S21-4")
@pytest.mark.parametrize(("first", "hits", "pays", "why"), BONUSES)
def test_bonus_21s(first: str, hits: str, pays: str, why: str) -> None:
    one, two = first.split()
    round_ = played(S21, f"{one} 9d {two} 9c " + " ".join(f"hit {each}" for each in hits.split()))
    assert round_.over
    assert [(str(e.odds), e.payment_cents, e.why) for e in round_.of(WagerPaid)] == [(pays, PAYS[pays], why)]


@pytest.mark.clause("S21-4")
def test_no_bonus_after_a_double_or_a_split() -> None:
    doubled = played(S21, "6h 9d 7s 9c double 8c")
    assert [(e.stake_cents, e.payment_cents) for e in doubled.of(WagerPaid)] == [(2000, 2000)]
    split = played(S21, "7s 9d 7s 9c split 7s 2c hit 7s")
    assert [(e.stake_cents, e.payment_cents) for e in split.of(WagerPaid)] == [(1000, 1000)]
    spades = played(S21, "6s 9d 6s 9c split 7s 2c hit 8s")
    assert [(e.hand, e.payment_cents, e.why) for e in spades.of(WagerPaid)] == [(1, 1000, "21")]


@pytest.mark.clause("S21-4")
def test_five_cards_with_a_6_and_a_7_among_them_are_only_five_cards() -> None:
    round_ = played(S21, "6h 9d 7s 9c hit Ac hit 2c hit 5c")
    assert round_.of(WagerPaid)[0].why == "five cards"
    assert round_.of(WagerPaid)[0].payment_cents == 1500


@pytest.mark.clause("S21-6")
def test_double_on_any_number_of_cards() -> None:
    three = played(S21, "2h 9d 3s 9c hit 4c")
    assert Action.DOUBLE in three.options
    four = three.then("hit 2c double 7c")
    assert four.of(WagerAdded) == [WagerAdded(1, "Ann", 1, 1000, "beside the original")]
    assert Action.DOUBLE in played(S21, "8h 9d 8s 9c split 3c 2c hit 2d").options


@pytest.mark.clause("S21-6")
@pytest.mark.parametrize("second", ["2s", "8s"])
def test_no_double_card_face_down(second: str) -> None:
    round_ = played(S21, f"7h 9d {second} 9c")
    assert round_.refusal(DoubleFaceDown()).clause == "S21-6"
    assert round_.then("double 2d").of(CardDealt)[-1].card is card("2d")


@pytest.mark.clause("S21-7")
def test_redouble_doubles_the_wager_again_and_is_the_last() -> None:
    once = played(S21, "2h 9d 3s 9c double 4c")
    assert once.options == (Action.STAND, Action.DOUBLE)
    assert once.refusal(Action.HIT).clause == "S21-7"
    twice = once.then("double Jc")
    assert [e.added_cents for e in twice.of(WagerAdded)] == [1000, 2000]
    assert twice.state.spots[0].hands[0].stake_cents == 4000
    assert twice.over  # 19 beats 18, and nothing was left to ask
    assert twice.net() == 4000


@pytest.mark.clause("S21-7")
def test_a_double_may_stand_after_its_card_and_a_third_is_refused() -> None:
    assert played(S21, "2h 9d 3s 9c double 4c stand").net() == -2000
    rescue = house("spanish-21", {"double.rescue": "original"})
    assert played(rescue, "2h 9d 3s 9c double 4c double 2c").refusal(Action.DOUBLE).clause == "S21-7"


@pytest.mark.clause("S21-8")
def test_neither_surrender_nor_rescue_by_default() -> None:
    assert played(S21, "Kh 9d 6s 9c").refusal(Action.SURRENDER).clause == "S21-8"
    assert played(S21, "2h 9d 3s 9c double 4c").refusal(Action.RESCUE).clause == "S21-8"


@pytest.mark.clause("S21-8")
def test_both_are_house_options() -> None:
    both = house("spanish-21", {"surrender": "late", "double.rescue": "original"})
    assert played(both, "Kh 9d 6s 9c surrender").net() == -500
    assert played(both, "2h 9d 3s 9c double 4c rescue").net() == -1000


@pytest.mark.clause("S21-9")
def test_match_the_dealer_only_and_by_the_spanish_table() -> None:
    assert S21.offered_side_bets == ("match-the-dealer",)
    refusal = why_not_start(S21, ann(1000, {"21+3": 200}))
    assert refusal is not None
    assert refusal.clause == "S21-9"
    round_ = played(S21, "9h 9d 9d 5c", ann(1000, {"match-the-dealer": 200}))
    assert round_.of(WagerPaid)[0].payment_cents == 200 * 13


def test_insurance_is_offered_to_those_without_a_blackjack() -> None:
    assert played(S21, "9h Ad Ks 7c").options[0] == DeclineInsurance()
