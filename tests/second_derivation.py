"""A second reading of docs/fairness.md, sharing nothing with `cardroom.fair`: AES and HKDF by hand."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator

RANKS = "A23456789TJQK"
SUITS = "cdhs"
DECK = [rank + suit for suit in SUITS for rank in RANKS]


def fields(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def hkdf(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """RFC 5869 with SHA-256 and 32 bytes of output: one block of its expansion."""
    extracted = hmac.new(salt or bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()


def _times_two(byte: int) -> int:
    return (byte << 1) ^ (0x11B if byte & 0x80 else 0)


def _product(a: int, b: int) -> int:
    total = 0
    while b:
        if b & 1:
            total ^= a
        a, b = _times_two(a), b >> 1
    return total


def _make_box() -> list[int]:
    """FIPS 197: the inverse in GF(2^8), then an affine map."""
    box = []
    for byte in range(256):
        inverse = next((x for x in range(256) if _product(byte, x) == 1), 0)
        value = 0x63
        for shift in range(5):
            value ^= ((inverse << shift) | (inverse >> (8 - shift))) & 0xFF
        box.append(value)
    return box


BOX = _make_box()


def _round_keys(key: bytes) -> list[list[int]]:
    words = [list(key[i : i + 4]) for i in range(0, 32, 4)]
    constant = 1
    for i in range(8, 60):
        word = list(words[-1])
        if i % 8 == 0:
            word = [BOX[byte] for byte in word[1:] + word[:1]]
            word[0] ^= constant
            constant = _times_two(constant)
        elif i % 8 == 4:
            word = [BOX[byte] for byte in word]
        words.append([a ^ b for a, b in zip(words[-8], word, strict=True)])
    return [[byte for word in words[i : i + 4] for byte in word] for i in range(0, 60, 4)]


def aes_256(keys: list[list[int]], block: bytes) -> bytes:
    state = [a ^ b for a, b in zip(block, keys[0], strict=True)]
    for number in range(1, 15):
        state = [BOX[byte] for byte in state]
        state = [state[(i + 4 * (i % 4)) % 16] for i in range(16)]
        if number < 14:
            mixed = []
            for column in range(0, 16, 4):
                a = state[column : column + 4]
                mixed += [
                    _product(a[i], 2) ^ _product(a[(i + 1) % 4], 3) ^ a[(i + 2) % 4] ^ a[(i + 3) % 4]
                    for i in range(4)
                ]
            state = mixed
        state = [a ^ b for a, b in zip(state, keys[number], strict=True)]
    return bytes(state)


def words(key: bytes) -> Iterator[int]:
    """The keystream of counter mode from zero, as words of four bytes."""
    keys = _round_keys(key)
    counter = 0
    while True:
        block = aes_256(keys, counter.to_bytes(16, "big"))
        yield from (int.from_bytes(block[i : i + 4], "big") for i in range(0, 16, 4))
        counter += 1


def below(stream: Iterator[int], bound: int) -> int:
    for word in stream:
        if word < 2**32 // bound * bound:
            return word % bound
    raise AssertionError("a keystream does not end")


def commitment(secret: bytes, *, game: str, rules_hash: str, shoe_id: str, deck: str) -> str:
    bound = [part.encode() for part in (game, rules_hash, shoe_id, deck)]
    return hashlib.sha256(fields(b"cardroom/commitment/1", *bound, secret)).hexdigest()


def card_stream(
    secret: bytes, *, salt: bytes, game: str, rules_hash: str, shoe_id: str, deck: str
) -> Iterator[int]:
    bound = [part.encode() for part in (game, rules_hash, shoe_id, deck)]
    return words(hkdf(secret, salt, fields(b"cardroom/cards/1", *bound)))


def cards(secret: bytes, *, salt: bytes, game: str, rules_hash: str, shoe_id: str, deck: str) -> list[str]:
    """The cards of a shoe in dealing order; `deck` is its text, such as `Ac:2,2c:2`."""
    stream = card_stream(secret, salt=salt, game=game, rules_hash=rules_hash, shoe_id=shoe_id, deck=deck)
    order = [card for part in deck.split(",") for card, _, n in [part.partition(":")] for _ in range(int(n))]
    for place in range(len(order) - 1):
        other = place + below(stream, len(order) - place)
        order[place], order[other] = order[other], order[place]
    return order
