"""Wagers before the cards: built up chip by chip, checked at the deal, given back with a reason."""

from __future__ import annotations

import re

import pytest

from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.engine.twentyone import SpotWager, dealable, why_not_stand
from cardroom.rules import load_rules
from cardroom.table.twentyone import Leave, PlaceWagers, ReturnWagers, StartRound
from cardroom.table.twentyone.running import TwentyOneTable
from tests.table_house import NOON, Conduct
from tests.tables import refused, rules_of, table_of
from tests.unit.test_table_purse import CUT, PLAY, Shoe

MINIMUM = "spot 1: a wager of $2.00 is off the limits: $3.00 to $500.00 (PROC-2)"


@pytest.fixture
def shoe() -> Shoe:
    rules = load_rules("players-edge-21")
    evening = Shoe(TwentyOneTable.opened("rowan", rules, None, Conduct(repeatable=1)))
    evening.books.clear()  # the seeds of the meters
    evening.step()
    return evening


@pytest.mark.clause("PROC-2", "PROC-9")
def test_a_wager_is_built_up_chip_by_chip(shoe: Shoe) -> None:
    for cents in (1_00, 2_00, 3_00):
        shoe.place("ann", 1, cents)
        assert shoe.table.state.circles[1].stake_cents == cents
    shoe.table.ask_for_deal("ann", NOON)
    assert shoe.requests(shoe.step()) == [*CUT, "start round"]
    assert shoe.books == {"player:ann": -3_00, PLAY: 3_00}


@pytest.mark.clause("PROC-2", "PROC-9")
def test_a_wager_below_the_minimum_at_the_deal_comes_back_and_the_others_are_dealt(shoe: Shoe) -> None:
    shoe.place("ann", 1, 2_00)
    shoe.place("bob", 2, 5_00)
    for player in ("ann", "bob"):
        shoe.table.ask_for_deal(player, NOON)
    plan = shoe.step()
    assert shoe.requests(plan) == ["return wagers", *CUT, "start round"]
    assert plan.entries[0].record.content()["request"] == {
        "request": "return wagers",
        "spot": 1,
        "why": MINIMUM,
    }
    assert shoe.books == {"player:bob": -5_00, PLAY: 5_00}  # not dealt, not lost
    assert shoe.table.notices.of("ann") == [
        (f"Spot 1: $2.00 came back and is not dealt: {MINIMUM}.", "PROC-9")
    ]
    shoe.play_out()
    shoe.place("ann", 1, 3_00)
    assert shoe.table.notices.of("ann") == []  # who plays on has read it


@pytest.mark.clause("PROC-2", "PROC-9")
def test_where_no_wager_may_be_dealt_no_round_begins(shoe: Shoe) -> None:
    shoe.place("ann", 1, 2_00)
    shoe.table.ask_for_deal("ann", NOON)
    assert shoe.requests(shoe.step()) == ["return wagers"]
    assert (shoe.books, shoe.table.state.circles, shoe.table.dealing) == ({}, {}, False)
    assert shoe.table.state.rounds == 0


@pytest.mark.clause("SIDE-3", "SIDE-4")
def test_a_side_wager_that_may_not_be_dealt_comes_back_alone(shoe: Shoe) -> None:
    side = {"match-up": 6_00, "match-down": 1_00, "monster-match-5": 1_00, "monster-match-1": 1_00}
    shoe.do(shoe.table.place(shoe.purse("ann"), 1, 5_00, side, ""))
    shoe.table.ask_for_deal("ann", NOON)
    plan = shoe.step()
    assert shoe.requests(plan) == ["return wagers"] * 3 + [*CUT, "start round"]
    returned = [entry.record.content()["request"] for entry in plan.entries[:3]]
    assert [one["side"] for one in returned] == [["match-up"], ["match-down"], ["monster-match-5"]]
    assert [one["why"].rpartition(" ")[2] for one in returned] == ["(SIDE-3)", "(SIDE-3)", "(SIDE-4)"]
    assert shoe.books["player:ann"] == -6_00  # the hand, and Monster Match $1


@pytest.mark.requirement("R-57")
def test_a_limit_holds_from_the_first_chip_on(shoe: Shoe) -> None:
    shoe.place("ann", 1, 500_00)
    shoe.place("ann", 2, 500_00)
    with pytest.raises(IllegalAction, match="more than the"):
        shoe.place("ann", 3, 1_00)
    shoe.barred.add("bob")
    with pytest.raises(Conflict, match="on a break"):
        shoe.place("bob", 3, 1_00)


@pytest.mark.clause("PROC-2", "SIDE-3", "SIDE-4", "SIDE-5", "21-1.14")
@pytest.mark.parametrize(
    ("game", "cents", "side", "clause"),
    [
        ("blackjack", 1_00, {}, None),
        ("blackjack", 0, {"21+3": 1_00}, None),  # the side bet's chips come first
        ("blackjack", 4_00, {"21+3": 1_00}, None),
        ("blackjack", 4_00, {"21+3": 5_00}, "SIDE-5"),
        ("blackjack", 1_50, {}, "21-1.14"),
        ("blackjack", 8_00, {}, "PROC-2"),
        ("players-edge-21", 0, {}, "PROC-2"),
        ("players-edge-21", 10_00, {"match-down": 2_00}, None),  # Match Up may follow
        ("players-edge-21", 10_00, {"match-up": 11_00}, None),  # the primary wager may grow
        ("players-edge-21", 10_00, {"monster-match-5": 1_00}, None),
        ("players-edge-21", 10_00, {"monster-match-5": 6_00}, "SIDE-4"),
    ],
)
def test_a_wager_stands_where_further_chips_can_make_it_one_that_is_dealt(
    game: str, cents: int, side: dict[str, int], clause: str | None
) -> None:
    refusal = why_not_stand(rules_of(game), SpotWager(1, "Ann", cents, side))
    assert (refusal.clause if refusal else None) == clause


def test_what_is_dealt_and_what_is_not_make_up_the_whole_wager() -> None:
    wager = SpotWager(1, "Ann", 10_00, {"match-up": 11_00, "monster-match-1": 1_00})
    dealt, undealt = dealable(rules_of("players-edge-21"), wager)
    assert dealt == SpotWager(1, "Ann", 10_00, {"monster-match-1": 1_00})
    assert [(part.side, part.cents, part.refusal.clause) for part in undealt] == [
        (("match-up",), 11_00, "SIDE-3")
    ]
    nothing, undealt = dealable(rules_of("players-edge-21"), SpotWager(1, "Ann", 2_00, {"match-up": 1_00}))
    assert (nothing, [(part.side, part.cents) for part in undealt]) == (None, [((), 3_00)])


def test_the_house_returns_only_what_stands_and_before_the_cards() -> None:
    table = table_of("players-edge-21", {"Ann": [1], "Bob": [2]}, cards="6d 7c 7d 9h Ts 5c")
    assert refused(table, ReturnWagers(1, "because")) == "PROC-9"
    table.do(PlaceWagers("Ann", 1, 10_00, {"match-up": 5_00}))
    assert refused(table, ReturnWagers(1, "because", ("match-down",))) == "PROC-9"
    table.do(ReturnWagers(1, "because", ("match-up",)))
    assert table.state.circles[1].side == ()
    table.do(StartRound())
    assert refused(table, ReturnWagers(1, "because")) == "PROC-9"
    assert refused(table, Leave("Ann", "gone")) == "PROC-9"  # the house ends no stay in a round


def test_rules_that_change_give_wagers_back_in_the_houses_name() -> None:
    shoe = Shoe(TwentyOneTable.opened("own", load_rules("blackjack", {"decks": "infinite"}), None, Conduct()))
    shoe.step()
    shoe.place("ann", 1, 4_00)
    shoe.table.ask_for_deal("ann", NOON)
    shoe.step()
    shoe.do(shoe.table.announce({"limits.max": "8.00"}, by="floor", reason="a test"))
    shoe.play_out()
    shoe.place("ann", 1, 4_00)
    assert shoe.requests(shoe.step()) == ["return wagers", "change rules"]
    assert "the rules of the table change first" in shoe.table.notices.of("ann")[0][0]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"game": "spanish-21"}, "a table of blackjack cannot become one of spanish-21"),
        ({"blackjack_pays": "999999999:1"}, "a table of the house pays at most 10000:1"),
        ({"limits.max": "99999999.00"}, "an amount at a table of the house is at most $100,000.00"),
    ],
)
def test_what_can_never_come_into_force_is_not_announced(changes: dict[str, object], why: str) -> None:
    """Its dealer would try it for ever, and nobody could play there."""
    table = TwentyOneTable.opened("own", load_rules("blackjack"), None, Conduct())
    with pytest.raises(MalformedInput, match=re.escape(why)):
        table.announce(changes, by="floor", reason="a test")


def test_a_player_s_own_refusal_is_no_return() -> None:
    table = table_of("blackjack", {"Ann": [1]}, cards="")
    with pytest.raises(IllegalAction, match=r"\$4.00 only"):
        table.place_wagers("Ann", 1, 500)
