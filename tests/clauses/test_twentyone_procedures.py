"""The dealer's procedures of a round, clause by clause (PROC-2 and PROC-8 to PROC-17)."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from cardroom.cli.twentyone.screen import table_of
from cardroom.core.errors import IllegalAction, MalformedInput
from cardroom.engine.twentyone import (
    Action,
    ActionTaken,
    CardDealt,
    CardsPickedUp,
    CardTurned,
    ChangeWager,
    DealerLooked,
    DeclineInsurance,
    DoubleFaceDown,
    DoubleFor,
    EvenMoney,
    InsuranceClosed,
    InsuranceOpened,
    Insure,
    RoundEnded,
    SpotWager,
    WagerAdded,
    WagerBetweenPlayers,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
    WagersChecked,
    WagerTaken,
    chips_of,
    paid_in_chips,
    parse_action,
    step,
    view,
    why_not_start,
)
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone.sentences import sentence
from cardroom.web.live.twentyone_view import round_view
from tests.twentyone import ann, card, house, played

BJ = house("blackjack")
PE21 = house("players-edge-21")
THREE = [SpotWager(1, "Ann", 1000), SpotWager(2, "Bob", 2000), SpotWager(3, "Cid", 3000)]


@pytest.mark.clause("PROC-2")
@pytest.mark.parametrize(
    ("game", "allowed", "refused"),
    [
        ("blackjack", [400], [300, 500, 0, -400]),
        ("spanish-21", [400], [300, 500]),
        ("players-edge-21", [300, 1000, 50_000], [200, 50_100]),
    ],
)
def test_limits_of_the_table(game: str, allowed: list[int], refused: list[int]) -> None:
    rules = load_rules_as(TwentyOneRules, game)
    for stake in allowed:
        assert why_not_start(rules, ann(stake)) is None
    for stake in refused:
        refusal = why_not_start(rules, ann(stake))
        assert refusal is not None
        assert refusal.clause == "PROC-2"


@pytest.mark.clause("PROC-8")
def test_the_deal_goes_left_to_right_twice_and_the_first_dealer_card_is_turned_up() -> None:
    round_ = played(BJ, "2h 3h 4h 5h 6h 7h 8h 9h", THREE[::-1])
    dealt = [e for e in round_.events if isinstance(e, CardDealt | CardTurned)]
    assert dealt == [
        CardDealt(1, 1, 1, card("2h")),
        CardDealt(2, 1, 1, card("3h")),
        CardDealt(3, 1, 1, card("4h")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("6h")),
        CardDealt(2, 1, 2, card("7h")),
        CardDealt(3, 1, 2, card("8h")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("5h")),
    ]
    before = played(BJ, "2h 3h 4h 5h 6h", THREE)
    assert view(before.state, 1).dealer == (None,)


@pytest.mark.clause("PROC-9")
def test_wagers_are_placed_and_checked_before_the_first_card_and_none_changes_after() -> None:
    side = {"21+3": 200}
    round_ = played(BJ, "9h", [SpotWager(1, "Ann", 1000, side), SpotWager(2, "Bob", 2000)])
    assert round_.events == (
        WagerPlaced(1, "Ann", "primary", 1000),
        WagerPlaced(1, "Ann", "21+3", 200),
        WagerPlaced(2, "Bob", "primary", 2000),
        WagersChecked(3200),
        CardDealt(1, 1, 1, card("9h")),
    )
    for moves in ("", "8h 7d", "8h 7d 9s 8s 7c", "8h 7d 9s 8s 7c stand"):
        later = round_.then(moves)
        for change in (
            ChangeWager("primary", 2000),
            ChangeWager("21+3", 0),
            ChangeWager("primary", 9),
        ):
            assert later.refusal(change).clause == "PROC-9"
            with pytest.raises(IllegalAction):
                step(later.state, change)


@pytest.mark.clause("PROC-10")
def test_insurance_goes_left_to_right_then_is_closed_then_the_look() -> None:
    round_ = played(BJ, "9h 8h 7h Ad 9s 8s 7s 6c", THREE)
    assert round_.events[-1] == InsuranceOpened()
    order = [round_.turn]
    for answer in ("no", "insure=5.00"):
        round_ = round_.then(answer)
        order.append(round_.turn)
    assert order == [(1, 1), (2, 1), (3, 1)]
    assert round_.refusal(Action.HIT).clause == "PROC-10"
    before = len(round_.events)
    round_ = round_.then("insure=15.00")
    assert [type(e) for e in round_.events[before:]] == [
        ActionTaken,
        WagerPlaced,
        InsuranceClosed,
        DealerLooked,
        WagerTaken,
        WagerTaken,
    ]
    assert round_.refusal(Insure(100)).clause == "PROC-10"
    assert round_.refusal(DeclineInsurance()).clause == "PROC-10"


@pytest.mark.clause("PROC-11")
def test_on_a_dealers_blackjack_losing_wagers_go_first_then_insurance_is_paid() -> None:
    round_ = played(BJ, "9h Ah 7h Ad 9s Ks 7s Kc insure=5.00 insure=10.00 insure=3.00", THREE)
    after = round_.events[round_.events.index(DealerLooked(True)) + 1 :]
    money = [e for e in after if isinstance(e, WagerTaken | WagerPaid | WagerReturned)]
    assert [(type(e).__name__, e.spot, e.wager, e.stake_cents) for e in money] == [
        ("WagerTaken", 3, "primary", 3000),
        ("WagerTaken", 1, "primary", 1000),
        ("WagerPaid", 3, "insurance", 300),
        ("WagerPaid", 2, "insurance", 1000),
        ("WagerReturned", 2, "primary", 2000),
        ("WagerPaid", 1, "insurance", 500),
    ]
    assert [round_.net(player) for player in ("Ann", "Bob", "Cid")] == [0, 2000, -2400]


@pytest.mark.clause("PROC-11")
def test_without_a_blackjack_insurance_is_taken_right_to_left_and_play_starts_at_first_base() -> None:
    round_ = played(BJ, "9h 8h 7h Ad 9s 8s 7s 6c insure=5.00 no insure=3.00", THREE)
    assert [(e.spot, e.wager, e.stake_cents) for e in round_.of(WagerTaken)] == [
        (3, "insurance", 300),
        (1, "insurance", 500),
    ]
    assert round_.turn == (1, 1)


@pytest.mark.clause("PROC-12")
def test_wagers_are_taken_before_cards_and_cards_go_from_the_dealers_own_right_to_left() -> None:
    # Spot 1 splits; spot 2 busts in its turn; spot 3 stands and loses.
    round_ = played(BJ, "8h Kh 9h Ad 8s 6s 7h 7c no no no split 2c 3c stand stand hit Qc stand", THREE)
    assert round_.over
    tail = round_.events[-9:]
    assert tail == (
        CardTurned(2, card("7c")),
        WagerTaken(3, "Cid", "primary", 1, 3000, "lower total"),
        WagerTaken(1, "Ann", "primary", 2, 1000, "lower total"),
        WagerTaken(1, "Ann", "primary", 1, 1000, "lower total"),
        CardsPickedUp(None, 1, (card("Ad"), card("7c"))),
        CardsPickedUp(3, 1, (card("9h"), card("7h"))),
        CardsPickedUp(1, 2, (card("8s"), card("3c"))),
        CardsPickedUp(1, 1, (card("8h"), card("2c"))),
        RoundEnded(),
    )
    bust = round_.events.index(WagerTaken(2, "Bob", "primary", 1, 2000, "bust"))
    assert round_.events[bust + 1] == CardsPickedUp(2, 1, (card("Kh"), card("6s"), card("Qc")))


@pytest.mark.clause("PROC-12")
@pytest.mark.parametrize("moves", ["hit Kc", "surrender", "double 2c rescue"])
def test_lost_hands_stay_while_a_wager_on_the_hole_card_needs_them(moves: str) -> None:
    plain = played(PE21, f"Kh 9d 6s 8c {moves}")
    kinds = [type(e) for e in plain.events]
    assert kinds.index(CardsPickedUp) < len(kinds) - 1 - kinds[::-1].index(CardTurned)
    side = played(PE21, f"Kh 9d 6s 8c {moves}", ann(1000, {"match-up": 100, "match-down": 100}))
    assert [e.spot for e in side.of(CardsPickedUp)] == [None, 1]


@pytest.mark.clause("PROC-13")
def test_double_cards_lie_sideways_and_added_wagers_have_their_place() -> None:
    round_ = played(PE21, "2h 9d 2s 9c double 2c double 3c")
    assert [e.sideways for e in round_.of(CardDealt) if e.spot == 1] == [False, False, True, True]
    assert {e.stands for e in round_.of(WagerAdded)} == {"beside the original"}
    assert round_.state.spots[0].hands[0].sideways == 2
    split = played(BJ, "Ah 9d As 9c split 5c 6c")
    assert [e.sideways for e in split.of(CardDealt) if e.spot == 1] == [False, False, True, True]
    assert [(e.hand, e.stands) for e in split.of(WagerAdded)] == [(2, "with its hand")]
    # Where split aces may be hit, and with other pairs, the second card is not the last.
    assert not any(e.sideways for e in played(PE21, "Ah 9d As 9c split 5c 6c").of(CardDealt))
    assert not any(e.sideways for e in played(BJ, "8h 9d 8s 9c split 5c 6c").of(CardDealt))


@pytest.mark.clause("PROC-14")
def test_payments_come_in_the_wagers_own_denominations() -> None:
    round_ = played(BJ, "Ah 9d Ks 9c", ann(7500))
    (paid,) = round_.of(WagerPaid)
    assert paid.payment_cents == 11_250
    # Three $25 chips win four more, and what they do not make up in smaller ones; no $100 chip.
    assert paid.chips == ((2500, 4), (500, 2), (100, 2), (50, 1))
    assert chips_of(11_250) == ((10_000, 1), (500, 2), (100, 2), (50, 1))
    assert paid_in_chips(400, 400) == ((100, 4),)
    assert paid_in_chips(10, 75) == ((10, 7), (5, 1))
    for cents in range(0, 3000, 7):
        assert sum(value * number for value, number in chips_of(cents)) == cents


@pytest.mark.clause("PROC-15")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("hit", Action.HIT),
        ("  STAND ", Action.STAND),
        ("double", Action.DOUBLE),
        ("double for 10.00", DoubleFor(1000)),
        ("double face down", DoubleFaceDown()),
        ("insure 5", Insure(500)),
        ("insure $2.50", Insure(250)),
        ("no insurance", DeclineInsurance()),
        ("even  money", EvenMoney()),
        ("wager 5 with  Bob", WagerBetweenPlayers("Bob", 500)),
        ("Wager $20", ChangeWager("primary", 2000)),
        ("wager 0 on Match-Up", ChangeWager("match-up", 0)),
    ],
)
def test_clear_instructions(text: str, meant: object) -> None:
    assert parse_action(text) == meant


@pytest.mark.clause("PROC-15")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "s",
        "h",
        "sp",
        "hit stand",
        "maybe",
        "insure",
        "insure a bit",
        "double for",
        "double down?",
        "wager a lot",
    ],
)
def test_an_unclear_instruction_is_asked_again_never_guessed(text: str) -> None:
    with pytest.raises(MalformedInput, match="not clear; say stand, hit,") as error:
        parse_action(text)
    assert error.value.clause == "PROC-15"


@pytest.mark.clause("PROC-16")
def test_the_look_tells_whether_there_is_a_blackjack_and_no_more() -> None:
    for hole in ("2c", "9c", "Kc"):
        round_ = played(BJ, f"9h Kd 9s {hole}")
        assert round_.of(DealerLooked) == [DealerLooked(False)]
        assert view(round_.state, 1).dealer == (card("Kd"), None)
        assert all(card(hole) not in (getattr(e, "card", None),) for e in round_.events)


@pytest.mark.clause("PROC-16")
def test_every_card_dealt_ends_in_the_rack_once() -> None:
    round_ = played(PE21, "8h Kh 9h 6d 8s 6s 7h Kc split 2c 3c stand stand hit Qc stand 9c", THREE)
    rack = [each for e in round_.of(CardsPickedUp) for each in e.cards]
    assert sorted(rack) == sorted(round_.state.dealt)


@pytest.mark.clause("PROC-17")
def test_each_card_lies_to_the_left_of_the_last_on_terminal_and_page() -> None:
    round_ = played(BJ, "2h 6d 3s 9c hit 4c hit 5c stand Kd")
    seen = view(round_.state, 1)
    out = io.StringIO()
    Console(file=out, width=80).print(table_of(seen, "Ann", BJ))
    rows = [re.findall(r"[0-9AJQK]+[♣♦♥♠]", line) for line in out.getvalue().splitlines()]
    assert [cards for cards in rows if cards] == [["K♦", "9♣", "6♦"], ["5♣", "4♣", "3♠", "2♥"]]
    sent = round_view(seen, "Ann", round_.events, BJ)
    assert sent["dealer"] == ["Kd", "9c", "6d"]
    assert sent["spots"][0]["hands"][0]["cards"] == ["5c", "4c", "3s", "2h"]


@pytest.mark.clause("PROC-17")
def test_the_record_says_where_each_card_lies() -> None:
    round_ = played(BJ, "2h 6d 3s 9c hit 4c hit 5c stand Kd")
    said = [sentence(event) for event in round_.of(CardDealt)]
    assert said == [
        "spot 1: 2♥",
        "dealer: a card face down",
        "spot 1: 3♠, to the left",
        "dealer: a card face down, to the left",
        "spot 1: 4♣, to the left",
        "spot 1: 5♣, to the left",
        "dealer: K♦, to the left",
    ]
