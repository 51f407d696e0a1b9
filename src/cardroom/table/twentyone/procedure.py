"""The house's shuffle as people do it: a model of wash, plug, piles, riffles and cuts (PROC-4 to PROC-6).

The cards move as the clauses say; how evenly hands part and mingle them is the model: a riffle of Gilbert,
Shannon and Reeds, handfuls of half a deck give or take a few cards, a wash and a plug of stated size. It
is for study. Chance is an input here as everywhere: `below(n)` gives a number from 0 to n - 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

PILES: Final = 4
WASH_REACH: Final = 0.5
"""How far a wash can carry a card, as a part of all cards."""
PLUGS: Final = 4
"""In how many pieces the stub goes into the discards."""
HANDFUL_SPREAD: Final = 4
"""By how many cards at most a handful differs from half a deck."""

_STEPS: Final = 1 << 20

Below = Callable[[int], int]
Item = TypeVar("Item")


def pile_sizes(cards: int) -> tuple[int, int, int, int]:
    """Four piles as equal as can be, the first ones with the cards over (PROC-4)."""
    each, over = divmod(cards, PILES)
    first, second, third, fourth = (each + (pile < over) for pile in range(PILES))
    return first, second, third, fourth


def wash(cards: Sequence[Item], below: Below) -> list[Item]:
    """Cards pushed about face down: each is carried by chance up to `WASH_REACH` of the pack (PROC-1)."""
    reach = int(WASH_REACH * len(cards) * _STEPS)
    keyed = [(place * _STEPS + below(reach + 1), place) for place in range(len(cards))]
    return [cards[place] for _, place in sorted(keyed)]


def plug(stub: Sequence[Item], discards: Sequence[Item], below: Below) -> list[Item]:
    """The stub in a few pieces, each put into the discards at a place of chance (PROC-4)."""
    pack = list(discards)
    each = -(-len(stub) // PLUGS) or 1
    for start in range(0, len(stub), each):
        place = below(len(pack) + 1)
        pack[place:place] = stub[start : start + each]
    return pack


def riffle(left: Sequence[Item], right: Sequence[Item], below: Below) -> list[Item]:
    """Two packets mingled: the next card falls from a packet with the chance of its share of what is left."""
    mingled: list[Item] = []
    first, second = 0, 0
    while first < len(left) or second < len(right):
        remaining = len(left) - first
        if below(remaining + len(right) - second) < remaining:
            mingled.append(left[first])
            first += 1
        else:
            mingled.append(right[second])
            second += 1
    return mingled


@dataclass(frozen=True, slots=True)
class Riffle:
    """One riffle of the shuffle: a handful from each of two opposite corners onto the pile in the middle."""

    corners: tuple[int, int]
    """The corners, counted from 1."""
    hands: tuple[int, int]
    """How many cards were taken from each."""
    piles: tuple[int, ...]
    """How many cards the four corners have afterwards."""
    middle: int
    """How many lie on the cut card in the middle afterwards."""


def shuffle_piles(cards: Sequence[Item], deck_cards: int, below: Below) -> list[Item]:
    """Handfuls from opposite corners riffled onto a fifth pile in the middle, in turn (PROC-5)."""
    return riffled_piles(cards, deck_cards, below)[0]


def riffled_piles(
    cards: Sequence[Item], deck_cards: int, below: Below
) -> tuple[list[Item], tuple[Riffle, ...]]:
    """The shuffle of PROC-5, and every riffle of it."""
    corners: list[list[Item]] = []
    start = 0
    for size in pile_sizes(len(cards)):
        corners.append(list(cards[start : start + size]))
        start += size
    middle: list[Item] = []
    opposite = ((0, 2), (1, 3))
    riffles: list[Riffle] = []
    while any(corners):
        one, other = opposite[len(riffles) % 2]
        first, second = (_handful(corners[corner], deck_cards, below) for corner in (one, other))
        middle[:0] = riffle(first, second, below)
        piles = tuple(len(pile) for pile in corners)
        riffles.append(Riffle((one + 1, other + 1), (len(first), len(second)), piles, len(middle)))
    return middle, tuple(riffles)


def _handful(pile: list[Item], deck_cards: int, below: Below) -> list[Item]:
    """About half a deck off the top of a pile, or what is left of it."""
    wanted = max(1, deck_cards // 2 - HANDFUL_SPREAD + below(2 * HANDFUL_SPREAD + 1))
    taken = pile[:wanted]
    del pile[:wanted]
    return taken


def cut(cards: Sequence[Item], depth: int, end: str) -> list[Item]:
    """The part above the cut goes below the rest; the depth counts from either end (PROC-6)."""
    place = depth if end == "front" else len(cards) - depth
    return [*cards[place:], *cards[:place]]
