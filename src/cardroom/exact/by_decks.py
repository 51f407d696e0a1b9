"""The chances of a side bet's lines for many numbers of decks from one count of all draws.

How many decks there are changes only how often the same card can come again: a draw of cards is weighed by
how many of them are alike. So draws are counted once, by that, and every number of decks weighs the counts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from math import perm, prod
from typing import Literal

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts, DeckKind
from cardroom.exact.dealers_hand import dealers_hand_chances
from cardroom.exact.figures import Outcome, WagerFigures
from cardroom.exact.sidebets import LOSES, note_of, tell_draws
from cardroom.rules.bets import Machine, SideBet
from cardroom.rules.twentyone import TwentyOneRules

Decks = int | Literal["infinite"]
Alike = tuple[int, ...]
"""How many cards of a draw are of one kind, kind by kind."""


def chances_with_decks(
    rules: TwentyOneRules, bet: SideBet, decks: Decks, machine: Machine | None = None
) -> dict[int | None, Fraction]:
    """The chance of each line, by its place, and of none, with so many decks of the game's cards.

    With a `machine` the chances are those of what it says of the cards that the bet looks at.
    """
    machine = machine or bet.machine
    shoe = CardCounts.of_decks(rules.deck, 1 if decks == "infinite" else decks)
    if bet.on_players_hand:
        from cardroom.exact.players_hand import players_hand_chances

        house = rules.model_copy(update={"decks": decks})
        return players_hand_chances(house, machine, shoe, infinite=decks == "infinite")
    if bet.on_dealers_hand:
        soft = rules.dealer_hits_soft_17
        return dealers_hand_chances(machine, shoe, infinite=decks == "infinite", hits_soft_17=soft)
    chances: defaultdict[int | None, Fraction] = defaultdict(Fraction)
    kinds, counted = _counted(machine, rules.deck, any_order=bet.any_order, any_suits=bet.any_suits)
    roles = len(machine.roles)
    for (place, alike), draws in counted.items():
        dealt = sum(alike)
        if decks == "infinite":
            chances[place] += Fraction(draws, kinds**dealt)
        elif ways := draws * prod(perm(decks, number) for number in alike):
            rest = perm(kinds * decks - dealt, roles - dealt)
            chances[place] += Fraction(ways * rest, perm(kinds * decks, roles))
    assert sum(chances.values()) == 1
    return dict(chances)


@lru_cache(maxsize=64)
def _counted(
    machine: Machine, deck: DeckKind, *, any_order: bool, any_suits: bool
) -> tuple[int, Counter[tuple[int | None, Alike]]]:
    """How many kinds of cards there are, and how many draws of kinds decide a line, by how many are alike."""
    one_of_each, roles = CardCounts.of_decks(deck, 1), len(machine.roles)
    counted: Counter[tuple[int | None, Alike]] = Counter()

    def add(place: int | None, cards: tuple[Card, ...], times: int) -> None:
        alike = tuple(sorted(Counter(cards).values()))
        counted[place, alike] += times // one_of_each.total ** (roles - len(cards))

    tell_draws(machine, one_of_each, add, infinite=True, any_order=any_order, any_suits=any_suits)
    return one_of_each.total, counted


def figures_with_decks(rules: TwentyOneRules, wager: str, decks: Decks) -> WagerFigures:
    """A side bet for each unit staked with so many decks, paid in full; a meter is at its seed."""
    bet = rules.side_bets[wager]
    chances = chances_with_decks(rules, bet, decks)
    outcomes = [
        Outcome(line, rules.line_net(wager, line), chances.get(place, Fraction(0)))
        for place, line in enumerate(bet.line_ids)
    ]
    outcomes.append(Outcome(LOSES, Fraction(-1), chances.get(None, Fraction(0))))
    return WagerFigures(wager, tuple(outcomes), note=note_of(bet))
