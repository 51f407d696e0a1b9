"""Patterns of cards as data: what a line of a bet or a bonus asks of the cards it looks at.

A pattern is a group of conditions that must all hold. It is plain TOML, so that editors complete it and a
form can edit it; `trackers` turns it into a small machine over cards.

>>> Pattern.model_validate({"same": ["rank", "colour"]}).tree
{'same': ['rank', 'colour']}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    model_serializer,
    model_validator,
)

from cardroom.core.cards import RANK_LETTERS, Card, Rank, Suit, parse_card, parse_rank
from cardroom.core.errors import CardroomError
from cardroom.rules.explain import Misplaced

Attribute = Literal["rank", "suit", "colour", "value"]
"""What cards may have in common: a rank (jack), a suit, a colour, or a value in blackjack (ten)."""
SuitName = Literal["clubs", "diamonds", "hearts", "spades", "named"]
"""A suit; `"named"` is the one that the house rules name for their bonuses, and no other pattern knows it."""
NAMED: Final = "named"
Colour = Literal["red", "black"]
Place = Literal[
    "player",
    "dealer",
    "player_1",
    "player_2",
    "player_3",
    "player_hand",
    "dealer_up",
    "dealer_hole",
    "dealer_hand",
    "player_draw",
    "dealer_draw",
]
"""Where cards lie; a draw is any card of a hand after its first two."""

MOST: Final = 99
"""No number of a pattern is larger."""
MOST_LEVELS: Final = 12
"""So deep patterns may stand in each other: whoever reads, writes or copies them goes down level by level."""
_WITHIN: Final = ("all", "any", "not", "none")
"""What holds patterns within a pattern."""
_RED: Final = (Suit.DIAMONDS, Suit.HEARTS)


def colour_of(card: Card) -> Colour:
    """Red or black."""
    return "red" if card.suit in _RED else "black"


class Part(BaseModel):
    """A piece of a pattern: frozen, an unknown key is an error, and only what is given is written."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    @property
    def tree(self) -> dict[str, Any]:
        """What is given, as plain data."""
        return self.model_dump(mode="json", by_alias=True)

    @model_serializer(mode="wrap")
    def _only_what_is_given(self, handler: Any) -> dict[str, Any]:
        aliases = {name: field.alias or name for name, field in type(self).model_fields.items()}
        kept = {
            name for name, field in type(self).model_fields.items() if getattr(self, name) != field.default
        }
        written: dict[str, Any] = handler(self)
        return {
            aliases[name]: written.get(aliases[name], written.get(name)) for name in aliases if name in kept
        }


def _read_rank(value: object) -> Rank:
    if isinstance(value, Rank):
        return value
    try:
        return parse_rank(str(value))
    except CardroomError as error:
        raise ValueError(error.message) from None


def _read_card(value: object) -> Card:
    if isinstance(value, Card):
        return value
    try:
        return parse_card(str(value))
    except CardroomError as error:
        raise ValueError(error.message) from None


RankName = Annotated[
    Any,
    BeforeValidator(_read_rank),
    PlainSerializer(lambda rank: rank.letter, return_type=str),
    WithJsonSchema({"type": "string", "enum": [*RANK_LETTERS, "10"]}),
]
CardName = Annotated[
    Any,
    BeforeValidator(_read_card),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "pattern": "^(10|[2-9ATJQK])[cdhs]$", "examples": ["Qh"]}),
]


class Span(Part):
    """How many, or how much: one number, or from `min` to `max`."""

    min: int = Field(0, ge=0, le=MOST)
    max: int = Field(MOST, ge=0, le=MOST)

    def __contains__(self, number: int) -> bool:
        return self.min <= number <= self.max

    @model_validator(mode="after")
    def _in_order(self) -> Span:
        if self.min > self.max:
            raise Misplaced(f"min {self.min} is above max {self.max}")
        return self


def _read_number(value: object) -> object:
    """A bare number stands for itself."""
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    if not 0 <= value <= MOST:
        raise ValueError(f"a number is from 0 to {MOST}")
    return {"min": value, "max": value}


def _write_span(span: Span) -> int | dict[str, Any]:
    return span.min if span.min == span.max else span.tree


Number = Annotated[
    Span,
    BeforeValidator(_read_number),
    PlainSerializer(_write_span),
    WithJsonSchema({"anyOf": [{"type": "integer"}, Span.model_json_schema()]}),
]


class Total(Span):
    """The worth of cards as a hand of blackjack (21-1.1): its total, hard or soft."""

    softness: Literal["hard", "soft"] | None = None
    """Soft: an ace counts 11 in it."""
    ace: Literal["1 or 11", "1"] = "1 or 11"
    """What an ace counts; `"1"` for bets that count it low."""


class CardSet(Part):
    """Some of the 52 cards: those of the ranks, of the suits, of the colours, or the cards themselves."""

    ranks: tuple[RankName, ...] = ()
    suits: tuple[SuitName, ...] = ()
    colours: tuple[Colour, ...] = ()
    cards: tuple[CardName, ...] = ()

    def __contains__(self, card: Card) -> bool:
        return (
            (not self.ranks or card.rank in self.ranks)
            and (not self.suits or card.suit.name.lower() in self.suits)
            and (not self.colours or colour_of(card) in self.colours)
            and (not self.cards or card in self.cards)
        )

    @property
    def names_suits(self) -> bool:
        return bool(self.suits or self.colours or self.cards)


class Contains(CardSet):
    """How many of the cards are among some."""

    number: Number = Field(default=Span(min=1))


class Groups(Part):
    """Cards that are alike, in groups at least so large: `[2, 2]` is two pairs; four of a rank are one."""

    alike: tuple[Attribute, ...] = Field(min_length=1)
    sizes: tuple[Annotated[int, Field(ge=1, le=9)], ...] = Field(min_length=1)


class Match(Part):
    """How many of the player's cards are of the rank of the dealer's one card, of its suit and of another."""

    suited: Number = Field(default=Span(min=0, max=0))
    unsuited: Number = Field(default=Span(min=0, max=0))


def _one_or_more(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class Pattern(Part):
    """Conditions on cards, which must all hold; of all cards that the bet looks at, or of some."""

    of: Annotated[tuple[Place, ...], BeforeValidator(_one_or_more)] = ()
    """The cards that are asked: `"player"`, `"dealer"`, or places such as `"player_1"`; none: all."""
    same: tuple[Attribute, ...] = ()
    """All cards are alike in each of these."""
    different: tuple[Attribute, ...] = ()
    """No two cards are alike in any of these."""
    ranks: tuple[RankName, ...] = ()
    """The cards are of exactly these ranks, in any order."""
    cards: tuple[CardName, ...] = ()
    """The cards are exactly these, in any order."""
    every: CardSet | None = None
    """Every card is among these."""
    contains: Contains | None = None
    in_a_row: Literal[True] | None = None
    """The ranks follow each other, an ace high or low."""
    groups: Groups | None = None
    match: Match | None = None
    between: Number | None = None
    """The dealer's one card is between the player's two in rank, an ace high; so many ranks are between."""
    number: Number | None = None
    """How many cards."""
    total: Annotated[Total, BeforeValidator(_read_number)] | None = None
    bust: Literal[True] | None = None
    """The total is above 21."""
    blackjack: Literal[True] | None = None
    """Two cards, an ace and a ten-valued one."""
    all: tuple[Pattern, ...] = ()
    any: tuple[Pattern, ...] = ()
    none: Annotated[Pattern | None, Field(alias="not")] = None

    @model_validator(mode="before")
    @classmethod
    def _a_table(cls, value: object) -> object:
        if not isinstance(value, Mapping):
            return value
        if not any(key != "of" and part not in ([], ()) for key, part in value.items()):
            raise Misplaced('a pattern says what it asks of the cards, such as { same = ["rank"] }')
        _require_few_levels(value)
        return value

    @property
    def parts(self) -> tuple[Pattern, ...]:
        """The patterns in it."""
        return (*self.all, *self.any, *((self.none,) if self.none else ()))

    def with_suit(self, name: str, suit: str) -> Pattern:
        """The pattern with a suit in the place of a name for it."""
        return Pattern.model_validate(_replaced(self.tree, name, suit))

    @property
    def names_suits(self) -> bool:
        """Whether it names a suit or a colour, so that exchanging suits would change it."""
        sets = (one for one in (self.every, self.contains) if one is not None)
        return (
            bool(self.cards)
            or "colour" in self._alike
            or any(one.names_suits for one in sets)
            or any(part.names_suits for part in self.parts)
        )

    @property
    def looks_at_suits(self) -> bool:
        """Whether suits matter to it, be it that it names some or asks for cards of one suit."""
        own = self.names_suits or "suit" in self._alike or self.match is not None
        return own or any(part.looks_at_suits for part in self.parts)

    @property
    def _alike(self) -> set[Attribute]:
        """In what cards are to be alike or different."""
        return {*self.same, *self.different, *(self.groups.alike if self.groups else ())}

    @property
    def cares_for_places(self) -> bool:
        """Whether it matters which card lies where."""
        paired = self.match is not None or self.between is not None
        return bool(self.of) or paired or any(part.cares_for_places for part in self.parts)


def _require_few_levels(pattern: object) -> None:
    """Refuse patterns that stand too deep in each other, before anybody goes down into them."""
    inside = [pattern]
    for _ in range(MOST_LEVELS):
        held = [one.get(key) for one in inside if isinstance(one, Mapping) for key in _WITHIN]
        inside = [part for one in held for part in (one if isinstance(one, list | tuple) else (one,)) if part]
        if not inside:
            return
    raise Misplaced(f"patterns stand at most {MOST_LEVELS} deep in each other")


def _replaced(tree: Any, name: str, suit: str) -> Any:
    if isinstance(tree, dict):
        return {key: _replaced(part, name, suit) for key, part in tree.items()}
    if isinstance(tree, list):
        return [_replaced(part, name, suit) for part in tree]
    return suit if tree == name else tree


Pattern.model_rebuild()
