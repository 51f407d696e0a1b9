"""Lost tickets and large prizes on the command line, each step signed by accounts."""

from __future__ import annotations

import json

import pytest

from tests.lottery_house import pacific
from tests.unit.test_cli_operators import PEOPLE, Desk, desk

__all__ = ["desk"]


def settle(desk: Desk) -> None:
    for moment in ("11:20:30", "11:21:00"):
        desk.clock.moment = pacific(f"2025-06-14 {moment}")
        assert desk.run("advance")[0] == 0


@pytest.mark.slow
@pytest.mark.requirement("R-25")
def test_a_lost_ticket_from_the_look_up_to_a_new_print(desk: Desk) -> None:
    ticket = desk.sold()
    anna, two = desk.signed("anna"), desk.signed(*PEOPLE)
    assert "signed by one operator" in desk.run("lost", "--draw", "1")[2]
    assert "say the draw, or the terminal and" in desk.run("lost", "--terminal", "cli", *anna)[2]
    when = ("--sold-from", "2025-06-14 09:59", "--sold-until", "2025-06-14 10:01")
    (found,) = json.loads(desk.run("lost", "--terminal", "cli", *when, "--json", *anna)[1])
    assert (found["id"], found["draw"]) == (ticket["id"], 1)
    assert set(found) == {"schema_version", "id", "draw", "terminal", "sold_at", "stopped"}
    assert ticket["id"] in desk.run("lost", "--draw", "1", *anna)[1]
    assert "no ticket fits" in desk.run("lost", "--draw", "2", *anna)[1]
    assert "is not a time" in desk.run("lost", "--terminal", "cli", "--sold-from", "noon", *anna)[2]
    assert desk.run("stop", ticket["id"], "--reason", "lost on the bus", *anna)[0] == 0
    assert "takes two people" in desk.run("reissue", ticket["id"], "--reason", "lost", *anna)[2]
    folder = desk.folder / "paper"
    code, out, _ = desk.run(
        "reissue", ticket["id"], "--reason", "she told its hands", "--pdf", str(folder), "--json", *two
    )
    assert code == 0
    (anew,) = json.loads(out)
    assert (anew["print"], anew["control_number"]) == (2, ticket["control_number"])
    assert [path.suffix for path in folder.iterdir()] == [".pdf"]
    (record,) = desk.records("TicketReissued")
    assert record.content["by"] == ["anna", "ben"]
    settle(desk)
    assert desk.run("claim", ticket["control_number"], "--code", ticket["code"])[1] == "void print\n"
    assert desk.run("stop", ticket["id"], "--reason", "lost again", *anna)[0] == 0
    assert desk.run("lift", ticket["id"], "--reason", "found again", *two)[0] == 0
    assert desk.run("claim", anew["control_number"], "--code", anew["code"])[0] == 0
    assert "all in order" in desk.run("verify")[1]


@pytest.mark.slow
def test_a_large_prize_waits_for_an_approval(desk: Desk) -> None:
    ticket = desk.sold()
    anna = desk.signed("anna")
    assert "from an amount between" in desk.run("approval-from", "0", *anna)[2]
    assert "$45.00 or more" in desk.run("approval-from", "45", *anna)[1]
    settle(desk)
    claim = ("claim", ticket["control_number"], "--code", ticket["code"])
    code, out, err = desk.run(*claim)
    assert (code, out) == (1, "waits for approval\n")
    assert f"cardroom lottery approve {ticket['id']}" in err
    assert json.loads(desk.run("approvals", "--json")[1])["waiting"][0]["ticket"] == ticket["id"]
    assert "$45.00" in desk.run("approvals")[1]
    approve = ("approve", ticket["id"], "--reason", "the paper is good")
    assert "signed by one operator" in desk.run(*approve)[2]
    assert "declined" in desk.run(*approve, "--decline", *anna)[1]
    assert desk.run(*claim)[1] == "not approved\n"
    assert "approved" in desk.run(*approve, *anna)[1]
    assert desk.run(*claim)[:2] == (0, "paid: prize of $45.00\n")
    assert "all in order" in desk.run("verify")[1]
