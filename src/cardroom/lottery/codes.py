"""What is printed on a ticket so that nobody can invent, guess or change one.

The control number is a keyed function of the ticket's 128 random bits: unguessable, in no order, and not to
be had from the database. Its last two characters check the rest: the symbols are the field of 23 elements,
and a word of 22 is wrong by two or more symbols before it can be another good word. The symbols leave out
B I L O S U V Z and 0 1 2 5 8, which look like one another.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.fair.encoding import encode
from cardroom.fair.entropy import Entropy

SYMBOLS: Final = "34679ACDEFGHJKMNPQRTWXY"
_FIELD: Final = len(SYMBOLS)
_DATA: Final = 20
_LENGTH: Final = _DATA + 2
_GROUPS: Final = (5, 6, 5, 6)
_CODE_LENGTH: Final = 18
TICKET_ID_BYTES: Final = 16
KEY_BYTES: Final = 32
_CONTROL_LABEL: Final = "cardroom/control-number/1"
_TAG_LABEL: Final = "cardroom/control-tag/1"


@dataclass(frozen=True, slots=True, repr=False)
class CodeKey:
    """The house's key for codes; it is kept apart from the database."""

    secret: bytes

    def control_number(self, ticket_id: str) -> str:
        """A ticket's control number: 20 symbols (90 bits) and two check symbols."""
        number = int.from_bytes(self._keyed(_CONTROL_LABEL, ticket_id), "big")
        return grouped(with_checks(_symbols(number, _DATA)))

    def tag(self, control_number: str) -> str:
        """What the database keeps in place of a control number."""
        return self._keyed(_TAG_LABEL, control_number).hex()[:32]

    def print_code(self, form: str, *content: str) -> str:
        """The code of a print in some form, over all of its content: any change gives another code."""
        return _symbols(int.from_bytes(self._keyed(form, *content), "big"), _CODE_LENGTH)

    def _keyed(self, label: str, *content: str) -> bytes:
        return hmac.digest(self.secret, encode(label, *content), hashlib.sha256)


def same_code(one: str, other: str) -> bool:
    """Whether two codes are equal, told in the same time whatever they are."""
    return hmac.compare_digest(*(text.encode("ascii", "backslashreplace") for text in (one, other)))


def new_ticket_id(entropy: Entropy) -> str:
    """The public name of a ticket: 128 random bits."""
    return entropy.take(TICKET_ID_BYTES).hex()


def is_ticket_id(text: str) -> bool:
    """Whether a text has the form of a ticket's id."""
    return len(text) == 2 * TICKET_ID_BYTES and all(digit in "0123456789abcdef" for digit in text)


def _symbols(number: int, length: int) -> str:
    symbols = []
    for _ in range(length):
        number, digit = divmod(number, _FIELD)
        symbols.append(SYMBOLS[digit])
    return "".join(symbols)


def with_checks(data: str) -> str:
    """Append the two check symbols: the word's sums, plain and weighted by place, are then zero.

    >>> with_checks("3" * 20)
    '3333333333333333333333'
    """
    values = [SYMBOLS.index(symbol) for symbol in data]
    # With places counted from 1 the checks stand at 21 and 22: a + b = -plain, 21 a + 22 b = -weighted.
    plain = -sum(values) % _FIELD
    weighted = -sum(place * value for place, value in enumerate(values, 1)) % _FIELD
    last = (weighted - (_DATA + 1) * plain) % _FIELD
    return data + SYMBOLS[(plain - last) % _FIELD] + SYMBOLS[last]


def is_good(word: str) -> bool:
    """Whether the check symbols of a word of 22 fit the rest."""
    if len(word) != _LENGTH or any(symbol not in SYMBOLS for symbol in word):
        return False
    values = [SYMBOLS.index(symbol) for symbol in word]
    weighted = sum(place * value for place, value in enumerate(values, 1))
    return sum(values) % _FIELD == 0 and weighted % _FIELD == 0


def grouped(word: str) -> str:
    """A control number as it is printed, in groups."""
    parts, start = [], 0
    for size in _GROUPS:
        parts.append(word[start : start + size])
        start += size
    return "-".join(parts)


def parse_control_number(text: str) -> str:
    """Read a control number as typed, with or without hyphens and spaces; refused when a check fails."""
    word = "".join(text.split()).replace("-", "").upper()
    if not is_good(word):
        raise MalformedInput(
            f"{text[:40]!r} is not a control number: it has {_LENGTH} characters of {SYMBOLS}, "
            "and the last two check the others"
        )
    return grouped(word)
