"""The independent control: its own reading of the rules, fed from the event log alone (R-19, R-20).

It shares no code with sales, sealing or settlement: it parses the records itself, hashes the pool itself,
plays the hands itself and divides the pools itself. Where it and the books disagree, the draw stops.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardroom.core.errors import Conflict
from cardroom.lottery.replay import DrawRows, row_faults
from cardroom.store import lottery as rows
from cardroom.store import plain_rows
from cardroom.store.archives import sealed_head
from cardroom.store.log import LogRecord

_TEN_COUNTS = {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 1}
_GAME_SIZES = (4, 5, 6)
_CARD = 2
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
            body = json.loads(record.body)
            for source, target, cents in body.get("transfers", ()):
                self._book(source, -cents)
                self._book(target, cents)
                self._watch_sales(record, source)
            hear = getattr(self, f"_hear_{record.kind}", None)
            try:
                if not self.keeps:
                    self.live_rows.hear(record, body)
                if hear is not None and not self._is_of_before(body):
                    hear(record.seq, body)
            except (LookupError, TypeError, ValueError) as error:
                told = f"{record.kind} cannot have happened: {type(error).__name__} {error}"
                self._complain(record.seq, told)

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

    def _hear_DayCommitted(self, _seq: int, body: dict[str, Any]) -> None:
        rules = json.loads(body["rules"])
        for number, *_ in body["draws"]:
            self.draws[number] = ControlledDraw(number, rules)

    def _hear_TicketsSold(self, seq: int, body: dict[str, Any]) -> None:
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

    def _hear_ChoicesMade(self, seq: int, body: dict[str, Any]) -> None:
        for entry in body["made"]:
            self._choose(seq, entry["id"], entry["choices"])

    def _hear_TicketAltered(self, seq: int, body: dict[str, Any]) -> None:
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

    def _hear_DrawClosed(self, seq: int, body: dict[str, Any]) -> None:
        draw = self.draws[body["draw"]]
        draw.closed = True
        mine = (len(draw.tickets), sum(price for *_, price in draw.tickets.values()))
        if mine != (body["count"], body["total_cents"]):
            self._complain(seq, f"draw {draw.number} closed with {body['count']} tickets; heard of {mine[0]}")

    def _hear_DrawDrawn(self, seq: int, body: dict[str, Any]) -> None:
        draw = self.draws[body["draw"]]
        if draw.cards is not None:
            self._complain(seq, f"draw {draw.number} was drawn before")
        draw.cards = body["cards"]

    def _hear_DrawSettled(self, _seq: int, body: dict[str, Any]) -> None:
        self._end(self.draws[body["draw"]])

    def _hear_DrawVoided(self, _seq: int, body: dict[str, Any]) -> None:
        self._end(self.draws[body["draw"]])

    def _end(self, draw: ControlledDraw) -> None:
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
        return _tree(leaves, 0, len(leaves)).hex(), len(ordered), total

    def won(self, number: int) -> tuple[dict[str, int], list[tuple[int, int, int]]]:
        """Every winner's prize, and (winners, prize, pool) of each game, by this module's own reading."""
        draw = self.draws[number]
        if draw.cards is None:
            raise Conflict(f"the control has not heard of the cards of draw {number}")
        winners = _winners(draw.rules, draw.tickets, _positions(draw.cards))
        sales = sum(price for *_, price in draw.tickets.values())
        prizes: dict[str, int] = {}
        games = []
        for game, tickets in enumerate(winners, 1):
            pool = _pool(draw.rules, game, sales)
            cents = _prize(draw.rules, game, pool, len(tickets))
            games.append((len(tickets), cents, pool))
            for ticket in tickets:
                prizes[ticket] = prizes.get(ticket, 0) + cents
        return prizes, games

    # The moments at which the control must agree.

    def require_rows(self, connection: Any, number: int) -> None:
        """Before the seal and the draw: the rows of a draw and of its tickets are what the log says."""
        self.catch_up(connection)
        for table, expected, found in (
            ("draws", {number: self.live_rows.draws[number]}, plain_rows.plain_draw(connection, number)),
            ("tickets", self.live_rows.tickets_of(number), plain_rows.plain_tickets(connection, number)),
        ):
            fault = next(iter(row_faults(table, expected, found)), None)
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


def _tree(leaves: list[bytes], start: int, end: int) -> bytes:
    """The root of a Merkle tree by its definition in RFC 6962: split at the largest power of two."""
    count = end - start
    if count == 0:
        return hashlib.sha256().digest()
    if count == 1:
        return leaves[start]
    split = 1 << (count - 1).bit_length() - 1
    left, right = _tree(leaves, start, start + split), _tree(leaves, start + split, end)
    return hashlib.sha256(b"\1" + left + right).digest()


def _value(card: str) -> int:
    return _TEN_COUNTS.get(card[0]) or int(card[0])


def _split(cards: str) -> list[str]:
    return [cards[i : i + _CARD] for i in range(0, len(cards), _CARD)]


def _positions(cards: str) -> list[tuple[list[int], int]]:
    """(dealer's values, hit value) for each of the fifteen positions."""
    positions = []
    for word in cards.replace("/", " ").split():
        dealer, hit = word.split("+")
        positions.append(([_value(card) for card in _split(dealer)], _value(hit)))
    return positions


def _points(values: list[int]) -> int:
    """The best total up to 21, or the least total above it (KO21-1.2)."""
    low = sum(values)
    return low + 10 if 1 in values and low <= 11 else low


def _stays(dealer: list[int], player: list[int]) -> bool:
    mine, theirs = _points(player), _points(dealer)
    if mine > 21:
        return False
    if theirs > 21 or mine > theirs:
        return True
    natural_beats = theirs == 21 and len(dealer) == 2 and len(player) == 3
    return mine == theirs and not natural_beats


def _winners(
    rules: dict[str, Any], tickets: dict[str, tuple[str, str, int]], positions: list[tuple[list[int], int]]
) -> list[list[str]]:
    """The winners of each game (KO21-4.1 to KO21-4.5)."""
    literal = rules["game_1_hit"] == "literal"
    values = {ticket: [_value(card) for card in _split(hands)] for ticket, (hands, _, _) in tickets.items()}
    found, place = [], 0
    for game, size in enumerate(_GAME_SIZES, 1):
        still_in = sorted(tickets)
        for position in range(place, place + size):
            dealer, hit = positions[position]
            staying = []
            for ticket in still_in:
                start = values[ticket][2 * position : 2 * position + 2]
                if game == 1:
                    sum_after = _points([*start, hit]) if literal else _points(start) + hit
                    takes = sum_after <= 21
                else:
                    takes = tickets[ticket][1][position - _GAME_SIZES[0]] == "H"
                if _stays(dealer, [*start, hit] if takes else start):
                    staying.append(ticket)
            still_in = staying or still_in
        found.append(still_in)
        place += size
    return found


def _cents(amount: str) -> int:
    whole, _, part = amount.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)


def _pool(rules: dict[str, Any], game: int, sales_cents: int) -> int:
    """A game's part of the sales, to the cent below (KO21-4.7)."""
    if game == 1:
        return 0
    whole, _, decimals = str(rules["prizes"][f"game_{game}"]["pool_percent"]).partition(".")
    per_cent = int(whole + decimals)
    return sales_cents * per_cent // (100 * int("1" + "0" * len(decimals)))


def _prize(rules: dict[str, Any], game: int, pool_cents: int, winners: int) -> int:
    """What each winner of a game gets (KO21-4.6, KO21-4.7)."""
    if not winners:
        return 0
    prizes = rules["prizes"]
    if game == 1:
        return _cents(prizes["game_1"])
    coin, own = _cents(prizes["coin"]), prizes[f"game_{game}"]
    share = pool_cents // winners
    share -= share % coin
    least, most = _cents(own["min"]), _cents(own["max"])
    return max(least, min(share, most))


def control_of(connection: Any) -> Control:
    """A control that has heard the whole log."""
    return Control(keeps=True).feed(rows.records(connection))
