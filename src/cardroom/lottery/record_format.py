"""What stands in a draw's published record; those who write one and those who check one read it here."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Final

from cardroom.engine.knockout21.settlement import Settlement
from cardroom.fair.encoding import encode
from cardroom.rules.knockout21 import GAMES
from cardroom.rules.knockout21.accounts import DrawAccount

FORMAT: Final = "cardroom draw 1"

FIELDS: Final[Mapping[str, type]] = {
    "account": dict,
    "cards": str,
    "code": str,
    "commitment": str,
    "day": str,
    "first_cards": str,
    "format": str,
    "log_head": str,
    "number": int,
    "opening_commitment": str,
    "opening_seed": str,
    "operators": list,
    "prizes": list,
    "reserve_before_cents": int,
    "root": str,
    "rules": dict,
    "rules_hash": str,
    "secret": str,
    "ticket_count": int,
    "ticket_marks": list,
    "tickets": list,
    "times": dict,
    "total_cents": int,
}
"""What stands in a record, and as what; `seals` come on top."""

VOID_FORMAT: Final = "cardroom void draw 1"

VOID_FIELDS: Final[Mapping[str, type]] = {
    "code": str,
    "commitment": str,
    "day": str,
    "first_cards": str,
    "format": str,
    "log_head": str,
    "number": int,
    "opening_commitment": str,
    "opening_seed": str,
    "operators": list,
    "reason": str,
    "returned": list,
    "rules": dict,
    "rules_hash": str,
    "ticket_count": int,
    "ticket_marks": list,
    "tickets": list,
    "times": dict,
    "total_cents": int,
}
"""What stands in the record of a draw that two people called off: no cards, and each ticket's price back."""

TIMES: Final = ("committed", "opened", "closed", "sealed", "drawn", "settled")
"""The stages of a draw, in order; a record says when each came."""


def ticket_mark(text: str) -> str:
    """A short hash of one ticket's text, to find the one that was changed."""
    return hashlib.sha256(encode("cardroom/ticket-mark/1", text)).hexdigest()[:8]


def winners_of(ticket_ids: list[str], result: Settlement) -> list[tuple[str, int, str]]:
    """(ticket, cents, games won) of every winning ticket, in the pool's order."""
    games: dict[int, list[str]] = {}
    for game, winners in zip(GAMES, result.winners, strict=True):
        for index in winners:
            games.setdefault(index, []).append(str(game))
    return [
        (ticket_ids[index], result.prizes_cents[index], ",".join(games[index])) for index in sorted(games)
    ]


def account_body(account: DrawAccount, lucky: tuple[int, ...]) -> dict[str, Any]:
    """A draw's money as it stands in the log and in its record."""
    return {
        "tickets": account.tickets,
        "sales_cents": account.sales_cents,
        "house_cents": account.house_cents,
        "prizes_cents": account.prizes_cents,
        "reserve_in_cents": account.reserve_in_cents,
        "reserve_out_cents": account.reserve_out_cents,
        "lucky_loser_positions": list(lucky),
        "games": [
            {
                "game": game.game,
                "winners": game.winners,
                "prize_cents": game.prize_cents,
                "pool_cents": game.pool_cents,
                "rounding_cents": game.rounding_cents,
                "added_cents": game.added_cents,
                "left_cents": game.left_cents,
            }
            for game in account.games
        ],
    }
