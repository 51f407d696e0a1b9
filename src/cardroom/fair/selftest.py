"""Known answers that the derivation must give before anything is dealt (R-14)."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Final

from cardroom.core.errors import Unavailable
from cardroom.fair.encoding import encode
from cardroom.fair.keystream import Keystream, derive_key

# FIPS 180-4's example: SHA-256 of "abc".
_SHA256_ABC: Final = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

# RFC 5869, test case 1, the first 32 of its 42 bytes (HKDF's output of a shorter length is its beginning).
_HKDF_SECRET: Final = bytes([0x0B]) * 22
_HKDF_SALT: Final = bytes(range(13))
_HKDF_INFO: Final = bytes(range(0xF0, 0xFA))
_HKDF_KEY: Final = "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"

# AES-256 of the zero block under the zero key (NIST AESAVS); counter zero is that block.
_AES_FIRST_BLOCK: Final = "dc95c078a2408989ad48a21492842087"

_ENCODED: Final = "000000016100000000000000026263"


def failures() -> list[str]:
    """The names of the known answers that this machine does not give."""
    results = {
        "SHA-256": hashlib.sha256(b"abc").hexdigest() == _SHA256_ABC,
        "HKDF": derive_key(_HKDF_SECRET, salt=_HKDF_SALT, info=_HKDF_INFO).hex() == _HKDF_KEY,
        "AES-256-CTR": Keystream(bytes(32)).read(16).hex() == _AES_FIRST_BLOCK,
        "encoding": encode("a", b"", "bc").hex() == _ENCODED,
        "rejection": _rejects_the_excess(),
    }
    return [name for name, holds in results.items() if not holds]


def _rejects_the_excess() -> bool:
    """With a bound of three quarters of all words, exactly the words of the last quarter are refused."""
    bound = 3 << 30
    raw, scaled = Keystream(bytes(32)), Keystream(bytes(32))
    words = [int.from_bytes(raw.read(4), "big") for _ in range(64)]
    kept = [word for word in words if word < bound]
    return [scaled.below(bound) for _ in kept] == kept and 0 < len(kept) < len(words)


@cache
def require_self_test() -> None:
    """Refuse to go on when a known answer is not met; tested once per process."""
    if failed := failures():
        raise Unavailable(f"the self-test of the shuffle failed ({', '.join(failed)}); nothing is dealt")
