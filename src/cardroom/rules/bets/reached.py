"""The states in which a bet may be decided, as far as its machine tells them apart."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from typing import Final

from cardroom.core.cards import Card
from cardroom.rules.bets.trackers import PLAYERS_HAND, Machine, Role

_MOST_HANDS: Final = 8_000
"""Of the dealer or of a player, as far as a bet tells them apart."""
_MOST_STEPS: Final = 4_000_000
"""Of trackers, each by one card: a few seconds, and four times what any bet of the shelf needs."""
_DEALER_STANDS: Final = 17
_BLACKJACK_TOTAL: Final = 21
_DEALERS: Final[tuple[Role, ...]] = ("dealer_up", "dealer_hole", "dealer_draw")


class TooMany(Exception):
    """More states than anybody should wait for."""


def ends(machine: Machine, cards: Sequence[Card], *, exchangeable: bool) -> set[int]:
    """Every state in which a bet may be decided; where suits may be exchanged, one of each kind.

    Then a suit not seen yet stands for all that are not: suits come in the order of their numbers.
    """
    states = {(0, 0)}
    for role in _in_turn(machine):
        if role == "player_draw":
            states = {(state, 4) for state in _players_ends(machine, cards)}
            continue
        if "dealer_draw" in machine.roles and role in _DEALERS:
            return _dealers_ends(machine, cards, {state for state, _ in states})
        _require_few_steps(len(states), machine, cards)
        states = {
            (machine.after(state, role, card), suits + (exchangeable and card.suit == suits))
            for state, suits in states
            for card in cards
            if not exchangeable or card.suit <= suits
        }
    return {state for state, _ in states}


def _in_turn(machine: Machine) -> tuple[Role, ...]:
    """The roles of a machine: a player's whole hand first, in one."""
    if "player_draw" not in machine.roles:
        return machine.roles
    return ("player_draw", *(role for role in machine.roles if role in _DEALERS))


def _players_ends(machine: Machine, cards: Sequence[Card]) -> set[int]:
    """The states of hands that a player may end with, however it is played."""
    ends: set[int] = set()
    hands = {(0, 0, 0)}
    met = set(hands)
    while hands:
        after: set[tuple[int, int, int]] = set()
        for state, hard, held in hands:
            for card in cards:
                then = machine.after(state, PLAYERS_HAND[held], card)
                if held > 0:
                    ends.add(then)
                if held == 0 or hard + card.value <= _BLACKJACK_TOTAL:
                    after.add((then, hard + card.value, min(held + 1, 2)))
        hands = after - met
        met |= hands
        _require_few(met)
        _require_few_steps(len(met), machine, cards)
    return ends


def _dealers_ends(machine: Machine, cards: Sequence[Card], states: set[int]) -> set[int]:
    """The states of hands that the dealer may end with; a soft 17 may be an end, or not."""
    ends: set[int] = set()
    hands = {(state, 0, False, 0) for state in states}
    met = set(hands)
    while hands:
        after: set[tuple[int, int, bool, int]] = set()
        for state, hard, ace, held in hands:
            _require_few(after)
            for card in cards:
                total, one = hard + card.value, ace or card.value == 1
                then = machine.after(state, _DEALERS[held], card)
                soft = one and total + 10 <= _BLACKJACK_TOTAL
                best = total + 10 if soft else total
                if held > 0 and best >= _DEALER_STANDS:
                    ends.add(then)
                if held == 0 or best < _DEALER_STANDS or (soft and best == _DEALER_STANDS):
                    after.add((then, total, one, min(held + 1, 2)))
        hands = after - met
        met |= hands
        _require_few(met)
        _require_few_steps(len(met), machine, cards)
    return ends


def _require_few_steps(states: int, machine: Machine, cards: Sequence[Card]) -> None:
    if states * len(cards) * machine.size > _MOST_STEPS:
        raise TooMany


def _require_few(states: Sized) -> None:
    if len(states) > _MOST_HANDS:
        raise TooMany
