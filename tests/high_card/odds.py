"""`cardroom odds high-card`."""

from __future__ import annotations

from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as
from cardroom.cli.output import print_figures
from cardroom.cli.per_game import plain_typer
from tests.high_card.entry import HIGH_CARD
from tests.high_card.exact import ante
from tests.high_card.rules import HighCardRules

app = plain_typer()


@app.command()
def odds(changes: Changes = None, rules_file: RulesFile = None, as_json: Json = False) -> None:
    """Exact figures of High Card."""
    rules = house_rules_as(HighCardRules, HIGH_CARD.id, changes, rules_file)
    print_figures(rules, [ante(rules)], as_json=as_json)
