"""Products of powers of the shares of ranks: in which order they are listed, and what each is made of."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from cardroom.exact.twentyone.nodes import Ints


class Half(NamedTuple):
    """Products of at most so many of some of the shares, by degree; each is made of one before it."""

    before: Ints
    share: Ints
    """[monomial]: the share that is taken once more …"""
    power: Ints
    """… and how often it was taken before."""
    degree: Ints


class Monomials(NamedTuple):
    """Products of at most 2·degree shares, by degree; those of half of it come first."""

    powers: Ints
    """[monomial, share]."""
    degree: Ints
    less: Ints
    """[monomial, share]: the monomial with one less of a share; 0 where it has none."""
    product: Ints
    """[monomial, monomial] of the first half: their product."""
    front: Half
    """Monomials in the last of the shares alone …"""
    back: Half
    """… and in the others: every monomial is a product of both."""
    fits: Ints
    """[degree of a front]: how many of the backs make no too high degree with it; they come first."""
    place: Ints
    """The monomials in the order front by front, and in each back by back."""
    steps: Ints
    """[step]: (a monomial, the same with one less of a share), in the order in which all are centred."""
    step_start: Ints
    """[share]: where its steps start in the list."""


def _half(shares: range, degree: int) -> tuple[Half, list[tuple[int, ...]]]:
    lists = [one for size in range(degree + 1) for one in combinations_with_replacement(shares, size)]
    place = {one: number for number, one in enumerate(lists)}
    return Half(
        before=np.array([place[one[:-1]] if one else 0 for one in lists]),
        share=np.array([one[-1] if one else 0 for one in lists]),
        power=np.array([one.count(one[-1]) - 1 if one else 0 for one in lists]),
        degree=np.array([len(one) for one in lists]),
    ), lists


@lru_cache
def monomials(shares: int, degree: int) -> Monomials:
    """The monomials for a number of shares."""
    lists = [
        one for size in range(2 * degree + 1) for one in combinations_with_replacement(range(shares), size)
    ]
    place = {one: number for number, one in enumerate(lists)}
    powers = np.zeros((len(lists), shares), np.int64)
    less = np.zeros_like(powers)
    for number, one in enumerate(lists):
        for at, k in enumerate(one):
            powers[number, k] += 1
            less[number, k] = place[one[:at] + one[at + 1 :]]
    half = sum(len(one) <= degree for one in lists)
    product = [[place[tuple(sorted(one + other))] for other in lists[:half]] for one in lists[:half]]
    front, fronts = _half(range(shares // 2, shares), 2 * degree)
    back, backs = _half(range(shares // 2), 2 * degree)
    fits = [sum(len(other) <= 2 * degree - used for other in backs) for used in range(2 * degree + 1)]
    in_halves = [place[other + one] for one in fronts for other in backs[: fits[len(one)]]]
    steps = [_steps(powers[:, k], less[:, k]) for k in range(shares)]
    return Monomials(
        powers=powers,
        degree=np.array([len(one) for one in lists]),
        less=less,
        product=np.array(product),
        front=front,
        back=back,
        fits=np.array(fits),
        place=np.array(in_halves),
        steps=np.concatenate([np.zeros((0, 2), np.int64), *steps]),
        step_start=np.cumsum([0, *map(len, steps)]),
    )


def _steps(power: Ints, less: Ints) -> Ints:
    """The steps that turn powers of a share into powers of what it is above its mean."""
    some = [np.flatnonzero(power >= least)[::-1] for least in range(int(power.max()) + 1)][1:]
    order: Ints = np.concatenate([np.zeros(0, np.int64), *some])
    return np.column_stack([order, less[order]])
