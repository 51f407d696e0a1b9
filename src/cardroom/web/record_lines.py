"""What a record or a report says, as lines that people read."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from cardroom.presentation.money import dollars, expected
from cardroom.web.record_words import field_words

_MOMENT: Final = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|\+00:00)")
_TICKET_PRIZE: Final = (2, 3)
"""A prize in the log: its ticket, cents, and the games where they are told."""
_PRIZES_SHOWN: Final = 100
"""So many prizes of a draw are told in lines; all are in the JSON."""


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
    title = field_words(name)
    if isinstance(value, bool):
        return [(title, "yes" if value else "no")]
    if isinstance(value, int | float) and name.endswith("_cents"):
        return [(title, dollars(value) if isinstance(value, int) else expected(value))]
    if isinstance(value, dict) and name.endswith("_cents"):
        return [(f"{title}: {inner}", dollars(cents)) for inner, cents in value.items()]
    if isinstance(value, dict):
        return [(f"{title}: {inner}", text) for key, one in value.items() for inner, text in _lines(key, one)]
    if isinstance(value, list):
        return _listed(name, title, value)
    return [(title, "" if value is None else _moment(str(value)))]


def _listed(name: str, title: str, value: list[Any]) -> list[tuple[str, str]]:
    """What a list says: names in a row; a line for each movement, prize and draw; tables in short."""
    if name == "transfers":
        return [("moved", f"{dollars(cents)} from {source} to {target}") for source, target, cents in value]
    if name == "prizes" and not value:
        return [("prizes", "none")]
    if all(isinstance(one, str) for one in value):
        return [(title, ", ".join(map(_moment, value)))]
    if all(isinstance(one, dict) for one in value):
        return [(title, "; ".join(map(_in_a_row, value)))]
    if name == "prizes" and all(len(one) in _TICKET_PRIZE for one in value):
        lines = [(f"{title} {ticket}", _prize(*rest)) for ticket, *rest in value[:_PRIZES_SHOWN]]
        return lines + [("further prizes", str(len(value) - len(lines)))] * (len(value) > len(lines))
    if name == "draws":
        return [(f"{title} {number}", _draw(*times)) for number, *times in value]
    return [(title, json.dumps(value, ensure_ascii=False))]


def _prize(cents: int, games: str = "") -> str:
    word = "games" if "," in games else "game"
    return f"{dollars(cents)}, {word} {games.replace(',', ', ')}" if games else dollars(cents)


def _draw(due_at: str, closes_at: str, commitment: str, opening: str) -> str:
    return (
        f"{_moment(due_at)}, sales close {_moment(closes_at)}; commitment {commitment}, "
        f"of the first cards {opening}"
    )


def _moment(text: str) -> str:
    """A moment as people write it; any other text as it is.

    >>> _moment("2026-11-19T20:09:00.000000Z"), _moment("noon")
    ('2026-11-19 20:09:00 UTC', 'noon')
    """
    parts = _MOMENT.fullmatch(text)
    return f"{parts[1]} {parts[2]} UTC" if parts else text


def _in_a_row(entry: dict[str, Any]) -> str:
    """An entry of a table; what it leaves empty is left out."""
    return ", ".join(f"{name} {text}" for name, text in shown_lines(entry) if text)
