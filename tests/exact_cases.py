"""What the clause tests of options say for the exact figures: a case of each option, or that it has none.

A file of `tests/clauses` has it beside its tests, under one of two names:

    EXACT_CASES = {"charlie": ("blackjack", {"split.max_hands": 1}, ("none", 5), "Ac:4,2c:4,3c:1,Tc:2")}
    NO_PART_OF_THE_WAGER = {"lamp": "what hangs over the table is not paid"}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from runpy import run_path
from typing import Any

from pydantic import BaseModel

from cardroom.rules.bets.bonus import standard_lines
from cardroom.rules.twentyone.bonuses import Bonus21

Case = tuple[str, Mapping[str, object], tuple[object, ...], str]
"""A game, what else is changed, the values of the option, and a shoe on which each makes a difference."""

CLAUSES = Path(__file__).with_name("clauses")


def said_beside_clauses(name: str, folder: Path = CLAUSES) -> dict[str, Any]:
    """What the clause tests of the blackjack family say under a name, all files together."""
    found: dict[str, Any] = {}
    for path in sorted(folder.glob("test_twentyone_*.py")):
        if f"\n{name}" in path.read_text("utf-8"):
            found |= run_path(str(path))[name]
    return found


def fields(model: type[BaseModel], whole: Iterable[str], before: str = "") -> Iterator[str]:
    """The keys of a schema; groups are taken apart, but for those that are to stay whole."""
    for name, field in model.model_fields.items():
        key, inner = before + name, field.annotation
        if model is Bonus21 and name == "lines":
            yield from (before + line.id for line in standard_lines())
        if isinstance(inner, type) and issubclass(inner, BaseModel) and key not in whole:
            yield from fields(inner, whole, f"{key}.")
        else:
            yield key
