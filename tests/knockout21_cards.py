"""Hand-made Knockout 21 tickets and draws for tests."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from cardroom.core.cards import CARDS, Card
from cardroom.engine.knockout21 import Draw, Hand, Position, Ticket, play_hand
from cardroom.engine.knockout21.ticket import parse_hand
from cardroom.rules.knockout21 import GAME_OF_POSITION, POSITIONS, Knockout21Rules
from cardroom.rules.knockout21.law import Choice, dealer_draws
from cardroom.rules.loader import load_rules_as

GAME_1, GAME_2, GAME_3 = 0, 4, 9
"""The first position of each game."""


def house(**changes: object) -> Knockout21Rules:
    """The house rules with options changed; a dot is written as two underscores."""
    return load_rules_as(
        Knockout21Rules, "knockout-21", {key.replace("__", "."): value for key, value in changes.items()}
    )


def ticket(hands: Mapping[int, str] | None = None, *, rest: str = "TcTd:S") -> Ticket:
    """A ticket with some hands given, such as `{4: "9c4d:H"}`, and the rest alike."""
    pairs = [parse_hand((hands or {}).get(position, rest)) for position in range(POSITIONS)]
    return Ticket(
        tuple(hand for hand, _ in pairs),
        tuple(
            None if GAME_OF_POSITION[p] == 1 else choice or Choice.STAND
            for p, (_, choice) in enumerate(pairs)
        ),
    )


def draw(positions: Mapping[int, str] | None = None, *, rest: str = "ThTs+2h") -> Draw:
    """A draw with some positions given, such as `{0: "7h9dTc+5s"}`, and the rest alike: a 20 ties it."""
    return Draw(tuple(Position.parse((positions or {}).get(p, rest)) for p in range(POSITIONS)))


def stays(position: int, hand: str, cards: str, rules: Knockout21Rules | None = None) -> bool:
    """Whether a hand stays in against these cards, beside a two-card 21 that stays for sure."""
    tickets = (ticket({position: hand}), ticket({position: "AsKs:S"}))
    result = play_hand(rules or house(), tickets, (0, 1), position, Position.parse(cards))
    assert 1 in result.staying
    assert not result.lucky_losers
    return 0 in result.staying


def random_card(chance: Random) -> Card:
    return chance.choice(CARDS)


def random_position(chance: Random) -> Position:
    dealer: tuple[Card, ...] = ()
    while dealer_draws([card.value for card in dealer]):
        dealer = (*dealer, random_card(chance))
    return Position(dealer, random_card(chance))


def random_draw(chance: Random) -> Draw:
    return Draw(tuple(random_position(chance) for _ in range(POSITIONS)))


def random_hand(chance: Random) -> Hand:
    return random_card(chance), random_card(chance)


def random_ticket(chance: Random, *, overrides: float = 0.0, first_cards: tuple[Card, ...]) -> Ticket:
    """A ticket by the charts, each choice overridden with some chance."""
    result = Ticket.basic([random_hand(chance) for _ in range(POSITIONS)], first_cards)
    for position, choice in enumerate(result.choices):
        if choice is not None and chance.random() < overrides:
            result = result.choose(position, Choice.STAND if choice is Choice.HIT else Choice.HIT)
    return result
