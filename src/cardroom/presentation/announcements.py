"""What a player is told when wagers are decided: each by name and amount, then the round in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cardroom.engine import twentyone
from cardroom.presentation.money import dollars
from cardroom.presentation.outcomes import outcome_words
from cardroom.rules.twentyone import TwentyOneRules


def announced_wagers(
    events: Sequence[twentyone.Event],
    player: str,
    rules: TwentyOneRules | None = None,
    *,
    since: int = 0,
    several_spots: bool = False,
) -> Iterator[str]:
    """A player's wagers that were decided since one of the events of a round, in the page's words.

    >>> paid = twentyone.BonusPaid(2, "Ann", "super-bonus", 1_000_00)
    >>> taken = twentyone.WagerTaken(2, "Ann", "insurance", 1, 500, "no blackjack")
    >>> list(announced_wagers([paid, taken], "Ann"))
    ['Super Bonus, +$1,000', 'Insurance, no blackjack, −$5']
    """
    earlier = set(twentyone.wager_outcomes(events[:since]))
    for outcome in twentyone.wager_outcomes(events):
        if outcome.player == player and outcome not in earlier:
            words = outcome_words(outcome, rules)
            yield f"spot {outcome.spot}: {words}" if several_spots else words


def result_sentence(net_cents: int) -> str:
    """What a round brought.

    >>> result_sentence(10_00), result_sentence(-4_00), result_sentence(0)
    ('You won $10.00.', 'You lost $4.00.', 'Your wagers came back: nothing won, nothing lost.')
    """
    if net_cents == 0:
        return "Your wagers came back: nothing won, nothing lost."
    return f"You {'won' if net_cents > 0 else 'lost'} {dollars(abs(net_cents))}."
