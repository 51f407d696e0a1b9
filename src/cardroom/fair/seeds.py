"""Seeds: 256 secret bits from the operating system, each used once.

A seed made from a number is for repeatable games only, never for money; it says so in every record.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.fair.encoding import encode
from cardroom.fair.selftest import require_self_test

SEED_BYTES: Final = 32
LARGEST_REPEATABLE: Final = 2**64 - 1

_REPEATABLE_LABEL: Final = "cardroom/repeatable/1"
_FINGERPRINT_LABEL: Final = "cardroom/fingerprint/1"


@dataclass(frozen=True, slots=True, repr=False)
class Seed:
    """The secret behind one shoe or draw; `str` reveals it, `repr` does not, so that logs stay clean."""

    secret: bytes

    def __post_init__(self) -> None:
        if len(self.secret) != SEED_BYTES:
            raise MalformedInput(f"a seed is {SEED_BYTES} bytes, not {len(self.secret)}")

    @classmethod
    def parse(cls, text: str) -> Seed:
        """Read a revealed seed: 64 hexadecimal digits."""
        return cls(parse_hex(text, "a seed", SEED_BYTES))

    @property
    def fingerprint(self) -> str:
        """What may be kept to recognise the seed again without knowing it."""
        return hashlib.sha256(encode(_FINGERPRINT_LABEL, self.secret)).hexdigest()

    def __str__(self) -> str:
        return self.secret.hex()

    def __repr__(self) -> str:
        return f"<Seed {self.fingerprint[:8]}, not shown>"


class SeedBook:
    """The seeds that were ever used here, by fingerprint; one that comes a second time stops the draw."""

    def __init__(self, fingerprints: Iterable[str] = ()) -> None:
        self._fingerprints = set(fingerprints)

    def enter(self, seed: Seed) -> Seed:
        """Note a seed as used; refuse one that was used before."""
        if seed.fingerprint in self._fingerprints:
            raise Conflict("this seed was used before; nothing is dealt from a repeated seed")
        self._fingerprints.add(seed.fingerprint)
        return seed


PROCESS_BOOK: Final = SeedBook()
"""Every fresh seed of this process goes through this book."""


def fresh_seed(book: SeedBook | None = None) -> Seed:
    """A new seed from the operating system, after the self-test; new to this process and the book."""
    require_self_test()
    seed = PROCESS_BOOK.enter(Seed(secrets.token_bytes(SEED_BYTES)))
    return seed if book is None else book.enter(seed)


def repeatable_seed(number: int, shoe_id: str) -> Seed:
    """The seed that a number gives to a shoe: the same every time, so not for money."""
    require_self_test()
    if not 0 <= number <= LARGEST_REPEATABLE:
        raise MalformedInput(f"--seed {number} is not allowed; allowed: 0 to {LARGEST_REPEATABLE}")
    return Seed(hashlib.sha256(encode(_REPEATABLE_LABEL, str(number), shoe_id)).digest())


def fresh_shoe_id() -> str:
    """A name for a shoe that no other shoe has: 96 random bits in hexadecimal."""
    return secrets.token_hex(12)


def parse_hex(text: str, what: str, length: int | None = None) -> bytes:
    """Read lower-case hexadecimal, the one form in which bytes are written here."""
    try:
        content = bytes.fromhex(text)
    except ValueError:
        content = None
    if content is None or content.hex() != text or (length is not None and len(content) != length):
        digits = "an even number of" if length is None else str(2 * length)
        raise MalformedInput(f"{text[:80]!r} is not {what}: {digits} hexadecimal digits, 0-9 a-f")
    return content
