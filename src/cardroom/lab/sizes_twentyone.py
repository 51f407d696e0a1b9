"""The edges of a blackjack-family table by the size of the wager, and of its side bets by theirs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardroom.core.decks import CardCounts
from cardroom.core.odds import Odds
from cardroom.exact.sidebets import insurance_figures, not_figured, side_bet_figures, super_bonus_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.edge_by_size import EdgeBySize, Edges, SizeRange, edge_by_size, rounding_words
from cardroom.model.twentyone.strategy import Strategy
from cardroom.presentation.money import dollars
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.sizes import (
    SizedPays,
    capped_from,
    in_full,
    paid_in_full,
    sized_pays,
    smallest_side_cents,
)

_CAPPED = {1: "last double capped", 2: "last two doubles capped"}
"""Words for the first size of which so many doubles are capped."""


def twentyone_by_size(
    rules: TwentyOneRules,
    strategy: str | Strategy,
    *,
    shoe: CardCounts | None = None,
    exact: bool = False,
    wager_cents: int | None = None,
    side_cents: int | None = None,
    with_curve: bool = False,
) -> EdgeBySize:
    """The primary wager, insurance and the Super Bonus by size, played by a strategy that knows the size."""
    values: dict[SizedPays, Fraction | float] = {}

    def primary(cents: int | None) -> float:
        pays = in_full(rules) if cents is None else sized_pays(rules, cents)
        if pays not in values:
            values[pays] = (
                solve(rules, strategy, shoe=shoe, wager_cents=cents, exact=True).expected_value
                if exact
                else solve(rules, strategy, shoe=shoe, wager_cents=cents).expected_value
            )
        return float(-100 * values[pays])

    def edges(cents: int | None) -> Edges:
        result = {"primary": primary(cents)}
        insurance = law.most_insurance_cents(rules, cents) if cents else None
        if rules.insurance.offered and insurance != 0 and (shoe is None or shoe.by_rank()[0]):
            result["insurance"] = insurance_figures(
                rules, shoe=shoe, stake_cents=insurance
            ).house_edge_percent
        if rules.super_bonus.offered and cents:
            result["super-bonus"] = super_bonus_figures(rules, cents, shoe=shoe).house_edge_percent
        return result

    return edge_by_size(
        _range(rules),
        edges,
        wager_cents,
        reasons=tuple(_reasons(rules)),
        with_curve=with_curve,
        side=_side_bets(rules, shoe, side_cents),
    )


def _range(rules: TwentyOneRules) -> SizeRange:
    limits = rules.limits
    special = {size: _CAPPED[number] for number, size in enumerate(capped_from(rules), 1)}
    if rules.super_bonus.offered:
        chip = int(limits.chip)
        special.setdefault(-(-int(rules.super_bonus.large_from) // chip) * chip, "larger Super Bonus")
    return SizeRange(int(limits.min), int(limits.max), int(limits.chip), special, rounds=_rounds(rules))


def _rounds(rules: TwentyOneRules) -> bool:
    """Whether some wager is not paid in full: if two neighbours are, all are that no maximum caps."""
    least, chip = int(rules.limits.min), int(rules.limits.chip)
    uncapped = rules.model_copy(
        update={"double": rules.double.model_copy(update={"capped_at_maximum": False})}
    )
    neighbours = {least, min(least + chip, int(rules.limits.max))}
    return not all(paid_in_full(uncapped, size) for size in neighbours)


def _reasons(rules: TwentyOneRules) -> Iterator[str]:
    if _rounds(rules):
        yield rounding_words(rules.rounding, int(rules.limits.chip))
    if capped := capped_from(rules):
        most, first = dollars(int(rules.limits.max)), dollars(capped[0])
        yield f"The table's maximum of {most} caps what a double adds, from a wager of {first} on."
    if rules.super_bonus.offered:
        bonus = rules.super_bonus
        yield f"The Super Bonus is {bonus.small_pays}, and {bonus.large_pays} from {bonus.large_from} on."


def _side_bets(rules: TwentyOneRules, shoe: CardCounts | None, wanted_cents: int | None) -> EdgeBySize | None:
    """The side bets whose stake the player chooses."""
    unknown = not_figured(rules, shoe=shoe)
    bets = [
        wager
        for wager in rules.offered_side_bets
        if wager not in unknown and rules.side_bets[wager].stake != "fixed"
    ]
    if not bets:
        return None
    limits = rules.limits
    chip, least = int(limits.chip), smallest_side_cents(rules)
    most = max(least, int(limits.side_max) // chip * chip)

    def edges(cents: int | None) -> Edges:
        # What pays by size has no figure of its own for wagers that are paid in full.
        wagers = [wager for wager in bets if cents is not None or not rules.side_bets[wager].larger_wagers]
        figures = (side_bet_figures(rules, wager, shoe=shoe, stake_cents=cents) for wager in wagers)
        return {each.wager: each.house_edge_percent for each in figures}

    def rounded(odds: Odds) -> bool:
        return any(
            rules.payment(size, odds) != size * odds.ratio for size in {least, min(least + chip, most)}
        )

    lines = [line for wager in bets for line in rules.side_bets[wager].paid_lines]
    rounds = any(rounded(line.pays) for line in lines if isinstance(line.pays, Odds))
    larger = {
        int(one.least): f"from here on {rules.side_bets[wager].title} pays as for larger wagers"
        for wager in bets
        for one in rules.side_bets[wager].larger_wagers
        if least < one.least <= most
    }
    reasons = [rounding_words(rules.rounding, chip)] if rounds or not larger else []
    if larger:
        reasons.append("Some lines pay by the size of the wager.")
    return edge_by_size(
        SizeRange(least, most, chip, larger, rounds=rounds),
        edges,
        wanted_cents,
        reasons=tuple(reasons),
        name="side wager",
    )
