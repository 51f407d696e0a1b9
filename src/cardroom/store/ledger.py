"""The ledger: money moves from one account to another, so that everything always sums to zero.

Accounts are names. `outside:…` (the players' pockets, and the banks of their own tables) and `house:…` (the
house's result) may be below zero; every other account is guarded: a row of `balances` is written with each
movement, and the database refuses one below zero. There is no row that every sale must update.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, case, func, literal_column, select, union_all

from cardroom.store.log import Transfer
from cardroom.store.schema import balances, transfers

PLAYERS: Final = "outside:players"
HOUSE: Final = "house:result"
UNCLAIMED: Final = "unclaimed:prizes"
_MAY_BE_NEGATIVE: Final = ("outside:", "house:")
_ACCOUNTS_AT_HAND: Final = 10_000

__all__ = [
    "HOUSE",
    "PLAYERS",
    "UNCLAIMED",
    "KnownBalances",
    "Transfer",
    "all_balances",
    "balance",
    "is_guarded",
    "last_guarded",
    "ledger_faults",
]


def is_guarded(account: str) -> bool:
    """Whether the database keeps an account from going below zero."""
    return not account.startswith(_MAY_BE_NEGATIVE)


def all_balances(connection: Connection, *, prefix: str = "", until: int | None = None) -> dict[str, int]:
    """Every account's balance from its movements, all or those up to a record of the log.

    They sum to zero when no prefix is given.
    """
    sides = (
        select(transfers.c.target.label("account"), transfers.c.amount_cents.label("cents")),
        select(transfers.c.source.label("account"), (-transfers.c.amount_cents).label("cents")),
    )
    if until is not None:
        sides = (sides[0].where(transfers.c.seq <= until), sides[1].where(transfers.c.seq <= until))
    moved = union_all(*sides).subquery()
    statement = (
        select(moved.c.account, func.sum(moved.c.cents))
        .where(func.substr(moved.c.account, 1, len(prefix)) == prefix)
        .group_by(moved.c.account)
        .order_by(moved.c.account)
    )
    return {account: int(cents) for account, cents in connection.execute(statement)}


def balance(connection: Connection, account: str, *, before: int | None = None) -> int:
    """One account's balance from its movements, all or those before a record of the log."""
    cents = func.sum(
        case((transfers.c.target == account, transfers.c.amount_cents), else_=-transfers.c.amount_cents)
    )
    statement = select(func.coalesce(cents, literal_column("0"))).where(
        (transfers.c.target == account) | (transfers.c.source == account)
    )
    if before is not None:
        statement = statement.where(transfers.c.seq < before)
    return int(connection.execute(statement).scalar_one())


def last_guarded(connection: Connection, account: str) -> tuple[int, int]:
    """The last step of a guarded account and its balance there."""
    statement = (
        select(balances.c.step, balances.c.balance_cents)
        .where(balances.c.account == account)
        .order_by(balances.c.step.desc())
        .limit(1)
    )
    row = connection.execute(statement).first()
    return (int(row.step), int(row.balance_cents)) if row else (0, 0)


class KnownBalances:
    """The last steps of guarded accounts as they stood at one record of the log, which decides them all.

    A writer that finds the log where it left it need not ask for them again.
    """

    def __init__(self) -> None:
        self._at = ""
        self._steps: dict[str, tuple[int, int]] = {}

    def at(self, log_hash: str) -> dict[str, tuple[int, int]]:
        """What is known at a record of the log, by its hash; nothing where somebody else has written."""
        if self._at != log_hash:
            self._steps.clear()
        return self._steps

    def keep(self, log_hash: str, steps: Mapping[str, tuple[int, int]]) -> None:
        """Everything is durable up to a record: these accounts stand so, and the others as they stood."""
        self._at = log_hash
        if len(self._steps) > _ACCOUNTS_AT_HAND:
            self._steps.clear()
        self._steps.update(steps)


def ledger_faults(connection: Connection) -> list[str]:
    """What is wrong with the ledger: a guarded balance that differs from the sum of its movements."""
    sums = all_balances(connection)
    faults = [] if sum(sums.values()) == 0 else ["the accounts do not sum to zero"]
    guarded = {account: cents for account, cents in sums.items() if is_guarded(account)}
    latest = (
        select(balances.c.account, func.max(balances.c.step).label("step"))
        .group_by(balances.c.account)
        .subquery()
    )
    statement = select(balances.c.account, balances.c.balance_cents).join(
        latest, (balances.c.account == latest.c.account) & (balances.c.step == latest.c.step)
    )
    kept = {account: int(cents) for account, cents in connection.execute(statement)}
    return faults + [
        f"{account}: it moved {guarded.get(account, 0)} cents, but its balance is {kept.get(account, 0)}"
        for account in sorted({*guarded, *kept})
        if guarded.get(account, 0) != kept.get(account, 0)
    ]
