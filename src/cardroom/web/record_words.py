"""What records and their fields are called on a page; their JSON has the names that are stored."""

from __future__ import annotations

import re
from typing import Final

from cardroom.core.ids import titled

_FIELDS: Final = {
    "added_cents": "added by the house",
    "amount_cents": "amount",
    "appointed": "appointed by",
    "by_clock": "decided by the clock",
    "cards_deep": "cut at a depth of",
    "closes_at": "sales close",
    "code": "program",
    "count": "tickets",
    "deck": "cards of each kind",
    "demonstration": "a demonstration",
    "draw_at": "draw time",
    "draws": "draw",
    "due_at": "draw time",
    "expected_cents": "expected result",
    "head": "up to record",
    "holds": "salts are held",
    "house_cents": "kept by the house",
    "id": "ticket",
    "issued": "tickets still being chosen",
    "judged": "decisions judged",
    "key": "request key",
    "left_cents": "left over",
    "lucky_loser_positions": "Lucky Losers at",
    "lucky_losers": "Lucky Losers",
    "manual": "drawn by hand",
    "mistakes_cents": "cost of mistakes",
    "net_cents": "result",
    "notation": "the round in writing",
    "opening_seed": "seed of the first cards",
    "owner": "private table of",
    "password_hash": "password",
    "path": "page",
    "prizes": "prize of ticket",
    "reserve_in_cents": "put into the reserve",
    "reserve_out_cents": "taken from the reserve",
    "root": "seal of all tickets (root)",
    "rounding_cents": "left by rounding",
    "rules_hash": "hash of the rules",
    "salt_hash": "hash of the salt",
    "sealed_secret": "secret, sealed",
    "sealed_seed": "seed, sealed",
    "second": "confirmed by",
    "shoe_id": "shoe",
    "staked_cents": "staked",
    "tag": "mark of the control number",
    "takes_salts": "salts are taken",
    "total_cents": "sales",
    "unfinished_cents": "not settled yet",
    "waiting_cents": "prizes to be claimed",
    "was": "before",
    "words_rejected": "random words passed over",
    "words_used": "random words used",
    "zone_data": "time zones of",
}
"""Fields whose stored name says too little; all others are called what they are stored as."""
_ACCOUNTS: Final = {"sales": "Sales", "prizes": "Prizes to be claimed"}


def field_words(name: str) -> str:
    """A field as people call it.

    >>> field_words("root"), field_words("stake_cents"), field_words("from_day")
    ('seal of all tickets (root)', 'stake', 'from day')
    """
    return _FIELDS.get(name) or name.removesuffix("_cents").replace("_", " ")


def kind_words(kind: str) -> str:
    """A kind of record as a sentence begins.

    >>> kind_words("TicketsSold"), kind_words("Knockout52CardDealt"), kind_words("TwentyOneShoeEnded")
    ('Tickets sold', 'Knockout 52 card dealt', 'Twenty-one: shoe ended')
    """
    family = kind.removeprefix("TwentyOne")
    words = re.findall(r"[A-Z][a-z]*|\d+", family)
    begun = [word if place == 0 else word.lower() for place, word in enumerate(words)]
    if family != kind:
        return f"Twenty-one: {' '.join(begun).lower()}"
    return " ".join(begun)


def draw_account_words(account: str) -> str:
    """An account of one draw.

    >>> draw_account_words("draw:12:pool-2"), draw_account_words("house:draw-12-limits")
    ('Pool of Game 2', 'Left by limits of shares')
    """
    last = account.rpartition(":")[2]
    if last.startswith("pool-"):
        return f"Pool of Game {last.removeprefix('pool-')}"
    if last.startswith("draw-"):
        return f"Left by {'limits of shares' if last.endswith('limits') else 'rounding'}"
    return _ACCOUNTS.get(last) or titled(last)
