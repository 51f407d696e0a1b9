"""`cardroom par GAME -o FILE`: the PAR sheet."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.options import (
    Changes,
    Game,
    Json,
    RulesFile,
    Sides,
    SimulationSeed,
    checked_seed,
    house_rules,
    whole_number,
    with_sides,
)
from cardroom.cli.output import console, print_json, require_writable, working, write_file
from cardroom.cli.wagers import SideWager, Wager
from cardroom.core.errors import MalformedInput

MOST_ROUNDS = 10**9


def par(
    game: Game,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Ending in .pdf, .html or .json.", show_default=False
        ),
    ] = None,
    rounds: Annotated[
        str, typer.Option("--rounds", metavar="N", help="Rounds of the simulation that verifies it.")
    ] = "1e7",
    wager: Wager = None,
    side_wager: SideWager = None,
    seed: SimulationSeed = 1,
    sides: Sides = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Write the PAR sheet of a game, or print it as JSON: all its figures, from the rules alone."""
    from cardroom.lab.par import checked_form, par_sheet, rendered
    from cardroom.lab.wager_sizes import read_side_wager, read_wager

    if output is None and not as_json:
        raise MalformedInput("name a file for the sheet, such as -o sheet.pdf, or print it with --json")
    form = None if output is None else checked_form(output)
    require_writable(output)
    rules = house_rules(game, with_sides(changes, sides), rules_file)
    wager_cents, side_cents = read_wager(wager, rules), read_side_wager(side_wager, rules)
    number = whole_number(rounds, "--rounds", least=1000, most=MOST_ROUNDS)
    start = checked_seed(seed)
    with working(f"computing and simulating {rules.title}"):
        sheet = par_sheet(rules, rounds=number, seed=start, wager_cents=wager_cents, side_cents=side_cents)
        written = None if form is None else rendered(sheet, form)
    if output is not None and written is not None:
        write_file(output, written)
        console(stderr=True).print(f"wrote {output}")
    if as_json:
        print_json(sheet.to_json())
