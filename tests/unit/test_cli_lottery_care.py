"""`cardroom lottery rules|clock|zones|correct-expiry`: from the command line, with what each refuses."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from cardroom.core import timezones
from cardroom.store.migrate import drop_triggers, open_database, write_triggers
from tests.lottery_house import pacific
from tests.unit.test_cli_operators import PEOPLE, Desk, desk

__all__ = ["desk"]
ONE_TICKET = "sales.tickets_per_draw=1"


def two(desk: Desk) -> list[str]:
    """Anna and Ben sign, and say why."""
    return [*desk.signed(*PEOPLE), "--reason", "as agreed"]


@pytest.mark.slow
def test_rules_are_set_from_a_day_on_and_every_command_reads_them(desk: Desk) -> None:
    assert "from 2025-06-14: rules" in desk.run("rules")[1]
    refusals = {
        ("--set", ONE_TICKET): "--from DAY",
        ("--from", "2025-06-15"): "--rules FILE",
        ("--from", "tomorrow", "--set", ONE_TICKET, *two(desk)): "not a day",
        ("--from", "2025-06-15", "--set", ONE_TICKET, *desk.signed("anna")): "two people",
        ("--from", "2025-06-14", "--set", ONE_TICKET, *two(desk)): "committed with their rules",
        ("--from", "2025-06-15", "--set", "sales.tickets=1", *two(desk)): "sales.tickets",
    }
    for arguments, expected in refusals.items():
        code, out, err = desk.run("rules", *arguments)
        assert (code, out) == (2, "")
        assert expected in err
    code, out, _ = desk.run("rules", "--from", "2025-06-15", "--set", ONE_TICKET, *two(desk))
    assert code == 0
    assert "from 2025-06-15" in out
    assert "sales.tickets_per_draw = 1 (the game's own: 3)" in out
    days = json.loads(desk.run("rules", "--json")[1])
    assert [(day["from"], day["rules"]["sales"]["tickets_per_draw"]) for day in days] == [
        ("2025-06-14", 3),
        ("2025-06-15", 1),
    ]
    assert desk.run("sell", "--tickets", "3")[0] == 0
    desk.clock.moment = pacific("2025-06-14 23:05")
    desk.run("advance")
    desk.clock.moment = pacific("2025-06-15 10:00")
    assert "holds 1 ticket per draw" in desk.run("sell", "--tickets", "3")[2]


@pytest.mark.slow
def test_a_day_opened_with_its_own_rules_is_followed_by_the_same(desk: Desk) -> None:
    assert "two people" in desk.run("open-day", "2025-06-15", "--set", ONE_TICKET, *desk.signed("anna"))[2]
    assert desk.run("open-day", "2025-06-15", "--set", ONE_TICKET, *desk.signed(*PEOPLE))[0] == 0
    for day in ("2025-06-14", "2025-06-15", "2025-06-16"):
        desk.clock.moment = pacific(f"{day} 23:05")
        desk.run("advance")
    desk.clock.moment = pacific("2025-06-17 10:00")
    assert "holds 1 ticket per draw" in desk.run("sell", "--tickets", "2")[2]


def test_rules_from_a_file(desk: Desk, tmp_path: Path) -> None:
    own = files("cardroom.rules").joinpath("games", "knockout-21.toml").read_text("utf-8")
    file = tmp_path / "house.toml"
    file.write_text(own.replace("interval_minutes = 7", "interval_minutes = 60"))
    code, out, err = desk.run("rules", "--from", "2025-06-15", "--rules", str(file), *two(desk))
    assert (code, err) == (0, "")
    assert "draws.interval_minutes = 60" in out


@pytest.mark.slow
def test_a_clock_that_is_a_year_ahead_does_nothing(desk: Desk) -> None:
    ticket = desk.sold()
    desk.clock.moment = pacific("2026-07-01 10:00")
    assert desk.run("check", "nonsense")[:2] == (0, "not found\n")
    for command in (["advance"], ["sell"], ["claim", ticket["control_number"], "--code", ticket["code"]]):
        code, out, err = desk.run(*command)
        assert (code, out) == (2, "")
        assert "two people accept its time: cardroom lottery clock" in err
    code, out, _ = desk.run("clock")
    assert code == 0
    assert "the clock            2026-07-01" in out
    assert "the lottery waits" in out
    desk.clock.moment = pacific("2025-06-14 10:05")
    assert desk.run("sell")[0] == 0
    assert desk.run("verify")[0] == 0


@pytest.mark.slow
def test_two_people_accept_a_clock_and_put_it_back_and_correct_what_expired(desk: Desk) -> None:
    ticket = desk.sold()
    desk.clock.moment = pacific("2025-06-14 11:20:30")
    desk.run("advance")
    desk.clock.moment = pacific("2025-06-14 11:21")
    desk.run("advance")
    desk.clock.moment = pacific("2026-07-01 10:00")
    assert "two people" in desk.run("clock", "--accept", *desk.signed("anna"), "--reason", "x")[2]
    assert "either" in desk.run("clock", "--accept", "--put-back", *two(desk))[2]
    assert desk.run("clock", "--accept", *two(desk))[1].endswith("the lottery goes on\n")
    assert "booked 1 expired prizes" in desk.run("advance")[1]
    desk.clock.moment = pacific("2025-06-14 12:00")
    assert "put the log's time right" in desk.run("sell")[2]
    assert desk.run("clock", "--put-back", *two(desk))[1].endswith("the lottery goes on\n")
    claim = ("claim", ticket["control_number"], "--code", ticket["code"])
    assert desk.run(*claim)[:2] == (1, "expired\n")
    assert desk.run("correct-expiry", "1", *two(desk))[1] == "1 prize of draw 1 can be claimed again\n"
    assert desk.run(*claim)[1].startswith("paid: prize of $")
    assert desk.run("verify")[0] == 0


def test_new_time_zones_are_taken_by_a_record(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "already" in desk.run("zones", *desk.signed("anna"))[2]
    ours = timezones.zone_data_version()
    monkeypatch.setattr(timezones, "zone_data_version", lambda: "2099z")
    code, _, err = desk.run("sell")
    assert code == 2
    assert f"the lottery's those of {ours}" in err
    assert "time zones of tzdata 2099z" in desk.run("zones", *desk.signed("anna"))[1]
    assert desk.run("sell")[0] == 0


def test_rows_are_made_anew_from_the_log(desk: Desk) -> None:
    assert "every row is what the log says" in desk.run("rebuild", *two(desk))[2]
    with open_database(desk.url, desk.clock) as database, database.engine.begin() as connection:
        connection.exec_driver_sql("INSERT INTO settings VALUES ('off:all', 'yes')")
        drop_triggers(connection)
        connection.exec_driver_sql("UPDATE rules SET text = replace(text, '\"5.00\"', '\"4.00\"')")
        write_triggers(connection)
    assert "was changed in the database" in desk.run("sell")[2]
    assert "two people" in desk.run("rebuild", *desk.signed("anna"), "--reason", "a bad disk")[2]
    code, out, _ = desk.run("rebuild", *two(desk))
    assert code == 0
    assert "settings off:all: no record of the log made it" in out
    assert "text is not what the log says" in out
    assert desk.run("sell")[0] == 0
    assert desk.run("verify")[0] == 0
