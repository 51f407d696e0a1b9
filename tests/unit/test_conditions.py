"""The game conditions of Knockout 21: all that a buyer must know, by the rules, and on the ticket."""

from __future__ import annotations

import io
import re
from itertools import pairwise

import pytest

from cardroom.lottery.sales import Order, sell
from cardroom.lottery.ticket_print import HEIGHT, MARGIN, draw_back, ticket_pdf, ticket_png
from cardroom.presentation.conditions import chart_grid, chart_lines, conditions
from cardroom.rules import load_rules_as
from cardroom.rules.clauses import clause_of
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout21.law import GAME_2_CHART, GAME_3_CHART
from tests.lottery_house import open_house

RULES = load_rules_as(Knockout21Rules, "knockout-21")
SAID = [sentence for subject in conditions(RULES) for sentence in subject.sentences]


def test_every_subject_that_a_buyer_asks_for_is_there() -> None:
    words = " ".join(sentence.words for sentence in SAID)
    for expected in (
        "sold from 06:00 to 23:00",  # KO21-2.4
        "first at 11:21 and the last at about 23:00",  # KO21-3.1
        "A ticket cannot be cancelled.",  # KO21-2.10
        "A dealer's two-card 21 beats a 21 of three cards",  # KO21-4.2
        "Lucky Losers",  # KO21-4.4
        "within one year of its draw day",  # KO21-4.8
        "no guarantee of a prize",
        "British Columbia Lottery Corporation",
    ):
        assert expected in words


def test_each_sentence_cites_a_clause_that_is_written() -> None:
    assert [one.clause for one in SAID if one.clause and clause_of(one.clause) is None] == []
    assert len([one for one in SAID if not one.clause]) == 1  # where the rules come from


@pytest.mark.clause("KO21-5.2", "KO21-5.3")
def test_the_charts_in_words_and_in_cells_are_those_of_the_clauses() -> None:
    """As the clause page writes them, read by hand."""
    assert chart_lines(GAME_2_CHART) == [
        "4 to 11 and A/A to A/5 hit",
        "A/6 stand against 7, else hit",
        "A/7 hit against 9, else stand",
        "A/8 to A/9 stand",
        "12 hit",
        "13 stand against 4 to 6, else hit",
        "14 to 16 stand against 2 to 6, else hit",
        "17 to 21 stand",
    ]
    assert chart_lines(GAME_3_CHART) == [
        "4 to 11 and A/A to A/6 hit",
        "A/7 to A/9 stand",
        "12 to 15 hit",
        "16 to 21 stand",
    ]
    assert dict(chart_grid(2))["13"] == ("hit",) * 3 + ("stand",) * 3 + ("hit",) * 4


def test_other_rules_other_conditions() -> None:
    changes = {"sales.closes": "22:30", "claims.years": 2, "game_1_hit": "literal", "prizes.game_1": "12.00"}
    rules = load_rules_as(Knockout21Rules, "knockout-21", changes)
    words = " ".join(sentence.words for subject in conditions(rules) for sentence in subject.sentences)
    assert "06:00 to 22:30" in words
    assert "within 2 years" in words
    assert "$12.00" in words
    assert "also where a soft total becomes a lower hard one" in words


class Paper:
    """A pen that notes what it writes, and where."""

    def __init__(self) -> None:
        self.lines: list[tuple[float, float, float, str]] = []

    def text(self, x: float, y: float, size: float, words: str) -> None:
        self.lines.append((x, y, size, words))

    def box(self, x: float, y: float, width: float, height: float, *, filled: bool) -> None: ...

    def polygon(self, points: object, *, filled: bool) -> None: ...

    def disc(self, x: float, y: float, radius: float, *, filled: bool) -> None: ...


def test_the_back_fits_its_paper() -> None:
    from reportlab.pdfbase.pdfmetrics import stringWidth

    paper = Paper()
    draw_back(paper, RULES)
    for x, y, size, words in paper.lines:
        assert y < HEIGHT - MARGIN
        assert x + stringWidth(words, "Helvetica", size) < 226 - MARGIN / 2, words
    said = re.sub(r"\s+", " ", " ".join(words for *_, words in paper.lines))
    for sentence in SAID:
        assert sentence.words in said


@pytest.mark.clause("KO21-2.5")
def test_the_back_of_a_ticket_carries_them(sqlite_url: str) -> None:
    with open_house(sqlite_url) as house:
        (ticket,) = sell(house.lottery, Order("terminal-1"), key="a-key").tickets
        pdf = ticket_pdf(ticket, house.lottery.rules)
    assert b"/Count 2" in pdf  # the front and the back
    assert b"GAME CONDITIONS" in pdf
    assert b"A ticket cannot be cancelled." in pdf


@pytest.mark.clause("KO21-2.5")
def test_the_picture_of_a_ticket_has_its_back_below_its_front(sqlite_url: str) -> None:
    from PIL import Image, ImageChops

    with open_house(sqlite_url) as house:
        (ticket,) = sell(house.lottery, Order("terminal-1"), key="a-key").tickets
        front = Image.open(io.BytesIO(ticket_png(ticket)))
        both = Image.open(io.BytesIO(ticket_png(ticket, house.lottery.rules)))
    width, height = front.size
    assert both.size == (width, 2 * height)
    assert ImageChops.difference(both.crop((0, 0, width, height)), front).getbbox() is None
    back = both.crop((0, height, width, 2 * height))
    left, _, right, bottom = ImageChops.invert(back).getbbox() or (0, 0, 0, 0)
    margin = width * MARGIN / 226 / 2
    assert left > margin  # everything is on the paper
    assert right < width - margin
    assert bottom < height - margin
    pixels = back.tobytes()
    inked = [min(pixels[y * width : (y + 1) * width]) < 255 for y in range(height)]
    lines = sum(now and not before for before, now in pairwise(inked))
    assert lines >= len(SAID)  # a line at least for each sentence of the game conditions
