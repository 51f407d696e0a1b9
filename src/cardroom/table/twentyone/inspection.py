"""The opening of a table: every deck inspected, fanned and counted, then all washed (PROC-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardroom.core.cards import Card, parse_cards
from cardroom.core.decks import DECKS, CardCounts, DeckKind
from cardroom.core.errors import MalformedInput
from cardroom.table.twentyone import meters
from cardroom.table.twentyone.events import (
    CardsWashed,
    DeckInspected,
    FloorCalled,
    ShoeEnded,
    TableClosed,
    TableEvent,
    TableOpened,
)
from cardroom.table.twentyone.requests import Open
from cardroom.table.twentyone.state import Phase, TableState, refuse


def what_is_wrong(kind: DeckKind, cards: Sequence[Card]) -> str | None:
    """What keeps a deck out of play: cards missing, doubled or foreign to it; None for a deck in order.

    >>> what_is_wrong("standard", [*DECKS["standard"][1:], DECKS["standard"][5]])
    'Ac is missing; 6c is there 2 times'
    """
    counts = CardCounts.of_cards(cards)
    complete = DECKS[kind]
    faults = [f"{card} is missing" for card in complete if not counts[card]]
    for card in dict.fromkeys(cards):
        if card not in complete:
            faults.append(f"{card} is no card of a {kind} deck")
        elif counts[card] > 1:
            faults.append(f"{card} is there {counts[card]} times")
    return "; ".join(faults) or None


def open_table(state: TableState, request: Open) -> tuple[TableState, list[TableEvent]]:
    """Inspect the decks; a deck not in order keeps the table closed until it is replaced."""
    if state.phase is not Phase.CLOSED:
        refuse("the table is open; its decks were inspected", "PROC-1")
    kind, wanted = state.rules.deck, state.rules.decks
    number = 1 if wanted == "infinite" else wanted
    decks = [parse_cards(deck) for deck in request.decks] or [DECKS[kind]] * number
    if len(decks) != number:
        raise MalformedInput(f"{len(decks)} decks were brought; the table is dealt from {number}")
    events: list[TableEvent] = []
    for place, deck in enumerate(decks, 1):
        fault = what_is_wrong(kind, deck)
        events.append(DeckInspected(place, len(deck)) if fault is None else FloorCalled(place, fault))
    if any(isinstance(event, FloorCalled) for event in events):
        return state, events
    pack = tuple(card for deck in decks for card in deck)
    events.append(CardsWashed(len(pack)))
    events += meters.opened(state.rules, state.meters, request.meters)
    events.append(TableOpened(state.rules.game, state.rules.rules_hash))
    return replace(state, phase=Phase.SHUFFLE, pack=pack, washed=True, shoe=None), events


def close_table(state: TableState) -> tuple[TableState, list[TableEvent]]:
    """Close the table between rounds; wagers for a next round are the players' again."""
    if state.phase is Phase.CLOSED:
        refuse("the table is closed", "PROC-1")
    if state.wagers_closed:
        refuse("a round is in play; the table closes after it", "PROC-9")
    events: list[TableEvent] = []
    shoe = state.shoe
    if state.takes_wagers and shoe is not None:
        # A shoe that was committed to is told, also where it was never cut.
        events.append(ShoeEnded(shoe.number, shoe.dealt, 0 if shoe.cards is None else shoe.left.total))
    closed = replace(state, phase=Phase.CLOSED, circles={}, pack=(), washed=False)
    return closed, [*events, TableClosed()]
