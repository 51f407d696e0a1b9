"""Names that the server has signed: a guest's cookie, a token against forged requests.

>>> signer = Signer(bytes(32))
>>> signer.open("guest", signer.sign("guest", "5f")), signer.open("guest", "5f.0000")
('5f', None)
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

from cardroom.fair.encoding import encode

_LABEL: Final = "cardroom/web/1"


class Signer:
    """Signs short texts with the house's key, each for one purpose."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def tag(self, purpose: str, text: str) -> str:
        """The signature alone."""
        return hmac.new(self._key, encode(_LABEL, purpose, text), hashlib.sha256).hexdigest()

    def sign(self, purpose: str, text: str) -> str:
        """The text with its signature behind it."""
        return f"{text}.{self.tag(purpose, text)}"

    def open(self, purpose: str, signed: str) -> str | None:
        """The text, or None when the signature is not ours."""
        text, dot, tag = signed.rpartition(".")
        if not dot or not tag.isascii():
            return None
        return text if hmac.compare_digest(tag, self.tag(purpose, text)) else None
