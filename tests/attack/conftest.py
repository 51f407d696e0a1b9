"""Attackers are visitors too: what a visitor opened is closed with the test."""

from __future__ import annotations

from tests.web.conftest import guests_leave

__all__ = ["guests_leave"]
