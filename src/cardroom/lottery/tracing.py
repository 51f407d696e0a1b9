"""Every ticket traced to a payment that stands, every prize to a credit, from the event log alone (R-19).

For each player and each draw the money that came for tickets must be their price, and must not have gone
back; each prize must have been credited to its payee once, in full. What does not fit is named by its ticket.
It shares no code with sales and claims: it takes the plain fields of records, brought up to their newest
version.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from cardroom.core.errors import MalformedInput
from cardroom.store.log import LogRecord

_SETTLES: Final = ("DrawSettled", "DrawVoided")
"""The records by which a draw's sales become prizes and the house's."""
_UNCLAIMED: Final = "unclaimed:prizes"
_TWO_PEOPLE: Final = 2
Credit = Literal["waiting", "paid", "expired", "missing"]


@dataclass(slots=True)
class TracedTicket:
    """A ticket, the payment for it and the credit of its prize."""

    id: str
    draw: int
    player: str
    price_cents: int
    unpaid: str = ""
    """Why no payment stands for it; empty where one does."""
    prize_cents: int | None = None
    credit: Credit = "waiting"


@dataclass(frozen=True, slots=True)
class PlayerOfDraw:
    """What one player paid and was credited in one draw."""

    draw: int
    player: str
    tickets: int
    price_cents: int
    paid_cents: int
    """What came for the tickets and did not go back."""
    prizes_cents: int
    credited_cents: int


@dataclass
class Traces:
    """What was heard of tickets and prizes; of all draws, or only of some."""

    only: frozenset[int] | None = None
    tickets: dict[str, TracedTicket] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)
    _prices: dict[int, int] = field(default_factory=dict)
    _keys: dict[str, int] = field(default_factory=dict)
    _payments: dict[tuple[int, str], int] = field(default_factory=dict)
    _credits: dict[tuple[int, str], int] = field(default_factory=dict)

    def feed(self, records: Iterable[LogRecord]) -> Traces:
        """Hear records in the order of the log."""
        for record in records:
            if record.kind:
                try:
                    body = record.upgraded()
                except MalformedInput as error:
                    self._complain(record.seq, error.message)
                else:
                    self._hear(record.seq, record.kind, body)
        return self

    def _hear(self, seq: int, kind: str, body: dict[str, Any]) -> None:
        moves = [_Move(*move) for move in body.get("transfers", ())]
        hear = HEARD.get(kind)
        if hear is not None:
            hear(self, seq, body, moves)
        if kind not in _SETTLES:
            self._other_money(seq, kind, moves)

    def _is_traced(self, draw: int) -> bool:
        return self.only is None or draw in self.only

    def _complain(self, seq: int, what: str) -> None:
        self.complaints.append(f"record {seq}: {what}")

    # Payments.

    def _day(self, _seq: int, body: dict[str, Any], _moves: list[_Move]) -> None:
        price = _cents(json.loads(body["rules"])["sales"]["ticket_price"])
        self._prices |= {number: price for number, *_ in body["draws"]}

    def _sale(self, seq: int, body: dict[str, Any], moves: list[_Move]) -> None:
        buyer, key = body["buyer"], body["key"]
        before = self._keys.setdefault(key, seq)
        if before != seq:
            self._complain(seq, f"the key {key!r} sold tickets before, in record {before}")
        paid: dict[int, int] = {}
        for move in moves:
            draw = _draw_of(move.target, "sales")
            if draw is not None and move.source == buyer:
                paid[draw] = paid.get(draw, 0) + move.cents
                move.accounted = True
        for entry in body["tickets"]:
            ticket, draw, price = entry["id"], entry["draw"], entry["price_cents"]
            if not self._is_traced(draw):
                paid.pop(draw, None)
                continue
            if ticket in self.tickets:
                self._complain(seq, f"ticket {ticket} was sold before")
            if price != self._prices.get(draw, price):
                right_price = self._prices[draw]
                self._complain(
                    seq, f"ticket {ticket} cost {price} cents; one of draw {draw} costs {right_price}"
                )
            traced = self.tickets[ticket] = TracedTicket(ticket, draw, buyer, price)
            if paid.get(draw, 0) < price:
                traced.unpaid = f"record {seq} sold it and took no payment for it"
            else:
                paid[draw] -= price
                self._payments[draw, buyer] = self._payments.get((draw, buyer), 0) + price
        for draw, cents in paid.items():
            if cents and self._is_traced(draw):
                self._complain(seq, f"{buyer} paid {cents} cents too much for tickets of draw {draw}")

    def _take_back(self, seq: int, draw: int, player: str, cents: int) -> None:
        """A payment went back: the player's newest tickets are without one."""
        owner = (draw, player)
        self._payments[owner] = self._payments.get(owner, 0) - cents
        for ticket in reversed(self.tickets.values()):
            if cents > 0 and (ticket.draw, ticket.player) == owner and not ticket.unpaid:
                ticket.unpaid = f"record {seq} gave its payment back"
                cents -= ticket.price_cents
        if cents > 0:
            self._complain(seq, f"{player} paid for no ticket, and got {cents} cents of draw {draw}'s sales")

    # Prizes.

    def _win(self, seq: int, body: dict[str, Any], moves: list[_Move]) -> None:
        draw = body["draw"]
        if not self._is_traced(draw):
            return
        booked = sum(move.cents for move in moves if move.target == f"draw:{draw}:prizes")
        for ticket, cents, _games in body["prizes"]:
            traced = self.tickets.get(ticket)
            if traced is None or traced.draw != draw:
                self._complain(seq, f"ticket {ticket} won in draw {draw} and was never sold for it")
                continue
            if traced.prize_cents is not None:
                self._complain(seq, f"ticket {ticket} won before")
            traced.prize_cents = cents
            if booked < cents:
                traced.credit = "missing"
                self._complain(seq, f"ticket {ticket} won {cents} cents, and they were not put aside")
            booked -= cents
        if booked > 0:
            self._complain(seq, f"{booked} cents more were put aside for draw {draw} than its tickets won")

    def _payment(self, seq: int, body: dict[str, Any], moves: list[_Move]) -> None:
        self._credit(seq, body["ticket"], body["amount_cents"], body["payee"], "paid", moves)

    def _expiry(self, seq: int, body: dict[str, Any], moves: list[_Move]) -> None:
        for ticket in body["tickets"]:
            known = self.tickets.get(ticket)
            due = known.prize_cents or 0 if known else 0
            self._credit(seq, ticket, due, _UNCLAIMED, "expired", moves)

    def _credit(self, seq: int, ticket: str, cents: int, payee: str, how: Credit, moves: list[_Move]) -> None:
        traced = self.tickets.get(ticket)
        if traced is None:
            if self.only is None:
                self._complain(seq, f"ticket {ticket} was never sold, and its prize is {how}")
            return
        if traced.prize_cents is None:
            self._complain(seq, f"ticket {ticket} won nothing, and its prize is {how}")
            return
        if traced.credit in ("paid", "expired"):
            self._complain(seq, f"the prize of ticket {ticket} was {traced.credit} before and is {how} again")
        elif cents != traced.prize_cents:
            won = traced.prize_cents
            self._complain(seq, f"ticket {ticket} won {won} cents and was credited with {cents}")
        account = f"draw:{traced.draw}:prizes"
        for move in moves:
            if move.source == account and move.target == payee and move.left >= cents:
                move.left -= cents
                move.accounted = move.left == 0
                if traced.credit not in ("paid", "expired"):
                    traced.credit = how
                owner = (traced.draw, payee)
                self._credits[owner] = self._credits.get(owner, 0) + cents
                return
        self._complain(seq, f"the prize of ticket {ticket} is {how}: {cents} cents, not credited to {payee}")
        traced.credit = "missing"

    def _wait_again(self, seq: int, body: dict[str, Any], moves: list[_Move]) -> None:
        """Prizes that were booked as expired are to be claimed again, with the money that was booked."""
        draw = body["draw"]
        if not self._is_traced(draw):
            return
        account, back = f"draw:{draw}:prizes", 0
        for move in moves:
            if (move.source, move.target) == (_UNCLAIMED, account):
                back += move.cents
                move.accounted = True
        for ticket in body["tickets"]:
            traced = self.tickets.get(ticket)
            if traced is None or traced.credit != "expired" or traced.prize_cents is None:
                self._complain(
                    seq, f"the prize of ticket {ticket} had not expired, and is to be claimed again"
                )
                continue
            traced.credit = "waiting"
            self._credits[draw, _UNCLAIMED] -= traced.prize_cents
            back -= traced.prize_cents
        if back:
            self._complain(seq, f"{back} cents more came back to the prizes of draw {draw} than had expired")

    def _put_right(self, seq: int, body: dict[str, Any], moves: list[_Move]) -> None:
        """The result of a round at a table was put right by two people: its money is what the record says."""
        name, house = f"the result of round {body['round']}", f"house:{body['game']}"
        if body.get("private"):  # a player's own table has a bank beside the house's books
            house = f"outside:private-{body['game']}"
        if len(set(body["by"])) < _TWO_PEOPLE:
            self._complain(seq, f"{name} was not put right by two people")
        gained: dict[str, int] = {}
        for move in moves:
            if move.source == house:
                gained[move.target] = gained.get(move.target, 0) + move.cents
            elif move.target == house:
                gained[move.source] = gained.get(move.source, 0) - move.cents
            else:
                self._complain(seq, f"{name}: {move.source} paid {move.target}, and the house did not")
        before, after = body["before"], body["after"]
        differences = {f"player:{one}": after.get(one, 0) - before.get(one, 0) for one in {*before, *after}}
        if gained != {account: cents for account, cents in differences.items() if cents}:
            self._complain(seq, f"{name} was put right, and other money moved than it says")

    def _other_money(self, seq: int, kind: str, moves: Iterable[_Move]) -> None:
        """Money of tickets and prizes that moved without a ticket that it belongs to."""
        for move in moves:
            if move.accounted:
                continue
            came, went = _draw_of(move.target, "sales"), _draw_of(move.source, "sales")
            prizes = _draw_of(move.source, "prizes")
            if went is not None and self._is_traced(went):
                self._take_back(seq, went, move.target, move.cents)
            if came is not None and self._is_traced(came):
                where = f"draw {came}'s sales"
                self._complain(
                    seq, f"{move.source} paid {move.cents} cents into {where} for no ticket ({kind})"
                )
            if prizes is not None and self._is_traced(prizes):
                where = f"draw {prizes}'s prizes"
                self._complain(seq, f"{move.target} got {move.left} cents of {where} for no ticket ({kind})")

    # What was found.

    def faults(self) -> list[str]:
        """Tickets without a payment that stands, prizes without a credit, and whatever else does not fit."""
        unpaid = [
            f"ticket {one.id} of draw {one.draw}, {one.player}: no payment stands for it; {one.unpaid}"
            for one in self.tickets.values()
            if one.unpaid
        ]
        sums = [
            f"draw {one.draw}, {one.player}: {one.tickets} tickets cost {one.price_cents} cents, "
            f"and {one.paid_cents} cents of payments stand"
            for one in self.by_player()
            if one.price_cents != one.paid_cents
        ]
        return [*self.complaints, *unpaid, *sums]

    def by_player(self) -> list[PlayerOfDraw]:
        """What every player paid and was credited, draw by draw."""
        owners: dict[tuple[int, str], list[TracedTicket]] = {}
        for ticket in self.tickets.values():
            owners.setdefault((ticket.draw, ticket.player), []).append(ticket)
        players = []
        for draw, player in sorted({*owners, *self._payments, *self._credits}):
            own = owners.get((draw, player), [])
            players.append(
                PlayerOfDraw(
                    draw,
                    player,
                    len(own),
                    sum(ticket.price_cents for ticket in own),
                    self._payments.get((draw, player), 0),
                    sum(ticket.prize_cents or 0 for ticket in own),
                    self._credits.get((draw, player), 0),
                )
            )
        return players


@dataclass(slots=True)
class _Move:
    source: str
    target: str
    cents: int
    left: int = 0
    accounted: bool = False

    def __post_init__(self) -> None:
        self.left = self.cents


HEARD: Final[Mapping[str, Callable[[Traces, int, dict[str, Any], list[_Move]], None]]] = {
    "DayCommitted": Traces._day,
    "TicketsSold": Traces._sale,
    "DrawSettled": Traces._win,
    "DrawVoided": Traces._win,
    "PrizePaid": Traces._payment,
    "PrizesExpired": Traces._expiry,
    "ExpiryCorrected": Traces._wait_again,
    "RoundCorrected": Traces._put_right,
}
"""The kinds of records that say whose money it was, each read by its own method."""
PASSED_OVER: Final = (
    "LotteryRulesSet",
    "DaysWithoutDraws",
    "DrawOpened",
    "DrawPostponed",
    "DrawClosed",
    "DrawSealed",
    "DrawHeld",
    "DrawReleased",
    "DrawDrawn",
    "LargeWinNoted",
    "ChoicesSaved",
    "ChoicesMade",
    "TicketAltered",
    "TicketChecked",
    "ClaimRefused",
    "RowsRebuilt",
    "LostTicketSought",
    "TicketStopped",
    "StopLifted",
    "TicketReissued",
    "ApprovalAsked",
    "PrizeApproved",
    "PrizeDeclined",
)
"""All other kinds of the lottery: money of tickets that moves with one of these belongs to no ticket. A test
holds both lists to all kinds, so that a new one is put into one of them."""


def _draw_of(account: str, what: str) -> int | None:
    """The draw of an account such as `draw:7:sales`; None for any other account."""
    kind, _, rest = account.partition(":")
    number, _, name = rest.partition(":")
    return int(number) if kind == "draw" and name == what else None


def _cents(amount: str) -> int:
    whole, _, part = amount.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)
