"""Output that is not UTF-8: suits, frames and signs in the letters that are there.

>>> "10♥ ┌──┐ 2×10⁻⁹ …".encode("ascii", HANDLER).decode("ascii")
'10h +--+ 2x10^-9 ...'
"""

from __future__ import annotations

import codecs
import os
import re
import unicodedata
from typing import Any, Final

_POWER: Final = re.compile("[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
HANDLER: Final = "cardroom-ascii"
_LETTERS: Final = {
    **dict(zip("♣♦♥♠", "cdhs", strict=True)),
    **dict.fromkeys("─━╌╍═", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
    **dict.fromkeys("−–—‑⁻", "-"),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("“”", '"'),
    "▒": "#",
    "↷": "~",
    "►": ">",
    "●": "*",
    "○": "o",
    "·": ".",
    "…": "...",
    "×": "x",
    "±": "+-",
    "¢": "c",
    "≤": "<=",
    "≥": ">=",
    "→": "->",
    "≈": "~",
    "σ": "sigma",
    "Σ": "sum",
    "√": "root",
    "∞": "inf",
}


def _written(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that the output does not have; accents go, and the rest is a ?."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = _POWER.sub(lambda power: f"^{power[0]}", error.object[error.start : error.end])
    return "".join(map(_letters, text)), error.end


def _letters(character: str) -> str:
    if character in _LETTERS:
        return _LETTERS[character]
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode("ascii")
    return plain or "?"


codecs.register_error(HANDLER, _written)


def prepare(stream: Any) -> None:
    """Let a stream write what it can: all of it as UTF-8, else in letters; LC_ALL=C asks for ASCII."""
    if not hasattr(stream, "reconfigure"):
        return
    if os.environ.get("LC_ALL") in ("C", "POSIX") and not _told_otherwise():
        stream.reconfigure(encoding="ascii", errors=HANDLER)
    else:
        stream.reconfigure(errors="replace" if is_utf8(stream) else HANDLER)


def _told_otherwise() -> bool:
    return any(os.environ.get(name) for name in ("PYTHONUTF8", "PYTHONIOENCODING"))


def is_utf8(stream: Any) -> bool:
    """Whether a stream can write every character."""
    return str(getattr(stream, "encoding", None) or "utf-8").lower().startswith("utf")
