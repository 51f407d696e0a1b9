"""The wagers of a game of the blackjack family with their exact figures, and the parts of the primary one."""

from __future__ import annotations

from cardroom.core.decks import CardCounts
from cardroom.exact.figures import WagerFigures
from cardroom.exact.sidebets import insurance_figures, not_figured, side_bet_figures, super_bonus_figures
from cardroom.exact.twentyone import Solution
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action
from cardroom.rules.twentyone.sizes import smallest_side_cents


def beside_figures(
    rules: TwentyOneRules,
    *,
    shoe: CardCounts | None = None,
    wager_cents: int | None = None,
    side_cents: int | None = None,
) -> tuple[WagerFigures, ...]:
    """Every wager that stands beside the primary one and can be decided from the shoe; what `not_figured`
    names is left out.

    They stand beside a primary wager of `wager_cents`, the side bets at `side_cents` each: the table's
    smallest unless told. Insurance is the most that is allowed; on a wager so small that half of it is less
    than a chip there is none.
    """
    wager = wager_cents or int(rules.limits.min)
    insurance = law.most_insurance_cents(rules, wager)
    figures = []
    if rules.insurance.offered and insurance and (shoe is None or shoe.by_rank()[0]):  # it takes an ace
        figures.append(insurance_figures(rules, shoe=shoe, stake_cents=insurance))
    if rules.super_bonus.offered:
        figures.append(super_bonus_figures(rules, wager, shoe=shoe))
    side = side_cents or smallest_side_cents(rules)
    unknown = not_figured(rules, shoe=shoe)
    figures += [
        side_bet_figures(rules, name, shoe=shoe, stake_cents=side)
        for name in rules.offered_side_bets
        if name not in unknown
    ]
    return tuple(figures)


def plays_for_super_bonus(solution: Solution) -> bool:
    """Whether a strategy hits whatever may win the Super Bonus, as its exact value supposes."""
    if not solution.rules.super_bonus.offered:
        return False
    state_of = solution.solver.automaton.state_of
    situations = {
        (state_of(dealt[:2]), up)
        for held, ranks in law.super_bonus_hands(solution.rules).items()
        for dealt in law.drawn_orders(held)
        for up in ranks
    }
    return all(solution.strategy.choose(state, up) is Action.HIT for state, up in situations)
