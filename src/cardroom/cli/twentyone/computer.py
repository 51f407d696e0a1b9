"""The computer's players: simple habits, stated here, and no advice to anybody."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import Action, DeclineInsurance, Hand, PlayerAction, View
from cardroom.rules.twentyone import law

Habit = Callable[[Hand, int, tuple[PlayerAction, ...]], Action]
"""A hand, the value of the dealer's up card (an ace 11) and the options make an action."""


def mimic(hand: Hand, _up: int, _options: tuple[PlayerAction, ...]) -> Action:
    """Plays like the dealer: hits below 17 and soft 17, and stands on the rest."""
    total, soft = law.total_of(hand.cards)
    return Action.HIT if total < 17 or (total == 17 and soft) else Action.STAND


def never_bust(hand: Hand, _up: int, _options: tuple[PlayerAction, ...]) -> Action:
    """Takes no card that could bust the hand."""
    total, soft = law.total_of(hand.cards)
    return Action.HIT if total < 12 or (soft and total < 18) else Action.STAND


def chart(hand: Hand, up: int, options: tuple[PlayerAction, ...]) -> Action:
    """Plays a short chart: aces and eights split, 10 and 11 doubled against less, 12 stood on up to 6."""
    total, soft = law.total_of(hand.cards)
    if Action.SPLIT in options and hand.cards[0].value in (1, 8):
        return Action.SPLIT
    if hand.doubles:
        return Action.STAND
    if Action.DOUBLE in options and not soft and total in (10, 11) and total > up:
        return Action.DOUBLE
    if soft:
        return Action.HIT if total < 18 or (total == 18 and up > 8) else Action.STAND
    if total < 12 or (total < 17 and up > 6):
        return Action.HIT
    return Action.STAND


@dataclass(frozen=True, slots=True)
class ComputerPlayer:
    """A name and a habit; stakes the house's least wager and no side wagers."""

    name: str
    habit: Habit


PLAYERS: Final = (
    ComputerPlayer("Ada", chart),
    ComputerPlayer("Blaise", mimic),
    ComputerPlayer("Carl", never_bust),
    ComputerPlayer("Dora", chart),
    ComputerPlayer("Emil", mimic),
    ComputerPlayer("Fay", never_bust),
)


def computer_players(count: int) -> tuple[ComputerPlayer, ...]:
    """So many of them."""
    if not 0 <= count <= len(PLAYERS):
        raise MalformedInput(f"--players {count} is not allowed; allowed: 0 to {len(PLAYERS)}")
    return PLAYERS[:count]


def decide(habit: Habit, seen: View, options: tuple[PlayerAction, ...]) -> PlayerAction:
    """What a habit does with what is seen from the seat whose turn it is; insurance is never taken."""
    if DeclineInsurance() in options:
        return DeclineInsurance()
    spot = next(spot for spot in seen.spots if spot.number == seen.turn)
    assert seen.hand is not None
    up = seen.dealer[0]
    assert up is not None
    wanted = habit(spot.hands[seen.hand - 1], 11 if up.value == 1 else up.value, options)
    return wanted if wanted in options else Action.STAND
