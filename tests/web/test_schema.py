"""The API against its own description: whatever is asked, nothing breaks, and errors keep their shape."""

from __future__ import annotations

from typing import Any

import httpx2 as httpx
from hypothesis import HealthCheck, given, settings

from tests.web.conftest import CardRoom

SLOW = (
    "/lab/par/",
    "/lab/chart",
    "/how/mistakes",
    "/lab/figures",
    "/lab/edge",
    "/lab/cell",
    "/lab/hand",
    "/lab/sizes",
    "/lab/simulation",
    "/lab/published",
    "/lab/protection",
    "/odds",
    "/monitor",
)
"""Streams that do not end and work that takes long; they have tests of their own."""


def operations(room: CardRoom) -> list[Any]:
    import schemathesis  # takes a second, which only the process of this file spends
    from schemathesis.core.result import Ok

    document = httpx.get(f"{room.url}/api/v1/openapi.json", timeout=300).json()
    schema = schemathesis.openapi.from_dict(document)
    found = []
    for result in schema.get_all_operations():
        assert isinstance(result, Ok), result
        found.append(result.ok())
    return [one for one in found if not any(part in one.path for part in SLOW)]


def test_nothing_breaks(room: CardRoom) -> None:
    """Every operation is asked with made-up input, some of it allowed and most of it not."""
    guest = room.client()
    token = {"X-CSRF-Token": guest.headers["X-CSRF-Token"]}
    cookies = {"cardroom_guest": guest.cookies["cardroom_guest"]}
    asked = 0
    for operation in operations(room):

        @given(case=operation.as_strategy())
        @settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        def ask(case: Any) -> None:
            nonlocal asked
            asked += 1
            answer = case.call(
                base_url=room.url,
                headers={**dict(case.headers or {}), **token},
                cookies=cookies,
                timeout=300,
            )
            assert answer.status_code < 500, f"{case.method} {case.formatted_path}: {answer.text[:300]}"
            if answer.status_code >= 400:
                assert set(answer.json()["error"]) == {"kind", "message", "clause"}

        ask()
    assert asked > 100


def test_every_operation_is_described(room: CardRoom) -> None:
    """What the pages call is in the description, with words, and every error of the house is listed."""
    document = httpx.get(f"{room.url}/api/v1/openapi.json", timeout=300).json()
    assert len(document["paths"]) >= 40
    for path, operations in document["paths"].items():
        assert path.startswith("/api/v1/")
        for operation in operations.values():
            assert operation["description"], path
            assert {"400", "404", "409", "422", "429"} <= set(operation["responses"])
