"""The page of the shelf: every side bet with our figure as a fraction, and what is published of it.

    python -m tools.shelf

Writes docs/shelf.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.exact.sidebets import side_bet_figures
from cardroom.lab.audit.rows import compare
from cardroom.lab.published.twentyone import TWENTY_ONE
from cardroom.rules.bets import shelf_bet, shelf_names
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "shelf.md"
_HEAD: Final = """# The shelf of side bets

Every bet of `rules/side_bets/` on a table of blackjack: six decks and a dealer who hits soft 17 unless
the row says otherwise. Ours are exact fractions, by counting. `cardroom bets NAME` shows a bet, `--side NAME`
puts it on a table. Written by `python -m tools.shelf`.

Bets that look at the dealer's second card or whole hand have the same figures at a table without a hole card
(Pontoon, European Blackjack), where that card comes when all hands are played (21-1.19). They are:
{with_hole_card}.

| bet | decks | house edge, ours | published | agreement | source |
|---|---|---|---|---|---|
"""
_LONG: Final = """
## Long fractions

The figures that stand above as a percentage alone, in full.

| bet | decks | house edge |
|---|---|---|
"""
_MOST_DIGITS: Final = 40
"""A fraction that is longer is shown in the table as a percentage alone, and in full below it."""


class Row(NamedTuple):
    """One line of the table."""

    bet: str
    decks: str
    ours: Fraction
    published: str
    agreement: str
    source: str


def page() -> str:
    """The page as it should be."""
    with_hole_card = [f"`{name}`" for name in shelf_names() if shelf_bet(name).bet.waits_for_hole_card]
    rows = [row for name in shelf_names() for row in _rows(name)]
    long = [row for row in rows if len(str(row.ours)) > _MOST_DIGITS]
    return "".join(
        [
            _HEAD.format(with_hole_card=", ".join(with_hole_card)),
            *(_line(row.bet, row.decks, _shown(row.ours), *row[3:]) for row in rows),
            _LONG,
            *(_line(row.bet, row.decks, f"`{row.ours}`") for row in long),
        ]
    )


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |\n"


def _rows(name: str) -> Iterator[Row]:
    shelf = shelf_bet(name)
    figures = [one for one in TWENTY_ONE if dict(one.changes).get(f"side_bets.{name}.offered")]
    if not figures:
        yield Row(f"`{name}`", "6", _edge(name, {}), "none found", "", shelf.source)
    for figure in figures:
        changes = dict(figure.changes)
        ours = _edge(name, changes)
        stands = changes.get("dealer_hits_soft_17") is False
        verdict = compare(figure, ours)
        reason = "" if verdict.verdict == "agrees" else f": {verdict.explanation}"
        decks = f"{changes['decks']}{', stands on soft 17' * stands}"
        yield Row(f"`{name}`", decks, ours, figure.printed, f"{verdict.verdict}{reason}", figure.source)


def _edge(name: str, changes: dict[str, Any]) -> Fraction:
    needed = shelf_bet(name).bet.needs
    offered = {f"side_bets.{each}.offered": True for each in (name, needed) if each}
    rules = load_rules_as(TwentyOneRules, "blackjack", {**offered, **changes})
    return Fraction(-side_bet_figures(rules, name).expected_value)


def _shown(edge: Fraction) -> str:
    percent = f"{100 * float(edge):.4f} %".replace("-", "−")
    fraction = str(edge).replace("-", "−")
    return f"{fraction} = {percent}" if len(str(edge)) <= _MOST_DIGITS else percent


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
