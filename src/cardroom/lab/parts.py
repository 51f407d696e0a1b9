"""The primary wager in parts, for tables and for export: all first cards, up cards and ends of the dealer."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import numpy as np

from cardroom.core.decks import CardCounts
from cardroom.exact.figures import Number
from cardroom.exact.twentyone import ExactSolution, Part, Solution
from cardroom.exact.twentyone.in_fractions import ExactPart
from cardroom.exact.twentyone.measure import WHOLE
from cardroom.exact.twentyone.solution import by_ranks, hand_name
from cardroom.lab.dealer import dealer_finals_by_up_card
from cardroom.model.twentyone.automaton import ACTIONS, NONE
from cardroom.rules.twentyone.law import Action

AnySolution = Solution | ExactSolution
FIRST_TWO_ACTIONS: Final = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
COLUMNS: Final = (
    "part",
    "cards",
    "up_card",
    "final",
    "probability",
    "expected_value",
    "action",
    *(action.value for action in FIRST_TWO_ACTIONS),
)


@dataclass(frozen=True, slots=True)
class HandPart:
    """First two cards against an up card; `expected_value` has the dealer's blackjacks in it."""

    cards: str
    up_card: str
    probability: float
    expected_value: float
    action: Action | None
    values: dict[Action, float] = field(default_factory=dict)
    """What each action brings, given that the dealer has no blackjack."""

    def to_json(self) -> dict[str, Any]:
        return {
            "cards": self.cards,
            "up_card": self.up_card,
            "probability": self.probability,
            "expected_value": self.expected_value,
            "action": None if self.action is None else self.action.value,
            "values_without_dealers_blackjack": {
                action.value: value for action, value in self.values.items()
            },
        }


def hand_parts(solution: AnySolution) -> list[HandPart]:
    """All first two cards by up card, in the order of the ranks; suits told apart where bonuses do."""
    parts = _of_exact(solution) if isinstance(solution, ExactSolution) else _of_compiled(solution)
    return sorted(parts, key=lambda part: (by_ranks(part.cards), by_ranks(part.up_card)))


def _of_compiled(solution: Solution) -> Iterator[HandPart]:
    solver = solution.solver
    for up in solution.up_cards:
        ways = up.played.ways[:, 0]
        chances, values = solution.first_two_chances(up), solution.first_two_values(up)
        whole = ways * up.played.weights[solver.nodes.composition, WHOLE]
        by_name: dict[str, list[int]] = {}
        for node in np.flatnonzero(ways * chances).tolist():
            by_name.setdefault(hand_name(solver, node=node), []).append(node)
        for name, some in by_name.items():
            chance = float((ways * chances)[some].sum())
            looked = float(whole[some].sum())
            lost = chance - looked if solver.counts_looked else 0.0  # to a blackjack that nobody knows of
            sums = (ways[some, None] * up.played.of_action[some]).sum(axis=0)
            yield HandPart(
                name,
                up.seen.name,
                up.chance * chance,
                float(values[some].sum()) / chance,
                _action(int(up.played.action[some[0]])),
                {
                    action: float((sums[number] - lost) / (looked + lost))
                    for number, action in enumerate(ACTIONS)
                    if looked and not np.isnan(sums[number])
                },
            )


def _of_exact(solution: ExactSolution) -> Iterator[HandPart]:
    solver, unit = solution.solver, solution.solver.automaton.unit
    for part, (up, rounds) in zip(solution.by_up_card, solution.rounds.items(), strict=True):
        chances: dict[int, Fraction] = {}
        values: dict[int, Fraction] = {}
        for chance, node, law in rounds:
            mean = sum((Fraction(units, unit) * inner for units, inner in law.items()), Fraction(0))
            chances[node] = chances.get(node, Fraction(0)) + chance
            values[node] = values.get(node, Fraction(0)) + chance * mean
        by_name: dict[str, list[int]] = {}
        for node in chances:
            by_name.setdefault(hand_name(solver, node=node), []).append(node)
        for name, some in by_name.items():
            whole = sum((chances[node] for node in some), Fraction(0))
            value = sum((values[node] for node in some), Fraction(0)) / whole
            action = _action(int(solution.actions[up][some[0]]))
            yield HandPart(name, part.name, float(part.chance * whole), float(value), action)


def _action(number: int) -> Action | None:
    return None if number == NONE else ACTIONS[number]


def parts_to_json(solution: AnySolution, shoe: CardCounts | None = None) -> dict[str, Any]:
    """The parts of the primary wager, each list adding up to the whole, and how the dealer's hand ends."""

    def as_json(parts: Iterable[Part | ExactPart]) -> list[dict[str, object]]:
        return [
            {
                "name": part.name,
                "probability": float(part.chance),
                "expected_value": float(part.expected_value),
            }
            for part in parts
        ]

    return {
        "by_up_card": as_json(solution.by_up_card),
        "by_first_card": as_json(first_cards(solution)),
        "by_first_two": as_json(solution.by_first_two),
        "by_first_two_and_up_card": [part.to_json() for part in hand_parts(solution)],
        "dealer_finals": dealer_finals_by_up_card(solution.rules, shoe),
    }


def first_cards(solution: AnySolution) -> list[Part]:
    """The game by the player's first card: either of two unlike cards came first half of the time."""
    if isinstance(solution, Solution):
        return solution.by_first_card
    from cardroom.exact.twentyone.solution import parts_by_first_card

    floats = [
        Part(part.name, float(part.chance), float(part.expected_value)) for part in solution.by_first_two
    ]
    return parts_by_first_card(floats)


def parts_to_csv(solution: AnySolution, shoe: CardCounts | None = None) -> str:
    """The same as one table for spreadsheets: the column `part` says what a row is about."""
    out = io.StringIO()
    table = csv.DictWriter(out, COLUMNS, restval="", lineterminator="\n")
    table.writeheader()
    for name, column, parts in _lists(solution):
        for part in parts:
            table.writerow(
                {
                    "part": name,
                    column: part.name,
                    "probability": _text(part.chance),
                    "expected_value": _text(part.expected_value),
                }
            )
    for hand in hand_parts(solution):
        table.writerow(
            {
                "part": "first two cards and up card",
                "cards": hand.cards,
                "up_card": hand.up_card,
                "probability": _text(hand.probability),
                "expected_value": _text(hand.expected_value),
                "action": hand.action.value if hand.action else "",
                **{action.value: _text(hand.values[action]) for action in hand.values},
            }
        )
    for up, finals in dealer_finals_by_up_card(solution.rules, shoe).items():
        for final, chance in finals.items():
            table.writerow(
                {"part": "dealer's final", "up_card": up, "final": final, "probability": _text(chance)}
            )
    return out.getvalue()


def _lists(solution: AnySolution) -> Iterator[tuple[str, str, Sequence[Part | ExactPart]]]:
    yield "up card", "up_card", solution.by_up_card
    yield "first card", "cards", first_cards(solution)
    yield "first two cards", "cards", solution.by_first_two


def _text(number: Number) -> str:
    return repr(float(number))
