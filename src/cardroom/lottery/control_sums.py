"""What the independent control works out itself: the root of a pool, who won, and how much (R-19, R-20).

Nothing here is shared with the engine, the rules or the settlement: the rules are plain data from the log.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

_TEN_COUNTS: Final = {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 1}
_GAME_SIZES: Final = (4, 5, 6)
_CARD: Final = 2


def tree(leaves: list[bytes], start: int, end: int) -> bytes:
    """The root of a Merkle tree by its definition in RFC 6962: split at the largest power of two."""
    count = end - start
    if count == 0:
        return hashlib.sha256().digest()
    if count == 1:
        return leaves[start]
    split = 1 << (count - 1).bit_length() - 1
    left, right = tree(leaves, start, start + split), tree(leaves, start + split, end)
    return hashlib.sha256(b"\1" + left + right).digest()


def _value(card: str) -> int:
    return _TEN_COUNTS.get(card[0]) or int(card[0])


def _split(cards: str) -> list[str]:
    return [cards[i : i + _CARD] for i in range(0, len(cards), _CARD)]


def positions_of(cards: str) -> list[tuple[list[int], int]]:
    """(dealer's values, hit value) for each of the fifteen positions."""
    positions = []
    for word in cards.replace("/", " ").split():
        dealer, hit = word.split("+")
        positions.append(([_value(card) for card in _split(dealer)], _value(hit)))
    return positions


def _points(values: list[int]) -> int:
    """The best total up to 21, or the least total above it (KO21-1.2)."""
    low = sum(values)
    return low + 10 if 1 in values and low <= 11 else low


def _stays(dealer: list[int], player: list[int]) -> bool:
    mine, theirs = _points(player), _points(dealer)
    if mine > 21:
        return False
    if theirs > 21 or mine > theirs:
        return True
    natural_beats = theirs == 21 and len(dealer) == 2 and len(player) == 3
    return mine == theirs and not natural_beats


def winners_of(
    rules: dict[str, Any], tickets: dict[str, tuple[str, str, int]], positions: list[tuple[list[int], int]]
) -> list[list[str]]:
    """The winners of each game (KO21-4.1 to KO21-4.5)."""
    literal = rules["game_1_hit"] == "literal"
    values = {ticket: [_value(card) for card in _split(hands)] for ticket, (hands, _, _) in tickets.items()}
    winners, place = [], 0
    for game, size in enumerate(_GAME_SIZES, 1):
        still_in = sorted(tickets)
        for position in range(place, place + size):
            dealer, hit = positions[position]
            staying = []
            for ticket in still_in:
                start = values[ticket][2 * position : 2 * position + 2]
                if game == 1:
                    sum_after = _points([*start, hit]) if literal else _points(start) + hit
                    takes = sum_after <= 21
                else:
                    takes = tickets[ticket][1][position - _GAME_SIZES[0]] == "H"
                if _stays(dealer, [*start, hit] if takes else start):
                    staying.append(ticket)
            still_in = staying or still_in
        winners.append(still_in)
        place += size
    return winners


def _cents(amount: str) -> int:
    whole, _, part = amount.partition(".")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)


def pool_of(rules: dict[str, Any], game: int, sales_cents: int) -> int:
    """A game's part of the sales, to the cent below (KO21-4.7)."""
    if game == 1:
        return 0
    whole, _, decimals = str(rules["prizes"][f"game_{game}"]["pool_percent"]).partition(".")
    per_cent = int(whole + decimals)
    return sales_cents * per_cent // (100 * int("1" + "0" * len(decimals)))


def prize_of(rules: dict[str, Any], game: int, pool_cents: int, winners: int) -> int:
    """What each winner of a game gets (KO21-4.6, KO21-4.7)."""
    if not winners:
        return 0
    prizes = rules["prizes"]
    if game == 1:
        return _cents(prizes["game_1"])
    coin, own = _cents(prizes["coin"]), prizes[f"game_{game}"]
    share = pool_cents // winners
    share -= share % coin
    least, most = _cents(own["min"]), _cents(own["max"])
    return max(least, min(share, most))
