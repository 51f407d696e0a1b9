"""Lines that a person types, or that come from a pipe."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module

from cardroom.cli.leaving import Leaving, PlayerLeft


def read_answer(prompt: str, going: Leaving) -> str:
    """The next line; the end of the input and a signal to leave both say that the player leaves."""
    with suppress(ImportError):
        import_module("readline")  # brings arrow keys and earlier lines to the prompt
    try:
        with going.breakable():
            return input(prompt if sys.stdin.isatty() else "").strip()
    except (EOFError, KeyboardInterrupt):
        raise PlayerLeft from None
