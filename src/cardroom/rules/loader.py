"""House rules from files and options: TOML in, a frozen and checked record out.

>>> load_rules("knockout-52", {"decks": 8}).flat()["decks"]
8
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, overload

from pydantic import ValidationError

from cardroom.core.errors import MalformedInput
from cardroom.core.ids import GameId
from cardroom.core.toml_text import NotToml, read_toml
from cardroom.games import GAMES, SPANISH_21, Game, Knockout21Id, Knockout52Id, TwentyOneId
from cardroom.rules.base import HouseRules
from cardroom.rules.explain import explained
from cardroom.rules.variants import ABOUT, variant, variant_names

if TYPE_CHECKING:
    from cardroom.rules.knockout21 import Knockout21Rules
    from cardroom.rules.knockout52 import Knockout52Rules
    from cardroom.rules.twentyone import TwentyOneRules

_LONGEST_EXTENDS_CHAIN: Final = 8
_LARGEST_FILE_BYTES: Final = 1_000_000

Rules = TypeVar("Rules", bound=HouseRules)


def rules_model(game: str) -> type[HouseRules]:
    """The schema class of a game's rules."""
    model: type[HouseRules] = GAMES.find(game).follow("rules")
    return model


def known_game(game: str) -> GameId:
    """Check a game's id, and suggest the nearest when it is unknown."""
    return GAMES.find(game).id


@overload
def load_rules(source: TwentyOneId, changes: Mapping[str, object] | None = None) -> TwentyOneRules: ...
@overload
def load_rules(source: Knockout21Id, changes: Mapping[str, object] | None = None) -> Knockout21Rules: ...
@overload
def load_rules(source: Knockout52Id, changes: Mapping[str, object] | None = None) -> Knockout52Rules: ...
@overload
def load_rules(source: str | Path, changes: Mapping[str, object] | None = None) -> HouseRules: ...
def load_rules(source: str | Path, changes: Mapping[str, object] | None = None) -> HouseRules:
    """The rules of a game or variant (by name) or of a rules file (by path), with options changed by key."""
    _check_kinds(source, changes)
    if not changes and isinstance(source, str) and source in GAMES:
        return _own_rules(GAMES[source])
    return _validated(with_changes(_read(source, ()), changes or {}))


def _check_kinds(source: object, changes: object) -> None:
    if not isinstance(source, str | Path):
        raise MalformedInput(f"rules are those of a game by its name, or of a rules file, not of {source!r}")
    if changes is not None and not (
        isinstance(changes, Mapping) and all(isinstance(key, str) for key in changes)
    ):
        raise MalformedInput(f"{changes!r} are not options; write them like {{'decks': 8}}")


def with_changes(tree: dict[str, Any], changes: Mapping[str, object]) -> dict[str, Any]:
    """What rules say, with options changed by dotted key."""
    changed = dict(tree)
    for key, value in changes.items():
        _put(changed, key, value)
    return changed


def rules_tree(source: str | Path) -> dict[str, Any]:
    """What a game's file or a rules file says, with all that it extends, before it is checked."""
    return _read(source, ())


def load_rules_as(
    model: type[Rules], source: str | Path, changes: Mapping[str, object] | None = None
) -> Rules:
    """`load_rules` for callers that need one family of games; refuses the others."""
    rules = load_rules(source, changes)
    if not isinstance(rules, model):
        families = [game for game in GAMES if rules_model(game) is model]
        raise MalformedInput(f"{rules.game} is not one of the games asked for here: {', '.join(families)}")
    return rules


def parse_rules(text: str) -> HouseRules:
    """Read the canonical text of rules back: the rules as they were written, whatever the files say today.

    >>> parse_rules(load_rules("knockout-52").canonical_text()) == load_rules("knockout-52")
    True
    """
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        raise MalformedInput("the text of rules is one JSON object, {…}") from None
    if not isinstance(tree, dict):
        raise MalformedInput("the text of rules is one JSON object, {…}")
    return _validated(tree)


def parse_rules_as(model: type[Rules], text: str) -> Rules:
    """`parse_rules` for callers that have the text of one family's rules."""
    rules = parse_rules(text)
    assert isinstance(rules, model)
    return rules


def change_rules(rules: Rules, changes: Mapping[str, object]) -> Rules:
    """The same rules with some options changed by dotted key, whatever the game's own rules are today.

    >>> change_rules(load_rules("knockout-52", {"decks": 8}), {"rounding": "chip"}).flat()["decks"]
    8
    """
    changed = _validated(with_changes(rules.model_dump(mode="json"), changes))
    assert isinstance(changed, type(rules))
    return changed


def parse_change(text: str) -> tuple[str, object]:
    """Read one `--set key=value`; the value is TOML where it can be, else text.

    Shells take the quotes off `"500.00"`, so a decimal number stays text, for its option to read.

    >>> parse_change("limits.max=500.00"), parse_change("decks=8")
    (('limits.max', '500.00'), ('decks', 8))
    """
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise MalformedInput(f"{text!r} is not a change of an option; write key=value, such as decks=8")
    try:
        return key.strip(), read_toml(f"value = {value}", parse_float=str)["value"]
    except NotToml:
        return key.strip(), value.strip()


def parse_changes(texts: Iterable[str]) -> dict[str, object]:
    """Read several `--set` options; the last word on a key holds."""
    return dict(parse_change(text) for text in texts)


@cache
def _own_rules(game: Game) -> HouseRules:
    return _validated(_read(game.id, ()))


@cache
def _game_file(game: Game) -> str:
    return (resources.files(game.rules_package) / "games" / f"{game.id}.toml").read_text(encoding="utf-8")


def _read(source: str | Path, chain: tuple[str, ...]) -> dict[str, Any]:
    name = str(source)
    if name in chain or len(chain) >= _LONGEST_EXTENDS_CHAIN:
        raise MalformedInput(f"rules files extend each other in a circle: {' → '.join([*chain, name])}")
    if isinstance(source, str) and source in variant_names():
        return _extended(name, dict(variant(source).tree), Path(), chain)
    if isinstance(source, str) and source in GAMES:
        text, folder = _game_file(GAMES[source]), Path()
    elif isinstance(source, Path) or source.endswith(".toml"):
        path = Path(source)
        folder = path.parent
        text = rules_text(path)
    else:
        known_game(name)
        raise AssertionError(name)
    try:
        tree = read_toml(text)
    except NotToml as error:
        raise MalformedInput(f"{name} is not valid TOML: {error.message}") from None
    return _extended(name, {key: value for key, value in tree.items() if key not in ABOUT}, folder, chain)


def _extended(name: str, tree: dict[str, Any], folder: Path, chain: tuple[str, ...]) -> dict[str, Any]:
    """The options of a file over those of the game or the file that it extends."""
    parent = tree.pop("extends", None)
    if parent is None:
        return tree
    if not isinstance(parent, str):
        raise MalformedInput(f'{name}: extends names a game or a file, such as extends = "{SPANISH_21.id}"')
    base = _read(folder / parent if parent.endswith(".toml") else parent, (*chain, name))
    return _merged(base, tree)


def rules_text(path: Path) -> str:
    """The text of a rules file; what cannot be read, or is too large for rules, is refused."""
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST_FILE_BYTES + 1)
        if len(content) > _LARGEST_FILE_BYTES:
            raise MalformedInput(f"{path} is no rules file: it is larger than {_LARGEST_FILE_BYTES:,} bytes")
        return content.decode("utf-8-sig")  # some editors write a mark before the text
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise MalformedInput(f"cannot read the rules file {path}: {reason}") from None


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


class _Tree:
    """What rules say; two that are written alike are the same."""

    __slots__ = ("said", "text")

    def __init__(self, said: dict[str, Any]) -> None:
        self.said = said
        self.text = repr(said)

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Tree) and self.text == other.text


@lru_cache(maxsize=256)
def _checked(model: type[HouseRules], tree: _Tree) -> HouseRules:
    """Rules are frozen: those that are asked for again are the same record."""
    return model.model_validate(tree.said)


def _validated(tree: dict[str, Any]) -> HouseRules:
    game = tree.get("game")
    if not isinstance(game, str):
        raise MalformedInput('a rules file says which game it is for: game = "…" or extends = "…"')
    model = rules_model(game)
    try:
        return _checked(model, _Tree(tree))
    except ValidationError as errors:
        raise MalformedInput(explained(errors, model, game)) from None
    except UnicodeEncodeError:  # a byte that is no text came from a command line
        raise MalformedInput("the rules hold signs that are no text") from None
