"""The wagers of a game of the blackjack family with their exact figures, and the parts of the primary one."""

from __future__ import annotations

from cardroom.core.cards import CARDS, Rank
from cardroom.core.decks import CardCounts
from cardroom.exact.figures import WagerFigures
from cardroom.exact.sidebets import insurance_figures, side_bet_figures, super_bonus_figures
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
    """Every wager that stands beside the primary one and can be decided from the shoe.

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
    figures += [
        side_bet_figures(rules, name, shoe=shoe, stake_cents=side) for name in rules.offered_side_bets
    ]
    return tuple(figures)


def plays_for_super_bonus(solution: Solution) -> bool:
    """Whether a strategy hits suited sevens against a 7, as the Super Bonus's exact value supposes."""
    if not solution.rules.super_bonus.offered:
        return False
    sevens = [card for card in CARDS if card.rank is Rank.SEVEN]
    state_of = solution.solver.automaton.state_of
    return all(
        solution.strategy.choose(state_of((seven, seven)), Rank.SEVEN) is Action.HIT for seven in sevens
    )
