"""A ticket on paper: the same drawing as a PDF and as a PNG, all of KO21-2.5 on it, with a QR code."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Sequence
from typing import Any, Final, Protocol

from cardroom.core.cards import Card, Suit
from cardroom.core.extras import missing
from cardroom.lottery.tickets import PrintedTicket
from cardroom.presentation.conditions import conditions
from cardroom.presentation.knockout21.game_1 import GAME_1_WORDS
from cardroom.presentation.money import dollars
from cardroom.rules.knockout21 import GAMES, HANDS_OF_GAME, Knockout21Rules

WIDTH: Final = 226.0  # 80 mm of receipt paper, in points
HEIGHT: Final = 560.0
MARGIN: Final = 12.0
_PIXELS_PER_POINT: Final = 3
_SUIT_SIZE: Final = 7.0
_BACK_SIZE: Final = 6.0
_BACK_LETTERS: Final = 66
"""How many letters of that size a line of the back takes."""


class Pen(Protocol):
    """What both kinds of paper can do; y grows downwards, in points."""

    def text(self, x: float, y: float, size: float, words: str) -> None: ...

    def box(self, x: float, y: float, width: float, height: float, *, filled: bool) -> None: ...

    def polygon(self, points: Sequence[tuple[float, float]], *, filled: bool) -> None: ...

    def disc(self, x: float, y: float, radius: float, *, filled: bool) -> None: ...


def ticket_pdf(ticket: PrintedTicket, rules: Knockout21Rules | None = None) -> bytes:
    """The ticket as a PDF; with the rules that it is played under, the game conditions are on its back."""
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ModuleNotFoundError:
        raise missing("a PDF", "documents") from None
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(WIDTH, HEIGHT), invariant=True, pageCompression=0)
    canvas.setTitle(f"Knockout 21, draw {ticket.draw}")
    draw_ticket(_PdfPen(canvas), ticket)
    canvas.showPage()
    if rules is not None:
        draw_back(_PdfPen(canvas), rules)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def ticket_png(ticket: PrintedTicket, rules: Knockout21Rules | None = None) -> bytes:
    """The ticket as a PNG picture; with the rules that it is played under, its back is below its front."""
    try:
        from PIL import Image, ImageDraw
    except ModuleNotFoundError:
        raise missing("a picture", "documents") from None
    width, height = (round(side * _PIXELS_PER_POINT) for side in (WIDTH, HEIGHT))
    image = Image.new("L", (width, height if rules is None else 2 * height), 255)
    draw_ticket(_PngPen(ImageDraw.Draw(image)), ticket)
    if rules is not None:
        back = Image.new("L", (width, height), 255)
        draw_back(_PngPen(ImageDraw.Draw(back)), rules)
        image.paste(back, (0, height))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def qr_text(ticket: PrintedTicket) -> str:
    """What the QR code says: the ticket's id, control number, print and code."""
    return f"KO21 {ticket.id} {ticket.control_number} {ticket.print_number} {ticket.code}"


def draw_ticket(pen: Pen, ticket: PrintedTicket) -> None:
    """Put everything a ticket shows on paper."""
    pen.text(MARGIN, 24, 16, ticket.game.upper())
    price = dollars(ticket.price_cents)
    pen.text(
        MARGIN, 40, 9, f"Draw {ticket.draw}   {ticket.day.isoformat()}   {ticket.draw_at:%H:%M %Z}   {price}"
    )
    overridden = set(ticket.overrides)
    y = 60.0
    for game in GAMES:
        pen.text(MARGIN, y, 10, f"GAME {game}")
        y += 14
        for number, position in enumerate(HANDS_OF_GAME[game], 1):
            pen.text(MARGIN, y, 9, f"{number}")
            _cards(pen, MARGIN + 14, y, ticket.play.hands[position])
            if game == 2:
                pen.text(MARGIN + 78, y, 8, "dealer")
                _cards(pen, MARGIN + 106, y, (ticket.first_cards[number - 1],))
            choice = ticket.play.choices[position]
            if choice is not None:
                pen.text(MARGIN + 140, y, 9, choice.name)
                if position in overridden:
                    pen.text(MARGIN + 174, y, 7, "* yours")
            y += 13
        y += 6
    _foot(pen, ticket, y)


def draw_back(pen: Pen, rules: Knockout21Rules) -> None:
    """The game conditions, on the other side of the paper."""
    pen.text(MARGIN, 22, 11, "GAME CONDITIONS")
    y = 36.0
    for subject in conditions(rules):
        pen.text(MARGIN, y, 7.5, subject.title)
        y += 9
        for sentence in subject.sentences:
            code = f" ({sentence.clause})" if sentence.clause else ""
            for line in textwrap.wrap(f"{sentence.words}{code}", _BACK_LETTERS):
                pen.text(MARGIN, y, _BACK_SIZE, line)
                y += _BACK_SIZE + 1.2
        y += 4


def _foot(pen: Pen, ticket: PrintedTicket, y: float) -> None:
    for words in (
        *GAME_1_WORDS[ticket.game_1_hit],
        f"Control number {ticket.control_number}",
        f"Code {ticket.code}   print {ticket.print_number}",
        f"Sold {ticket.sold_at:%Y-%m-%d %H:%M:%S %Z}, terminal {ticket.terminal}",
        *([ticket.alteration_line] if ticket.alteration_line else []),
        f"Claim until {ticket.claim_until.isoformat()}. No cancellation.",
        f"Ticket {ticket.id}",
        f"Commitment {ticket.commitment[:32]}",
        f"{ticket.commitment[32:]}",
        f"Log {ticket.log_head[:40]}",
        f"{ticket.log_head[40:]}",
        "* a choice that differs from basic strategy",
    ):
        pen.text(MARGIN, y, 7, words)
        y += 9
    _qr(pen, qr_text(ticket), MARGIN, y, 100)


def _cards(pen: Pen, x: float, y: float, cards: Sequence[Card]) -> None:
    for card in cards:
        rank = card.pretty[:-1]
        pen.text(x, y, 10, rank)
        _suit(pen, x + 17, y - _SUIT_SIZE / 2, card.suit)
        x += 30


def _suit(pen: Pen, x: float, y: float, suit: Suit) -> None:
    """A suit's sign around a point: black ones filled, red ones in outline, so that no colour is needed."""
    size = _SUIT_SIZE
    half, third = size / 2, size / 4.4
    filled = suit in {Suit.CLUBS, Suit.SPADES}
    if suit is Suit.DIAMONDS:
        pen.polygon([(x, y - half), (x + half * 0.8, y), (x, y + half), (x - half * 0.8, y)], filled=filled)
    elif suit is Suit.HEARTS:
        side, top = half * 0.95, y - half * 0.35
        points = [
            (x, y + half),
            (x - side, top),
            (x - side * 0.55, y - half),
            (x, top),
            (x + side * 0.55, y - half),
            (x + side, top),
        ]
        pen.polygon(points, filled=filled)
    elif suit is Suit.SPADES:
        pen.polygon([(x, y - half), (x + half, y + half * 0.4), (x - half, y + half * 0.4)], filled=filled)
        pen.polygon([(x, y), (x + half * 0.5, y + half), (x - half * 0.5, y + half)], filled=filled)
    else:
        for dx, dy in ((0.0, -half * 0.5), (-half * 0.55, half * 0.25), (half * 0.55, half * 0.25)):
            pen.disc(x + dx, y + dy, third, filled=filled)
        pen.polygon([(x, y), (x + half * 0.4, y + half), (x - half * 0.4, y + half)], filled=filled)


def _qr(pen: Pen, words: str, x: float, y: float, size: float) -> None:
    try:
        import segno
    except ModuleNotFoundError:
        raise missing("a QR code", "documents") from None
    matrix = segno.make_qr(words, error="m").matrix
    module = size / len(matrix)
    for row, line in enumerate(matrix):
        for column, dark in enumerate(line):
            if dark:
                pen.box(x + column * module, y + row * module, module, module, filled=True)


class _PdfPen:
    """Draws on a page of a PDF, whose y grows upwards."""

    def __init__(self, canvas: Any) -> None:
        self._canvas = canvas

    def text(self, x: float, y: float, size: float, words: str) -> None:
        self._canvas.setFont("Helvetica", size)
        self._canvas.drawString(x, HEIGHT - y, words)

    def box(self, x: float, y: float, width: float, height: float, *, filled: bool) -> None:
        self._canvas.rect(x, HEIGHT - y - height, width, height, stroke=0 if filled else 1, fill=int(filled))

    def polygon(self, points: Sequence[tuple[float, float]], *, filled: bool) -> None:
        path = self._canvas.beginPath()
        for index, (x, y) in enumerate(points):
            (path.lineTo if index else path.moveTo)(x, HEIGHT - y)
        path.close()
        self._canvas.setLineWidth(0.6)
        self._canvas.drawPath(path, stroke=1, fill=int(filled))

    def disc(self, x: float, y: float, radius: float, *, filled: bool) -> None:
        self._canvas.circle(x, HEIGHT - y, radius, stroke=1, fill=int(filled))


class _PngPen:
    """Draws on a picture."""

    def __init__(self, draw: Any) -> None:
        self._draw = draw

    def text(self, x: float, y: float, size: float, words: str) -> None:
        from PIL import ImageFont

        font = ImageFont.load_default(size * _PIXELS_PER_POINT)
        self._draw.text((x * _PIXELS_PER_POINT, y * _PIXELS_PER_POINT), words, fill=0, font=font, anchor="ls")

    def box(self, x: float, y: float, width: float, height: float, *, filled: bool) -> None:
        scale = _PIXELS_PER_POINT
        corners = [x * scale, y * scale, (x + width) * scale, (y + height) * scale]
        self._draw.rectangle(corners, fill=0 if filled else None, outline=0)

    def polygon(self, points: Sequence[tuple[float, float]], *, filled: bool) -> None:
        scaled = [(x * _PIXELS_PER_POINT, y * _PIXELS_PER_POINT) for x, y in points]
        self._draw.polygon(scaled, fill=0 if filled else None, outline=0, width=2)

    def disc(self, x: float, y: float, radius: float, *, filled: bool) -> None:
        scale = _PIXELS_PER_POINT
        box = [(x - radius) * scale, (y - radius) * scale, (x + radius) * scale, (y + radius) * scale]
        self._draw.ellipse(box, fill=0 if filled else None, outline=0)
