"""The door: cookies, tokens, headers, sizes, pace, and the one shape of errors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.web.conftest import CardRoom, quick_settings, start


def test_every_page_forbids_inline_script_and_other_sites(room: CardRoom) -> None:
    answer = httpx.get(f"{room.url}/", timeout=300)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "<script>" not in answer.text
    assert " style=" not in answer.text
    assert " onclick=" not in answer.text


def test_the_cookie_cannot_be_read_by_scripts_or_sent_by_other_sites(room: CardRoom) -> None:
    cookie = httpx.get(f"{room.url}/", timeout=300).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_a_request_without_the_token_changes_nothing(room: CardRoom) -> None:
    guest = room.client()
    body = {"cents": 10_000}
    missing = guest.post("/api/v1/session/chips", json=body, headers={"X-CSRF-Token": "", **guest.key(1)})
    assert missing.status_code == 403
    other = room.client()
    stolen = guest.post(
        "/api/v1/session/chips",
        json=body,
        headers={"X-CSRF-Token": other.headers["X-CSRF-Token"], **guest.key(2)},
    )
    assert stolen.status_code == 403
    assert guest.get("/api/v1/session").json()["chips_cents"] == 100_000


def test_a_form_of_another_site_is_refused_whatever_its_type(room: CardRoom) -> None:
    guest = room.client()
    del guest.headers["X-CSRF-Token"]
    for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data"):
        answer = guest.post("/api/v1/session/reality-check", headers={"Content-Type": kind})
        assert answer.status_code == 403


def test_a_page_of_another_site_is_refused(room: CardRoom) -> None:
    guest = room.client()
    answer = guest.post(
        "/api/v1/session/chips",
        json={"cents": 10_000},
        headers={"Origin": "http://evil.example", **guest.key(1)},
    )
    assert answer.status_code == 403
    assert guest.get("/api/v1/session", headers={"Origin": "http://evil.example"}).status_code == 403


def test_a_forged_cookie_is_refused_and_logged(room: CardRoom) -> None:
    guest = room.client()
    guest.post("/api/v1/session/chips", json={"cents": 10_000}, headers=guest.key(1))
    name, value = next(iter(guest.cookies.items()))
    forged = value[:-1] + ("0" if value[-1] != "0" else "1")
    answer = httpx.get(f"{room.url}/api/v1/session", cookies={name: forged}, timeout=300)
    assert answer.json()["chips_cents"] == 100_000  # a stranger, not the guest with 110,000
    assert answer.json()["name"] != guest.name
    assert room.logged("CookieRefused").content["path"] == "/api/v1/session"


def test_another_host_name_is_refused(room: CardRoom) -> None:
    assert httpx.get(f"{room.url}/", headers={"Host": "cards.example"}, timeout=300).status_code == 403


def test_errors_have_one_shape(room: CardRoom) -> None:
    guest = room.client()
    unknown = guest.get("/api/v1/knockout-52/tables/nowhere")
    assert unknown.status_code == 404
    assert unknown.json()["error"]["kind"] == "not_found"
    malformed = guest.put(
        "/api/v1/knockout-52/tables/willow/wagers", json={"stakes": 7}, headers=guest.key(1)
    )
    assert malformed.status_code == 400
    assert malformed.json()["error"]["kind"] == "malformed_input"
    illegal = guest.put(
        "/api/v1/knockout-52/tables/willow/wagers", json={"stakes": {"round-1": 60_000}}, headers=guest.key(2)
    )
    assert illegal.status_code == 422
    assert illegal.json()["error"]["clause"] == "KO52-3"
    assert guest.get("/api/v1/no-such-thing").json()["error"]["kind"] == "not_found"


def test_an_error_is_a_page_for_a_person(room: CardRoom) -> None:
    answer = httpx.get(f"{room.url}/no-such-page", headers={"Accept": "text/html"}, timeout=300)
    assert answer.status_code == 404
    assert "<h1>There is no such page</h1>" in answer.text


def test_no_error_speaks_of_patterns_or_types(room: CardRoom) -> None:
    """What is wrong and what would be right, in words of people."""
    page = httpx.get(f"{room.url}/tables/No_Such!Table", headers={"Accept": "text/html"}, timeout=300)
    assert (page.status_code, "there is nothing at this address" in page.text) == (404, True)
    page = httpx.get(f"{room.url}/lab?game=poker", headers={"Accept": "text/html"}, timeout=300)
    assert page.status_code == 400
    assert "blackjack, spanish-21, players-edge-21" in page.text
    guest = room.client()
    wagers = "/api/v1/knockout-52/tables/willow/wagers"
    for body, said in [
        ({"stakes": 7}, "stakes: 7 is not right; it is a list of names with their values"),
        ({}, "stakes is missing"),
        ({"stakes": {"round-1": -1}}, "stakes.round-1: -1 is not right; it is at least 0"),
        ({"stakes": {"round-1": "x"}}, "stakes.round-1: 'x' is not right; it is a whole number"),
        (
            {"stakes": {}, "salt_hash": "xyz"},
            "salt_hash: 'xyz' is not right; it has a letter or sign that may not stand there",
        ),
    ]:
        answer = guest.put(wagers, json=body, headers=guest.key(9))
        assert (answer.status_code, answer.json()["error"]["message"]) == (400, said)
    for kind, said in [("application/json", "is no JSON"), ("text/plain", "is an object with its fields")]:
        answer = guest.put(wagers, content=b"{", headers={**guest.key(9), "Content-Type": kind})
        assert answer.json()["error"]["message"] == f"the request {said}"


def test_a_body_that_is_too_large_is_refused(room: CardRoom) -> None:
    guest = room.client()
    answer = guest.put("/api/v1/session/name", content=b"x" * 70_000)
    assert answer.status_code == 413


def test_who_asks_too_fast_waits(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path, requests_per_second=1.0, burst_requests=5))
    try:
        guest = room.client()
        codes = [guest.get("/api/v1/games").status_code for _ in range(8)]
        assert codes[:5] == [200] * 5
        assert codes[-1] == 429
    finally:
        room.stop()


@pytest.mark.requirement("R-41")
def test_a_repeated_request_is_done_once(room: CardRoom) -> None:
    guest = room.client()
    first = guest.post("/api/v1/session/chips", json={"cents": 10_000}, headers=guest.key(1))
    again = guest.post("/api/v1/session/chips", json={"cents": 10_000}, headers=guest.key(1))
    assert first.json()["chips_cents"] == again.json()["chips_cents"] == 110_000
    other = guest.post("/api/v1/session/chips", json={"cents": 20_000}, headers=guest.key(1))
    assert other.status_code == 409


def test_files_are_kept_for_good_and_change_address_with_their_content(room: CardRoom) -> None:
    text = httpx.get(f"{room.url}/", timeout=300).text
    address = text.split('rel="stylesheet" href="')[1].split('"')[0]
    answer = httpx.get(f"{room.url}{address}", timeout=300)
    assert "immutable" in answer.headers["cache-control"]
    assert "set-cookie" not in answer.headers
    assert httpx.get(f"{room.url}/", timeout=300).headers["cache-control"] == "no-store"


def test_two_first_requests_at_once_give_the_welcome_chips_once(room: CardRoom) -> None:
    guest = room.client()
    number = iter(range(100))

    def stake(table: str) -> int:
        path = f"/api/v1/knockout-52/tables/{table}/wagers"
        body = {"stakes": {"round-1": 100}}
        return guest.put(path, json=body, headers=guest.key(next(number))).status_code

    with ThreadPoolExecutor(4) as crowd:
        assert list(crowd.map(stake, ["willow", "heron", "willow", "heron"])) == [200] * 4
    assert guest.get("/api/v1/session").json()["chips_cents"] == 100_000 - 200
