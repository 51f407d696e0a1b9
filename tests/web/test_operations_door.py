"""Operations at an address or a port of their own: they answer there, and there is nothing elsewhere."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx2 as httpx
import pytest
import uvicorn

from cardroom.core.errors import MalformedInput
from cardroom.web.app import create_app
from cardroom.web.security.doors import is_of_operations, parse_address
from cardroom.web.server import config_of
from tests.web.conftest import Guest, quick_settings

PATIENCE_SECONDS = 300


@pytest.fixture
def doors(tmp_path: Path) -> Iterator[tuple[Guest, Guest, str]]:
    """A visitor of the public door, one of the door of operations, and the first password."""
    public, private = socket.create_server(("127.0.0.1", 0)), socket.create_server(("127.0.0.1", 0))
    door = ("127.0.0.1", private.getsockname()[1])
    settings = replace(quick_settings(tmp_path), operations=door)
    app = create_app(settings)
    server = uvicorn.Server(config_of(app, settings))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [public, private]}, daemon=True)
    thread.start()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not server.started:
        assert time.monotonic() < deadline, "the server does not start"
        time.sleep(0.01)
    guests = [Guest(f"http://127.0.0.1:{one.getsockname()[1]}") for one in (public, private)]
    yield guests[0], guests[1], app.state.house.first_password
    for guest in guests:
        guest.close()
    server.should_exit = True
    thread.join()


@pytest.mark.requirement("R-54")
def test_operations_answer_at_their_own_door_only(doors: tuple[Guest, Guest, str]) -> None:
    public, private, password = doors
    nothing = public.get("/api/v1/there-is-no-such-thing")
    for method, path in (
        ("GET", "/operations"),
        ("GET", "/operations/finance"),
        ("GET", "/api/v1/operations/overview"),
        ("GET", "/api/v1/operations/log"),
        ("POST", "/api/v1/operations/login"),
    ):
        answer = public.request(method, path, json={} if method == "POST" else None)
        assert answer.status_code == 404, path
        if path.startswith("/api"):
            assert answer.json() == nothing.json()  # as if there were no such thing
    assert public.get("/").status_code == 200
    assert "/operations" not in public.get("/").text
    assert 'href="/operations"' in private.get("/").text
    assert 'id="o-login"' in private.get("/operations").text
    credentials = {"name": "operator", "password": password}
    assert private.post("/api/v1/operations/login", json=credentials).status_code == 200
    cookies = dict(private.cookies)
    stolen = httpx.get(f"{public.base_url}/api/v1/operations/overview", cookies=cookies, timeout=300)
    assert stolen.status_code == 404  # a log-in is worth nothing at the public door


def test_a_command_opens_both_doors(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "from cardroom.cli import main; main()", "serve", "--port", "0"]
    where = ["--database", f"sqlite:///{tmp_path / 'room.db'}", "--operations", "127.0.0.1:0"]
    with subprocess.Popen([*command, *where], stderr=subprocess.PIPE, text=True, cwd=tmp_path) as served:
        assert served.stderr is not None
        try:
            public = served.stderr.readline().split()[-1]
            words = served.stderr.readline()
            assert words.endswith("and nowhere else\n")
            private = words.split()[3].removesuffix(",")
            assert httpx.get(f"{public}/operations", timeout=PATIENCE_SECONDS).status_code == 404
            assert httpx.get(private, timeout=PATIENCE_SECONDS).status_code == 200
        finally:
            served.terminate()


@pytest.mark.parametrize("text", ["", "here", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:-1"])
def test_an_address_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput, match=r"write it like 127\.0\.0\.1:2122"):
        parse_address(text)


def test_what_belongs_to_operations() -> None:
    assert is_of_operations("/operations")
    assert is_of_operations("/api/v1/operations/tickets/1/stop")
    assert not is_of_operations("/operationsx")
    assert not is_of_operations("/rules/operations")
