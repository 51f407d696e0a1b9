"""Texts of TOML that strangers wrote: whatever is wrong with one is said in the same way."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from typing import Any

from cardroom.core.errors import MalformedInput


class NotToml(MalformedInput):
    """A text that is no TOML, or TOML that nobody can read."""


def read_toml(text: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The tree of a text of TOML.

    >>> read_toml("decks = 8")
    {'decks': 8}
    """
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except tomllib.TOMLDecodeError as error:
        raise NotToml(str(error)) from None
    except RecursionError:
        raise NotToml("lists and tables stand too deep in each other") from None
    except ValueError:  # Python reads no integer of thousands of digits
        raise NotToml("a number has too many digits") from None
