"""What is over lasts: old rounds by their links, and the coach's books, also after a new start."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from cardroom.core.cards import parse_cards
from cardroom.engine import twentyone as engine
from cardroom.engine.twentyone import SpotWager
from cardroom.lab.advice import advice, solved
from cardroom.lab.judging import Books, judged_round
from cardroom.rules.round_head import RulesForm
from cardroom.web import coach, past
from tests.twentyone import house
from tests.web.conftest import CardRoom
from tests.web.shoes import is_hard_20_against_6, number_for
from tests.web.test_floor import play_round
from tests.web.test_table_api import Seat, rehearsal

KNOCKOUT = "/api/v1/knockout-52"


def three_rounds(room: CardRoom) -> Seat:
    seat = Seat.own(room.client(), "blackjack")
    for _ in range(3):
        seat.wager(1, 400)
        play_round(seat)
    return seat


def rounds_of(seat: Seat) -> list[str]:
    return [line["id"] for line in seat.guest.get("/api/v1/session/history").json()["rounds"]]


def shown(seat: Seat, round_id: str) -> dict[str, Any]:
    answer = seat.guest.get(f"/api/v1/tables/rounds/{round_id}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.requirement("R-39")
def test_a_round_that_is_no_longer_at_hand_is_read_from_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "_AT_HAND", 1)
    with rehearsal(tmp_path) as room:
        seat = three_rounds(room)
        played = rounds_of(seat)
        assert len(played) == 3
        before = [shown(seat, one) for one in played]
        assert [one["number"] for one in before] == [3, 2, 1]
        assert [one["id"] for one in before] == played
        for one in played:
            assert seat.guest.get(f"/rounds/{one}", headers={"Accept": "text/html"}).status_code == 200
        stranger = room.client().get(f"/api/v1/tables/rounds/{played[0]}").json()
        assert stranger["your_net_cents"] is None  # a link may be shared; whose round it was is not told
        assert seat.guest.get("/api/v1/tables/rounds/linden-999").status_code == 404
    with rehearsal(tmp_path) as room:
        seat.guest.base_url = room.url
        assert [shown(seat, one) for one in played] == before


def test_an_old_game_of_knockout_52_is_read_from_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "_AT_HAND", 1)
    with rehearsal(tmp_path, card_seconds=0.0) as room:
        guest = room.client()
        answer = guest.post(f"{KNOCKOUT}/tables", json={"decks": 1}, headers=guest.key(1))
        table = answer.json()["table"]
        games = []
        for number in (1, 2):
            body = {"stakes": {"round-1": 500, "all-the-way": 100}}
            guest.put(f"{KNOCKOUT}/tables/{table}/wagers", json=body, headers=guest.key(10 + number))
            guest.post(f"{KNOCKOUT}/tables/{table}/deal")
            deadline = time.monotonic() + 300
            while (found := guest.get(f"{KNOCKOUT}/games/{table}-{number}")).status_code != 200:
                assert time.monotonic() < deadline, "the game does not end"
            games.append(found.json())
        again = [guest.get(f"{KNOCKOUT}/games/{table}-{number}").json() for number in (1, 2)]
        assert again == games
        assert again[0]["your_stake_cents"] == 600
        assert guest.get(f"/rounds/{table}-1", headers={"Accept": "text/html"}).status_code == 200


@pytest.mark.requirement("R-44")
def test_the_coachs_books_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = number_for("players-edge-21", is_hard_20_against_6)
    with rehearsal(tmp_path, number) as room:
        seat = Seat.own(room.client(), "players-edge-21")
        seat.wager(1, 1000)
        seat.deal()
        seat.act("surrender")
        seat.turn()
        books = seat.books()
        assert room.logged("RoundJudged").content["table"] == seat.path.rsplit("/", 1)[1]
        assert (books["rounds"], books["decisions"], books["mistakes"], books["net_cents"]) == (1, 1, 1, -500)
    monkeypatch.setattr(coach, "_BOOKS_AT_HAND", 0)
    monkeypatch.setattr(coach.Coach, "apply", lambda *_: None)  # nothing at hand: all of it from the log
    with rehearsal(tmp_path, number) as room:
        seat.guest.base_url = room.url
        assert seat.guest.get(f"{seat.path}/coach").json() == books


def test_a_round_that_was_not_judged_is_judged_after_a_new_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken, rehearsal(tmp_path) as room:

        async def nothing(*_: object) -> None:
            return None

        broken.setattr(type(room.house.judging), "_judge", nothing)
        seat = three_rounds(room)
        assert seat.guest.get(f"{seat.path}/coach").json()["rounds"] == 0
    with rehearsal(tmp_path) as room:
        seat.guest.base_url = room.url
        assert seat.books(3)["rounds"] == 3
        assert len([one for one in room.log() if one.kind == "RoundJudged"]) == 3
        for one in [one for one in room.log() if one.kind == "RoundJudged"]:
            assert list(one.content["books"]) == [seat.guest.cookies["cardroom_guest"].partition(".")[0]]


def test_a_round_in_the_books_by_hand() -> None:
    """Cards by hand: Ann doubles 11 against a six, as she should; Bob hits a hard 20 and busts."""
    rules = house("blackjack")
    game, _ = engine.start(rules, [SpotWager(1, "Ann", 400), SpotWager(2, "Bob", 800)])
    game, _ = engine.play(game, parse_cards("6c Tc 6d 5c Kc 9d"))  # Ann 11, Bob 20, six up, nine under it
    ann = advice(game)
    game, _ = engine.play(game, [engine.Action.DOUBLE, *parse_cards("9c")])
    bob = advice(game)
    game, _ = engine.play(game, [engine.Action.HIT, *parse_cards("2d"), *parse_cards("Td")])
    assert game.phase is engine.Phase.OVER
    assert ann is not None
    assert bob is not None
    assert ann.best.option is engine.Action.DOUBLE
    value = solved(rules).expected_value
    cost = bob.cost_cents(engine.Action.HIT)
    assert cost is not None
    assert cost > 800  # from an almost sure win to an almost sure loss
    assert judged_round(engine.format_round(game, RulesForm.APART), rules.canonical_text()) == {
        "Ann": Books(1, 1, 1, 0, 0.0, 400 * value, 800),
        "Bob": Books(1, 1, 1, 1, cost, 800 * value, -800),
    }
