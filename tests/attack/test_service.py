"""One hostile visitor, and what another one notices of it: nothing but a refusal of the first."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http import HTTPStatus
from pathlib import Path

import httpx2 as httpx
import pytest

from cardroom.core.errors import Conflict
from cardroom.store.database import DatabaseTrouble
from cardroom.web.errors import error_json
from cardroom.web.house import House
from cardroom.web.security.peers import parse_proxies
from tests.web.conftest import CardRoom, quick_settings, start


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CardRoom]:
    """A house with few connections, little patience, and a proxy on this machine."""
    found = start(
        quick_settings(
            tmp_path,
            most_connections_per_address=20,
            request_seconds=2.0,
            proxies=parse_proxies(["127.0.0.2"]),
        )
    )
    yield found
    found.stop()


def _connect(room: CardRoom, *, source: str = "127.0.0.1") -> socket.socket:
    host, port = room.url.removeprefix("http://").split(":")
    return socket.create_connection((host, int(port)), timeout=300, source_address=(source, 0))


def _answer(line: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    parts = []
    try:
        while part := line.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


@pytest.mark.parametrize("words", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "])
def test_a_connection_that_never_says_what_it_wants_is_closed(room: CardRoom, words: bytes) -> None:
    with _connect(room) as line:
        line.sendall(words)
        assert _answer(line) == b""


def test_a_second_request_that_never_ends_is_closed_too(room: CardRoom) -> None:
    with _connect(room) as line:
        line.sendall(b"GET /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        first = line.recv(65536)
        assert first.startswith(b"HTTP/1.1 200")
        line.sendall(b"GET /api/v1/session HTTP/1.1\r\n")
        assert b"HTTP/1.1" not in _answer(line)


def test_a_body_that_does_not_come_is_refused_in_words(room: CardRoom) -> None:
    guest = room.client()
    head = (
        "POST /api/v1/session/chips HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 15\r\n"
        "Content-Type: application/json\r\nIdempotency-Key: 12345678\r\n"
        f"X-CSRF-Token: {guest.headers['X-CSRF-Token']}\r\n"
        f"Cookie: {'; '.join(f'{name}={value}' for name, value in guest.cookies.items())}\r\n\r\n"
    )
    with _connect(room) as line:
        line.sendall(head.encode() + b'{"cents"')
        answer = _answer(line)
    assert b"408" in answer.split(b"\r\n", 1)[0]
    assert b"a request is sent within 2 seconds" in answer


def test_many_connections_of_one_address_leave_room_for_another(room: CardRoom) -> None:
    with ExitStack() as held:
        lines = [held.enter_context(_connect(room)) for _ in range(40)]
        refused = [line for line in lines[20:] if _answer(line).startswith(b"HTTP/1.1 503")]
        assert len(refused) == 20
        other = http.client.HTTPConnection(
            "127.0.0.1", int(room.url.rsplit(":", 1)[1]), timeout=300, source_address=("127.0.0.3", 0)
        )
        other.request("GET", "/api/v1/session")
        assert other.getresponse().status == 200
        other.close()
    deadline = time.monotonic() + 300
    while httpx.get(f"{room.url}/api/v1/session", timeout=300).status_code != 200:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_proxy_may_have_many_connections_and_others_may_not_pose_as_one(room: CardRoom) -> None:
    with ExitStack() as held:
        for _ in range(30):
            line = held.enter_context(_connect(room, source="127.0.0.2"))
            line.sendall(
                b"GET /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 9.9.9.9\r\n\r\n"
            )
            assert line.recv(65536).startswith(b"HTTP/1.1 200")


def test_a_refusal_takes_its_time_so_that_asking_again_at_once_costs_the_asker(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path, burst_requests=5, requests_per_second=0.001, refusal_seconds=0.3))
    try:
        greedy, other = room.client(), room.client()
        took, status = 0.0, int(HTTPStatus.OK)
        while status != HTTPStatus.TOO_MANY_REQUESTS:
            began = time.monotonic()
            status = greedy.get("/api/v1/session").status_code
            took = time.monotonic() - began
        assert took >= 0.3
        assert other.get("/api/v1/session").status_code == HTTPStatus.OK
    finally:
        room.stop()


def _log_in(room: CardRoom, guest: httpx.Client, password: str) -> int:
    credentials = {"name": "operator", "password": password}
    return guest.post("/api/v1/operations/login", json=credentials).status_code


def test_who_guesses_passwords_waits_and_the_operator_does_not(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path, proxies=parse_proxies(["127.0.0.1"])))
    try:
        guesser, operator = room.client(), room.client()
        guesser.headers["X-Forwarded-For"] = "198.51.100.7"
        operator.headers["X-Forwarded-For"] = "203.0.113.9"
        assert [_log_in(room, guesser, "wrong password") for _ in range(6)] == [401] * 5 + [429]
        assert room.house.first_password is not None
        assert _log_in(room, guesser, room.house.first_password) == 429  # also the right one, at that address
        assert _log_in(room, operator, room.house.first_password) == 200
        names = [record.content["address"] for record in room.log() if record.kind == "LoginRefused"]
        assert names == ["198.51.100.7"] * 5
        guesser.headers["X-Forwarded-For"] = "203.0.113.9, 198.51.100.7"  # a lie before the true one
        assert _log_in(room, guesser, "wrong password") == 429
    finally:
        room.stop()


def test_forged_cookies_and_tokens_fill_no_log(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path))
    try:
        guest = room.client()
        before = len(room.log())
        for number in range(60):
            httpx.get(
                f"{room.url}/api/v1/session",
                headers={"Cookie": f"cardroom_guest=x.{number:064x}"},
                timeout=300,
            )
            httpx.put(
                f"{room.url}/api/v1/session/name",
                json={"name": "x"},
                cookies=dict(guest.cookies),
                headers={"X-CSRF-Token": "forged"},
            )
        room.logged("CookieRefused")
        room.logged("RequestRefused")
        assert len(room.log()) == before + 2
    finally:
        room.stop()


def test_a_cookie_of_another_application_does_not_lose_the_player(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path))
    try:
        guest = room.client()
        own = "; ".join(f"{name}={value}" for name, value in guest.cookies.items())
        for strange in ('a b="c', "né=1", "{json}=[1,2]", "=", "x" * 2000):
            cookies = f"{strange}; {own}; {strange}".encode()
            answer = httpx.get(f"{room.url}/api/v1/session", headers={b"Cookie": cookies}, timeout=300)
            assert answer.json()["name"] == guest.name, strange
    finally:
        room.stop()


def test_behind_a_proxy_with_a_name_of_its_own(tmp_path: Path) -> None:
    room = start(quick_settings(tmp_path, public_url="https://cards.example", secure_cookies=True))
    try:
        host = {"Host": "cards.example"}
        answer = httpx.get(f"{room.url}/", headers=host, timeout=300)
        assert answer.status_code == 200
        assert answer.headers["Strict-Transport-Security"].startswith("max-age=")
        assert "Secure" in answer.headers["Set-Cookie"]
        own = httpx.get(f"{room.url}/", headers={**host, "Origin": "https://cards.example"}, timeout=300)
        assert own.status_code == 200
        other = httpx.get(f"{room.url}/", headers={**host, "Origin": "https://evil.example"}, timeout=300)
        assert other.status_code == 403
        assert httpx.get(f"{room.url}/", headers={"Host": "evil.example"}, timeout=300).status_code == 403
    finally:
        room.stop()


@pytest.mark.parametrize("demo", [False, True])
def test_a_demonstration_and_a_house_are_never_mixed(tmp_path: Path, *, demo: bool) -> None:
    start(quick_settings(tmp_path, demo=demo)).stop()
    with pytest.raises(Conflict, match="or choose another database"):
        House(quick_settings(tmp_path, demo=not demo))
    start(quick_settings(tmp_path, demo=demo)).stop()


def test_a_second_server_on_a_database_is_refused_and_a_killed_one_leaves_no_lock(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where key, mark and vault of a database on a server are kept
    command = [str(Path(sys.executable).with_name("cardroom")), "serve", "--port", "0"]
    command += ["--database", database_url]
    for _ in range(2):
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as first:
            try:
                assert first.stderr is not None
                assert "Cardroom is open" in first.stderr.readline()
                second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
            finally:
                first.kill()
        assert second.returncode == 2
        assert second.stderr == (
            "cardroom: another server is running on this database; "
            "stop it first, or give this one a database of its own\n"
        )


def test_no_answer_names_a_file_or_a_socket_of_the_machine() -> None:
    error = DatabaseTrouble('the database could not do it (connection to "/run/pg/.s.PGSQL.5432" failed)')
    assert b"/run" not in bytes(error_json(error).body)
