"""A table in use: its state, its dealer and its log together; the same log gives the same table again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from cardroom.core.refusal import Refusal
from cardroom.rules import change_rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.cuts import dealer_cut_range, player_cut_range
from cardroom.table.purse import Chips, Purses, granted
from cardroom.table.twentyone import requests
from cardroom.table.twentyone.accounts import transfers
from cardroom.table.twentyone.dealers import Dealer, FairDealer
from cardroom.table.twentyone.events import ShoeEnded, TableEvent
from cardroom.table.twentyone.log import TableLog
from cardroom.table.twentyone.machine import awaits, empty_table, step, why_not
from cardroom.table.twentyone.requests import Request
from cardroom.table.twentyone.state import Phase, TableState
from cardroom.table.twentyone.view import TableView, view

Events = tuple[TableEvent, ...]


def _no_clock() -> str:
    return ""


class Table:
    """Commands that people give a table; each returns what happened, or raises a refusal and changes nothing.

    `clock` says the time that stands in the log; nothing else depends on it. `chips` are what everybody has
    in front of them: they pay what is staked and take what is won.
    """

    def __init__(
        self,
        rules: TwentyOneRules,
        dealer: Dealer,
        *,
        clock: Callable[[], str] = _no_clock,
        chips: Chips | None = None,
    ) -> None:
        self.chips = Chips() if chips is None else chips
        self.state: TableState = empty_table(rules)
        self.dealer = dealer
        self.log = TableLog()
        self.records: list[str] = []
        """The records of the shoes that are over, for `cardroom verify`; the fair mode only."""
        self._clock = clock

    @classmethod
    def restore(
        cls,
        rules: TwentyOneRules,
        lines: Iterable[str],
        dealer: Dealer,
        *,
        clock: Callable[[], str] = _no_clock,
        chips: Chips | None = None,
    ) -> Table:
        """The table of a log again, to the bit (R-44); the log keeps no chips: those are as they are now."""
        table = cls(rules, dealer, clock=clock, chips=chips)
        table.log = TableLog(lines)
        for request in table.log.requests():
            table._take(request, granted)
        return table

    def do(self, request: Request) -> Events:
        """Do what is asked, and log it."""
        events = self._take(request, self.chips)
        self.log.append(request, self._clock())
        for event in events:
            self.chips.book(transfers(event))
        return events

    def _take(self, request: Request, purses: Purses) -> Events:
        before = self.state.rules
        self.state, events = step(self.state, request, self.dealer, purses)
        if any(isinstance(event, ShoeEnded) for event in events) and isinstance(self.dealer, FairDealer):
            assert self.state.shoe is not None
            self.records.append(self.dealer.record(before, self.state.shoe))
        return events

    def why_not(self, request: Request) -> Refusal | None:
        """Why something may not be done now, with its clause; None when it may."""
        return why_not(self.state, request, self.dealer, self.chips)

    def view(self, player: str | None = None) -> TableView:
        """What a player may know."""
        return view(self.state, player, self.chips)

    def open(self, *, decks: tuple[str, ...] = (), meters: Mapping[str, int] | None = None) -> Events:
        """Open the table (PROC-1)."""
        return self.do(requests.Open(decks, meters or {}))

    def sit(self, player: str, chips_cents: int = 0) -> Events:
        """Come to the table, with chips or without."""
        events = self.do(requests.Sit(player))
        if chips_cents:
            self.chips.add(player, chips_cents)
        return events

    def leave(self, player: str) -> Events:
        """Leave the table."""
        return self.do(requests.Leave(player))

    def take_spot(self, player: str, spot: int) -> Events:
        """Take a free spot (PROC-3)."""
        return self.do(requests.TakeSpot(player, spot))

    def release_spot(self, player: str, spot: int) -> Events:
        """Give a spot up."""
        return self.do(requests.ReleaseSpot(player, spot))

    def wait(self, player: str) -> Events:
        """Wait for a spot (PROC-3)."""
        return self.do(requests.Wait(player))

    def place_wagers(
        self, player: str, spot: int, stake_cents: int, side: Mapping[str, int] | None = None
    ) -> Events:
        """Place a spot's wagers for the next round."""
        return self.do(requests.PlaceWagers(player, spot, stake_cents, side or {}))

    def new_shoe(
        self,
        *,
        player: str | None = None,
        cut_cards: int | None = None,
        end: requests.End = "back",
        words: str = "",
        cut_card: int | None = None,
        burn: bool = True,
    ) -> Events:
        """Shuffle, cut, place the cut card and burn; cuts of middle depth where none is given."""
        events = self.do(self.dealer.commit(self.state.rules, self.state.shoes + 1))
        rules = self.state.rules
        if self.state.phase is Phase.CUT:
            deep = player_cut_range(rules).middle if cut_cards is None else cut_cards
            events += self.cut(player, deep, end, words)
            events += self.place_cut_card(cut_card, burn=burn)
        return events

    def cut(self, player: str | None, cards_deep: int, end: requests.End = "back", words: str = "") -> Events:
        """A player's cut (PROC-6)."""
        return self.do(requests.CutShoe(player, cards_deep, end, words))

    def place_cut_card(self, cards_deep: int | None = None, *, burn: bool = True) -> Events:
        """The dealer's cut, in the middle of what is allowed where no depth is given, and the burn."""
        deep = dealer_cut_range(self.state.rules).middle if cards_deep is None else cards_deep
        return self.do(requests.PlaceCutCard(deep, burn))

    def change_rules(self, who: str, changes: Mapping[str, object]) -> Events:
        """Change house options by dotted key between rounds (R-47)."""
        return self.do(requests.ChangeRules(who, change_rules(self.state.rules, changes).canonical_text()))

    def deal(self) -> Events:
        """Begin the round if none is in play, then deal until somebody is to decide or the round is over."""
        events: Events = ()
        if not self.state.in_round:
            events = self.do(requests.StartRound())
        return events + self.deal_on()

    def deal_on(self) -> Events:
        """Deal the cards that are awaited, until somebody is to decide or the round is over."""
        events: Events = ()
        while awaits(self.state).kind == "card":
            events += self.do(requests.DealCard())
        return events

    def deal_card(self) -> Events:
        """Deal one card."""
        return self.do(requests.DealCard())

    def close(self) -> Events:
        """Close the table; the secret of a shoe in use is revealed in its record."""
        return self.do(requests.Close())

    def act(self, player: str, spot: int, action: str) -> Events:
        """What a player says in turn; cards that follow from it are dealt by `deal` or `deal_card`."""
        return self.do(requests.Act(player, spot, action))
