"""A checkpoint is a convenience: whatever is wrong with one, the house is that of its log, and says so."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from operator import methodcaller
from pathlib import Path
from typing import Any

import pytest

import cardroom
from cardroom.records.lottery import DrawHeld, DrawReleased
from cardroom.records.players import PlayerNamed
from cardroom.store.checkpoints import DamagedCheckpoint
from cardroom.store.migrate import open_database
from cardroom.store.unit import read_log
from cardroom.web.house import House
from cardroom.web.memory import PLAYER, VERSION
from cardroom.web.players.player import Player
from cardroom.web.players.saved import saved_player
from cardroom.web.security.accounts import operators_of
from tests.databases import HandClock
from tests.golden_house import GoldenSet
from tests.web.conftest import finished
from tests.web.test_restart import everything
from tools.golden_evening import ANN, BOB, settings_of

GOLDEN = GoldenSet(cardroom.__version__)


@pytest.fixture
def url(tmp_path: Path) -> str:
    """The database of an evening, with its checkpoint."""
    found = GOLDEN.sqlite(tmp_path)
    with opened(found) as house:
        finished(house.following.save())
    return found


@contextmanager
def opened(url: str) -> Iterator[House]:
    house = House(settings_of(url), clock=HandClock(GOLDEN.now))
    try:
        yield house
    finally:
        house.database.close()


def change(url: str, statement: str, *values: object) -> None:
    with (
        open_database(url, HandClock(GOLDEN.now)) as database,
        database.engine.begin() as connection,
    ):
        connection.exec_driver_sql(statement, values)


def damage(url: str, name: str, body: str = "{}") -> None:
    change(url, "UPDATE parts SET body = ? WHERE name = ?", body, name)


def part(house: House, name: str) -> dict[str, Any]:
    found = house.checkpoints.part(name)
    assert found is not None
    return found


@pytest.mark.parametrize("player", [ANN, BOB])
def test_a_damaged_player_is_made_anew_from_the_log(
    url: str, player: str, caplog: pytest.LogCaptureFixture
) -> None:
    with opened(url) as house:
        before = everything(house.memory, [ANN, BOB])
        assert before[player]["history"]  # of rounds of both kinds of tables, and of a correction
    damage(url, PLAYER + player)
    with opened(url) as house, caplog.at_level(logging.WARNING, "cardroom.web"):
        assert caplog.messages == []
        other = BOB if player == ANN else ANN
        assert saved_player(house.player(other)) == before[other]
        assert caplog.messages == []
        assert saved_player(house.player(player)) == before[player]
        put_away, anew = caplog.messages
        assert put_away.startswith(f"what was saved of player {player} is put away: ")
        last = house.checkpoints.last()
        assert last is not None
        assert anew == f"the log is read anew for player {player}: {last.head.seq:,} records"
        house.player(player)
        assert len(caplog.messages) == 2  # once
        with pytest.raises(DamagedCheckpoint):
            part(house, PLAYER + player)
        finished(house.following.save())
        assert part(house, PLAYER + player) == before[player]
        assert part(house, PLAYER + other) == before[other]
    caplog.clear()
    with opened(url) as house:
        assert everything(house.memory, [ANN, BOB]) == before
    assert caplog.messages == []


def test_a_player_whose_part_lacks_something_is_made_anew(url: str) -> None:
    """Whole by its hash, as a program might have left it, and yet no player."""
    with opened(url) as house:
        before = saved_player(house.player(ANN))
        house.checkpoints.save_part(PLAYER + ANN, {"name": "Ann"})
    with opened(url) as house:
        assert saved_player(house.player(ANN)) == before


def test_a_damaged_player_plays_on(url: str) -> None:
    """The first that memory hears of the player is a record after the checkpoint."""
    with opened(url) as house:
        before = saved_player(house.player(BOB))
    damage(url, PLAYER + BOB)
    with opened(url) as house:
        house.journal.record_now(*house.players.rename(Player(BOB, ""), "Robert").entries)
        assert saved_player(house.player(BOB)) == before | {"name": "Robert"}
    with opened(url) as house:  # it ended without a checkpoint
        assert saved_player(house.player(BOB)) == before | {"name": "Robert"}


def test_stakes_of_a_damaged_player_are_known(url: str) -> None:
    """Tables that are cleared give every stake back, also to whom the checkpoint has damaged."""
    place = "play:blackjack:linden"
    with opened(url) as house:
        before = house.following.open_wagers()
        staked = saved_player(house.player(ANN))
        staked["in_play"] = {place: 500}
        house.checkpoints.save_part(PLAYER + ANN, staked)
    with opened(url) as house:
        assert house.following.open_wagers() == before | {place: before.get(place, {}) | {ANN: 500}}
    damage(url, PLAYER + ANN)
    with opened(url) as house:
        assert house.following.open_wagers() == before


@pytest.mark.parametrize(
    ("statement", "why"),
    [
        ("UPDATE parts SET body = '{}' WHERE name = 'table:linden'", "part 'table:linden' is damaged"),
        ("UPDATE checkpoints SET version = 1", f"it is of version 1, and this program's is {VERSION}"),
        ("UPDATE checkpoints SET log_hash = 'f'", "it is of another log"),
        ("DELETE FROM parts WHERE name = 'table:linden'", " parts are there, and it was saved with "),
        ("DELETE FROM parts WHERE name = 'house'", " parts are there, and it was saved with "),
        (f"DELETE FROM parts WHERE name = '{PLAYER}{ANN}'", " parts are there, and it was saved with "),
    ],
)
def test_a_checkpoint_is_put_away_with_a_line_and_progress(
    url: str, statement: str, why: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(url) as house:
        before = everything(house.memory, [ANN, BOB])
        records = house.memory.head.seq
    assert caplog.messages == []
    change(url, statement)
    monkeypatch.setattr("cardroom.web.following._PROGRESS_EVERY", 100)
    with opened(url) as house:
        assert everything(house.memory, [ANN, BOB]) == before
        put_away, anew, *progress = caplog.messages
        assert put_away.startswith("the checkpoint is put away: ")
        assert why in put_away
        assert anew == f"the log is read anew: {records:,} records"
        assert progress == [f"reading the log: {n:,} records" for n in range(100, records + 1, 100)]
        assert progress
        finished(house.following.save())
    caplog.clear()
    with opened(url):
        assert caplog.messages == []


def test_people_may_sign_while_a_checkpoint_is_damaged(url: str) -> None:
    settings, clock = settings_of(url), HandClock(GOLDEN.now)
    with open_database(url, clock) as database:
        before = operators_of(database, settings).names()
    assert before
    damage(url, "house")
    with open_database(url, clock) as database:
        assert operators_of(database, settings).names() == before


def test_a_part_that_went_is_missed_though_others_were_saved_since(url: str) -> None:
    """The next checkpoint does not take the loss for a new beginning."""
    with opened(url) as house:
        before = saved_player(house.player(ANN))
        change(url, "DELETE FROM parts WHERE name = ?", PLAYER + ANN)
        house.journal.record_now(*house.players.rename(Player(BOB, ""), "Robert").entries)
        finished(house.following.save())
        house.checkpoints.save_part("control", {})
        assert house.checkpoints.last() is None
    with opened(url) as house:
        assert saved_player(house.player(ANN)) == before
        assert house.player(BOB).name == "Robert"


def test_records_that_name_somebody(database_url: str) -> None:
    """What is read of the log for one player, on both databases: no more and no less."""
    with open_database(database_url, HandClock()) as database:
        for player, name in (("a_1", "Ann"), ("ab1", "Bob"), ("a_1", "A%")):
            named = PlayerNamed(player=player, name=name)
            database.write(methodcaller("record", named))
        for record in (DrawHeld(draw=1, reason="a test"), DrawReleased(draw=1, by=[], was="", reason="")):
            database.write(methodcaller("record", record))
        with database.read() as connection:
            found = [json.loads(one.body)["name"] for one in read_log(connection, naming="a_1")]
            assert found == ["Ann", "A%"]
            assert len(list(read_log(connection, naming="A%"))) == 1
            found = [one.kind for one in read_log(connection, naming="ab1", or_kinds=["DrawHeld"])]
            assert found == ["PlayerNamed", "DrawHeld"]
