"""A card room in a process of its own whose clock runs fast: FOLDER MOMENT; it tells its address."""

from __future__ import annotations

import socket
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import uvicorn

from cardroom.web.app import create_app
from tests.web.conftest import quick_settings

PACE = 10


class QuickClock:
    """A clock that stands at a moment until it is started, and then runs several times as fast as others."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment
        self._began: float | None = None

    def start(self) -> None:
        self._began = time.monotonic()

    def now(self) -> datetime:
        ran = 0.0 if self._began is None else time.monotonic() - self._began
        return self._moment + timedelta(seconds=PACE * ran)


class QuickServer(uvicorn.Server):
    """A server whose clock starts when it answers, so that a slow start takes no time from a draw."""

    def __init__(self, config: uvicorn.Config, clock: QuickClock) -> None:
        super().__init__(config)
        self._clock = clock

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._clock.start()


def main(folder: str, moment: str) -> None:
    settings = quick_settings(Path(folder), lottery=True, demo=True, show_pace=1.4)
    clock = QuickClock(datetime.fromisoformat(moment))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        print(f"open at http://127.0.0.1:{listener.getsockname()[1]}", file=sys.stderr, flush=True)
        config = uvicorn.Config(
            create_app(settings, clock=clock), log_level="critical", ws="websockets-sansio"
        )
        QuickServer(config, clock).run(sockets=[listener])


if __name__ == "__main__":
    main(*sys.argv[1:])
