"""The server: the application on a port of this machine."""

from __future__ import annotations

import sys
from typing import TextIO

from cardroom.web.security.operators import FIRST_OPERATOR
from cardroom.web.settings import Settings


def run(settings: Settings, *, out: TextIO = sys.stderr) -> None:
    """Open the card room and stay until it is told to stop."""
    import uvicorn

    from cardroom.web.app import create_app

    app = create_app(settings)
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    print(f"Cardroom is open at http://{host}:{settings.port}", file=out)
    password = app.state.house.first_password
    if password is not None:
        print(f"Operations: log in as {FIRST_OPERATOR!r} with the password {password}", file=out)
        print("The password is shown this once; only its hash is kept.", file=out, flush=True)
    uvicorn.run(
        app,
        host=settings.host,
        port=settings.port,
        log_level="warning",
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=settings.largest_body_bytes,
        timeout_graceful_shutdown=3,
    )
