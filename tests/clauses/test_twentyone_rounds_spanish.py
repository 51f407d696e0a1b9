"""Whole rounds of Spanish 21 at the $4 card room: every event and every cent, in order."""

from __future__ import annotations

import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.odds import Odds
from cardroom.engine.twentyone import (
    Action,
    ActionTaken,
    CardDealt,
    CardsPickedUp,
    CardTurned,
    DealerLooked,
    DeclineInsurance,
    DiscardsShuffled,
    InsuranceClosed,
    InsuranceOpened,
    Insure,
    RoundEnded,
    ShoeRanOut,
    SpotWager,
    WagerAdded,
    WagerPaid,
    WagerPlaced,
    WagersChecked,
    WagerTaken,
    balance,
)
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.twentyone import card, played

CARD_ROOM = load_rules_as(TwentyOneRules, "spanish-21")


@pytest.mark.clause("S21-2", "S21-9", "PROC-11")
def test_paid_blackjacks_and_insurance_against_a_dealers_blackjack() -> None:
    wagers = [
        SpotWager(1, "Ann", 400, {"match-the-dealer": 400}),
        SpotWager(3, "Bob", 400, {"match-the-dealer": 200}),
        SpotWager(4, "Cid", 400),
        SpotWager(7, "Dot", 400, {"match-the-dealer": 300}),
    ]
    # Ann's and Bob's blackjacks are paid and not asked; Cid insures, Dot does not.
    round_ = played(CARD_ROOM, "As Kh 9c 2d Ad Jc Ah 8s 3d Qs insure=1.00 no", wagers)
    assert round_.events == (
        WagerPlaced(1, "Ann", "primary", 400),
        WagerPlaced(1, "Ann", "match-the-dealer", 400),
        WagerPlaced(3, "Bob", "primary", 400),
        WagerPlaced(3, "Bob", "match-the-dealer", 200),
        WagerPlaced(4, "Cid", "primary", 400),
        WagerPlaced(7, "Dot", "primary", 400),
        WagerPlaced(7, "Dot", "match-the-dealer", 300),
        WagersChecked(2500),
        CardDealt(1, 1, 1, card("As")),
        CardDealt(3, 1, 1, card("Kh")),
        CardDealt(4, 1, 1, card("9c")),
        CardDealt(7, 1, 1, card("2d")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("Jc")),
        CardDealt(3, 1, 2, card("Ah")),
        CardDealt(4, 1, 2, card("8s")),
        CardDealt(7, 1, 2, card("3d")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("Ad")),
        WagerTaken(7, "Dot", "match-the-dealer", 1, 300, "no line"),
        WagerPaid(3, "Bob", "match-the-dealer", 1, 200, 800, Odds(4), "one unsuited"),
        WagerPaid(1, "Ann", "match-the-dealer", 1, 400, 1600, Odds(4), "one unsuited"),
        WagerPaid(3, "Bob", "primary", 1, 400, 600, Odds(3, 2), "blackjack"),
        WagerPaid(1, "Ann", "primary", 1, 400, 600, Odds(3, 2), "blackjack"),
        InsuranceOpened(),
        ActionTaken(4, "Cid", 1, Insure(100)),
        WagerPlaced(4, "Cid", "insurance", 100),
        ActionTaken(7, "Dot", 1, DeclineInsurance()),
        InsuranceClosed(),
        DealerLooked(True),
        CardTurned(2, card("Qs")),
        WagerTaken(7, "Dot", "primary", 1, 400, "dealer's blackjack"),
        WagerTaken(4, "Cid", "primary", 1, 400, "dealer's blackjack"),
        WagerPaid(4, "Cid", "insurance", 1, 100, 200, Odds(2), "blackjack"),
        CardsPickedUp(None, 1, parse_cards("AdQs")),
        CardsPickedUp(7, 1, parse_cards("2d3d")),
        CardsPickedUp(4, 1, parse_cards("9c8s")),
        CardsPickedUp(3, 1, parse_cards("KhAh")),
        CardsPickedUp(1, 1, parse_cards("AsJc")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 2200, "Bob": 1400, "Cid": -200, "Dot": -700}


@pytest.mark.clause("S21-3", "S21-4", "S21-7", "PROC-13")
def test_a_redouble_sevens_and_six_seven_eight_of_spades() -> None:
    wagers = [SpotWager(1, "Ann", 400), SpotWager(2, "Bob", 400), SpotWager(3, "Cid", 400)]
    round_ = played(CARD_ROOM, "6s 7h 6s 4d 5s 7s 7s Kc double 2h double 7c hit 7c hit 8s 5h", wagers)
    assert round_.events == (
        WagerPlaced(1, "Ann", "primary", 400),
        WagerPlaced(2, "Bob", "primary", 400),
        WagerPlaced(3, "Cid", "primary", 400),
        WagersChecked(1200),
        CardDealt(1, 1, 1, card("6s")),
        CardDealt(2, 1, 1, card("7h")),
        CardDealt(3, 1, 1, card("6s")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("5s")),
        CardDealt(2, 1, 2, card("7s")),
        CardDealt(3, 1, 2, card("7s")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("4d")),
        ActionTaken(1, "Ann", 1, Action.DOUBLE),
        WagerAdded(1, "Ann", 1, 400, "beside the original"),
        CardDealt(1, 1, 3, card("2h"), sideways=True),
        ActionTaken(1, "Ann", 1, Action.DOUBLE),
        WagerAdded(1, "Ann", 1, 800, "beside the original"),
        CardDealt(1, 1, 4, card("7c"), sideways=True),
        ActionTaken(2, "Bob", 1, Action.HIT),
        CardDealt(2, 1, 3, card("7c")),
        WagerPaid(2, "Bob", "primary", 1, 400, 600, Odds(3, 2), "three sevens mixed"),
        ActionTaken(3, "Cid", 1, Action.HIT),
        CardDealt(3, 1, 3, card("8s")),
        WagerPaid(3, "Cid", "primary", 1, 400, 1200, Odds(3), "six seven eight named"),
        CardTurned(2, card("Kc")),
        CardDealt(None, 1, 3, card("5h")),
        WagerPaid(1, "Ann", "primary", 1, 1600, 1600, Odds(1), "higher total"),
        CardsPickedUp(None, 1, parse_cards("4dKc5h")),
        CardsPickedUp(3, 1, parse_cards("6s7s8s")),
        CardsPickedUp(2, 1, parse_cards("7h7s7c")),
        CardsPickedUp(1, 1, parse_cards("6s5s2h7c")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 1600, "Bob": 600, "Cid": 1200}
    assert balance(round_.events).house_cents == -3400


@pytest.mark.clause("21-1.13", "S21-3", "S21-5")
def test_a_shoe_that_ends_in_the_middle_of_a_split() -> None:
    round_ = played(
        CARD_ROOM,
        "8h 6d 8s 9c split 3c Kd double Jh stand 5s",
        [SpotWager(1, "Ann", 400)],
        shoe="8h6d8s9c3c",
        discards="KdJh5s9h2c",
    )
    assert round_.events == (
        WagerPlaced(1, "Ann", "primary", 400),
        WagersChecked(400),
        CardDealt(1, 1, 1, card("8h")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("8s")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("6d")),
        ActionTaken(1, "Ann", 1, Action.SPLIT),
        WagerAdded(1, "Ann", 2, 400, "with its hand"),
        CardDealt(1, 1, 2, card("3c")),
        ShoeRanOut(),
        DiscardsShuffled(5),
        CardDealt(1, 2, 2, card("Kd")),
        ActionTaken(1, "Ann", 1, Action.DOUBLE),
        WagerAdded(1, "Ann", 1, 400, "beside the original"),
        CardDealt(1, 1, 3, card("Jh"), sideways=True),
        WagerPaid(1, "Ann", "primary", 1, 800, 800, Odds(1), "21"),
        ActionTaken(1, "Ann", 2, Action.STAND),
        CardTurned(2, card("9c")),
        CardDealt(None, 1, 3, card("5s")),
        WagerTaken(1, "Ann", "primary", 2, 400, "lower total"),
        CardsPickedUp(None, 1, parse_cards("6d9c5s")),
        CardsPickedUp(1, 2, parse_cards("8sKd")),
        CardsPickedUp(1, 1, parse_cards("8h3cJh")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 400}
    assert round_.state.left == 2
