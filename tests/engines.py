"""Every engine there is with a table to play at, for the tests that hold of all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final

from cardroom.core.cards import Card
from cardroom.engine import knockout21, knockout52, twentyone
from cardroom.engine.contract import Engine
from cardroom.games import GAMES
from cardroom.rules import HouseRules, load_rules, load_rules_as
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout21.law import Choice
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from tests.high_card import engine as high_card
from tests.high_card.entry import HIGH_CARD
from tests.high_card.rules import HighCardRules
from tests.knockout21_cards import random_card, random_ticket

# mypy holds each module to the contract here.
TWENTYONE: Engine[
    TwentyOneRules,
    Sequence[twentyone.SpotWager],
    twentyone.Round,
    twentyone.Input,
    twentyone.Event,
    twentyone.View,
] = twentyone
KNOCKOUT21: Engine[
    Knockout21Rules,
    knockout21.Pool,
    knockout21.DrawState,
    Card | knockout21.Choose,
    knockout21.Event,
    knockout21.DrawView,
] = knockout21
KNOCKOUT52: Engine[
    Knockout52Rules,
    Sequence[knockout52.Stakes],
    knockout52.Game,
    Card | knockout52.PlaceWager,
    knockout52.Event,
    knockout52.View,
] = knockout52
HIGH: Engine[HighCardRules, int, high_card.Round, Card, str, high_card.Round] = high_card


@dataclass(frozen=True)
class Played:
    """A game as the tests of all games play it."""

    engine: Engine[Any, Any, Any, Any, Any, Any]
    rules: Callable[[], HouseRules]
    wagers: Callable[[Random], Any]
    """Wagers that the rules allow; which ones may depend on chance."""
    seats: tuple[int, ...]
    resampled: Callable[[Any, int, Random], Any]
    """A state that a seat cannot tell from a given one: what it does not see is something else."""
    never: tuple[Any, ...]
    """Requests that are refused at any time."""


def _family_wagers(_chance: Random) -> list[twentyone.SpotWager]:
    return [twentyone.SpotWager(1, "Ann", 10_00), twentyone.SpotWager(3, "Bob", 25_00)]


def _other_hole(state: twentyone.Round, _seat: int, chance: Random) -> twentyone.Round:
    unseen = twentyone.unseen_hole(state)
    if not unseen:
        return state
    cards, weights = zip(*unseen, strict=True)
    return twentyone.with_hole(state, chance.choices(cards, weights)[0])


def _pool(chance: Random) -> knockout21.Pool:
    first_cards = tuple(random_card(chance) for _ in range(5))
    tickets = tuple(random_ticket(chance, overrides=0.2, first_cards=first_cards) for _ in range(3))
    return knockout21.Pool(tickets, first_cards)


def _other_tickets(state: knockout21.DrawState, seat: int, chance: Random) -> knockout21.DrawState:
    """Other tickets may hold anything in the hands that are not played yet."""
    pool, played = state.pool, state.position

    def other(ticket: knockout21.Ticket) -> knockout21.Ticket:
        new = random_ticket(chance, overrides=0.5, first_cards=pool.first_cards)
        return replace(
            ticket,
            hands=ticket.hands[:played] + new.hands[played:],
            choices=ticket.choices[:played] + new.choices[played:],
        )

    tickets = tuple(own if place == seat else other(own) for place, own in enumerate(pool.tickets))
    return replace(state, pool=replace(pool, tickets=tickets))


def _nothing_hidden(state: Any, _seat: int, _chance: Random) -> Any:
    return state


def _own_rules(game: str) -> Callable[[], HouseRules]:
    return lambda: load_rules(game, {"limits.max": "500.00"})


def _family(game: str) -> Played:
    never = (
        twentyone.DoubleFaceDown(),
        twentyone.ChangeWager("primary", 100),
        twentyone.WagerBetweenPlayers("Ann", 100),
    )
    return Played(TWENTYONE, _own_rules(game), _family_wagers, (1, 3), _other_hole, never)


def _high_card_rules() -> HouseRules:
    with GAMES.registered(HIGH_CARD):
        return load_rules_as(HighCardRules, HIGH_CARD.id)


ENGINES: Final[dict[str, Played]] = {
    "blackjack": _family("blackjack"),
    "spanish-21": _family("spanish-21"),
    "players-edge-21": _family("players-edge-21"),
    "knockout-21": Played(
        KNOCKOUT21,
        lambda: load_rules("knockout-21"),
        _pool,
        (0, 1, 2),
        _other_tickets,
        (knockout21.Choose(0, 4, Choice.HIT),),
    ),
    "knockout-52": Played(
        KNOCKOUT52,
        lambda: load_rules("knockout-52"),
        lambda _chance: [
            knockout52.Stakes("Ann", {"round-1": 5_00, "all-the-way": 1_00}),
            knockout52.Stakes("Bob", {"round-2": 10_00}),
        ],
        (0, 1),
        _nothing_hidden,
        (knockout52.PlaceWager("Ann", "round-3", 500),),
    ),
    "high-card": Played(HIGH, _high_card_rules, lambda _chance: 100, (0,), _nothing_hidden, ("swap",)),
}


def leaks_nothing(game: Played, state: Any, chance: Random, seats: Iterable[int] = ()) -> None:
    """Put something else where each seat cannot see it: the seat sees the same, and may do the same."""
    engine = game.engine
    for seat in seats or game.seats:
        other = game.resampled(state, seat, chance)
        assert engine.view(other, seat) == engine.view(state, seat)
        assert engine.awaits(other) == engine.awaits(state)
