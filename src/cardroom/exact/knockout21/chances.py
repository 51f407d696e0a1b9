"""Exact chances of a Knockout 21 hand, game and ticket against many players, as fractions.

However many play, a hand that no ticket can win makes Lucky Losers of all (KO21-4.4); a hand that some ticket
can win is, among very many, won by some. So the chance of a hand has a limit, a ticket's hands are
independent, and the chance of a game is a power. What Lucky Losers change for a number of tickets is in
`chain`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from typing import TypeVar

from cardroom.core.errors import MalformedInput
from cardroom.rules.knockout21 import GAMES, HANDS_OF_GAME, WAGERS, Game, Game1Hit, Knockout21Rules
from cardroom.rules.knockout21.law import (
    DEALER_RESULTS,
    RANKS,
    STARTING_CARDS,
    VALUE_WEIGHTS,
    VALUES,
    Choice,
    basic_choice,
    chart_row,
    dealer_draws,
    dealer_result,
    played_hand,
    wins_hand,
)

Chance = TypeVar("Chance", Fraction, float)


@dataclass(frozen=True, slots=True)
class HandClass:
    """The hands of a draw in which every ticket has the same chance: how often, and that chance."""

    weight: Fraction
    win: Fraction


def value_chance(value: int) -> Fraction:
    """The chance of a card of this value (KO21-1.1)."""
    return Fraction(VALUE_WEIGHTS[value], RANKS)


@cache
def dealer_chances(first: int | None = None) -> tuple[Fraction, ...]:
    """The chance of each of `DEALER_RESULTS`, given the dealer's first card where it is known."""
    ways: list[Counter[int]] = [Counter() for _ in DEALER_RESULTS]
    """Of each result, by how many cards were drawn: the ways to draw them."""

    def walk(hand: tuple[int, ...], number: int, drawn: int) -> None:
        if not dealer_draws(hand):
            ways[dealer_result(hand)][drawn] += number
            return
        for value in VALUES:
            walk((*hand, value), number * VALUE_WEIGHTS[value], drawn + 1)

    walk(() if first is None else (first,), 1, 0)
    return tuple(
        sum((Fraction(number, RANKS**drawn) for drawn, number in of_result.items()), Fraction(0))
        for of_result in ways
    )


@cache
def hand_classes(reading: Game1Hit, game: Game, first: int | None = None) -> tuple[HandClass, ...]:
    """What a hand of a game can be, by hit card and dealer's hand, for tickets that follow the charts.

    Given these common cards the tickets are independent; `first` is the dealer's first card, if known.
    """
    if game == 2 and first is None:
        return _merged(
            HandClass(value_chance(up) * each.weight, each.win)
            for up in VALUES
            for each in hand_classes(reading, 2, up)
        )
    return _merged(
        HandClass(value_chance(hit) * chance, _win_chance(reading, game, first, hit, dealer))
        for hit in VALUES
        for dealer, chance in zip(DEALER_RESULTS, dealer_chances(first), strict=True)
        if chance
    )


def _win_chance(
    reading: Game1Hit, game: Game, first: int | None, hit: int, dealer: Sequence[int]
) -> Fraction:
    """The chance that a random starting hand, played by the charts, wins against these common cards."""
    ways = sum(number for hand, number in _played(reading, game, first, hit) if wins_hand(hand, dealer))
    return Fraction(ways, RANKS**STARTING_CARDS)


@cache
def _played(
    reading: Game1Hit, game: Game, first: int | None, hit: int
) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every starting hand, played by the charts with this hit card, and in how many ways it is dealt."""
    return tuple(
        (
            played_hand(reading, game, start, basic_choice(game, start, first), hit),
            math.prod(VALUE_WEIGHTS[value] for value in start),
        )
        for start in product(VALUES, repeat=STARTING_CARDS)
    )


def _merged(classes: Iterable[HandClass]) -> tuple[HandClass, ...]:
    """Classes of equal chance as one."""
    weights: dict[Fraction, Fraction] = {}
    for each in classes:
        weights[each.win] = weights.get(each.win, Fraction(0)) + each.weight
    return tuple(HandClass(weights[win], win) for win in sorted(weights))


def hand_chance(reading: Game1Hit, game: Game, first: int | None = None) -> Fraction:
    """The chance that a ticket beats or ties the dealer in one hand of a game, Lucky Losers left out."""
    return sum((each.weight * each.win for each in hand_classes(reading, game, first)), Fraction(0))


def hand_chance_among_many(reading: Game1Hit, game: Game) -> Fraction:
    """The limit of the chance to stay in after one hand, for ever more tickets.

    A hand that no ticket can win keeps everybody in (KO21-4.4). There is one kind of them: in Game 1, read
    literally, every hit card turns an ace and a ten into three cards, and then a dealer's two-card 21 beats
    every ticket (KO21-4.2). In every other hand some of very many tickets win, and the others are out.
    """
    classes = hand_classes(reading, game)
    return sum((each.weight * (each.win or 1) for each in classes), Fraction(0))


def chances(rules: Knockout21Rules) -> dict[str, Fraction]:
    """The chance of each wager for a ticket among many (KO21-6): it stays in through every hand of the game.

    >>> from cardroom.rules import load_rules_as
    >>> odds = chances(load_rules_as(Knockout21Rules, "knockout-21"))
    >>> {wager: round(float(1 / chance), 3) for wager, chance in odds.items()}
    {'game-1': 10.235, 'game-2': 31.281, 'game-3': 66.099, 'any-prize': 7.155}
    """
    return _wagers([hand_chance_among_many(rules.game_1_hit, game) for game in GAMES])


def chances_without_lucky_losers(rules: Knockout21Rules) -> dict[str, Fraction]:
    """The chance of each wager if a hand that nobody wins put everybody out: what KO21-4.4 is worth."""
    return _wagers([hand_chance(rules.game_1_hit, game) for game in GAMES])


def _wagers(hands: Sequence[Fraction]) -> dict[str, Fraction]:
    games = [hand ** len(HANDS_OF_GAME[game]) for game, hand in zip(GAMES, hands, strict=True)]
    return dict(zip(WAGERS, [*games, any_of(games)], strict=True))


def any_of(games: Sequence[Chance]) -> Chance:
    """The chance to win at least one game: the games of a ticket share no card, so they are independent."""
    one, two, three = games
    return 1 - (1 - one) * (1 - two) * (1 - three)


@dataclass(frozen=True, slots=True)
class ChartCell:
    """One cell of a chart: the chance to win the hand by hitting and by standing, and what the chart says."""

    game: Game
    start: tuple[int, int]
    dealer_first: int | None
    hit: Fraction
    stand: Fraction
    advice: Choice

    @property
    def row(self) -> str:
        return chart_row(self.start)

    @property
    def is_best(self) -> bool:
        """Whether nothing wins more often than the advice."""
        return max(self.hit, self.stand) == (self.hit if self.advice is Choice.HIT else self.stand)


def chart_cells(game: Game) -> tuple[ChartCell, ...]:
    """Every starting hand of Game 2 against every first card, or of Game 3, with both chances."""
    cells = []
    for up in VALUES if game == 2 else (None,):
        for start in combinations_with_replacement(VALUES, 2):
            advice = basic_choice(game, start, up)
            if advice is None:
                raise MalformedInput("Game 1 has no chart: it asks nothing of the player", clause="KO21-5.1")
            hit, stand = (choice_chance(game, start, choice, up) for choice in (Choice.HIT, Choice.STAND))
            cells.append(ChartCell(game, start, up, hit, stand, advice))
    return tuple(cells)


def choice_chance(game: Game, start: Sequence[int], choice: Choice, first: int | None = None) -> Fraction:
    """The chance that a starting hand of Game 2 or 3 wins with a choice, by itself."""
    return sum(
        (
            value_chance(hit) * chance
            for hit in VALUES
            for dealer, chance in zip(DEALER_RESULTS, dealer_chances(first), strict=True)
            if wins_hand(played_hand("literal", game, start, choice, hit), dealer)
        ),
        Fraction(0),
    )
