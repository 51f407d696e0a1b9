"""What of a hand still matters for its bonuses: the house's lines as one small machine, reduced.

The trackers of the bonus lines and of the Super Bonus are run on every card from the start. Then states that
no further card tells apart, in what they pay, become one: whatever the bonuses are, what is left is what must
be remembered of a hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Card, Rank, Suit
from cardroom.core.errors import MalformedInput
from cardroom.core.odds import Odds
from cardroom.rules.bets.bonus import BonusLine, bonus_machine, paid_lines
from cardroom.rules.bets.super_bonus import SuperLine, super_machine, winning_up_cards
from cardroom.rules.bets.trackers import PLAYERS_HAND
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.schema import TwentyOneRules

START: Final = 0
"""The state of a hand without a card."""
_ANY_SUIT: Final = -1
_MOST_STATES: Final = 2_000
TOO_MANY_HANDS: Final = (
    "the lines of bonus_21 tell too many hands apart to be figured and simulated: give those that ask for "
    "ranks or suits a number of cards"
)
_FEWEST_COUNTED: Final = 3


@dataclass(frozen=True, eq=False)
class BonusStates:
    """The reduced machine of a hand's bonuses."""

    next: NDArray[np.int64]
    """[state, card index]: the state with one more card."""
    counts_only: NDArray[np.bool_]
    """[state]: of the cards to come only their number matters."""
    rate: tuple[Odds | None, ...]
    """[state]: the best rate that a 21 of these cards is paid by a bonus line."""
    super_bonus: tuple[frozenset[Rank], ...]
    """[state]: the up cards against which the hand has just won the Super Bonus."""
    suits_matter: NDArray[np.bool_]
    """[state, rank less 1]: the suit of a card of the rank may still make a difference."""
    most_counted: int
    """The number of cards from which on more cards change nothing."""


def bonus_states(rules: TwentyOneRules, *, from_split: bool) -> BonusStates:
    """The bonuses of a hand that was not doubled."""
    table = rules.bonus_21
    paid = tuple(line for line in table.lines if line.pays and not (from_split and line.for_blackjack))
    if from_split and not table.on_split_hands:
        paid = ()
    bonus = rules.super_bonus
    return _reduced(paid, bonus.lines if bonus.offered and not from_split else (), table.named_suit)


@lru_cache(maxsize=64)
def _reduced(
    lines: tuple[BonusLine, ...], super_lines: tuple[SuperLine, ...], named_suit: str
) -> BonusStates:
    machine, wins = bonus_machine(lines, named_suit), super_machine(super_lines, named_suit)
    first = (0, 0, 0)
    number: dict[tuple[int, int, int], int] = {first: START}
    order = [first]
    rows: list[list[int]] = []
    while len(rows) < len(order):
        state, three, cards = order[len(rows)]
        role, more = PLAYERS_HAND[cards], min(cards + 1, len(PLAYERS_HAND) - 1)
        row = []
        for card in CARDS:
            after = machine.after(state, role, card), wins.after(three, role, card), more
            if after not in number:
                number[after] = len(order)
                order.append(after)
            row.append(number[after])
        rows.append(row)
        if len(order) > _MOST_STATES:
            raise MalformedInput(TOO_MANY_HANDS)
    rates: list[Odds | None] = []
    supers = []
    for state, three, _ in order:
        earned = paid_lines(machine, lines, state)
        rates.append(max((odds for _, odds in earned), key=lambda odds: odds.ratio, default=None))
        supers.append(winning_up_cards(super_lines, wins, three))
    return _refined(np.array(rows), rates, supers)


def _refined(rows: NDArray[np.int64], rates: list[Odds | None], supers: list[frozenset[Rank]]) -> BonusStates:
    """Parts of states that pay the same, made finer until every card leads from a part into one part."""
    outcomes: dict[tuple[object, frozenset[Rank]], int] = {}
    label = np.array(
        [
            outcomes.setdefault((rate and rate.ratio, beaten), len(outcomes))
            for rate, beaten in zip(rates, supers, strict=True)
        ]
    )
    parts = 0
    while True:
        keys = np.concatenate([label[:, None], label[rows]], axis=1)
        _, example, label = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        label = label.reshape(-1)
        if len(example) == parts:
            break
        parts = len(example)
    # Numbered so that the start comes first, in the order in which they are met.
    in_order = np.sort(example)
    place = np.empty(parts, np.int64)
    place[label[in_order]] = np.arange(parts)
    after = place[label[rows[in_order]]]
    counts_only = _counts_only(after)
    return BonusStates(
        after,
        counts_only,
        tuple(rates[state] for state in in_order),
        tuple(supers[state] for state in in_order),
        _suits_matter(after),
        _most_counted(after, counts_only),
    )


def _counts_only(after: NDArray[np.int64]) -> NDArray[np.bool_]:
    alike: NDArray[np.bool_] = (after == after[:, :1]).all(axis=1)
    while True:
        still = alike & alike[after[:, 0]]
        if (still == alike).all():
            return alike
        alike = still


def _suits_matter(after: NDArray[np.int64]) -> NDArray[np.bool_]:
    by_suit = after.reshape(len(after), len(Suit), len(Rank))
    matters: NDArray[np.bool_] = (by_suit != by_suit[:, :1]).any(axis=1)
    while True:
        later = matters | matters[after].any(axis=1)
        if (later == matters).all():
            return matters
        matters = later


def _most_counted(after: NDArray[np.int64], counts_only: NDArray[np.bool_]) -> int:
    """The last number of cards that makes a difference to a hand of which only that number matters."""
    most = _FEWEST_COUNTED
    reached = {START}
    for cards in range(1, law.BLACKJACK_TOTAL + 1):
        if any(counts_only[state] and after[state, 0] != state for state in reached):
            most = max(most, cards)
        reached = {int(state) for one in reached for state in np.unique(after[one])}
    return most


def told_apart(rules: TwentyOneRules) -> list[tuple[int, int]]:
    """[card]: cards with the same pair are one class in a player's hand; the second is below 0 for all suits.

    Cards are told apart by value, by rank where tens pair by rank or a bonus asks for the rank, and by suit
    in the ranks of which a bonus asks for it.
    """
    columns = np.concatenate([bonus_states(rules, from_split=split).next for split in (False, True)])
    ranks, by_suit = [], []
    for card in CARDS[: len(Rank)]:
        by_rank = not rules.split.unlike_tens or _is_told_apart(columns, card)
        ranks.append(int(card.rank) if by_rank else card.value)
        by_suit.append(len({columns[:, card.index + len(Rank) * suit].tobytes() for suit in Suit}) > 1)
    return [(ranks[card.rank - 1], int(card.suit) if by_suit[card.rank - 1] else _ANY_SUIT) for card in CARDS]


def _is_told_apart(columns: NDArray[np.int64], card: Card) -> bool:
    """Whether a ten-valued card is told apart from the others by a bonus."""
    if card.value < Rank.TEN:
        return False
    tens = [one for one in CARDS if one.value == card.value and one.suit is card.suit]
    return len({columns[:, one.index].tobytes() for one in tens}) > 1
