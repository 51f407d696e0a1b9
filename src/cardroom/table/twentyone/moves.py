"""The money that moves at a table, between the accounts of the house's books."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cardroom.store.ledger import Transfer
from cardroom.table.running import house_account, play_account, player_account
from cardroom.table.twentyone import TableEvent, transfers


def moves(events: Sequence[TableEvent], names: Mapping[str, str], game: str, table: str) -> list[Transfer]:
    """What events move, from purses and into them."""

    def account(name: str) -> str:
        kind, _, rest = name.partition(":")
        match kind:
            case "player":
                return player_account(names[rest])
            case "meter":
                return f"meter:{table}:{rest}"
            case "table":
                return play_account(game, table)
            case _:
                return house_account(game)

    return [
        Transfer(account(source), account(target), cents)
        for event in events
        for source, target, cents in transfers(event)
        if cents
    ]
