"""Published basic strategies as data, and how many of their cells ours differs from."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from cardroom.exact.twentyone import solve
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.model.twentyone.strategy import UP_CARDS, UP_COLUMNS, Chart
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action

SIX_DECKS_S17: Final = """\
# blackjack six decks, S17, DAS
hand,2,3,4,5,6,7,8,9,T,A
hard 4-8,H,H,H,H,H,H,H,H,H,H
hard 9,H,Dh,Dh,Dh,Dh,H,H,H,H,H
hard 10,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,H,H
hard 11,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,H
hard 12,H,H,S,S,S,H,H,H,H,H
hard 13-16,S,S,S,S,S,H,H,H,H,H
hard 17-21,S,S,S,S,S,S,S,S,S,S
soft 12,H,H,H,H,H,H,H,H,H,H
soft 13-14,H,H,H,Dh,Dh,H,H,H,H,H
soft 15-16,H,H,Dh,Dh,Dh,H,H,H,H,H
soft 17,H,Dh,Dh,Dh,Dh,H,H,H,H,H
soft 18,S,Ds,Ds,Ds,Ds,S,S,H,H,H
soft 19-21,S,S,S,S,S,S,S,S,S,S
pair 2,P,P,P,P,P,P,H,H,H,H
pair 3,P,P,P,P,P,P,H,H,H,H
pair 4,H,H,H,P,P,H,H,H,H,H
pair 5,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,H,H
pair 6,P,P,P,P,P,H,H,H,H,H
pair 7,P,P,P,P,P,P,H,H,H,H
pair 8,P,P,P,P,P,P,P,P,P,P
pair 9,P,P,P,P,P,S,P,P,S,S
pair T,S,S,S,S,S,S,S,S,S,S
pair A,P,P,P,P,P,P,P,P,P,P
"""
_H17_CHANGES: Final = {
    "hard 11": "hard 11,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh,Dh",
    "soft 18": "soft 18,Ds,Ds,Ds,Ds,Ds,S,S,H,H,H",
    "soft 19-21": "soft 19,S,S,S,S,Ds,S,S,S,S,S\nsoft 20-21,S,S,S,S,S,S,S,S,S,S",
}
"""What differs where the dealer hits soft 17: 11 v A, A7 v 2 and A8 v 6 double too."""

STANDS: Final = {13: "6", 14: "456", 15: "23456", 16: "23456"}
"""Spanish 21, H17 with redoubling: hard totals that stand, against 2 to 6."""
HITS_WITH: Final = {
    (13, "6"): 4,
    (14, "4"): 4,
    (15, "2"): 4,
    (14, "5"): 5,
    (15, "3"): 5,
    (14, "6"): 6,
    (15, "4"): 6,
    (15, "5"): 6,
    (16, "2"): 6,
    (16, "3"): 6,
    (16, "4"): 6,
}
"""… but hit with so many cards or more."""


def six_deck_chart(*, dealer_hits_soft_17: bool) -> Chart:
    """The six-deck basic strategy with doubling after a split and without surrender."""
    lines = SIX_DECKS_S17.splitlines()
    if dealer_hits_soft_17:
        lines = [_H17_CHANGES.get(line.partition(",")[0], line) for line in lines]
    return Chart.parse("\n".join(lines))


def cells_unlike(rules: TwentyOneRules) -> Fraction:
    """How many decisions of our basic strategy are not the published ones for such decks."""
    unlike = _unlike_spanish(rules) if rules.deck == "spanish" else _unlike_standard(rules)
    return Fraction(sum(1 for _ in unlike))


def _unlike_standard(rules: TwentyOneRules) -> Iterator[tuple[str, str]]:
    automaton = compile_hands(rules)
    ours = solve(rules, "basic").strategy
    theirs = six_deck_chart(dealer_hits_soft_17=rules.dealer_hits_soft_17).strategy(automaton)
    for state, hand in enumerate(automaton.hands):
        if hand.from_split or hand.doubles or (hand.soft and hand.total == 12):
            continue  # charts say nothing of two aces that are not split: they always are
        for up, column in zip(UP_CARDS, UP_COLUMNS, strict=True):
            if ours.action[state, column] != theirs.action[state, column]:
                yield str(hand), up


def _unlike_spanish(rules: TwentyOneRules) -> Iterator[tuple[str, str]]:
    automaton = compile_hands(rules)
    ours = solve(rules, "basic").strategy
    for state, hand in enumerate(automaton.hands):
        plain = not (hand.soft or hand.pair or hand.from_split or hand.doubles or hand.progress)
        if not plain or hand.cards < 2 or not 12 <= hand.total <= 16:
            continue
        for up in "23456":
            stands = up in STANDS.get(hand.total, "") and hand.cards < HITS_WITH.get((hand.total, up), 99)
            if ours.choose(state, int(up)) is not (Action.STAND if stands else Action.HIT):
                yield str(hand), up
