"""The one way in which fields become bytes before they are hashed.

>>> encode("ab", b"c").hex()
'0000000261620000000163'
"""

from __future__ import annotations

from typing import Final

_LENGTH_BYTES: Final = 4


def encode(*fields: str | bytes) -> bytes:
    """Each field as its length in four bytes, most significant first, then its bytes (text as UTF-8)."""
    parts = (field.encode() if isinstance(field, str) else field for field in fields)
    return b"".join(len(part).to_bytes(_LENGTH_BYTES, "big") + part for part in parts)
