"""Knockout 21 reckoned from paper: what tickets win by their printed hands and the cards of the draw.

Written from the clauses alone, beside the program and without any part of it: the lottery of three years is
held against it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor


@dataclass(frozen=True)
class Paper:
    """The hands of a ticket, game by game: two cards, and H or S where the hand asks for a choice."""

    games: tuple[tuple[tuple[str, str, str], ...], ...]

    @classmethod
    def read(cls, text: str) -> Paper:
        """Read the line of a printed ticket that has its hands."""
        line = next(line for line in text.splitlines() if line.startswith("Hands "))
        games = []
        for part in line.removeprefix("Hands ").split(" / "):
            hands = re.findall(r"(\w[cdhs])(\w[cdhs])(?::([HS]))?", part)
            games.append(tuple(hands))
        return cls(tuple(games))


@dataclass(frozen=True)
class Prizes:
    """What the rules of a draw say about prizes, in cents and fractions."""

    game_1_cents: int
    pools: tuple[Fraction, Fraction]
    ranges_cents: tuple[tuple[int, int], tuple[int, int]]
    coin_cents: int
    literal: bool


def best(cards: Sequence[str]) -> int:
    """The total of a hand, an ace counted as serves it (KO21-1.2)."""
    hard = sum(10 if card[0] in "TJQK" else 1 if card[0] == "A" else int(card[0]) for card in cards)
    has_ace = any(card[0] == "A" for card in cards)
    return hard + 10 if has_ace and hard + 10 <= 21 else hard


def stays_in(own: Sequence[str], dealer: Sequence[str]) -> bool:
    """Whether a hand beats or ties the dealer's (KO21-4.1, KO21-4.2, KO21-4.3)."""
    mine, his = best(own), best(dealer)
    if mine > 21:
        return False
    if his > 21:
        return True
    if mine == his == 21 and len(dealer) == 2 and len(own) == 3:
        return False
    return mine >= his


def played(hand: tuple[str, str, str], hit: str, *, literal: bool) -> tuple[str, ...]:
    """The cards that a hand has in the end (KO21-5.1, KO21-5.2)."""
    first, second, choice = hand
    if choice == "S":
        return first, second
    if choice == "H":
        return first, second, hit
    if literal:
        after = best((first, second, hit))
    else:  # an ace of the starting hand keeps its value, and the hit card's is 1
        after = best((first, second)) + (1 if hit[0] == "A" else best((hit,)))
    return (first, second, hit) if after <= 21 else (first, second)


def winners(papers: Mapping[str, Paper], cards: str, game: int, *, literal: bool) -> list[str]:
    """Who wins a game: all who win every hand, and Lucky Losers (KO21-4.4, KO21-4.5)."""
    positions = cards.split("/")[game].split()
    still = sorted(papers)
    for place, position in enumerate(positions):
        dealt, _, hit = position.partition("+")
        dealer = re.findall("..", dealt)
        staying = [
            ticket
            for ticket in still
            if stays_in(played(papers[ticket].games[game][place], hit, literal=literal), dealer)
        ]
        still = staying or still
    return still


def reckoned(papers: Mapping[str, Paper], cards: str, sales_cents: int, rules: Prizes) -> dict[str, int]:
    """What every ticket of a draw wins, in cents (KO21-4.6, KO21-4.7)."""
    won = dict.fromkeys(papers, 0)
    for game in range(3):
        found = winners(papers, cards, game, literal=rules.literal)
        if not found:
            continue
        prize = rules.game_1_cents
        if game:
            pool = floor(sales_cents * rules.pools[game - 1])
            share = pool // len(found) // rules.coin_cents * rules.coin_cents
            least, most = rules.ranges_cents[game - 1]
            prize = min(max(share, least), most)
        for ticket in found:
            won[ticket] += prize
    return won
