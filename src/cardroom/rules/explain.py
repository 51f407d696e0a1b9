"""What is wrong with house rules, in one line that says what is allowed."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError

from cardroom.rules.options import words_of

_MOST_FINDINGS: Final = 4
_LONGEST_QUOTED: Final = 120

Path = tuple[str | int, ...]
"""Where something stands in a file: keys, and places in lists from 0 on."""


class Misplaced(ValueError):
    """What is wrong with a group of options, and where in it; `words` say it to who sees the place."""

    def __init__(self, message: str, path: Path = (), words: str = "") -> None:
        super().__init__(message)
        self.path = path
        self.words = words or message


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and its place."""

    path: Path
    words: str


def findings(
    errors: ValidationError, model: type[BaseModel], game: str, *, more_options: Iterable[str] = ()
) -> Iterator[Finding]:
    """All that a failed validation found, each with its place and in words that do not repeat the place."""
    more = list(more_options)
    for error in _faults(errors):
        path, cause = tuple(error["loc"]), error.get("ctx", {}).get("error")
        if isinstance(cause, Misplaced):
            yield Finding((*path, *cause.path), cause.words)
        elif error["type"] == "missing":
            yield Finding(path[:-1], f"option {str(path[-1])!r} is missing")
        else:
            named = next((str(part) for part in reversed(path) if isinstance(part, str)), "")
            yield Finding(path, _explained(model, dict(error), game, more, named))


def explained(
    errors: ValidationError, model: type[BaseModel], game: str, *, more_options: Iterable[str] = ()
) -> str:
    """The findings of a failed validation as one line: all that is missing, and the first of the others.

    `more_options` are known beside those that the schema declares.
    """
    faults = _faults(errors)
    missing = [_key(error["loc"]) for error in faults if error["type"] == "missing"]
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


def _faults(errors: ValidationError) -> list[Any]:
    """What was found, but for lists that are too short only since none of their members is right."""
    faults: list[Any] = [{**error, "loc": _as_written(error["loc"])} for error in errors.errors()]
    places = [error["loc"] for error in faults]
    return [
        error
        for error in faults
        if error["type"] != "too_short"
        or not any(place[: len(error["loc"])] == error["loc"] != place for place in places)
    ]


def _as_written(path: Path) -> Path:
    """Where a file has it: before the bonuses that a house writes stand those that every house may pay."""
    if path[:2] != ("bonus_21", "lines") or len(path) < 3 or not isinstance(path[2], int):
        return path
    from cardroom.rules.bets.bonus import standard_lines

    place, standard = path[2], standard_lines()
    if place < len(standard):
        return ("bonus_21", standard[place].id)
    return ("bonus_21", "lines", place - len(standard), *path[3:])


def _explained(
    model: type[BaseModel], error: dict[str, Any], game: str, more: list[str], named: str | None = None
) -> str:
    """One sentence for one of pydantic's findings: what is wrong, and what is allowed.

    The option is called by its whole key unless it is `named` otherwise.
    """
    path = [str(part) for part in error["loc"]]
    key = _key(error["loc"]) if named is None else named
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        names = _known(model, path[:-1], more)
        # Which game it is stands above its options: nobody is led to change it by one.
        meant = nearest(path[-1], [name for name in names if path[:-1] or name != "game"])
        return f"unknown option {key!r}{meant}; known here: {', '.join(names)}"
    if kind == "model_type":
        names = _known(model, path, more)
        what = f"{key} = {_quoted(error['input'])}" if key else _quoted(error["input"])
        return f"{what} is not allowed; allowed: a group of the options {', '.join(names)}"
    clause = _clause(model, path, game)
    behind = f" ({clause})" if clause else ""
    if kind == "value_error":
        cause = context["error"]
        message = str(cause)
        if named is None and (place := _key(_place_unsaid(cause, error["loc"]))):
            return message if place in message else f"{place}: {message}"
        shown = key and not isinstance(error["input"], dict)
        return f"{key} = {_quoted(error['input'])}: {message}{behind}" if shown else message
    if kind == "literal_error":
        return f"{key} = {_quoted(error['input'])} is not allowed; allowed: {context['expected']}{behind}"
    if kind in ("bool_parsing", "bool_type"):
        return f"{key} = {_quoted(error['input'])} is not allowed; allowed: true or false{behind}"
    return f"{key} = {_quoted(error['input'])} is not allowed: {_plain(error)}{behind}"


def _place_unsaid(cause: object, found_at: Path) -> Path:
    """Where a group of options is wrong, if the words of what is wrong do not say it."""
    if isinstance(cause, Misplaced):
        return (*found_at, *cause.path) if cause.words == str(cause) else ()
    return ()


def _plain(error: dict[str, Any]) -> str:
    """What pydantic says of types that only programs know, as people say it."""
    context = error.get("ctx", {})
    match error["type"]:
        case "tuple_type" | "list_type":
            return 'it is a list, such as ["…"]'
        case "dict_type" | "mapping_type":
            return "it is a group of options"
        case "string_type":
            return "it is text, in quotation marks"
        case "too_short":
            return f"the list has {context['min_length']} or more"
        case "too_long":
            return f"the list has {context['max_length']} at most"
    words: str = error["msg"]
    return words[:1].lower() + words[1:]


def _key(path: Iterable[str | int]) -> str:
    """A place as people write it: keys, and the members of lists counted from 1 on."""
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in path)


def _quoted(value: object) -> str:
    """As it would stand in a rules file, on one line; the beginning of what is long."""
    try:
        written = json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return "…"
    return written if len(written) <= _LONGEST_QUOTED else f"{written[:_LONGEST_QUOTED]}…"


def _group(model: type[BaseModel], path: list[str]) -> type[BaseModel] | None:
    for part in path:
        if part.isdigit():  # one of a list, of which the list itself was the last step
            continue
        fields = model.model_fields
        field = fields.get(part) or next((one for one in fields.values() if one.alias == part), None)
        inner = _model_in(field.annotation) if field else None
        if inner is None:
            return None
        model = inner
    return model


def _model_in(annotation: object) -> type[BaseModel] | None:
    """The group of options that an annotation speaks of, be it in a list or perhaps not there."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for part in get_args(annotation) if (model := _model_in(part))), None)


def _known(model: type[BaseModel], path: list[str], more: list[str]) -> list[str]:
    """The options of a group; those known beside the schema's come after its first."""
    first, *others = _names(_group(model, path)) or [""]
    return [name for name in (first, *(() if path else more), *others) if name]


def _names(group: type[BaseModel] | None) -> list[str]:
    return [field.alias or name for name, field in group.model_fields.items()] if group else []


def _clause(model: type[BaseModel], path: list[str], game: str) -> str | None:
    for depth in range(len(path), 0, -1):
        group = _group(model, path[: depth - 1])
        field = group.model_fields.get(path[depth - 1]) if group else None
        words = words_of(field) if field is not None else None
        if words is not None:
            clause = words.clause
            return clause if isinstance(clause, str) else clause.by_game().get(game)
    return None


def nearest(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""
