"""Random names and keys that are no seeds: sessions, guests, keys of signatures."""

from __future__ import annotations

import secrets
from typing import Final

TOKEN_BYTES: Final = 16
KEY_BYTES: Final = 32


def fresh_token() -> str:
    """A name nobody can guess: 128 random bits in hexadecimal."""
    return secrets.token_hex(TOKEN_BYTES)


def fresh_key() -> bytes:
    """A key for signing or sealing: 256 random bits."""
    return secrets.token_bytes(KEY_BYTES)


def fresh_password() -> str:
    """A password to be shown once: 118 random bits in groups that can be read aloud.

    >>> [len(group) for group in fresh_password().split("-")]
    [6, 6, 6, 6]
    """
    letters = "abcdefghjkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(6)) for _ in range(4))
