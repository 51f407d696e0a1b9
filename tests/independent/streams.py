"""Hashes, keys, streams of cards, from docs/fairness.md and docs/evidence.md; nothing of Cardroom is used."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

DECK = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
SPANISH_DECK = [card for card in DECK if card[0] != "T"]


def fields(*parts: str | bytes) -> bytes:
    content = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in content)


def sha256(*parts: str | bytes) -> str:
    """SHA-256 over joined fields."""
    return hashlib.sha256(fields(*parts)).hexdigest()


def hkdf(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """RFC 5869, 32 bytes."""
    extracted = hmac.digest(salt or bytes(32), secret, "sha256")
    return hmac.digest(extracted, info + b"\x01", "sha256")


def numbers(key: bytes) -> Iterator[int]:
    """The words of AES-256 in counter mode from zero."""
    stream = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    while True:
        block = stream.update(bytes(4096))
        yield from (int.from_bytes(block[place : place + 4], "big") for place in range(0, 4096, 4))


def below(words: Iterator[int], bound: int) -> int:
    limit = 2**32 - 2**32 % bound
    return next(word for word in words if word < limit) % bound


def shuffled(cards: list[str], words: Iterator[int]) -> list[str]:
    order = list(cards)
    for place in range(len(order) - 1):
        other = place + below(words, len(order) - place)
        order[place], order[other] = order[other], order[place]
    return order


def cards_in(text: str) -> list[str]:
    """Cards written without spaces."""
    return [text[place : place + 2] for place in range(0, len(text), 2)]
