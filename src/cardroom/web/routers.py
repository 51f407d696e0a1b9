"""Routers that are passed over at once by requests for another part of the house.

A request asks router after router, and each would try all of its paths: a small request spent a third of its
time so.
"""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter
from starlette.routing import Match
from starlette.types import Scope

API: Final = "/api/v1"


class ApiRouter(APIRouter):
    """Requests to the programming interface, below one prefix."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if not scope["path"].startswith(API + self.prefix):
            return Match.NONE, {}
        return super().matches(scope)


class PageRouter(APIRouter):
    """Pages, and what they load."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if scope["path"].startswith(API):
            return Match.NONE, {}
        return super().matches(scope)
