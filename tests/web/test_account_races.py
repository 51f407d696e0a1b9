"""Accounts that change at one moment: nobody makes themselves two, and nobody stays what they were."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from cardroom.core.errors import Conflict
from cardroom.store.migrate import open_database
from cardroom.web.security import operators as people
from cardroom.web.security.accounts import FOUNDING, appoint, found_house, operators_of
from cardroom.web.security.operators import Operators
from tests.attack.asking import CREDENTIALS, OPERATORS, PASSWORD, appoint_operators
from tests.databases import HandClock
from tests.web.conftest import finished
from tests.web.stage import NOON, Stage, make_quick
from tools.golden_evening import settings_of

API = "/api/v1/operations"
BOTH = {"second": {"name": OPERATORS[1], "password": PASSWORD}}
Work = Callable[[Stage], Awaitable[None]]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    make_quick(monkeypatch)


def in_house(url: str, work: Work) -> None:
    async def run() -> None:
        stage = Stage(url, HandClock(NOON))
        await stage.open()
        await work(stage)
        await stage.close()

    finished(run())


async def _enters(stage: Stage) -> None:
    """The first operator, who is alone, with a password of their own."""
    first = stage.house.first_password
    await stage.done("POST", f"{API}/login", {"name": "operator", "password": first})
    await stage.done("PUT", f"{API}/password", {"old": first, "new": PASSWORD})
    await stage.done("POST", f"{API}/login", {"name": "operator", "password": PASSWORD})


async def _at_once(stage: Stage, *appointments: dict[str, Any]) -> list[int]:
    """Appointments whose passwords are looked at and hashed at one moment: what each is answered."""
    bodies = [{"password": "a first password", **body} for body in appointments]
    together, do = asyncio.Barrier(len(bodies)), stage.house.passwords.do

    async def at_once(*work: Any) -> Any:
        answer = await do(*work)
        await together.wait()
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage.house.passwords, "do", at_once)
        asked = [stage.ask("PUT", f"{API}/operators", body) for body in bodies]
        return sorted(int(answer.status) for answer in await asyncio.gather(*asked))


def roles(stage: Stage) -> dict[str, str]:
    return {one.name: one.role for one in stage.house.operators.names()}


def test_whoever_is_alone_appoints_one_and_not_two_at_once(sqlite_url: str) -> None:
    """Two that one person has made would sign together: neither of them appointed the other."""

    async def work(stage: Stage) -> None:
        await _enters(stage)
        two = [{"name": name, "role": "operator"} for name in ("ann", "bob")]
        assert await _at_once(stage, *two) == [200, 409]
        assert sorted(roles(stage)) in (["ann", "operator"], ["bob", "operator"])

    in_house(sqlite_url, work)


def test_without_the_look_inside_the_transaction_one_person_makes_two(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: what the test above would find."""
    monkeypatch.setattr("cardroom.web.security.accounts.have_changed", lambda _unit, *, since: False)

    async def work(stage: Stage) -> None:
        await _enters(stage)
        two = [{"name": name, "role": "operator"} for name in ("ann", "bob")]
        assert await _at_once(stage, *two) == [200, 200]

    in_house(sqlite_url, work)


def test_names_that_read_alike_are_not_made_at_once(sqlite_url: str) -> None:
    async def work(stage: Stage) -> None:
        await _enters(stage)
        alike = [{"name": name, "role": "floor"} for name in ("Ann", "ann")]
        assert await _at_once(stage, *alike) == [200, 409]

    in_house(sqlite_url, work)


def test_the_last_operators_are_not_unmade_at_once(sqlite_url: str) -> None:
    """A house without an operator could never appoint one again."""

    async def work(stage: Stage) -> None:
        await appoint_operators(stage.done, stage.house.first_password)
        await stage.done("POST", f"{API}/login", CREDENTIALS)
        assert await _at_once(stage, {"name": "operator", "role": "floor", **BOTH}) == [200]
        both = [{"name": name, "role": "auditor", **BOTH} for name in OPERATORS]
        statuses = await _at_once(stage, *both)
        assert statuses == [200, 409]
        assert "operator" in roles(stage).values()

    in_house(sqlite_url, work)


def test_a_log_in_begun_before_an_account_changed_is_none(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is unmade while their password is being looked at does not stay an operator for the day."""
    with open_database(sqlite_url, HandClock(NOON)) as database:
        found_house(database, operators_of(database, settings_of(sqlite_url)), founders())
        operators = operators_of(database, settings_of(sqlite_url))
        verified = people._verified

        def meanwhile(password_hash: str, password: str) -> bool:
            operators.appoint(replace(operators.named("ann"), role="auditor", password_hash="another"))
            return verified(password_hash, password)

        monkeypatch.setattr(people, "_verified", meanwhile)
        login = operators.log_in("ann", "the password of ann", NOON, "here")
        assert operators.seen(login.token, NOON + timedelta(seconds=1)) is None


# Commands, which wait for people at the keyboard.


def founders() -> list[tuple[str, str]]:
    return [(name, f"the password of {name}") for name in ("ann", "bob")]


def alone(url: str) -> Operators:
    """The accounts of a house as a command reads them."""
    with open_database(url, HandClock(NOON)) as database:
        return operators_of(database, settings_of(url))


def test_two_commands_that_were_begun_together_do_not_appoint_two(database_url: str) -> None:
    with open_database(database_url, HandClock(NOON)) as database:
        one, other = alone(database_url), alone(database_url)
        appoint(database, one, "ann", "operator", "the password of ann", by=FOUNDING)
        with pytest.raises(Conflict, match="accounts have changed in the meantime"):
            appoint(database, other, "carl", "operator", "the password of carl", by="ann")
        appoint(database, alone(database_url), "carl", "operator", "the password of carl", by="ann")
        assert [one.name for one in alone(database_url).names()] == ["ann", "carl"]


def test_a_house_is_founded_once(database_url: str) -> None:
    with open_database(database_url, HandClock(NOON)) as database:
        one, other = alone(database_url), alone(database_url)
        found_house(database, one, founders())
        with pytest.raises(Conflict, match="somebody else has made accounts"):
            found_house(database, other, [(f"{name}.two", f"{word} too") for name, word in founders()])
        assert [one.name for one in alone(database_url).names()] == ["ann", "bob"]
