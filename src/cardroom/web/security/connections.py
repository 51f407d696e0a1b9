"""Connections have a bound and a pace: whoever opens many and says nothing leaves room for the others."""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from cardroom.web.security.peers import Network, counted, is_within

_OWN_FILES: Final = 200
"""Files that the server needs besides its connections: the database, templates, processes at the back."""
_REFUSAL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 10\r\n"
    b"Connection: close\r\n\r\n"
    b'{"error":{"kind":"unavailable","message":"too many connections are open; come back soon",'
    b'"clause":null}}'
)


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """How many connections may be open, and how long one may take to say what it wants."""

    most: int
    per_address: int
    header_seconds: float
    proxies: Sequence[Network] = ()
    """Many visitors come through each of these."""


def room_for_files(wanted: int) -> int:
    """Ask the system for so many connections; how many there can be."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted + _OWN_FILES if hard == resource.RLIM_INFINITY else min(wanted + _OWN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return max(most - _OWN_FILES, 1)


def protocol_with(limits: ConnectionLimits) -> type[asyncio.Protocol]:
    """The server's HTTP, with limits; a server has one count of its connections."""
    count: Counter[str] = Counter()

    class Bounded(AutoHTTPProtocol):  # type: ignore[misc,valid-type]
        """A connection that is counted until it ends or becomes a WebSocket, which are bounded elsewhere."""

        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            self._name: str | None = None
            self._late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            super().connection_made(transport)
            peer = self.client[0] if self.client else "unknown"
            name = counted(peer)
            through_proxy = is_within(peer, limits.proxies)
            if count.total() >= limits.most or (count[name] >= limits.per_address and not through_proxy):
                self.transport.write(_REFUSAL)
                self.transport.close()
                return
            count[name] += 1
            self._name = name
            self._await_request()

        def data_received(self, data: bytes) -> None:
            if self.transport.is_closing():
                return
            super().data_received(data)
            if self.transport.get_protocol() is not self:  # it is a WebSocket now
                self._stop_waiting()
                self._uncount()
            elif self._is_at_work:
                self._stop_waiting()
            else:
                self._await_request()

        def connection_lost(self, error: Exception | None) -> None:
            self._stop_waiting()
            self._uncount()
            super().connection_lost(error)

        @property
        def _is_at_work(self) -> bool:
            return self.cycle is not None and not self.cycle.response_complete

        def _await_request(self) -> None:
            """From now on the head of a request is to come within its time."""
            if self._late is None and not self.transport.is_closing():
                self._late = self.loop.call_later(limits.header_seconds, self._give_up)

        def _stop_waiting(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

        def _give_up(self) -> None:
            self._late = None
            if not self._is_at_work:
                self.transport.abort()

        def _uncount(self) -> None:
            if self._name is not None:
                count[self._name] -= 1
                if not count[self._name]:
                    del count[self._name]
                self._name = None

    return Bounded
