"""Seven people at one table whose browsers salt its shoes, to the next shoe and beyond."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardroom.fair import verify_record
from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import salt_hash
from tests.web.test_floor import own_table, play_round
from tests.web.test_operations import enter
from tests.web.test_table_api import Seat, rehearsal


def hash_of(view: dict[str, Any], salt: str) -> str:
    return salt_hash(Commitment.parse(view["shoe"]["commitment"]), bytes.fromhex(salt))


@pytest.mark.clause("PROC-6")
def test_a_full_table_salts_every_shoe_and_the_log_names_nobody_who_did_not_cut(tmp_path: Path) -> None:
    with rehearsal(tmp_path, None) as room:
        first = own_table(room.client(), decks=1)
        table = first.path.rsplit("/", 1)[1]
        seats = [first, *(Seat(room.client(), table) for _ in range(6))]
        number = 0
        while (view := first.view())["shoe"]["number"] < 3:
            new = view["shoe"]["number"] > number
            number = view["shoe"]["number"]
            salts = [f"{number:02x}{spot:02x}" * 16 for spot in range(1, 8)]
            for spot, seat in enumerate(seats, 1):
                hashed = hash_of(view, salts[spot - 1]) if new else ""
                body = {"stake_cents": 400, "side": {}, "salt_hash": hashed}
                path = f"{seat.path}/spots/{spot}/wagers"
                answer = seat.guest.put(path, json=body, headers=seat.key())
                assert answer.status_code == 200, answer.text
            if new:
                for seat in seats:
                    seat.deal()
                asked = first.until(lambda view: view["phase"] == "salts")["shoe"]["salts"]
                assert asked["hashes"] == [hash_of(view, salt) for salt in salts]
                late = seats[0].guest.put(
                    f"{first.path}/spots/1/wagers", json={"stake_cents": 800}, headers=first.key()
                )
                assert late.status_code == 422
                assert "no more wagers" in late.json()["error"]["message"]
                for seat, salt in zip(seats, salts, strict=True):
                    told = seat.guest.post(f"{seat.path}/salts", json={"salt": salt})
                    assert told.status_code == 200, told.text
                play_round(*seats, after=view["round_number"])
            else:
                play_round(*seats)
            first.until(lambda view: view["phase"] == "wagers")
        for shoe in (1, 2):
            answer = first.guest.get(f"{first.path}/shoes/{shoe}")
            verdict = verify_record(answer.text)
            assert (verdict.findings, verdict.remarks) == ((), ())
            assert len([one for one in verdict.fields["salts"] if one["salt"]]) == 7
        cuts = [
            record.content["request"]
            for record in room.log()
            if record.kind == "TableRequestGranted" and record.content["table"] == table
            if record.content["request"]["request"] == "cut shoe"
        ]
        assert [(cut.get("player"), cut.get("words")) for cut in cuts] == [(None, None)] * 2
        shoe = first.view()["shoe"]  # the third, which may still be cut
        assert (shoe["cut"], shoe["cut_open"]["clause"]) == ("", "PROC-6")


def test_operations_count_the_salts_that_were_not_revealed(tmp_path: Path) -> None:
    with rehearsal(tmp_path, None, reveal_seconds=0.05) as room:
        guest = room.client()
        path = "/api/v1/knockout-52/tables/willow"
        commitment = Commitment.parse(guest.get(path).json()["commitment"])
        hashed = salt_hash(commitment, bytes.fromhex("5a" * 32))
        body = {"stakes": {"round-1": 500}, "salt_hash": hashed}
        assert guest.put(f"{path}/wagers", json=body, headers=guest.key(1)).status_code == 200
        assert guest.post(f"{path}/deal").status_code == 200
        proof = json.loads(str(room.logged("Knockout52GameEnded").content["record"]))
        assert proof["salts"] == [{"hash": hashed, "salt": ""}]
        assert enter(guest, room.house).status_code == 200
        tables = guest.get("/api/v1/operations/overview").json()["tables"]
        counts = {one["table"]: (one["salts_withheld"], one["salts_revealed"]) for one in tables}
        assert counts["willow"] == (1, 0)
        page = guest.get("/operations", headers={"Accept": "text/html"}).text
        assert "willow 1 of 1" in " ".join(page.split())


def test_a_hash_or_a_salt_of_another_length_is_refused_and_no_wager_is_placed(tmp_path: Path) -> None:
    with rehearsal(tmp_path, None) as room:
        seat = own_table(room.client(), decks=1)
        for bad in ("ab", "ab" * 33, "AB" * 32, "x" * 64):
            body = {"stake_cents": 400, "salt_hash": bad}
            answer = seat.guest.put(f"{seat.path}/spots/1/wagers", json=body, headers=seat.key())
            assert answer.status_code == 400, answer.text
            assert seat.guest.post(f"{seat.path}/salts", json={"salt": bad}).status_code == 400
        assert seat.view()["spots"][0]["stake_cents"] == 0
        early = seat.guest.post(f"{seat.path}/salts", json={"salt": "ab" * 32})
        assert early.status_code == 409
        assert "when wagers are closed" in early.json()["error"]["message"]
