"""Codes that change with time (RFC 6238), as authenticator programs show them.

>>> code_at(b"12345678901234567890", 59 // STEP_SECONDS)  # a test value of the RFC, its last six digits
'287082'
"""

from __future__ import annotations

import base64
import hmac
from typing import Final
from urllib.parse import quote

STEP_SECONDS: Final = 30
DIGITS: Final = 6
SECRET_BYTES: Final = 20
_STEPS_OFF: Final = 1
"""Clocks may differ by so many steps."""


def code_at(secret: bytes, step: int) -> str:
    """The code of one step of time."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def step_of(secret: bytes, code: str, unix_seconds: float, *, after: int = -1) -> int | None:
    """The step of time whose code it is, later than one that was used; None where it is none."""
    now = int(unix_seconds) // STEP_SECONDS
    for step in range(now - _STEPS_OFF, now + _STEPS_OFF + 1):
        if step > after and hmac.compare_digest(code_at(secret, step).encode(), code.encode()):
            return step
    return None


def base32(secret: bytes) -> str:
    """The secret as people type it."""
    return base64.b32encode(secret).decode().rstrip("=")


def address_of(secret: bytes, name: str) -> str:
    """The secret as authenticator programs read it from a picture."""
    return f"otpauth://totp/Cardroom:{quote(name)}?secret={base32(secret)}&issuer=Cardroom"
