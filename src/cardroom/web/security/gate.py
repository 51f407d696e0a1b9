"""The door: every request passes it once, and what passes has a visitor, a size and a pace."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import ExitStack
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardroom.core.errors import CardroomError
from cardroom.fair.tokens import fresh_token
from cardroom.records import Record
from cardroom.records.house import CookieRefused, RequestRefused
from cardroom.web.errors import Forbidden, TooLarge, TooMany, TooSlow, error_json
from cardroom.web.routers import API
from cardroom.web.security.incidents import Incidents
from cardroom.web.security.limits import RateLimit, StreamLimit
from cardroom.web.security.peers import peer_address
from cardroom.web.security.signing import Signer
from cardroom.web.settings import Settings
from cardroom.web.threads import asked_from

logger = logging.getLogger("cardroom.web")

VISITOR_COOKIE: Final = "cardroom_guest"
CSRF_HEADER: Final = "x-csrf-token"
_STREAMS: Final = ("/monitor", "/lab/simulation")
"""How the addresses end whose answers stay open, besides WebSockets: a lottery's draws, the lab's rounds."""
_OPENING: Final = "/tables"
"""How the addresses end by which a player opens a table, whatever is played there."""
_COMPUTED: Final = ("/api/v1/lab/", "/api/v1/how/", "/api/v1/protection")
"""What is asked with a body and leaves nothing in the log."""
_BURST_SECONDS: Final = 100
_OWN_BURST_SECONDS: Final = 20
_TRY_AGAIN_LATER: Final = 1013
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_COOKIE_DAYS: Final = 365
_HSTS: Final = f"max-age={_COOKIE_DAYS * 24 * 3600}"
_LOOPBACK_NAMES: Final = frozenset({"127.0.0.1", "localhost", "[::1]"})

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Gate:
    """Names the visitor, counts requests, bounds bodies, refuses forged ones, and sets the headers."""

    def __init__(self, app: ASGIApp, *, settings: Settings, report: Callable[[Record], None]) -> None:
        self._app = app
        self._settings = settings
        self._signer = Signer(settings.key)
        self._limit = RateLimit(settings.requests_per_second, settings.burst_requests)
        # Newcomers share their address's allowance, since a cookie costs nothing to throw away.
        self._newcomers = RateLimit(settings.requests_per_second, 4 * settings.burst_requests)
        self._own_changes = _lasting(settings.changes_per_second / 4, _OWN_BURST_SECONDS)
        self._changes = _lasting(settings.changes_per_second, _BURST_SECONDS)
        self._creations = RateLimit(settings.creations_per_second, settings.burst_creations)
        self._openings = RateLimit(settings.tables_per_minute / 60, settings.burst_tables)
        self._streams = StreamLimit(settings.most_streams, settings.most_streams_per_address)
        self._incidents = Incidents(report)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        visitor, known, forged = self._visitor(headers)
        address = peer_address(scope, headers, self._settings.proxies)
        asked_from.set(address)
        scope.setdefault("state", {})
        scope["state"].update(visitor=visitor, address=address, csrf=self._signer.tag("csrf", visitor))
        try:
            self._check(scope, headers, visitor, known=known, forged=forged)
        except CardroomError as error:
            await self._refuse(error, scope, receive, send)
            return
        if scope["type"] == "http":
            cookie = None if known or _is_asset(scope) else self._signer.sign("guest", visitor)
            receive, send = self._bounded(receive), self._with_headers(scope, send, cookie)
        if not _is_stream(scope):
            await self._app(scope, receive, send)
            return
        with ExitStack() as held:
            try:
                held.enter_context(self._streams.held(address))
            except CardroomError as error:
                await self._refuse(error, scope, receive, send)
                return
            await self._app(scope, receive, send)

    async def _refuse(self, error: CardroomError, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the error; to whoever asked for a WebSocket too, where the server can say so."""
        logger.info("refused %s: %s", scope["path"], error.message)
        if scope["type"] == "http":
            send = self._with_headers(scope, send, None)
        elif "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": _TRY_AGAIN_LATER, "reason": error.message})
            return
        await error_json(error)(scope, receive, send)

    def _visitor(self, headers: Headers) -> tuple[str, bool, bool]:
        """The visitor's id, whether it was known before, and whether a cookie was forged."""
        signed = cookie_of(headers, VISITOR_COOKIE)
        if signed is None:
            return fresh_token(), False, False
        visitor = self._signer.open("guest", signed)
        return (visitor, True, False) if visitor else (fresh_token(), False, True)

    def _check(self, scope: Scope, headers: Headers, visitor: str, *, known: bool, forged: bool) -> None:
        self._check_host(headers)
        if _is_asset(scope):
            return
        now = asyncio.get_running_loop().time()
        address: str = scope["state"]["address"]
        if not (self._limit.allow(visitor, now=now) if known else self._newcomers.allow(address, now=now)):
            raise TooMany("too many requests; wait a second and ask again")
        if forged:
            self._incidents.tell(CookieRefused, scope["path"], address, now=now)
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins(headers):
            raise Forbidden("this request comes from a page of another site")
        if scope["type"] == "websocket" or scope["method"] in _SAFE_METHODS:
            return
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._settings.largest_body_bytes:
            raise TooLarge(f"a request may hold {self._settings.largest_body_bytes} bytes")
        self._check_pace(scope, visitor if known else "", address, now)
        token = headers.get(CSRF_HEADER)
        if not known or token != scope["state"]["csrf"]:
            if known:
                self._incidents.tell(RequestRefused, scope["path"], address, now=now)
            raise Forbidden(
                "the request does not carry the token of this session; GET /api/v1/session gives it, "
                "to be sent as X-CSRF-Token"
            )

    def _check_pace(self, scope: Scope, visitor: str, address: str, now: float) -> None:
        """Refuse what would be written into the log too often, by one visitor or from one address."""
        path: str = scope["path"]
        if path.startswith(_COMPUTED):
            return
        paces = [(self._own_changes, visitor, "of yours")] if visitor else []
        paces.append((self._changes, address, "from your address"))
        if path.startswith("/api/v1/session/"):
            paces.append((self._creations, address, "from your address"))
        if _is_api(scope, _OPENING):
            paces.append((self._openings, address, "of tables from your address"))
        for pace, name, whose in paces:
            if not pace.allow(name, now=now):
                seconds = pace.seconds_until_next
                raise TooMany(f"too many changes {whose}; go on in {seconds} s", retry_seconds=seconds)

    def _check_host(self, headers: Headers) -> None:
        """A server on the loopback answers to the loopback's names only, whatever a name server says."""
        public = urlsplit(self._settings.public_url).netloc
        if headers.get("host") == public and public:
            return
        if self._settings.host in _LOOPBACK_NAMES:
            name = headers.get("host", "").rsplit(":", 1)[0]
            door = self._settings.operations
            if name not in _LOOPBACK_NAMES and (door is None or name.strip("[]") != door[0]):
                names = " and ".join(filter(None, ("127.0.0.1", "localhost", public)))
                raise Forbidden(f"this server answers to {names} only")

    def _origins(self, headers: Headers) -> set[str]:
        """The sites whose pages may ask: our own, by the name the visitor knows it by."""
        host = headers.get("host", "")
        return {f"http://{host}", f"https://{host}", self._settings.public_url.rstrip("/")}

    def _bounded(self, receive: Receive) -> Receive:
        read, whole = 0, False
        deadline = asyncio.get_running_loop().time() + self._settings.request_seconds

        async def bounded() -> Message:
            nonlocal read, whole
            if whole:  # what may still come is the end of the connection
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                seconds = self._settings.request_seconds
                raise TooSlow(f"a request is sent within {seconds:g} seconds") from None
            whole = not message.get("more_body", False)
            read += len(message.get("body", b""))
            if read > self._settings.largest_body_bytes:
                raise TooLarge(f"a request may hold {self._settings.largest_body_bytes} bytes")
            return message

        return bounded

    def _with_headers(self, scope: Scope, send: Send, cookie: str | None) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                if message["status"] == HTTPStatus.TOO_MANY_REQUESTS:
                    # Whoever asks again at once is answered at a pace that leaves the house to others.
                    await asyncio.sleep(self._settings.refusal_seconds)
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                if self._settings.secure_cookies:
                    headers.setdefault("Strict-Transport-Security", _HSTS)
                if not _is_asset(scope):
                    headers.setdefault("Cache-Control", "no-store")
                if cookie is not None:
                    secure = "; Secure" if self._settings.secure_cookies else ""
                    headers.append(
                        "Set-Cookie",
                        f"{VISITOR_COOKIE}={cookie}; Path=/; HttpOnly; SameSite=Lax; "
                        f"Max-Age={_COOKIE_DAYS * 24 * 3600}{secure}",
                    )
            await send(message)

        return sending


def _is_stream(scope: Scope) -> bool:
    """Whether the answer stays open."""
    return scope["type"] == "websocket" or _is_api(scope, _STREAMS)


def _is_api(scope: Scope, ending: str | tuple[str, ...]) -> bool:
    path: str = scope["path"]
    return path.startswith(API) and path.endswith(ending)


def _lasting(per_second: float, burst_seconds: int) -> RateLimit:
    """A pace, and on top what it allows in some seconds."""
    return RateLimit(per_second, round(per_second * burst_seconds))


def _is_asset(scope: Scope) -> bool:
    path: str = scope["path"]
    return path.startswith("/static/")


def cookie_of(headers: Headers, name: str) -> str | None:
    """A cookie by its name; what other sites of the same host have set beside it does not matter."""
    for line in headers.getlist("cookie"):
        for part in line.split(";"):
            own_name, _, value = part.strip().partition("=")
            if own_name == name:
                return value.strip('"')
    return None
