"""The draws of the lottery that are not over, and so keep the price of a player's ticket in play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Self

from cardroom.lottery.accounts import prizes_account, sales_account
from cardroom.records import AnyRecord
from cardroom.records.lottery import (
    DrawSettled,
    DrawVoided,
    ExpiryCorrected,
    PrizePaid,
    PrizesExpired,
)
from cardroom.store.ledger import Transfer

ENDS: Final = tuple(
    kind.__name__ for kind in (DrawSettled, DrawVoided, PrizePaid, PrizesExpired, ExpiryCorrected)
)
"""The kinds of records by which a draw comes to be over."""


class DrawsInPlay:
    """The draws in which players have tickets, by the accounts of their sales.

    The price of a ticket is in play until its draw is settled. Where a draw was called off it is in play
    until it is paid back, and the draw is over when no price waits any more. A draw that is over never comes
    back: what a player lost there is the same whenever somebody looks.
    """

    def __init__(self) -> None:
        self._open: dict[str, int] = {}
        """Sales account → what waits to be paid back, where the draw was called off."""
        self._paying: dict[str, str] = {}
        """Prizes account → sales account, of the draws that were called off."""

    def saved(self) -> dict[str, Any]:
        """These draws as plain data."""
        return {"open": dict(self._open), "paying": dict(self._paying)}

    @classmethod
    def restored(cls, plain: Mapping[str, Any]) -> Self:
        """The draws of `saved`."""
        draws = cls()
        draws._open, draws._paying = dict(plain["open"]), dict(plain["paying"])
        return draws

    def __contains__(self, place: object) -> bool:
        """Whether the draw of a sales account is not over."""
        return place in self._open

    def __len__(self) -> int:
        return len(self._open)

    def paid_back(self, account: str) -> str:
        """The sales whose prices are paid back from an account; empty for any other account."""
        return self._paying.get(account, "")

    def sold(self, moves: Sequence[Transfer]) -> None:
        """Tickets were bought, and are paid for by these: heard before the chips move."""
        for move in moves:
            if move.source.startswith("player:"):
                self._open.setdefault(move.target, 0)

    def hear(self, record: AnyRecord, moves: Sequence[Transfer]) -> None:
        """Take in what ends draws: heard when the chips have moved."""
        match record:
            case DrawSettled():
                self._open.pop(sales_account(record.draw), None)
            case DrawVoided() if (place := sales_account(record.draw)) in self._open:
                self._paying[prizes_account(record.draw)] = place
                self._pay_back(moves)
            case PrizePaid() | PrizesExpired() | ExpiryCorrected():
                self._pay_back(moves)
            case _:
                pass

    def _pay_back(self, moves: Sequence[Transfer]) -> None:
        for move in moves:
            for account, cents in ((move.source, -move.amount_cents), (move.target, move.amount_cents)):
                place = self._paying.get(account)
                if place is None:
                    continue
                self._open[place] += cents
                if self._open[place] <= 0:
                    del self._open[place], self._paying[account]
