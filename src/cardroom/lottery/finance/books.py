"""What the house owes, and every account of it in a trial balance, from the balances of a moment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from cardroom.lottery.accounts import RESERVE
from cardroom.lottery.finance.tables import Column, Section, summed
from cardroom.records.floor import RoundCorrected
from cardroom.store.ledger import HOUSE, PLAYERS, UNCLAIMED
from cardroom.store.log import LogRecord

_TICKETS: Final = "Tickets of draws that are not settled"
_PRIZES: Final = "Prizes that nobody has claimed"
_RETURNS: Final = "Prices of draws that were called off"
_CHIPS: Final = "Chips of players and wagers under way"
_POOLS: Final = "Reserve of pools"
_LIABILITIES: Final = (_TICKETS, _PRIZES, _RETURNS, _POOLS, _CHIPS)


def liability(books: Mapping[str, int], void: Collection[int]) -> Section:
    """What is owed; `void` are the draws that were called off."""
    lines: dict[str, int] = dict.fromkeys(_LIABILITIES, 0)
    for account, cents in books.items():
        if (name := _liability_of(account, void)) is not None:
            lines[name] += cents
    columns = (Column("", "text"), Column("Amount"))
    table = tuple(lines.items())
    words = (
        "What the house owes at the end of the last day. Expired prizes are kept apart, and not owed here."
    )
    return Section("liability", "Liability", columns, table, summed(columns, table), (words,))


def trial_balance(books: Mapping[str, int]) -> Section:
    """Every account, those of one kind together."""
    lines: dict[str, int] = {}
    for account, cents in books.items():
        name = _ledger_line(account)
        lines[name] = lines.get(name, 0) + cents
    columns = (Column("Accounts", "text"), Column("Debit"), Column("Credit"))
    table = tuple((name, max(-cents, 0), max(cents, 0)) for name, cents in sorted(lines.items()) if cents)
    words = (
        "Every account of the house, those of one kind together. Debit equals credit: no cent is elsewhere."
    )
    return Section("balance", "Trial balance", columns, table, summed(columns, table), (words,))


def _liability_of(account: str, void: Collection[int]) -> str | None:
    """Under which line an account is owed; None where it is not."""
    kind, _, rest = account.partition(":")
    if kind == "draw":
        number, _, what = rest.partition(":")
        if what == "prizes":
            return _RETURNS if int(number) in void else _PRIZES
        return _TICKETS
    if account == RESERVE:
        return _POOLS
    return None if kind in ("outside", "house") or account == UNCLAIMED else _CHIPS


def corrections(records: Iterable[LogRecord]) -> Section:
    """Results of rounds at tables that two people put right: what moved between the house and players."""
    columns = (
        Column("Round", "text"),
        Column("Time (UTC)", "text"),
        Column("By", "text"),
        Column("Reason", "text"),
        Column("To players"),
        Column("From players"),
    )
    table = tuple(_corrected(logged) for logged in records)
    words = (
        "Compensating entries of these days, each signed by two people. "
        "The rounds' own records stand as they were."
    )
    return Section("corrections", "Results put right", columns, table, summed(columns, table), (words,))


def _corrected(logged: LogRecord) -> tuple[str | int, ...]:
    record = logged.read_as(RoundCorrected)
    gains = [record.after[player] - before for player, before in record.before.items()]
    paid, taken = sum(gain for gain in gains if gain > 0), -sum(gain for gain in gains if gain < 0)
    at = logged.at[:16].replace("T", " ")
    return record.round, at, " and ".join(record.by), record.reason, paid, taken


_BY_KIND: Final = {
    "draw": "Draws",
    "house": "House",
    "player": "Players' chips",
    "play": "Wagers under way",
    "meter": "Meters",
}
_BY_NAME: Final = {
    HOUSE: "House: result",
    PLAYERS: "Cash from and to players",
    RESERVE: "Reserve of pools",
    UNCLAIMED: "Expired prizes",
}


def _ledger_line(account: str) -> str:
    """The line of the trial balance that an account belongs to."""
    if account in _BY_NAME:
        return _BY_NAME[account]
    kind, _, rest = account.partition(":")
    if kind == "draw":
        what = rest.partition(":")[2]
        return {"sales": "Draws: sales that are not settled", "prizes": "Draws: prizes that wait"}.get(
            what, "Draws: pools"
        )
    if kind == "house" and rest.startswith("draw-"):
        return f"House: {rest.rpartition('-')[2]} of shares"
    if kind == "outside" and rest.startswith("private-"):
        return "Banks of players' own tables"
    return account if kind in ("house", "outside") else _BY_KIND.get(kind, account)
