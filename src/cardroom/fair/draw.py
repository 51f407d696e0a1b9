"""The cards of a Knockout 21 draw: from its secret and the sealed pool's root, and from nothing else.

This is all that the drawing process runs. It sees no ticket: the root tells nothing about any of them, and a
secret committed before the first sale cannot be fitted to it. The same secret and root always give the same
cards, so that an interrupted draw is finished, never drawn again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cardroom.core.cards import CARDS, Card
from cardroom.engine.knockout21.draw import Draw, Position, values_of
from cardroom.fair.encoding import encode
from cardroom.fair.keystream import Keystream, derive_key
from cardroom.fair.seeds import Seed
from cardroom.fair.selftest import require_self_test
from cardroom.rules.knockout21 import HANDS_OF_GAME, POSITIONS
from cardroom.rules.knockout21.law import dealer_draws

_SECRET_LABEL: Final = "cardroom/knockout-21/secret/1"
_OPENING_LABEL: Final = "cardroom/knockout-21/opening/1"
_CARDS_LABEL: Final = "cardroom/knockout-21/cards/1"


@dataclass(frozen=True, slots=True)
class DrawSeal:
    """What the drawing process is told of a draw besides its secret."""

    number: int
    rules_hash: str
    root: bytes
    first_cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DrawnCards:
    """The cards of a draw, and how many words of the keystream were used and rejected."""

    draw: Draw
    words_used: int
    words_rejected: int


def commit_secret(seed: Seed, number: int, rules_hash: str) -> str:
    """The commitment to a draw's secret, shown before its sales open."""
    return _commitment(_SECRET_LABEL, seed, number, rules_hash)


def commit_opening(seed: Seed, number: int, rules_hash: str) -> str:
    """The commitment to the seed of the dealer's first cards of Game 2, revealed when sales open."""
    return _commitment(_OPENING_LABEL, seed, number, rules_hash)


def _commitment(label: str, seed: Seed, number: int, rules_hash: str) -> str:
    return hashlib.sha256(encode(label, str(number), rules_hash, seed.secret)).hexdigest()


def opens(commitment: str, shown: str) -> bool:
    """Whether a commitment is the one that was shown."""
    return hmac.compare_digest(commitment, shown)


def opening_cards(seed: Seed, number: int, rules_hash: str) -> tuple[Card, ...]:
    """The dealer's five first cards of Game 2 (KO21-1.5)."""
    stream = _stream(_OPENING_LABEL, seed, b"", number, rules_hash)
    return tuple(_card(stream) for _ in HANDS_OF_GAME[2])


def draw_cards(secret: Seed, seal: DrawSeal) -> DrawnCards:
    """The fifteen positions in draw order: each its hit card, then the dealer's hand (KO21-3.3)."""
    stream = _stream(_CARDS_LABEL, secret, seal.root, seal.number, seal.rules_hash)
    first_of = dict(zip(HANDS_OF_GAME[2], seal.first_cards, strict=True))
    positions = []
    for place in range(POSITIONS):
        hit = _card(stream)
        dealer = [first_of[place]] if place in first_of else []
        while dealer_draws(values_of(dealer)):
            dealer.append(_card(stream))
        positions.append(Position(tuple(dealer), hit))
    return DrawnCards(Draw(tuple(positions)), stream.words_used, stream.words_rejected)


def ticket_cards(key: bytes, count: int) -> Sequence[Card]:
    """Independent uniform cards for the hands of tickets, from 32 fresh bytes (KO21-1.1)."""
    require_self_test()
    stream = Keystream(key)
    return [_card(stream) for _ in range(count)]


def _stream(label: str, seed: Seed, salt: bytes, number: int, rules_hash: str) -> Keystream:
    require_self_test()
    return Keystream(derive_key(seed.secret, salt=salt, info=encode(label, str(number), rules_hash)))


def _card(stream: Keystream) -> Card:
    return CARDS[stream.below(len(CARDS))]
