"""Side bets by depth alone: what they win when so many cards are left, whatever cards those are, exactly.

Nothing is dealt or drawn here. `perfect_by_depth` is the mean over everything that can be left, by a count
that is small because cards that sum to a limit are nested: a card that makes the limit with another makes it
with all that are larger. `suits_by_depth` does the same for a count of suits.
"""

from __future__ import annotations

import math
from collections import Counter as Tally
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Suit
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.rules import parse_rules_as
from cardroom.rules.bets.patterns import Pattern
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.side_ways import side_ways
from cardroom.sim.twentyone.sides import line_nets

Floats = NDArray[np.float64]
_TEN: Final = 10
_CLUSTERS: Final = range(1, _TEN + 1)
_DEVIATIONS: Final = 9
"""How far from its mean a suit is followed; what lies beyond is less than a double can show."""

_ORDERS: Final = (24, 12, 12, 4, 12, 6, 4, 1)
"""Of four suits by length, in which each may be as long as the one before (the second 1, the third 2, the
last 4): the orders in which they can lie."""


def perfect_by_depth(rules: TwentyOneRules, wager: str, shoe: CardCounts | None = None) -> Floats:
    """[cards left]: what perfect play wins on average, of a bet on the total of the player's first two cards.

    >>> from cardroom.rules import load_rules
    >>> rules = load_rules("blackjack", {"side_bets.over-13.offered": True})
    >>> bool(perfect_by_depth(rules, "over-13")[52] > perfect_by_depth(rules, "over-13")[104])
    True
    """
    least, most, pays = _limits(rules, wager)
    full = shoe or rules.shoe()
    counts = Tally(_counts_one(place) for place, number in enumerate(full.counts) for _ in range(number))
    # Exactly one of the limits means something: a pair wins from `least` on, or loses from `most + 1` on.
    wins = least > 2
    limit = least if wins else most + 1
    order = sorted(_CLUSTERS, key=lambda value: (abs(2 * value - limit), value))
    last = max(place for place, value in enumerate(order) if 2 * value >= limit)
    largest = counts[order[last]]
    sums = _Sums.of(_pairs(counts, order[:last], limit), largest, full.total)
    result = np.zeros(full.total + 1)
    for left in range(2, full.total + 1):
        won = sums.won(left, wins=wins, pays=pays)
        result[left] = won / math.comb(full.total, left)
    return result


def _limits(rules: TwentyOneRules, wager: str) -> tuple[int, int, float]:
    """The least and the largest total that win, and what they pay."""
    bet = rules.side_bets[wager]
    total = bet.lines[0].when.total if len(bet.lines) == 1 else None
    plain = total is not None and bet.lines[0].when == Pattern(total=total)
    if total is None or not plain or total.ace != "1" or bet.roles != ("player_1", "player_2"):
        raise MalformedInput(f"{wager} is not a bet on the total of the player's first two cards, aces as 1")
    if (total.min > 2) == (total.max < 2 * _TEN):
        raise MalformedInput(f"{wager} wins between two totals; one limit is what can be counted")
    return total.min, total.max, float(line_nets(rules, wager, None)[1])


def _counts_one(place: int) -> int:
    """The value of a card, an ace as 1."""
    return 1 if CARDS[place].rank.letter == "A" else CARDS[place].value


def _pairs(counts: Tally[int], order: list[int], limit: int) -> Floats:
    """[cards of these values, pairs of them at the limit]: in how many ways they can be left."""
    ways = np.ones((1, 1))
    for value in order:
        copies, reaches = counts[value], 2 * value >= limit
        cards, most = ways.shape[0] + copies, ways.shape[1]
        wider = np.zeros((cards, math.comb(cards - 1, 2) + 1 if reaches else most))
        for number in range(copies + 1):
            chosen = math.comb(copies, number)
            for before in range(ways.shape[0]):
                # It reaches the limit with every card before it, and with its own kind; or with none.
                more = number * before + math.comb(number, 2) if reaches else 0
                kept = min(most, wider.shape[1] - more)
                wider[before + number, more : more + kept] += chosen * ways[before, :kept]
        ways = wider
    return ways


@dataclass(frozen=True, eq=False)
class _Sums:
    """Ways of what can be left, without the value that comes last and those that never reach the limit."""

    ways: Floats
    """[cards, pairs at the limit]: of fewer pairs."""
    pairs: Floats
    """The same, each way as often as it has pairs."""
    many: Floats
    """[cards of the last value]: ways to choose them; each reaches the limit with all that came before."""
    others: Floats
    """[cards of values that never reach it]"""

    @classmethod
    def of(cls, ways: Floats, last: int, total: int) -> _Sums:
        outside = total - last - (len(ways) - 1)
        pairs = ways * np.arange(ways.shape[1])
        fewer, fewer_pairs = (np.pad(table, ((0, 0), (1, 0))).cumsum(axis=1) for table in (ways, pairs))
        return cls(fewer, fewer_pairs, _choices(last), _choices(outside))

    def won(self, left: int, *, wins: bool, pays: float) -> float:
        """Ways times max(0, value), summed over all that can be left."""
        before, number = np.arange(len(self.ways))[:, None], np.arange(len(self.many))[None, :]
        others = left - before - number
        possible = (others >= 0) & (others < len(self.others))
        weights = np.where(possible, self.others[np.where(possible, others, 0)] * self.many, 0.0)
        more = number * before + number * (number - 1) // 2
        draws, most = math.comb(left, 2), self.ways.shape[1] - 1
        # The value is (pays + 1) · winning pairs / draws - 1.
        even = draws / (pays + 1)
        if wins:
            first = np.clip(math.floor(even) + 1 - more, 0, most)
            paying = self.ways[:, -1:] - self.ways[before, first]
            winning = self.pairs[:, -1:] - self.pairs[before, first] + more * paying
        else:
            end = np.clip(math.ceil(draws - even) - more, 0, most)
            paying = self.ways[before, end]
            winning = (draws - more) * paying - self.pairs[before, end]
        return float((weights * ((pays + 1) * winning / draws - paying)).sum())


def _choices(copies: int) -> Floats:
    return np.array([float(math.comb(copies, number)) for number in range(copies + 1)])


def suits_by_depth(rules: TwentyOneRules, wager: str, from_count: float, left: int) -> tuple[float, float]:
    """How often a count of suits is at least so high when so many cards are left, and what the bet wins then.

    For a bet on three cards that treats all suits alike; the win is for every round, made or not.
    """
    nets = _nets_by_suits(rules.canonical_text(), wager)
    in_suit = rules.shoe().total // len(Suit)
    spread = math.sqrt(left * (1 - left / rules.shoe().total) * 3 / 16)
    reach = math.ceil(_DEVIATIONS * spread) + 3
    low, high = max(0, left // 4 - reach), min(in_suit, left // 4 + 1 + reach)
    some = np.arange(low, high + 1)
    short, next_, third = np.meshgrid(some, some, some, indexing="ij", sparse=True)
    inside = (short <= next_) & (next_ <= third) & (left - short - next_ - third >= third)
    three = np.argwhere(inside & (left - short - next_ - third <= in_suit)).T + low
    suits = np.stack([*three, left - three.sum(axis=0)])
    alike = (suits[1:] == suits[:-1]).T @ (1, 2, 4)
    each = math.comb(in_suit, min(in_suit, left // 4))
    choose = np.array([math.comb(in_suit, number) / each for number in range(in_suit + 1)])
    chances = choose[suits].prod(axis=0) * np.array(_ORDERS)[alike]
    chances /= chances.sum()
    made = (suits[-1] - suits[0]) * len(CARDS) >= from_count * left
    suits, chances = suits[:, made].astype(float), chances[made]
    draws = left * (left - 1) * (left - 2)
    one = (suits * (suits - 1) * (suits - 2)).sum(axis=0) / draws
    apart = [np.delete(suits, suit, axis=0).prod(axis=0) for suit in range(len(Suit))]
    three_suits = 6 * np.sum(apart, axis=0) / draws
    value = nets[0] * one + nets[2] * three_suits + nets[1] * (1 - one - three_suits)
    return float(chances.sum()), float(chances @ value)


@lru_cache(maxsize=8)
def _nets_by_suits(canonical_text: str, wager: str) -> tuple[float, float, float]:
    """What the bet wins on average where its three cards are of one suit, of two, of three.

    Suits say nothing of ranks: given the suits, the cards are any of the whole shoe.
    """
    rules = parse_rules_as(TwentyOneRules, canonical_text)
    full = np.array(rules.shoe().counts)
    suit_of = np.array([int(card.suit) for card in CARDS])
    held = [[suit for suit in range(len(Suit)) if group >> suit & 1] for group in range(1, 1 << len(Suit))]
    shoes = np.array([np.where(np.isin(suit_of, group), full, 0) for group in held])
    ways = side_ways(rules, wager, shoes)
    by_number = [np.unique(ways[[len(group) == size for group in held]], axis=0) for size in (1, 2, 3)]
    if rules.decks == "infinite" or len(rules.side_bets[wager].roles) != 3 or any(map(_differ, by_number)):
        raise MalformedInput(f"{wager} is not a bet on three cards that treats all suits alike")
    one, two, three = (rows[0] for rows in by_number)
    exactly = (one, two - 2 * one, three - 3 * two + 3 * one)
    nets = np.array([float(net) for net in line_nets(rules, wager, None)])
    first, second, third = (float(lines @ nets / lines.sum()) for lines in exactly)
    return first, second, third


def _differ(rows: NDArray[np.int64]) -> bool:
    return len(rows) > 1
