"""Exact chances of Knockout 52, before the first card and after any card, by counting arrangements.

For a rank with m cards still to come and k spaces still to fill, j of its cards can lie on j of its spaces
in C(m,j)·C(k,j)·j! ways. Multiplied over the ranks, these rook polynomials count the ways to place j matching
cards, and inclusion and exclusion over j counts the arrangements of the remaining cards without any match.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from cardroom.core.cards import Card
from cardroom.core.errors import MalformedInput
from cardroom.exact.figures import Outcome, WagerFigures, number_to_json
from cardroom.rules.knockout52 import Knockout52Rules, Layout


def chances(rules: Knockout52Rules) -> dict[str, Fraction]:
    """The probability of each wager before the first card; they sum to exactly 1."""
    return live_chances(rules.layout, rules.cards_per_rank, ())


def live_chances(layout: Layout, cards_per_rank: int, dealt: Sequence[Card | int]) -> dict[str, Fraction]:
    """The probability of each wager given the cards (or their ranks, from 1) on the layout, in their order.

    >>> live_chances(Layout(ranks=2, rows=1), 1, [2])
    {'round-1': Fraction(0, 1), 'all-the-way': Fraction(1, 1)}
    """
    ranks = [int(card.rank) if isinstance(card, Card) else int(card) for card in dealt]
    left = _cards_left(layout, cards_per_rank, ranks)
    wagers = layout.wagers
    for space, rank in enumerate(ranks):
        if rank == layout.rank_of_space(space):
            if space + 1 < len(ranks):
                raise MalformedInput(f"the card after space {space + 1} was dealt after a match (KO52-7)")
            won = wagers[layout.row_of_space(space) - 1]
            return {wager: Fraction(wager == won) for wager in wagers}
    # The chance to go on without a match to the end of each row; nothing is left to go wrong in rows behind.
    survival = [Fraction(1)]
    survival += [
        no_match_chance(layout, left, len(ranks), row * layout.ranks) for row in range(1, layout.rows + 1)
    ]
    result = {wagers[row]: survival[row] - survival[row + 1] for row in range(layout.rows)}
    result[wagers[-1]] = survival[-1]
    return result


def _cards_left(layout: Layout, cards_per_rank: int, ranks: Sequence[int]) -> list[int]:
    if len(ranks) > layout.spaces:
        raise MalformedInput(f"{len(ranks)} cards do not fit on {layout.spaces} spaces")
    if layout.ranks * cards_per_rank < layout.spaces:
        raise MalformedInput(f"{layout.ranks * cards_per_rank} cards do not fill {layout.spaces} spaces")
    left = [cards_per_rank] * layout.ranks
    for rank in ranks:
        if not 1 <= rank <= layout.ranks:
            raise MalformedInput(f"rank {rank} is not on the layout; its ranks are 1 to {layout.ranks}")
        left[rank - 1] -= 1
        if left[rank - 1] < 0:
            raise MalformedInput(f"rank {rank} was dealt more often than the {cards_per_rank} in the shoe")
    return left


def no_match_chance(layout: Layout, left: Sequence[int], first: int, end: int) -> Fraction:
    """The chance to fill the spaces from `first` up to `end` without a match, with `left` of each rank."""
    if end <= first:
        return Fraction(1)
    boards = Counter(
        (left[rank], _spaces_of_rank(layout, rank, end) - _spaces_of_rank(layout, rank, first))
        for rank in range(layout.ranks)
    )
    ways = [1]
    for (cards, spaces), times in boards.items():
        ways = _product(ways, _rook_power(cards, spaces, times))
    # Σ (−1)^j · ways_j · (n−j)! / n!, with numerator and denominator divided by (n−d)! for the largest j, d.
    degree, cards_left = len(ways) - 1, sum(left)
    numerator, arranged = 0, 1
    for matches in range(degree, -1, -1):
        numerator += (-1) ** matches * ways[matches] * arranged
        arranged *= cards_left - matches + 1 if matches else 1
    return Fraction(numerator, arranged)


def _spaces_of_rank(layout: Layout, rank: int, end: int) -> int:
    """How many of the first `end` spaces carry a rank, counted from 0."""
    return (end - rank + layout.ranks - 1) // layout.ranks


@cache
def _rook_power(cards: int, spaces: int, times: int) -> tuple[int, ...]:
    if times == 0:
        return (1,)
    board = [
        math.comb(cards, j) * math.comb(spaces, j) * math.factorial(j) for j in range(min(cards, spaces) + 1)
    ]
    return tuple(_product(_rook_power(cards, spaces, times - 1), board))


def _product(left: Sequence[int], right: Sequence[int]) -> list[int]:
    product = [0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += a * b
    return product


def wager_figures(rules: Knockout52Rules, stake_cents: int | None = None) -> tuple[WagerFigures, ...]:
    """Every wager for each unit staked (KO52-5).

    With `stake_cents` a win is paid as the house rounds it on a stake of that size (KO52-11), else in full.
    """
    return tuple(
        WagerFigures(
            wager,
            (
                Outcome("win", rules.pays_on(wager, stake_cents), chance),
                Outcome("lose", Fraction(-1), 1 - chance),
            ),
        )
        for wager, chance in chances(rules).items()
    )


@dataclass(frozen=True, slots=True)
class JointFigures:
    """A set of wagers played together: the exact distribution of what they win or lose, in cents."""

    stakes: tuple[tuple[str, int], ...]
    distribution: tuple[tuple[int, Fraction], ...]
    """(net cents, probability), from the largest loss to the largest win."""
    covariance: tuple[tuple[Fraction, ...], ...]
    """Of the net cents of the wagers of `stakes`, in their order."""

    @property
    def mean_cents(self) -> Fraction:
        return sum((net * probability for net, probability in self.distribution), Fraction(0))

    @property
    def variance(self) -> Fraction:
        mean = self.mean_cents
        return sum(((net - mean) ** 2 * probability for net, probability in self.distribution), Fraction(0))

    @property
    def standard_deviation_cents(self) -> float:
        return math.sqrt(self.variance)

    def to_json(self) -> dict[str, Any]:
        return {
            "stakes": [{"wager": wager, "stake_cents": cents} for wager, cents in self.stakes],
            "mean_cents": number_to_json(self.mean_cents),
            "standard_deviation_cents": self.standard_deviation_cents,
            "distribution": [
                {"net_cents": net, "probability": number_to_json(probability)}
                for net, probability in self.distribution
            ],
            "covariance": [[number_to_json(value) for value in row] for row in self.covariance],
        }


def joint(rules: Knockout52Rules, stakes: Mapping[str, int]) -> JointFigures:
    """The figures of wagers staked together (wager → cents), with the house's rounding (KO52-11)."""
    probabilities = chances(rules)
    unknown = [wager for wager in stakes if wager not in probabilities]
    if unknown:
        raise MalformedInput(f"there is no wager {unknown[0]!r}; the wagers are {', '.join(probabilities)}")
    staked = [(wager, stakes[wager]) for wager in probabilities if stakes.get(wager)]

    def net(wager: str, cents: int, won: str) -> int:
        return rules.payment(wager, cents) if wager == won else -cents

    distribution: dict[int, Fraction] = {}
    for won, probability in probabilities.items():
        total = sum(net(wager, cents, won) for wager, cents in staked)
        distribution[total] = distribution.get(total, Fraction(0)) + probability

    def mean(values: Iterable[int]) -> Fraction:
        return sum(
            (value * probability for value, probability in zip(values, probabilities.values(), strict=True)),
            Fraction(0),
        )

    results = [[net(wager, cents, won) for won in probabilities] for wager, cents in staked]
    covariance = tuple(
        tuple(
            mean(x * y for x, y in zip(one, other, strict=True)) - mean(one) * mean(other)
            for other in results
        )
        for one in results
    )
    return JointFigures(tuple(staked), tuple(sorted(distribution.items())), covariance)
