"""The independent control: its own reading of the rules, fed from the event log alone (R-19, R-20).

It shares no code with sales, sealing or settlement: it takes the plain fields of records, brought up to their
newest version; `control_sums` hashes the pool, plays the hands and divides the pools. Where it and the books
disagree, the draw stops.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from cardroom.core.errors import Conflict
from cardroom.lottery.control_sums import pool_of, positions_of, prize_of, tree, winners_of
from cardroom.lottery.replay import DrawRows, row_faults
from cardroom.store import lottery as rows
from cardroom.store import plain_rows
from cardroom.store.archives import sealed_head
from cardroom.store.log import LogRecord

_SETTLES = ("DrawSettled", "DrawVoided")


@dataclass
class ControlledDraw:
    """One draw as the control sees it."""

    number: int
    rules: dict[str, Any]
    tickets: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    closed: bool = False
    cards: str | None = None


@dataclass
class Control:
    """What the control has heard: every draw, and the balances of its accounts.

    A draw whose prizes are released is forgotten, unless `keeps` says otherwise.
    """

    keeps: bool = False
    draws: dict[int, ControlledDraw] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)
    last_seq: int = 0
    complaints: list[str] = field(default_factory=list)
    live_rows: DrawRows = field(default_factory=DrawRows)
    """What the rows of the draws that are not over must be."""
    begins_late: bool = False
    """Whether it hears the log from the first draw on that is not over, and knows of none before."""
    _last_hash: str = ""
    _draw_of: dict[str, int] = field(default_factory=dict)
    _hearing: threading.Lock = field(default_factory=threading.Lock)

    def feed(self, records: Iterable[LogRecord]) -> Control:
        """Hear the records that are new."""
        with self._hearing:
            self._hear(records)
        return self

    def _hear(self, records: Iterable[LogRecord]) -> None:
        for record in records:
            if record.seq <= self.last_seq:
                continue
            self.last_seq = record.seq
            self._last_hash = record.hash
            try:
                body = record.upgraded()
                for source, target, cents in body.get("transfers", ()):
                    self._book(source, -cents)
                    self._book(target, cents)
                    self._watch_sales(record, source)
                if not self.keeps:
                    self.live_rows.hear(record)
                hear = HEARD.get(record.kind)
                if hear is not None and not self._is_of_before(body):
                    hear(self, record.seq, body)
            except (LookupError, TypeError, ValueError) as error:
                complaint = f"{record.kind} cannot have happened: {type(error).__name__} {error}"
                self._complain(record.seq, complaint)

    def _is_of_before(self, body: dict[str, Any]) -> bool:
        """Whether a record is about a draw that was over when the hearing began."""
        return self.begins_late and isinstance(body.get("draw"), int) and body["draw"] not in self.draws

    def _book(self, account: str, cents: int) -> None:
        kind, _, rest = account.partition(":")
        if self.keeps or (kind == "draw" and int(rest.partition(":")[0]) in self.draws):
            self.balances[account] = self.balances.get(account, 0) + cents

    def _watch_sales(self, record: LogRecord, source: str) -> None:
        """What was paid for tickets leaves a draw's sales by its settlement only."""
        kind, _, rest = source.partition(":")
        number, _, what = rest.partition(":")
        if kind == "draw" and what == "sales" and int(number) in self.draws and record.kind not in _SETTLES:
            self._complain(record.seq, f"{record.kind} takes payments for tickets of draw {number} back")

    def catch_up(self, connection: Any) -> None:
        """Hear what the log has beyond what was heard; at first, from the first draw that is not over."""
        after = max(self.last_seq, sealed_head(connection).seq)
        if not self.last_seq and not self.keeps:
            self.begins_late = True
            after = max(after, rows.last_seq_before_draws(connection))
        self.feed(rows.records(connection, after=after))

    def saved(self) -> dict[str, Any]:
        """What was heard of the draws that are not over, as plain data, up to a record and its hash."""
        with self._hearing:
            return {
                "seq": self.last_seq,
                "hash": self._last_hash,
                "draws": [
                    [draw.number, draw.rules, draw.closed, draw.cards, sorted(draw.tickets.items())]
                    for draw in self.draws.values()
                ],
                "balances": dict(self.balances),
                "complaints": list(self.complaints),
                "begins_late": self.begins_late,
                "rows": [list(self.live_rows.draws.values()), list(self.live_rows.tickets.values())],
            }

    @classmethod
    def restored(cls, plain: Mapping[str, Any]) -> Control:
        """The control of `saved`."""
        control = cls(last_seq=plain["seq"], complaints=list(plain["complaints"]))
        control.begins_late = plain["begins_late"]
        draws, own_tickets = plain["rows"]
        control.live_rows.draws = {row["number"]: dict(row) for row in draws}
        control.live_rows.tickets = {row["id"]: dict(row) for row in own_tickets}
        control._last_hash = plain["hash"]
        control.balances = dict(plain["balances"])
        for number, rules, closed, cards, tickets in plain["draws"]:
            own = {ticket: (hands, choices, price) for ticket, (hands, choices, price) in tickets}
            control.draws[number] = ControlledDraw(number, rules, own, closed, cards)
            control._draw_of |= dict.fromkeys(own, number)
        return control

    def _complain(self, seq: int, what: str) -> None:
        self.complaints.append(f"record {seq}: {what}")

    def _hear_day(self, _seq: int, body: dict[str, Any]) -> None:
        rules = json.loads(body["rules"])
        for number, *_ in body["draws"]:
            self.draws[number] = ControlledDraw(number, rules)

    def _hear_sale(self, seq: int, body: dict[str, Any]) -> None:
        money: dict[str, int] = {}
        for ticket in body["tickets"]:
            if self._is_of_before(ticket):
                continue
            draw = self.draws[ticket["draw"]]
            if draw.closed:
                self._complain(seq, f"a ticket was sold after the close of draw {draw.number}")
            draw.tickets[ticket["id"]] = (ticket["hands"], ticket["choices"], ticket["price_cents"])
            self._draw_of[ticket["id"]] = draw.number
            account = f"draw:{draw.number}:sales"
            money[account] = money.get(account, 0) + ticket["price_cents"]
        booked: dict[str, int] = {}
        for source, target, cents in body.get("transfers", ()):
            if source == body["buyer"] and not (self.begins_late and target not in money):
                booked[target] = booked.get(target, 0) + cents
        if booked != money:
            self._complain(seq, f"tickets cost {money}, but {booked} was booked")

    def _hear_choices(self, seq: int, body: dict[str, Any]) -> None:
        for entry in body["made"]:
            self._choose(seq, entry["id"], entry["choices"])

    def _hear_alteration(self, seq: int, body: dict[str, Any]) -> None:
        self._choose(seq, body["id"], body["after"])

    def _choose(self, seq: int, ticket: str, choices: str) -> None:
        draw = self.draws.get(self._draw_of.get(ticket, 0))
        if draw is None:
            if not self.begins_late:
                self._complain(seq, f"choices of a ticket that was never sold: {ticket}")
            return
        hands, _, price = draw.tickets[ticket]
        if draw.closed:
            self._complain(seq, f"choices changed after the close of draw {draw.number}")
        draw.tickets[ticket] = (hands, choices, price)

    def _hear_close(self, seq: int, body: dict[str, Any]) -> None:
        draw = self.draws[body["draw"]]
        draw.closed = True
        mine = (len(draw.tickets), sum(price for *_, price in draw.tickets.values()))
        if mine != (body["count"], body["total_cents"]):
            self._complain(seq, f"draw {draw.number} closed with {body['count']} tickets; heard of {mine[0]}")

    def _hear_cards(self, seq: int, body: dict[str, Any]) -> None:
        draw = self.draws[body["draw"]]
        if draw.cards is not None:
            self._complain(seq, f"draw {draw.number} was drawn before")
        draw.cards = body["cards"]

    def _hear_end(self, _seq: int, body: dict[str, Any]) -> None:
        draw = self.draws[body["draw"]]
        draw.closed = True
        if not self.keeps:
            for ticket in draw.tickets:
                del self._draw_of[ticket]
            del self.draws[draw.number]
            self.live_rows.forget(draw.number)
            for account in [name for name in self.balances if name.startswith(f"draw:{draw.number}:")]:
                del self.balances[account]

    def pool(self, number: int) -> tuple[str, int, int]:
        """Root, count and total of a draw's pool as heard."""
        draw = self.draws[number]
        ordered = sorted(draw.tickets)
        leaves = []
        for ticket in ordered:
            hands, choices, price = draw.tickets[ticket]
            leaves.append(hashlib.sha256(b"\0" + f"{ticket} {hands} {choices} {price}".encode()).digest())
        total = sum(price for *_, price in draw.tickets.values())
        return tree(leaves, 0, len(leaves)).hex(), len(ordered), total

    def won(self, number: int) -> tuple[dict[str, int], list[tuple[int, int, int]]]:
        """Every winner's prize, and (winners, prize, pool) of each game, by this module's own reading."""
        draw = self.draws[number]
        if draw.cards is None:
            raise Conflict(f"the control has not heard of the cards of draw {number}")
        winners = winners_of(draw.rules, draw.tickets, positions_of(draw.cards))
        sales = sum(price for *_, price in draw.tickets.values())
        prizes: dict[str, int] = {}
        games = []
        for game, tickets in enumerate(winners, 1):
            pool = pool_of(draw.rules, game, sales)
            cents = prize_of(draw.rules, game, pool, len(tickets))
            games.append((len(tickets), cents, pool))
            for ticket in tickets:
                prizes[ticket] = prizes.get(ticket, 0) + cents
        return prizes, games

    # The moments at which the control must agree.

    def require_rows(self, connection: Any, number: int) -> None:
        """Before the seal and the draw: the rows of a draw and of its tickets are what the log says."""
        self.catch_up(connection)
        for table, expected, actual in (
            ("draws", {number: self.live_rows.draws[number]}, plain_rows.plain_draw(connection, number)),
            ("tickets", self.live_rows.tickets_of(number), plain_rows.plain_tickets(connection, number)),
        ):
            fault = next(iter(row_faults(table, expected, actual)), None)
            if fault is not None:
                raise Conflict(f"{fault}; rows are made anew from the log by: cardroom lottery rebuild")

    def require_pool(self, connection: Any, draw: rows.DrawRow) -> None:
        """Before the draw: the sealed pool is what was heard, and no rule was broken on the way."""
        self.catch_up(connection)
        if self.complaints:
            raise Conflict(f"the control complains: {self.complaints[0]}")
        books, mine = (draw.root, draw.ticket_count, draw.total_cents), self.pool(draw.number)
        for what, theirs, own in zip(("root", "count", "total"), books, mine, strict=True):
            if theirs != own:
                raise Conflict(
                    f"the control disagrees on the {what} of draw {draw.number}: {own}, not {theirs}"
                )

    def require_settlement(
        self,
        connection: Any,
        number: int,
        prizes: Mapping[str, int],
        games: Sequence[Mapping[str, int]],
        moves: Sequence[tuple[str, str, int]],
    ) -> None:
        """Before prizes are released: the same winners, amounts, pools and bookings by both readings."""
        self.catch_up(connection)
        mine, own_games = self.won(number)
        for ticket in sorted({*mine, *prizes}):
            if mine.get(ticket, 0) != prizes.get(ticket, 0):
                raise Conflict(
                    f"the control disagrees on ticket {ticket} of draw {number}: "
                    f"{mine.get(ticket, 0)} cents, not {prizes.get(ticket, 0)}"
                )
        for game, (own, theirs) in enumerate(zip(own_games, games, strict=True), 1):
            claim = (theirs["winners"], theirs["prize_cents"], theirs["pool_cents"])
            if own != claim:
                raise Conflict(f"the control disagrees on Game {game} of draw {number}: {own}, not {claim}")
        to_prizes = sum(cents for _, target, cents in moves if target == f"draw:{number}:prizes")
        sales = f"draw:{number}:sales"
        from_sales = sum(cents * ((source == sales) - (target == sales)) for source, target, cents in moves)
        if to_prizes != sum(mine.values()):
            raise Conflict(
                f"the control disagrees on draw {number}: prizes {sum(mine.values())}, booked {to_prizes}"
            )
        if from_sales != self.balances.get(sales, 0):
            raise Conflict(f"the control disagrees on draw {number}: its sales are not booked out in full")


HEARD: Final[Mapping[str, Callable[[Control, int, dict[str, Any]], None]]] = {
    "DayCommitted": Control._hear_day,
    "TicketsSold": Control._hear_sale,
    "ChoicesMade": Control._hear_choices,
    "TicketAltered": Control._hear_alteration,
    "DrawClosed": Control._hear_close,
    "DrawDrawn": Control._hear_cards,
    "DrawSettled": Control._hear_end,
    "DrawVoided": Control._hear_end,
}
"""The kinds of records that the control hears, each by its own method."""
PASSED_OVER: Final = (
    "LotteryRulesSet",
    "DaysWithoutDraws",
    "DrawOpened",
    "DrawPostponed",
    "DrawSealed",
    "DrawHeld",
    "DrawReleased",
    "LargeWinNoted",
    "ChoicesSaved",
    "TicketChecked",
    "ClaimRefused",
    "PrizePaid",
    "PrizesExpired",
    "ExpiryCorrected",
    "RowsRebuilt",
    "LostTicketSought",
    "TicketStopped",
    "StopLifted",
    "TicketReissued",
    "ApprovalAsked",
    "PrizeApproved",
    "PrizeDeclined",
)
"""All other kinds of the lottery: of these the control needs the money alone. A test holds both lists to all
kinds, so that a new one is put into one of them."""


def control_of(connection: Any) -> Control:
    """A control that has heard the whole log."""
    return Control(keeps=True).feed(rows.records(connection))
