"""A database of an earlier version is upgraded, and the house opens on it, also after rules have changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.lottery.claims import pay_prize
from cardroom.lottery.clock_care import change_zone_data
from cardroom.lottery.reports import check_log
from cardroom.lottery.sales import reprint
from cardroom.rules import load_rules
from cardroom.store.migrate import NEWEST, open_database
from cardroom.web.house import House
from cardroom.web.players.saved import saved_player
from tests.databases import HandClock, Postgres
from tests.golden_house import VERSIONS, GoldenSet, package
from tests.web.conftest import start
from tests.web.test_restart import everything
from tools.golden_evening import ANN, BOB, lottery_of, settings_of

__all__ = ["package"]
BEFORE_ARCHIVES = "0004"


@pytest.fixture(params=VERSIONS)
def golden(request: pytest.FixtureRequest, package: str) -> GoldenSet:
    assert package
    return GoldenSet(request.param)


@pytest.fixture(params=["sqlite", "sqlite, by migrations", "postgresql, by migrations"])
def golden_url(request: pytest.FixtureRequest, golden: GoldenSet, tmp_path: Path) -> str:
    """A database that a version left behind."""
    if request.param == "sqlite":
        return golden.sqlite(tmp_path)
    if request.param == "sqlite, by migrations":
        return golden.of_an_earlier_revision(f"sqlite:///{tmp_path / 'made.sqlite3'}", BEFORE_ARCHIVES)
    postgres: Postgres = request.getfixturevalue("postgres")
    return golden.of_an_earlier_revision(postgres.bare(), BEFORE_ARCHIVES)


@pytest.mark.requirement("R-44")
def test_the_house_opens_on_yesterdays_database(golden: GoldenSet, golden_url: str) -> None:
    settings, clock = settings_of(golden_url), HandClock(golden.now)
    opened = House(settings, clock=clock)
    assert opened.first_password is None  # the operator of yesterday may log in
    before = everything(opened.memory, [ANN, BOB])
    assert opened.player(ANN).name == "Ann"
    assert saved_player(opened.player(BOB))
    opened.checkpoints.discard()
    opened.database.close()
    anew = House(settings, clock=clock)
    assert everything(anew.memory, [ANN, BOB]) == before
    played = {record.content["round"] for record in golden.log() if record.kind == "TwentyOneRoundEnded"}
    for round_id in played:
        assert anew.past.read(round_id) is not None
    anew.database.close()


def test_the_lottery_goes_on(golden: GoldenSet, golden_url: str) -> None:
    """Everything agrees with the log, and the tickets are those that were printed."""
    with open_database(golden_url, HandClock(golden.now)) as database:
        with database.engine.connect() as connection:
            assert connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == NEWEST
        lottery = lottery_of(database)
        assert check_log(lottery).faults == ()
        change_zone_data(lottery, by=["ann"])  # this machine's are newer
        for ticket in golden.lines("tickets.jsonl"):
            assert reprint(lottery, ticket["id"]).text() == ticket["text"]
            answer = pay_prize(
                lottery, ticket["control_number"], ticket["code"], terminal="t", key=f"again-{ticket['id']}"
            )
            assert answer.verdict in {"paid already", "no prize", "expired", "not yet drawn"}
        assert check_log(lottery).faults == ()


def test_the_server_starts_and_shows_yesterdays_rounds(
    golden: GoldenSet, tmp_path: Path, package: str
) -> None:
    room = start(settings_of(golden.sqlite(tmp_path)), HandClock(golden.now))
    try:
        guest = room.client()
        for record in golden.log():
            if record.kind == "TwentyOneRoundEnded":
                round_id = record.content["round"]
                assert guest.get(f"/rounds/{round_id}", headers={"Accept": "text/html"}).status_code == 200
        decks = room.house.memory.tables["alder"].rules.flat()["decks"]
        assert decks == 6  # as it was opened, whatever the default is now
        assert load_rules("spanish-21").flat()["decks"] == (6 if package == "today" else 8)
    finally:
        room.stop()
