"""Every strategy of a class at once: what a round is worth as a sum over the choices that lead to each end.

A round ends by cards and by choices. Walking the engine's whole tree with every option taken gives, for each
set of choices that some rounds need, what these rounds bring: a worth is a sum of terms
`value x [this cell chooses so] x [that cell chooses so] …`. A strategy is one choice for every cell; what it
is worth is the sum of the terms that agree with it. The best of all is then found by trying every choice of
every cell, with one law only to save time: terms that have no cell in common can be made large apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from fractions import Fraction
from itertools import permutations
from math import lcm
from typing import Final

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Round, SpotWager, Turn
from cardroom.engine.twentyone.alike import alike
from cardroom.engine.twentyone.state import Hand
from cardroom.engine.walk import Branches, by_chance, moves, walk
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action

Cell = Hashable
"""What a strategy looks at."""
Needs = frozenset[tuple[Cell, int]]
"""Cells, each with a set of choices (as bits) of which it must have made one."""
Worth = dict[Needs, Fraction]
Decide = Callable[[Hand, int, Card, tuple[Action, ...]], Iterable[tuple[Action, Needs]]]
"""(hand, number of hands, up card, options) → every action that may be chosen, and what it needs."""

STAKE_CENTS: Final = 1000
ALWAYS: Final[Needs] = frozenset()
ORDERS: Final = tuple(
    (*some, Action.STAND)
    for length in range(4)
    for some in permutations((Action.HIT, Action.DOUBLE, Action.SURRENDER), length)
)
"""All that a cell of a chart can say: actions by preference; to stand is always allowed."""


def by_preference(cell: Cell, options: Iterable[Action]) -> Iterable[tuple[Action, Needs]]:
    """Every action that some order of preference chooses: given up is by surrender, or by rescue later."""
    given_up = {Action.RESCUE: Action.SURRENDER}
    allowed = {given_up.get(action, action): action for action in options}
    for word, action in allowed.items():
        bits = sum(
            1 << number
            for number, order in enumerate(ORDERS)
            if next(each for each in order if each in allowed) is word
        )
        yield action, frozenset({(cell, bits)})


def both(one: Needs, other: Needs) -> Needs | None:
    """Needs together, or None where no choice meets them."""
    if not one or not other:
        return one or other
    cells = dict(one)
    for cell, bits in other:
        cells[cell] = cells.get(cell, bits) & bits
        if not cells[cell]:
            return None
    return frozenset(cells.items())


def add(worth: Worth, more: Mapping[Needs, Fraction], times: Fraction, needs: Needs = ALWAYS) -> None:
    for inner, value in more.items():
        together = both(needs, inner)
        if together is not None:
            worth[together] = worth.get(together, Fraction(0)) + times * value


def worth_of_round(rules: TwentyOneRules, shoe: CardCounts, decide: Decide) -> Worth:
    """What a round brings for each unit wagered, for every strategy at once, by the engine."""

    def decisions(state: Round) -> dict[Action, Needs]:
        spot = state.spots[state.turn]
        assert state.up is not None
        options = tuple(action for action in state.options if isinstance(action, Action))
        return dict(decide(spot.hands[state.hand], len(spot.hands), state.up, options))

    def tried(state: Round) -> Iterable[tuple[twentyone.Input, int]]:
        if not isinstance(twentyone.awaits(state), Turn):
            return moves(twentyone, state)
        return [(action, 1) for action in decisions(state)]

    def fold(state: Round, branches: Branches[twentyone.Event, Worth]) -> Worth:
        worth: Worth = {}
        decided = decisions(state) if isinstance(twentyone.awaits(state), Turn) else None
        for likely, branch in by_chance(branches):
            # What is chosen comes for certain; what is dealt comes by chance.
            times = likely if decided is None else Fraction(1)
            needs = ALWAYS if decided is None else decided[branch.entry]
            cents = twentyone.balance(branch.events).players.get("Ann", 0)
            add(worth, {ALWAYS: Fraction(cents)}, times, needs)
            add(worth, branch.value, times, needs)
        return worth

    state, events = twentyone.start(rules, [SpotWager(1, "Ann", STAKE_CENTS)], shoe)
    worth: Worth = {}
    add(worth, {ALWAYS: Fraction(twentyone.balance(events).players["Ann"])}, Fraction(1))
    ahead: Worth = walk(twentyone, state, fold, tried=tried, alike=alike)
    add(worth, ahead, Fraction(1))
    return {needs: value / STAKE_CENTS for needs, value in worth.items()}


def best_of_all(worth: Mapping[Needs, Fraction]) -> Fraction:
    """The most that any strategy is worth."""
    unit = lcm(1, *(value.denominator for value in worth.values()))
    return Fraction(_best({needs: int(value * unit) for needs, value in worth.items()}, {}), unit)


def strategies(worth: Mapping[Needs, Fraction]) -> int:
    """How many strategies there are that differ in what they do."""
    number = 1
    for cell in {cell for needs in worth for cell, _ in needs}:
        number *= len(_choices(worth, cell))
    return number


def _choices(worth: Iterable[Needs], cell: Cell) -> list[int]:
    """One bit for each choice of a cell that any term can tell from the others."""
    told_apart = [bits for needs in worth for each, bits in needs if each == cell]
    whole = 0
    for bits in told_apart:
        whole |= bits
    patterns: dict[tuple[bool, ...], int] = {}
    different = sorted(set(told_apart))
    for number in range(whole.bit_length()):
        patterns.setdefault(tuple(bool(bits >> number & 1) for bits in different), 1 << number)
    return list(patterns.values())


def _best(worth: dict[Needs, int], known: dict[object, int]) -> int:
    result = worth.get(ALWAYS, 0)
    for part in _apart(worth):
        key = frozenset(part.items())
        if key not in known:
            often = Counter(cell for needs in part for cell, _ in needs)
            cell = max(often, key=lambda each: often[each])
            known[key] = max(_best(_given(part, cell, bit), known) for bit in _choices(part, cell))
        result += known[key]
    return result


def _given(worth: Mapping[Needs, int], cell: Cell, bit: int) -> dict[Needs, int]:
    """What is left when a cell has chosen. Terms of no value stay: they show what may be chosen."""
    result: dict[Needs, int] = {}
    for needs, value in worth.items():
        rest = needs
        for each in needs:
            if each[0] == cell:
                rest = needs - {each}
                break
        else:
            result[needs] = result.get(needs, 0) + value
            continue
        if each[1] & bit:
            result[rest] = result.get(rest, 0) + value
    return result


def _apart(worth: Mapping[Needs, int]) -> list[dict[Needs, int]]:
    """The terms in groups that share no cell."""
    group: dict[Cell, Cell] = {}

    def root(cell: Cell) -> Cell:
        while group.setdefault(cell, cell) != cell:
            group[cell] = group[group[cell]]
            cell = group[cell]
        return cell

    for needs in worth:
        cells = [root(cell) for cell, _ in needs]
        for cell in cells[1:]:
            group[root(cell)] = root(cells[0])
    parts: dict[Cell, dict[Needs, int]] = {}
    for needs, value in worth.items():
        if needs:
            parts.setdefault(root(next(iter(needs))[0]), {})[needs] = value
    return list(parts.values())
