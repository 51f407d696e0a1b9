"""The law of a Knockout 21 hand as pure functions of card values: totals, hits, charts, who wins.

A card is given by its value, an ace as 1: the engine asks with the values of real cards, the exact solver and
the vectorised settlement with everything a hand can be. There is no second copy of the law.

>>> hand_total((1, 6)), hand_total((1, 6, 5)), basic_choice(2, (1, 6), 7)
(17, 12, <Choice.STAND: 'S'>)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Final

from cardroom.rules.knockout21.schema import POSITIONS, Game, Game1Hit

VALUES: Final = range(1, 11)
VALUE_WEIGHTS: Final[Mapping[int, int]] = {value: 4 if value == 10 else 1 for value in VALUES}
"""How many of the 13 ranks have each value (KO21-1.1, KO21-1.2)."""
RANKS: Final = sum(VALUE_WEIGHTS.values())

ACE: Final = 1
BEST_TOTAL: Final = 21
DEALER_STANDS: Final = 17
STARTING_CARDS: Final = 2

CARD_BYTES: Final = STARTING_CARDS * POSITIONS
CHOICE_BYTES: Final = 2
TICKET_BYTES: Final = CARD_BYTES + CHOICE_BYTES
"""The compact form of a ticket: the index of every card, then a bit for every hand that hits."""


class Choice(Enum):
    """What the player lets happen to a hand of Game 2 or Game 3."""

    HIT = "H"
    STAND = "S"


def hand_total(values: Sequence[int]) -> int:
    """The total of a hand, one ace counting 11 where that does not bust it (KO21-1.2)."""
    hard = sum(values)
    return hard + 10 if ACE in values and hard + 10 <= BEST_TOTAL else hard


def is_bust(values: Sequence[int]) -> bool:
    """22 or more (KO21-1.3)."""
    return hand_total(values) > BEST_TOTAL


def dealer_draws(values: Sequence[int]) -> bool:
    """Whether the dealer takes another card: until at least 17, soft 17 included (KO21-1.6)."""
    return len(values) < STARTING_CARDS or hand_total(values) < DEALER_STANDS


def added_in_game_1(reading: Game1Hit, start: Sequence[int], hit: int) -> bool:
    """Whether Game 1 adds the hit card: when the three cards do not bust (KO21-5.1)."""
    if reading == "literal":
        return not is_bust((*start, hit))
    return hand_total(start) + hit <= BEST_TOTAL  # an ace in the start keeps counting 11


def played_hand(
    reading: Game1Hit, game: Game, start: Sequence[int], choice: Choice | None, hit: int
) -> tuple[int, ...]:
    """A player's hand after the hit card was shown (KO21-1.7, KO21-5.1 to KO21-5.3)."""
    hits = added_in_game_1(reading, start, hit) if game == 1 else choice is Choice.HIT
    return (*start, hit) if hits else tuple(start)


def wins_hand(player: Sequence[int], dealer: Sequence[int]) -> bool:
    """Whether a player beats or ties the dealer (KO21-4.1 to KO21-4.3), Lucky Losers aside."""
    if is_bust(player):
        return False
    if is_bust(dealer):
        return True
    if hand_total(player) == hand_total(dealer) == BEST_TOTAL:
        # The one tie that loses: a dealer's two-card 21 against three cards (KO21-4.2).
        return len(dealer) > STARTING_CARDS or len(player) == STARTING_CARDS
    return hand_total(player) >= hand_total(dealer)


DEALER_RESULTS: Final[tuple[tuple[int, ...], ...]] = (
    (10, 6, 10),
    (10, 7),
    (10, 8),
    (10, 9),
    (10, 10),
    (10, 5, 6),
    (10, ACE),
)
"""One dealer's hand of each kind that players can tell apart: bust, 17 to 20, a longer 21, a two-card 21."""


def dealer_result(dealer: Sequence[int]) -> int:
    """Which of `DEALER_RESULTS` a finished dealer's hand is worth."""
    if is_bust(dealer):
        return 0
    total = hand_total(dealer)
    two_card_21 = total == BEST_TOTAL and len(dealer) == STARTING_CARDS
    return total - DEALER_STANDS + 1 + two_card_21


def chart_row(start: Sequence[int]) -> str:
    """The row of the charts that a starting hand is on: `16`, `A/6`; an ace and a ten are 21."""
    low, high = sorted(start)
    return f"A/{'A' if high == ACE else high}" if low == ACE and high < 10 else str(hand_total(start))


def basic_choice(game: Game, start: Sequence[int], dealer_first: int | None = None) -> Choice | None:
    """The advice of the charts; Game 1 has none, and Game 2 looks at the dealer's first card."""
    if game == 1:
        return None
    if game == 3:
        return Choice(GAME_3_CHART[chart_row(start)])
    if dealer_first is None:
        raise ValueError("the Game 2 chart needs the dealer's first card (KO21-5.2)")
    return Choice(GAME_2_CHART[chart_row(start)][dealer_first - 1])


GAME_2_CHART: Final[Mapping[str, str]] = {
    #       A23456789T, the dealer's first card (KO21-5.2)
    "4": "HHHHHHHHHH",
    "5": "HHHHHHHHHH",
    "6": "HHHHHHHHHH",
    "7": "HHHHHHHHHH",
    "8": "HHHHHHHHHH",
    "9": "HHHHHHHHHH",
    "10": "HHHHHHHHHH",
    "11": "HHHHHHHHHH",
    "A/A": "HHHHHHHHHH",
    "A/2": "HHHHHHHHHH",
    "A/3": "HHHHHHHHHH",
    "A/4": "HHHHHHHHHH",
    "A/5": "HHHHHHHHHH",
    "A/6": "HHHHHHSHHH",
    "A/7": "SSSSSSSSHS",
    "A/8": "SSSSSSSSSS",
    "A/9": "SSSSSSSSSS",
    "12": "HHHHHHHHHH",
    "13": "HHHSSSHHHH",
    "14": "HSSSSSHHHH",
    "15": "HSSSSSHHHH",
    "16": "HSSSSSHHHH",
    "17": "SSSSSSSSSS",
    "18": "SSSSSSSSSS",
    "19": "SSSSSSSSSS",
    "20": "SSSSSSSSSS",
    "21": "SSSSSSSSSS",
}

GAME_3_CHART: Final[Mapping[str, str]] = {
    row: "H" if row in {*map(str, range(4, 16)), "A/A", "A/2", "A/3", "A/4", "A/5", "A/6"} else "S"
    for row in GAME_2_CHART
}
"""Hard 4–15 and A/A–A/6 hit; all else stands (KO21-5.3)."""
