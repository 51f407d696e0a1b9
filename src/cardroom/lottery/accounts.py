"""The names of a draw's accounts, and the movements that settle it to the cent (KO21-4.7)."""

from __future__ import annotations

from typing import Final

from cardroom.rules.knockout21 import GAMES, Knockout21Rules
from cardroom.rules.knockout21.accounts import DrawAccount
from cardroom.store.ledger import HOUSE, Transfer

RESERVE: Final = "reserve:pools"
"""What rounding and limits left of earlier pools, where the house keeps a reserve."""


def sales_account(draw: int) -> str:
    """The money of a draw that is not settled yet."""
    return f"draw:{draw}:sales"


def pool_account(draw: int, game: int) -> str:
    return f"draw:{draw}:pool-{game}"


def prizes_account(draw: int) -> str:
    """Prizes won in a draw and neither paid nor expired."""
    return f"draw:{draw}:prizes"


def limits_account(draw: int) -> str:
    """What the limits of shares left of a draw's pools, less what they added."""
    return f"house:draw-{draw}-limits"


def rounding_account(draw: int) -> str:
    """What rounding shares down to the coin left of a draw's pools."""
    return f"house:draw-{draw}-rounding"


def settling_moves(rules: Knockout21Rules, draw: int, account: DrawAccount) -> list[Transfer]:
    """Every movement that a draw's settlement makes; afterwards its sales and pools are empty."""
    sales, prizes = sales_account(draw), prizes_account(draw)
    reserved = rules.prizes.pool_reserve == "surplus"
    pools = sum(game.pool_cents for game in account.games)
    rest = account.sales_cents - pools
    # A house may promise pools of more than its sales: then it puts the difference in.
    moves = [Transfer(sales, HOUSE, rest) if rest >= 0 else Transfer(HOUSE, sales, -rest)]
    moves += [Transfer(sales, pool_account(draw, game.game), game.pool_cents) for game in account.games]
    from_reserve = account.reserve_out_cents
    for number, game in zip(GAMES, account.games, strict=True):
        if rules.prizes.shared(number) is None:
            moves.append(Transfer(HOUSE, prizes, game.paid_cents))
            continue
        pool = pool_account(draw, number)
        moves.append(Transfer(pool, RESERVE if reserved else rounding_account(draw), game.rounding_cents))
        moves.append(Transfer(pool, RESERVE if reserved else limits_account(draw), game.left_cents))
        moves.append(Transfer(pool, prizes, game.paid_cents - game.added_cents))
    for game in account.games:
        if rules.prizes.shared(game.game) is not None:
            helped = min(from_reserve, game.added_cents)
            from_reserve -= helped
            moves.append(Transfer(RESERVE, prizes, helped))
            moves.append(Transfer(limits_account(draw), prizes, game.added_cents - helped))
    return [move for move in moves if move.amount_cents]
