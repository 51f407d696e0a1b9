"""A Knockout 21 ticket: fifteen starting hands, and hit or stand where the player may choose.

>>> ticket = Ticket.parse("Ah7c Td2s 5h5d KsQd / 9c4d:H 2c2d:H 8h8s:S TcTd:S Ac6d:H"
...                       " / 9c4d:H 2c2d:H 8h8s:S TcTd:S Ac6d:H 3s3d:H")
>>> ticket.hands[0], ticket.choices[4], Ticket.from_bytes(ticket.to_bytes()) == ticket
((Ah, 7c), <Choice.HIT: 'H'>, True)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from cardroom.core.cards import CARDS, Card, format_cards, parse_cards
from cardroom.core.errors import IllegalAction, MalformedInput
from cardroom.engine.contract import Refusal
from cardroom.rules.knockout21 import GAME_OF_POSITION, GAMES, HANDS_OF_GAME, POSITIONS, Game
from cardroom.rules.knockout21.law import (
    CARD_BYTES,
    CHOICE_BYTES,
    STARTING_CARDS,
    TICKET_BYTES,
    Choice,
    basic_choice,
)

Hand = tuple[Card, Card]


@dataclass(frozen=True, slots=True)
class Ticket:
    """Fifteen hands in draw order, and a choice for each hand of Games 2 and 3 (KO21-1.4)."""

    hands: tuple[Hand, ...]
    choices: tuple[Choice | None, ...]

    def __post_init__(self) -> None:
        if len(self.hands) != POSITIONS or len(self.choices) != POSITIONS:
            raise MalformedInput(
                f"a ticket has {POSITIONS} hands and as many choices, not "
                f"{len(self.hands)} and {len(self.choices)}",
                clause="KO21-1.4",
            )
        if any(len(hand) != STARTING_CARDS for hand in self.hands):
            raise MalformedInput("a starting hand has two cards", clause="KO21-1.4")
        for position, choice in enumerate(self.choices):
            if choice is None and GAME_OF_POSITION[position] != 1:
                raise MalformedInput(f"{name_of(position)} needs a choice, hit or stand", clause="KO21-2.5")
            if choice is not None and (refusal := why_not_choose(position)) is not None:
                raise IllegalAction(refusal.reason, clause=refusal.clause)

    @classmethod
    def basic(cls, hands: Sequence[Hand], first_cards: Sequence[Card]) -> Ticket:
        """A ticket with the choices of the charts, as every purchase starts (KO21-2.6)."""
        return cls(tuple(hands), basic_choices(hands, first_cards))

    def choose(self, position: int, choice: Choice) -> Ticket:
        """The ticket with one choice overridden (KO21-2.6)."""
        if (refusal := why_not_choose(position)) is not None:
            raise IllegalAction(refusal.reason, clause=refusal.clause)
        return replace(self, choices=(*self.choices[:position], choice, *self.choices[position + 1 :]))

    def overrides(self, first_cards: Sequence[Card]) -> tuple[int, ...]:
        """The positions whose choice is not the chart's."""
        advice = basic_choices(self.hands, first_cards)
        return tuple(
            position for position in range(POSITIONS) if self.choices[position] is not advice[position]
        )

    def __str__(self) -> str:
        return " / ".join(" ".join(self._hand_text(p) for p in HANDS_OF_GAME[game]) for game in GAMES)

    def _hand_text(self, position: int) -> str:
        choice = self.choices[position]
        return format_cards(self.hands[position]) + (f":{choice.value}" if choice else "")

    @classmethod
    def parse(cls, text: str) -> Ticket:
        """Read the text of `str`."""
        pairs = [parse_hand(word) for word in text.replace("/", " ").split()]
        return cls(tuple(hand for hand, _ in pairs), tuple(choice for _, choice in pairs))

    def to_bytes(self) -> bytes:
        """Thirty card indices, then a bit for every position that hits: 32 bytes."""
        cards = bytes(card.index for hand in self.hands for card in hand)
        hits = sum(1 << p for p, choice in enumerate(self.choices) if choice is Choice.HIT)
        return cards + hits.to_bytes(CHOICE_BYTES, "little")

    @classmethod
    def from_bytes(cls, data: bytes) -> Ticket:
        """Read the 32 bytes of `to_bytes`."""
        if len(data) != TICKET_BYTES or max(data[:CARD_BYTES]) >= len(CARDS):
            raise MalformedInput(f"a ticket is {TICKET_BYTES} bytes: {CARD_BYTES} cards below 52, then hits")
        cards = [CARDS[index] for index in data[:CARD_BYTES]]
        hits = int.from_bytes(data[CARD_BYTES:], "little")
        if hits >> POSITIONS:
            raise MalformedInput(f"a ticket has {POSITIONS} positions to hit, and no more")
        choices = (
            Choice.HIT if hits >> p & 1 else None if GAME_OF_POSITION[p] == 1 else Choice.STAND
            for p in range(POSITIONS)
        )
        return cls(tuple(zip(cards[::2], cards[1::2], strict=True)), tuple(choices))


def parse_hand(text: str) -> tuple[Hand, Choice | None]:
    """Read a starting hand, and its choice where it has one: `Ah7c`, `9c4d:H`."""
    cards, colon, choice = text.partition(":")
    both = parse_cards(cards)
    if len(both) != STARTING_CARDS or (colon and choice.upper() not in {"H", "S"}):
        raise MalformedInput(f"{text!r} is not a hand; write two cards and :H or :S, such as 9c4d:H")
    return (both[0], both[1]), Choice(choice.upper()) if colon else None


def name_of(position: int) -> str:
    """A position as the ticket names it: `hand 2 of Game 3`."""
    game = GAME_OF_POSITION[position]
    return f"hand {HANDS_OF_GAME[game].index(position) + 1} of Game {game}"


def why_not_choose(position: int) -> Refusal | None:
    """Why no choice can be made for a hand, or None when one can."""
    if not 0 <= position < POSITIONS:
        return Refusal(f"there is no position {position}; they are 0 to {POSITIONS - 1}", "KO21-1.4")
    if GAME_OF_POSITION[position] == 1:
        return Refusal(f"{name_of(position)} asks nothing of the player; choose in Games 2 and 3", "KO21-5.1")
    return None


def basic_choices(hands: Sequence[Hand], first_cards: Sequence[Card]) -> tuple[Choice | None, ...]:
    """What the charts advise for fifteen hands, given the dealer's five first cards of Game 2."""
    if len(first_cards) != len(HANDS_OF_GAME[2]):
        raise MalformedInput(
            f"Game 2 has {len(HANDS_OF_GAME[2])} dealer's first cards, not {len(first_cards)}",
            clause="KO21-1.5",
        )
    first_of = dict(zip(HANDS_OF_GAME[2], (card.value for card in first_cards), strict=True))
    return tuple(
        _advice(GAME_OF_POSITION[p], first.value, second.value, first_of.get(p))
        for p, (first, second) in enumerate(hands)
    )


@cache
def _advice(game: Game, first: int, second: int, dealer_first: int | None) -> Choice | None:
    return basic_choice(game, (first, second), dealer_first)
