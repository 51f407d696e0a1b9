"""Rehearsed shoes: numbers whose first cards make the round that a test wants to see."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from cardroom.core.cards import Card
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import FairDealer, Table
from cardroom.table.twentyone.house_rules import without_meters

MOST_TRIES = 20_000
KNOWN: dict[tuple[str, str], int] = {
    ("blackjack", "is_split_against_ace"): 1289,
    ("blackjack", "is_insured_blackjack"): 37,
    ("blackjack", "is_hard_20_against_6"): 769,
    ("blackjack, public", "is_hard_20_against_6"): 769,
    ("blackjack", "is_blackjack_against_5"): 176,
    ("spanish-21", "is_split_against_ace"): 699,
    ("spanish-21", "is_insured_blackjack"): 58,
    ("spanish-21", "is_hard_20_against_6"): 178,
    ("players-edge-21", "is_split_against_ace"): 4100,
    ("players-edge-21, public", "is_split_against_ace"): 1500,
    ("players-edge-21", "is_insured_blackjack"): 60,
    ("players-edge-21", "is_hard_20_against_6"): 25,
    ("players-edge-21", "is_one_unsuited_match_on_19"): 4,
}


def first_cards(game: str, number: int, count: int = 12, *, private: bool = True) -> list[Card]:
    """The cards of the first round that a number gives to a table of a game, after the burn."""
    rules = load_rules_as(TwentyOneRules, game)
    if private:
        rules = load_rules_as(TwentyOneRules, game, without_meters(rules, {}))
    dealer = FairDealer(repeatable=number)
    table = Table(rules, dealer)
    table.open()
    table.new_shoe()
    table.sit("Ann", chips_cents=10_000)
    table.take_spot("Ann", 1)
    table.place_wagers("Ann", 1, int(rules.limits.min))
    table.deal()
    shoe, played = table.state.shoe, table.state.round
    assert shoe is not None
    assert played is not None
    dealt = [card for card in played.inputs if isinstance(card, Card)]
    return dealt + [dealer.card(rules, shoe, shoe.dealt + place) for place in range(count - len(dealt))]


@cache
def number_for(game: str, wanted: Callable[[Sequence[Card]], bool], *, private: bool = True) -> int:
    """A number whose shoe begins as wanted: player, up card, player, hole card, then as they come.

    The search begins at a number found before, so that it costs nothing while the deal stays as it is.
    """
    known: int = KNOWN.get((game if private else f"{game}, public", wanted.__name__), 0)
    tries = (known, *range(MOST_TRIES))
    found: int = next(number for number in tries if wanted(first_cards(game, number, private=private)))
    return found


def is_split_against_ace(cards: Sequence[Card]) -> bool:
    """A pair to split (2 to 8) against an ace, no blackjack under it, and small cards to come."""
    first, up, second, hole = cards[:4]
    pair = first.rank == second.rank and 2 <= first.value <= 8
    return pair and up.value == 1 and hole.value != 10 and all(card.value <= 6 for card in cards[4:6])


def is_insured_blackjack(cards: Sequence[Card]) -> bool:
    """A dealer's blackjack with the ace up against a plain hand."""
    first, up, second, hole = cards[:4]
    return (
        up.value == 1 and hole.value == 10 and first.value + second.value in range(12, 17) and first.value > 1
    )


def is_hard_20_against_6(cards: Sequence[Card]) -> bool:
    """A hand nobody should give up."""
    first, up, second, _ = cards[:4]
    return first.value == second.value == 10 and up.value == 6


def is_blackjack_against_5(cards: Sequence[Card]) -> bool:
    """A player's blackjack, paid at once or after no look."""
    first, up, second, _ = cards[:4]
    return {first.value, second.value} == {1, 10} and up.value == 5


def is_one_unsuited_match_on_19(cards: Sequence[Card]) -> bool:
    """19 with one card of the up card's rank in another suit: the last line of Match Up."""
    first, up, second, _ = cards[:4]
    matches = [card for card in (first, second) if card.rank == up.rank]
    one = len(matches) == 1 and matches[0].suit is not up.suit
    return one and first.value + second.value == 19 and up.value not in (1, 10)
