"""The server: the application on a port of this machine."""

from __future__ import annotations

import contextlib
import dataclasses
import gc
import socket
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, TextIO

from cardroom.core.errors import Unavailable
from cardroom.web.security.operators import FIRST_OPERATOR
from cardroom.web.settings import Settings

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

BACKLOG: Final = 2048
_KEEP_ALIVE_SECONDS: Final = 30
"""A line stays open for so long between two requests: longer than a player thinks."""


def run(settings: Settings, *, out: TextIO = sys.stderr) -> None:
    """Open the card room and stay until it is told to stop."""
    with made_for_good():
        import uvicorn

        from cardroom.store.server_lock import only_server
        from cardroom.web import figures, log_check
        from cardroom.web.app import create_app

    with contextlib.ExitStack() as held:
        listeners = [held.enter_context(_listener(settings.host, settings.port))]
        print_open = [f"Cardroom is open at {_address(listeners[0])}"]
        if settings.operations is not None:
            listeners.append(held.enter_context(_listener(*settings.operations)))
            door = (settings.operations[0], listeners[-1].getsockname()[1])
            settings = dataclasses.replace(settings, operations=door)
            print_open.append(f"Operations are at {_address(listeners[-1])}/operations, and nowhere else")
        held.enter_context(only_server(settings.database))
        with made_for_good():
            app = create_app(settings)
        print("\n".join(print_open), file=out, flush=True)
        password = app.state.house.first_password
        if password is not None:
            print(f"Operations: log in as {FIRST_OPERATOR!r} with the password {password}", file=out)
            print("The password is shown this once; only its hash is kept.", file=out, flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config_of(app, settings)).run(sockets=listeners)
        figures.stop()
        log_check.checks.stop()


@contextlib.contextmanager
def made_for_good() -> Iterator[None]:
    """What is made in the block stays as long as the server: the search for garbage never looks at it again.

    One search through all of it takes a tenth of a second, in which nobody is served.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def config_of(app: FastAPI, settings: Settings) -> uvicorn.Config:
    """How the application is served."""
    import uvicorn

    from cardroom.web.security.connections import ConnectionLimits, protocol_with, room_for_files

    limits = ConnectionLimits(
        most=room_for_files(settings.most_connections),
        per_address=settings.most_connections_per_address,
        header_seconds=settings.request_seconds,
        proxies=settings.proxies,
    )
    return uvicorn.Config(
        app,
        http=protocol_with(limits),
        log_level="critical",  # what goes wrong in a request is told by the house's own logger
        access_log=False,
        server_header=False,
        proxy_headers=False,  # who is believed is said by `peers`, and nobody else
        ws="websockets-sansio",
        ws_max_size=settings.largest_body_bytes,
        ws_per_message_deflate=False,  # views are small; a compressor for each player is not
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=3,
    )


def _address(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _listener(host: str, port: int) -> socket.socket:
    """The port, or one line that says why it cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unavailable(f"cannot listen at {host} port {port}: {reason}") from None
