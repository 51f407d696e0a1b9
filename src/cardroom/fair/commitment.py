"""A commitment, shown before the cards, holds the house to one secret; the secret, shown after, proves it."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Final

from cardroom.fair.deals import Binding
from cardroom.fair.encoding import encode
from cardroom.fair.seeds import Seed, parse_hex

_COMMITMENT_LABEL: Final = "cardroom/commitment/1"
_COMMITMENT_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Commitment:
    """SHA-256 over the secret and everything it is bound to."""

    digest: bytes

    @classmethod
    def parse(cls, text: str) -> Commitment:
        """Read a commitment: 64 hexadecimal digits."""
        return cls(parse_hex(text, "a commitment", _COMMITMENT_BYTES))

    def opens_to(self, seed: Seed, binding: Binding) -> bool:
        """Whether the revealed seed is the one that was committed, for this game, shoe, deck and rules."""
        return hmac.compare_digest(self.digest, commit(seed, binding).digest)

    def __str__(self) -> str:
        return self.digest.hex()


def commit(seed: Seed, binding: Binding) -> Commitment:
    """The commitment to a seed for one game, rule book, shoe and deck."""
    return Commitment(hashlib.sha256(encode(_COMMITMENT_LABEL, *binding.fields(), seed.secret)).digest())
