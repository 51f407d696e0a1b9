"""Whole rounds of Blackjack at the $4 card room: every event and every cent, in order."""

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
    EvenMoney,
    InsuranceClosed,
    InsuranceOpened,
    Insure,
    RoundEnded,
    SpotWager,
    WagerAdded,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
    WagersChecked,
    WagerTaken,
    balance,
)
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.twentyone import card, played

CARD_ROOM = load_rules_as(TwentyOneRules, "blackjack")


@pytest.mark.clause("BJ-2", "PROC-10", "PROC-11", "SIDE-6")
def test_ace_up_without_a_blackjack_even_money_insurance_and_side_bets() -> None:
    wagers = [
        SpotWager(1, "Ann", 400, {"match-the-dealer": 200}),
        SpotWager(2, "Bob", 400, {"21+3": 300}),
        SpotWager(3, "Cid", 400),
    ]
    round_ = played(CARD_ROOM, "Ah Kd Tc Ac Ks Qh 6s 8d even insure=2.00 no stand hit 9h", wagers)
    assert round_.events == (
        WagerPlaced(1, "Ann", "primary", 400),
        WagerPlaced(1, "Ann", "match-the-dealer", 200),
        WagerPlaced(2, "Bob", "primary", 400),
        WagerPlaced(2, "Bob", "21+3", 300),
        WagerPlaced(3, "Cid", "primary", 400),
        WagersChecked(1700),
        CardDealt(1, 1, 1, card("Ah")),
        CardDealt(2, 1, 1, card("Kd")),
        CardDealt(3, 1, 1, card("Tc")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("Ks")),
        CardDealt(2, 1, 2, card("Qh")),
        CardDealt(3, 1, 2, card("6s")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("Ac")),
        WagerPaid(2, "Bob", "21+3", 1, 300, 3000, Odds(10), "straight"),
        WagerPaid(1, "Ann", "match-the-dealer", 1, 200, 800, Odds(4), "one unsuited"),
        InsuranceOpened(),
        ActionTaken(1, "Ann", 1, EvenMoney()),
        WagerPaid(1, "Ann", "primary", 1, 400, 400, Odds(1), "even money"),
        ActionTaken(2, "Bob", 1, Insure(200)),
        WagerPlaced(2, "Bob", "insurance", 200),
        ActionTaken(3, "Cid", 1, DeclineInsurance()),
        InsuranceClosed(),
        DealerLooked(False),
        WagerTaken(2, "Bob", "insurance", 1, 200, "no blackjack"),
        ActionTaken(2, "Bob", 1, Action.STAND),
        ActionTaken(3, "Cid", 1, Action.HIT),
        CardDealt(3, 1, 3, card("9h")),
        WagerTaken(3, "Cid", "primary", 1, 400, "bust"),
        CardsPickedUp(3, 1, parse_cards("Tc6s9h")),
        CardTurned(2, card("8d")),
        WagerPaid(2, "Bob", "primary", 1, 400, 400, Odds(1), "higher total"),
        CardsPickedUp(None, 1, parse_cards("Ac8d")),
        CardsPickedUp(2, 1, parse_cards("KdQh")),
        CardsPickedUp(1, 1, parse_cards("AhKs")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 1200, "Bob": 3200, "Cid": -400}
    assert balance(round_.events).house_cents == -4000


@pytest.mark.clause("BJ-2", "21-1.8", "PROC-11")
def test_a_dealers_blackjack_under_a_ten_ends_the_round() -> None:
    wagers = [
        SpotWager(2, "Ann", 400, {"21+3": 200, "match-the-dealer": 400}),
        SpotWager(5, "Bob", 400),
        SpotWager(6, "Ann", 400),
    ]
    round_ = played(CARD_ROOM, "Ts As 2h Td Tc Kh 9h Ad", wagers)
    assert round_.events == (
        WagerPlaced(2, "Ann", "primary", 400),
        WagerPlaced(2, "Ann", "21+3", 200),
        WagerPlaced(2, "Ann", "match-the-dealer", 400),
        WagerPlaced(5, "Bob", "primary", 400),
        WagerPlaced(6, "Ann", "primary", 400),
        WagersChecked(1800),
        CardDealt(2, 1, 1, card("Ts")),
        CardDealt(5, 1, 1, card("As")),
        CardDealt(6, 1, 1, card("2h")),
        CardDealt(None, 1, 1, None),
        CardDealt(2, 1, 2, card("Tc")),
        CardDealt(5, 1, 2, card("Kh")),
        CardDealt(6, 1, 2, card("9h")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("Td")),
        WagerPaid(2, "Ann", "21+3", 1, 200, 6600, Odds(33), "three of a kind"),
        WagerPaid(2, "Ann", "match-the-dealer", 1, 400, 3200, Odds(8), "two unsuited"),
        DealerLooked(True),
        CardTurned(2, card("Ad")),
        WagerTaken(6, "Ann", "primary", 1, 400, "dealer's blackjack"),
        WagerTaken(2, "Ann", "primary", 1, 400, "dealer's blackjack"),
        WagerReturned(5, "Bob", "primary", 1, 400, "push"),
        CardsPickedUp(None, 1, parse_cards("TdAd")),
        CardsPickedUp(6, 1, parse_cards("2h9h")),
        CardsPickedUp(5, 1, parse_cards("AsKh")),
        CardsPickedUp(2, 1, parse_cards("TsTc")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 9000, "Bob": 0}


@pytest.mark.clause("21-1.5", "21-1.11", "BJ-3", "BJ-4", "PROC-13")
def test_split_aces_and_split_tens_with_a_double_after_it() -> None:
    wagers = [SpotWager(1, "Ann", 400), SpotWager(2, "Bob", 400)]
    round_ = played(
        CARD_ROOM,
        "Ac Ts 6d Ad Jh 9c split Kc Ah split As 2c double 9d hit 9s stand 4h",
        wagers,
    )
    assert round_.events == (
        WagerPlaced(1, "Ann", "primary", 400),
        WagerPlaced(2, "Bob", "primary", 400),
        WagersChecked(800),
        CardDealt(1, 1, 1, card("Ac")),
        CardDealt(2, 1, 1, card("Ts")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("Ad")),
        CardDealt(2, 1, 2, card("Jh")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("6d")),
        ActionTaken(1, "Ann", 1, Action.SPLIT),
        WagerAdded(1, "Ann", 2, 400, "with its hand"),
        CardDealt(1, 1, 2, card("Kc"), sideways=True),
        CardDealt(1, 2, 2, card("Ah"), sideways=True),
        ActionTaken(2, "Bob", 1, Action.SPLIT),
        WagerAdded(2, "Bob", 2, 400, "with its hand"),
        CardDealt(2, 1, 2, card("As")),
        CardDealt(2, 2, 2, card("2c")),
        ActionTaken(2, "Bob", 1, Action.DOUBLE),
        WagerAdded(2, "Bob", 1, 400, "beside the original"),
        CardDealt(2, 1, 3, card("9d"), sideways=True),
        ActionTaken(2, "Bob", 2, Action.HIT),
        CardDealt(2, 2, 3, card("9s")),
        ActionTaken(2, "Bob", 2, Action.STAND),
        CardTurned(2, card("9c")),
        CardDealt(None, 1, 3, card("4h")),
        WagerPaid(2, "Bob", "primary", 2, 400, 400, Odds(1), "higher total"),
        WagerPaid(2, "Bob", "primary", 1, 800, 800, Odds(1), "higher total"),
        WagerTaken(1, "Ann", "primary", 2, 400, "lower total"),
        WagerPaid(1, "Ann", "primary", 1, 400, 400, Odds(1), "higher total"),
        CardsPickedUp(None, 1, parse_cards("6d9c4h")),
        CardsPickedUp(2, 2, parse_cards("Jh2c9s")),
        CardsPickedUp(2, 1, parse_cards("TsAs9d")),
        CardsPickedUp(1, 2, parse_cards("AdAh")),
        CardsPickedUp(1, 1, parse_cards("AcKc")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 0, "Bob": 1200}
