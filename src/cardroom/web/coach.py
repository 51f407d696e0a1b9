"""The coach: what each decision cost against the best, and luck and skill apart over all rounds.

A round is judged when it is over, from its notation alone; the books after it are a record of the log. So
they last, and a round that was not judged when the server stopped is judged when it comes back.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from cardroom.engine import twentyone as engine
from cardroom.lab.judging import Books, judged_round
from cardroom.records.tables import RoundJudged
from cardroom.store.log import LogRecord
from cardroom.store.plan import Entry
from cardroom.table.running import Finished
from cardroom.table.twentyone.finished import FinishedRound
from cardroom.web.figures import advised
from cardroom.web.threads import reading

if TYPE_CHECKING:
    from cardroom.store.database import Database

_BOOKS_AT_HAND: Final = 2_000
BOOKS: Final = "coach:"
"""What the names begin with by which a player's books at a table are found."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A decision beside the best one; the cost is what the difference is worth on average, in cents."""

    chosen: str
    best: str
    cost_cents: float

    def to_json(self) -> dict[str, Any]:
        return {"chosen": self.chosen, "best": self.best, "cost_cents": round(self.cost_cents, 2)}


def verdict(values: Mapping[str, float], chosen: str) -> Verdict | None:
    """Set a decision beside the best; None where the values, in cents, are not known.

    >>> verdict({"insure 5.00": -34.0, "no insurance": 0.0}, "insure 2.50")
    Verdict(chosen='insure 2.50', best='no insurance', cost_cents=17.0)
    """
    cents = values[chosen] if chosen in values else _part_of_insurance(values, chosen)
    if cents is None:
        return None
    best = max(values, key=lambda action: values[action])
    return Verdict(chosen, best, values[best] - cents)


def _part_of_insurance(values: Mapping[str, float], chosen: str) -> float | None:
    """What a part of the insurance on offer is worth: every cent of it brings the same."""
    option = engine.parse_action(chosen)
    for action, whole in values.items():
        offered = engine.parse_action(action)
        if isinstance(option, engine.Insure) and isinstance(offered, engine.Insure):
            declined = values[str(engine.DeclineInsurance())]
            return declined + (whole - declined) * option.stake_cents / offered.stake_cents
    return None


class Coach:
    """Everybody's books by player and table; those at hand are few, the rest is read from the log."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._at_hand: OrderedDict[tuple[str, str], Books] = OrderedDict()

    async def books(self, player: str, table: str) -> Books:
        """A player's books at a table."""
        book = self._at_hand.get((player, table))
        if book is None:
            read = await reading.run(self._read, player, table)
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
