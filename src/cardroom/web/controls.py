"""Every house option of a game as a control for a form, made from the rules' own JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from cardroom.presentation.house_rules import group_title
from cardroom.rules import HouseRules, rules_model

_IDENTITY: Final = ("game", "title", "currency")


def controls_of(rules: HouseRules) -> list[dict[str, Any]]:
    """The options in the order of the schema: key, kind, choices, value now, words and clause."""
    schema = rules_model(rules.game).model_json_schema()
    tree = rules.option_tree()
    controls = list(_walk(schema, schema, tree, "", rules.game))
    known = {control["key"] for control in controls}
    order = {key: place for place, (key, _, _) in enumerate(rules.sentences())}
    place = 0
    for control in controls:  # what does nothing here is said nowhere: it stays behind the one before it
        place = order.setdefault(control["key"], place)
    controls += [control for control in _in_words(rules) if control["key"] not in known]
    return sorted(controls, key=lambda control: order[control["key"]])


def _walk(
    schema: Mapping[str, Any], whole: Mapping[str, Any], tree: Mapping[str, Any], prefix: str, game: str
) -> Iterator[dict[str, Any]]:
    for name, entry in schema.get("properties", {}).items():
        field = _resolved(entry, whole)
        key = f"{prefix}{name}"
        if name not in tree or key in _IDENTITY or _is_patterns(field, tree[name]):
            continue
        if field.get("type") == "object":
            inner = {**whole, "$defs": {**whole.get("$defs", {}), **field.get("$defs", {})}}
            yield from _walk(field, inner, tree[name], f"{key}.", game)
        else:
            yield _control(key, {**field, **entry}, tree[name], game)


def _is_patterns(field: Mapping[str, Any], value: Any) -> bool:
    """Whether an option is lines of patterns, which a rules file writes and no form."""
    lines = isinstance(value, list) and any(isinstance(one, dict) for one in value)
    return lines or "$ref" in field.get("items", ())


def _in_words(rules: HouseRules) -> Iterator[dict[str, Any]]:
    """Options that the schema cannot name, since the rules themselves do: the pays of a side bet's lines."""
    flat = rules.flat()
    for key, sentence, clause in rules.sentences():
        if _is_patterns({}, flat[key]):
            continue
        yield {**_control(key, {}, flat[key], rules.game), "words": sentence, "clause": clause}


def _resolved(field: Mapping[str, Any], whole: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = field.get("$ref")
    if reference is None:
        return field
    definition: Mapping[str, Any] = whole["$defs"][reference.rsplit("/", 1)[1]]
    return definition


def _control(key: str, field: Mapping[str, Any], value: Any, game: str) -> dict[str, Any]:
    clause = field.get("clause")
    kind, choices = (
        "text",
        field.get("enum")
        or [
            one
            for part in field.get("anyOf", ())
            for one in part.get("enum", [part["const"]] if "const" in part else [])
        ],
    )
    if field.get("const") is not None:
        choices = [field["const"]]
    if choices:
        kind = "choice"
    elif isinstance(value, bool):
        kind = "switch"
    elif isinstance(value, int | float):
        kind = "number"
    group = key.rpartition(".")[0]
    return {
        "key": key,
        "group": group,
        "group_title": group_title(group),
        "kind": kind,
        "choices": choices,
        "value": value,
        "least": field.get("minimum"),
        "most": field.get("maximum"),
        "pattern": field.get("pattern"),
        "words": field.get("description", ""),
        "clause": clause.get(game) if isinstance(clause, Mapping) else clause,
    }
