"""What somebody of the house does at a table by hand, each with their name and their reason.

The dealer does what is due by itself. While the floor has frozen a table nothing is due, and people of the
house go on by hand: bring decks, shuffle, cut, place the cut card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from cardroom.core.cards import Card, format_cards, parse_cards
from cardroom.core.decks import DECKS
from cardroom.core.errors import Conflict, MalformedInput
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.plan import Plan
from cardroom.table.twentyone.requests import (
    ChangeDealer,
    Close,
    CutShoe,
    Leave,
    Open,
    PlaceCutCard,
    ReleaseSpot,
    Request,
)
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.table.twentyone.seating import LONGEST_NAME
from cardroom.table.twentyone.state import Phase


@dataclass(frozen=True, slots=True)
class Signed:
    """Who of the house does something, and why."""

    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class BroughtDeck:
    """A deck as it was found when it was fanned and counted (PROC-1): what lacks, and what is too much."""

    missing: str = ""
    extra: str = ""
    cards: str = ""
    """All of its cards, where somebody has written or scanned them."""


def put_dealer(table: TwentyOneTable, dealer: str, signed: Signed, *, burn: bool) -> Plan:
    """A dealer takes over between rounds, and burns unless the floor waives it (PROC-7)."""
    name = " ".join(dealer.split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise MalformedInput(f"a dealer's name has 1 to {LONGEST_NAME} letters")
    return _done(table, signed, ChangeDealer(name, burn=burn))


def close(table: TwentyOneTable, signed: Signed) -> Plan:
    """Take the cards off the table between rounds: its shoe is over, and its secret told."""
    return _done(table, signed, Close())


def open_with(table: TwentyOneTable, brought: Sequence[BroughtDeck], signed: Signed) -> Plan:
    """Inspect the decks that are brought (PROC-1); none are described, all are new and complete.

    A deck that is not in order keeps the table closed until it is replaced.
    """
    rules = table.rules
    if brought and rules.decks == "infinite":
        raise MalformedInput("a table of infinitely many decks has none that could be brought")
    decks = [_deck(rules, number, deck) for number, deck in enumerate(brought, 1)]
    return _done(table, signed, _opening(table, decks))


def replace_deck(table: TwentyOneTable, number: int, signed: Signed) -> Plan:
    """A new deck instead of one that failed its inspection; all are inspected again (PROC-1)."""
    if table.state.phase is not Phase.CLOSED or not table.brought:
        raise Conflict("no deck of this table has failed its inspection")
    if not 1 <= number <= len(table.brought):
        raise MalformedInput(f"there is no deck {number}; the decks are 1 to {len(table.brought)}")
    decks = list(table.brought)
    decks[number - 1] = format_cards(DECKS[table.rules.deck])
    return _done(table, signed, _opening(table, decks))


def shuffle(table: TwentyOneTable, signed: Signed) -> Plan:
    """Shuffle and commit to the next shoe; cut and cut card are left to people (PROC-5)."""
    committed = table.dealer.commit(table.rules, table.state.shoes + 1)
    return _done(table, signed, replace(committed, takes_salts=table.dealer.takes_salts))


def cut(table: TwentyOneTable, cards_deep: int, end: Literal["front", "back"], signed: Signed) -> Plan:
    """The house's cut, where no player cuts (PROC-6)."""
    return _done(table, signed, CutShoe(None, cards_deep, end))


def place_cut_card(table: TwentyOneTable, cards_deep: int, signed: Signed, *, burn: bool) -> Plan:
    """The dealer's cut from the back, which sets where the shoe ends (PROC-6, PROC-7)."""
    return _done(table, signed, PlaceCutCard(cards_deep, burn=burn))


def release_spot(table: TwentyOneTable, spot: int, signed: Signed) -> Plan:
    """Take a spot from its player; who loses the last one leaves (PROC-3)."""
    player = table.state.owners.get(spot)
    if player is None:
        raise Conflict(f"spot {spot} is nobody's")
    last = table.state.spots_of(player) == (spot,)
    return _done(table, signed, Leave(player, "floor") if last else ReleaseSpot(player, spot, by_floor=True))


def _done(table: TwentyOneTable, signed: Signed, request: Request) -> Plan:
    return table.by_hand([request], by=signed.by, reason=signed.reason)


def _opening(table: TwentyOneTable, decks: Sequence[str]) -> Open:
    """Meters of a table that has not opened yet go on from what they showed before it was cleared."""
    return Open(decks=tuple(decks), meters=table.meters_to_open())


def _deck(rules: TwentyOneRules, number: int, deck: BroughtDeck) -> str:
    """The cards of a deck as it was found; one that says all of its cards says nothing else."""
    if deck.cards:
        if deck.missing or deck.extra:
            raise MalformedInput(f"deck {number}: write all of its cards, or what lacks and is too much")
        return format_cards(parse_cards(deck.cards))
    cards: list[Card] = list(DECKS[rules.deck])
    for card in parse_cards(deck.missing):
        if card not in cards:
            raise MalformedInput(
                f"deck {number}: {card} cannot lack; a {rules.deck} deck has none left of it"
            )
        cards.remove(card)
    return format_cards([*cards, *parse_cards(deck.extra)])
