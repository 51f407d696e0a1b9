"""Insurance as kernels look it up: by the suit of the ace up and the hole card, made from its lines.

The lines are numbered from the last to the first, so that those of every house come before a house's own; 0
is insurance that is lost. Lines that pay alike are counted as one, by the lowest of their numbers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Card, Rank, Suit
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.schema import TwentyOneRules

CODES: Final = 128
"""A card as a GPU has it: its kind, and its suit above that."""


def insured_lines(rules: TwentyOneRules) -> NDArray[np.uint8]:
    """[suit of the ace up, hole card]: the number of the line that is paid; all 0 where none is offered."""
    of_pays: dict[object, int] = {}
    numbers = {
        line.name: of_pays.setdefault(line.pays, number)
        for number, line in enumerate(reversed(rules.insurance.paytable), 1)
    }
    table = np.zeros((len(Suit), len(CARDS)), np.uint8)
    for ace, hole in _under_aces():
        line = rules.insurance.line(ace, hole) if rules.insurance.offered else None
        table[ace.suit, hole.index] = 0 if line is None else numbers[line.name]
    return table


def line_nets(rules: TwentyOneRules, stake_cents: int | None) -> list[Fraction]:
    """What a unit wins by each line, in the order of their numbers."""
    pays = (rules.pays_on(stake_cents, line.pays) for line in reversed(rules.insurance.paytable))
    return [Fraction(-1), *pays]


def insurance_nets(rules: TwentyOneRules, stake_cents: int | None = None) -> list[list[Fraction]]:
    """[suit of the ace up, hole card]: what a unit wins or loses; with a stake, as it is paid on it."""
    nets = [[Fraction(-1)] * len(CARDS) for _ in Suit]
    for ace, hole in _under_aces():
        nets[ace.suit][hole.index] = law.insurance_net(rules, stake_cents, ace, hole)
    return nets


def by_rank(table: NDArray[Any]) -> NDArray[Any]:
    """[card, …]: what a table by the ace's suit and the hole card says of its rank, whatever its suit."""
    ranks = len(Rank)
    rows = table.reshape(len(Suit), len(Suit), ranks).transpose(2, 0, 1).reshape(ranks, -1)
    return np.tile(rows, (len(Suit), 1))


def by_code(table: NDArray[Any], code_of: NDArray[np.uint8]) -> NDArray[Any]:
    """[suit of the ace up, code of the hole card]: a table as a GPU looks it up."""
    coded = np.zeros((len(Suit), CODES), table.dtype)
    coded[:, code_of] = table
    return coded


def _under_aces() -> list[tuple[Card, Card]]:
    return [(up, hole) for up in CARDS if up.rank is Rank.ACE for hole in CARDS]
