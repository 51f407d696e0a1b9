"""Lines of bets on a few cards of the deal, for all deals at once: in arrays, a tracker after the other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.rules.bets import Machine, Role
from cardroom.rules.bets.trackers import Tracker

_MOST_CODES: Final = 1 << 20
"""Codes up to here are counted in an array; larger ones are made small first."""


@lru_cache(maxsize=4)
def lines_of_deals(machine: Machine) -> NDArray[np.uint8]:
    """[card of each role that the bet looks at]: the line that they make, 0 for none.

    Each tracker is asked for itself, so that no more than its own states are met; what all of them found is
    one number for each deal, and of each number the line is asked once.
    """
    answer = np.zeros((1,) * len(machine.roles), np.int32)
    known: list[dict[int, Hashable]] = [{}]
    # Those that see few cards come first: as long as it goes the arrays stay small.
    for place in sorted(range(machine.size), key=lambda place: len(machine.trackers[place].sees)):
        answers, remembered = _answers(machine, place)
        met, answer = _numbered(answer * len(remembered) + answers, len(known) * len(remembered))
        known = [
            {**known[code // len(remembered)], place: remembered[code % len(remembered)]}
            for code in met.tolist()
        ]
    lines = np.array(
        [_number(machine.line_of_parts([parts[place] for place in range(machine.size)])) for parts in known],
        np.uint8,
    )
    return np.broadcast_to(lines[answer], (len(CARDS),) * len(machine.roles))


def _answers(machine: Machine, place: int) -> tuple[NDArray[np.int32], list[Hashable]]:
    """[card of each role]: which answers a tracker gives in the end; for each, a state that gives them."""
    tracker = machine.trackers[place]
    states = np.zeros(1, np.int32)
    met: list[Hashable] = [tracker.start]
    for role in machine.roles:
        if role in tracker.sees:
            after, met = _after(tracker, role, met)
            states = after[states].reshape(-1)
    kinds: dict[tuple[bool, ...], int] = {}
    kind_of = np.array(
        [kinds.setdefault(machine.answers(place, state), len(kinds)) for state in met], np.int32
    )
    examples: dict[int, Hashable] = {}
    for kind, state in zip(kind_of.tolist(), met, strict=True):
        examples.setdefault(kind, state)
    shape = [len(CARDS) if role in tracker.sees else 1 for role in machine.roles]
    return kind_of[states].reshape(shape), [examples[kind] for kind in range(len(kinds))]


def _after(tracker: Tracker, role: Role, met: Sequence[Hashable]) -> tuple[NDArray[np.int32], list[Hashable]]:
    """[state, card]: the number of the state after it; all these states."""
    numbers: dict[Hashable, int] = {}
    rows = [
        [numbers.setdefault(tracker.step(state, role, card), len(numbers)) for card in CARDS] for state in met
    ]
    return np.array(rows, np.int32), list(numbers)


def _numbered(codes: NDArray[np.int32], most: int) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """The codes that occur, and each code by its place among them."""
    if most > _MOST_CODES:
        met, places = np.unique(codes, return_inverse=True)
        return met, places.reshape(codes.shape).astype(np.int32)
    is_met = np.zeros(most, np.bool_)
    is_met[codes.reshape(-1)] = True
    return np.flatnonzero(is_met), (np.cumsum(is_met, dtype=np.int32) - 1)[codes]


def _number(line: int | None) -> int:
    return 0 if line is None else line + 1
