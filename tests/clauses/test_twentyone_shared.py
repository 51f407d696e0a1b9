"""What the three games of the blackjack family share, clause by clause (21)."""

from __future__ import annotations

import pytest

from cardroom.core.cards import parse_cards
from cardroom.engine import twentyone
from cardroom.engine.twentyone import (
    Action,
    CardDealt,
    CardTurned,
    DealerLooked,
    Insure,
    SpotWager,
    Status,
    WagerPaid,
    WagerReturned,
    WagerTaken,
)
from cardroom.rules.twentyone import law
from tests.twentyone import GAMES, ann, card, house, played

BJ = house("blackjack")


@pytest.mark.clause("21-1.1")
@pytest.mark.parametrize(
    ("cards", "total", "soft"),
    [
        ("2c3d", 5, False),
        ("Th9c", 19, False),
        ("JhQc", 20, False),
        ("Kc7d4h", 21, False),
        ("Ah7c", 18, True),
        ("AhKc", 21, True),
        ("AhAc", 12, True),
        ("AhAc9d", 21, True),
        ("AhAcTd", 12, False),
        ("Ah7c5d", 13, False),
        ("AhAcAdAs", 14, True),
        ("Kc7d5h", 22, False),
        ("KcQdAh", 21, False),
    ],
)
def test_worth_of_a_hand(cards: str, total: int, soft: bool) -> None:
    assert law.total_of(parse_cards(cards)) == (total, soft)
    running = (0, False)
    for each in parse_cards(cards):
        running = law.add_card(*running, each.value)
    assert running == (total, soft)


@pytest.mark.clause("21-1.1")
def test_over_21_is_a_bust() -> None:
    round_ = played(BJ, "Kh 6d 6s 9c hit Tc")
    assert round_.of(WagerTaken) == [WagerTaken(1, "Ann", "primary", 1, 1000, "bust")]


@pytest.mark.clause("21-1.2")
def test_a_blackjack_outranks_every_other_21() -> None:
    # Ann's blackjack is paid before the dealer's three-card 21; Bob's 21 of three cards only pushes with it.
    both = played(BJ, "Ah 7h 7d Kc 7c 7s hit 7d stand 7h", [*ann(), SpotWager(2, "Bob", 1000)])
    assert both.net("Ann") == 1500
    assert both.net("Bob") == 0


@pytest.mark.clause("21-1.2")
def test_ace_and_ten_after_a_split_is_21_not_blackjack() -> None:
    round_ = played(BJ, "Ah 6d As Tc split Kc 5h 5c")
    assert round_.cards() == ["AhKc", "As5h"]
    # The dealer's 21 (6-T-5) only pushes with it; a blackjack would have won 3 to 2.
    assert [(e.hand, e.stake_cents) for e in round_.of(WagerReturned)] == [(1, 1000)]
    assert [(e.hand, e.why) for e in round_.of(WagerTaken)] == [(2, "lower total")]
    assert round_.net() == -1000


@pytest.mark.clause("21-1.3")
@pytest.mark.parametrize("game", GAMES)
def test_two_cards_each_one_of_the_dealers_face_down(game: str) -> None:
    round_ = played(house(game), "9h 8c 7d 5h 6s 9c", [*ann(), SpotWager(4, "Bob", 1000)])
    assert [(e.spot, e.card) for e in round_.of(CardDealt)] == [
        (1, card("9h")),
        (4, card("8c")),
        (None, None),
        (1, card("5h")),
        (4, card("6s")),
        (None, None),
    ]
    assert round_.of(CardTurned) == [CardTurned(1, card("7d"))]
    assert twentyone.view(round_.state, 1).dealer == (card("7d"), None)


@pytest.mark.clause("21-1.4", "21-1.10")
@pytest.mark.parametrize(
    ("moves", "net"),
    [
        ("Kh 7d 9s Kc stand", 1000),  # 19 outscores 17
        ("Kh 7d 7s Kc stand", 0),  # 17 pushes with 17
        ("Kh 8d 7s Kc stand", -1000),  # 17 against 18
        ("Kh 6d 2s Kc stand Qc", 1000),  # 12, but the dealer busts with 26
        ("Kh 6d 6s Kc hit Qc", -1000),  # the player busts first and has lost, whatever the dealer would draw
    ],
)
@pytest.mark.parametrize("game", GAMES)
def test_beating_the_dealer(game: str, moves: str, net: int) -> None:
    round_ = played(house(game), moves)
    assert round_.over
    assert round_.net() == net


@pytest.mark.clause("21-1.5")
def test_play_begins_at_first_base_and_goes_hand_by_hand() -> None:
    wagers = [SpotWager(6, "Cid", 1000), SpotWager(2, "Ann", 1000), SpotWager(3, "Bob", 1000)]
    round_ = played(BJ, "8h 9c 4d 7d 8s 6s 5d 9h", wagers)
    turns = [round_.turn]
    for moves in ("split 3c 2c", "stand", "stand", "stand"):
        round_ = round_.then(moves)
        turns.append(round_.turn)
    assert turns == [(2, 1), (2, 1), (2, 2), (3, 1), (6, 1)]


@pytest.mark.clause("21-1.6")
def test_stand_takes_no_card() -> None:
    round_ = played(BJ, "Kh 7d 5s Kc stand")
    assert round_.cards() == ["Kh5s"]
    assert round_.over


@pytest.mark.clause("21-1.6")
def test_hits_go_on_until_the_player_stands_or_busts() -> None:
    round_ = played(BJ, "2h 7d 3s Kc hit 4c hit 5c hit 4d")
    assert round_.turn == (1, 1)
    bust = round_.then("hit 9c")
    assert bust.over
    assert bust.net() == -1000


@pytest.mark.clause("21-1.6")
def test_a_bust_loses_even_if_the_dealer_would_bust() -> None:
    round_ = played(BJ, "Kh Kc 6d 6s 9c 6c hit Tc stand Kd", [*ann(), SpotWager(2, "Bob", 1000)])
    assert round_.net("Ann") == -1000
    assert round_.net("Bob") == 1000


@pytest.mark.clause("21-1.6")
def test_double_adds_a_wager_and_takes_one_card() -> None:
    round_ = played(BJ, "6h 6d 5s Kc double 9c 9d")
    assert round_.over
    assert round_.cards() == ["6h5s9c"]
    assert round_.net() == 2000


@pytest.mark.clause("21-1.6")
def test_surrender_gives_up_half_where_the_house_allows_it() -> None:
    late = house("blackjack", {"surrender": "late"})
    round_ = played(late, "Kh 9d 6s Kc surrender")
    assert round_.net() == -500
    assert round_.of(WagerTaken) == [WagerTaken(1, "Ann", "primary", 1, 500, "surrender")]
    assert round_.of(WagerReturned) == [WagerReturned(1, "Ann", "primary", 1, 500, "surrender")]
    after_hit = played(late, "2h 9d 6s Kc hit 2c")
    assert after_hit.refusal(Action.SURRENDER).clause == "BJ-5"


@pytest.mark.clause("21-1.7")
@pytest.mark.parametrize("game", GAMES)
def test_insurance_is_offered_with_an_ace_up_only(game: str) -> None:
    assert played(house(game), "Kh Ad 8s 7c").options == (twentyone.DeclineInsurance(), Insure(500))
    king_up = played(house(game), "Kh Kd 8s 7c")
    assert king_up.options[0] is Action.STAND
    assert king_up.refusal(Insure(500)).clause == "PROC-10"
    assert twentyone.DeclineInsurance() not in played(house(game), "Kh 9d 8s Ac").options


@pytest.mark.clause("21-1.7")
def test_insurance_is_at_most_half_and_pays_2_to_1() -> None:
    round_ = played(BJ, "Kh Ad 8s Kc")
    assert round_.refusal(Insure(501)).clause == "21-1.7"
    assert round_.refusal(Insure(0)).clause == "21-1.7"
    insured = round_.then("insure=5.00")
    paid = insured.of(WagerPaid)
    assert [(e.wager, e.stake_cents, e.payment_cents) for e in paid] == [("insurance", 500, 1000)]
    assert insured.net() == 0
    assert round_.then("insure=2.00").net() == -600
    assert round_.then("no").net() == -1000


@pytest.mark.clause("21-1.7")
def test_no_insurance_where_the_house_has_none() -> None:
    round_ = played(house("blackjack", {"insurance.offered": False}), "Kh Ad 8s 7c")
    assert round_.options[0] is Action.STAND


@pytest.mark.clause("21-1.8")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("up", ["Jd", "Qd", "Kd"])
def test_the_look_under_a_ten_valued_card(game: str, up: str) -> None:
    with_ace = played(house(game), f"9h {up} 8s Ac")
    assert with_ace.of(DealerLooked) == [DealerLooked(True)]
    assert with_ace.over
    assert with_ace.net() == -1000
    without = played(house(game), f"9h {up} 8s 9c")
    assert without.of(DealerLooked) == [DealerLooked(False)]
    assert without.turn == (1, 1)


@pytest.mark.clause("21-1.8")
def test_the_look_comes_after_insurance_and_only_where_it_can_matter() -> None:
    ace = played(BJ, "9h Ad 8s 5c")
    assert ace.of(DealerLooked) == []
    assert ace.then("no").of(DealerLooked) == [DealerLooked(False)]
    assert played(BJ, "9h 9d 8s Ac").of(DealerLooked) == []
    assert played(BJ, "9h Td 8s Ac").of(DealerLooked) == [DealerLooked(True)]


@pytest.mark.clause("21-1.9")
def test_the_dealer_draws_to_17_after_the_last_spot() -> None:
    round_ = played(BJ, "Kh 2d 8s 3c stand")
    assert round_.of(CardTurned)[-1] == CardTurned(2, card("3c"))
    assert not round_.then("Td").over  # 15
    assert not round_.then("Td Ac").over  # 16, the ace counting 1
    assert round_.then("Td Ac Ad").over  # 17
    assert round_.then("Td 2c").over  # 17


@pytest.mark.clause("21-1.9")
def test_soft_17_is_a_house_option() -> None:
    hits = played(house("blackjack", {"dealer_hits_soft_17": True}), "Kh 6d 8s Ac stand")
    assert not hits.over
    assert hits.then("Kd").over  # hard 17
    stands = played(house("blackjack", {"dealer_hits_soft_17": False}), "Kh 6d 8s Ac stand")
    assert stands.over
    assert stands.net() == 1000
    assert played(BJ, "Kh 7d 8s Ac stand").over  # soft 18


@pytest.mark.clause("21-1.9")
def test_the_dealer_does_not_draw_when_every_hand_is_decided() -> None:
    round_ = played(BJ, "Kh 2d 8s 3c hit 9c")
    assert round_.over
    assert round_.of(CardTurned)[-1] == CardTurned(2, card("3c"))
    assert len(round_.state.dealer) == 2


@pytest.mark.clause("21-1.11")
@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_the_number_of_hands_is_a_house_option(most: int) -> None:
    round_ = played(house("blackjack", {"split.max_hands": most}), "8h 6d 8s Tc")
    for hands in range(1, most):
        assert Action.SPLIT in round_.options
        round_ = round_.then("split 8c 8d")
        assert len(round_.cards()) == hands + 1
    assert Action.SPLIT not in round_.options
    assert round_.refusal(Action.SPLIT).clause == "21-1.11"


@pytest.mark.clause("21-1.12")
def test_hands_without_a_decision_pass_without_being_asked() -> None:
    wagers = [SpotWager(spot, name, 1000) for spot, name in enumerate(("Ann", "Bob", "Cid"), start=1)]
    # Ann's aces get one card each; Bob doubles, his only one; Cid is asked.
    round_ = played(BJ, "Ah 6c 9d 6d As 5c 9s Tc", wagers)
    round_ = round_.then("split 9h 8h")
    assert round_.turn == (2, 1)
    round_ = round_.then("double 2c")
    assert round_.turn == (3, 1)
    # A 21 that the game pays at once passes; in Blackjack a 21 is the player's to play.
    assert played(house("spanish-21"), "6h 6d 5s Kc hit Qh").over
    assert played(BJ, "6h 6d 5s Kc hit Qh").options == (Action.STAND, Action.HIT)
    bust = played(BJ, "Kh 9c 6d 6s 9s Kc hit 9d", [*ann(), SpotWager(2, "Bob", 1000)])
    assert bust.turn == (2, 1)
    assert bust.state.spots[0].hands[0].status is Status.LOST


@pytest.mark.clause("21-1.14")
def test_odd_amounts_are_taken_down_to_the_cent() -> None:
    rules = house("blackjack", {"surrender": "late"})
    assert played(rules, "Ah 9d Ks 5c", ann(500)).net() == 750
    assert played(rules, "Kh 9d 6s 5c surrender", ann(500)).net() == -250
    assert played(rules, "Kh Ad 8s 7c", ann(500)).options[1] == Insure(250)
    cents = house("blackjack", {"blackjack_pays": "6:5", "limits.chip": "0.01"})
    assert played(cents, "Ah 9d Ks 5c", ann(333)).net() == 399  # 3.996 down to the cent
    assert played(house("blackjack", {"limits.chip": "0.01"}), "Ah 9d Ks 5c", ann(333)).net() == 499


@pytest.mark.clause("21-1.14")
def test_odd_amounts_are_taken_down_to_the_chip_where_the_house_says_so() -> None:
    rules = house("blackjack", {"surrender": "late", "rounding": "chip"})
    assert played(rules, "Ah 9d Ks 5c", ann(500)).net() == 700
    assert played(rules, "Kh 9d 6s 5c surrender", ann(500)).net() == -300  # 2.50 returned down to 2.00
    assert played(rules, "Kh Ad 8s 7c", ann(500)).options[1] == Insure(200)
    # Half of one chip is no chip: nothing to offer.
    assert played(rules, "Kh Ad 8s 7c", ann(100)).options[0] is Action.STAND


@pytest.mark.clause("21-1.14")
def test_wagers_are_whole_chips() -> None:
    refusal = twentyone.why_not_start(BJ, ann(450))
    assert refusal is not None
    assert refusal.clause == "21-1.14"
    assert twentyone.why_not_start(house("blackjack", {"limits.chip": "0.50"}), ann(450)) is None
    insurance = played(BJ, "Kh Ad 8s 7c", ann(500))
    assert insurance.refusal(Insure(150)).clause == "21-1.14"
    assert (
        twentyone.why_not(insurance.state, Insure(250)) is None
    )  # the most there is, though not whole chips
    assert twentyone.why_not(insurance.state, Insure(100)) is None
