"""Tables of the blackjack family for tests: people seated, and a dealer whose cards are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Literal, TypeVar

import pytest

from cardroom.core.cards import Card, format_cards, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.errors import IllegalAction
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import FairDealer, Request, Shoe, Shuffle, Table, TableEvent
from cardroom.table.twentyone.dealers import deck_text

E = TypeVar("E", bound=TableEvent)

GAMES = ("blackjack", "spanish-21", "players-edge-21")
CHIPS = 100_000


def rules_of(game: str, changes: Mapping[str, object] | None = None) -> TwentyOneRules:
    return load_rules_as(TwentyOneRules, game, changes or {})


class StackedDealer:
    """A dealer with given cards first, after the burn where there is one, and the rest in order of index."""

    mode: Literal["fair", "procedure"] = "fair"

    def __init__(self, cards: str = "", *, discards: str = "") -> None:
        self.first = parse_cards(cards)
        self.discards = parse_cards(discards)

    def order(self, rules: TwentyOneRules) -> tuple[Card, ...]:
        rest = rules.shoe().without(self.first).cards()
        return (*self.first, *rest)

    def commit(self, rules: TwentyOneRules, number: int) -> Shuffle:
        return Shuffle(f"stacked-{number}", deck_text(rules), "", "", "stacked")

    def check(self, rules: TwentyOneRules, shoe: Shoe) -> None:
        """Every shoe is known."""

    def card(self, rules: TwentyOneRules, shoe: Shoe, place: int) -> Card:
        order = self.order(rules)
        if place < len(order):
            return order[place]
        assert CardCounts.of_cards(self.discards) == CardCounts.of_cards(shoe.rack)
        return self.discards[place - len(order)]

    def stub(self, rules: TwentyOneRules, shoe: Shoe) -> tuple[Card, ...]:
        if shoe.reshuffled:
            return self.discards[shoe.dealt - len(self.order(rules)) :]
        return self.order(rules)[shoe.dealt :]

    def plugged(self, rules: TwentyOneRules, shoe: Shoe, stub: tuple[Card, ...]) -> tuple[Card, ...]:
        return (*shoe.rack, *stub)


def table_of(
    game: str,
    seated: Mapping[str, Sequence[int]],
    changes: Mapping[str, object] | None = None,
    *,
    cards: str | None = None,
    burn: bool = False,
    chips: int = CHIPS,
) -> Table:
    """An open table with a shoe; players on their spots; cards as given, or fair and repeatable."""
    dealer = FairDealer(repeatable=1) if cards is None else StackedDealer(cards)
    table = Table(rules_of(game, changes), dealer)
    table.open()
    for player, spots in seated.items():
        table.sit(player, chips)
        for spot in spots:
            table.take_spot(player, spot)
    table.new_shoe(burn=burn)
    return table


def of(events: Sequence[TableEvent], kind: type[E]) -> list[E]:
    """The events of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def finish(table: Table, said: str = "stand") -> tuple[TableEvent, ...]:
    """Play a round to its end: everybody says the same where it is allowed, and stands elsewhere."""
    events: tuple[TableEvent, ...] = table.deal()
    while table.state.in_round:
        awaited = table.view().awaits
        assert awaited.player is not None
        assert awaited.spot is not None
        offered = [str(option) for option in awaited.options]
        words = said if said in offered else offered[0]
        events += table.act(awaited.player, awaited.spot, words)
        if table.state.in_round:
            events += table.deal()
    return events


def refused(table: Table, request: Request) -> str:
    """The clause with which a request is refused; nothing at the table may have moved."""
    before, lines = table.state, list(table.log.lines)
    with pytest.raises(IllegalAction) as error:
        table.do(request)
    assert table.state is before
    assert table.log.lines == lines
    refusal = table.why_not(request)
    assert refusal is not None
    assert (refusal.reason, refusal.clause) == (error.value.message, error.value.clause)
    assert error.value.clause is not None
    return error.value.clause


def all_cards(table: Table) -> Counter[Card]:
    """Every card that the table knows of between rounds: in the shoe, in the rack, in the pack."""
    shoe = table.state.shoe
    if table.state.phase in ("shuffle", "closed") or shoe is None:
        return Counter(table.state.pack)
    return Counter(shoe.left.cards()) + Counter(shoe.rack)


def deck_texts(rules: TwentyOneRules) -> list[str]:
    """The decks of a table as texts, one by one."""
    from cardroom.core.decks import DECKS

    assert rules.decks != "infinite"
    return [format_cards(DECKS[rules.deck])] * rules.decks
