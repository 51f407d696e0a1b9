"""`cardroom rules GAME`: the house rules in force, in plain words with their clauses."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from cardroom.cli.options import Changes, Game, Json, RulesFile, Sides, house_rules, with_sides
from cardroom.cli.output import changed_options, console, plain_table, print_json, write_json
from cardroom.presentation.changes import change_lines, option_words


def rules(
    game: Game,
    sides: Sides = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of the game's rules files.")
    ] = False,
) -> None:
    """Print the house rules in force. In plain words, with clauses, changes and hash."""
    if schema:
        _print_schema(game)
        return
    in_force = house_rules(game, with_sides(changes, sides), rules_file)
    differences = changed_options(in_force)
    if as_json:
        print_json(
            {
                "game": in_force.game,
                "title": in_force.title,
                "rules_hash": in_force.rules_hash,
                "rules": json.loads(in_force.canonical_text()),
                "differences": {key: {"value": a, "default": b} for key, (a, b) in differences.items()},
                "clauses": [
                    {"key": key, "clause": clause, "words": words}
                    for key, words, clause in in_force.sentences()
                ],
            }
        )
        return
    from rich.text import Text

    from cardroom.rules.variants import variant, variant_names

    out = console()
    out.print(f"{in_force.title}, house rules", style="bold")
    out.print()
    table = plain_table("Clause", "Rule", prose=["Rule"])
    flat = in_force.flat()
    for key, words, clause in in_force.sentences():
        option = Text(f"  [{key} = {option_words(flat[key])}]", "dim")
        table.add_row(clause, Text(words).append_text(option), style="bold" if key in differences else "")
    out.print(table)
    out.print()
    if differences:
        out.print("Differs from the game's own rules:", style="bold")
        for change in change_lines(in_force):
            out.print(f"  {change}")
    else:
        out.print("These are the game's own rules; change an option with --set KEY=VALUE.")
        for each in map(variant, variant_names()):
            if each.game == in_force.game:
                out.print(f"Variant: --rules {each.name}, {each.about}")
    out.print(f"Hash {in_force.rules_hash}")


def _print_schema(game: str) -> None:
    from cardroom.rules import rules_model

    write_json(rules_model(game).model_json_schema(mode="validation"))
