"""Random numbers for simulations: xoshiro256++ with a stream of its own for every batch.

A stream's state is the SHA-256 of the seed and the batch's number, so that a result depends on the seed alone
and not on how batches are spread over workers. Real rounds never use this: their cards come from `fair`.
"""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from cardroom.sim.compiled import njit

Stream = NDArray[np.uint64]
"""The state of a generator, four words; a kernel takes its stream up and leaves it where it stopped.

An array and not four numbers: outside a kernel a number would lose that it has no sign.
"""


def stream(seed: int, batch: int) -> Stream:
    """The stream of one batch, at its beginning.

    >>> [list(stream(1, batch)) == list(stream(1, 0)) for batch in (0, 1)]
    [True, False]
    """
    digest = hashlib.sha256(f"cardroom simulation {seed} batch {batch}".encode()).digest()
    return np.frombuffer(digest, dtype="<u8").astype(np.uint64)


def _multiply_wide(typing_context: Any, left: Any, right: Any) -> Any:
    """The product of two 64-bit numbers as its high and low 64 bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide = ir.IntType(128)
        product = builder.mul(*(builder.zext(argument, wide) for argument in arguments))
        high = builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))
        low = builder.trunc(product, ir.IntType(64))
        return context.make_tuple(builder, signature.return_type, [high, low])

    return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), generate


multiply_wide: Any = intrinsic(_multiply_wide)
"""For kernels: `high, low = multiply_wide(left, right)` of two 64-bit numbers."""


@njit(cache=True, inline="always")
def _rotate_left(word: Any, bits: Any) -> Any:
    return (word << np.uint64(bits)) | (word >> np.uint64(64 - bits))


@njit(cache=True)
def next_word(a: Any, b: Any, c: Any, d: Any) -> Any:
    """The next 64 random bits of a stream, and its next state (xoshiro256++ of Blackman and Vigna)."""
    word = _rotate_left(a + d, 23) + a
    shifted = b << np.uint64(17)
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = _rotate_left(d, 45)
    return word, a, b, c, d
