"""Player's Edge 21, clause by clause (PE21); its match wagers and Monster Match are in the SIDE tests too."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardroom.core.cards import Rank
from cardroom.core.errors import IllegalAction
from cardroom.engine.twentyone import (
    Action,
    BonusPaid,
    ChangeWager,
    DealerLooked,
    DeclineInsurance,
    DoubleFor,
    InsuranceOpened,
    Insure,
    SpotWager,
    WagerAdded,
    WagerBetweenPlayers,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
    WagerTaken,
    step,
    why_not_start,
)
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules, law
from tests.twentyone import ann, card, house, played

PE21 = house("players-edge-21")
BOB = SpotWager(2, "Bob", 1000)


@pytest.mark.clause("PE21-1")
def test_six_spanish_decks_soft_17_hit_and_the_look() -> None:
    assert PE21.shoe().total == 6 * 48
    assert PE21.shoe().of_rank(Rank.TEN) == 0
    assert not played(PE21, "Kh 6d 8s Ac stand").over
    for up in ("Jd", "Qd", "Kd"):
        assert played(PE21, f"9h {up} 8s 9c").of(DealerLooked) == [DealerLooked(False)]
    assert played(PE21, "9h Ad 8s 9c no").of(DealerLooked) == [DealerLooked(False)]
    assert played(PE21, "9h 9d 8s Ac").of(DealerLooked) == []


@pytest.mark.clause("PE21-2")
def test_bonus_wagers_stand_with_the_primary_wager_before_the_cards() -> None:
    side = {"match-up": 500, "match-down": 200, "monster-match-1": 100, "monster-match-5": 500}
    round_ = played(PE21, "", ann(1000, side))
    assert [(e.wager, e.stake_cents) for e in round_.of(WagerPlaced)] == [("primary", 1000), *side.items()]
    assert round_.refusal(ChangeWager("match-up", 600)).clause == "PROC-9"
    assert round_.then("9h 9d").refusal(ChangeWager("match-up", 600)).clause == "PROC-9"


@pytest.mark.clause("PE21-2.1", "PE21-4")
@pytest.mark.parametrize("dealer", ["Kd Ac", "Kd 9c", "9d 9c"])
def test_a_blackjack_wins_whatever_the_dealer_has(dealer: str) -> None:
    up, hole = dealer.split()
    round_ = played(PE21, f"Ah {up} Ks {hole}")
    assert round_.over
    assert [(e.payment_cents, e.why) for e in round_.of(WagerPaid)] == [(1500, "blackjack")]
    assert round_.net() == 1500


@pytest.mark.clause("PE21-3")
def test_insurance_also_on_a_blackjack_that_was_paid() -> None:
    round_ = played(PE21, "Ah Ad Ks Kc")
    kinds = [type(event) for event in round_.events]
    assert kinds.index(WagerPaid) < kinds.index(InsuranceOpened)
    assert round_.options == (DeclineInsurance(), Insure(500))
    assert round_.refusal(Insure(600)).clause == "PE21-3"
    assert round_.then("insure=5.00").net() == 1500 + 1000
    assert round_.then("insure=3.00").net() == 1500 + 600
    assert played(PE21, "Ah Ad Ks 9c insure=5.00").net() == 1500 - 500


@pytest.mark.clause("PE21-3.1")
def test_insurance_pays_5_to_1_on_a_blackjack_of_one_suit() -> None:
    suited = played(PE21, "9h Ad 8s Kd insure=5.00")
    paid = suited.of(WagerPaid)
    assert [(e.wager, str(e.odds), e.payment_cents) for e in paid] == [("insurance", "5:1", 2500)]
    assert suited.net() == 2500 - 1000
    assert played(PE21, "9h Ad 8s Kc insure=5.00").net() == 0


@pytest.mark.clause("PE21-5")
def test_a_21_beats_a_dealers_21() -> None:
    round_ = played(PE21, "6h 9h 7d 5s 9s 6c hit Kh stand 8h", [*ann(), BOB])
    assert round_.state.dealer == (card("7d"), card("6c"), card("8h"))
    assert round_.net("Ann") == 1000
    assert round_.net("Bob") == -1000


@pytest.mark.clause("PE21-6.1")
def test_bonus_21s_on_split_hands_that_were_not_doubled() -> None:
    round_ = played(PE21, "6d 9d 6d 9c split 7d 5c hit 8d")
    assert [(e.hand, e.payment_cents, e.why) for e in round_.of(WagerPaid)] == [
        (1, 3000, "six seven eight named")
    ]
    doubled = played(PE21, "6d 9d 6d 9c split 7d 5c double 8d")
    assert [(e.hand, e.stake_cents, e.payment_cents) for e in doubled.of(WagerPaid)] == [(1, 2000, 2000)]


@pytest.mark.clause("PE21-6.2")
def test_splitting_and_doubling_void_the_super_bonus() -> None:
    split = played(PE21, "7h 7d 7h 9c split 7h 2c hit 7h")
    assert split.of(WagerPaid)[0].why == "three sevens suited"  # the bonus 21 is paid
    assert split.of(BonusPaid) == []
    assert played(PE21, "7h 7d 7h 9c double 7h").of(BonusPaid) == []
    assert [e.bonus for e in played(PE21, "7h 7d 7h 9c hit 7h").of(BonusPaid)] == ["super-bonus"]


@pytest.mark.clause("PE21-7")
def test_double_on_two_or_more_cards_any_total_and_no_bonus() -> None:
    for moves in (
        "Kh 9d 9s 9c",
        "2h 9d 3s 9c hit 4c",
        "8h 9d 8s 9c split 3c 2c",
        "2h 9d 2s 9c hit 2c hit 3c",
    ):
        assert Action.DOUBLE in played(PE21, moves).options
    five = played(PE21, "2h 9d 3s 9c hit 4c hit 5c double 7c")
    assert [(e.stake_cents, e.payment_cents, e.why) for e in five.of(WagerPaid)] == [(2000, 2000, "21")]


@pytest.mark.clause("PE21-8", "PE21-8.1")
def test_three_doubles_stand_at_2_4_and_8_times_the_original() -> None:
    round_ = played(PE21, "2h 9d 2s 9c")
    stakes = []
    for each in ("2c", "3c", "4c"):
        round_ = round_.then(f"double {each}")
        stakes.append(round_.state.spots[0].hands[0].stake_cents)
    assert stakes == [2000, 4000, 8000]
    assert [e.added_cents for e in round_.of(WagerAdded)] == [1000, 2000, 4000]
    assert round_.options == (Action.STAND, Action.RESCUE)
    assert round_.refusal(Action.DOUBLE).clause == "PE21-8"
    assert round_.refusal(Action.HIT).clause == "PE21-8"
    assert round_.then("stand").net() == -8000


@pytest.mark.clause("PE21-8.2")
def test_no_doubling_for_less() -> None:
    round_ = played(PE21, "2h 9d 2s 9c")
    for cents in (500, 999, 1001, 0):
        refusal = round_.refusal(DoubleFor(cents))
        assert refusal.clause == "PE21-8.2"
        assert "$10.00" in refusal.reason
        with pytest.raises(IllegalAction):
            step(round_.state, DoubleFor(cents))
    state, events = step(round_.state, DoubleFor(1000))
    assert WagerAdded(1, "Ann", 1, 1000, "beside the original") in events
    assert state.spots[0].hands[0].doubles == 1


@pytest.mark.clause("PE21-8.2")
def test_a_double_is_capped_at_the_table_maximum_exactly() -> None:
    round_ = played(PE21, "2h 9d 2s 9c double 2c", ann(30_000))
    assert round_.refusal(DoubleFor(60_000)).clause == "PE21-8.2"
    assert round_.refusal(DoubleFor(40_000)).clause == "PE21-8.2"
    round_ = round_.then("double 3c double 4c")
    assert [e.added_cents for e in round_.of(WagerAdded)] == [30_000, 50_000, 50_000]
    assert round_.then("stand").net() == -160_000


@pytest.mark.clause("PE21-8.3")
@pytest.mark.parametrize(
    ("original", "stands_at"),
    [
        (300, 2_400),  # $3: 3 + 3 + 6 + 12, eight times
        (12_500, 100_000),  # $125: 125 + 125 + 250 + 500, the last that is eight times
        (20_000, 130_000),  # $200: 200 + 200 + 400 + 500, six and a half times
        (30_000, 160_000),  # $300: 300 + 300 + 500 + 500
        (50_000, 200_000),  # $500, the maximum: four times $500
    ],
)
def test_three_doubles_make_four_to_eight_times_the_original(original: int, stands_at: int) -> None:
    round_ = played(PE21, "2h 9d 2s 9c double 2c double 3c double 4c", ann(original))
    assert round_.state.spots[0].hands[0].stake_cents == stands_at
    assert round_.then("stand").net() == -stands_at
    assert 4 * original <= stands_at <= 8 * original


@pytest.mark.clause("PE21-8.3")
def test_every_wager_of_the_table_stands_at_four_to_eight_times_after_three_doubles() -> None:
    times = [Fraction(law.stake_after(PE21, cents, 3), cents) for cents in range(300, 50_001, 100)]
    assert [min(times), max(times)] == [Fraction(4), Fraction(8)]
    assert times == sorted(times, reverse=True)


@pytest.mark.clause("PE21-9")
def test_a_rescue_takes_back_what_was_added_and_gives_up_the_original() -> None:
    once = played(PE21, "2h 9d 2s 9c double 2c rescue")
    assert once.of(WagerTaken) == [WagerTaken(1, "Ann", "primary", 1, 1000, "rescue")]
    assert once.of(WagerReturned) == [WagerReturned(1, "Ann", "primary", 1, 1000, "rescue")]
    assert once.net() == -1000
    thrice = played(PE21, "2h 9d 2s 9c double 2c double 3c double 4c rescue")
    assert thrice.of(WagerReturned)[0].stake_cents == 7000
    assert thrice.net() == -1000


@pytest.mark.clause("PE21-9")
def test_the_other_reading_of_a_rescue() -> None:
    other = house("players-edge-21", {"double.rescue": "before-last-double"})
    assert played(other, "2h 9d 2s 9c double 2c rescue").net() == -1000
    assert played(other, "2h 9d 2s 9c double 2c double 3c rescue").net() == -2000
    assert played(other, "2h 9d 2s 9c double 2c double 3c double 4c rescue").net() == -4000
    # With the cap of $500: 300 + 300 + 500 + 500, of which 1,100 stood before the last double.
    capped = played(other, "2h 9d 2s 9c double 2c double 3c double 4c rescue", ann(30_000))
    assert capped.net() == -110_000


@pytest.mark.clause("PE21-9")
def test_a_rescue_needs_a_double_and_a_hand_that_is_not_bust() -> None:
    assert played(PE21, "2h 9d 2s 9c").refusal(Action.RESCUE).clause == "PE21-9"
    bust = played(PE21, "Kh 9d 6s 9c double Qc")
    assert bust.over
    assert bust.net() == -2000


@pytest.mark.clause("PE21-10")
@pytest.mark.parametrize("up", ["2d", "9d", "Kd", "Ad"])
def test_surrender_against_any_up_card_after_the_look(up: str) -> None:
    answer = "no " if up == "Ad" else ""
    round_ = played(PE21, f"Kh {up} 6s 9c {answer}surrender")
    assert round_.net() == -500
    assert round_.over


@pytest.mark.clause("PE21-10")
def test_surrender_in_the_players_turn_and_on_the_first_two_cards_only() -> None:
    two = played(PE21, "Kh 9h 9d 6s 8h 9c stand", [*ann(), BOB])
    assert two.turn == (2, 1)
    assert two.then("surrender").net("Bob") == -500
    assert played(PE21, "2h 9d 3s 9c hit 4c").refusal(Action.SURRENDER).clause == "PE21-10"
    assert played(PE21, "8h 9d 8s 9c split 3c 2c").refusal(Action.SURRENDER).clause == "PE21-10"
    assert played(PE21, "2h 9d 3s 9c double 4c").refusal(Action.SURRENDER).clause == "PE21-10"
    assert played(PE21, "Kh Kd 6s Ac").net() == -1000  # no surrender from a dealer's blackjack


@pytest.mark.clause("PE21-11", "PE21-12")
def test_match_wagers_and_monster_match_are_on_offer() -> None:
    assert PE21.offered_side_bets == ("match-up", "match-down", "monster-match-1", "monster-match-5")
    refusal = why_not_start(PE21, ann(1000, {"match-the-dealer": 200}))
    assert refusal is not None
    assert refusal.clause == "PE21-11"
    round_ = played(PE21, "9h 9h 5d 5c stand 9s", ann(1000, {"match-up": 100, "match-down": 100}))
    assert [(e.wager, e.payment_cents) for e in round_.of(WagerPaid)][:2] == [
        ("match-up", 900),
        ("match-down", 400),
    ]


@pytest.mark.clause("PE21-13")
@pytest.mark.parametrize(
    ("stake", "bonus"), [(300, 100_000), (2400, 100_000), (2500, 500_000), (50_000, 500_000)]
)
def test_super_bonus_by_the_size_of_the_wager(stake: int, bonus: int) -> None:
    rules = load_rules_as(TwentyOneRules, "players-edge-21")
    round_ = played(rules, "7h 7d 7h 9c hit 7h", ann(stake))
    assert round_.of(BonusPaid) == [BonusPaid(1, "Ann", "super-bonus", bonus)]
    assert round_.net() == bonus + 2 * stake  # and the suited 7-7-7 itself, 2 to 1


@pytest.mark.clause("PE21-13")
def test_the_super_bonus_is_for_the_sevens_whatever_else_the_house_pays_for_them() -> None:
    no_rate = house("players-edge-21", {"bonus_21.three_sevens_suited": "none"})
    round_ = played(no_rate, "7h 7d 7h 9c hit 7h")
    assert [(e.payment_cents, e.why) for e in round_.of(WagerPaid)] == [(1000, "21")]
    assert round_.of(BonusPaid) == [BonusPaid(1, "Ann", "super-bonus", 100_000)]
    compared = house("blackjack", {"super_bonus.offered": True})
    round_ = played(compared, "7h 7d 7h 9c hit 7h stand 5s")
    assert round_.of(BonusPaid) == [BonusPaid(1, "Ann", "super-bonus", 100_000)]
    assert round_.of(WagerPaid) == []  # the dealer has 21 as well: a push
    assert round_.net() == 100_000


@pytest.mark.clause("PE21-13")
@pytest.mark.parametrize(
    "moves",
    [
        "7h 8d 7h 9c hit 7h",  # no 7 up
        "7h 7d 7h 9c hit 7c",  # not of one suit
        "6h 7d 7h 9c hit 8h",  # no three sevens
        "7h 7d 3h 9c hit 4h hit 7h",  # four cards
    ],
)
def test_no_super_bonus_for_less(moves: str) -> None:
    round_ = played(PE21, moves)
    assert len(round_.of(WagerPaid)) == 1
    assert round_.of(BonusPaid) == []


@pytest.mark.clause("PE21-13.1")
def test_envy_goes_to_every_other_player_once() -> None:
    wagers = [
        SpotWager(1, "Cid", 1000),
        SpotWager(2, "Ann", 1000),
        SpotWager(3, "Bob", 1000),
        SpotWager(4, "Bob", 1000),
        SpotWager(5, "Ann", 1000),
    ]
    moves = "2h 7h 3h 4h 5h 7d 2s 7h 3s 4s 5s 9c stand hit 7h"
    assert played(PE21, moves, wagers).of(BonusPaid) == [
        BonusPaid(2, "Ann", "super-bonus", 100_000),
        BonusPaid(4, "Bob", "envy", 5000),
        BonusPaid(1, "Cid", "envy", 5000),
    ]


BONUSES = [
    ("2h 3s", "4c 5d 7h", "3:2", "five cards"),
    ("2h 3s", "4c 5d 2d 5h", "2:1", "six cards"),
    ("2h 3s", "4c 2c 3d 3h 4d", "3:1", "seven cards"),
    ("2h 2s", "2c 2d 3d 3h 3s 4c", "3:1", "seven cards"),  # eight of them
    ("6h 7s", "8c", "3:2", "six seven eight mixed"),
    ("7s 8s", "6s", "2:1", "six seven eight suited"),
    ("8d 6d", "7d", "3:1", "six seven eight named"),
    ("7h 7s", "7c", "3:2", "three sevens mixed"),
    ("7s 7s", "7s", "2:1", "three sevens suited"),
    ("7d 7d", "7d", "3:1", "three sevens named"),
    ("9h 7s", "5c", "1:1", "21"),
]
PAYS = {"1:1": 1000, "3:2": 1500, "2:1": 2000, "3:1": 3000}


@pytest.mark.clause("PE21-14")
@pytest.mark.parametrize(("first", "hits", "pays", "why"), BONUSES)
def test_bonus_21s(first: str, hits: str, pays: str, why: str) -> None:
    one, two = first.split()
    round_ = played(PE21, f"{one} 9d {two} 9c " + " ".join(f"hit {each}" for each in hits.split()))
    assert round_.over
    assert [(str(e.odds), e.payment_cents, e.why) for e in round_.of(WagerPaid)] == [(pays, PAYS[pays], why)]


@pytest.mark.clause("PE21-14")
def test_a_hand_that_qualifies_twice_is_paid_the_better_rate_once() -> None:
    # Three diamonds are of one suit too.
    assert [e.payment_cents for e in played(PE21, "7d 9d 7d 9c hit 7d").of(WagerPaid)] == [3000]
    for named in ("none", "3:2"):
        house_pays_less = house("players-edge-21", {"bonus_21.three_sevens_named": named})
        paid = played(house_pays_less, "7d 9d 7d 9c hit 7d").of(WagerPaid)
        assert [(e.payment_cents, e.why) for e in paid] == [(2000, "three sevens suited")]


@pytest.mark.clause("PE21-14")
def test_a_blackjack_is_no_bonus_21() -> None:
    assert played(PE21, "Ah 9d Ks 9c").of(WagerPaid)[0].why == "blackjack"


@pytest.mark.clause("PE21-15")
def test_wagers_between_players_are_refused() -> None:
    between = WagerBetweenPlayers("Bob", 1000)
    for moves in ("", "9h 8h 9d 6s 8s 9c", "9h 8h 9d 6s 8s 9c stand stand"):
        round_ = played(PE21, moves, [*ann(), BOB])
        assert round_.refusal(between).clause == "PE21-15"
        with pytest.raises(IllegalAction, match="PE21-15"):
            step(round_.state, between)
