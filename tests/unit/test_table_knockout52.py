"""A Knockout 52 table without a server: wagers from purses, the deal, who has gone, the checkpoint."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from cardroom.core.errors import CardroomError, Conflict, IllegalAction
from cardroom.fair import repeatable_seed
from cardroom.records.tables import Knockout52CardDealt, Knockout52GameEnded
from cardroom.rules import load_rules
from cardroom.store.plan import Plan
from cardroom.table.knockout52 import running
from cardroom.table.knockout52.finished import FinishedGame
from cardroom.table.knockout52.running import SEATS, Knockout52Table
from cardroom.table.running import came, went
from tests.table_house import NOON, Conduct, Evening


class Game(Evening[Knockout52Table]):
    """An evening at Knockout 52."""

    def place(self, player: str, **stakes: int) -> Plan:
        wanted = {wager.replace("_", "-"): cents for wager, cents in stakes.items()}
        return self.do(self.table.place(self.purse(player), wanted))


def evening_at(decks: int = 1) -> Game:
    rules = load_rules("knockout-52", {"decks": decks})
    return Game(Knockout52Table.opened("willow", rules, None, Conduct()))


@pytest.fixture(autouse=True)
def known_shoes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same shoes in every run."""
    names = (f"shoe-{number}" for number in count(1))
    monkeypatch.setattr(running, "fresh_shoe_id", lambda: next(names))
    monkeypatch.setattr(running, "fresh_seed", lambda: repeatable_seed(21, "tests"))


def refused(evening: Game, player: str, **stakes: int) -> CardroomError:
    with pytest.raises(CardroomError) as error:
        evening.place(player, **stakes)
    return error.value


@pytest.mark.clause("KO52-3")
def test_wagers_are_taken_from_the_purse_and_given_back() -> None:
    evening = evening_at()
    answer = evening.place("ann", round_1=5_00, all_the_way=1_00).answer
    assert answer == {"stakes": {"round-1": 500, "all-the-way": 100}, "chips_cents": 994_00}
    assert evening.books == {"player:ann": -6_00, "play:knockout-52:willow": 6_00}
    assert evening.place("ann", round_1=2_00).answer["chips_cents"] == 998_00
    assert evening.books == {"player:ann": -2_00, "play:knockout-52:willow": 2_00}
    evening.place("ann")
    assert evening.books == {"player:ann": 0, "play:knockout-52:willow": 0}
    assert evening.table.seated == {}


@pytest.mark.requirement("R-57", "R-58")
def test_a_stake_of_somebody_who_may_not_play_any_more_is_returned_and_not_dealt() -> None:
    evening = evening_at()
    evening.place("ann", round_1=5_00)
    evening.place("bob", round_1=3_00)
    for player in ("ann", "bob"):
        evening.table.ask_for_deal(player, NOON)
    evening.barred.add("ann")
    evening.step()
    assert evening.books == {"player:ann": 0, "player:bob": -3_00, "play:knockout-52:willow": 3_00}
    assert list(evening.table.seated) == ["bob"]
    evening.step()
    assert evening.table.dealing


def test_what_is_refused_moves_nothing() -> None:
    evening = evening_at()
    assert refused(evening, "ann").clause == "KO52-3"
    assert refused(evening, "ann", round_1=1).clause == "KO52-3"  # below the least stake
    evening.place("ann", round_1=500_00)
    evening.books["player:ann"] -= 400_00  # spent at another table meanwhile
    assert "more than the purse holds" in refused(evening, "ann", round_1=500_00, round_2=200_00).message
    assert sum(evening.table.seated["ann"].stakes.values()) == 500_00
    evening.table.enabled = False
    assert "closed by the house" in refused(evening, "bob", round_1=5_00).message


def test_seven_play_and_the_eighth_does_not() -> None:
    evening = evening_at()
    for number in range(SEATS):
        evening.place(f"guest{number}", round_1=5_00)
    assert "all 7 seats" in refused(evening, "late", round_1=5_00).message


def test_the_deal_waits_for_all_who_staked_but_not_for_ever() -> None:
    evening = evening_at()
    evening.place("ann", round_1=5_00)
    evening.place("bob", round_2=5_00)
    with pytest.raises(IllegalAction, match="stake at least one"):
        evening.table.ask_for_deal("cem", NOON)
    evening.table.ask_for_deal("ann", NOON)
    assert evening.table.due_at() == NOON + timedelta(seconds=20)
    evening.table.ask_for_deal("bob", NOON)
    assert evening.table.due_at() == NOON
    evening.step()
    assert evening.table.dealing
    assert refused(evening, "ann", round_1=6_00).clause == "KO52-3"
    with pytest.raises(Conflict, match="keeps the pace"):
        evening.table.ask_for_deal("ann", NOON)


def test_a_game_pays_from_the_house_and_leaves_nothing_on_the_table() -> None:
    evening = evening_at()
    for _ in range(20):
        evening.place("ann", round_1=6_00, round_2=1_00)
        evening.place("bob", all_the_way=1_00, round_1=2_00)
        evening.table.ask_for_deal("ann", NOON)
        evening.table.ask_for_deal("bob", NOON)
        evening.step()
        evening.play_out()
        assert evening.books["play:knockout-52:willow"] == 0
        assert sum(evening.books.values()) == 0
    assert [over.id for over in evening.finished] == [f"willow-{number}" for number in range(1, 21)]
    won = {"ann": 0, "bob": 0}
    for over in evening.finished:
        for result in over.results():
            won[result.player] += result.net_cents
            assert result.stake_cents == {"ann": 7_00, "bob": 3_00}[result.player]
    assert won == {player: evening.books[f"player:{player}"] for player in won}


def test_the_game_of_a_record_is_the_game_that_was_played() -> None:
    evening = evening_at()
    evening.place("ann", round_1=6_00)
    evening.table.ask_for_deal("ann", NOON)
    evening.step()
    record = None
    while record is None:
        plan = evening.step()
        assert isinstance(plan.entries[0].record, Knockout52CardDealt)
        record = next(
            (entry.record for entry in plan.entries if isinstance(entry.record, Knockout52GameEnded)), None
        )
    read = FinishedGame.of(record, NOON)
    assert [read.game] == [over.game for over in evening.finished if isinstance(over, FinishedGame)]
    assert list(read.results()) == list(evening.finished[0].results())


def test_who_has_gone_gets_the_wagers_back() -> None:
    evening = evening_at()
    came(evening.table, "ann")
    evening.place("ann", round_1=5_00)
    assert evening.table.due_at() is None
    assert went(evening.table, "ann", NOON)
    assert evening.table.due_at() == NOON + timedelta(seconds=120)
    evening.now = NOON + timedelta(seconds=120)
    record = evening.step().entries[0].record
    assert record.content()["returned"] == "gone, or not allowed to play any more"  # not taken back by Ann
    assert evening.books["player:ann"] == 0
    assert not evening.table.is_playing("ann")


@pytest.mark.parametrize("cards", [None, 0, 5])
def test_a_restored_table_goes_on_where_it_was(cards: int | None) -> None:
    evening = evening_at(decks=8)
    evening.place("ann", round_1=5_00, all_the_way=1_00)
    if cards is not None:
        evening.table.ask_for_deal("ann", NOON)
        evening.step()
        for _ in range(cards):
            evening.step()
        assert evening.table.dealing
    plain = evening.table.saved()
    again = Knockout52Table.opened("willow", evening.table.rules, None, Conduct())

    def lookup(_identity: str) -> Any:
        return evening.table.last

    again.restore(plain, lambda _hash: evening.table.rules, lookup)
    assert again.saved() == plain
    if evening.table.dealing:
        assert again.step(evening.purse, NOON) == evening.table.step(evening.purse, NOON)
    else:
        moment = NOON + timedelta(seconds=1)
        again.resume(moment)
        assert again.due_at() is not None
