"""Which options of the house rules do anything, given the others."""

from __future__ import annotations

from collections.abc import Iterator

from cardroom.rules.base import HouseRules
from cardroom.rules.twentyone import TwentyOneRules


def sentences_in_force(rules: HouseRules) -> list[tuple[str, str, str]]:
    """(option, sentence, clause) of every rule that does something."""
    idle = rules.idle_options()
    if isinstance(rules, TwentyOneRules):
        idle.update(_idle_groups(rules))
    return [sentence for sentence in rules.sentences() if sentence[0] not in idle]


def _idle_groups(rules: TwentyOneRules) -> Iterator[str]:
    """All options of what is not offered; what else does nothing is said by the option's own field."""
    flat = rules.flat()

    def group(prefix: str, *but: str) -> Iterator[str]:
        yield from (key for key in flat if key.startswith(prefix) and key not in but)

    if rules.split.max_hands == 1:
        yield from group("split.", "split.max_hands")
    if rules.double.max_doubles == 0:
        yield from group("double.", "double.max_doubles")
    if not rules.insurance.offered:
        yield from group("insurance.", "insurance.offered")
    yield from (key for key in group("bonus_21.") if flat[key] == "none")
    if not rules.super_bonus.offered:
        yield from group("super_bonus.")
    for wager in rules.side_bets:
        if not rules.offers(wager):
            yield from group(f"side_bets.{wager}.")
    if not rules.offered_side_bets:
        yield from group("limits.side_")
    if rules.decks == "infinite":
        yield from group("procedure.", "procedure.spots")
