"""The wagers of a game of the blackjack family with their exact figures, and the parts of the primary one."""

from __future__ import annotations

from cardroom.core.decks import CardCounts
from cardroom.exact.figures import WagerFigures
from cardroom.exact.sidebets import insurance_figures, side_bet_figures, super_bonus_figures
from cardroom.exact.twentyone import ExactSolution, Part, Solution
from cardroom.exact.twentyone.plain import ExactPart
from cardroom.rules.twentyone import TwentyOneRules


def beside_figures(
    rules: TwentyOneRules, *, shoe: CardCounts | None = None, wager_cents: int | None = None
) -> tuple[WagerFigures, ...]:
    """Every wager that stands beside the primary one and can be decided from the shoe."""
    figures = []
    if rules.insurance.offered and (shoe is None or shoe.by_rank()[0]):  # it takes an ace
        figures.append(insurance_figures(rules, shoe=shoe))
    if rules.super_bonus.offered:
        figures.append(super_bonus_figures(rules, wager_cents or int(rules.limits.min), shoe=shoe))
    figures += [side_bet_figures(rules, wager, shoe=shoe) for wager in rules.offered_side_bets]
    return tuple(figures)


def parts_to_json(primary: Solution | ExactSolution) -> dict[str, object]:
    """The primary wager by the dealer's card and by the first two cards: parts that add up to the whole."""

    def as_json(part: Part | ExactPart) -> dict[str, object]:
        chance, value = float(part.chance), float(part.expected_value)
        return {"name": part.name, "probability": chance, "expected_value": value}

    return {
        "by_up_card": [as_json(part) for part in primary.by_up_card],
        "by_first_two": [as_json(part) for part in primary.by_first_two],
    }
