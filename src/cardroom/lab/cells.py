"""A cell of a strategy chart opened: what every action is worth there, and the hands behind it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import Solution
from cardroom.exact.twentyone.measure import WHOLE
from cardroom.exact.twentyone.nodes import Floats
from cardroom.exact.twentyone.play import spread
from cardroom.exact.twentyone.solution import hand_name
from cardroom.exact.twentyone.solver import UpCard
from cardroom.model.twentyone.automaton import ACTIONS
from cardroom.model.twentyone.columns import columns_of

MOST_HANDS: Final = 40
"""So many hands of a cell are listed, the most frequent first."""


@dataclass(slots=True)
class _Hands:
    """Hands that go by one name: their chance, and the sums of what each action brings."""

    chance: float = 0.0
    sums: dict[str, float] = field(default_factory=dict)
    chances: dict[str, float] = field(default_factory=dict)

    def add(self, chance: float, values: Floats) -> None:
        self.chance += chance
        for number in np.flatnonzero(~np.isnan(values)).tolist():
            name = str(ACTIONS[number])
            self.sums[name] = self.sums.get(name, 0.0) + chance * float(values[number])
            self.chances[name] = self.chances.get(name, 0.0) + chance

    def to_json(self) -> dict[str, Any]:
        means = {name: total / self.chances[name] for name, total in self.sums.items()}
        ranked = sorted(means.items(), key=lambda item: -item[1])
        return {
            "best": ranked[0][0],
            "actions": [
                {"action": name, "expected_value": value, "cost": ranked[0][1] - value}
                for name, value in ranked
            ],
        }


def opened_cell(solution: Solution, hands: Collection[str], up_card: str) -> dict[str, Any]:
    """The hands of some rows of a chart against an up card, for each unit of the wager.

    Values are those of `Solution.action_values`; a hand's share is how often it is among those of the
    cell when the game is played by the solution.
    """
    columns = columns_of(solution.rules)
    if up_card not in columns.names:
        raise MalformedInput(f"{up_card!r} is no column of the chart; they are {', '.join(columns.names)}")
    column = columns.places[columns.names.index(up_card)]
    automaton = solution.solver.automaton
    rows = solution.strategy.chart().rows_of_states(automaton)
    states = {state for state, row in rows.items() if str(row) in hands}
    missing = set(hands) - {str(row) for row in rows.values()}
    if missing or not hands:
        raise MalformedInput(f"{', '.join(sorted(missing)) or 'nothing'} is no row of this chart")
    whole, named = _Hands(), dict[str, _Hands]()
    for up in solution.up_cards:
        if up.column != column:
            continue
        for node, chance in _chances(solution, up, states):
            values = solution.values_at(node, up)
            whole.add(up.chance * chance, values)
            name = hand_name(solution.solver, node=node)
            named.setdefault(name, _Hands()).add(up.chance * chance, values)
    if not named:
        raise MalformedInput(f"no hand of {', '.join(sorted(hands))} comes against {up_card} from this shoe")
    listed = sorted(named.items(), key=lambda item: (-item[1].chance, item[0]))
    return {
        "up_card": up_card,
        **whole.to_json(),
        "hands": [
            {"cards": name, "share": one.chance / whole.chance, **one.to_json()}
            for name, one in listed[:MOST_HANDS]
        ],
        "more_hands": max(0, len(listed) - MOST_HANDS),
    }


def _chances(solution: Solution, up: UpCard, states: Collection[int]) -> list[tuple[int, float]]:
    """Nodes of some states on which something is decided, with their chance.

    Where play never comes to any of them, as after splits that are not counted here, all are alike.
    """
    solver, played = solution.solver, up.played
    nodes = solver.nodes
    ways = played.ways.copy()
    spread(ways, solver.states, nodes, played.action)
    weights = played.weights[nodes.composition, WHOLE]
    decided = ~np.isnan(played.of_action).all(axis=1) & (weights > 0) & np.isin(nodes.state, list(states))
    chance = ways[:, 0] * weights
    come = np.flatnonzero(decided & (chance > 0))
    if not len(come):
        come, chance = np.flatnonzero(decided), weights
    return [(int(node), float(chance[node])) for node in come]
