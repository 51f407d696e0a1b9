"""Tables of players' own: a bound for each player, and an end when nobody is there."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.core.odds import Odds
from cardroom.games import BLACKJACK, GAMES, KNOCKOUT_52
from cardroom.rules.bets import shelf_names
from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.table.running import table_class
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.web.house import House
from cardroom.web.live.tables import MOST_PRIVATE_TABLES_OF_ONE
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest, finished, quick_settings, start

ADDRESSES = {BLACKJACK.id: "/api/v1/tables", KNOCKOUT_52.id: f"/api/v1{KNOCKOUT_52.address}/tables"}


def open_table(guest: Guest, game: str, number: int) -> str:
    body = {"decks": 1} if game == KNOCKOUT_52.id else {"game": game, "options": {}}
    answer = guest.post(ADDRESSES[game], json=body, headers=guest.key(number))
    assert answer.status_code == 201, answer.text
    table: str = answer.json()["table"]
    return table


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"blackjack_pays": "1001:1"}, "pays at most 1000:1"),
        ({"side_bets.21+3.flush": "999999999:1"}, "side_bets.21+3.flush = 999999999:1"),
        ({"limits.max": "1000000.00"}, "limits.max = $1,000,000.00"),
        ({"limits.side_max": "10000.01"}, "at most $10,000.00"),
    ],
)
def test_no_table_promises_more_than_the_books_can_hold(options: dict[str, object], why: str) -> None:
    with pytest.raises(MalformedInput, match=re.escape(why)):
        TwentyOneTable.private_rules(BLACKJACK.id, options)
    TwentyOneTable.private_rules(BLACKJACK.id, {"blackjack_pays": "1000:1", "limits.max": "10000.00"})


def test_patterns_too_deep_to_be_read_again_come_to_no_table() -> None:
    """One such table in the log, and no server could have opened the house again."""
    deep: dict[str, object] = {"same": ["rank"]}
    for _ in range(240):
        deep = {"not": deep}
    bet = {"title": "Own", "looks_at": ["player_1", "player_2"]}
    own = {**bet, "lines": [{"name": "pair", "when": deep, "pays": "2:1"}]}
    with pytest.raises(MalformedInput, match="patterns stand at most 12 deep in each other"):
        TwentyOneTable.private_rules(BLACKJACK.id, {"side_bets.own": own})


@pytest.mark.parametrize("game", [game.id for game in GAMES.values() if game.table is not None])
def test_every_game_as_it_is_may_be_played_at_a_table_of_ones_own(game: str) -> None:
    assert table_class(game).private_rules(game, {}).game == game


@pytest.mark.clause("SIDE-7")
@pytest.mark.parametrize("bet", shelf_names())
def test_every_bet_of_the_shelf_may_be_put_on_a_table_of_ones_own(bet: str) -> None:
    beside = {"match-down": "match-up"}.get(bet, bet)  # which it needs
    options: dict[str, object] = {f"side_bets.{name}.offered": True for name in (beside, bet)}
    rules = TwentyOneTable.private_rules(BLACKJACK.id, options)
    assert rules.offers(bet)
    line = next(line.id for line in rules.side_bets[bet].lines if isinstance(line.pays, Odds))
    with pytest.raises(MalformedInput, match=re.escape(f"side_bets.{bet}.{line} = 99999:1")):
        TwentyOneTable.private_rules(BLACKJACK.id, {**options, f"side_bets.{bet}.{line}": "99999:1"})


def test_nobody_has_more_than_a_few(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path))
    try:
        guest = room.client()
        for number in range(MOST_PRIVATE_TABLES_OF_ONE):
            open_table(guest, [BLACKJACK.id, KNOCKOUT_52.id][number % 2], number)
        body = {"game": BLACKJACK.id, "options": {}}
        refused = guest.post("/api/v1/tables", json=body, headers=guest.key(99))
        assert refused.status_code == 409
        assert "you have 3 tables of your own" in refused.text
        # A repeat of an opening is answered as before, and another player's are his own.
        again = guest.post("/api/v1/tables", json=body, headers=guest.key(0))
        assert again.status_code == 201
        open_table(room.client(), BLACKJACK.id, 1)
    finally:
        room.stop()


def _look(room: CardRoom) -> None:
    """Look for tables to be closed, in the server's own loop."""
    loop = room.house.following.loop
    assert loop is not None
    asyncio.run_coroutine_threadsafe(room.house.tables.close_forsaken(), loop).result(300)


@pytest.mark.parametrize("game", ADDRESSES)
def test_a_table_that_nobody_has_been_at_for_long_is_closed(tmp_path: Path, game: str) -> None:
    clock = HandClock()
    room = start(quick_settings(tmp_path), clock)
    try:
        guest = room.client()
        table = open_table(guest, game, 1)
        if game == KNOCKOUT_52.id:  # a wager that stands goes back
            wager = {"stakes": {"round-1": 500}}
            path = f"{ADDRESSES[game]}/{table}/wagers"
            assert guest.put(path, json=wager, headers=guest.key(2)).status_code == 200
        _look(room)
        clock.advance(minutes=29)
        _look(room)
        assert table in room.house.tables
        clock.advance(minutes=1)
        _look(room)
        assert table not in room.house.tables
        assert room.log()[-1].kind == "TableClosed"
        assert guest.get(f"{ADDRESSES[game]}/{table}").status_code == 404
        assert guest.get("/api/v1/session").json()["chips_cents"] == 100_000
        with room.house.database.read() as connection:
            assert ledger_faults(connection) == []
            assert not any(name.endswith(table) and cents for name, cents in all_balances(connection).items())
        if game == BLACKJACK.id:
            assert room.logged("TwentyOneShoeEnded").content["table"] == table  # its secret is told
        assert "willow" in room.house.tables  # the house's own stay
    finally:
        room.stop()
    anew = House(quick_settings(tmp_path), clock=clock)
    assert table not in anew.tables
    anew.database.close()


def test_a_table_with_somebody_at_it_stays(tmp_path: Path) -> None:
    clock = HandClock()
    house = House(quick_settings(tmp_path), clock=clock)
    try:
        house.journal.record_now(
            type(house.memory.tables["linden"]).opening(
                "own", house.memory.tables["linden"].rules, "a player"
            )
        )
        table = house.memory.tables["own"]
        table.presence.came("anybody")
        finished(house.tables.close_forsaken())
        clock.advance(hours=9)
        finished(house.tables.close_forsaken())
        assert "own" in house.tables
    finally:
        house.database.close()
