"""House options that other rooms use, clause by clause: the same cards with the option and without it."""

from __future__ import annotations

import pytest

from cardroom.core.cards import parse_card, parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import (
    Action,
    CardTurned,
    DealerLooked,
    WagerPaid,
    WagerReturned,
    WagerTaken,
    view,
)
from tests.exact_cases import Case
from tests.twentyone import house, played

BJ = house("blackjack")
NO_HOLE = house("blackjack", {"hole_card": "none"})
EXACT_CASES: dict[str, Case] = {
    "charlie": ("blackjack", {"split.max_hands": 1}, ("none", 5, 6, 7), "Ac:4,2c:4,3c:1,Tc:2"),
    "double.totals": (
        "blackjack",
        {"split.max_hands": 2},
        ("any", "9-11", "10-11"),
        "2c:1,3c:1,4c:2,5c:2,6c:1,Tc:3",
    ),
}
"""What `tests/perft` solves and walks with some of the options that are tried here."""


@pytest.mark.clause("21-1.16")
@pytest.mark.parametrize(
    ("totals", "cards", "allowed"),
    [
        ("9-11", "4h 6d 4s 9c", False),
        ("9-11", "4h 6d 5s 9c", True),
        ("9-11", "5h 6d 6s 9c", True),
        ("9-11", "5h 6d 7s 9c", False),
        ("9-11", "Ah 6d 8s 9c", False),  # soft 19 is no 9
        ("10-11", "4h 6d 5s 9c", False),
        ("10-11", "4h 6d 6s 9c", True),
        ("any", "Ah 6d 2s 9c", True),
    ],
)
def test_only_hard_totals_of_the_house_are_doubled(totals: str, cards: str, allowed: bool) -> None:
    dealt = played(house("blackjack", {"double.totals": totals}), cards)
    assert (Action.DOUBLE in dealt.options) is allowed
    if not allowed:
        assert dealt.refusal(Action.DOUBLE).clause == "21-1.16"


@pytest.mark.clause("21-1.16")
def test_hands_after_a_split_and_redoubles_ask_for_the_total_too() -> None:
    low = house("blackjack", {"double.totals": "9-11"})
    split = played(low, "8h 6d 8s 9c split 2c 5d")
    assert Action.DOUBLE in split.options  # 8-2
    assert Action.DOUBLE not in split.then("stand").options  # 8-5
    again = house("spanish-21", {"double.totals": "9-11"})
    doubled = played(again, "4h 6d 5s 9c double 2c")
    assert doubled.options == (Action.STAND, Action.DOUBLE)  # 11
    # 4-5 doubled gets a 7 and is 16: nothing is left to decide, and the dealer's 15 draws.
    assert played(again, "4h 6d 5s 9c double 7c").over is False
    assert played(again, "4h 6d 5s 9c double 7c Kc").net() == 2000


@pytest.mark.clause("21-1.17")
def test_so_many_cards_that_are_not_bust_win_at_once() -> None:
    charlie = house("blackjack", {"charlie": 5})
    drawn = "2h Td 3s 9c hit 2c hit 4c"
    four = played(charlie, drawn)
    assert four.options == (Action.STAND, Action.HIT)
    five = four.then("hit 5h")  # 16, and the dealer has 19
    assert five.over
    assert five.net() == 1000
    assert [(paid.why, str(paid.odds)) for paid in five.of(WagerPaid)] == [("Charlie", "1:1")]
    assert played(BJ, f"{drawn} hit 5h stand").net() == -1000
    assert four.then("hit Kh").net() == 1000  # 21, paid without a look at the dealer's hand
    assert played(charlie, "7h Td 3s 9c hit 2c hit 4c hit Kh").net() == -1000  # 26


@pytest.mark.clause("21-1.17")
def test_a_charlie_after_a_split_and_none_on_a_doubled_hand() -> None:
    charlie = house("blackjack", {"charlie": 5})
    split = played(charlie, "2h Td 2s 9c split 2c 3c hit 3d hit 4d hit 5d")  # 2-2-3-4-5
    assert split.turn == (1, 2)
    assert split.net() == 1000 - 1000  # the first hand has been paid, the second still stands on the table
    doubling = house("spanish-21", {"charlie": 5, "player_21_always_wins": False})
    doubled = played(doubling, "2h 9d 3s 9c hit 2c hit 4c double 5h stand")  # 16 of five cards against 18
    assert doubled.net() == -2000


@pytest.mark.clause("21-1.17")
def test_a_charlie_of_21_earns_its_bonus() -> None:
    both = house("spanish-21", {"charlie": 5, "player_21_always_wins": False})
    assert played(both, "2h 9d 3s 9c hit 2c hit 4c hit Kh").net() == 1500  # 21 of five cards pays 3 to 2


@pytest.mark.clause("21-1.18")
def test_a_dealers_22_pushes_hands_still_in() -> None:
    pushes = house("blackjack", {"dealer_22_pushes": True})
    cards = "Th 6d 9s 6c stand Tc"  # the dealer draws a ten on 12: 22
    assert played(BJ, cards).net() == 1000
    assert played(pushes, cards).net() == 0
    assert [back.why for back in played(pushes, cards).of(WagerReturned)] == ["push"]
    assert played(pushes, "Th 6d 9s 7c stand Tc").net() == 1000  # 23 is a bust
    assert played(pushes, "Th 6d 6s 6c hit Kc").net() == -1000  # who is bust has lost
    assert played(pushes, "Th 6d As 6c").net() == 1500  # a blackjack is paid before
    doubled = played(pushes, "5h 6d 6s 6c double 9c Tc")
    assert doubled.net() == 0


@pytest.mark.clause("21-1.19")
def test_without_a_hole_card_the_second_card_comes_after_the_players() -> None:
    dealt = played(NO_HOLE, "Th 9d 8s")
    assert dealt.options == (Action.STAND, Action.HIT, Action.DOUBLE)
    assert dealt.state.dealer == parse_cards("9d")
    assert dealt.then("stand 8c").net() == 1000  # the dealer's 9-8 makes 17 against 18
    bust = played(NO_HOLE, "Th 9d 8s hit Kc")
    assert bust.over  # nobody waits for the dealer: no card is drawn
    assert bust.state.dealer == parse_cards("9d")


@pytest.mark.clause("21-1.19")
def test_a_dealers_blackjack_takes_doubled_and_split_wagers() -> None:
    doubled = "6h Td 5s double 9c Ac"
    assert played(NO_HOLE, doubled).net() == -2000
    split = played(NO_HOLE, "8h Ad 8s no split 2c 3c stand stand Kc")
    assert split.net() == -2000
    assert {taken.why for taken in split.of(WagerTaken)} == {"dealer's blackjack"}


@pytest.mark.clause("21-1.19")
def test_a_blackjack_waits_only_where_it_can_be_tied() -> None:
    assert played(NO_HOLE, "Ah 9d Ks").net() == 1500  # at once
    waits = played(NO_HOLE, "Ah Td Ks")
    assert waits.over is False
    assert waits.then("Ac").net() == 0
    assert waits.then("9c").net() == 1500
    pushes_22 = house("blackjack", {"hole_card": "none", "dealer_22_pushes": True})
    assert played(pushes_22, "Ah Td Ks 2c Kc").net() == 1500  # a 22 pushes no blackjack (21-1.18)
    always = house("blackjack", {"hole_card": "none", "blackjack_always_wins": True})
    assert played(always, "Ah Td Ks").net() == 1500
    assert played(NO_HOLE, "Ah Ad Ks even").net() == 1000


@pytest.mark.clause("21-1.19")
def test_insurance_waits_for_the_second_card() -> None:
    insured = played(NO_HOLE, "Th Ad 9s insure=5.00")
    assert insured.of(WagerPaid) == []
    assert insured.then("stand Kc").net() == -1000 + 1000
    assert insured.then("stand 7c").net() == 1000 - 500
    # All is bust, and yet the insurance wants its card; the dealer draws no further one.
    bust = insured.then("hit 5c 2c")
    assert bust.over
    assert bust.net() == -1000 - 500


@pytest.mark.clause("21-1.19")
def test_a_late_surrender_waits_for_the_second_card() -> None:
    late = house("blackjack", {"hole_card": "none", "surrender": "late"})
    against_ten = played(late, "Th Td 6s surrender")
    assert against_ten.over is False
    assert against_ten.then("Ac").net() == -1000
    assert against_ten.then("7c").net() == -500
    assert played(late, "Th 9d 6s surrender").net() == -500  # at once: a 9 makes no blackjack


@pytest.mark.clause("21-1.20")
def test_an_early_surrender_is_done_whatever_the_dealer_makes() -> None:
    early = house("blackjack", {"hole_card": "none", "surrender": "early"})
    assert played(early, "Th Td 6s surrender").over
    assert played(early, "Th Td 6s surrender").net() == -500
    assert played(early, "Th Ad 6s no surrender").net() == -500
    assert played(early, "5h Td 6s hit 2c").refusal(Action.SURRENDER).clause == "BJ-5"  # first two cards only


@pytest.mark.clause("21-1.20")
def test_no_early_surrender_against_an_ace_where_the_house_says_so() -> None:
    rules = house("blackjack", {"hole_card": "none", "surrender": "early-not-ace"})
    assert played(rules, "Th Td 6s surrender").net() == -500
    against_ace = played(rules, "Th Ad 6s no")
    assert Action.SURRENDER not in against_ace.options
    assert against_ace.refusal(Action.SURRENDER).clause == "21-1.20"


@pytest.mark.clause("21-1.20")
def test_what_a_table_with_a_look_cannot_offer() -> None:
    with pytest.raises(MalformedInput, match="surrender early is for a table where nobody looks before"):
        house("blackjack", {"surrender": "early"})


@pytest.mark.clause("21-1.19")
def test_a_hole_card_that_nobody_looks_at() -> None:
    unseen = house("blackjack", {"hole_card": "unseen"})
    dealt = played(unseen, "Th Kd 8s Ac")
    assert view(dealt.state, 1).dealer == (parse_card("Kd"), None)
    assert dealt.of(DealerLooked) == []
    assert dealt.options == (Action.STAND, Action.HIT, Action.DOUBLE)
    assert dealt.then("stand").net() == -1000  # the ace is turned: a blackjack
    assert played(unseen, "6h Kd 5s Ac double 9c").net() == -2000
    assert played(unseen, "6h Kd 5s 9c double 9c").net() == 2000  # 20 against 19
    blackjack = played(unseen, "Ah Kd Ks 9c")
    assert blackjack.over  # it waited for the hole card to be turned, and nobody had to decide
    assert blackjack.net() == 1500
    insured = played(unseen, "Th Ad 9s Kc insure=5.00")
    assert insured.of(WagerPaid) == []
    assert insured.then("stand").net() == -1000 + 1000
    assert house("players-edge-21", {"hole_card": "unseen"}).offers("match-down")


@pytest.mark.clause("21-1.20")
def test_an_early_surrender_before_the_hole_card_is_turned() -> None:
    early = house("blackjack", {"hole_card": "unseen", "surrender": "early"})
    assert played(early, "Th Kd 6s Ac surrender").net() == -500  # against what is a blackjack
    late = house("blackjack", {"hole_card": "unseen", "surrender": "late"})
    assert played(late, "Th Kd 6s Ac surrender").net() == -1000
    assert played(late, "Th Kd 6s 7c surrender").net() == -500


ORIGINAL = {"hole_card": "none", "dealer_blackjack_takes": "original"}


@pytest.mark.clause("21-1.26")
def test_a_dealers_blackjack_takes_the_original_wager_only() -> None:
    original = house("blackjack", ORIGINAL)
    doubled = played(original, "6h Td 5s double 9c")
    lost = doubled.then("Ac")
    assert lost.net() == -1000
    assert [(taken.stake_cents, taken.why) for taken in lost.of(WagerTaken)] == [(1000, "dealer's blackjack")]
    assert [(back.stake_cents, back.why) for back in lost.of(WagerReturned)] == [(1000, "dealer's blackjack")]
    assert doubled.then("9c").net() == 2000
    split = played(original, "8h Ad 8s no split 3c 3d double Kc double Kd")  # two hands of 21, doubled
    assert split.then("Kc").net() == -1000
    assert split.then("9c").net() == 4000
    assert played(original, "Ah Td Ks Ac").net() == 0  # a blackjack is tied, as ever
    assert played(original, "Th Ad 9s insure=5.00 stand Kc").net() == -1000 + 1000


@pytest.mark.clause("21-1.26")
def test_bust_hands_with_added_wagers_wait_for_the_second_card() -> None:
    original = house("blackjack", ORIGINAL)
    doubled = played(original, "6h Td 6s double Kc")  # 22
    assert not doubled.over
    assert doubled.then("Ac").net() == -1000
    assert doubled.then("9c").net() == -2000
    split = played(original, "8h Td 8s split 7c 7d hit Kh hit Kd")  # both bust
    assert not split.over
    assert split.then("Ac").net() == -1000
    assert split.then("9c").net() == -2000
    assert played(original, "Th Td 6s hit Kc").over  # no wager was added, and the original one is lost
    assert played(original, "6h 9d 6s double Kc").over  # a 9 makes no blackjack


@pytest.mark.clause("21-1.26")
def test_what_wins_at_once_waits_for_the_second_card_too() -> None:
    original = house("spanish-21", {**ORIGINAL, "double.rescue": "original"})
    three_sevens = played(original, "7h Kd 7s hit 7d")
    assert not three_sevens.over
    assert three_sevens.then("Ac").net() == -1000
    assert three_sevens.then("9c").net() == 1500
    assert played(original, "7h 9d 7s hit 7d").net() == 1500  # at once
    assert played(original, "Ah Kd Ks").net() == 1500  # a blackjack is paid at once, and always wins
    rescued = played(original, "5h Kd 6s double 2c rescue")
    assert rescued.over  # the original wager is lost either way
    assert rescued.net() == -1000
    after_split = played(original, "8h Kd 8s split 3c 9c double 2c rescue stand")
    assert after_split.then("Ac").net() == -1000
    assert after_split.then("9c").net() == -1000 - 1000  # 17 against 19
    charlie = house("blackjack", {**ORIGINAL, "charlie": 5})
    five = played(charlie, "2h Td 3s hit 2c hit 4c hit 5h")
    assert five.then("Ac").net() == -1000
    won = five.then("9c")
    assert won.net() == 1000
    assert [paid.why for paid in won.of(WagerPaid)] == ["Charlie"]


@pytest.mark.clause("21-1.26")
def test_surrenders_where_original_wagers_only_are_taken() -> None:
    late = house("blackjack", {**ORIGINAL, "surrender": "late"})
    assert played(late, "Th Td 6s surrender Ac").net() == -1000
    assert played(late, "Th Td 6s surrender 9c").net() == -500
    early = house("blackjack", {**ORIGINAL, "surrender": "early"})
    assert played(early, "Th Td 6s surrender").net() == -500
    any_cards = {"surrender_on": "any_cards", "surrender": "early"}
    with pytest.raises(MalformedInput, match="surrender early is for the first two cards where"):
        house("blackjack", {**ORIGINAL, **any_cards})
    with pytest.raises(MalformedInput, match="dealer_blackjack_takes original is for a table where nobody"):
        house("blackjack", {"dealer_blackjack_takes": "original"})


@pytest.mark.clause("21-1.27")
def test_pairs_that_are_never_split_or_only_once() -> None:
    limited = house("blackjack", {"split.never": [4, "5", "10"], "split.once": ["8"]})
    for cards in ("4h 9d 4s Kc", "5h 9d 5s Kc", "Th 9d Ks Kc"):
        refused = played(limited, cards)
        assert Action.SPLIT in played(BJ, cards).options
        assert Action.SPLIT not in refused.options
        assert refused.refusal(Action.SPLIT).clause == "21-1.27"
    eights = "8h 9d 8s Kc split 8c 3c"
    assert Action.SPLIT in played(BJ, eights).options
    assert played(limited, eights).refusal(Action.SPLIT).reason == "pairs of 8 may not be split again here"
    assert Action.SPLIT in played(limited, "9h 9d 9s Kc split 9c 3c").options
    aces = house("blackjack", {"split.once": "A", "split.resplit_aces": True, "split.hit_aces": True})
    again = played(aces, "Ah 9d As Kc split Ac 3c")
    assert again.refusal(Action.SPLIT).clause == "21-1.27"
    assert Action.SPLIT not in played(house("blackjack", {"split.never": ["A"]}), "Ah 9d As Kc").options


@pytest.mark.clause("21-1.27")
def test_what_is_named_is_the_value_of_a_pair() -> None:
    with pytest.raises(MalformedInput, match=r"split\.never"):
        house("blackjack", {"split.never": ["K"]})
    with pytest.raises(MalformedInput, match=r"split\.never and split\.once both name 8"):
        house("blackjack", {"split.never": ["8"], "split.once": ["8"]})
    said = {key: words for key, words, _ in house("blackjack", {"split.never": [10, 4]}).sentences()}
    assert said["split.never"] == "pairs of 4, 10 may not be split"
    assert house("blackjack", {"split.never": []}).canonical_text() == BJ.canonical_text()


@pytest.mark.clause("S21-4")
def test_a_bonus_for_the_first_three_cards_is_a_line_of_the_house() -> None:
    lines = [
        {"name": "21 on three cards", "when": {"number": 3}, "pays": "3:2"},
        {"name": "7-7-7 on three cards", "when": {"ranks": ["7", "7", "7"]}, "pays": "5:1"},
    ]
    three = house("blackjack", {"bonus_21.lines": lines})
    assert played(three, "5h 9d 6s Kc hit Kh stand").net() == 1500
    assert played(three, "7h 9d 7s Kc hit 7d stand").net() == 5000
    assert played(three, "2h 9d 6s Kc hit 3h hit Kh stand").net() == 1000  # 21 on four cards
    assert played(three, "5h 9d 6s Kc double Kh").net() == 2000  # no bonus on a doubled hand


SHOWN = {"hole_card": "shown", "insurance.offered": False, "insurance.even_money": False}


@pytest.mark.clause("21-1.21")
def test_both_of_the_dealers_cards_lie_open_before_anybody_plays() -> None:
    dealt = played(house("blackjack", SHOWN), "Th 9d 8s Kc")
    seen = view(dealt.state, 1)
    assert seen.dealer == parse_cards("9d Kc")
    assert dealt.options == (Action.STAND, Action.HIT, Action.DOUBLE)
    assert played(BJ, "Th 9d 8s Kc").of(CardTurned)[-1].card == parse_card("9d")
    assert dealt.then("stand").net() == -1000  # 18 against 19, and no card is turned any more
    assert tuple(turned.card for turned in dealt.then("stand").of(CardTurned)) == parse_cards("9d Kc")


@pytest.mark.clause("21-1.21")
def test_a_dealers_blackjack_that_all_see_ends_the_round_without_a_look() -> None:
    shown = house("blackjack", SHOWN)
    for cards in ("Th Ad 9s Kc", "Th Kd 9s Ac"):
        lost = played(shown, cards)
        assert lost.over
        assert lost.net() == -1000
        assert lost.of(DealerLooked) == []
    assert played(shown, "Ah Kd Ks Ac").net() == 0
    assert played(house("blackjack", {**SHOWN, "blackjack_always_wins": True}), "Ah Kd Ks Ac").net() == 1500
    assert played(shown, "Ah Kd Ks 9c").net() == 1500
    late = house("blackjack", {**SHOWN, "surrender": "late"})
    assert played(late, "Th Kd 6s Tc surrender").net() == -500


@pytest.mark.clause("21-1.21")
@pytest.mark.parametrize("key", ["insurance.offered", "super_bonus.offered"])
def test_what_makes_no_sense_where_all_see_both_cards(key: str) -> None:
    with pytest.raises(MalformedInput, match=f"{key} is to be false where both dealer's cards are shown"):
        house("blackjack", {**SHOWN, key: True})


@pytest.mark.clause("21-1.22")
def test_a_tie_loses_where_the_house_says_so() -> None:
    ties = house("blackjack", {"ties_lose": True})
    assert played(BJ, "Th 9d 9s Kc stand").net() == 0
    lost = played(ties, "Th 9d 9s Kc stand")
    assert lost.net() == -1000
    assert [taken.why for taken in lost.of(WagerTaken)] == ["tie"]
    assert played(ties, "Th 9d 8s Kc stand").of(WagerTaken)[0].why == "lower total"
    assert played(ties, "Ah Kd Ks Ac").net() == 0  # two blackjacks
    assert played(ties, "5h 9d 6s Kc double 8c").net() == -2000
    pushing = house("blackjack", {"ties_lose": True, "dealer_22_pushes": True})
    assert played(pushing, "Th 6d 9s 6c stand Tc").net() == 0  # a 22 is no tie


DIAMONDS = {
    "name": "a blackjack of diamonds",
    "when": {"blackjack": True, "every": {"suits": ["diamonds"]}},
    "pays": "2:1",
}


@pytest.mark.clause("21-1.23")
def test_a_line_may_pay_some_blackjacks_otherwise() -> None:
    by_suit = house("blackjack", {"blackjack_pays": "1:1", "bonus_21.lines": [DIAMONDS]})
    assert played(by_suit, "Ad 6c Kd 9c").net() == 2000
    assert played(by_suit, "Ad 6c Kh 9c").net() == 1000
    assert played(by_suit, "Ad As Kd Ks no").net() == 0  # tied
    # After a split it is a 21, and no blackjack.
    split = played(by_suit, "Ad 6c As 9c split Kd 9h Kc")
    assert split.net() == 1000 + 1000
    # A line on other 21s is not on blackjacks.
    two_cards = {"name": "two cards", "when": {"number": 2}, "pays": "3:1"}
    assert played(house("blackjack", {"bonus_21.lines": [two_cards]}), "Ad 6c Kd 9c").net() == 1500


@pytest.mark.clause("21-1.24")
def test_a_bonus_21_may_win_at_once() -> None:
    five = {"bonus_21.five_cards": "2:1"}
    drawn = "2h Td 3s 9c hit 2c hit 4c hit Kh"  # 21 of five cards
    compared = played(house("blackjack", five), drawn)
    assert Action.STAND in compared.options
    at_once = house("blackjack", {**five, "bonus_21.win_at_once": True})
    paid = played(at_once, drawn)
    assert paid.over
    assert paid.net() == 2000
    assert [each.why for each in paid.of(WagerPaid)] == ["five cards"]
    assert played(at_once, "2h Td 3s 9c hit 6c hit Kc").options != ()  # four cards are compared
    assert played(at_once, "2h Td 3s Ac").over is True  # the dealer's blackjack comes first


@pytest.mark.clause("21-1.25")
def test_a_surrender_on_any_cards_and_after_a_split() -> None:
    any_cards = house("blackjack", {"surrender": "late", "surrender_on": "any_cards"})
    three = played(any_cards, "Th 9d 2s Kc hit 4c")
    assert Action.SURRENDER in three.options
    assert three.then("surrender").net() == -500
    split = played(any_cards, "8h 9d 8s Kc split 7c 3c")
    assert split.then("surrender stand").net() == -500 - 1000
    redoubling = house("spanish-21", {"surrender": "late", "surrender_on": "any_cards"})
    doubled = played(redoubling, "4h 9d 6s Kc double 2c")
    assert doubled.refusal(Action.SURRENDER).reason == "no surrender after a double"
    first = house("blackjack", {"surrender": "late"})
    assert played(first, "Th 9d 2s Kc hit 4c").refusal(Action.SURRENDER).clause == "BJ-5"
