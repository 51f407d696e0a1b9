"""`cardroom odds` of the blackjack family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.options import Changes, Json, RulesFile, Sides, house_rules_as, with_sides
from cardroom.cli.output import console, print_figures, require_writable, working, write_file
from cardroom.cli.per_game import plain_typer
from cardroom.cli.twentyone.odds_parts import print_parts, print_total
from cardroom.cli.twentyone.options import (
    Exact,
    RemovedCards,
    ShoeText,
    StrategyName,
    read_shoe,
    read_strategy,
    solving,
    suits_words,
)
from cardroom.cli.wagers import SideWager, Wager, print_sizes
from cardroom.core.errors import MalformedInput
from cardroom.presentation.wagers import SUPER_BONUS_PLAYER

if TYPE_CHECKING:
    from cardroom.core.decks import CardCounts
    from cardroom.exact.figures import WagerFigures
    from cardroom.exact.twentyone.total import Total
    from cardroom.lab.edge_by_size import EdgeBySize
    from cardroom.lab.parts import AnySolution
    from cardroom.model.twentyone.strategy import Strategy
    from cardroom.rules.twentyone import TwentyOneRules

app = plain_typer()


@app.command()
def odds(
    context: typer.Context,
    strategy: StrategyName = "composition",
    shoe: ShoeText = None,
    removed: RemovedCards = None,
    exact: Exact = False,
    wager: Wager = None,
    side_wager: SideWager = None,
    parts: Annotated[
        bool, typer.Option("--parts", help="Also by the dealer's card, by first cards, and how dealers end.")
    ] = False,
    total: Annotated[
        bool, typer.Option("--total", help="Also with the Super Bonus, one strategy for both, and envy.")
    ] = False,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", metavar="FILE", help="Write all parts, actions included, as CSV.", show_default=False
        ),
    ] = None,
    sides: Sides = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Exact figures of the primary wager by a strategy, of insurance, the Super Bonus and every side bet.

    They are for a wager of a stated size, with the house's rounding and the table's maximum; where the size
    matters, other sizes follow.
    """
    from cardroom.lab.wager_sizes import read_side_wager, read_wager
    from cardroom.rules.twentyone import TwentyOneRules

    rules = house_rules_as(TwentyOneRules, context.info_name or "", with_sides(changes, sides), rules_file)
    cards = read_shoe(shoe, rules, removed)
    by = read_strategy(strategy, rules, cards)
    question = _Question(
        rules, by, cards, read_wager(wager, rules), read_side_wager(side_wager, rules), exact=exact
    )
    if total:
        from cardroom.exact.twentyone.total import refuse_without_super_bonus

        refuse_without_super_bonus(rules)
        if exact:
            raise MalformedInput("--total is not in fractions; leave out --exact or --total")
    require_writable(csv)
    with working(solving(rules, exact=exact)):
        if parts or total or csv is not None:
            figures, sizes, primary = question.answer()
        else:
            (figures, sizes), primary = question.kept_answer(), None
        more, both = question.more(primary, parts=parts, total=total)
    if csv is not None and primary is not None:
        from cardroom.lab.parts import parts_to_csv

        write_file(csv, parts_to_csv(primary, cards).encode())
    unknown = question.not_figured(figures)
    if unknown:
        more["not_figured"] = unknown
    print_figures(rules, figures, as_json=as_json, shoe=cards, more={"size": sizes.to_json(), **more})
    if as_json:
        return
    for sentence in unknown.values():
        console().print(f"\n{sentence}")
    if words := suits_words(shoe, rules):
        console().print(f"\n{words}")
    print_sizes(sizes, rules)
    if rules.super_bonus.offered:
        console().print(f"\nSuper Bonus: {SUPER_BONUS_PLAYER}.")
    if both is not None:
        print_total(both)
    if parts and primary is not None:
        print_parts(primary, cards)


@dataclass(frozen=True, slots=True)
class _Question:
    """What was asked for; libraries that compute are imported only where something is computed."""

    rules: TwentyOneRules
    by: str | Strategy
    shoe: CardCounts | None
    wager_cents: int | None
    side_cents: int | None
    exact: bool

    def kept_answer(self) -> tuple[tuple[WagerFigures, ...], EdgeBySize]:
        """Every wager, and the edges by size; at once where the same was asked before."""
        from cardroom.lab.kept import kept

        def compute() -> tuple[tuple[WagerFigures, ...], EdgeBySize]:
            figures, sizes, _ = self.answer()
            return figures, sizes

        if not isinstance(self.by, str):
            return compute()
        inputs = (self.by, self.shoe, self.wager_cents, self.side_cents, self.exact)
        return kept(("odds", self.rules.canonical_text(), *map(str, inputs)), compute)

    def answer(self) -> tuple[tuple[WagerFigures, ...], EdgeBySize, AnySolution]:
        from cardroom.exact.twentyone import solve
        from cardroom.lab.sizes_twentyone import twentyone_by_size
        from cardroom.lab.twentyone import beside_figures

        rules, by, shoe, size = self.rules, self.by, self.shoe, self.size_cents
        primary = (
            solve(rules, by, shoe=shoe, wager_cents=size, exact=True)
            if self.exact
            else solve(rules, by, shoe=shoe, wager_cents=size)
        )
        beside = beside_figures(rules, shoe=shoe, wager_cents=size, side_cents=self.side_cents)
        sizes = twentyone_by_size(
            rules, by, shoe=shoe, exact=self.exact, wager_cents=self.wager_cents, side_cents=self.side_cents
        )
        return (primary.figures(), *beside), sizes, primary

    def not_figured(self, figures: Sequence[WagerFigures]) -> dict[str, str]:
        """The side bets that have no exact figures, each with the sentence that says why."""
        if set(self.rules.offered_side_bets) <= {wager.wager for wager in figures}:
            return {}
        from cardroom.exact.sidebets import not_figured

        return not_figured(self.rules, shoe=self.shoe)

    @property
    def size_cents(self) -> int:
        return self.wager_cents or int(self.rules.limits.min)

    def more(
        self, primary: AnySolution | None, *, parts: bool, total: bool
    ) -> tuple[dict[str, object], Total | None]:
        """What goes into the JSON besides, and the total with the Super Bonus, where they were asked for."""
        more: dict[str, object] = {}
        if parts and primary is not None:
            from cardroom.lab.parts import parts_to_json

            more |= parts_to_json(primary, self.shoe)
        if not total:
            return more, None
        from cardroom.exact.twentyone.total import solve_total

        both = solve_total(self.rules, self.by, wager_cents=self.size_cents, shoe=self.shoe)
        return {**more, "total": both.to_json()}, both
