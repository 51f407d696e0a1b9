"""What it is worth to see the hole card, or to be told by the dealer's manner that it is a ten.

Exact, from the full shoe. The wager is made before anything is seen; what is known serves for insurance
alone, or for the play of the hand, too. A hand against a hole card that is seen is played as at a table where
both of the dealer's cards lie face up (21-1.21), and is paid by the rules of its own table.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from cardroom.core.cards import CARDS, Rank
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import Solution, solve
from cardroom.protect.known import Knowledge, KnownCard
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.insurance import insurance_nets


@dataclass(frozen=True, slots=True)
class HoleCardWorth:
    """A round of one unit, by what is known of the hole card and what it is used for."""

    unknown: float
    """Best play, nothing known."""
    insurance: Fraction | None
    """What insurance adds that is taken where it wins; None where there is none, or infinitely many decks."""
    insurance_told: Fraction | None
    """What it adds to a player who knows no more than that a ten is under the ace; the same where insurance
    pays every blackjack."""
    ten_told: float
    """Best play by a player who knows whether the hole card is worth ten; without insurance."""
    seen: float
    """Best play by a player who sees the hole card; without insurance."""

    def to_json(self) -> dict[str, Any]:
        insurance = None if self.insurance is None else float(self.insurance)
        return {
            "unknown": self.unknown,
            "seen_for_insurance_alone": None if insurance is None else self.unknown + insurance,
            "ten_told": self.ten_told + float(self.insurance_told or 0),
            "seen": self.seen + (insurance or 0),
            "seen_without_insurance": self.seen,
        }


def both_seen(rules: TwentyOneRules) -> TwentyOneRules:
    """The same house with both of the dealer's cards face up."""
    return rules.model_copy(
        update={
            "hole_card": "shown",
            "insurance": rules.insurance.model_copy(update={"offered": False}),
            "super_bonus": rules.super_bonus.model_copy(update={"offered": False}),
        }
    )


def insurance_that_wins(rules: TwentyOneRules, *, tell_only: bool = False) -> Fraction:
    """What it adds to a round of one unit to know the card under an ace, used for insurance alone.

    The card is seen; with `tell_only` a player knows no more than whether it is worth ten.

    Only hands that are asked for insurance take it: where a blackjack is paid at once, it is not among them.
    """
    if rules.decks == "infinite":
        raise MalformedInput("the worth of a tell is figured for a shoe; set decks to 1 … 8")
    from cardroom.model.twentyone.automaton import START, compile_hands

    automaton = compile_hands(rules)
    offered = ~automaton.settled[automaton.next[automaton.next[START]]] | rules.insurance.on_paid_blackjack
    shoe = np.array(rules.shoe().counts, np.int64)
    total = int(shoe.sum())
    nets = insurance_nets(rules)
    parts = lcm(*(net.denominator for row in nets for net in row))
    all_won = 0
    for up in [card for card in CARDS if card.rank is Rank.ACE and shoe[card.index]]:
        by_hand = np.zeros((len(CARDS), len(CARDS)), np.int64)
        """[first card, second card]: parts won in all ways in which a ten lies under the ace."""
        for hole in [card for card in CARDS if card.value == 10 and shoe[card.index]]:
            left = shoe.copy()
            left[[up.index, hole.index]] -= 1
            ways = shoe[up.index] * shoe[hole.index] * (left[:, None] * left - np.diag(left))
            won = ways * int(nets[up.suit][hole.index] * parts)
            by_hand += won if tell_only else np.maximum(won, 0)
        all_won += int(np.maximum(by_hand, 0)[offered].sum())
    return Fraction(all_won, 2 * parts * total * (total - 1) * (total - 2) * (total - 3))


def hole_card_worth(rules: TwentyOneRules, solution: Solution | None = None) -> HoleCardWorth:
    """The worth of the hole card for one game; `solution` is its own, where it is at hand."""
    if rules.hole_card != "dealt":
        where = {"shown": "lies face up for all", "unseen": "is looked at by nobody before the play"}.get(
            rules.hole_card, "is not dealt"
        )
        raise MalformedInput(f"the hole card {where} at this table (hole_card): there is none to see")
    alone = solution or solve(rules)
    seen = solve(both_seen(rules))
    insured = rules.insurance.offered and rules.decks != "infinite"
    return HoleCardWorth(
        alone.expected_value,
        insurance_that_wins(rules) if insured else None,
        insurance_that_wins(rules, tell_only=True) if insured else None,
        _ten_told(alone, seen),
        seen.expected_value,
    )


def _ten_told(alone: Solution, seen: Solution) -> float:
    """A ten under the up card is played as a card that is seen, all others alike."""
    solver = alone.solver
    values = solver.shoe.values.tolist()
    tens = [rank for rank, value in enumerate(values) if value == 10]
    whole = 0.0
    for up in solver.chances:
        against = solver.knowing(up, tens)
        whole += against.chance * float((against.played.ways[:, 0] * against.played.value).sum())
    for both in seen.up_cards:
        one, other = (values[rank] for rank in both.seen.ranks)
        if 10 in (one, other):
            # Both orders are a blackjack, or a ten under a ten; else the ten is the hole card in one of two.
            share = 1.0 if one in (1, other) else 0.5
            whole += share * both.chance * float(seen.first_two_values(both).sum())
    return whole


def hole_card_known(rules: TwentyOneRules) -> Knowledge:
    """The hole card, known before the wager and seen in play."""
    seen = solve(both_seen(rules))
    chances: dict[int, float] = {}
    values: dict[int, float] = {}
    for both in seen.up_cards:
        for hole in both.seen.ranks:  # either of the two is under the other half of the time
            chances[hole] = chances.get(hole, 0.0) + both.chance / 2
            won = both.chance / 2 * float(seen.first_two_values(both).sum())
            values[hole] = values.get(hole, 0.0) + won
    return Knowledge(
        "hole card",
        tuple(
            KnownCard(Rank(hole + 1).letter, chance, values[hole] / chance)
            for hole, chance in sorted(chances.items())
        ),
    )
