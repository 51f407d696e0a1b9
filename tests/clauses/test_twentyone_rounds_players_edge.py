"""Whole rounds of Player's Edge 21 at the $3 to $500 table: every event and every cent, in order."""

from __future__ import annotations

import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.odds import Odds
from cardroom.engine.twentyone import (
    Action,
    ActionTaken,
    BonusPaid,
    CardDealt,
    CardsPickedUp,
    CardTurned,
    DealerLooked,
    InsuranceClosed,
    InsuranceOpened,
    Insure,
    MeterRaised,
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

TABLE = load_rules_as(TwentyOneRules, "players-edge-21", {"limits.max": "500.00"})


@pytest.mark.clause("PE21-3", "PE21-3.1", "PE21-4", "SIDE-3", "SIDE-4")
def test_a_dealers_suited_blackjack_against_an_insured_paid_blackjack() -> None:
    side = {"match-up": 1000, "match-down": 500, "monster-match-1": 100}
    wagers = [SpotWager(1, "Ann", 2500, side), SpotWager(2, "Bob", 1000)]
    # Ann's blackjack was paid 37.50; she insures it for the most, 12.50. Bob insures 5.00 of 18.
    round_ = played(TABLE, "Ah 9c Ad Kc 9s Kd insure=12.50 insure=5.00", wagers)
    assert round_.events == (
        WagerPlaced(1, "Ann", "primary", 2500),
        WagerPlaced(1, "Ann", "match-up", 1000),
        WagerPlaced(1, "Ann", "match-down", 500),
        WagerPlaced(1, "Ann", "monster-match-1", 100),
        WagerPlaced(2, "Bob", "primary", 1000),
        MeterRaised("monster-match-1", 8, 1_000_008),
        WagersChecked(5100),
        CardDealt(1, 1, 1, card("Ah")),
        CardDealt(2, 1, 1, card("9c")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("Kc")),
        CardDealt(2, 1, 2, card("9s")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("Ad")),
        WagerPaid(1, "Ann", "match-up", 1, 1000, 4000, Odds(4), "one unsuited"),
        WagerPaid(1, "Ann", "primary", 1, 2500, 3750, Odds(3, 2), "blackjack"),
        InsuranceOpened(),
        ActionTaken(1, "Ann", 1, Insure(1250)),
        WagerPlaced(1, "Ann", "insurance", 1250),
        ActionTaken(2, "Bob", 1, Insure(500)),
        WagerPlaced(2, "Bob", "insurance", 500),
        InsuranceClosed(),
        DealerLooked(True),
        CardTurned(2, card("Kd")),
        WagerPaid(1, "Ann", "match-down", 1, 500, 2000, Odds(4), "one unsuited"),
        WagerPaid(1, "Ann", "monster-match-1", 1, 100, 600, Odds(6), "two pairs"),
        WagerTaken(2, "Bob", "primary", 1, 1000, "dealer's blackjack"),
        WagerPaid(2, "Bob", "insurance", 1, 500, 2500, Odds(5), "suited blackjack"),
        WagerPaid(1, "Ann", "insurance", 1, 1250, 6250, Odds(5), "suited blackjack"),
        CardsPickedUp(None, 1, parse_cards("AdKd")),
        CardsPickedUp(2, 1, parse_cards("9c9s")),
        CardsPickedUp(1, 1, parse_cards("AhKc")),
        RoundEnded(),
    )
    total = balance(round_.events)
    assert total.players == {"Ann": 4000 + 3750 + 2000 + 600 + 6250, "Bob": 1500}
    assert total.meters == {"monster-match-1": 8}
    assert total.house_cents == -(16_600 + 1500 + 8)


@pytest.mark.clause("PE21-6", "PE21-8", "PE21-9", "PE21-6.1")
def test_split_aces_resplit_to_four_hands_with_a_redouble_and_a_rescue() -> None:
    round_ = played(
        TABLE,
        "As 6d Ah 9c split Ad Ac split 4c Kh double 3h double 2d stand"
        " split 5h 6c double 9h rescue hit 4s 5s",
        [SpotWager(4, "Ann", 1000)],
    )
    assert round_.events == (
        WagerPlaced(4, "Ann", "primary", 1000),
        WagersChecked(1000),
        CardDealt(4, 1, 1, card("As")),
        CardDealt(None, 1, 1, None),
        CardDealt(4, 1, 2, card("Ah")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("6d")),
        ActionTaken(4, "Ann", 1, Action.SPLIT),  # As Ad | Ah Ac
        WagerAdded(4, "Ann", 2, 1000, "with its hand"),
        CardDealt(4, 1, 2, card("Ad")),
        CardDealt(4, 2, 2, card("Ac")),
        ActionTaken(4, "Ann", 1, Action.SPLIT),  # As 4c | Ad Kh | Ah Ac
        WagerAdded(4, "Ann", 2, 1000, "with its hand"),
        CardDealt(4, 1, 2, card("4c")),
        CardDealt(4, 2, 2, card("Kh")),
        WagerPaid(4, "Ann", "primary", 2, 1000, 1000, Odds(1), "21"),
        ActionTaken(4, "Ann", 1, Action.DOUBLE),
        WagerAdded(4, "Ann", 1, 1000, "beside the original"),
        CardDealt(4, 1, 3, card("3h"), sideways=True),
        ActionTaken(4, "Ann", 1, Action.DOUBLE),
        WagerAdded(4, "Ann", 1, 2000, "beside the original"),
        CardDealt(4, 1, 4, card("2d"), sideways=True),
        ActionTaken(4, "Ann", 1, Action.STAND),  # soft 20 with 4,000 on it
        ActionTaken(4, "Ann", 3, Action.SPLIT),  # … | Ah 5h | Ac 6c
        WagerAdded(4, "Ann", 4, 1000, "with its hand"),
        CardDealt(4, 3, 2, card("5h")),
        CardDealt(4, 4, 2, card("6c")),
        ActionTaken(4, "Ann", 3, Action.DOUBLE),
        WagerAdded(4, "Ann", 3, 1000, "beside the original"),
        CardDealt(4, 3, 3, card("9h"), sideways=True),
        ActionTaken(4, "Ann", 3, Action.RESCUE),  # 15
        WagerTaken(4, "Ann", "primary", 3, 1000, "rescue"),
        WagerReturned(4, "Ann", "primary", 3, 1000, "rescue"),
        CardsPickedUp(4, 3, parse_cards("Ah5h9h")),
        ActionTaken(4, "Ann", 4, Action.HIT),
        CardDealt(4, 4, 3, card("4s")),
        WagerPaid(4, "Ann", "primary", 4, 1000, 1000, Odds(1), "21"),
        CardTurned(2, card("9c")),
        CardDealt(None, 1, 3, card("5s")),
        WagerReturned(4, "Ann", "primary", 1, 4000, "push"),
        CardsPickedUp(None, 1, parse_cards("6d9c5s")),
        CardsPickedUp(4, 4, parse_cards("Ac6c4s")),
        CardsPickedUp(4, 2, parse_cards("AdKh")),
        CardsPickedUp(4, 1, parse_cards("As4c3h2d")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 1000}


@pytest.mark.clause("PE21-13", "PE21-13.1", "PE21-14")
def test_a_suited_seven_seven_seven_against_a_seven_with_envy() -> None:
    wagers = [
        SpotWager(1, "Bob", 300),
        SpotWager(2, "Ann", 2500),
        SpotWager(3, "Cid", 50_000),
        SpotWager(4, "Bob", 300),
    ]
    round_ = played(TABLE, "Kh 7s 9c 2c 7d Ks 7s 9s 2s Jd stand hit 7s stand hit Kd hit Qd", wagers)
    assert round_.events == (
        WagerPlaced(1, "Bob", "primary", 300),
        WagerPlaced(2, "Ann", "primary", 2500),
        WagerPlaced(3, "Cid", "primary", 50_000),
        WagerPlaced(4, "Bob", "primary", 300),
        WagersChecked(53_100),
        CardDealt(1, 1, 1, card("Kh")),
        CardDealt(2, 1, 1, card("7s")),
        CardDealt(3, 1, 1, card("9c")),
        CardDealt(4, 1, 1, card("2c")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("Ks")),
        CardDealt(2, 1, 2, card("7s")),
        CardDealt(3, 1, 2, card("9s")),
        CardDealt(4, 1, 2, card("2s")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("7d")),
        ActionTaken(1, "Bob", 1, Action.STAND),
        ActionTaken(2, "Ann", 1, Action.HIT),
        CardDealt(2, 1, 3, card("7s")),
        WagerPaid(2, "Ann", "primary", 1, 2500, 5000, Odds(2), "three sevens suited"),
        BonusPaid(2, "Ann", "super-bonus", 500_000),
        BonusPaid(4, "Bob", "envy", 5000),
        BonusPaid(3, "Cid", "envy", 5000),
        ActionTaken(3, "Cid", 1, Action.STAND),
        ActionTaken(4, "Bob", 1, Action.HIT),
        CardDealt(4, 1, 3, card("Kd")),
        ActionTaken(4, "Bob", 1, Action.HIT),
        CardDealt(4, 1, 4, card("Qd")),
        WagerTaken(4, "Bob", "primary", 1, 300, "bust"),
        CardsPickedUp(4, 1, parse_cards("2c2sKdQd")),
        CardTurned(2, card("Jd")),
        WagerPaid(3, "Cid", "primary", 1, 50_000, 50_000, Odds(1), "higher total"),
        WagerPaid(1, "Bob", "primary", 1, 300, 300, Odds(1), "higher total"),
        CardsPickedUp(None, 1, parse_cards("7dJd")),
        CardsPickedUp(3, 1, parse_cards("9c9s")),
        CardsPickedUp(2, 1, parse_cards("7s7s7s")),
        CardsPickedUp(1, 1, parse_cards("KhKs")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 505_000, "Bob": 5000, "Cid": 55_000}


@pytest.mark.clause("PE21-6.1", "PE21-7", "PE21-14")
def test_six_seven_eight_of_diamonds_after_a_split_and_after_a_double() -> None:
    round_ = played(TABLE, "6d 5h 6d Kc split 7d 8d hit 8d double 7d", [SpotWager(1, "Ann", 1000)])
    assert round_.events == (
        WagerPlaced(1, "Ann", "primary", 1000),
        WagersChecked(1000),
        CardDealt(1, 1, 1, card("6d")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("6d")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("5h")),
        ActionTaken(1, "Ann", 1, Action.SPLIT),
        WagerAdded(1, "Ann", 2, 1000, "with its hand"),
        CardDealt(1, 1, 2, card("7d")),
        CardDealt(1, 2, 2, card("8d")),
        ActionTaken(1, "Ann", 1, Action.HIT),
        CardDealt(1, 1, 3, card("8d")),
        WagerPaid(1, "Ann", "primary", 1, 1000, 3000, Odds(3), "six seven eight named"),
        ActionTaken(1, "Ann", 2, Action.DOUBLE),
        WagerAdded(1, "Ann", 2, 1000, "beside the original"),
        CardDealt(1, 2, 3, card("7d"), sideways=True),
        WagerPaid(1, "Ann", "primary", 2, 2000, 2000, Odds(1), "21"),
        CardTurned(2, card("Kc")),
        CardsPickedUp(None, 1, parse_cards("5hKc")),
        CardsPickedUp(1, 2, parse_cards("6d8d7d")),
        CardsPickedUp(1, 1, parse_cards("6d7d8d")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 5000}


@pytest.mark.clause("PE21-8.1", "PE21-8.2", "PE21-10")
def test_doubles_capped_by_the_table_maximum_beside_a_surrender() -> None:
    wagers = [SpotWager(1, "Ann", 20_000), SpotWager(2, "Bob", 500)]
    round_ = played(TABLE, "5h Kh Qd 6s 6h 7c double 2c double 2d double 4h stand surrender", wagers)
    assert round_.events == (
        WagerPlaced(1, "Ann", "primary", 20_000),
        WagerPlaced(2, "Bob", "primary", 500),
        WagersChecked(20_500),
        CardDealt(1, 1, 1, card("5h")),
        CardDealt(2, 1, 1, card("Kh")),
        CardDealt(None, 1, 1, None),
        CardDealt(1, 1, 2, card("6s")),
        CardDealt(2, 1, 2, card("6h")),
        CardDealt(None, 1, 2, None),
        CardTurned(1, card("Qd")),
        DealerLooked(False),
        ActionTaken(1, "Ann", 1, Action.DOUBLE),
        WagerAdded(1, "Ann", 1, 20_000, "beside the original"),
        CardDealt(1, 1, 3, card("2c"), sideways=True),
        ActionTaken(1, "Ann", 1, Action.DOUBLE),
        WagerAdded(1, "Ann", 1, 40_000, "beside the original"),
        CardDealt(1, 1, 4, card("2d"), sideways=True),
        ActionTaken(1, "Ann", 1, Action.DOUBLE),
        WagerAdded(1, "Ann", 1, 50_000, "beside the original"),  # four times the original would be 800
        CardDealt(1, 1, 5, card("4h"), sideways=True),
        ActionTaken(1, "Ann", 1, Action.STAND),
        ActionTaken(2, "Bob", 1, Action.SURRENDER),
        WagerTaken(2, "Bob", "primary", 1, 250, "surrender"),
        WagerReturned(2, "Bob", "primary", 1, 250, "surrender"),
        CardsPickedUp(2, 1, parse_cards("Kh6h")),
        CardTurned(2, card("7c")),
        WagerPaid(1, "Ann", "primary", 1, 130_000, 130_000, Odds(1), "higher total"),
        CardsPickedUp(None, 1, parse_cards("Qd7c")),
        CardsPickedUp(1, 1, parse_cards("5h6s2c2d4h")),
        RoundEnded(),
    )
    assert balance(round_.events).players == {"Ann": 130_000, "Bob": -250}
