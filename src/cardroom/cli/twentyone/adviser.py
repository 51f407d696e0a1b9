"""Advice in words: every option with its value, and what a choice cost against the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import NeverAllowed, PlayerAction, Round, parse_action
from cardroom.lab.advice import Advice, solved
from cardroom.lab.advice import advice as advice_of
from cardroom.presentation.money import average
from cardroom.rules.twentyone import TwentyOneRules

if TYPE_CHECKING:
    from cardroom.lab.charts import StrategyChart

_NOTHING_TENTH_CENTS = 0.05
"""A cost below this is shown as none."""


def values(game: Round) -> Advice | None:
    """The options of the player in turn with their values; None where nothing is asked."""
    return advice_of(game)


def chart(rules: TwentyOneRules, wager_cents: int) -> StrategyChart:
    """The chart of the best play for a wager of that size."""
    from cardroom.lab.strategies import chart_of

    return chart_of(solved(rules, wager_cents))


def advise(game: Round) -> str:
    """The options, best first, with their values in money and what they cost against the best."""
    return advice_words(advice_of(game))


def advice_words(advice: Advice | None) -> str:
    """Advice in lines."""
    if advice is None or not advice.choices:
        return "Nothing is to be decided."
    lines = [f"Best: {advice.best.option}. On average, for this spot:"]
    for choice in advice.choices:
        cost = advice.best.value_cents - choice.value_cents
        costs = "" if choice is advice.best else f"   costs {average(cost)}"
        lines.append(f"  {choice.option!s:<14}{average(choice.value_cents, plus=True):>10}{costs}")
    return "\n".join(lines)


def verdict(game: Round, answer: str) -> str:
    """What a choice just made cost, in words; empty where it is not understood or not valued."""
    return verdict_words(advice_of(game), answer)


def verdict_words(advice: Advice | None, answer: str) -> str:
    """What a choice cost by some advice."""
    chosen = _understood(answer)
    cost = None if advice is None or chosen is None else advice.cost_cents(chosen)
    if advice is None or cost is None:
        return ""
    if cost < _NOTHING_TENTH_CENTS:
        return f"{chosen}: the best choice."
    return f"{chosen}: {advice.best.option} would have been better by {average(cost)}."


def blunder(game: Round, answer: str, above_cents: float) -> str:
    """The question before a choice that costs more than so much on average; empty where it does not."""
    return blunder_words(advice_of(game), answer, above_cents)


def blunder_words(advice: Advice | None, answer: str, above_cents: float) -> str:
    """The question by some advice."""
    chosen = _understood(answer)
    cost = None if advice is None or chosen is None else advice.cost_cents(chosen)
    if advice is None or cost is None or cost <= above_cents:
        return ""
    return f"Really {chosen}? On average it costs {average(cost)} against {advice.best.option}."


def _understood(answer: str) -> PlayerAction | None:
    try:
        chosen = parse_action(answer)
    except MalformedInput:
        return None
    return None if isinstance(chosen, NeverAllowed) else chosen
