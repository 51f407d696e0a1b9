"""What is wrong with house rules, in one line that says what is allowed."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from typing import Any, Final

from pydantic import BaseModel, ValidationError

_MOST_FINDINGS: Final = 4


def explained(
    errors: ValidationError, model: type[BaseModel], game: str, *, more_options: Iterable[str] = ()
) -> str:
    """The findings of a failed validation as one line: all that is missing, and the first of the others.

    `more_options` are known beside those that the schema declares.
    """
    faults = errors.errors()
    missing = [".".join(str(part) for part in error["loc"]) for error in faults if error["type"] == "missing"]
    others = [error for error in faults if error["type"] != "missing"]
    more = list(more_options)
    words = [_explained(model, dict(error), game, more) for error in others[:_MOST_FINDINGS]]
    if missing:
        several = len(missing) > 1
        names = ", ".join(repr(name) for name in missing)
        words.insert(0, f"option{'s' * several} {names} {'are' if several else 'is'} missing")
    if len(others) > _MOST_FINDINGS:
        words.append(f"and {len(others) - _MOST_FINDINGS} more")
    return "; ".join(words)


def _explained(model: type[BaseModel], error: dict[str, Any], game: str, more: list[str]) -> str:
    """One sentence for one of pydantic's findings: what is wrong, and what is allowed."""
    path = [str(part) for part in error["loc"]]
    key = ".".join(path)
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        names = _known(model, path[:-1], more)
        return f"unknown option {key!r}{nearest(path[-1], names)}; known here: {', '.join(names)}"
    if kind == "model_type":
        names = _known(model, path, more)
        what = f"{key} = {_quoted(error['input'])}" if key else _quoted(error["input"])
        return f"{what} is not allowed; allowed: a group of the options {', '.join(names)}"
    clause = _clause(model, path, game)
    behind = f" ({clause})" if clause else ""
    if kind == "value_error":
        message = str(context["error"])
        shown = key and not isinstance(error["input"], dict)
        return f"{key} = {_quoted(error['input'])}: {message}{behind}" if shown else message
    if kind == "literal_error":
        return f"{key} = {_quoted(error['input'])} is not allowed; allowed: {context['expected']}{behind}"
    if kind in ("bool_parsing", "bool_type"):
        return f"{key} = {_quoted(error['input'])} is not allowed; allowed: true or false{behind}"
    return f"{key} = {_quoted(error['input'])} is not allowed: {error['msg'].lower()}{behind}"


def _quoted(value: object) -> str:
    """As it would stand in a rules file, on one line."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _group(model: type[BaseModel], path: list[str]) -> type[BaseModel] | None:
    for part in path:
        field = model.model_fields.get(part)
        annotation = field.annotation if field else None
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return None
        model = annotation
    return model


def _known(model: type[BaseModel], path: list[str], more: list[str]) -> list[str]:
    """The options of a group; those known beside the schema's come after its first."""
    first, *others = _names(_group(model, path)) or [""]
    return [name for name in (first, *(() if path else more), *others) if name]


def _names(group: type[BaseModel] | None) -> list[str]:
    return list(group.model_fields) if group else []


def _clause(model: type[BaseModel], path: list[str], game: str) -> str | None:
    for depth in range(len(path), 0, -1):
        group = _group(model, path[: depth - 1])
        field = group.model_fields.get(path[depth - 1]) if group else None
        if field is not None and isinstance(field.json_schema_extra, dict):
            clause = field.json_schema_extra.get("clause")
            clause_id = clause.get(game) if isinstance(clause, dict) else clause
            return clause_id if isinstance(clause_id, str) else None
    return None


def nearest(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""
