"""A card room in a process of its own whose clock runs fast, started as FOLDER PORT BEGAN."""

from __future__ import annotations

import socket
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import uvicorn

from cardroom.web.app import create_app
from tests.web.conftest import quick_settings

PACE = 10
NOON = datetime(2025, 6, 14, 19, 0, 5, tzinfo=UTC)


class QuickClock:
    """Time since a moment of the machine's clock, several times as fast; the same for every process."""

    def __init__(self, began: float) -> None:
        self._began = began

    def now(self) -> datetime:
        return NOON + timedelta(seconds=PACE * (time.time() - self._began))


def main(folder: str, port: str, began: str) -> None:
    settings = quick_settings(Path(folder), lottery=True, demo=True, show_pace=2.0)
    app = create_app(settings, clock=QuickClock(float(began)))
    with socket.create_server(("127.0.0.1", int(port))) as listener:
        config = uvicorn.Config(app, log_level="critical", ws="websockets-sansio")
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main(*sys.argv[1:])
