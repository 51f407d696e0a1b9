"""Conditions of a pattern in words, each with an example that a form puts in."""

from __future__ import annotations

import json
from typing import Final, Literal, NamedTuple

from cardroom.rules.bets import LooksAt

PLACES: Final[dict[LooksAt, str]] = {
    "player_1": "your first card",
    "player_2": "your second card",
    "player_3": "your third card",
    "player_hand": "your whole hand",
    "dealer_up": "the dealer's up card",
    "dealer_hole": "the dealer's hidden card",
    "dealer_hand": "the dealer's whole hand",
}
"""What a side bet may look at."""
ALIKE: Final = ("rank", "suit", "colour", "value")
SUITS: Final = ("clubs", "diamonds", "hearts", "spades")


class Field(NamedTuple):
    """One thing that a condition asks for: a choice, a number, or words that stand in a list."""

    words: str
    kind: Literal["choice", "number", "list"]
    first: str
    """What stands there at first."""
    choices: tuple[str, ...] = ()


class Condition(NamedTuple):
    """What a line may ask for: in words, as it stands in a file with {} for each field, and its fields."""

    words: str
    text: str
    fields: tuple[Field, ...] = ()

    @property
    def example(self) -> str:
        """The condition as it stands in a file, with what its fields have at first."""
        return self.text.format(*(_written(field) for field in self.fields))


def _written(field: Field) -> str:
    if field.kind == "number":
        return field.first
    return json.dumps(field.first.split() if field.kind == "list" else field.first)


_RANKS: Final = Field("Ranks, such as 7 7 or K Q", "list", "7 7")
_CARDS: Final = Field("Cards, such as Qh Qh", "list", "Qh Qh")
_TENS_AND_ACES: Final = Field("Ranks", "list", "T J Q K A")
_SUIT: Final = Field("Suit", "choice", "hearts", SUITS)
_COLOUR: Final = Field("Colour", "choice", "red", ("red", "black"))
_WHOSE: Final = Field("Whose", "choice", "player", ("player", "dealer"))
_HOW_MANY: Final = Field("How many", "number", "1")
CONDITIONS: Final = (
    Condition("all alike in", "same = [{}]", (Field("What", "choice", "rank", ALIKE),)),
    Condition("all the same card", 'same = ["rank", "suit"]'),
    Condition("no two alike in", "different = [{}]", (Field("What", "choice", "suit", ALIKE),)),
    Condition("exactly these ranks", "ranks = {}", (_RANKS,)),
    Condition("exactly these cards", "cards = {}", (_CARDS,)),
    Condition("every card of one suit", "every = {{ suits = [{}] }}", (_SUIT,)),
    Condition(
        "every card of one colour",
        "every = {{ colours = [{}] }}",
        (_COLOUR,),
    ),
    Condition("every card of these ranks", "every = {{ ranks = {} }}", (_TENS_AND_ACES,)),
    Condition(
        "so many cards of these ranks",
        "contains = {{ ranks = {}, number = {} }}",
        (Field("Ranks", "list", "7"), _HOW_MANY),
    ),
    Condition("ranks in a row", "in_a_row = true"),
    Condition(
        "a group of cards alike in",
        "groups = {{ alike = [{}], sizes = [{}] }}",
        (Field("What", "choice", "rank", ALIKE), Field("At least", "number", "2")),
    ),
    Condition("the total is", "total = {}", (Field("Total", "number", "20"),)),
    Condition(
        "the total is from … to",
        "total = {{ min = {}, max = {} }}",
        (Field("From", "number", "19"), Field("To", "number", "21")),
    ),
    Condition("a blackjack", "blackjack = true"),
    Condition("a bust", "bust = true"),
    Condition("so many cards", "number = {}", (Field("How many", "number", "2"),)),
    Condition(
        "suited matches with the dealer's card",
        "match = {{ suited = {} }}",
        (_HOW_MANY,),
    ),
    Condition(
        "unsuited matches with the dealer's card",
        "match = {{ unsuited = {} }}",
        (_HOW_MANY,),
    ),
    Condition("only these cards are asked", "of = {}", (_WHOSE,)),
    Condition("it is not the total", "not = {{ total = {} }}", (Field("Total", "number", "21"),)),
)
"""What a form offers; what is not among them is written as in a file."""
FIRST_BET: Final = """\
title = "My Pairs"
looks_at = ["player_1", "player_2"]
lines = [
  { name = "perfect pair", when = { same = ["rank", "suit"] }, pays = "25:1" },
  { name = "coloured pair", when = { same = ["rank", "colour"] }, pays = "12:1" },
  { name = "mixed pair", when = { same = ["rank"] }, pays = "6:1" },
]
"""
"""What the form begins with."""
