"""The shelf of known side bets: one TOML file for each, with where its rules and figures were published."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any, Final

from pydantic import ValidationError

from cardroom.core.errors import MalformedInput
from cardroom.rules.bets.bet import SideBet
from cardroom.rules.explain import explained, nearest

_FOLDER: Final = resources.files("cardroom.rules") / "side_bets"
_SAID: Final = ("title", "clause", "note")
"""What is said of a bet and is no part of its law."""
_ABOUT: Final = ("about", "source", "published")


@dataclass(frozen=True)
class ShelfBet:
    """A known side bet: its rules, and what is published of it."""

    name: str
    definition: Mapping[str, Any]
    """The bet as its file has it, ready to be changed."""
    about: str = ""
    """What it is about, in a sentence."""
    source: str = ""
    """Where its rules stand."""
    published: tuple[Mapping[str, Any], ...] = field(default=())
    """Published figures: the number of decks, the house edge in per cent, and where it stands."""

    @property
    def bet(self) -> SideBet:
        return _bet(self.name)


@cache
def shelf_names() -> tuple[str, ...]:
    """The names of all bets on the shelf."""
    return tuple(
        sorted(file.name.removesuffix(".toml") for file in _FOLDER.iterdir() if file.name.endswith(".toml"))
    )


@cache
def shelf_bet(name: str) -> ShelfBet:
    """A bet of the shelf by its name."""
    if name not in shelf_names():
        raise MalformedInput(f"there is no side bet {name[:40]!r} on the shelf{nearest(name, shelf_names())}")
    tree = tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    about = {key: tree.pop(key) for key in _ABOUT if key in tree}
    if "published" in about:
        about["published"] = tuple(about["published"])
    return ShelfBet(name, completed(name, tree), **about)


def completed(name: str, tree: Mapping[str, Any]) -> dict[str, Any]:
    """A bet as it is written, with what it takes from the shelf: from the bet that it is like, or its own."""
    if "lines" in tree and "like" not in tree:
        return dict(tree)
    rest = dict(tree)
    like = rest.pop("like", name)
    if not isinstance(like, str):
        raise MalformedInput(f'side bet {name}: like names a bet of the shelf, such as like = "21+3"')
    return {**shelf_bet(like).definition, **rest}


def without_words(name: str, tree: Mapping[str, Any]) -> dict[str, Any]:
    """A bet as plain data without what the shelf says of the bet of that name in the same words."""
    if name not in shelf_names():
        return dict(tree)
    known = shelf_bet(name).bet.model_dump(mode="json")
    words = {line["name"]: line.get("words") for line in known["lines"]}

    def law(line: Mapping[str, Any]) -> dict[str, Any]:
        same = words.get(line["name"]) == line.get("words")
        return {key: part for key, part in line.items() if key != "words" or not same}

    kept = {key: part for key, part in tree.items() if key not in _SAID or known.get(key) != part}
    return {**kept, "lines": [law(line) for line in tree["lines"]]}


def with_words(name: str, tree: Mapping[str, Any]) -> dict[str, Any]:
    """A bet as plain data with what the shelf says of the bet of that name, where nothing else is said."""
    if name not in shelf_names():
        return dict(tree)
    known = shelf_bet(name).definition
    words = {line["name"]: line.get("words", "") for line in known["lines"]}
    said = {key: known[key] for key in _SAID if key in known}
    lines = tree.get("lines")
    if isinstance(lines, list):
        lines = [
            {"words": words[line["name"]], **line}
            if isinstance(line, Mapping) and line.get("name") in words
            else line
            for line in lines
        ]
    return {**said, **tree, **({} if lines is None else {"lines": lines})}


@cache
def _bet(name: str) -> SideBet:
    try:
        return SideBet.model_validate(shelf_bet(name).definition)
    except ValidationError as errors:
        raise MalformedInput(f"side bet {name}: {explained(errors, SideBet, '')}") from None
