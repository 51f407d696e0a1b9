"""The simulation's generator and shuffle once more, in plain integers of any width: slow and plain."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

WORD = 2**64


def rotated(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) % WORD


@dataclass
class Xoshiro256PlusPlus:
    """Blackman and Vigna's generator."""

    state: list[int]

    @classmethod
    def of_batch(cls, seed: int, batch: int) -> Xoshiro256PlusPlus:
        digest = hashlib.sha256(f"cardroom simulation {seed} batch {batch}".encode()).digest()
        return cls([int.from_bytes(digest[i : i + 8], "little") for i in range(0, 32, 8)])

    def next_word(self) -> int:
        s = self.state
        word = (rotated((s[0] + s[3]) % WORD, 23) + s[0]) % WORD
        shifted = (s[1] << 17) % WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
        return word


def refused_below(sizes: list[int], words: int = WORD) -> int:
    """The rest of a word must reach this for its draws from these sizes to be even."""
    return words % prod(sizes)


def places_of(word: int, sizes: list[int], *, least_rest: int, words: int = WORD) -> list[int] | None:
    """One draw from each size, all from one word; None where the word is refused."""
    places = []
    for size in sizes:
        place, word = divmod(word * size, words)
        places.append(place)
    return None if word < least_rest else places


def dealt_cards(
    generator: Xoshiro256PlusPlus, deck: list[int], spaces: int, *, least_rest: int | None = None
) -> Iterator[int]:
    """Deal from a deck that is left as dealt, four places to a word; the caller stops when it likes."""
    for first in range(0, spaces, 4):
        sizes = [max(1, len(deck) - space) for space in range(first, first + 4)]
        least = refused_below(sizes) if least_rest is None else least_rest
        places = None
        while places is None:
            places = places_of(generator.next_word(), sizes, least_rest=least)
        for space, place in enumerate(places, start=first):
            if space < len(deck):
                deck[space], deck[space + place] = deck[space + place], deck[space]
            if space < spaces:
                yield deck[space]
