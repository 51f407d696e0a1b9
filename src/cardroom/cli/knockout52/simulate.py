"""`cardroom simulate knockout-52`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.cli.options import Changes, Json, Rounds, RulesFile, SimulationSeed, Workers, house_rules_as
from cardroom.cli.per_game import plain_typer
from cardroom.cli.simulating import print_simulation, progress_bar, read_size

if TYPE_CHECKING:
    from fractions import Fraction

app = plain_typer()


@app.command()
def simulate(
    rounds: Rounds = "1e8",
    seed: SimulationSeed = 1,
    workers: Workers = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Play Knockout 52 many millions of times, a unit staked on every wager of every game."""
    from cardroom.rules.knockout52 import Knockout52Rules

    rules = house_rules_as(Knockout52Rules, "knockout-52", changes, rules_file)
    size = read_size(rounds, seed, workers)

    from cardroom.exact.knockout52 import wager_figures
    from cardroom.sim.knockout52 import simulate as run

    with progress_bar(size.rounds) as progress:
        result = run(rules, size.rounds, seed=size.seed, workers=size.workers, progress=progress)
    exact: dict[str, Fraction | float] = {
        figures.wager: figures.expected_value for figures in wager_figures(rules)
    }
    print_simulation(rules, result, exact, as_json=as_json)
