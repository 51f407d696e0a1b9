"""How many tickets win a game of Knockout 21, Lucky Losers included, when N take part.

Given a hand's hit card and dealer's hand, all tickets win it with the same chance, each by itself. So the
number still in is a Markov chain: of n a binomial number stays, and when it is none, all n stay (KO21-4.4);
the chance is one of a few dozen with known weights. Up to `EXACT_TICKETS` the chain is carried out as it
stands, in double precision; for more see `winners_of_many`. `winners_in_fractions` is the same for few
tickets without any rounding.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.exact.compiled import njit
from cardroom.exact.knockout21.chances import HandClass, hand_classes
from cardroom.rules.knockout21 import HANDS_OF_GAME, Game, Knockout21Rules

Floats = NDArray[np.float64]

EXACT_TICKETS: Final = 2048
"""Up to here the chain is exact but for the rounding of double precision."""
MOST_TICKETS: Final = 1_000_000
_MATRIX_SIZES: Final = (64, 256, 1024, EXACT_TICKETS)
_FEW_TICKETS: Final = 3
_NEGLIGIBLE: Final = 1e-30
"""Chances below this are dropped from the tails of binomial distributions."""


@dataclass(frozen=True, slots=True)
class Winners:
    """The distribution of the number of winners of one game."""

    game: Game
    tickets: int
    probabilities: Floats
    """[number of winners], from 0 to the number of tickets; there is always at least one winner."""
    without_lucky_losers: float
    """The chance that no hand of the game had Lucky Losers."""
    error: float
    """What the distribution may be off by, as half the sum of absolute differences; 0 is rounding only."""

    @property
    def mean(self) -> float:
        return float(self.probabilities @ np.arange(self.tickets + 1))

    @property
    def win_chance(self) -> float:
        """The chance of one ticket among them, all tickets being alike."""
        return self.mean / self.tickets


@dataclass(frozen=True, slots=True)
class Chain:
    """One hand of a game: [tickets in it, tickets staying], and how often all are Lucky Losers."""

    matrix: Floats
    lucky: Floats


@cache
def chain(classes: tuple[HandClass, ...], size: int) -> Chain:
    """The chain of a hand for up to `size` tickets."""
    matrix = np.zeros((size + 1, size + 1))
    lucky = np.zeros(size + 1)
    for each in classes:
        _add_class(matrix, lucky, float(each.weight), float(each.win))
    matrix[np.arange(size + 1), np.arange(size + 1)] += lucky
    matrix.flags.writeable = lucky.flags.writeable = False
    return Chain(matrix, lucky)


@njit(cache=True, nogil=True)
def _add_class(matrix: Any, lucky: Any, weight: Any, win: Any) -> None:
    """Add the binomial distributions of one chance for every number of tickets, by Pascal's rule."""
    size = matrix.shape[0] - 1
    now, then = np.zeros(size + 2), np.zeros(size + 2)
    now[0] = 1.0
    low, high = 0, 0
    for tickets in range(1, size + 1):
        then[low] = (1.0 - win) * now[low]
        for staying in range(low + 1, high + 1):
            then[staying] = (1.0 - win) * now[staying] + win * now[staying - 1]
        then[high + 1] = win * now[high]
        high += 1
        while low < high and then[low] < _NEGLIGIBLE:
            then[low] = 0.0
            low += 1
        while high > low and then[high] < _NEGLIGIBLE:
            then[high] = 0.0
            high -= 1
        now, then = then, now
        for staying in range(max(low, 1), high + 1):
            matrix[tickets, staying] += weight * now[staying]
        if low == 0:
            lucky[tickets] += weight * now[0]


def matrix_size(tickets: int) -> int:
    """The size of the matrix that serves a number of tickets; few sizes, so that matrices are used again."""
    return next(size for size in _MATRIX_SIZES if size >= tickets)


def winners(rules: Knockout21Rules, game: Game, tickets: int) -> Winners:
    """The distribution of the winners of a game among `tickets` that follow the charts."""
    if not 1 <= tickets <= MOST_TICKETS:
        raise MalformedInput(f"{tickets} tickets cannot be worked out; from 1 to {MOST_TICKETS} can")
    classes = hand_classes(rules.game_1_hit, game)
    if tickets > EXACT_TICKETS:
        return winners_of_many(classes, game, tickets)
    hand = chain(classes, matrix_size(tickets))
    matrix, lucky = hand.matrix[: tickets + 1, : tickets + 1], hand.lucky[: tickets + 1]
    staying = np.zeros(tickets + 1)
    staying[tickets] = 1.0
    plain = staying
    for _ in HANDS_OF_GAME[game]:
        staying, plain = staying @ matrix, plain @ matrix - plain * lucky
    if tickets <= _FEW_TICKETS:  # without any rounding: a lone ticket wins for certain
        staying = np.array([float(chance) for chance in winners_in_fractions(rules, game, tickets)])
    return Winners(game, tickets, staying, float(plain.sum()), 0.0)


def winners_in_fractions(rules: Knockout21Rules, game: Game, tickets: int) -> tuple[Fraction, ...]:
    """The same distribution in fractions, for few tickets: [number of winners]."""
    classes = hand_classes(rules.game_1_hit, game)

    def hand(size: int) -> list[Fraction]:
        staying = [
            sum(
                (c.weight * math.comb(size, m) * c.win**m * (1 - c.win) ** (size - m) for c in classes),
                Fraction(0),
            )
            for m in range(size + 1)
        ]
        staying[size] += staying[0]  # Lucky Losers (KO21-4.4)
        staying[0] = Fraction(0)
        return staying

    steps = [[Fraction(1)], *(hand(size) for size in range(1, tickets + 1))]
    now = [Fraction(0)] * tickets + [Fraction(1)]
    for _ in HANDS_OF_GAME[game]:
        then = [Fraction(0)] * (tickets + 1)
        for size, chance in enumerate(now):
            for staying, share in enumerate(steps[size]):
                then[staying] += chance * share
        now = then
    return tuple(now)


_STEP: Final = 5e-5
"""The step of the grid of logarithms in `winners_of_many`."""
_MANY: Final = 1500
"""This many tickets never lose a hand all together, where it can be won at all: with a chance of 0.047 or
more, as the tests hold it to be, that happens less than once in 10^30 hands."""
_NEGLIGIBLE_TAIL: Final = 1e-18


def winners_of_many(
    classes: tuple[HandClass, ...], game: Game, tickets: int, *, step: float = _STEP, many: int = _MANY
) -> Winners:
    """The distribution for many tickets, by the share of them that is expected to be in.

    As long as no hand is lost by all, the number in after some hands is binomial with the product of their
    chances. Products are kept on a grid of logarithms: a chance between grid points is split over three of
    them so that the mean and the mean square of a product stay what they are. What it does to the third
    moment is the only error; it goes with step³ · tickets^1.5, and a tenth of that is given as its bound
    (halving the step shows it to be far smaller). A product that leaves fewer than `many` expected tickets
    goes to the exact chain, as the binomial number of tickets that it is.
    """
    points = int(math.log(tickets / many) / step) + 1
    few, grid = _flow(classes, game, tickets, points, step, lucky_losers=True)
    result = np.zeros(tickets + 1)
    result[: len(few)] = few[: tickets + 1]
    _add_binomials(result, grid, tickets, 0, step)
    plain_few, plain_grid = _flow(classes, game, tickets, points, step, lucky_losers=False)
    error = step**3 * tickets**1.5 / 10
    return Winners(game, tickets, result, float(plain_few.sum() + plain_grid.sum()), error)


def _flow(
    classes: tuple[HandClass, ...], game: Game, tickets: int, points: int, step: float, *, lucky_losers: bool
) -> tuple[Floats, Floats]:
    """Where the tickets are after a game: the chance of each small number, and of each share on the grid.

    Without `lucky_losers`, games in which some hand had them are left out.
    """
    small = chain(classes, EXACT_TICKETS)
    hand = small.matrix if lucky_losers else small.matrix - np.diag(small.lucky)
    if not lucky_losers:
        classes = tuple(each for each in classes if each.win)
    lowest_win = min(each.win for each in classes if each.win)
    grid = np.zeros(points + int(math.log(1 / lowest_win) / step) + 3)
    grid[0] = 1.0
    few = np.zeros(EXACT_TICKETS + 1)
    for _ in HANDS_OF_GAME[game]:
        grid = _next_grid(grid, points, classes, step)
        few = few @ hand
        _add_binomials(few, grid[points:], tickets, points, step)
        grid[points:] = 0.0
    return few, grid[:points]


def _next_grid(grid: Floats, points: int, classes: tuple[HandClass, ...], step: float) -> Floats:
    """The grid after one more hand; before it, only its first `points` hold anything."""
    then = np.zeros_like(grid)
    before = grid[:points]
    for each in classes:
        weight, win = float(each.weight), float(each.win)
        if win == 0.0:  # a hand that nobody can win: all stay (KO21-4.4)
            then[:points] += weight * before
            continue
        first = max(int(-math.log(win) / step) - 1, 0)
        nodes = [math.exp(-step * (first + i)) for i in range(3)]
        for i, node in enumerate(nodes):
            one, two = (other for other in nodes if other != node)
            share = (win - one) * (win - two) / ((node - one) * (node - two))
            then[first + i : first + i + points] += weight * share * before
    return then


@njit(cache=True, nogil=True)
def _add_binomials(result: Any, masses: Any, tickets: Any, first: Any, step: Any) -> None:
    """Add binomial distributions of `tickets` with the chances of the grid from a point on, by their mass."""
    for point in range(masses.size):
        win = math.exp(-step * (first + point))
        if masses[point] == 0.0:
            continue
        if win >= 1.0:
            result[tickets] += masses[point]
            continue
        middle = int(tickets * win)
        at_middle = masses[point] * math.exp(
            math.lgamma(tickets + 1.0)
            - math.lgamma(middle + 1.0)
            - math.lgamma(tickets - middle + 1.0)
            + middle * math.log(win)
            + (tickets - middle) * math.log1p(-win)
        )
        least = abs(at_middle) * _NEGLIGIBLE_TAIL
        odds = win / (1.0 - win)
        chance, count = at_middle, middle
        while abs(chance) > least and count >= 0:
            result[count] += chance
            chance *= count / ((tickets - count + 1.0) * odds)
            count -= 1
        chance, count = at_middle, middle
        while abs(chance) > least and count + 1 < result.size:
            count += 1
            chance *= (tickets - count + 1.0) * odds / count
            result[count] += chance
