"""What the figures say of the rules themselves, in sentences with their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from cardroom.core.cards import Rank
from cardroom.core.decks import CardCounts
from cardroom.exact.twentyone import solve
from cardroom.exact.twentyone.studies import with_option
from cardroom.games import GAMES
from cardroom.presentation.numbers import in_percent
from cardroom.rules import parse_rules_as
from cardroom.rules.loader import load_rules
from cardroom.rules.twentyone import TwentyOneRules


def edge_percent(
    rules: TwentyOneRules, strategy: str = "composition", wager_cents: int | None = None
) -> float:
    """The house edge of the primary wager, of that size or paid in full."""
    return _edge_percent(rules.canonical_text(), strategy, wager_cents)


@lru_cache(maxsize=64)
def _edge_percent(canonical_text: str, strategy: str, wager_cents: int | None) -> float:
    rules = parse_rules_as(TwentyOneRules, canonical_text)
    return -100 * solve(rules, strategy, wager_cents=wager_cents).expected_value


def family_findings(rules: TwentyOneRules, wager_cents: int | None = None) -> Iterator[str]:
    """Findings about one set of rules of the blackjack family, for a wager of that size or paid in full."""

    def edge(changed: TwentyOneRules, strategy: str = "composition") -> float:
        return edge_percent(changed, strategy, wager_cents)

    best, basic = edge(rules), edge(rules, "basic")
    yield (
        "A player who looks at the composition of the hand, not only at its total, gains "
        f"{in_percent(basic - best)} of the wager: {in_percent(best)} against {in_percent(basic)}."
    )
    if rules.double.rescue != "none" and rules.double.max_doubles > 1:
        yield _finding_on_rescue(rules, wager_cents)
    if rules.surrender == "none":
        gain = best - edge(with_option(rules, "surrender", "late"))
        yield (
            f"Surrender is left out by a reading ({rules.clause('surrender')}); late surrender would be "
            f"worth {in_percent(gain, 3)} to the player."
        )
    soft = with_option(rules, "dealer_hits_soft_17", not rules.dealer_hits_soft_17)
    change = edge(soft) - best
    other = "hits" if soft.dealer_hits_soft_17 else "stands on"
    by, to = in_percent(change, 3, plus=True), in_percent(best + change, 3)
    yield f"A dealer who {other} soft 17 would move the house edge by {by}, to {to}."


def _finding_on_rescue(rules: TwentyOneRules, wager_cents: int | None) -> str:
    original, last = (
        edge_percent(with_option(rules, "double.rescue", reading), wager_cents=wager_cents)
        for reading in ("original", "before-last-double")
    )
    return (
        f"How rescue is read (PE21-9) moves the house edge by {in_percent(last - original, 3)} of the wager: "
        f"{in_percent(original, 3)} where only the original wager is lost "
        f"after several doubles, {in_percent(last, 3)} where what stood before the last double is."
    )


def edge_with_winning_faces(rules: TwentyOneRules, *, at_once: bool, shoe: CardCounts | None = None) -> float:
    """The house edge, as a share, if two identical suited face cards won even money.

    That rule of a published description is not in our source; it changes nothing else of the strategy. Won at
    once, such a hand wins whatever the dealer has; won after the look, it loses to a dealer's blackjack. In
    place of what basic strategy brings with two ten-valued cards it then brings 1, or 1 less two dealer's
    blackjacks, in as many rounds as begin with such a pair.
    """
    solution = solve(rules, "basic", shoe=shoe)
    shoe = shoe or rules.shoe()
    total, by_rank = shoe.total, shoe.by_rank()
    faces = [card for card in set(shoe.cards()) if card.rank > Rank.TEN]
    chance = sum(shoe[card] * (shoe[card] - 1) for card in faces) / (total * (total - 1))
    blackjack = 2 * by_rank[0] * (sum(by_rank[9:]) - 2) / ((total - 2) * (total - 3))
    worth = 1.0 if at_once else 1 - 2 * blackjack
    tens = next(part for part in solution.by_first_two if part.name == "TT")
    return -solution.expected_value - chance * (worth - tens.expected_value)


def all_findings() -> list[dict[str, Any]]:
    """The findings about all games as their own rules have them."""
    return [
        {"game": game.id, "finding": finding}
        for game in GAMES.values()
        if game.findings is not None
        for finding in game.follow("findings")(load_rules(game.id))
    ]
