"""What a record or a report says, as lines that people read."""

from __future__ import annotations

import json
from typing import Any

from cardroom.presentation.money import dollars


def shown_lines(content: dict[str, Any]) -> list[tuple[str, str]]:
    """What a record says as lines of a name and a text: amounts as dollars, lists and tables in short.

    >>> shown_lines({"stake_cents": 400, "by": ["ann", "bob"], "held": None})
    [('stake', '$4.00'), ('by', 'ann, bob'), ('held', '')]
    >>> shown_lines({"tickets": [{"number": 7, "price_cents": 500, "voided": None}]})
    [('tickets', 'number 7, price $5.00')]
    """
    return [line for name, value in content.items() for line in _lines(name, value)]


def shown_table(rows: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    """Entries that say the same of each as a table: its headings, and a row for each of them.

    >>> shown_table([{"game": 1, "prize_cents": 1000}, {"game": 2, "prize_cents": 0}])
    (['game', 'prize'], [['1', '$10.00'], ['2', '$0.00']])
    """
    lines = [shown_lines(row) for row in rows]
    return [name for name, _ in lines[0]] if lines else [], [[text for _, text in row] for row in lines]


def _lines(name: str, value: Any) -> list[tuple[str, str]]:
    title = name.removesuffix("_cents").replace("_", " ")
    if isinstance(value, bool):
        return [(title, "yes" if value else "no")]
    if isinstance(value, int) and name.endswith("_cents"):
        return [(title, dollars(value))]
    if isinstance(value, dict) and name.endswith("_cents"):
        return [(f"{title}: {inner}", dollars(cents)) for inner, cents in value.items()]
    if isinstance(value, dict):
        return [(f"{title}: {inner}", text) for key, one in value.items() for inner, text in _lines(key, one)]
    if name == "transfers":
        return [("moved", f"{dollars(cents)} from {source} to {target}") for source, target, cents in value]
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return [(title, ", ".join(value))]
    if isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return [(title, "; ".join(map(_in_a_row, value)))]
    if isinstance(value, list):
        return [(title, json.dumps(value, ensure_ascii=False))]
    return [(title, "" if value is None else str(value))]


def _in_a_row(entry: dict[str, Any]) -> str:
    """An entry of a table; what it leaves empty is left out."""
    return ", ".join(f"{name} {text}" for name, text in shown_lines(entry) if text)
