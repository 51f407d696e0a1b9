"""Random words for the blackjack family: xoshiro128++ with a state of its own for every stream.

32-bit words suit a GPU as well as a CPU, and both draw the same ones: stream `s` of a seed is the same
anywhere. A state of zeros gives only zeros, and a shoe dealt by zeros comes out in the order in which it
lies; so a test can hand a kernel the very cards it wants.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.compiled import inlined

ROUNDS_PER_STREAM: Final = 1 << 14
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST_MIX: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND_MIX: Final = np.uint64(0x94D049BB133111EB)


def seed_key(seed: int) -> np.uint64:
    """The key of a seed: the head of its SHA-256, so that near seeds have nothing in common."""
    digest = hashlib.sha256(f"cardroom simulation {seed} streams".encode()).digest()
    return np.uint64(int.from_bytes(digest[:8], "little"))


def stream_states(key: np.uint64, first: int, count: int) -> NDArray[np.uint32]:
    """[stream, 4]: the first states of streams `first` … of a key (two outputs of splitmix64 each)."""
    with np.errstate(over="ignore"):
        counters = key + _SPREAD * np.arange(2 * first + 1, 2 * (first + count) + 1, dtype=np.uint64)
        mixed = (counters ^ (counters >> np.uint64(30))) * _FIRST_MIX
        mixed = (mixed ^ (mixed >> np.uint64(27))) * _SECOND_MIX
        mixed ^= mixed >> np.uint64(31)
    return mixed.astype("<u8").view("<u4").reshape(count, 4).astype(np.uint32)


@inlined
def next_word(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The next 32 random bits of a stream, and its next state (xoshiro128++ of Blackman and Vigna)."""
    both = np.uint32(a + d)
    word = np.uint32(np.uint32(np.uint32(both << np.uint32(7)) | np.uint32(both >> np.uint32(25))) + a)
    shifted = np.uint32(b << np.uint32(9))
    c = np.uint32(c ^ a)
    d = np.uint32(d ^ b)
    b = np.uint32(b ^ c)
    a = np.uint32(a ^ d)
    c = np.uint32(c ^ shifted)
    d = np.uint32(np.uint32(d << np.uint32(11)) | np.uint32(d >> np.uint32(21)))
    return word, a, b, c, d


@inlined
def place_of(word: Any, places: Any) -> Any:
    """One of `places` by a word: its share of 2³², uneven by less than places/2³² (1 in ten million)."""
    return (np.uint64(word) * places) >> np.uint64(32)
