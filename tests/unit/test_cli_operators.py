"""Operators of the command line are accounts with passwords: `Anna` and `"Anna "` are not two people."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from cardroom.cli import main
from cardroom.core.errors import Conflict
from cardroom.fair.entropy import OperatingSystem
from cardroom.fair.sealing import seal_secret
from cardroom.lottery.clock import SystemClock
from cardroom.lottery.house import Lottery
from cardroom.lottery.overrides import override_draw
from cardroom.lottery.vault import FileVault
from cardroom.records.house import LoggedOut, SecondFactorSet
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.store.database import explained
from cardroom.store.ledger import PLAYERS, Transfer
from cardroom.store.log import LogRecord
from cardroom.store.migrate import open_database
from cardroom.web.security.totp import STEP_SECONDS, code_at
from cardroom.web.settings import key_for
from tests.databases import HandClock
from tests.lottery_house import pacific

PEOPLE = ("anna", "ben")
Run = Callable[..., tuple[int, str, str]]


class Desk:
    """A house that is run by commands alone."""

    def __init__(self, url: str, folder: Path, clock: HandClock, capsys: pytest.CaptureFixture[str]) -> None:
        self.url, self.folder, self.clock, self._capsys = url, folder, clock, capsys

    def run(self, *arguments: str, lottery: bool = True) -> tuple[int, str, str]:
        where = ["--database", self.url]
        if lottery:
            where += ["--vault", str(self.folder / "vault")]
        code = main(["lottery" if lottery else "operators", *arguments, *where])
        captured = self._capsys.readouterr()
        return code, captured.out, captured.err

    def verified(self, record: Path) -> tuple[int, str]:
        """What `cardroom verify draw` says of a file in its last line."""
        code = main(["verify", "draw", str(record)])
        return code, self._capsys.readouterr().out.splitlines()[-1].strip()

    def operators(self, *arguments: str) -> tuple[int, str, str]:
        return self.run(*arguments, lottery=False)

    def file(self, name: str, password: str | None = None) -> str:
        """A file with somebody's password."""
        path = self.folder / f"{name.strip()}.password"
        if password is not None or not path.exists():
            path.write_text((password or f"the password of {name}") + "\n", "utf-8")
        return str(path)

    def signed(self, *names: str) -> list[str]:
        """The options by which some people sign."""
        return [word for name in names for word in ("--by", name, "--password-file", self.file(name))]

    def found(self, *names: str) -> None:
        files = [word for name in names for word in ("--new-password-file", self.file(name))]
        assert self.operators("found", *names, *files)[0] == 0

    def records(self, *kinds: str) -> list[LogRecord]:
        with open_database(self.url, self.clock) as database, database.read() as connection:
            return list(rows.records(connection, kinds=list(kinds)))

    def sold(self) -> dict[str, Any]:
        code, out, _ = self.run("sell", "--json")
        assert code == 0
        (ticket,) = json.loads(out)
        return dict(ticket)


@pytest.fixture
def desk(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Desk:
    """Anna and Ben founded the house two days ago; a day of draws is open."""
    clock = HandClock(pacific("2025-06-12 10:00"))
    monkeypatch.setattr(SystemClock, "now", lambda _self: clock.moment)
    found = Desk(sqlite_url, tmp_path, clock, capsys)
    found.found(*PEOPLE)
    clock.moment = pacific("2025-06-14 10:00")
    assert found.run("open-day", *found.signed("anna"))[0] == 0
    return found


@pytest.mark.slow
@pytest.mark.requirement("R-25", "R-47")
def test_two_people_call_a_draw_off_and_a_switch_stops_sales(desk: Desk) -> None:
    ticket = desk.sold()
    assert desk.run("void", "1", "--reason", "fire", *desk.signed(*PEOPLE))[0] == 0
    assert desk.run("check", ticket["control_number"])[1] == "prize of $5.00\n"
    (overridden,) = desk.records("DrawOverridden")
    assert overridden.content["by"] == ["anna", "ben"]
    assert set(overridden.content["appointed"].values()) == {"the founding of the house"}
    record = desk.folder / "draw-1.json"
    record.write_text(desk.run("record", "1")[1], "utf-8")
    assert desk.verified(record) == (0, "every ticket's price is returned: 1 ticket, $5.00")
    code, out, _ = desk.run("report", "1")
    assert code == 0
    assert re.search(r"^called off: returned +\$5\.00 *$", out, re.MULTILINE)
    code, out, _ = desk.run("report", "2025-06-14")
    assert re.search(r"^traced: with payment +1 *$", out, re.MULTILINE)
    assert desk.run("switch", "all", "--off", "--reason", "fire", *desk.signed("anna"))[0] == 0
    (switched,) = desk.records("PlayDisabled")
    assert (switched.content["by"], switched.content["reason"]) == ("anna", "fire")
    assert "switched off" in desk.run("sell")[2]
    assert desk.run("switch", "all", "--on", *desk.signed("ben"))[0] == 0
    assert desk.run("sell")[0] == 0
    assert "cannot be switched" in desk.run("switch", "everything", "--off", *desk.signed("anna"))[2]


def test_the_report_of_a_day_names_a_ticket_whose_payment_went_back(desk: Desk) -> None:
    ticket = desk.sold()
    refund = [Transfer("draw:1:sales", PLAYERS, 500)]
    with open_database(desk.url, desk.clock) as database:
        database.write(lambda unit: unit.record(LoggedOut(name="refund"), refund))
    code, out, _ = desk.run("report", "2025-06-14")
    assert code == 1
    assert f"ticket {ticket['id']} of draw 1, {PLAYERS}: no payment stands for it" in out


@pytest.mark.slow
def test_a_draw_is_held_released_and_drawn_by_hand(desk: Desk) -> None:
    desk.sold()
    two = desk.signed(*PEOPLE)
    assert desk.run("hold", "1", "--reason", "a light is red", *two)[0] == 0
    assert desk.run("release", "1", "--reason", "it is green", *two)[0] == 0
    assert "not held" in desk.run("release", "1", "--reason", "again", *two)[2]
    (refused,) = desk.records("OverrideRefused")
    assert refused.content["why"] == "draw 1 is not held"
    desk.clock.moment = pacific("2025-06-14 11:20:30")
    assert desk.run("close", "1")[0] == 0
    assert "not due before" in desk.run("draw", "1")[2]
    assert desk.run("draw", "1", "--manual", "--reason", "the wall is dark", *two)[1].startswith("draw 1: ")
    (drawn,) = desk.records("DrawDrawn")
    assert (drawn.content["operators"], drawn.content["manual"]) == (["anna", "ben"], True)


@pytest.mark.slow
@pytest.mark.requirement("R-25")
@pytest.mark.parametrize(
    ("names", "why"),
    [
        (("anna",), "takes two people, and 1 signed for it"),
        (("anna", "anna"), "the second one is somebody else"),
        (("anna", "anna "), "'anna ' did not sign"),
        (("anna", "Anna"), "'Anna' did not sign"),
        (("anna", "ben", "carl"), "takes two people, and 3 signed for it"),
        (("anna", "nobody"), "'nobody' did not sign: the name, the password or the code is wrong"),
    ],
)
def test_one_person_is_not_two(desk: Desk, names: tuple[str, ...], why: str) -> None:
    code, out, err = desk.run("void", "1", "--reason", "fire", *desk.signed(*names))
    assert (code, out) == (2, "")
    assert why in err
    assert len(err.splitlines()) == 1
    assert desk.records("DrawVoided") == []


def test_a_wrong_password_signs_nothing_and_is_in_the_log(desk: Desk) -> None:
    desk.file("ben", "a guess at it")
    assert "'ben' did not sign" in desk.run("void", "1", "--reason", "fire", *desk.signed(*PEOPLE))[2]
    (refused,) = desk.records("LoginRefused")
    assert refused.content["name"] == "ben"
    (override,) = desk.records("OverrideRefused")
    assert (override.content["by"], override.content["second"]) == ("anna", "ben")


def appointed(desk: Desk, name: str, *by: str, role: str = "operator") -> None:
    new = desk.file(name, "a first password of theirs")
    options = ["--role", role, "--new-password-file", new, *desk.signed(*by)]
    assert desk.operators("appoint", name, *options)[0] == 0


def chose(desk: Desk, name: str) -> None:
    own = str(desk.folder / "own")
    Path(own).write_text(f"what {name} chose\n", "utf-8")
    assert desk.operators("password", *desk.signed(name), "--new-password-file", own)[0] == 0
    desk.file(name, f"what {name} chose")


def test_whoever_was_appointed_a_moment_ago_or_by_the_other_is_no_second_person(desk: Desk) -> None:
    appointed(desk, "carl", *PEOPLE)
    void = ("void", "1", "--reason", "fire")
    assert "carl has not chosen a password yet" in desk.run(*void, *desk.signed("ben", "carl"))[2]
    chose(desk, "carl")
    assert "carl was appointed less than 24 hours ago" in desk.run(*void, *desk.signed("ben", "carl"))[2]
    desk.clock.advance(hours=25)
    assert desk.run("clock", "--accept", "--reason", "closed", *desk.signed(*PEOPLE))[0] == 0
    assert "anna appointed carl" in desk.run(*void, *desk.signed("anna", "carl"))[2]
    code, _, err = desk.run("void", "3", "--reason", "fire", *desk.signed("ben", "carl"))
    assert (code, err) == (0, "")


@pytest.mark.requirement("R-25")
def test_one_operator_does_not_make_the_two_who_sign(desk: Desk) -> None:
    for name in ("xena", "ben"):  # a new operator, or a new password for one who is there
        new = desk.file(f"new {name}", "a first password of theirs")
        code, _, err = desk.operators("appoint", name, "--new-password-file", new, *desk.signed("anna"))
        assert (code, "making or changing an operator takes two people" in err) == (2, True)
    assert [one.content["name"] for one in desk.records("OperatorAppointed")] == list(PEOPLE)
    appointed(desk, "xena", *PEOPLE)
    assert desk.records("OperatorAppointed")[-1].content["second"] == "ben"
    (xena,) = [one for one in json.loads(desk.operators("list", "--json")[1]) if one["name"] == "xena"]
    assert (xena["appointed_by"], xena["seconded_by"]) == ("anna", "ben")


def test_who_has_an_authenticator_signs_with_its_code(desk: Desk) -> None:
    secret = bytes(range(20))
    sealed = seal_secret(key_for(desk.url), secret, "anna")
    with open_database(desk.url, desk.clock) as database:
        database.write(lambda unit: unit.record(SecondFactorSet(name="anna", sealed_secret=sealed)))
    off = ("switch", "all", "--off", *desk.signed("anna"))
    assert "Code of anna's authenticator: nobody can be asked here" in desk.run(*off)[2]
    assert "write NAME=CODE" in desk.run(*off, "--code-of", "287082")[2]
    step = int(desk.clock.now().timestamp()) // STEP_SECONDS
    wrong = f"{(int(code_at(secret, step)) + 1) % 10**6:06}"
    assert "'anna' did not sign" in desk.run(*off, "--code-of", f"anna={wrong}")[2]
    assert desk.run(*off, "--code-of", f"anna={code_at(secret, step)}")[0] == 0


def test_a_role_signs_for_what_it_may_do(desk: Desk) -> None:
    appointed(desk, "dora", "anna", role="floor")
    chose(desk, "dora")
    desk.clock.advance(hours=1)
    assert desk.run("switch", "all", "--off", *desk.signed("dora"))[0] == 0
    assert (
        "the role floor may not do this"
        in desk.run("void", "1", "--reason", "x", *desk.signed("ben", "dora"))[2]
    )
    new = ("--role", "floor", "--new-password-file", desk.file("emil"))
    refused = desk.operators("appoint", "emil", *new, *desk.signed("dora"))[2]
    assert "the role floor may not do this" in refused


@pytest.mark.slow
def test_a_house_is_founded_once_and_by_two(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = HandClock()
    desk = Desk(sqlite_url, tmp_path, clock, capsys)
    assert desk.run("open-day")[0] == 0
    assert "cardroom operators found NAME NAME" in desk.run("switch", "all", "--off", *desk.signed("anna"))[2]
    files = [word for name in ("anna", "Anna") for word in ("--new-password-file", desk.file(name))]
    assert "two people or more" in desk.operators("found", "anna", *files[:2])[2]
    assert "a name of their own" in desk.operators("found", "anna", "Anna", *files)[2]
    assert "3 to 40 letters" in desk.operators("found", "anna", "anna ", *files)[2]
    short = str(tmp_path / "short")
    Path(short).write_text("short\n", "utf-8")
    files = ["--new-password-file", short, "--new-password-file", desk.file("ben")]
    assert "at least 12 characters" in desk.operators("found", "anna", "ben", *files)[2]
    assert json.loads(desk.operators("list", "--json")[1]) == []
    desk.found("anna", "ben")
    people = json.loads(desk.operators("list", "--json")[1])
    assert [(one["name"], one["appointed_by"], one["chose_password"]) for one in people] == [
        ("anna", "the founding of the house", True),
        ("ben", "the founding of the house", True),
    ]
    assert "anna" in desk.operators("list")[1]
    files = ["--new-password-file", desk.file("carl"), "--new-password-file", desk.file("emil")]
    assert "one of them appoints others" in desk.operators("found", "carl", "emil", *files)[2]


def test_nobody_who_can_be_asked_is_one_clear_line(desk: Desk) -> None:
    code, _, err = desk.run("void", "1", "--reason", "fire", "--by", "anna", "--by", "ben")
    assert code == 2
    assert err == "cardroom: Password of anna: nobody can be asked here; give --password-file FILE\n"
    missing = ["--password-file", str(desk.folder / "missing")]
    assert "cannot read the password file" in desk.run("switch", "all", "--off", "--by", "anna", *missing)[2]


def test_accounts_are_those_of_the_pages(desk: Desk) -> None:
    """The server starts on such a house without an operator of its own making, and knows its people."""
    from cardroom.web.house import House
    from cardroom.web.settings import Settings, key_for

    house = House(Settings(database=desk.url, key=key_for(desk.url), lottery=False), clock=desk.clock)
    try:
        assert house.first_password is None
        assert [one.name for one in house.operators.names()] == list(PEOPLE)
        assert house.operators.log_in("anna", "the password of anna", desk.clock.now(), "x").chose_password
    finally:
        house.database.close()


@pytest.mark.requirement("R-25")
def test_an_act_of_two_and_its_names_are_one_commit(desk: Desk) -> None:
    """Who called a draw off is never missing beside the draw that was: both are written, or neither is."""
    desk.sold()
    with open_database(desk.url, desk.clock) as database:
        lottery = Lottery(
            database,
            FileVault(desk.folder / "vault", OperatingSystem()),
            load_rules_as(Knockout21Rules, "knockout-21"),
            OperatingSystem(),
        )
        commits: list[list[str]] = []

        def listen(point: str) -> None:
            if point == "committed":
                with database.read() as connection:
                    commits.append([record.kind for record in rows.records(connection)])

        with database.read() as connection:
            before = sum(1 for _ in rows.records(connection))
        database.probe = listen
        appointed = {"anna": "the founding of the house", "ben": "the founding of the house"}
        override_draw(lottery, 1, "hold", "a light is red", appointed)
        override_draw(lottery, 1, "release", "it was a bulb", appointed)
        override_draw(lottery, 1, "void", "fire", appointed)
        with pytest.raises(Conflict, match="void already"):
            override_draw(lottery, 1, "void", "fire", appointed)
    kinds = [kinds[before:] for kinds in commits]
    assert kinds[0] == ["DrawHeld", "DrawOverridden"]
    assert kinds[1][2:] == ["DrawReleased", "DrawOverridden"]
    assert kinds[2][4:6] == ["DrawVoided", "DrawOverridden"]


def test_founders_do_not_share_a_password(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    desk = Desk(sqlite_url, tmp_path, HandClock(pacific("2025-06-14 10:00")), capsys)
    files = [desk.file(name, "one password for both") for name in PEOPLE]
    options = [word for file in files for word in ("--new-password-file", file)]
    code, _, error = desk.operators("found", *PEOPLE, *options)
    assert (code, "the same password" in error) == (2, True)
    assert desk.records("OperatorAppointed") == []


def test_of_two_files_none_is_written_where_one_cannot_be(desk: Desk) -> None:
    good, bad = desk.folder / "money.csv", desk.folder / "no-such-folder" / "money.pdf"
    code, out, error = desk.run("finance", "2025-06-14", "--csv", str(good), "--pdf", str(bad))
    assert (code, out, "cannot write" in error) == (2, "", True)
    assert not good.exists()
    code, _, error = desk.run("finance", "2025-06-14", "--csv", str(good), "--pdf", str(good))
    assert (code, "named twice" in error) == (2, True)
    assert not good.exists()


def test_what_only_reads_asks_for_no_vault_and_makes_none(desk: Desk) -> None:
    ticket = desk.sold()
    elsewhere = desk.folder / "elsewhere"
    for command in (["verify"], ["report", "1"], ["finance", "2025-06-14"], ["proof", ticket["id"]]):
        where = ["--database", desk.url, "--vault", str(elsewhere)]
        code = main(["lottery", *command, *where])
        error = desk._capsys.readouterr().err
        assert "vault" not in error
        assert code == 0 or command[0] == "proof"  # the pool is not sealed yet
    assert not elsewhere.exists()


def test_trouble_of_the_database_is_told_in_words_of_the_command_line(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_arguments: object, **_options: object) -> None:
        raise explained(OperationalError("COMMIT", {}, Exception("database or disk is full")))

    monkeypatch.setattr("cardroom.store.database.Database.write", full)
    code, _, error = desk.run("sell")
    assert code == 2
    assert "could not do it (database or disk is full); nothing was done" in error
    assert "key" not in error
