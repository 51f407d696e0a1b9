"""Chips stay in the purse: a running table asks for them when it needs them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from cardroom.core.errors import Conflict, IllegalAction
from cardroom.records.tables import TableRequestGranted
from cardroom.rules import load_rules
from cardroom.store.plan import Plan
from cardroom.table.twentyone import awaits
from cardroom.table.twentyone.running import TwentyOneTable
from tests.table_house import BROUGHT_CENTS, NOON, Conduct, Evening

PLAY = "play:players-edge-21:rowan"
CUT = ("cut shoe", "place cut card")
"""What the house does before the first round of a shoe that no player cut."""


class Shoe(Evening[TwentyOneTable]):
    """An evening at Player's Edge 21, the same cards every time."""

    def place(self, player: str, spot: int, cents: int) -> Plan:
        return self.do(self.table.place(self.purse(player), spot, cents, {}, ""))

    def requests(self, plan: Plan) -> list[str]:
        return [
            entry.record.request["request"]
            for entry in plan.entries
            if isinstance(entry.record, TableRequestGranted)
        ]

    def spend_elsewhere(self, player: str, cents: int) -> None:
        """At another table, from the same purse."""
        account = f"player:{player}"
        self.books[account] = self.books.get(account, 0) - cents


@pytest.fixture
def shoe() -> Shoe:
    rules = load_rules("players-edge-21", {"limits.max": "2000.00"})
    conduct = Conduct(repeatable=1)
    evening = Shoe(TwentyOneTable.opened("rowan", rules, None, conduct))
    evening.books.clear()  # the seeds of the meters
    evening.step()
    return evening


def test_a_wager_leaves_the_purse_when_the_round_begins(shoe: Shoe) -> None:
    assert shoe.requests(shoe.place("ann", 1, 100_00)) == ["sit", "take spot", "place wagers"]
    assert shoe.books == {}
    shoe.table.ask_for_deal("ann", NOON)
    assert shoe.requests(shoe.step()) == [*CUT, "start round"]
    assert shoe.books == {"player:ann": -100_00, PLAY: 100_00}


def test_two_wagers_from_one_purse(shoe: Shoe) -> None:
    shoe.place("ann", 1, 600_00)
    with pytest.raises(IllegalAction, match="more than the"):  # the purse has it, but not beside spot 1
        shoe.place("ann", 2, 600_00)
    with pytest.raises(Conflict, match="more than the purse holds"):
        shoe.place("ann", 2, BROUGHT_CENTS + 100)
    shoe.place("ann", 2, 400_00)
    assert shoe.table.state.staked_cents("Ann") == BROUGHT_CENTS


def test_a_wager_whose_chips_are_gone_is_taken_back_and_the_others_play(shoe: Shoe) -> None:
    shoe.place("ann", 1, 500_00)
    shoe.place("ann", 2, 300_00)
    shoe.place("bob", 3, 100_00)
    shoe.spend_elsewhere("ann", 250_00)
    for player in ("ann", "bob"):
        shoe.table.ask_for_deal(player, NOON)
    assert shoe.requests(shoe.step()) == ["return wagers", "return wagers", *CUT, "start round"]
    assert shoe.books == {"player:ann": -250_00, "player:bob": -100_00, PLAY: 100_00}


@pytest.mark.requirement("R-57", "R-58")
def test_a_wager_that_may_not_be_made_any_more_is_taken_back(shoe: Shoe) -> None:
    """A break, or losses elsewhere that reached a limit, between the wager and the cards."""
    shoe.place("ann", 1, 100_00)
    shoe.place("bob", 3, 100_00)
    shoe.barred.add("ann")
    for player in ("ann", "bob"):
        shoe.table.ask_for_deal(player, NOON)
    assert shoe.requests(shoe.step()) == ["return wagers", *CUT, "start round"]
    assert shoe.books == {"player:bob": -100_00, PLAY: 100_00}


def test_what_is_added_comes_from_the_purse_as_it_is_then(shoe: Shoe) -> None:
    shoe.place("ann", 1, 600_00)
    shoe.table.ask_for_deal("ann", NOON)
    shoe.step()
    while awaits(shoe.table.state).kind == "card":
        shoe.step()
    turn = awaits(shoe.table.state)
    assert "double" in [str(option) for option in turn.options]
    purse = shoe.purse("ann")
    assert purse.chips_cents == 400_00
    with pytest.raises(IllegalAction, match=r"takes \$600.00, more than the \$400.00 in chips"):
        shoe.table.act(purse, 1, "double", shoe.table.steps)
    shoe.books["player:ann"] += 200_00  # won at another table meanwhile
    shoe.do(shoe.table.act(shoe.purse("ann"), 1, "double", shoe.table.steps))
    assert shoe.books == {"player:ann": -1_000_00, PLAY: 1_200_00}


@pytest.mark.requirement("R-57", "R-58")
def test_nothing_is_added_to_a_wager_in_a_break(shoe: Shoe) -> None:
    """The hand is played to its end, with what stands there; the same holds of a limit on losses."""
    shoe.place("ann", 1, 100_00)
    shoe.table.ask_for_deal("ann", NOON)
    shoe.step()
    while awaits(shoe.table.state).kind == "card":
        shoe.step()
    shoe.barred.add("ann")
    turn = awaits(shoe.table.state, lambda _name: shoe.purse("ann"))
    assert {"hit", "stand"} <= {str(option) for option in turn.options}
    assert "double" not in {str(option) for option in turn.options}
    with pytest.raises(Conflict, match="on a break"):
        shoe.table.act(shoe.purse("ann"), 1, "double", shoe.table.steps)
    shoe.do(shoe.table.act(shoe.purse("ann"), 1, "stand", shoe.table.steps))
    shoe.play_out()
    (result,) = shoe.finished[0].results()
    assert result.stake_cents == 100_00


def test_rounds_leave_nothing_on_the_table_and_the_purse_has_what_was_won(shoe: Shoe) -> None:
    for number in range(12):
        if shoe.table.due_at() == NOON and not shoe.table.state.circles:
            shoe.step()  # a new shoe
        shoe.place("ann", 1, 10_00)
        shoe.table.ask_for_deal("ann", NOON)
        shoe.step()
        shoe.play_out()
        assert shoe.books.get(PLAY, 0) == 0
        assert len(shoe.finished) == number + 1
    won = sum(result.net_cents for over in shoe.finished for result in over.results())
    assert shoe.books["player:ann"] == won == -shoe.books["house:players-edge-21"]
    assert -shoe.table.state.accounts["purses"] == -won


def test_who_has_gone_leaves_with_the_purse_untouched(shoe: Shoe) -> None:
    shoe.place("ann", 1, 10_00)
    shoe.now = NOON + timedelta(seconds=121)
    assert shoe.requests(shoe.step()) == ["leave"]
    assert shoe.books == {}
    assert not shoe.table.is_playing("ann")
