"""Every command that prints JSON has a schema, and prints nothing else.

`hold_json_to_schemas` of `tests/command_line.py` holds the JSON of commands in all tests to these schemas.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
import typer

from cardroom.cli.app import command
from cardroom.cli.shapes import SHAPES, schema_of
from cardroom.games import GAMES
from tests.command_line import CommandLine

LEAVES = Path(__file__).with_name("json_fields.json")
WITHOUT_OPTION = {"lottery proof"}
"""Prints JSON always."""


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def _commands(group: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    context = typer.Context(group)
    for name in group.list_commands(context):
        each = group.get_command(context, name)
        if not hasattr(each, "list_commands"):
            yield " ".join(words if name in GAMES else (*words, name)), each
        else:
            yield from _commands(each, (*words, name))


def test_every_command_with_json_has_a_schema_and_no_other() -> None:
    with_json = {
        name for name, each in _commands(command()) if any("--json" in one.opts for one in each.params)
    }
    assert with_json | WITHOUT_OPTION == set(SHAPES)


@pytest.mark.slow
def test_every_schema_is_a_schema_with_a_version(cardroom: CommandLine) -> None:
    for name in SHAPES:
        answer = cardroom("schema", *name.split())
        schema = answer.json
        jsonschema_rs.validator_for(schema)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert schema["title"] == f"cardroom {name} --json, version 1"
        assert '"schema_version"' in answer.out


def test_schemas_are_listed(cardroom: CommandLine) -> None:
    assert cardroom("schema").out.splitlines() == list(SHAPES)


def test_a_command_without_json_is_refused_with_the_nearest(cardroom: CommandLine) -> None:
    assert cardroom.refused("schema", "odd") == "no command 'odd' prints JSON (did you mean 'odds'?)"


def test_a_field_without_a_name_in_the_schema_is_an_error() -> None:
    validator = jsonschema_rs.validator_for(schema_of("games"))
    game = {"schema_version": 1, "game": "war", "title": "War", "about": "cards"}
    assert validator.is_valid([game])
    assert not validator.is_valid([game | {"more": 1}])
    assert not validator.is_valid([game | {"schema_version": 2}])


def test_a_change_of_the_fields_raises_the_version() -> None:
    """Who adds a field writes the list anew; who renames, removes or changes one raises SCHEMA_VERSION, too.

    `.venv/bin/python -m tests.unit.test_cli_schema` writes it.
    """
    assert json.loads(LEAVES.read_text()) == _all_fields()


def _all_fields() -> dict[str, list[str]]:
    return {name: sorted(set(_fields(schema_of(name)))) for name in SHAPES}


def _fields(schema: Any) -> Iterator[str]:
    for name, part in {**schema.get("$defs", {}), "": schema}.items():
        for field, shape in part.get("properties", {}).items():
            optional = "" if field in part.get("required", ()) else "?"
            yield f"{name}.{field}{optional}: {_kind(shape)}"


def _kind(shape: dict[str, Any]) -> str:
    if "anyOf" in shape:
        return " | ".join(map(_kind, shape["anyOf"]))
    if "$ref" in shape:
        return str(shape["$ref"]).rpartition("/")[2]
    if "items" in shape:
        return f"list of {_kind(shape['items'])}"
    if isinstance(shape.get("additionalProperties"), dict):
        return f"map to {_kind(shape['additionalProperties'])}"
    return str(shape.get("const", shape.get("enum", shape.get("type", "anything"))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "games --json",
        "rules spanish-21 --set decks=8 --json",
        "rules knockout-21 --json",
        "bets --json",
        "bets perfect-pairs --json",
        "play blackjack --auto --rounds 3 --seed 1 --json",
        "play blackjack --bet 4 --chips 100 --seed 1 --json",
        "play knockout-52 --bet 1=5 --games 2 --seed 1 --json",
        "odds knockout-52 --json",
        "odds knockout-21 --json",
        "fair test --shuffles 1000 --seed 1 --json",
    ],
)
def test_what_commands_print_fits_their_schemas(cardroom: CommandLine, line: str) -> None:
    """What is printed is held to the schema as it is in every test, so that a misfit fails here."""
    answer = cardroom(*line.split())
    assert answer.code in (0, 1), answer.err
    assert answer.json


def test_play_tells_programs_the_rounds_and_the_result(cardroom: CommandLine) -> None:
    played = cardroom("play", "knockout-52", "--bet", "1=5 2=1", "--games", "3", "--seed", "1", "--json").json
    assert [one["number"] for one in played["rounds"]] == [1, 2, 3]
    assert played["net_cents"] == sum(one["net_cents"] for one in played["rounds"])
    for one in played["rounds"]:
        assert one["net_cents"] == sum(one["by_wager_cents"].values())
        assert set(one["by_wager_cents"]) == {"round-1", "round-2"}
        assert one["notation"].startswith("game knockout-52\n")


@pytest.mark.slow
@pytest.mark.parametrize("game", ["blackjack", "knockout-52"])
def test_play_that_would_ask_prints_no_json(cardroom: CommandLine, game: str) -> None:
    said = cardroom.refused("play", game, "--json")
    assert said == "--json goes with --bet or --auto: nothing is asked or shown, only the result"


def test_a_par_sheet_needs_a_file_or_json(cardroom: CommandLine) -> None:
    said = cardroom.refused("par", "knockout-52")
    assert said == "name a file for the sheet, such as -o sheet.pdf, or print it with --json"


def test_a_par_sheet_for_programs(cardroom: CommandLine) -> None:
    sheet = cardroom("par", "knockout-52", "--rounds", "1000", "--json").json
    assert (sheet["schema_version"], sheet["game"]) == (1, "knockout-52")


if __name__ == "__main__":
    LEAVES.write_text(json.dumps(_all_fields(), indent=1) + "\n")
