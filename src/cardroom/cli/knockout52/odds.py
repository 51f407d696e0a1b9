"""`cardroom odds knockout-52`."""

from __future__ import annotations

from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as
from cardroom.cli.output import print_figures
from cardroom.cli.per_game import plain_typer
from cardroom.cli.wagers import Wager, print_sizes
from cardroom.games import KNOCKOUT_52

app = plain_typer()


@app.command()
def odds(
    wager: Wager = None, changes: Changes = None, rules_file: RulesFile = None, as_json: Json = False
) -> None:
    """Exact figures of the five wagers of Knockout 52, for wagers of a stated size."""
    from cardroom.exact.knockout52 import wager_figures
    from cardroom.lab.sizes_knockouts import knockout_52_by_size
    from cardroom.lab.wager_sizes import read_wager
    from cardroom.rules.knockout52 import Knockout52Rules

    rules = house_rules_as(Knockout52Rules, KNOCKOUT_52.id, changes, rules_file)
    sizes = knockout_52_by_size(rules, read_wager(wager, rules))
    figures = wager_figures(rules, sizes.wager_cents)
    print_figures(rules, figures, as_json=as_json, more={"size": sizes.to_json()})
    if not as_json:
        print_sizes(sizes, rules)
