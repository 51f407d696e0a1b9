"""Where unpredictable bytes come from: the operating system, or, for rehearsals only, a number."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final, Protocol

from cardroom.fair.encoding import encode
from cardroom.fair.keystream import Keystream
from cardroom.fair.selftest import require_self_test

_REHEARSAL_LABEL: Final = "cardroom/rehearsal/1"


class Entropy(Protocol):
    """A source of bytes; every call gives fresh ones."""

    def take(self, count: int) -> bytes: ...


class OperatingSystem:
    """Fresh bytes from the operating system; the only source for money."""

    def take(self, count: int) -> bytes:
        require_self_test()
        return secrets.token_bytes(count)


class Rehearsal:
    """The same bytes every time for the same number: for simulated days, never for money."""

    def __init__(self, number: int) -> None:
        require_self_test()
        self._stream = Keystream(hashlib.sha256(encode(_REHEARSAL_LABEL, str(number))).digest())

    def take(self, count: int) -> bytes:
        return self._stream.read(count)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, for what simulated people do."""
        return self._stream.below(bound)
