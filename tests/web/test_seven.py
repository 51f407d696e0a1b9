"""Seven people at one table, to the next shoe and beyond."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.web.test_floor import own_table, play_round
from tests.web.test_table_api import Seat, rehearsal


@pytest.mark.clause("PROC-6")
def test_a_full_table_gets_its_next_shoe_and_the_log_names_nobody_who_did_not_cut(tmp_path: Path) -> None:
    with rehearsal(tmp_path) as room:
        first = own_table(room.client(), decks=1)
        table = first.path.rsplit("/", 1)[1]
        seats = [first, *(Seat(room.client(), table) for _ in range(6))]
        while first.view()["shoe"]["number"] < 2:
            for spot, seat in enumerate(seats, 1):
                body = {"stake_cents": 400, "side": {}, "salt": f"{spot:02x}" * 32}
                path = f"{seat.path}/spots/{spot}/wagers"
                assert seat.guest.put(path, json=body, headers=seat.key()).status_code == 200
            play_round(*seats)
            first.until(lambda view: view["phase"] == "wagers")
        cuts = [
            record.content["request"]
            for record in room.log()
            if record.kind == "TableRequestGranted" and record.content["table"] == table
            if record.content["request"]["request"] == "cut shoe"
        ]
        assert [cut.get("player") for cut in cuts] == [None, None]
        assert not cuts[0].get("words")
        assert cuts[1]["words"]  # what the players' browsers gave went into the second shuffle
        assert first.view()["shoe"]["cut"] == "nobody cut: the house cuts 19 cards from the back"
