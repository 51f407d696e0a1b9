"""A player's own table: its bank beside the house's books, computer players, and how fast it is dealt."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.records.tables import TableRequestGranted, TwentyOneRoundEnded
from cardroom.table.running import PACES, Speed, Style, table_class
from cardroom.table.twentyone import awaits
from cardroom.table.twentyone.computers import best_action, is_computer
from cardroom.table.twentyone.running import TwentyOneTable
from tests.event_loop import run_to_end
from tests.table_house import NOON, Conduct
from tests.unit.test_table_purse import Shoe

BANK = "outside:private-players-edge-21"
MONSTER = "side_bets.monster-match-1.offered"


def own_table(style: Style, **options: object) -> Shoe:
    rules = TwentyOneTable.private_rules("players-edge-21", options)
    return Shoe(TwentyOneTable.opened("own", rules, "ann", Conduct(repeatable=4), style))


async def stands(_game: Any) -> dict[str, Any]:
    """An adviser to whom standing is worth most, and insurance nothing."""
    return {"values": [{"action": "stand", "value": 0.5}, {"action": "no insurance", "value": 0.0}]}


def play(evening: Shoe, side: dict[str, int] | None = None) -> None:
    """Ann's round; computer players think, and Ann's hands stand by the clock."""
    evening.do(evening.table.place(evening.purse("ann"), 1, 10_00, side or {}, ""))
    evening.table.ask_for_deal("ann", evening.now)
    evening.step()
    while evening.table.dealing:
        run_to_end(evening.table.think(stands))
        evening.step()


# The bank.


@pytest.mark.clause("SIDE-4")
def test_a_private_table_with_a_progressive_leaves_the_books_of_the_house_alone() -> None:
    evening = own_table(Style(), **{MONSTER: True})
    assert evening.table.rules.offers("monster-match-1")
    assert evening.table.state.meters["monster-match-1"].shown_cents > 0
    assert evening.books == {}  # a private meter is a number that its bank vouches for
    evening.step()
    for _ in range(5):
        play(evening, {"monster-match-1": 1_00})
    assert evening.table.state.meters["monster-match-1"].contributions == 5
    assert sum(evening.books.values()) == 0
    assert set(evening.books) == {"player:ann", BANK, "play:players-edge-21:own"}
    assert evening.books[BANK] == -evening.books["player:ann"]


def test_a_private_table_has_no_meter_but_those_asked_for_by_name() -> None:
    assert own_table(Style()).table.state.meters == {}
    asked = own_table(Style(), **{MONSTER: True}).table
    assert list(asked.state.meters) == ["monster-match-1"]


# Computer players.


def test_computer_players_sit_down_stake_the_least_and_play_as_advised() -> None:
    evening = own_table(Style(computers=2))
    table = evening.table
    assert (table.state.players, table.people) == (("Ada", "Blaise"), [])
    assert table.state.owners == {7: "Ada", 6: "Blaise"}
    assert table.due_at() == NOON  # the shuffle; they never leave by themselves
    evening.step()
    evening.place("ann", 1, 10_00)
    table.ask_for_deal("ann", NOON)
    plan = evening.step()
    assert evening.requests(plan)[:2] == ["place wagers"] * 2
    assert [spot.stake_cents for spot in table.state.round.spots] == [10_00, 3_00, 3_00]  # type: ignore[union-attr]
    decided: list[TableRequestGranted] = []
    while table.dealing:
        awaited = awaits(table.state)
        run_to_end(table.think(stands))
        record = evening.step().entries[0].record
        if awaited.kind == "decision" and table.is_computer(awaited.player):
            assert isinstance(record, TableRequestGranted)
            decided.append(record)
    assert decided
    assert all(record.request["action"] in ("stand", "no insurance") for record in decided)
    assert not any(record.request.get("by_clock") for record in decided)


def test_computer_players_move_neither_the_houses_books_nor_anybodys_purse() -> None:
    evening = own_table(Style(computers=6))
    evening.step()
    play(evening)
    assert sum(evening.books.values()) == 0
    assert set(evening.books) <= {"player:ann", BANK, "play:players-edge-21:own"}
    assert evening.books.get("play:players-edge-21:own", 0) == 0
    (finished,) = evening.finished
    assert [result.player for result in finished.results()] == ["ann"]
    assert evening.books.get("player:ann", 0) == next(iter(finished.results())).net_cents


def test_nothing_is_dealt_to_computer_players_alone() -> None:
    evening = own_table(Style(computers=3))
    evening.step()
    evening.place("ann", 1, 10_00)
    evening.place("ann", 1, 0)
    assert evening.table.state.circles == {}
    assert evening.table.deal_at is None


def test_a_new_shoe_and_a_checkpoint_keep_the_company() -> None:
    evening = own_table(Style(computers=2, speed="fast"))
    evening.step()
    play(evening)
    evening.do(evening.table.renew("ann"))
    assert evening.table.state.owners == {7: "Ada", 6: "Blaise"}
    plain = evening.table.saved()
    style = Style.of(*plain["style"])
    assert style == Style(2, "fast")
    anew = TwentyOneTable.opened("own", evening.table.rules, "ann", Conduct(repeatable=4), style)
    anew.restore(plain, lambda _hash: evening.table.rules, lambda _round: evening.table.last)
    assert (anew.saved(), anew.people) == (plain, [])


def test_a_computer_player_that_comes_to_nothing_leaves_it_to_the_clock() -> None:
    evening = own_table(Style(computers=1))
    evening.step()
    evening.place("ann", 1, 10_00)
    evening.table.ask_for_deal("ann", NOON)
    plan = evening.step()
    by_clock = []
    while evening.table.dealing:
        plan = evening.step()
        record = plan.entries[0].record
        assert isinstance(record, TableRequestGranted)
        by_clock += [record.request["by_clock"]] if record.request["request"] == "act" else []
    assert by_clock
    assert all(by_clock)
    ended = next(entry.record for entry in plan.entries if isinstance(entry.record, TwentyOneRoundEnded))
    assert list(ended.players) == ["Ann"]


@pytest.mark.parametrize(
    ("computers", "spots", "why"),
    [(7, 7, "room for 0 to 6 beside you"), (1, 1, "room for 0 to 0"), (-1, 7, "room for 0 to 6")],
)
def test_more_company_than_there_is_room_for_is_refused(computers: int, spots: int, why: str) -> None:
    rules = TwentyOneTable.private_rules("blackjack", {"procedure.spots": spots})
    with pytest.raises(MalformedInput, match=why):
        TwentyOneTable.opening("own", rules, "ann", Style(computers))


def test_the_best_of_what_is_offered() -> None:
    values = [{"action": "double", "value": 0.9}, {"action": "hit", "value": 0.2}]
    assert best_action(values, ["stand", "hit"]) == "hit"
    assert best_action(values, ["split"]) is None
    assert is_computer("computer:1")
    assert not is_computer("0a" * 16)


# Speed.


@pytest.mark.parametrize("speed", PACES)
def test_a_speed_is_a_pace_of_cards_and_a_time_for_decisions(speed: Speed) -> None:
    evening = own_table(Style(speed=speed))
    evening.step()
    evening.place("ann", 1, 10_00)
    evening.table.ask_for_deal("ann", NOON)
    evening.step()
    card = evening.table.due
    assert card is not None
    assert card - NOON == timedelta(seconds=0.6 * PACES[speed].cards)
    while awaits(evening.table.state).kind == "card":
        evening.step()
    assert evening.table.due == NOON + timedelta(seconds=30 * PACES[speed].decisions)


def test_a_style_that_is_none_is_refused() -> None:
    with pytest.raises(MalformedInput, match="no table is run so"):
        Style.of(0, "breakneck")
    kind = table_class("knockout-52")
    with pytest.raises(MalformedInput, match="house's pace"):
        kind.opening("own", kind.private_rules("knockout-52", {}), "ann", Style(computers=1))
