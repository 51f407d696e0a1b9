"""`cardroom protect knockout-52`: the report for the house."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.house_report import (
    EXPOSED_DOLLARS,
    WATCH_DOLLARS,
    CsvFile,
    Exposed,
    House,
    Watch,
    show_house_report,
)
from cardroom.cli.options import Changes, Json, RulesFile, SimulationSeed, house_rules
from cardroom.cli.per_game import plain_typer
from cardroom.games import KNOCKOUT_52

app = plain_typer()


@app.command()
def protect(
    house: House = True,
    shoes: Annotated[
        int | None, typer.Option("--shoes", metavar="N", help="Shoes that are dealt.", show_default=False)
    ] = None,
    watch: Watch = WATCH_DOLLARS,
    exposed: Exposed = EXPOSED_DOLLARS,
    seed: SimulationSeed = 1,
    csv: CsvFile = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """How the game can be beaten, and what the house can do."""
    del house  # there is no other report of this game
    show_house_report(
        house_rules(KNOCKOUT_52.id, changes, rules_file),
        shoes=shoes,
        seed=seed,
        watch=watch,
        exposed=exposed,
        csv=csv,
        as_json=as_json,
    )
