"""The house's shuffle studied: permutations that the model of the hands makes, for `cardroom.lab.shuffle`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from cardroom.core.decks import DECKS
from cardroom.core.errors import MalformedInput
from cardroom.fair import Binding, repeatable_seed
from cardroom.fair.deals import keystream_of
from cardroom.lab.shuffle import Measure, compare
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.cuts import dealer_cut_range, player_cut_range
from cardroom.table.twentyone import procedure
from cardroom.table.twentyone.dealers import deck_text

Start = Literal["new game", "after a shoe"]
MOST_SHUFFLES: Final = 10_000


def procedure_permutations(
    rules: TwentyOneRules, start: Start, *, shuffles: int, seed: int
) -> list[tuple[int, ...]]:
    """So many shuffles of the house, each of cards in their first order; the same seed, the same shuffles."""
    if rules.decks == "infinite" or not 1 <= shuffles <= MOST_SHUFFLES:
        raise MalformedInput(f"1 to {MOST_SHUFFLES} shuffles of a number of decks can be studied")
    size, deck = rules.shoe().total, len(DECKS[rules.deck])
    permutations = []
    for number in range(shuffles):
        name = f"study {start} {number}"
        binding = Binding(rules.game, rules.rules_hash, name, deck_text(rules))
        below = keystream_of(repeatable_seed(seed, name), binding).below
        cards: list[int] = list(range(size))
        if start == "new game":
            cards = procedure.wash(cards, below)
        else:
            stub = dealer_cut_range(rules).middle
            cards = procedure.plug(cards[size - stub :], cards[: size - stub], below)
        cards = procedure.shuffle_piles(cards, deck, below)
        permutations.append(tuple(procedure.cut(cards, _cut_depth(rules, below), "back")))
    return permutations


def _cut_depth(rules: TwentyOneRules, below: Callable[[int], int]) -> int:
    allowed = player_cut_range(rules)
    return allowed.least + below(allowed.most - allowed.least + 1)


def procedure_measures(
    rules: TwentyOneRules, start: Start, *, shuffles: int = 100, seed: int = 1
) -> tuple[Measure, ...]:
    """How far from random the house's shuffle leaves the cards."""
    return compare(procedure_permutations(rules, start, shuffles=shuffles, seed=seed))


@dataclass(frozen=True, slots=True)
class ShownShuffle:
    """One shuffle of the house, pile by pile, as the floor shows it."""

    start: Start
    cards: int
    piles: tuple[int, int, int, int]
    riffles: tuple[procedure.Riffle, ...]
    cut: int
    """How deep the player cuts from the back."""
    cut_card: int
    """How deep the dealer puts the cut card in from the back."""
    kept_pairs: int
    """How many cards still follow the card that they followed before."""


def shown_shuffle(rules: TwentyOneRules, start: Start, *, seed: int) -> ShownShuffle:
    """The house's shuffle of a table's cards by PROC-4 to PROC-6; the same number, the same shuffle.

    >>> from cardroom.rules import load_rules_as
    >>> shown = shown_shuffle(load_rules_as(TwentyOneRules, "blackjack"), "new game", seed=1)
    >>> shown.piles, shown.riffles[-1].piles, shown.riffles[-1].middle
    ((78, 78, 78, 78), (0, 0, 0, 0), 312)
    """
    if rules.decks == "infinite":
        raise MalformedInput("infinitely many decks cannot be shuffled by hand", clause="PROC-5")
    size, deck = rules.shoe().total, len(DECKS[rules.deck])
    name = f"shown {start}"
    below = keystream_of(
        repeatable_seed(seed, name), Binding(rules.game, rules.rules_hash, name, deck_text(rules))
    ).below
    cards, stub = list(range(size)), dealer_cut_range(rules).middle
    if start == "new game":
        cards = procedure.wash(cards, below)
    else:
        cards = procedure.plug(cards[size - stub :], cards[: size - stub], below)
    shuffled, riffles = procedure.riffled_piles(cards, deck, below)
    depth = _cut_depth(rules, below)
    order = procedure.cut(shuffled, depth, "back")
    kept = sum(second == first + 1 for first, second in pairwise(order))
    return ShownShuffle(start, size, procedure.pile_sizes(size), riffles, depth, stub, kept)
