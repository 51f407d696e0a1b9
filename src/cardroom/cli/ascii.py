"""Output that is not UTF-8: suits, frames and signs in the letters that are there.

>>> "10♥ ┌──┐ 2 × 3 …".encode("ascii", HANDLER).decode("ascii")
'10h +--+ 2 x 3 ...'
"""

from __future__ import annotations

import codecs
import os
import unicodedata
from typing import Any, Final

HANDLER: Final = "cardroom-ascii"
_LETTERS: Final = {
    **dict(zip("♣♦♥♠", "cdhs", strict=True)),
    **dict.fromkeys("─━╌╍═", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯", "+"),
    **dict.fromkeys("−–—‑", "-"),
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
    return "".join(_letters(each) for each in error.object[error.start : error.end]), error.end


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
