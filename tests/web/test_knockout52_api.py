"""Knockout 52 through the API: money, proofs, secrets, interruptions."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardroom.fair import verify_record
from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.table.knockout52.running import Knockout52Table
from tests.web.conftest import CardRoom, Guest, quick_settings, start

TABLE = "/api/v1/knockout-52/tables/willow"


def own_table(guest: Guest, *, decks: int = 1) -> str:
    answer = guest.post("/api/v1/knockout-52/tables", json={"decks": decks}, headers=guest.key(900))
    assert answer.status_code == 201
    return f"/api/v1/knockout-52/tables/{answer.json()['table']}"


def until_over(guest: Guest, table: str, game: int) -> dict[str, Any]:
    """Wait for the end of a game."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        view: dict[str, Any] = guest.get(table).json()
        if view["last"] and view["last"]["number"] >= game and view["phase"] == "open":
            return view
        time.sleep(0.01)
    raise AssertionError("the game does not end")


def wait_until(guest: Guest, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        view: dict[str, Any] = guest.get(TABLE).json()
        if wanted(view):
            return view
        time.sleep(0.005)
    raise AssertionError("the table does not get there")


def play(guest: Guest, table: str, stakes: dict[str, int], *, key: int = 1) -> dict[str, Any]:
    game = guest.get(table).json()["game"]
    assert guest.put(f"{table}/wagers", json={"stakes": stakes}, headers=guest.key(key)).status_code == 200
    assert guest.post(f"{table}/deal").status_code == 200
    return until_over(guest, table, game)


@pytest.mark.requirement("R-12", "R-37", "R-39", "R-42")
def test_a_game_from_wager_to_proof(room: CardRoom) -> None:
    guest = room.client()
    table = own_table(guest)
    before = guest.get(table).json()
    view = play(guest, table, {"round-1": 500, "all-the-way": 100})
    last = view["last"]
    pays = {"round-1": 250 - 100, "all-the-way": 5000 - 500}
    assert last["your_stake_cents"] == 600
    assert last["your_net_cents"] == pays.get(last["outcome"], -600)
    assert view["you"]["chips_cents"] == 100_000 + last["your_net_cents"]

    game = guest.get(f"/api/v1/knockout-52/games/{last['id']}").json()
    assert game["proof"]["commitment"] == before["commitment"]
    verdict = verify_record(
        json.dumps(game["proof"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    )
    assert verdict.findings == ()
    assert game["card_texts"] == view["cards"]
    assert len(game["steps"]) == len(game["card_texts"]) + 1
    assert sum(wager["chance"]["decimal"] for wager in game["steps"][0]["wagers"]) == pytest.approx(1)

    history = guest.get("/api/v1/session/history").json()["rounds"]
    assert [(line["id"], line["net_cents"]) for line in history] == [(last["id"], last["your_net_cents"])]
    assert history[0]["balance_cents"] == view["you"]["chips_cents"]
    rules_hash = guest.get("/api/v1/games/knockout-52/rules").json()["rules_hash"]
    placed = room.logged("Knockout52WagersPlaced").content
    assert placed["rules_hash"] == game["proof"]["rules_hash"] == rules_hash


def test_wagers_can_be_changed_and_taken_back_before_the_deal(room: CardRoom) -> None:
    guest = room.client()
    table = own_table(guest)
    guest.put(f"{table}/wagers", json={"stakes": {"round-2": 2500}}, headers=guest.key(1))
    assert guest.get(table).json()["you"]["chips_cents"] == 97_500
    guest.put(f"{table}/wagers", json={"stakes": {"round-1": 100}}, headers=guest.key(2))
    assert guest.get(table).json()["you"]["chips_cents"] == 99_900
    guest.put(f"{table}/wagers", json={"stakes": {}}, headers=guest.key(3))
    assert guest.get(table).json()["you"]["chips_cents"] == 100_000
    assert guest.post(f"{table}/deal").json()["error"]["clause"] == "KO52-3"


def test_a_lost_answer_is_given_again_and_moves_nothing(room: CardRoom) -> None:
    guest = room.client()
    table = own_table(guest)
    body = {"stakes": {"round-3": 1000}}
    first = guest.put(f"{table}/wagers", json=body, headers=guest.key(1))
    guest.post(f"{table}/deal")
    until_over(guest, table, 1)
    again = guest.put(f"{table}/wagers", json=body, headers=guest.key(1))
    assert again.json() == first.json()
    assert guest.get(table).json()["you"]["stakes"] == {}


def test_what_cannot_be_staked_is_refused_and_takes_nothing(room: CardRoom) -> None:
    guest = room.client()
    table = own_table(guest)
    for number, stakes in enumerate([{"round-1": 50}, {"round-1": 50_100}, {"round-9": 100}, {}]):
        answer = guest.put(f"{table}/wagers", json={"stakes": stakes}, headers=guest.key(number))
        assert answer.status_code in (400, 422), stakes
    full = {f"round-{n}": 50_000 for n in (1, 2, 3)}
    assert guest.put(f"{table}/wagers", json={"stakes": full}, headers=guest.key(9)).status_code == 409
    assert guest.get(table).json()["you"]["chips_cents"] == 100_000


def test_two_players_share_a_game_and_each_sees_their_own_chips(room: CardRoom) -> None:
    ann, bob = room.client(), room.client()
    table = own_table(ann)
    ann.put(f"{table}/wagers", json={"stakes": {"round-1": 500}}, headers=ann.key(1))
    bob.put(f"{table}/wagers", json={"stakes": {"round-2": 500}}, headers=bob.key(1))
    ann.post(f"{table}/deal")
    waiting = bob.get(table).json()
    assert waiting["phase"] == "open"
    assert [player["ready"] for player in waiting["players"]] == [True, False]
    assert waiting["you"]["stakes"] == {"round-2": 500}
    bob.post(f"{table}/deal")
    view = until_over(ann, table, 1)
    assert sorted(line["name"] for line in view["last"]["results"]) == sorted([ann.name, bob.name])
    paid = {line["name"]: line["net_cents"] for line in view["last"]["results"]}
    assert paid[ann.name] == (250 if view["last"]["outcome"] == "round-1" else -500)
    assert paid[bob.name] == (1500 if view["last"]["outcome"] == "round-2" else -500)
    assert view["you"]["chips_cents"] == 100_000 + paid[ann.name]
    assert bob.get(table).json()["you"]["chips_cents"] == 100_000 + paid[bob.name]


def test_the_deal_comes_by_itself_when_one_player_does_not_ask(room: CardRoom) -> None:
    ann, bob = room.client(), room.client()
    table = own_table(ann)
    for guest in (ann, bob):
        guest.put(f"{table}/wagers", json={"stakes": {"round-1": 500}}, headers=guest.key(1))
    ann.post(f"{table}/deal")
    assert until_over(bob, table, 1)["last"]["your_stake_cents"] == 500


def test_nothing_hidden_is_in_any_answer_before_its_time(tmp_path: Path) -> None:
    """Every answer during a game is searched for the secret, the undealt order and the other player's id."""
    room = start(quick_settings(tmp_path, card_seconds=0.1))  # slow enough to be seen
    try:
        search_games(room)
    finally:
        room.stop()


def search_games(room: CardRoom) -> None:
    guest, other = room.client(), room.client()
    table = own_table(guest, decks=8)
    own = room.house.tables.find(Knockout52Table, table.rsplit("/", 1)[1])
    seen = 0
    for game in range(1, 20):
        heard: list[str] = []
        for one in (other, guest):
            body = {"stakes": {"round-1": 100}}
            heard.append(one.put(f"{table}/wagers", json=body, headers=one.key(game)).text)
            heard.append(one.post(f"{table}/deal").text)
        answer = guest.get(table)
        while (view := answer.json())["game"] == game:
            heard += [
                answer.text,
                guest.get("/api/v1/knockout-52/tables").text,
                guest.get("/api/v1/session").text,
            ]
            if view["phase"] == "dealing" and view["cards"]:
                seen += 1
            answer = guest.get(table)
        assert own.last is not None
        proof = json.loads(own.last.record)
        everything = "\n".join(heard)
        assert proof["secret"] not in everything
        assert other_id(other) not in everything
        assert "secret" not in everything
        assert "sealed" not in everything
        if seen >= 5:
            return
    raise AssertionError("no game was seen while it was dealt")


def other_id(guest: Guest) -> str:
    value: str = guest.cookies["cardroom_guest"]
    return value.partition(".")[0]


@pytest.mark.requirement("R-44", "R-45", "R-48")
def test_a_game_goes_on_after_the_server_was_away(tmp_path: Path) -> None:
    settings = quick_settings(tmp_path, card_seconds=60.0)
    room = start(settings)
    guest = room.client()
    before, attempts = guest.get(TABLE).json(), 0
    while before["phase"] == "open":  # a first card that matches ends the game at once: then another one
        attempts += 1
        body = {"stakes": {"all-the-way": 700}}
        guest.put(f"{TABLE}/wagers", json=body, headers=guest.key(attempts))
        guest.post(f"{TABLE}/deal")
        before = wait_until(guest, lambda view: view["phase"] == "dealing")
        guest.post(f"{TABLE}/deal")  # one card at once
        before = wait_until(guest, lambda view: view["phase"] == "open" or len(view["cards"]) == 1)
    with room.house.database.read() as connection:
        in_play = all_balances(connection, prefix="play:")
    assert in_play == {"play:knockout-52:willow": 700}
    room.stop()

    room = start(quick_settings(tmp_path))
    try:
        guest.base_url = room.url
        view = until_over(guest, TABLE, attempts)
        game = guest.get(f"/api/v1/knockout-52/games/{view['last']['id']}").json()
        assert game["card_texts"][: len(before["cards"])] == before["cards"]
        assert game["proof"]["commitment"] == before["commitment"]
        net = sum(line["net_cents"] for line in guest.get("/api/v1/session/history").json()["rounds"])
        assert view["you"]["chips_cents"] == 100_000 + net
        with room.house.database.read() as connection:
            assert ledger_faults(connection) == []
            assert all_balances(connection, prefix="play:")["play:knockout-52:willow"] == 0
            assert sum(all_balances(connection).values()) == 0
    finally:
        room.stop()
