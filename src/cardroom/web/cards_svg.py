"""The deck, drawn here: 52 cards in four colours, each twice (full, and with a large index), and the back.

Every suit has its own shape and its own colour: spades ink, hearts red, diamonds blue, clubs green.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from cardroom.core.cards import CARDS, Card, Rank, Suit

COLOURS: Final = {
    Suit.SPADES: "#1b1f24",
    Suit.HEARTS: "#b3202c",
    Suit.DIAMONDS: "#1f55a8",
    Suit.CLUBS: "#1d6b3f",
}
_TINTS: Final = {
    Suit.SPADES: "#eceae4",
    Suit.HEARTS: "#f8e6e1",
    Suit.DIAMONDS: "#e4ecf6",
    Suit.CLUBS: "#e3efe4",
}
_SHAPES: Final = {
    Suit.SPADES: (
        '<path d="M0-10.5C3.6-5.2 9.4-2.4 9.4 2.8C9.4 6.9 4.6 8.4 1.3 5.1C1.6 7.6 2.5 9.2 4.2 10.2H-4.2'
        'C-2.5 9.2-1.6 7.6-1.3 5.1C-4.6 8.4-9.4 6.9-9.4 2.8C-9.4-2.4-3.6-5.2 0-10.5Z"/>'
    ),
    Suit.HEARTS: (
        '<path d="M0 9.6C-2.8 5.4-9.6 1.9-9.6-3.9C-9.6-7.2-7.2-9.4-4.5-9.4C-2.3-9.4-.7-8 0-6'
        'C.7-8 2.3-9.4 4.5-9.4C7.2-9.4 9.6-7.2 9.6-3.9C9.6 1.9 2.8 5.4 0 9.6Z"/>'
    ),
    Suit.DIAMONDS: (
        '<path d="M0-10.4C1.9-6.4 4.7-3 7.8 0C4.7 3 1.9 6.4 0 10.4C-1.9 6.4-4.7 3-7.8 0'
        'C-4.7-3-1.9-6.4 0-10.4Z"/>'
    ),
    Suit.CLUBS: (
        '<circle cy="-5.6" r="4.5"/><circle cx="-5" cy="1.6" r="4.5"/><circle cx="5" cy="1.6" r="4.5"/>'
        '<path d="M-1.4-3C-1.4 4.4-2.2 8.6-4.2 10.2H4.2C2.2 8.6 1.4 4.4 1.4-3Z"/>'
    ),
}
_LEFT, _MIDDLE, _RIGHT = 34, 50, 66
_PIPS: Final[dict[int, tuple[tuple[int, float], ...]]] = {
    2: ((_MIDDLE, 36), (_MIDDLE, 104)),
    3: ((_MIDDLE, 36), (_MIDDLE, 70), (_MIDDLE, 104)),
    4: ((_LEFT, 36), (_RIGHT, 36), (_LEFT, 104), (_RIGHT, 104)),
    5: ((_LEFT, 36), (_RIGHT, 36), (_MIDDLE, 70), (_LEFT, 104), (_RIGHT, 104)),
    6: ((_LEFT, 36), (_RIGHT, 36), (_LEFT, 70), (_RIGHT, 70), (_LEFT, 104), (_RIGHT, 104)),
    7: ((_LEFT, 36), (_RIGHT, 36), (_MIDDLE, 53), (_LEFT, 70), (_RIGHT, 70), (_LEFT, 104), (_RIGHT, 104)),
    8: (
        *((x, y) for y in (36, 70, 104) for x in (_LEFT, _RIGHT)),
        (_MIDDLE, 53),
        (_MIDDLE, 87),
    ),
    9: (*((x, y) for y in (36, 58.6, 81.4, 104) for x in (_LEFT, _RIGHT)), (_MIDDLE, 70)),
    10: (
        *((x, y) for y in (36, 58.6, 81.4, 104) for x in (_LEFT, _RIGHT)),
        (_MIDDLE, 47.3),
        (_MIDDLE, 92.7),
    ),
}
_HATS: Final = {
    Rank.KING: (
        '<path d="M-17 11L-20-7L-9.5 1L0-13L9.5 1L20-7L17 11Z"/>'
        '<rect x="-17" y="13" width="34" height="4.4" rx="1.2"/>'
        '<circle cy="-15.5" r="2.6"/><circle cx="-20.4" cy="-9" r="2.3"/><circle cx="20.4" cy="-9" r="2.3"/>'
    ),
    Rank.QUEEN: (
        '<path d="M-17 11C-18 2-15-5-9-7.5C-7-1-4.5 2-1.8 3.5C-3.4-3-2.4-8.8 0-12.5C2.4-8.8 3.4-3 1.8 3.5'
        'C4.5 2 7-1 9-7.5C15-5 18 2 17 11Z"/><rect x="-17" y="13" width="34" height="4.4" rx="2.2"/>'
        '<circle cy="-15.2" r="2.2"/><circle cx="-10" cy="-10.4" r="2"/><circle cx="10" cy="-10.4" r="2"/>'
    ),
    Rank.JACK: (
        '<path d="M-16 11C-17-2-9-9 2-9C11-9 16-3 16 11Z"/>'
        '<rect x="-18" y="13" width="36" height="4.4" rx="2.2"/>'
        '<path d="M7-6C9-14 15-19 23-19C23-12 19-6 11-3.5C15-8 18-12 20-16.5C15-14 11-10.5 7-6Z"/>'
    ),
}
_SERIF: Final = "Georgia,'Iowan Old Style','Palatino Linotype',P052,'Noto Serif','Liberation Serif',serif"


def _suit(suit: Suit, x: float, y: float, size: float, *, turned: bool = False) -> str:
    turn = " rotate(180)" if turned else ""
    return f'<use href="#suit-{suit.letter}" transform="translate({x:g} {y:g}){turn} scale({size:g})"/>'


_PAPER: Final = (
    '<rect x=".75" y=".75" width="98.5" height="138.5" rx="8" fill="#fffdf7" stroke="#c9c2b2" '
    'stroke-width="1.5"/>'
)
_BOX: Final = 'viewBox="0 0 100 140"'


def _rank(card: Card, x: float, y: float, size: int) -> str:
    # Two digits are as wide as the letters are high, whatever the font: they stay on the card.
    squeezed = f' textLength="{size}" lengthAdjust="spacingAndGlyphs"' if card.rank is Rank.TEN else ""
    shown = "10" if card.rank is Rank.TEN else card.rank.letter
    style = f'font-size="{size}" font-weight="700" text-anchor="middle"{squeezed}'
    return f'<text x="{x:g}" y="{y:g}" {style}>{shown}</text>'


def _index(card: Card) -> str:
    corner = _rank(card, 13.5, 25, 23) + _suit(card.suit, 13.5, 37, 0.72)
    return f'{corner}<g transform="rotate(180 50 70)">{corner}</g>'


def _face(card: Card) -> str:
    if card.rank is Rank.ACE:
        ring = '<circle cx="50" cy="70" r="33" fill="none" stroke="currentColor" opacity=".35"/>'
        return (ring if card.suit is Suit.SPADES else "") + _suit(card.suit, 50, 70, 2.5)
    if card.rank in _HATS:
        tint, half = _TINTS[card.suit], f'<g transform="translate(50 47)">{_HATS[card.rank]}</g>'
        frame = (
            f'<rect x="25" y="17" width="50" height="106" rx="5" fill="{tint}" stroke="currentColor" '
            'stroke-width="1.2" stroke-opacity=".55"/>'
            '<path d="M25 82L75 58" stroke="currentColor" stroke-width="1.2" stroke-opacity=".4"/>'
        )
        medal = '<circle cx="50" cy="70" r="13.5" fill="#fffdf7" stroke="currentColor" stroke-width="1.2"/>'
        return (
            f'{frame}{half}<g transform="rotate(180 50 70)">{half}</g>{medal}{_suit(card.suit, 50, 70, 0.92)}'
        )
    return "".join(_suit(card.suit, x, y, 0.86, turned=y > 70) for x, y in _PIPS[card.rank])


def _large(card: Card) -> str:
    return _rank(card, 50, 70, 72) + _suit(card.suit, 50, 105, 2.2)


def _symbols() -> Iterator[str]:
    for suit, shape in _SHAPES.items():
        yield f'<g id="suit-{suit.letter}">{shape}</g>'
    for card in CARDS:
        colour = COLOURS[card.suit]
        style = f'color="{colour}" fill="{colour}" font-family="{_SERIF}"'
        full, large = f"{_index(card)}{_face(card)}", _large(card)
        yield f'<symbol id="{card.text}" {_BOX}>{_PAPER}<g {style}>{full}</g></symbol>'
        yield f'<symbol id="large-{card.text}" {_BOX}>{_PAPER}<g {style}>{large}</g></symbol>'
    columns = [(14 + 12 * n, 26 + 12 * n) for n in range(6)]
    lattice = "".join(
        f'<path d="M{left} 14L{right} 70L{left} 126M{right} 14L{left} 70L{right} 126"/>'
        for left, right in columns
    )
    yield (
        f'<symbol id="back" {_BOX}>{_PAPER}'
        '<rect x="7" y="7" width="86" height="126" rx="5" fill="#7a2434"/>'
        '<rect x="11" y="11" width="78" height="118" rx="3.5" fill="none" stroke="#e9cf9a" stroke-width="1"/>'
        f'<g fill="none" stroke="#e9cf9a" stroke-width=".9" stroke-opacity=".55">{lattice}</g>'
        '<circle cx="50" cy="70" r="16" fill="#7a2434" stroke="#e9cf9a" stroke-width="1.2"/>'
        f'<g fill="#e9cf9a">{_suit(Suit.SPADES, 50, 70, 0.95)}</g></symbol>'
    )


@cache
def deck_svg() -> str:
    """One file with every card as a symbol: `#Th`, `#large-Th`, `#back`."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(_symbols())}</svg>'
