"""The money that moves at a table, between the accounts of the house's books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardroom.store.ledger import Transfer
from cardroom.table.running import bank_account, play_account, player_account
from cardroom.table.twentyone import TableEvent, transfers
from cardroom.table.twentyone.computers import is_computer


def moves(
    events: Sequence[TableEvent], names: Mapping[str, str], game: str, table: str, *, private: bool
) -> list[Transfer]:
    """What events move, from purses and into them.

    At a player's own table everything but purses and wagers in play is the bank's: what its meters show, and
    the chips of computer players.
    """
    bank = bank_account(game, private=private)

    def account(name: str) -> str:
        kind, _, rest = name.partition(":")
        match kind:
            case "player":
                player = names[rest]
                return bank if is_computer(player) else player_account(player)
            case "meter" if not private:
                return f"meter:{table}:{rest}"
            case "table":
                return play_account(game, table)
            case _:
                return bank

    moves = (
        Transfer(account(source), account(target), cents)
        for event in events
        for source, target, cents in transfers(event)
    )
    return [move for move in moves if move.amount_cents and move.source != move.target]
