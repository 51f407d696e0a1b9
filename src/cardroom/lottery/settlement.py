"""A drawn draw settled as a whole: winners, prizes and every cent, once, with the control's agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cardroom.core.errors import Conflict
from cardroom.engine.knockout21.draw import Draw
from cardroom.engine.knockout21.settlement import settle
from cardroom.lottery.accounts import RESERVE, settling_moves
from cardroom.lottery.draws import pool_root, stop_draw
from cardroom.lottery.house import Lottery, draw_or_refuse
from cardroom.lottery.record_format import account_body, winners_of
from cardroom.lottery.ticket_text import play_of
from cardroom.records.lottery import DrawSettled, LargeWinNoted
from cardroom.store import lottery as rows
from cardroom.store.ledger import Transfer, balance
from cardroom.store.log import body_text
from cardroom.store.unit import Unit

LARGE_WIN_CENTS: Final = 1000_00
"""A prize of this much or more is noted on its own (R-50)."""


def settle_draw(lottery: Lottery, number: int) -> rows.DrawRow:
    """Settle a drawn draw and release its prizes; settling twice is once."""
    with lottery.database.read() as connection:
        draw = draw_or_refuse(connection, number)
        if draw.status == "settled":
            return draw
        if draw.held is not None:
            raise Conflict(f"draw {number} is held: {draw.held}")
        if draw.status != "drawn":
            raise Conflict(f"draw {number} is {draw.status}; only a drawn one is settled")
        rules = lottery.rules_of(connection, draw.rules_hash)
        reserve = balance(connection, RESERVE)
        pool = rows.pool_of_draw(connection, number)
        plays = [play_of(hands, choices) for _, hands, choices, _ in pool]
        result = settle(rules, plays, Draw.parse(draw.cards or ""), reserve_cents=reserve)
        won = winners_of([ticket for ticket, *_ in pool], result)
        moves = settling_moves(rules, number, result.account)
        body = account_body(result.account, result.lucky_loser_positions)
        fault = _changed_pool(connection, draw) or _disagreement(lottery, connection, draw, won, body, moves)
    if fault:
        stop_draw(lottery, number, fault)
        raise Conflict(fault)

    def run(unit: Unit) -> rows.DrawRow:
        now = draw_or_refuse(unit.connection, number)
        if now.status != "drawn":
            return now
        if balance(unit.connection, RESERVE) != reserve:
            raise Conflict("the reserve moved while this draw was settled; settle it again")
        unit.record(DrawSettled(draw=number, account=body, prizes=won), moves)
        large = [(ticket, cents) for ticket, cents, _ in won if cents >= LARGE_WIN_CENTS]
        if large:
            unit.record(LargeWinNoted(draw=number, prizes=large))
        rows.add_prizes(unit, number, won)
        rows.change_draw(unit, number, status="settled", settlement=body_text(body))
        return draw_or_refuse(unit.connection, number)

    return lottery.write(run, alone=True)


def _changed_pool(connection: Any, draw: rows.DrawRow) -> str:
    if pool_root(connection, draw.number) != (draw.root, draw.ticket_count, draw.total_cents):
        return f"the tickets of draw {draw.number} are not those that were sealed"
    return ""


def _disagreement(
    lottery: Lottery,
    connection: Any,
    draw: rows.DrawRow,
    won: list[tuple[str, int, str]],
    account: dict[str, Any],
    moves: Sequence[Transfer],
) -> str:
    prizes = {ticket: cents for ticket, cents, _ in won}
    booked = [(move.source, move.target, move.amount_cents) for move in moves]
    try:
        lottery.control.require_settlement(connection, draw.number, prizes, account["games"], booked)
    except Conflict as disagreement:
        return disagreement.message
    return ""
