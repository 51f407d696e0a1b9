"""The application: the house behind one door, with pages for people and an API for programs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

import cardroom
from cardroom.games import GAMES, followed
from cardroom.store.database import Clock
from cardroom.web import errors, rendering
from cardroom.web.api import (
    care,
    designer,
    desk,
    draws,
    finance,
    floor,
    floor_calls,
    floor_tables,
    games,
    how,
    knockout21,
    lab,
    log,
    operations,
    protection,
    session,
)
from cardroom.web.house import House
from cardroom.web.pages import designer as designer_page
from cardroom.web.pages import floor as floor_page
from cardroom.web.pages import how as how_page
from cardroom.web.pages import lab as lab_page
from cardroom.web.pages import lobby, players, records, rounds, rules
from cardroom.web.pages import operations as operations_page
from cardroom.web.pages import protection as protection_page
from cardroom.web.routers import API, PageRouter
from cardroom.web.security.doors import OperationsDoor
from cardroom.web.security.gate import Gate
from cardroom.web.settings import Settings

DESCRIPTION = """Everything the pages do. A visitor is a signed cookie, which the first answer sets; `GET
/api/v1/session` gives the token that every changing request carries as `X-CSRF-Token`. Requests that move
chips carry an `Idempotency-Key` of your choice: repeated with the same content they are done once and
answered alike. Errors have one shape: `{"error": {"kind", "message", "clause"}}`."""


def create_app(settings: Settings, *, clock: Clock | None = None) -> FastAPI:
    """The card room of one database."""
    house = House(settings, clock=clock)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        house.open()
        yield
        await house.close()

    app = FastAPI(
        title="Cardroom",
        version=cardroom.__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        responses=errors.RESPONSES,
    )
    app.state.house = house
    errors.install(app, rendering.error_page)
    app.include_router(knockout21.counter, prefix=API)
    rendering.install(app)
    for page in (
        lobby,
        players,
        rounds,
        rules,
        how_page,
        lab_page,
        designer_page,
        protection_page,
        operations_page,
        floor_page,
        records,
    ):
        app.include_router(page.router, include_in_schema=False)
    for part in (
        session,
        games,
        how,
        lab,
        designer,
        protection,
        operations,
        log,
        draws,
        floor,
        floor_tables,
        floor_calls,
        finance,
        desk,
        care,
    ):
        app.include_router(part.router, prefix=API)
    for reference in dict.fromkeys(router for game in GAMES.values() for router in game.routers):
        router = followed(reference)
        if isinstance(router, PageRouter):
            app.include_router(router, include_in_schema=False)
        else:
            app.include_router(router, prefix=API)
    if settings.operations is not None:
        app.add_middleware(OperationsDoor, door=settings.operations)
    app.add_middleware(Gate, settings=settings, report=house.report)
    return app
