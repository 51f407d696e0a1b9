"""Terminal, pages and PAR sheet say the same thing in the same words, game by game."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any

import pytest

from cardroom.cli.twentyone.screen import hand_words
from cardroom.core.cards import Rank
from cardroom.engine import twentyone
from cardroom.games import GAMES
from cardroom.lab.par import par_sheet
from cardroom.lab.par.blocks import Grid
from cardroom.lab.par.document import document, title
from cardroom.presentation.money import average, chips, dollars
from cardroom.presentation.numbers import counted, in_percent, one_in, percent, signed
from cardroom.rules import load_rules
from cardroom.web.live.twentyone_view import round_view
from tests.command_line import CommandLine
from tests.twentyone import GAMES as CARD_GAMES
from tests.twentyone import house, played
from tests.web.conftest import CardRoom, Screen

pytestmark = pytest.mark.slow


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


ONE_SIZE = {"decks": 1, "split.max_hands": 2, "limits.min": "5.00", "limits.max": "5.00"}
"""Rules of the blackjack family that are solved in a moment."""


@pytest.fixture
def without_studies(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chapters of a sheet that take minutes are left out: they hold no wager's figures."""
    for study in ("sensitivity", "family_findings", "correlations"):
        monkeypatch.setattr(f"cardroom.lab.par.twentyone.{study}", lambda *_, **__: ())
    for study in ("_variations", "findings", "curve"):
        monkeypatch.setattr(f"cardroom.lab.par.knockout21.{study}", lambda *_, **__: ())
    monkeypatch.setattr("cardroom.lab.par.twentyone.effect_of_removal", lambda *_: {Rank.ACE: 0.0})


@dataclass(frozen=True)
class Said:
    """What is said of a wager."""

    title: str
    edge: str


@pytest.mark.usefixtures("without_studies")
@pytest.mark.parametrize("game", list(GAMES))
def test_wagers_are_called_the_same_everywhere(game: str, room: CardRoom, cardroom: CommandLine) -> None:
    options: Mapping[str, object] = ONE_SIZE if game in CARD_GAMES else {}
    rules = load_rules(game, options)
    changes = [part for key, value in options.items() for part in ("--set", f"{key}={value}")]
    terminal = cardroom("odds", game, *changes).out
    guest = room.client()
    answer = guest.post("/api/v1/lab/figures", json={"game": game, "options": options}).json()
    of_page = [_said(wager) for wager in answer["wagers"]]
    sheet = par_sheet(rules, rounds=1000, seed=3)
    overview = next(block for block in document(sheet) if isinstance(block, Grid))
    of_sheet = {row[0]: row[1] for row in overview.rows}

    for block in document(sheet):
        cells = [cell for row in block.rows for cell in row] if isinstance(block, Grid) else []
        assert [cell for cell in cells if re.search(r"(?<!\w)-[$\d]", cell)] == []
    assert terminal.startswith(f"{rules.title}, ")
    assert title(sheet).startswith(f"{rules.title}: ")
    assert GAMES[game].title == rules.title
    page_titles = {said.title for said in of_page}
    assert page_titles & set(of_sheet)
    rows = [re.split(r"  +", line) for line in terminal.splitlines()]
    for said in of_page:
        row = next(row for row in rows if row[0] == said.title)
        assert GAMES[game].kind == "lottery" or said.edge in row
        if of_sheet.get(said.title):
            assert of_sheet[said.title] == said.edge


def _said(wager: dict[str, Any]) -> Said:
    edge = wager["house_edge_percent"]
    return Said(wager["title"], "" if edge is None else in_percent(edge))


def test_the_page_of_the_rules_says_what_the_terminal_says(room: CardRoom, cardroom: CommandLine) -> None:
    page = unescape(room.client().get("/rules/knockout-52").text)
    rows = [re.split(r"  +", line) for line in cardroom("odds", "knockout-52").out.splitlines()]
    for row in (row for row in rows if row[0].startswith(("Round", "All the Way"))):
        name, _, _, seldom, edge, *_ = row
        line = next(line for line in page.split("<tr ")[1:] if name in line)
        assert edge in line
        assert f"1 in {seldom}" in line


@pytest.mark.parametrize(
    ("cards", "total"),
    [("Th 9c 6d 7s", "16"), ("Ah 9c 6d 7s", "soft 17"), ("Ah 9c Kd 7s", "blackjack")],
)
def test_totals_of_hands(cards: str, total: str) -> None:
    """A round from its cards: player, dealer, player, dealer."""
    state = played(house("blackjack"), cards).state
    (hand,) = state.spots[0].hands
    (spot,) = round_view(twentyone.view(state, state.spots[0].number), None, (), state.rules)["spots"]
    assert spot["hands"][0]["total"] == total
    assert hand_words(hand).split(",")[0] == total


AMOUNTS = (0, 1, 5, 99, 100, 250, 12_345, 100_000, 123_456_789, -1, -400, -123_456)
FLOATS = (0.0, 0.04, 0.06, 0.25, 2.5, 9.94, 9.96, 12.5, 99.4, 99.5, 172.667, 12_345.5, -0.04, -17.4, -250.5)


def test_the_modules_of_the_pages_say_it_like_the_server(screen: Screen) -> None:
    screen.page.goto("/fairness")
    script = """async ({ amounts, floats }) => {
        const { src } = document.querySelector("script[src*='/js/']");
        const words = await import(src.replace(/js\\/.*/, "js/words.js"));
        return {
            dollars: amounts.map((one) => words.dollars(one)),
            chips: amounts.map((one) => words.chips(one, { plus: true })),
            counted: amounts.filter((one) => one >= 0).map((one) => words.counted(one, "card")),
            average: floats.map((one) => words.average(one, { plus: true })),
            percent: floats.map((one) => words.percent(one, 2)),
            inPercent: floats.map((one) => words.inPercent(one, 1, { plus: true })),
            signed: floats.map((one) => words.signed(one, 0)),
            oneIn: floats.filter((one) => one > 0).map((one) => words.oneIn(1 / one / 1000)),
        };
    }"""
    said = screen.page.evaluate(script, {"amounts": AMOUNTS, "floats": FLOATS})
    assert said == json.loads(
        json.dumps(
            {
                "dollars": [dollars(cents) for cents in AMOUNTS],
                "chips": [chips(cents, plus=True) for cents in AMOUNTS],
                "counted": [counted(number, "card") for number in AMOUNTS if number >= 0],
                "average": [average(cents, plus=True) for cents in FLOATS],
                "percent": [percent(share, 2) for share in FLOATS],
                "inPercent": [in_percent(number, 1, plus=True) for number in FLOATS],
                "signed": [signed(number, 0) for number in FLOATS],
                "oneIn": [one_in(1 / number / 1000) for number in FLOATS if number > 0],
            }
        )
    )
