"""Tables of Knockout 52 for tests: hand-made deals, and layouts small enough to enumerate whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from cardroom.core.cards import CARDS, Card, Rank, Suit
from cardroom.core.decks import CardCounts
from cardroom.engine.knockout52 import Event, Game, Stakes, play
from cardroom.rules import load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules, Layout


class TinyRules(Knockout52Rules):
    """The same game on a layout of a few ranks and rows, with a deck of those ranks in a few suits."""

    ranks: int
    rows: int
    suits: int

    @property
    def layout(self) -> Layout:
        return Layout(self.ranks, self.rows)

    @property
    def shoe(self) -> CardCounts:
        return _tiny_shoe(self.ranks, self.suits, self.decks)


@cache
def _tiny_shoe(ranks: int, suits: int, decks: int) -> CardCounts:
    return CardCounts.of_cards([card for card in CARDS if card.rank <= ranks and card.suit < suits] * decks)


def house(**changes: object) -> Knockout52Rules:
    """The game's own rules, with options changed (`limits__max="10.00"` for dotted keys)."""
    return load_rules_as(
        Knockout52Rules, "knockout-52", {key.replace("__", "."): value for key, value in changes.items()}
    )


def tiny(ranks: int, rows: int, suits: int, decks: int = 1) -> TinyRules:
    """Rules of a small layout, otherwise the game's own."""
    own = house().model_dump()
    return TinyRules.model_validate(own | {"ranks": ranks, "rows": rows, "suits": suits, "decks": decks})


def row_without_match(suit: Suit) -> list[Card]:
    """2 3 4 … K A of one suit: every card one space to the left of its own."""
    return [card(rank % 13 + 1, suit) for rank in Rank]


def rows_without_match(rows: int) -> list[Card]:
    """This many rows filled without a match, a suit each."""
    return [dealt for suit in list(Suit)[:rows] for dealt in row_without_match(suit)]


def card(rank: int, suit: Suit) -> Card:
    return CARDS[13 * suit + rank - 1]


def deal(
    cards: Sequence[Card], rules: Knockout52Rules | None = None, *, stakes: Mapping[str, int]
) -> tuple[Game, list[Event]]:
    """One player's game, and its events after the start."""
    game, events = play(rules or house(), [Stakes("Ann", stakes)], cards)
    return game, list(events[len(stakes) + 1 :])


EVERY_WAGER = {"round-1": 100, "round-2": 200, "round-3": 300, "round-4": 400, "all-the-way": 500}
