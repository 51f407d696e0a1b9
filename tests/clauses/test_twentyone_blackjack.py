"""Blackjack, clause by clause (BJ)."""

from __future__ import annotations

import pytest

from cardroom.core.cards import Rank
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import (
    Action,
    DealerLooked,
    DeclineInsurance,
    EvenMoney,
    Insure,
    SpotWager,
    WagerPaid,
    WagerReturned,
    chance,
    start,
    why_not_start,
)
from tests.twentyone import ann, house, played

BJ = house("blackjack")


@pytest.mark.clause("BJ-1")
@pytest.mark.parametrize("decks", range(1, 9))
def test_one_to_eight_decks(decks: int) -> None:
    state, _ = start(house("blackjack", {"decks": decks}), ann())
    assert [weight for _, weight in chance(state)] == [decks] * 52


@pytest.mark.clause("BJ-1")
def test_no_other_number_of_decks() -> None:
    for decks in (0, 9):
        with pytest.raises(MalformedInput, match="decks"):
            house("blackjack", {"decks": decks})


@pytest.mark.clause("BJ-1")
def test_a_card_comes_only_as_often_as_it_is_in_the_shoe() -> None:
    single = house("blackjack", {"decks": 1})
    assert (
        played(single, "8h").refusal(played(single, "8h").state.spots[0].hands[0].cards[0]).clause == "BJ-1"
    )


@pytest.mark.clause("BJ-2")
def test_a_winning_blackjack_pays_3_to_2_after_the_look() -> None:
    round_ = played(BJ, "Ah Kd Ks 9c")
    kinds = [type(event) for event in round_.events]
    assert kinds.index(DealerLooked) < kinds.index(WagerPaid)
    assert round_.of(WagerPaid)[0].payment_cents == 1500
    assert round_.over
    assert round_.net() == 1500


@pytest.mark.clause("BJ-2")
def test_a_blackjack_is_paid_after_insurance() -> None:
    offered = played(BJ, "Ah Ad Ks 9c")
    assert offered.of(WagerPaid) == []
    assert offered.then("no").net() == 1500


@pytest.mark.clause("BJ-2")
def test_blackjack_against_blackjack_pushes() -> None:
    round_ = played(BJ, "Ah Kd Ks Ac")
    assert round_.of(WagerReturned) == [WagerReturned(1, "Ann", "primary", 1, 1000, "push")]
    assert round_.net() == 0


@pytest.mark.clause("BJ-2")
def test_other_blackjack_pays_are_a_house_option() -> None:
    assert played(house("blackjack", {"blackjack_pays": "6:5"}), "Ah 9d Ks 9c").net() == 1200


@pytest.mark.clause("BJ-2")
@pytest.mark.parametrize("hole", ["Kc", "9c"])
def test_even_money_is_insurance_for_half_the_wager(hole: str) -> None:
    round_ = played(BJ, f"Ah Ad Ks {hole}")
    assert round_.options == (DeclineInsurance(), Insure(500), EvenMoney())
    assert round_.then("even").net() == 1000
    assert round_.then("insure=5.00").net() == 1000


@pytest.mark.clause("BJ-2")
def test_even_money_pays_at_once() -> None:
    before = played(BJ, "Ah 9h Ad Ks 8h 7c", [*ann(), SpotWager(2, "Bob", 1000)])
    after = before.then("even")
    assert after.of(WagerPaid)[-1].why == "even money"
    assert after.of(DealerLooked) == []
    assert after.turn == (2, 1)  # Bob is still to answer


@pytest.mark.clause("BJ-2")
def test_even_money_is_for_a_blackjack_against_an_ace_only() -> None:
    assert played(BJ, "9h Ad Ks 7c").refusal(EvenMoney()).clause == "BJ-2"
    without = house("blackjack", {"insurance.even_money": False})
    assert played(without, "Ah Ad Ks 7c").refusal(EvenMoney()).clause == "BJ-2"


@pytest.mark.clause("BJ-3")
def test_double_on_the_first_two_cards_of_any_total_once() -> None:
    for second in ("2s", "5s", "9s"):
        assert Action.DOUBLE in played(BJ, f"Th 6d {second} 9c").options
    assert played(BJ, "2h 6d 3s 9c hit 4c").refusal(Action.DOUBLE).clause == "BJ-3"
    doubled = played(BJ, "2h 6d 3s 9c double 4c")
    assert not doubled.state.options  # the dealer's turn: no further card, no second double
    assert doubled.cards() == ["2h3s4c"]


@pytest.mark.clause("BJ-3")
def test_a_second_double_is_refused() -> None:
    twice = house("blackjack", {"double.rescue": "original"})
    assert played(twice, "2h 6d 3s 9c double 4c").refusal(Action.DOUBLE).clause == "BJ-3"


@pytest.mark.clause("BJ-5")
def test_no_surrender_by_default() -> None:
    assert house("blackjack").surrender == "none"
    assert played(BJ, "Kh 9d 6s 9c").refusal(Action.SURRENDER).clause == "BJ-5"


@pytest.mark.clause("BJ-5")
def test_late_surrender_comes_after_the_look() -> None:
    late = house("blackjack", {"surrender": "late"})
    assert played(late, "Kh Kd 6s 9c surrender").net() == -500
    assert played(late, "Kh Kd 6s Ac").net() == -1000  # the dealer's blackjack takes it all
    assert played(late, "Kh Ad 6s 9c").refusal(Action.SURRENDER).clause == "PROC-10"
    assert Action.SURRENDER in played(late, "Kh Ad 6s 9c no").options
    assert played(late, "8h 6d 8s 9c split 2c 3c").refusal(Action.SURRENDER).clause == "BJ-5"


@pytest.mark.clause("BJ-6")
def test_six_decks_and_soft_17_hit_by_default() -> None:
    assert house("blackjack").decks == 6
    assert house("blackjack").shoe().of_rank(Rank.TEN) == 24
    assert not played(BJ, "Kh 6d 8s Ac stand").over


@pytest.mark.clause("BJ-7")
def test_side_bets_on_offer() -> None:
    assert BJ.offered_side_bets == ("21+3", "match-the-dealer")
    for wager in ("match-up", "match-down", "monster-match-1", "lucky-ladies"):
        refusal = why_not_start(BJ, ann(1000, {wager: 200}))
        assert refusal is not None
        assert refusal.clause == "BJ-7"


@pytest.mark.clause("BJ-7")
def test_match_the_dealer_pays_by_the_standard_table() -> None:
    round_ = played(BJ, "9h 9d 9d 5c", ann(1000, {"match-the-dealer": 200}))
    assert round_.of(WagerPaid)[0].payment_cents == 200 * 14
