"""A table of one's own on the web: any house options, computer players, a speed; and who is told what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardroom.store.ledger import all_balances, ledger_faults
from cardroom.table.running import PACES
from cardroom.table.twentyone.running import TwentyOneTable
from tests.web.conftest import CardRoom, quick_settings, start
from tests.web.test_floor import own_table, play_round, wait_for_spot
from tests.web.test_operations import enter
from tests.web.test_table_api import Seat, rehearsal


async def stands(_game: Any) -> dict[str, Any]:
    """An adviser who needs no solver: standing is worth most."""
    return {"values": [{"action": "stand", "value": 0.5}, {"action": "no insurance", "value": 0.0}]}


@pytest.fixture
def quick_thinkers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardroom.web.live.tables.advise", stands)


def open_own(room: CardRoom, **wanted: Any) -> Any:
    guest = room.client()
    return guest, guest.post("/api/v1/tables", json=wanted, headers={"Idempotency-Key": "own-table-1"})


@pytest.mark.usefixtures("quick_thinkers")
def test_a_table_with_house_options_company_and_a_speed(tmp_path: Path) -> None:
    with rehearsal(tmp_path, 3) as room:
        options = {"decks": 2, "limits.min": "2.00", "limits.max": "50.00", "blackjack_pays": "6:5"}
        guest, answer = open_own(room, game="blackjack", options=options, computers=3, speed="fast")
        assert answer.status_code == 201, answer.text
        seat = Seat(guest, answer.json()["table"])
        view = seat.until(lambda view: view["shoe"]["commitment"])
        assert (view["private"], view["speed"]) == (True, "fast")
        assert [spot["player"] for spot in view["spots"] if spot["computer"]] == ["Carl", "Blaise", "Ada"]
        listed = guest.get("/api/v1/tables").json()["tables"]
        own = next(one for one in listed if one["yours"])
        assert (own["players"], own["free_spots"]) == (0, 4)  # people alone are counted
        table = room.house.tables.find(TwentyOneTable, own["table"])
        settings = quick_settings(tmp_path)
        assert table.decision_seconds == settings.decision_seconds * PACES["fast"].decisions
        assert seat.wager(1, 1000).status_code == 200
        assert seat.wager(7, 1000).json()["error"]["clause"] == "PROC-3"  # a computer player's spot
        seat.deal()
        view = seat.play_out()
        assert [spot["player"] for spot in view["round"]["spots"]][1:] == ["Carl", "Blaise", "Ada"]
        assert [one["name"] for one in view["last"]["results"]] == [view["you"]["name"]]
        chief = room.client()
        enter(chief, room.house)
        told = chief.get(f"/api/v1/operations/floor/rounds/{view['last']['id']}").json()["happened"]
        said = [one["who"] for one in told if one["what"].startswith("on spot ")]
        decided = {"Carl, a computer player", "Blaise, a computer player", "Ada, a computer player"}
        assert decided <= set(said)  # nobody says that the clock did what they did
        assert not any("clock" in who for who in said)
        with room.house.database.read() as connection:
            found = {name: cents for name, cents in all_balances(connection).items() if cents}
            assert ledger_faults(connection) == []
        assert "house:blackjack" not in found
        assert not any(name.startswith("player:computer") for name in found)
        net = view["last"]["your_net_cents"]
        assert found.get("outside:private-blackjack", 0) == -net
    with rehearsal(tmp_path, 3) as room:  # the company outlives the server
        seat.guest.base_url = room.url
        spots = seat.view()["spots"]
        assert sum(spot["computer"] for spot in spots) == 3


@pytest.mark.parametrize(
    ("wanted", "status", "why"),
    [
        ({"computers": 7}, 400, "room for 0 to 6 beside you"),
        ({"computers": -1}, 400, "computers"),
        ({"computers": 99}, 400, "computers"),
        ({"speed": "breakneck"}, 400, "speed"),
        ({"options": {"blackjack_pays": "1001:1"}}, 400, "at most 1000:1"),
        ({"options": {"colour": "red"}}, 400, "colour"),
    ],
)
def test_what_no_table_has_is_refused(room: CardRoom, wanted: dict[str, Any], status: int, why: str) -> None:
    _, answer = open_own(room, game="blackjack", **wanted)
    assert answer.status_code == status, answer.text
    assert why in answer.text


@pytest.mark.clause("PROC-3")
def test_who_loses_spots_to_somebody_who_waits_reads_it_before_and_after(tmp_path: Path) -> None:
    with rehearsal(tmp_path, 3) as room:
        ann = own_table(room.client(), **{"procedure.spots": 3})
        bob = Seat(room.client(), ann.path.rsplit("/", 1)[1])
        for spot in (1, 2, 3):
            ann.wager(spot, 400)
        ann.deal()
        ann.until(lambda view: view["phase"] == "round")
        wait_for_spot(bob)
        assert ann.view()["you"]["notices"] == [
            {
                "words": "Somebody waits for a spot: after this round you give up spot 3.",
                "clause": "PROC-3",
                "when": "before",
            }
        ]
        play_round(ann, after=0)
        view = ann.until(lambda view: view["you"]["spots"] == [1, 2])
        assert [(one["when"], one["words"]) for one in view["you"]["notices"]] == [
            ("after", "You gave up spot 3: somebody waited for it. What stood there came back.")
        ]
        assert bob.view()["you"]["spots"] == [3]


def test_a_page_that_is_closed_gives_its_spot_up_though_nobody_deals(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path, gone_seconds=0.3))
    try:
        ann = own_table(room.client())
        ann.wager(1, 400)
        view = ann.until(lambda view: not view["you"]["seated"])
        assert view["spots"][0]["player"] is None
        (notice,) = view["you"]["notices"]
        assert notice["words"].startswith("You had closed the table's page for the stated time")
        left = room.logged("TableRequestGranted").content["request"]
        assert (left["request"], left["why"]) == ("leave", "gone")
    finally:
        room.stop()


def test_a_table_of_a_known_variant(tmp_path: Path) -> None:
    with rehearsal(tmp_path, 3) as room:
        guest, answer = open_own(room, game="blackjack", variant="super-fun-21")
        assert answer.status_code == 201, answer.text
        page = guest.get(f"/tables/{answer.json()['table']}").text
        assert "Super Fun 21 by your own rules" in page
        assert '<option value="european-blackjack">European Blackjack</option>' in page
        lab = guest.get("/lab?game=spanish-21").text
        assert ">Pontoon</a>" in lab
        refused = open_own(room, game="blackjack", variant="pontoon")[1]
        assert "blackjack has no variant" in refused.text
