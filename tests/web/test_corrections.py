"""Results that two people put right: one record, one compensating entry, nothing deleted, seen everywhere."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cardroom.core.errors import MalformedInput
from cardroom.lottery.finance.report import finance_report
from cardroom.lottery.reports import check_log, day_report
from cardroom.lottery.schedule import wall_clock
from cardroom.lottery.tracing import Traces
from cardroom.records.floor import RoundCorrected
from cardroom.store.ledger import Transfer, all_balances, balance, ledger_faults
from cardroom.store.log import LogRecord, body_text
from cardroom.store.lottery import records
from cardroom.table.correction import CorrectionCheck
from cardroom.table.evidence import check_evidence
from tests.web.conftest import CardRoom, Guest
from tests.web.lottery_hall import wait_for
from tests.web.test_floor import own_table
from tests.web.test_floor_tables import FLOOR, seated, staff
from tests.web.test_operations import PASSWORD
from tests.web.test_table_api import Seat, rehearsal


def correct(guest: Guest, round_id: str, net: dict[str, int], **second: Any) -> Any:
    signed = {"name": "chief", "password": PASSWORD, **second}
    body = {"net_cents": net, "reason": "the push was taken", "second": signed}
    return guest.post(f"{FLOOR}/rounds/{round_id}/correction", json=body)


def played(room: CardRoom) -> tuple[Seat, dict[str, Any]]:
    """Somebody who has played a round at Linden, and the round as the floor sees it."""
    seat = seated(room)
    seat.deal()
    view = seat.play_out()
    return seat, view["last"]


def chips(seat: Seat) -> int:
    found: int = seat.guest.get("/api/v1/session").json()["chips_cents"]
    return found


@pytest.mark.requirement("R-25", "R-47")
def test_two_people_put_a_result_right(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        seat, last = played(room)
        before, net = chips(seat), last["your_net_cents"]
        shown = floor.get(f"{FLOOR}/rounds/{last['id']}").json()
        (line,) = shown["results"]
        player = line["player"]
        assert (line["net_cents"], line["corrected_cents"], shown["correction"]) == (net, net, None)
        answer = correct(floor, last["id"], {player: net + 400})
        assert answer.status_code == 200, answer.text
        assert chips(seat) == before + 400
        told = room.logged("RoundCorrected").content
        assert (told["by"], told["reason"]) == (["chief", "the-floor"], "the push was taken")
        assert (told["before"], told["after"]) == ({player: net}, {player: net + 400})
        assert told["transfers"] == [["house:blackjack", f"player:{player}", 400]]
        assert correct(floor, last["id"], {player: net + 400}).status_code == 409  # it is so already
        assert chips(seat) == before + 400
        assert (
            correct(floor, last["id"], {player: net}).status_code == 200
        )  # and back again, by another record
        assert chips(seat) == before
        lines = seat.guest.get("/api/v1/session/history").json()["rounds"]
        assert [(one["id"], one["net_cents"], one["corrected"]) for one in lines] == [
            (last["id"], -400, True),
            (last["id"], 400, True),
            (last["id"], net, False),
        ]
        assert "Two people of the house have put the result" in seat.guest.get(f"/rounds/{last['id']}").text
        again = floor.get(f"{FLOOR}/rounds/{last['id']}").json()
        assert (again["results"][0]["net_cents"], again["results"][0]["corrected_cents"]) == (net, net)
        with room.house.database.read() as connection:
            assert ledger_faults(connection) == []
            assert sum(all_balances(connection).values()) == 0
            assert balance(connection, f"player:{player}") == before
        evidence = check_evidence(room.log())
        assert (evidence.faults, evidence.corrections) == ([], 2)
    with rehearsal(tmp_path) as room:  # a new start knows the same
        seat.guest.base_url = room.url
        assert chips(seat) == before
        assert len(seat.guest.get("/api/v1/session/history").json()["rounds"]) == 3


def test_a_result_at_a_private_table_is_put_right_beside_the_books_of_the_house(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        seat = own_table(room.client())
        seat.wager(1, 400)
        seat.deal()
        last = seat.play_out()["last"]
        (line,) = floor.get(f"{FLOOR}/rounds/{last['id']}").json()["results"]
        player, net = line["player"], last["your_net_cents"]
        assert correct(floor, last["id"], {player: net + 400}).status_code == 200
        told = room.logged("RoundCorrected").content
        assert told["private"]
        assert told["transfers"] == [["outside:private-blackjack", f"player:{player}", 400]]
        with room.house.database.read() as connection:
            assert "house:blackjack" not in all_balances(connection)
            evidence = check_evidence(records(connection))
        assert evidence.faults == []


@pytest.mark.clause("SIDE-4")
def test_a_correction_says_why_the_meter_stays(tmp_path: Path) -> None:
    """8 percent of $5 go into the meter when the wagers are checked, and stay there."""
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        plain, last = played(room)
        assert floor.get(f"{FLOOR}/rounds/{last['id']}").json()["meters"] == []
        seat = Seat(plain.guest, "rowan")
        seat.until(lambda view: view["shoe"]["commitment"])
        body = {"stake_cents": 500, "side": {"monster-match-5": 500}}
        staked = seat.guest.put(
            "/api/v1/tables/rowan/spots/1/wagers", json=body, headers=seat.guest.key(77_001)
        )
        assert staked.status_code == 200, staked.text
        seat.deal()
        last = seat.play_out()["last"]
        shown = floor.get(f"{FLOOR}/rounds/{last['id']}").json()
        (said,) = shown["meters"]
        assert said["words"].startswith("This round put $0.40 into the meter of Monster Match")
        assert said["clause"] == "SIDE-4"
        meters = seat.view()["meters"]
        (line,) = shown["results"]
        assert correct(floor, last["id"], {line["player"]: line["net_cents"] + 400}).status_code == 200
        assert seat.view()["meters"] == meters


@pytest.mark.requirement("R-25", "R-50")
def test_what_two_people_may_not_put_right(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, chief = staff(room)
        seat, last = played(room)
        (line,) = floor.get(f"{FLOOR}/rounds/{last['id']}").json()["results"]
        player, net, before = line["player"], line["net_cents"], chips(seat)
        stake = line["stake_cents"]
        wanted = {player: net + 400}
        signatures: list[tuple[dict[str, Any], int]] = [
            ({"name": "the-floor"}, 403),  # the same person again
            ({"password": "not their password"}, 401),
            ({"name": "operator", "password": room.house.first_password}, 403),  # appointed the other
        ]
        for second, status in signatures:
            assert correct(floor, last["id"], wanted, **second).status_code == status
            refused = room.logged("OverrideRefused").content
            assert refused["what"] == f"correct round {last['id']}"
        assert correct(chief, last["id"], wanted, name="the-floor").status_code == 403  # floor alone, twice
        assert correct(floor, last["id"], {player: -stake - 1}).status_code == 400  # no more than was staked
        assert correct(floor, last["id"], {"f" * 32: 400}).status_code == 400  # did not play
        assert correct(floor, "linden-999", wanted).status_code == 404
        assert correct(room.client(), last["id"], wanted).status_code == 401
        assert chips(seat) == before
        assert "RoundCorrected" not in {record.kind for record in room.log()}


def test_chips_that_a_player_no_longer_has_do_not_go_back(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        _, last = played(room)
        (line,) = floor.get(f"{FLOOR}/rounds/{last['id']}").json()["results"]
        rich = {line["player"]: line["net_cents"] + 50_000_00}
        assert correct(floor, last["id"], rich).status_code == 200
        room.house.player(line["player"]).balance_cents = 48_000_00  # as if the rest had been played away
        answer = correct(floor, last["id"], {line["player"]: line["net_cents"]})
        assert (answer.status_code, "has $48,000.00" in answer.json()["error"]["message"]) == (409, True)


def test_a_game_of_knockout_52_is_retold_and_put_right(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        floor, _ = staff(room)
        guest, path = room.client(), "/api/v1/knockout-52/tables/willow"
        guest.put(f"{path}/wagers", json={"stakes": {"round-1": 500}}, headers=guest.key(1))
        guest.post(f"{path}/deal")
        wait_for(lambda: guest.get(path).json()["last"] is not None)
        game = guest.get(path).json()["last"]["id"]
        shown = floor.get(f"{FLOOR}/rounds/{game}").json()
        words = [(one["who"], one["what"]) for one in shown["happened"]]
        assert (guest.name, "stakes $5.00 on Round 1") in words
        laid = [what for who, what in words if what.startswith("lays ")]
        assert laid[0].endswith("on space 1")
        assert words[-1][1].startswith("ends the game: ")
        (line,) = shown["results"]
        wanted = line["net_cents"] + 100
        assert correct(floor, game, {line["player"]: wanted}).status_code == 200
        again = floor.get(f"{FLOOR}/rounds/{game}").json()["results"][0]
        assert (again["net_cents"], again["corrected_cents"]) == (line["net_cents"], wanted)
        evidence = check_evidence(room.log())
        assert (evidence.faults, evidence.corrections) == ([], 1)
        assert "put right by the house" in guest.get("/you").text


def test_a_correction_is_in_the_report_of_its_day_and_traced(tmp_path: Path) -> None:
    with rehearsal(tmp_path, lottery=True) as room:
        wait_for(lambda: room.house.lottery is not None)
        floor, _ = staff(room)
        _, last = played(room)
        (line,) = floor.get(f"{FLOOR}/rounds/{last['id']}").json()["results"]
        assert correct(floor, last["id"], {line["player"]: line["net_cents"] + 400}).status_code == 200
        assert room.house.lottery is not None
        lottery = room.house.lottery.lottery
        wait_for(lambda: check_log(lottery).faults == ())
        today = wall_clock(lottery.rules, room.house.now()).date()
        section = finance_report(lottery, today).section("corrections")
        assert section.rows[0][0] == last["id"]
        assert section.rows[0][2:] == ("chief and the-floor", "the push was taken", 400, 0)
        told = day_report(lottery, today.isoformat())["results_put_right"]
        assert told == {"rounds": 1, "to_players_cents": 400, "from_players_cents": 0}
        yesterday = today - timedelta(days=1)
        assert day_report(lottery, yesterday.isoformat())["results_put_right"]["rounds"] == 0


GOOD = RoundCorrected(
    round="linden-1",
    table="linden",
    game="blackjack",
    by=["ann", "bob"],
    appointed={"ann": "x", "bob": "x"},
    reason="the push was taken",
    before={"a1": -400, "b2": 0},
    after={"a1": 0, "b2": -100},
)
MOVES = [Transfer("house:blackjack", "player:a1", 400), Transfer("player:b2", "house:blackjack", 100)]


def as_logged(record: RoundCorrected, moves: list[Transfer]) -> LogRecord:
    content = record.content()
    content["transfers"] = [[move.source, move.target, move.amount_cents] for move in moves]
    return LogRecord(1, "2025-06-14T19:00:00.000000Z", record.kind, body_text(content), "0" * 64)


def with_changes(**changes: Any) -> RoundCorrected:
    return msgspec.structs.replace(GOOD, **changes)


@pytest.mark.parametrize(
    ("record", "moves"),
    [
        (with_changes(by=["ann", "ann"]), MOVES),
        (GOOD, MOVES[:1]),
        (GOOD, [replace(MOVES[0], amount_cents=500), MOVES[1]]),
        (GOOD, [*MOVES, Transfer("player:a1", "player:c3", 5)]),
        (with_changes(after={"a1": 0, "b2": 0}), MOVES),
    ],
)
def test_a_correction_whose_money_is_not_what_it_says_is_found_by_both_readings(
    record: RoundCorrected, moves: list[Transfer]
) -> None:
    assert Traces().feed([as_logged(GOOD, MOVES)]).faults() == []
    CorrectionCheck().take(GOOD, MOVES)
    assert Traces().feed([as_logged(record, moves)]).faults() != []
    with pytest.raises(MalformedInput, match="linden-1"):
        CorrectionCheck().take(record, moves)


def test_a_correction_starts_from_the_result_before_it() -> None:
    check = CorrectionCheck()
    check.take(GOOD, MOVES)
    with pytest.raises(MalformedInput, match="another result"):
        check.take(GOOD, MOVES)
