"""`cardroom odds knockout-52`."""

from __future__ import annotations

from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as
from cardroom.cli.output import print_figures
from cardroom.cli.per_game import plain_typer

app = plain_typer()


@app.command()
def odds(changes: Changes = None, rules_file: RulesFile = None, as_json: Json = False) -> None:
    """Exact figures of the five wagers of Knockout 52."""
    from cardroom.exact.knockout52 import wager_figures
    from cardroom.rules.knockout52 import Knockout52Rules

    rules = house_rules_as(Knockout52Rules, "knockout-52", changes, rules_file)
    print_figures(rules, wager_figures(rules), as_json=as_json)
