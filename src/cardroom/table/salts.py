"""What the players add to a shuffle: their salts, mixed into words of one length."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final

from cardroom.fair.encoding import encode

_LABEL: Final = "cardroom/salts/1"


def mixed_salts(salts: Iterable[bytes]) -> str:
    """The salts of everybody at a table, in their order, as 64 hex digits."""
    return hashlib.sha256(encode(_LABEL, *salts)).hexdigest()
