"""Unbiased integers from a secret: HKDF-SHA256, then an AES-256-CTR keystream, then rejection sampling."""

from __future__ import annotations

from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

KEY_BYTES: Final = 32
WORD_BYTES: Final = 4
WORDS: Final = 1 << (8 * WORD_BYTES)
"""How many different words there are; a word is four bytes of the keystream, most significant first."""

_COUNTER_START: Final = bytes(16)
_BLOCK: Final = bytes(1024)


def derive_key(secret: bytes, *, salt: bytes, info: bytes) -> bytes:
    """The AES key of a deal (HKDF-SHA256, RFC 5869; an empty salt counts as 32 zero bytes there)."""
    return HKDF(SHA256(), KEY_BYTES, salt or None, info).derive(secret)


class Keystream:
    """AES-256 in counter mode from counter zero: words are used in order, and refused ones are counted.

    A key serves one deal only, so the counter may always start at zero.
    """

    def __init__(self, key: bytes) -> None:
        self._encryptor = Cipher(algorithms.AES(key), modes.CTR(_COUNTER_START)).encryptor()
        self._buffer = b""
        self._position = 0
        self.words_used = 0
        self.words_rejected = 0

    def read(self, length: int) -> bytes:
        """The next bytes of the keystream."""
        while len(self._buffer) - self._position < length:
            self._buffer = self._buffer[self._position :] + self._encryptor.update(_BLOCK)
            self._position = 0
        piece = self._buffer[self._position : self._position + length]
        self._position += length
        return piece

    def below(self, bound: int) -> int:
        """A uniform integer from 0 to `bound` - 1.

        A word at or above the largest multiple of `bound` is refused and the next one taken: every
        remainder then comes from equally many words, so that scaling adds no bias.
        """
        if not 1 <= bound <= WORDS:
            raise ValueError(f"a bound is from 1 to {WORDS}, not {bound}")
        limit = WORDS - WORDS % bound
        while True:
            word = int.from_bytes(self.read(WORD_BYTES), "big")
            self.words_used += 1
            if word < limit:
                return word % bound
            self.words_rejected += 1
