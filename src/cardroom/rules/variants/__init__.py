"""Known variants of the games: a rules file for each, with where its rules and figures were published."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

_FOLDER: Final = resources.files("cardroom.rules.variants")
ABOUT: Final = ("about", "source", "published")
"""What a file says of itself beside its rules."""


@dataclass(frozen=True)
class Variant:
    """A rules file by its name, and what is published of it."""

    name: str
    tree: Mapping[str, Any]
    """The file as it stands, `extends` included."""
    about: str
    """What it is about, in a sentence."""
    source: str
    """Where its rules stand."""
    published: tuple[Mapping[str, Any], ...]
    """Published figures: the house edge in per cent, and where it stands; where ours may differ, why
    (`difference`) and by how much (`up_to`), and what of the rules the source has otherwise (`with`)."""

    @property
    def title(self) -> str:
        """Its name as people say it."""
        return str(self.tree["title"])

    @property
    def game(self) -> str:
        """The game whose rules it changes."""
        return str(self.tree["extends"])


@cache
def variant_names() -> tuple[str, ...]:
    """The names of all variants.

    >>> variant_names()
    ('double-exposure', 'european-blackjack', 'pontoon', 'super-fun-21')
    """
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml"))
    )


def variant_file(name: str) -> Path:
    """The file of a variant."""
    return Path(str(_FOLDER / f"{name}.toml"))


@cache
def variant(name: str) -> Variant:
    """A variant by its name."""
    tree = tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    about, source, published = (tree.pop(key) for key in ABOUT)
    return Variant(name, tree, about, source, tuple(published))
