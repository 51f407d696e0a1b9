"""The modules of the pages: which there are, and what the pages send them."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import cardroom.web
from tests.web.conftest import CardRoom

MODULES = Path(cardroom.web.__path__[0]) / "static" / "js"
TEMPLATES = Path(cardroom.web.__path__[0]) / "templates"
SOURCES = {path.relative_to(MODULES).as_posix(): path.read_text("utf-8") for path in MODULES.rglob("*.js")}
IMPORT = re.compile(r'^(?:import|export) (?:[^"]* from )?"(\.[^"]+)";$', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def imports_of(path: str) -> set[str]:
    folder = (MODULES / path).parent
    return {
        (folder / name).resolve().relative_to(MODULES.resolve()).as_posix()
        for name in IMPORT.findall(SOURCES[path])
    }


def test_every_module_is_used_by_a_page_and_every_import_is_there() -> None:
    pages = "".join(path.read_text("utf-8") for path in TEMPLATES.glob("*.html"))
    reached: set[str] = set()
    waiting = set(re.findall(r"asset\('js/([^']+)'\)", pages))
    while waiting:
        reached |= waiting
        waiting = set().union(*map(imports_of, waiting)) - reached
    assert reached == set(SOURCES)


def interfaces(name: str) -> dict[str, set[str]]:
    """The fields that the types of a page declare, by interface; optional ones left out."""
    text = COMMENT.sub("", (MODULES / "types" / f"{name}.d.ts").read_text("utf-8"))
    blocks = re.findall(r"interface (\w+)[^{]*\{\n(.*?)\n\}", text, re.DOTALL)
    return {title: set(re.findall(r"^  (\w+):", body, re.MULTILINE)) for title, body in blocks}


class _Sent(HTMLParser):
    """All JSON that a page hands to its modules, by the name of its attribute."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, Any] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("data-state", "data-layout", "data-about") and value:
                self.found[name] = json.loads(value)


Places = dict[str, tuple[str | int, ...]]
"""Interface → where what it describes stands in what a page sends."""
PAGES: list[tuple[str, str, Places]] = [
    (
        "/tables/linden",
        "table",
        {
            "TableView": ("data-state",),
            "Shoe": ("data-state", "shoe"),
            "Spot": ("data-state", "spots", 0),
            "You": ("data-state", "you"),
            "Layout": ("data-layout",),
        },
    ),
    ("/tables/linden", "purse", {"Purse": ("data-state", "you")}),
    (
        "/knockout-52/willow",
        "knockout52",
        {
            "TableView": ("data-state",),
            "WagerView": ("data-state", "wagers", 0),
            "Layout": ("data-layout",),
        },
    ),
    (
        "/lab?game=blackjack",
        "lab",
        {
            "RulesView": ("data-state",),
            "Control": ("data-state", "controls", 0),
            "About": ("data-about",),
        },
    ),
]


def holds_what_is_declared(page: str, types: str, places: Places) -> None:
    sent, declared = _Sent(page).found, interfaces(types)
    for interface, place in places.items():
        found: Any = sent
        for step in place:
            found = found[step]
        assert declared[interface], interface
        assert declared[interface] <= set(found), (interface, declared[interface] - set(found))


@pytest.mark.parametrize(("address", "types", "places"), PAGES)
def test_pages_send_what_the_types_of_their_modules_declare(
    room: CardRoom, address: str, types: str, places: Places
) -> None:
    holds_what_is_declared(room.client().get(address).text, types, places)


def test_the_terminal_sends_what_the_types_of_its_modules_declare(hall: CardRoom) -> None:
    places: Places = {
        "Draws": ("data-state",),
        "Draw": ("data-state", "on_sale", 0),
        "House": ("data-state",),
        "NextDraw": ("data-state", "next"),
        "Sales": ("data-state", "sales"),
        "Layout": ("data-layout",),
    }
    holds_what_is_declared(hall.client().get("/knockout-21").text, "knockout21", places)
