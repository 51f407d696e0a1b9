"""Whether a text that others read is one that they can see.

>>> shows("Zoë"), shows("Anna B."), shows("\u0905\u0928\u093f\u0932")
(True, True, True)
>>> shows(""), shows(" "), shows("\u3164"), shows("a\u202eb"), shows("e" + "\u0301" * 9)
(False, False, False, False, False)
"""

from __future__ import annotations

import unicodedata
from typing import Final

_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Signs that count as letters or symbols and show nothing."""
_MARKS: Final = frozenset({"Mn", "Me"})
_MOST_MARKS: Final = 2
"""So many marks stand on one letter in any language; more of them run over the lines above and below."""


def shows(text: str) -> bool:
    """Whether every sign of a line is seen, in its place."""
    if not text.strip() or not text.isprintable() or not _BLANK.isdisjoint(text):
        return False
    marks = _MOST_MARKS  # none before the first letter: it would stand on what is written before
    for sign in text:
        marks = marks + 1 if unicodedata.category(sign) in _MARKS else 0
        if marks > _MOST_MARKS:
            return False
    return True
