"""What a hand is paid, as a table written straight from the clauses; it knows neither engine nor law."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple


class Facts(NamedTuple):
    """All that decides the result of a hand, cards as texts."""

    game: str
    cards: tuple[str, ...]
    dealer: tuple[str, ...]
    doubled: bool = False
    split: bool = False
    ended: str = ""
    """`surrender` or `rescue` where the player gave the hand up, `even money` where it was taken."""


WIN, PUSH, LOSE = "win", "push", "lose"

# First row that fits decides: (player, dealer) → result, by the game's column.
#   player: what the hand is        dealer: what the dealer has        BJ     S21    PE21
RESULTS = [
    ("bust", "anything", LOSE, LOSE, LOSE),  # 21-1.6
    ("blackjack", "blackjack", PUSH, WIN, WIN),  # BJ-2, S21-2, PE21-4
    ("blackjack", "anything", WIN, WIN, WIN),
    ("21", "blackjack", LOSE, WIN, WIN),  # 21-1.2, S21-3, PE21-5
    ("21", "21", PUSH, WIN, WIN),
    ("anything", "blackjack", LOSE, LOSE, LOSE),  # 21-1.8
    ("anything", "bust", WIN, WIN, WIN),  # 21-1.10
    ("more", "less", WIN, WIN, WIN),
    ("equal", "equal", PUSH, PUSH, PUSH),
    ("less", "more", LOSE, LOSE, LOSE),
]
COLUMN = {"blackjack": 2, "spanish-21": 3, "players-edge-21": 4}

# (what the 21 is, in Spanish 21, in Player's Edge 21); the best that fits is paid (S21-4, PE21-14).
BONUSES = {
    "5 cards": (Fraction(3, 2), Fraction(3, 2)),
    "6 cards": (Fraction(2), Fraction(2)),
    "7 or more cards": (Fraction(3), Fraction(3)),
    "678 mixed": (Fraction(3, 2), Fraction(3, 2)),
    "678 clubs": (Fraction(2), Fraction(2)),
    "678 diamonds": (Fraction(2), Fraction(3)),
    "678 hearts": (Fraction(2), Fraction(2)),
    "678 spades": (Fraction(3), Fraction(2)),
    "777 mixed": (Fraction(3, 2), Fraction(3, 2)),
    "777 clubs": (Fraction(2), Fraction(2)),
    "777 diamonds": (Fraction(2), Fraction(3)),
    "777 hearts": (Fraction(2), Fraction(2)),
    "777 spades": (Fraction(3), Fraction(2)),
}
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
POINTS = {**{str(n): n for n in range(2, 10)}, **dict.fromkeys("TJQK", 10), "A": 11}


def points(cards: tuple[str, ...]) -> int:
    """The total: aces 11, and 1 for as many of them as it takes not to be over 21 (21-1.1)."""
    total = sum(POINTS[card[0]] for card in cards)
    for _ in [card for card in cards if card[0] == "A"]:
        total -= 10 if total > 21 else 0
    return total


def names(cards: tuple[str, ...], other: tuple[str, ...], *, split: bool) -> set[str]:
    """The words of the table that fit a hand beside another."""
    total, against = points(cards), points(other)
    fits = {"anything"}
    if total > 21:
        return fits | {"bust"}
    if total == 21:
        fits.add("blackjack" if len(cards) == 2 and not split else "21")
    if against <= 21:
        fits.add("more" if total > against else "less" if total < against else "equal")
    return fits


def bonus(cards: tuple[str, ...]) -> str:
    """The bonus line of a 21, or nothing."""
    if len(cards) >= 5:
        return {5: "5 cards", 6: "6 cards"}.get(len(cards), "7 or more cards")
    ranks = "".join(sorted(card[0] for card in cards))
    if ranks in ("678", "777"):
        suits = {card[1] for card in cards}
        return f"{ranks} {SUITS[suits.pop()] if len(suits) == 1 else 'mixed'}"
    return ""


def pays(facts: Facts) -> Fraction:
    """The result of a hand per unit of the wager on it: of the original wager where it was given up."""
    if facts.ended == "surrender":
        return Fraction(-1, 2)
    if facts.ended == "rescue":
        return Fraction(-1)
    if facts.ended == "even money":
        return Fraction(1)
    own = names(facts.cards, facts.dealer, split=facts.split)
    others = names(facts.dealer, facts.cards, split=False)
    result = next(row[COLUMN[facts.game]] for row in RESULTS if row[0] in own and row[1] in others)
    if result != WIN:
        return Fraction(0 if result == PUSH else -1)
    if "blackjack" in own:
        return Fraction(3, 2)
    if "21" in own and facts.game != "blackjack" and not facts.doubled:
        on_split = facts.game == "players-edge-21"  # S21-4, PE21-6.1
        line = bonus(facts.cards)
        if line and (on_split or not facts.split):
            return BONUSES[line][COLUMN[facts.game] - 3]
    return Fraction(1)
