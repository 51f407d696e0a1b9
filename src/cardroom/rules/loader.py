"""House rules from files and options: TOML in, a frozen and checked record out.

>>> load_rules("knockout-52", {"decks": 8}).flat()["decks"]
8
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module, resources
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from cardroom.core.errors import MalformedInput
from cardroom.core.ids import GAME_IDS, GameId
from cardroom.rules.base import HouseRules

_MODELS: Final[Mapping[GameId, tuple[str, str]]] = {
    "blackjack": ("cardroom.rules.twentyone", "TwentyOneRules"),
    "spanish-21": ("cardroom.rules.twentyone", "TwentyOneRules"),
    "players-edge-21": ("cardroom.rules.twentyone", "TwentyOneRules"),
    "knockout-21": ("cardroom.rules.knockout21", "Knockout21Rules"),
    "knockout-52": ("cardroom.rules.knockout52", "Knockout52Rules"),
}
_LONGEST_EXTENDS_CHAIN: Final = 8

Rules = TypeVar("Rules", bound=HouseRules)


def rules_model(game: str) -> type[HouseRules]:
    """The schema class of a game's rules."""
    module, name = _MODELS[known_game(game)]
    model: type[HouseRules] = getattr(import_module(module), name)
    return model


def known_game(game: str) -> GameId:
    """Check a game's id, and suggest the nearest when it is unknown."""
    for known in GAME_IDS:
        if game == known:
            return known
    raise MalformedInput(
        f"unknown game {game!r}{_nearest(game, GAME_IDS)}; the games are {', '.join(GAME_IDS)}"
    )


def load_rules(source: str | Path, changes: Mapping[str, object] | None = None) -> HouseRules:
    """The rules of a game (by id) or of a rules file (by path), with options changed by dotted key."""
    tree = _read(source, ())
    for key, value in (changes or {}).items():
        _put(tree, key, value)
    return _validated(tree)


def load_rules_as(
    model: type[Rules], source: str | Path, changes: Mapping[str, object] | None = None
) -> Rules:
    """`load_rules` for callers that need one family of games; refuses the others."""
    rules = load_rules(source, changes)
    if not isinstance(rules, model):
        families = [game for game in GAME_IDS if rules_model(game) is model]
        raise MalformedInput(f"{rules.game} is not one of the games asked for here: {', '.join(families)}")
    return rules


def parse_change(text: str) -> tuple[str, object]:
    """Read one `--set key=value`; the value is TOML where it can be, else text."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise MalformedInput(f"{text!r} is not a change of an option; write key=value, such as decks=8")
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value.strip()


def parse_changes(texts: Iterable[str]) -> dict[str, object]:
    """Read several `--set` options; the last word on a key holds."""
    return dict(parse_change(text) for text in texts)


@cache
def _game_file(game: GameId) -> str:
    return (resources.files("cardroom.rules") / "games" / f"{game}.toml").read_text(encoding="utf-8")


def _read(source: str | Path, chain: tuple[str, ...]) -> dict[str, Any]:
    name = str(source)
    if name in chain or len(chain) >= _LONGEST_EXTENDS_CHAIN:
        raise MalformedInput(f"rules files extend each other in a circle: {' → '.join([*chain, name])}")
    if isinstance(source, str) and source in GAME_IDS:
        text, folder = _game_file(known_game(source)), Path()
    elif isinstance(source, Path) or source.endswith(".toml"):
        path = Path(source)
        folder = path.parent
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise MalformedInput(f"cannot read the rules file {name}: {reason}") from None
    else:
        known_game(name)
        raise AssertionError(name)
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MalformedInput(f"{name} is not valid TOML: {error}") from None
    parent = tree.pop("extends", None)
    if parent is None:
        return tree
    if not isinstance(parent, str):
        raise MalformedInput(f'{name}: extends names a game or a file, such as extends = "spanish-21"')
    base = _read(folder / parent if parent.endswith(".toml") else parent, (*chain, name))
    return _merged(base, tree)


def _merged(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in over.items():
        old = result.get(key)
        result[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return result


def _put(tree: dict[str, Any], key: str, value: object) -> None:
    *groups, last = key.split(".")
    for group in groups:
        inner = tree.setdefault(group, {})
        if not isinstance(inner, dict):
            raise MalformedInput(
                f"there is no option {key!r}: {group!r} is an option itself, not a group of options"
            )
        tree[group] = inner = dict(inner)
        tree = inner
    tree[last] = value


def _validated(tree: dict[str, Any]) -> HouseRules:
    game = tree.get("game")
    if not isinstance(game, str):
        raise MalformedInput('a rules file says which game it is for: game = "…" or extends = "…"')
    model = rules_model(game)
    try:
        return model.model_validate(tree)
    except ValidationError as errors:
        raise MalformedInput(
            "; ".join(_explained(model, dict(error)) for error in errors.errors()[:4])
        ) from None


def _explained(model: type[BaseModel], error: dict[str, Any]) -> str:
    """One sentence for one of pydantic's findings: what is wrong, and what is allowed."""
    path = [str(part) for part in error["loc"]]
    key = ".".join(path)
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        names = _names_beside(model, path)
        return f"unknown option {key!r}{_nearest(path[-1], names)}; known here: {', '.join(names)}"
    if kind == "missing":
        return f"option {key!r} is missing"
    clause = _clause(model, path)
    behind = f" ({clause})" if clause else ""
    if kind == "value_error":
        said = str(context["error"])
        return f"{key} = {_quoted(error['input'])}: {said}{behind}" if key else said
    if kind == "literal_error":
        return f"{key} = {_quoted(error['input'])} is not allowed; allowed: {context['expected']}{behind}"
    return f"{key} = {_quoted(error['input'])} is not allowed: {error['msg'].lower()}{behind}"


def _quoted(value: object) -> str:
    return (
        f'"{value}"'
        if isinstance(value, str)
        else str(value).lower()
        if isinstance(value, bool)
        else str(value)
    )


def _group(model: type[BaseModel], path: list[str]) -> type[BaseModel] | None:
    for part in path:
        field = model.model_fields.get(part)
        annotation = field.annotation if field else None
        if not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
            return None
        model = annotation
    return model


def _names_beside(model: type[BaseModel], path: list[str]) -> list[str]:
    group = _group(model, path[:-1])
    return list(group.model_fields) if group else []


def _clause(model: type[BaseModel], path: list[str]) -> str | None:
    for depth in range(len(path), 0, -1):
        group = _group(model, path[: depth - 1])
        field = group.model_fields.get(path[depth - 1]) if group else None
        if field is not None and isinstance(field.json_schema_extra, dict):
            clause = field.json_schema_extra.get("clause")
            return clause if isinstance(clause, str) else None
    return None


def _nearest(name: str, names: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f" (did you mean {close[0]!r}?)" if close else ""
