"""Two bets on the first four cards that ask where a card lies, and their lines as plain predicates."""

from __future__ import annotations

from typing import Any

from cardroom.core.cards import Card

FOUR = ["player_1", "player_2", "dealer_up", "dealer_hole"]
ORDERED = {
    "title": "Ordered",
    "looks_at": FOUR,
    "lines": [
        {
            "name": "four suits and a ladder",
            "when": {"different": ["suit"], "all": [{"of": "player", "in_a_row": True}]},
            "pays": "20:1",
        },
        {"name": "four in a row", "when": {"in_a_row": True}, "pays": "9:1"},
        {
            "name": "dealer soft",
            "when": {"of": "dealer", "total": {"softness": "soft", "min": 13, "max": 20}},
            "pays": "2:1",
        },
    ],
}
RAINBOW = {
    "title": "Rainbow Ladder",
    "looks_at": FOUR,
    "lines": [
        {"name": "four suits in a row", "when": {"different": ["suit"], "in_a_row": True}, "pays": "50:1"},
        {
            "name": "four suits",
            "when": {"all": [{"different": ["suit"]}, {"not": {"contains": {"ranks": ["A"]}}}]},
            "pays": "4:1",
        },
        {
            "name": "low against soft",
            "when": {
                "all": [
                    {"of": "player", "total": {"max": 11, "softness": "hard"}},
                    {"of": "dealer", "total": {"min": 13, "softness": "soft"}},
                ]
            },
            "pays": "9:1",
        },
    ],
}
BY_PLACE: dict[str, Any] = {"side_bets.ordered": ORDERED, "side_bets.rainbow": RAINBOW}
"""Changes that put both on a table."""
FORGETS_NOTHING = {
    "title": "Elephant",
    "looks_at": FOUR,
    "lines": [
        {"name": "twins", "when": {"groups": {"alike": ["rank", "suit"], "sizes": [2]}}, "pays": "9:1"},
        {
            "name": "first and last",
            "when": {"of": ["player_1", "dealer_hole"], "same": ["suit"]},
            "pays": "1:1",
        },
    ],
}
"""After three cards it still tells all of them apart, and which was the first."""


def in_a_row(*cards: Card) -> bool:
    """Each rank follows another, an ace low or high."""
    low = sorted(int(card.rank) for card in cards)
    high = sorted(14 if rank == 1 else rank for rank in low)
    return any(ranks == list(range(ranks[0], ranks[0] + len(ranks))) for ranks in (low, high))


def soft_total(*cards: Card) -> int:
    """The total of two cards of which one is an ace that counts 11; 0 where none is."""
    return sum(card.value for card in cards) + 10 if any(card.value == 1 for card in cards) else 0


def line_of(wager: str, one: Card, two: Card, up: Card, hole: Card) -> str | None:
    """The line that four cards make of one of the bets, by plain words."""
    suits = len({card.suit for card in (one, two, up, hole)}) == 4
    dealer = soft_total(up, hole)
    if wager == "ordered":
        if suits and in_a_row(one, two):
            return "four_suits_and_a_ladder"
        if in_a_row(one, two, up, hole):
            return "four_in_a_row"
        return "dealer_soft" if 13 <= dealer <= 20 else None
    if suits and in_a_row(one, two, up, hole):
        return "four_suits_in_a_row"
    if suits and all(card.value != 1 for card in (one, two, up, hole)):
        return "four_suits"
    low = one.value != 1 and two.value != 1 and one.value + two.value <= 11
    return "low_against_soft" if low and dealer >= 13 else None
