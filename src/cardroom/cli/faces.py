"""Which face a game in the terminal has: the whole screen, pictures, or lines; and whose chips are kept."""

from __future__ import annotations

import os
import shutil
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from cardroom.cli.ascii import is_utf8

if TYPE_CHECKING:
    from cardroom.cli.bankroll import Bankroll

PLAIN: Final = "CARDROOM_PLAIN"
"""Set to anything, it asks for lines always, as screen readers want them."""
LEAST_COLUMNS, LEAST_LINES = 60, 20
LIBRARY: Final = "textual"


def wishes_plain(*, plain: bool) -> bool:
    """Whether lines are wished, by the option or for good."""
    return plain or bool(os.environ.get(PLAIN))


def can_fill_the_screen(*, plain: bool) -> bool:
    """Whether the terminal can carry the app: a real one of some size that writes every character, and the
    library is there.
    """
    columns, lines = shutil.get_terminal_size()
    return (
        not plain
        and sys.stdin.isatty()
        and sys.stdout.isatty()
        and (os.name == "nt" or os.environ.get("TERM", "") not in ("", "dumb", "unknown"))
        and is_utf8(sys.stdout)
        and columns >= LEAST_COLUMNS
        and lines >= LEAST_LINES
        and find_spec(LIBRARY) is not None
    )


def bankroll_for(kept: bool) -> Bankroll | None:
    """The bankroll of a person at a terminal, where it is to be kept; a script plays with house chips."""
    if not (kept and sys.stdin.isatty()):
        return None
    from cardroom.cli.bankroll import Bankroll

    return Bankroll()
