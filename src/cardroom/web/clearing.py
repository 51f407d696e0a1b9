"""Tables that begin anew: the stated rule by which unfinished rounds are settled, and its records.

Every stake of an unfinished round that has not come back goes back to its player; what the house had
collected of it already is given back by the house, and what it had paid stands. The shoe is never dealt
again. Meters show what they showed. Nothing is deleted: the table goes on with the next number under new
commitments.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardroom.core.errors import Conflict
from cardroom.records.tables import TableCleared
from cardroom.store.ledger import Transfer, all_balances, balance
from cardroom.store.plan import Entry
from cardroom.table.running import bank_account, play_account, player_account
from cardroom.web.broken import BrokenTable
from cardroom.web.following import Following
from cardroom.web.memory import Memory


@dataclass(frozen=True, slots=True)
class Cause:
    """Why tables are cleared, and who does it."""

    because: str
    by: Sequence[str]
    appointed: Mapping[str, str] = field(default_factory=dict)


def clearings(connection: Any, following: Following, tables: Iterable[str], cause: Cause) -> list[Entry]:
    """What clears tables, an entry for each, with the stakes that go back."""
    stakes = following.open_wagers()
    return [_clearing(connection, following.memory, table, stakes, cause) for table in tables]


def _clearing(
    connection: Any,
    memory: Memory,
    table: str,
    stakes: Mapping[str, Mapping[str, int]],
    cause: Cause,
) -> Entry:
    impossible = 0
    cleared = memory.broken.get(table) or memory.tables.get(table)
    if cleared is None:
        raise Conflict(f"there is no table {table[:40]!r}")
    if isinstance(cleared, BrokenTable):
        game, rules_hash, rounds, shoes = cleared.game, cleared.rules_hash, cleared.rounds, cleared.shoes
        impossible = cleared.oddity.seq
        computers, speed = cleared.computers, cleared.speed
    else:
        computers, speed = cleared.style.computers, str(cleared.style.speed)
        game, rules_hash, (rounds, shoes) = cleared.rules.game, cleared.rules.rules_hash, cleared.counts()
    place, bank = play_account(game, table), bank_account(game, private=cleared.owner is not None)
    moves = _returned(place, bank, balance(connection, place), stakes.get(place, {}))
    prefix = f"meter:{table}:"
    meters = {account: cents for account, cents in all_balances(connection, prefix=prefix).items() if cents}
    moves += [Transfer(account, bank, cents) for account, cents in meters.items()]
    record = TableCleared(
        table=table,
        game=game,
        rules_hash=rules_hash,
        owner=cleared.owner,
        because=cause.because,
        by=list(cause.by),
        rounds=rounds,
        shoes=shoes,
        meters={account.removeprefix(prefix): cents for account, cents in meters.items()},
        impossible=impossible,
        appointed=dict(cause.appointed),
        computers=computers,
        speed=speed,
    )
    return Entry(record, moves)


def _returned(place: str, bank: str, held_cents: int, stakes: Mapping[str, int]) -> list[Transfer]:
    """Stakes that go back: first from what lies at the table, then from what the house has collected."""
    moves: list[Transfer] = []
    for player, cents in sorted(stakes.items()):
        from_table = min(cents, held_cents)
        held_cents -= from_table
        moves.append(Transfer(place, player_account(player), from_table))
        moves.append(Transfer(bank, player_account(player), cents - from_table))
    moves.append(Transfer(place, bank, held_cents))
    return [move for move in moves if move.amount_cents]
