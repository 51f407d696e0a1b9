"""What every house option is worth: the house edge of each game with one option changed, solved anew.

    python -m tools.option_worth

Writes tools/option_worth.json, from which the site's page of options has its figures. It takes some minutes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import cardroom as cr
from cardroom.core.errors import CardroomError
from cardroom.exact.twentyone.studies import ALTERNATIVES
from cardroom.games import GAMES
from cardroom.rules import HouseRules, load_rules, rules_model
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.variants import variant_names

FILE: Final = Path(__file__).with_name("option_worth.json")
INSURANCE: Final = "insurance"
_NO_PART_OF_A_ROUND: Final = ("side_bets.", "limits.", "procedure.", "sales.", "draws.")
"""Options that move no figure of a round themselves: other wagers, what is wagered, how it is dealt."""
_HEADS: Final = ("game", "title", "currency")
_LISTS: Final = {"split.never": [["4", "5", "10"]], "split.once": [["8"]]}
"""Values for options that are lists, which no schema names."""
_PAYS: Final = re.compile(r"(\d+):(\d+)")
_MOST_VALUES: Final = 8


def wager_of(rules: HouseRules, key: str) -> str:
    """The wager whose edge an option moves: the one that it is about, else the main one."""
    if isinstance(rules, TwentyOneRules) and key.startswith(f"{INSURANCE}.") and not key.endswith("offered"):
        return INSURANCE
    if key.startswith("pays."):
        return key.removeprefix("pays.").replace("_", "-")
    return GAMES[rules.game].main_wager


def alternatives(rules: HouseRules) -> Iterator[tuple[str, list[object]]]:
    """Every option that can move a figure, with the values that it may have beside its own.

    They come from the schema, from what the lab moves, and from the games and variants that share the schema;
    what is paid is a step higher and a step lower where none of them has another pay.
    """
    schema = _fields(rules_model(rules.game).model_json_schema())
    levers = {lever.option: list(lever.values) for lever in GAMES[rules.game].levers}
    relatives = [load_rules(game) for game in (*GAMES, *variant_names())]
    family = [other.flat() for other in relatives if type(other) is type(rules)]
    for key, own in rules.flat().items():
        if key in _HEADS or key.startswith(_NO_PART_OF_A_ROUND):
            continue
        field = schema.get(key, {})
        values = [True, False] if field.get("type") == "boolean" else list(field.get("enum", ()))
        values += [*levers.get(key, []), *_LISTS.get(key, [])]
        values += ALTERNATIVES.get(key, ()) if isinstance(rules, TwentyOneRules) else ()
        values += [other[key] for other in family if key in other]
        others: list[object] = []
        for value in values:
            if value != own and value not in others:
                others.append(value)
        if not others and (pays := _PAYS.fullmatch(str(own))):
            others = [f"{number}:{pays[2]}" for number in (int(pays[1]) - 1, int(pays[1]) + 1) if number]
        if others:
            yield key, others[:_MOST_VALUES]


def edge(game: cr.Game, wager: str) -> float:
    """The house edge of a wager, the best play for the main one."""
    if wager == GAMES[game.id].main_wager:
        return float(game.edge())
    return float(game.odds()[wager])


def worths(name: str) -> dict[str, Any]:
    """The edges of a game, and of the game with each option changed."""
    game = cr.Game(name)
    options: dict[str, list[list[object]]] = {}
    own: dict[str, float] = {}
    for key, values in alternatives(game.rules):
        wager = wager_of(game.rules, key)
        if wager not in own:
            own[wager] = edge(game, wager)
        options[key] = []
        for value in values:
            try:
                changed = edge(game.changed({key: value}), wager)
            except CardroomError:
                continue  # it contradicts another option, or the wager is gone
            options[key].append([value, wager, round(changed, 10)])
    return {
        "rules_hash": game.rules.rules_hash,
        "edges": {wager: round(number, 10) for wager, number in own.items()},
        "options": options,
    }


def kept() -> dict[str, Any]:
    """What the file holds, by game."""
    worth: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return worth


def _fields(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Every option of a schema by its dotted key."""
    fields: dict[str, Any] = {}

    def walk(part: Mapping[str, Any], before: str) -> None:
        for name, field in part.get("properties", {}).items():
            reference = field.get("$ref") or next((one["$ref"] for one in field.get("allOf", ())), None)
            if reference is None:
                fields[f"{before}{name}"] = field
            else:
                walk(schema["$defs"][reference.rpartition("/")[2]], f"{before}{name}.")

    walk(schema, "")
    return fields


if __name__ == "__main__":
    FILE.write_text(json.dumps({game: worths(game) for game in GAMES}, indent=1) + "\n", "utf-8")
