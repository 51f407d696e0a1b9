"""The coach: what each decision cost against the best, and luck and skill apart over all rounds.

A round is judged when it is over, from its notation alone; the books after it are a record of the log. So
they last, and a round that was not judged when the server stopped is judged when it comes back.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cardroom.engine import twentyone as engine
from cardroom.engine.playing import steps
from cardroom.records.tables import RoundJudged
from cardroom.rules import parse_rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.log import LogRecord
from cardroom.store.plan import Entry
from cardroom.table.running import Finished
from cardroom.table.twentyone.finished import FinishedRound
from cardroom.web.figures import advised

if TYPE_CHECKING:
    from cardroom.store.database import Database

_BOOKS_AT_HAND: Final = 2_000
BOOKS: Final = "coach:"
"""What the names begin with by which a player's books at a table are found."""
_PLAYED_OUT: Final = ("primary", "insurance")
"""The wagers that decisions are about."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision beside the best one; the cost is what the difference is worth on average, in cents."""

    chosen: str
    best: str
    cost_cents: float

    def to_json(self) -> dict[str, Any]:
        return {"chosen": self.chosen, "best": self.best, "cost_cents": round(self.cost_cents, 2)}


def verdict(values: Mapping[str, float], chosen: str) -> Verdict | None:
    """Set a decision beside the best; None where the values, in cents, are not known."""
    if chosen not in values:
        return None
    best = max(values, key=lambda action: values[action])
    return Verdict(chosen, best, values[best] - values[chosen])


@dataclass(frozen=True, slots=True)
class Books:
    """A player's play at one table: decisions, mistakes, and what the wagers brought."""

    rounds: int = 0
    decisions: int = 0
    judged: int = 0
    mistakes: int = 0
    mistakes_cents: float = 0.0
    expected_cents: float = 0.0
    """What the same wagers bring on average with the best play."""
    net_cents: int = 0

    @classmethod
    def of(cls, plain: Mapping[str, float]) -> Books:
        """The books of a record."""
        return cls(
            rounds=int(plain["rounds"]),
            decisions=int(plain["decisions"]),
            judged=int(plain["judged"]),
            mistakes=int(plain["mistakes"]),
            mistakes_cents=plain["mistakes_cents"],
            expected_cents=plain["expected_cents"],
            net_cents=int(plain["net_cents"]),
        )

    def __add__(self, other: Books) -> Books:
        return Books(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(self)))

    def to_json(self) -> dict[str, Any]:
        """Luck is what is left of the result when the house's edge and the mistakes are taken out."""
        luck = self.net_cents - (self.expected_cents - self.mistakes_cents)
        body = {**asdict(self), "luck_cents": luck}
        return {name: round(value, 2) if isinstance(value, float) else value for name, value in body.items()}


class Coach:
    """Everybody's books by player and table; those at hand are few, the rest is read from the log."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._at_hand: OrderedDict[tuple[str, str], Books] = OrderedDict()

    async def books(self, player: str, table: str) -> Books:
        """A player's books at a table."""
        book = self._at_hand.get((player, table))
        if book is None:
            read = await asyncio.to_thread(self._read, player, table)
            book = self._at_hand.get((player, table), read)  # a round may have been judged meanwhile
            self._keep(player, table, book)
        return book

    def _read(self, player: str, table: str) -> Books:
        from cardroom.store.lottery import newest_about

        with self._database.read() as connection:
            record = newest_about(connection, _name(player, table))
        return Books() if record is None else _books_of(record, player)

    def _keep(self, player: str, table: str, books: Books) -> None:
        self._at_hand[player, table] = books
        self._at_hand.move_to_end((player, table))
        while len(self._at_hand) > _BOOKS_AT_HAND:
            self._at_hand.popitem(last=False)

    async def judge(self, finished: Finished) -> Entry:
        """The record of a round's judgement: everybody's books after it."""
        assert isinstance(finished, FinishedRound)
        judged = await advised.get(
            ("judged", finished.id), partial(judged_round, finished.notation, finished.rules.canonical_text())
        )
        books = {
            player: await self.books(player, finished.table) + judged[name]
            for name, player in finished.players.items()
        }
        judgement = RoundJudged(
            round=finished.id,
            table=finished.table,
            books={player: asdict(one) for player, one in books.items()},
        )
        return Entry(judgement, about=[_name(player, finished.table) for player in books])

    def apply(self, judgement: RoundJudged) -> None:
        """Take a judgement into memory."""
        for player, books in judgement.books.items():
            self._keep(player, judgement.table, Books.of(books))


def _books_of(logged: LogRecord, player: str) -> Books:
    judgement, _ = logged.read()
    assert isinstance(judgement, RoundJudged)
    return Books.of(judgement.books[player])


def _name(player: str, table: str) -> str:
    return f"{BOOKS}{player}:{table}"


def judged_round(notation: str, rules_text: str) -> dict[str, Books]:
    """One finished round in the books of each of its players, by their names at the table."""
    from cardroom.lab.advice import advice, solved

    rules = parse_rules(rules_text)
    assert isinstance(rules, TwentyOneRules)
    record = engine.parse_round(notation, rules)
    opening = record.opening
    state, started = engine.start(
        opening.rules, opening.wagers, opening.shoe, discards=opening.discards, meters=dict(opening.meters)
    )
    books = {wager.player: Books(rounds=1) for wager in opening.wagers}
    for wager in opening.wagers:
        value = solved(opening.rules, wager.stake_cents).expected_value
        books[wager.player] += Books(expected_cents=value * wager.stake_cents)
    events_so_far = list(started)
    for before, chosen, _, events in steps(engine.step, state, record.inputs):
        if before.options and isinstance(chosen, engine.PlayerAction):
            best, name = advice(before), before.spots[before.turn].player
            books[name] += _decided(best.cost_cents(chosen) if best is not None else None)
        events_so_far += events
    for name, cents in _net(events_so_far).items():
        books[name] += Books(net_cents=cents)
    return books


def _decided(cost_cents: float | None) -> Books:
    if cost_cents is None:
        return Books(decisions=1)
    mistake = cost_cents > 0
    return Books(decisions=1, judged=1, mistakes=int(mistake), mistakes_cents=max(cost_cents, 0.0))


def _net(events: list[engine.Event]) -> dict[str, int]:
    """What each player won or lost on the wagers that decisions are about."""
    net: dict[str, int] = {}
    for event in events:
        match event:
            case engine.WagerTaken(player=player, wager=wager, stake_cents=cents) if wager in _PLAYED_OUT:
                net[player] = net.get(player, 0) - cents
            case engine.WagerPaid(player=player, wager=wager, payment_cents=cents) if wager in _PLAYED_OUT:
                net[player] = net.get(player, 0) + cents
            case _:
                pass
    return net
