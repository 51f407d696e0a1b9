"""Operations: the login, roles, what is closed is really refused, the log and its check."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import Browser, expect

from cardroom.web.app import create_app
from cardroom.web.errors import Forbidden, NotLoggedIn
from cardroom.web.house import House
from cardroom.web.security import operators
from cardroom.web.security.accounts import operators_of
from cardroom.web.security.operators import Operator, require_two
from cardroom.web.security.totp import STEP_SECONDS, code_at
from tests.cheap_passwords import REAL_HASHER
from tests.databases import HandClock
from tests.web.conftest import CardRoom, Guest, open_screen, quick_settings, start
from tests.web.lottery_hall import wait_for
from tests.web.pictures import picture

API = "/api/v1/operations"
PASSWORD = "a long enough password"
FIRST_PASSWORD = "what the chief chose"


@pytest.fixture
def office(tmp_path: Path) -> Iterator[CardRoom]:
    clock = HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))
    found = start(quick_settings(tmp_path, lottery=True), clock)
    yield found
    found.stop()


def enter(
    guest: Guest | TestClient, house: House, name: str = "operator", password: str | None = None
) -> Any:
    """Log in, the first operator by default; who came with somebody else's password chooses one."""
    given = password or house.first_password or ""
    answer = guest.post(f"{API}/login", json={"name": name, "password": given})
    if answer.status_code == 200 and answer.json()["choose_password"]:
        chosen = f"own {given}"
        assert guest.put(f"{API}/password", json={"old": given, "new": chosen}).status_code == 200
        if password is None:
            house.first_password = chosen
        return guest.post(f"{API}/login", json={"name": name, "password": chosen})
    return answer


def appoint(guest: Guest, role: str, name: str | None = None, *, second: str | None = None) -> None:
    """Appoint somebody, who then chooses the password that the tests know."""
    person = name or f"the-{role}"
    body: dict[str, object] = {"name": person, "role": role, "password": FIRST_PASSWORD}
    if second is not None:
        body["second"] = {"name": second, "password": PASSWORD}
    assert guest.put(f"{API}/operators", json=body).status_code == 200
    own = Guest(str(guest.base_url))
    own.post(f"{API}/login", json={"name": person, "password": FIRST_PASSWORD})
    passwords = {"old": FIRST_PASSWORD, "new": PASSWORD}
    assert own.put(f"{API}/password", json=passwords).status_code == 200
    own.close()


@pytest.mark.requirement("R-54", "R-55")
def test_nobody_operates_without_a_login(office: CardRoom) -> None:
    guest = office.client()
    for method, path in [
        ("GET", "overview"),
        ("GET", "log"),
        ("POST", "log/check"),
        ("GET", "draws/1/verification"),
        ("GET", "operators"),
    ]:
        assert guest.request(method, f"{API}/{path}").status_code == 401, path
    assert (
        guest.post(f"{API}/switches", json={"what": "all", "off": True, "reason": "a test"}).status_code
        == 401
    )
    guest.cookies.set("cardroom_operator", "0" * 32)
    assert guest.get(f"{API}/overview").status_code == 401


def test_passwords_are_dear_to_guess() -> None:
    """RFC 9106 asks for argon2id with three passes over 64 MiB where memory is short."""
    real = REAL_HASHER()
    assert (real.type.name, real.time_cost, real.memory_cost, real.parallelism) == ("ID", 3, 64 * 1024, 1)
    assert operators._hasher().memory_cost == 8  # the tests' own, a thousandth of the work


def test_the_first_password_is_made_once_and_never_a_default(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path))
    first = room.house.first_password
    room.stop()
    again = start(quick_settings(tmp_path))
    try:
        assert first is not None
        assert len(first) >= 20
        assert again.house.first_password is None
        assert enter(again.client(), again.house, password=first).status_code == 200
        assert enter(again.client(), again.house, password="operator").status_code == 401
        assert first not in "".join(record.body for record in again.log())
    finally:
        again.stop()


@pytest.mark.requirement("R-54")
def test_a_page_that_looks_again_by_itself_keeps_no_log_in_alive(tmp_path: Path) -> None:
    clock = HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))
    app = create_app(quick_settings(tmp_path), clock=clock)
    with TestClient(app, base_url="http://127.0.0.1") as client:
        client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"]
        assert client.get(f"{API}/floor/watch").status_code == 401
        enter(client, app.state.house)
        answers = []
        for _ in range(3):
            clock.advance(minutes=7)
            answers.append(client.get(f"{API}/floor/watch", params={"table": "linden"}).status_code)
        assert answers == [200, 200, 401]  # after 21 minutes in which nobody did anything
        assert client.get(f"{API}/overview").status_code == 401


@pytest.mark.requirement("R-54", "R-50")
def test_repeated_failures_make_a_name_wait_and_a_login_ends_by_itself(tmp_path: Path) -> None:
    clock = HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))
    app = create_app(quick_settings(tmp_path), clock=clock)
    house: House = app.state.house
    with TestClient(app, base_url="http://127.0.0.1") as client:
        client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"]
        for _ in range(5):
            assert enter(client, house, password="wrong").status_code == 401
        assert enter(client, house).status_code == 429  # the right one, too late
        clock.advance(minutes=16)
        assert enter(client, house).status_code == 200
        assert client.get(f"{API}/overview").status_code == 200
        clock.advance(minutes=14)
        assert client.get(f"{API}/overview").status_code == 200
        clock.advance(minutes=16)
        assert client.get(f"{API}/overview").status_code == 401
        refused = [line for line in _log(house) if line == "LoginRefused"]
        assert len(refused) == 5  # who is told to wait tried no password


def _log(house: House) -> list[str]:
    from cardroom.store.lottery import records

    with house.database.read() as connection:
        return [record.kind for record in records(connection)]


@pytest.mark.requirement("R-54")
def test_each_role_does_its_own_work_and_no_more(office: CardRoom) -> None:
    chief, floor, auditor = office.client(), office.client(), office.client()
    assert enter(chief, office.house).status_code == 200
    appoint(chief, "floor")
    appoint(chief, "auditor")
    assert enter(floor, office.house, "the-floor", PASSWORD).json()["role"] == "floor"
    assert enter(auditor, office.house, "the-auditor", PASSWORD).json()["role"] == "auditor"
    close = {"what": "game:blackjack", "off": True, "reason": "a test"}
    assert auditor.post(f"{API}/switches", json=close).status_code == 403
    assert floor.get(f"{API}/log").status_code == 403
    assert floor.post(f"{API}/switches", json=close).status_code == 200
    assert auditor.get(f"{API}/log").status_code == 200
    body = {"name": "somebody", "role": "operator", "password": PASSWORD}
    assert floor.put(f"{API}/operators", json=body).status_code == 403


def test_the_last_operator_stays_one(tmp_path: Path) -> None:
    office = start(quick_settings(tmp_path))
    try:
        chief = office.client()
        assert enter(chief, office.house).status_code == 200
        body = {"name": "operator", "role": "auditor", "password": PASSWORD}
        refused = chief.put(f"{API}/operators", json=body)
        assert (refused.status_code, "is the only operator" in refused.text) == (409, True)
        appoint(chief, "operator", "another")
        second = {"name": "another", "password": PASSWORD}
        assert chief.put(f"{API}/operators", json={**body, "second": second}).is_success
    finally:
        office.stop()


@pytest.mark.requirement("R-46", "R-47")
@pytest.mark.parametrize(
    "what", ["all", "game:knockout-52", "table:willow", "game:spanish-21", "table:alder"]
)
def test_what_is_closed_is_really_refused_and_said_who_did_it(office: CardRoom, what: str) -> None:
    chief, guest = office.client(), office.client()
    enter(chief, office.house)
    answer = chief.post(f"{API}/switches", json={"what": what, "off": True, "reason": "a spilled drink"})
    assert answer.status_code == 200
    wager = {"stakes": {"round-1": 500}}
    knockout = guest.put("/api/v1/knockout-52/tables/willow/wagers", json=wager, headers=guest.key(1))
    assert (knockout.status_code == 409) == (what in ("all", "game:knockout-52", "table:willow"))
    spanish = guest.put(
        "/api/v1/tables/alder/spots/1/wagers", json={"stake_cents": 400}, headers=guest.key(2)
    )
    assert (spanish.status_code == 409) == (what in ("all", "game:spanish-21", "table:alder"))
    told = office.logged("PlayDisabled").content
    assert (told["by"], told["before"], told["after"]) == ("operator", "open", "closed")
    assert told["reason"] == "a spilled drink"
    assert (
        chief.post(f"{API}/switches", json={"what": what, "off": True, "reason": "a test"}).status_code == 409
    )
    assert (
        chief.post(f"{API}/switches", json={"what": what, "off": False, "reason": "a test"}).status_code
        == 200
    )
    body = {"stakes": {"round-2": 500}}
    again = guest.put("/api/v1/knockout-52/tables/willow/wagers", json=body, headers=guest.key(3))
    assert again.status_code == 200


@pytest.mark.requirement("R-46")
def test_a_player_and_the_terminal_can_be_closed(office: CardRoom) -> None:
    chief, guest = office.client(), office.client()
    enter(chief, office.house)
    guest.post("/api/v1/session/chips", json={"cents": 10_000}, headers=guest.key(1))
    player = guest.cookies["cardroom_guest"].partition(".")[0]
    assert (
        chief.post(
            f"{API}/switches", json={"what": f"player:{player}", "off": True, "reason": "a test"}
        ).status_code
        == 200
    )
    wager = {"stakes": {"round-1": 500}}
    refused = guest.put("/api/v1/knockout-52/tables/willow/wagers", json=wager, headers=guest.key(2))
    assert refused.status_code == 409
    assert (
        chief.post(
            f"{API}/switches", json={"what": "terminal:web", "off": True, "reason": "a test"}
        ).status_code
        == 200
    )
    other = office.client()
    bought = other.post("/api/v1/knockout-21/purchases", json={}, headers=other.key(3))
    assert bought.status_code == 409
    assert (
        chief.post(
            f"{API}/switches", json={"what": "player:nobody", "off": True, "reason": "a test"}
        ).status_code
        == 400
    )


@pytest.mark.requirement("R-47")
@pytest.mark.parametrize("reason", ["", "  ", "x"])
def test_nothing_is_closed_without_a_reason(office: CardRoom, reason: str) -> None:
    chief = office.client()
    enter(chief, office.house)
    answer = chief.post(f"{API}/switches", json={"what": "all", "off": True, "reason": reason})
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "reason: say why, in at least 3 letters: the log keeps it"
    assert office.house.disabled == set()


@pytest.mark.requirement("R-45")
def test_money_in_unfinished_games_is_reported_on_its_own(office: CardRoom) -> None:
    chief, guest = office.client(), office.client()
    enter(chief, office.house)
    wager = {"stakes": {"round-1": 700}}
    guest.put("/api/v1/knockout-52/tables/willow/wagers", json=wager, headers=guest.key(1))
    money = chief.get(f"{API}/overview").json()["money"]
    assert money["unfinished"] == {"play:knockout-52:willow": 700}
    assert money["sum_cents"] == 0
    assert money["players_cents"] == 100_000 - 700


def test_the_log_is_searched_and_checked_and_shows_no_secret(office: CardRoom) -> None:
    chief = office.client()
    enter(chief, office.house)
    found = chief.get(f"{API}/log", params={"search": "loggedin"}).json()["records"]
    assert [record["kind"] for record in found] == [
        "LoggedIn",
        "LoggedIn",
    ]  # to choose a password, and with it
    for searched in ("OperatorAppointed", "PasswordChanged"):
        found_text = chief.get(f"{API}/log", params={"search": searched}).text
        assert '"password_hash":"not shown"' in found_text
        assert "argon2" not in found_text
    assert '"sealed_seed":"not shown"' in chief.get(f"{API}/log", params={"search": "sealed_seed"}).text
    assert chief.post(f"{API}/log/check").json()["faults"] == []


def test_the_office_in_a_browser(office: CardRoom, browser: Browser) -> None:
    wait_for(lambda: office.house.lottery is not None)
    enter(office.client(), office.house)
    screen = open_screen(browser, office)
    page = screen.page
    page.goto("/operations")
    page.fill("#o-name", "operator")
    page.fill("#o-password", "a wrong one")
    page.keyboard.press("Enter")
    expect(page.locator("#o-error")).to_contain_text("wrong")
    page.fill("#o-password", office.house.first_password or "")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Operations")
    expect(page.locator("#o-few")).to_contain_text("the house is expected to keep something")
    expect(page.locator("#o-few tbody tr").first).to_contain_text("900.00 %")
    page.click("#o-do")  # nothing chosen, no reason: nothing happens
    assert page.locator("#o-what").input_value() == ""
    page.select_option("#o-what", "game:knockout-52")
    expect(page.locator("#o-do")).to_have_text("Close game Knockout 52")  # the button says what it closes
    page.click("#o-do")  # no reason: nothing happens either
    assert office.house.disabled == set()
    page.fill("#o-reason", "a spilled drink")
    page.click("#o-do")
    expect(page.locator("#o-closed")).to_contain_text("game:knockout-52")
    expect(page.locator("#o-what")).to_have_value("")  # the page was loaded again and has chosen nothing
    expect(page.locator("#o-reason")).to_have_value("")
    page.click("#o-do")
    assert office.house.disabled == {"game:knockout-52"}
    page.select_option("#o-what", "game:knockout-52")
    expect(page.locator("#o-do")).to_have_text("Open game Knockout 52")
    page.select_option("#o-what", "table:linden")
    expect(page.locator("#o-do")).to_have_text("Close table Linden")
    page.select_option("#o-what", "all")
    page.fill("#o-reason", "a fire")
    page.click("#o-do")
    expect(page.locator("#o-again")).to_contain_text("a fire")  # everything is asked for again
    page.click("#o-again button[value=no]")
    assert office.house.disabled == {"game:knockout-52"}
    page.click("#o-do")
    page.click("#o-again button[value=yes]")
    expect(page.locator("#o-closed")).to_contain_text("all")
    page.select_option("#o-what", "all")
    page.fill("#o-reason", "it was smoke")
    page.click("#o-do")  # opening asks nothing again
    expect(page.locator("#o-closed")).not_to_contain_text("all")
    page.click("#o-check")
    expect(page.locator("#o-checked")).to_contain_text("✓")
    picture(page, "operations", full_page=True)
    page.goto("/knockout-52/willow")
    expect(page.locator("#k-phase")).to_contain_text("closed by the house")
    page.goto("/")
    expect(page.locator("[data-game=knockout-52]")).to_contain_text("closed by the house")
    expect(page.locator("[data-game=knockout-52] .btn.main")).to_have_count(0)  # no play is offered
    expect(page.locator("[data-game=blackjack] .btn.main")).to_have_count(1)
    expect(page.locator(".tables tr", has_text="Willow")).to_contain_text("closed by the house")
    page.goto("/operations")
    page.click("#o-logout")
    expect(page.locator("#o-login")).to_be_visible()
    assert [line for line in screen.troubles if "401" not in line] == []
    page.context.close()


def test_somebody_elses_password_is_good_for_choosing_an_own_one_only(office: CardRoom) -> None:
    chief, new = office.client(), office.client()
    assert enter(chief, office.house).status_code == 200
    body = {"name": "new-one", "role": "operator", "password": FIRST_PASSWORD}
    assert chief.put(f"{API}/operators", json=body).status_code == 200
    answer = new.post(f"{API}/login", json={"name": "new-one", "password": FIRST_PASSWORD})
    assert answer.json()["choose_password"] is True
    assert new.get(f"{API}/overview").status_code == 403
    assert "Choose a password of your own" in new.get("/operations").text
    same = {"old": FIRST_PASSWORD, "new": FIRST_PASSWORD}
    assert new.put(f"{API}/password", json=same).status_code == 409
    assert new.put(f"{API}/password", json={**same, "new": PASSWORD}).status_code == 200
    assert enter(new, office.house, "new-one", PASSWORD).json()["choose_password"] is False
    assert new.get(f"{API}/overview").status_code == 200


def test_a_second_factor(tmp_path: Path) -> None:
    clock = HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))
    app = create_app(quick_settings(tmp_path), clock=clock)
    house: House = app.state.house
    with TestClient(app, base_url="http://127.0.0.1") as client:
        client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"]
        assert enter(client, house).status_code == 200
        factor = client.post(f"{API}/second-factor").json()
        secret = base64.b32decode(factor["secret"])

        def code(steps: int = 0) -> str:
            return code_at(secret, int(clock.now().timestamp()) // STEP_SECONDS + steps)

        wrong = {"sealed": factor["sealed"], "code": f"{(int(code()) + 1) % 10**6:06}"}
        assert client.put(f"{API}/second-factor", json=wrong).status_code == 400
        right = {"sealed": factor["sealed"], "code": code()}
        assert client.put(f"{API}/second-factor", json=right).status_code == 200

        credentials = {"name": "operator", "password": house.first_password}
        asked = client.post(f"{API}/login", json=credentials)
        assert (asked.status_code, asked.json()["error"]["kind"]) == (401, "code_needed")
        assert client.post(f"{API}/login", json={**credentials, "code": wrong["code"]}).status_code == 401
        assert client.post(f"{API}/login", json={**credentials, "code": code(1)}).status_code == 200
        # A code is used once, and an older one not after it.
        assert client.post(f"{API}/login", json={**credentials, "code": code(1)}).status_code == 401
        assert client.post(f"{API}/login", json={**credentials, "code": code()}).status_code == 401
        # Not by a command beside the server either.
        beside = operators_of(house.database, house.settings)
        with pytest.raises(NotLoggedIn):
            beside.known_by("operator", str(house.first_password), clock.now(), "desk", code(1))
        clock.advance(minutes=1)
        assert client.post(f"{API}/login", json={**credentials, "code": code()}).status_code == 200
        log = client.get(f"{API}/log", params={"kind": "SecondFactorSet"}).text
        assert factor["sealed"] not in log
        assert factor["secret"] not in log


def test_a_code_is_that_of_the_time_of_day_too(tmp_path: Path) -> None:
    """While the house does not believe a clock that jumped, an authenticator goes by the time of day."""
    clock = HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))
    app = create_app(quick_settings(tmp_path), clock=clock)
    house: House = app.state.house
    with TestClient(app, base_url="http://127.0.0.1") as client:
        client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"]
        assert enter(client, house).status_code == 200
        factor = client.post(f"{API}/second-factor").json()
        outside = clock.now() + timedelta(hours=3)
        code = code_at(base64.b32decode(factor["secret"]), int(outside.timestamp()) // STEP_SECONDS)
        body = {"sealed": factor["sealed"], "code": code}
        assert client.put(f"{API}/second-factor", json=body).status_code == 400
        house.operators.time_of_day = lambda: outside
        assert client.put(f"{API}/second-factor", json=body).status_code == 200
        credentials = {"name": "operator", "password": house.first_password, "code": code}
        assert client.post(f"{API}/login", json=credentials).status_code == 200


@pytest.mark.requirement("R-25", "R-54")
def test_an_operator_is_made_by_two(tmp_path: Path) -> None:
    """One person does not make the two who sign together, nor take the others away and be alone."""
    clock = HandClock(datetime(2025, 6, 14, 19, 0, tzinfo=UTC))
    app = create_app(quick_settings(tmp_path, second_person_hours=24), clock=clock)
    house = app.state.house
    with TestClient(app, base_url="http://127.0.0.1") as client:
        client.headers["X-CSRF-Token"] = client.get("/api/v1/session").json()["csrf"]
        assert enter(client, house).status_code == 200

        def appointed(name: str, role: str = "operator", second: tuple[str, str] | None = None) -> int:
            body: dict[str, object] = {"name": name, "role": role, "password": FIRST_PASSWORD}
            if second is not None:
                body["second"] = {"name": second[0], "password": second[1]}
            return client.put(f"{API}/operators", json=body).status_code

        xena = ("xena", f"own {FIRST_PASSWORD}")
        assert appointed("xena") == 200  # nobody else is there to sign
        assert appointed("xena") == 200  # her first password was lost before she came
        assert appointed("yves") == 403
        assert appointed("flo", "floor") == 200
        assert enter(client, house, "xena", FIRST_PASSWORD).status_code == 200
        assert enter(client, house).status_code == 200
        assert appointed("yves") == 403
        assert appointed("xena") == 403  # not even a new password, which would make her somebody else
        assert appointed("xena", "auditor") == 403
        assert appointed("flo", "operator") == 403
        assert appointed("yves", second=xena) == 403  # she came less than a day ago
        clock.advance(hours=25)
        assert enter(client, house).status_code == 200
        assert appointed("yves", second=("operator", str(house.first_password))) == 403
        assert appointed("yves", second=("xena", "a guess at it")) == 401
        assert appointed("yves", second=xena) == 200
        log = client.get(f"{API}/log", params={"kind": "OperatorAppointed"}).text
        assert "xena" in log
        (yves,) = [one for one in house.operators.names() if one.name == "yves"]
        assert (yves.appointed_by, yves.seconded_by) == ("operator", "xena")


@pytest.mark.requirement("R-25")
def test_two_people_are_two() -> None:
    now = datetime(2025, 6, 14, 19, 0, tzinfo=UTC)
    ann = Operator("ann", "operator", "", "operator", now)
    bea = Operator("bea", "operator", "", "operator", now - timedelta(hours=1))
    require_two(ann, bea, now + timedelta(hours=24), hours=24)
    with pytest.raises(Forbidden, match="ann was appointed less than 24 hours ago"):
        require_two(ann, bea, now + timedelta(hours=23, minutes=59), hours=24)
    with pytest.raises(Forbidden, match="somebody else"):
        require_two(ann, ann, now + timedelta(days=9), hours=24)
    cay = Operator("cay", "operator", "", "ann", now - timedelta(days=9))
    for pair in ((ann, cay), (cay, ann)):
        with pytest.raises(Forbidden, match="ann appointed cay"):
            require_two(*pair, now + timedelta(days=9), hours=24)
