"""A push of the house that is older than the visitor's wagers, and comes after them, takes no chip away."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute

from tests.web.conftest import Screen


def silent(page: Page) -> list[WebSocketRoute]:
    """The pushes of the house are held back: the page hears only what the test says."""
    lines: list[WebSocketRoute] = []

    def hold(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server().on_message(lambda _message: None)

    page.route_web_socket("**/live", hold)
    return lines


def add_a_chip(page: Page, circle: str) -> None:
    """Press a circle, and wait until the page has nothing more to ask the house for."""
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        page.locator(circle).first.click()
    page.wait_for_load_state("networkidle")


@pytest.mark.parametrize(
    ("path", "table", "circle"),
    [
        ("/knockout-52/willow", "/api/v1/knockout-52/tables/willow", ".k-bet[data-wager='round-1']"),
        ("/tables/rowan", "/api/v1/tables/rowan", ".b-spot[data-spot='4'] .b-circle"),
    ],
)
def test_chips_stand_although_an_older_push_comes_late(
    screen: Screen, path: str, table: str, circle: str
) -> None:
    page = screen.page
    lines = silent(page)
    page.goto(path)
    page.locator(circle).first.wait_for()
    older = page.request.get(table).text()
    add_a_chip(page, circle)
    first = _staked(page, table)
    lines[0].send(older)
    add_a_chip(page, circle)
    assert first > 0
    assert _staked(page, table) == 2 * first


def _staked(page: Page, table: str) -> int:
    """The visitor's wagers as the house has them."""
    view: dict[str, Any] = json.loads(page.request.get(table).text())
    if "stakes" in view["you"]:
        return int(sum(view["you"]["stakes"].values()))
    return int(sum(spot["stake_cents"] for spot in view["spots"] if spot["you"]))
