"""The solver against complete trees: equal as fractions to the engine's walk, and the best there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pytest

from cardroom.core.cards import Card
from cardroom.engine.twentyone import Action
from cardroom.engine.twentyone.state import Hand
from cardroom.exact.twentyone import ExactSolution, parse_shoe, solve
from cardroom.exact.twentyone.measure import WHOLE
from cardroom.model.twentyone.automaton import ACTIONS
from tests.exact_twentyone import engine_mean, node_of
from tests.twentyone import house

ONE_DOUBLE_MORE = {"double.max_doubles": 2, "double.on": "any_cards"}
RESPLIT_ACES = {"split.resplit_aces": True, "split.hit_aces": True, "split.double_aces": True}
CASES: list[tuple[str, Mapping[str, object], str]] = [
    ("blackjack", {"split.max_hands": 2}, "Ac:2,2c:2,5c:2,6c:2,Tc:3"),
    ("blackjack", {"dealer_hits_soft_17": False, "surrender": "late"}, "Ac:2,6c:4,Tc:4"),
    ("blackjack", {"split.max_hands": 2, "double.after_split": False}, "3c:4,8c:2,Tc:4"),
    ("blackjack", {"split.max_hands": 3, "blackjack_pays": "6:5"}, "8c:5,Ac:2,Tc:5"),
    ("blackjack", {"split.max_hands": 1}, "8c:5,3c:3,Tc:4"),
    ("blackjack", {}, "8c:6,3c:2,Tc:5"),
    ("blackjack", {"split.unlike_tens": False}, "Tc:2,Kc:2,6c:3,5c:2"),
    ("blackjack", {"split.resplit_aces": True}, "Ac:5,9c:4,5c:3"),
    ("blackjack", RESPLIT_ACES, "Ac:5,8c:3,Tc:4"),
    ("blackjack", {**RESPLIT_ACES, "split.blackjack_total_stands": True}, "Ac:4,6c:4,Tc:4"),
    ("blackjack", {"double.on": "any_cards"}, "2c:2,3c:2,4c:2,Tc:4"),
    ("blackjack", {**ONE_DOUBLE_MORE, "double.rescue": "original"}, "4c:3,2c:3,Tc:5"),
    ("blackjack", {"double.max_doubles": 0, "player_21_always_wins": True}, "Ac:3,9c:3,Tc:4"),
    ("blackjack", {"blackjack_always_wins": True}, "Ac:4,9c:3,Tc:4"),
    ("spanish-21", {}, "4c:3,6c:2,7c:1,Kc:3"),
    ("spanish-21", {"bonus_21.on_split_hands": True, "surrender": "late"}, "7s:3,7c:1,Ks:3,3s:2"),
    ("spanish-21", {}, "2c:2,3c:2,4c:2,6c:2"),
    ("players-edge-21", {}, "6d:2,7d:2,8d:1,8c:1,Kc:3"),
    ("players-edge-21", {"double.rescue": "before-last-double"}, "3c:3,2c:2,Kc:4"),
    ("players-edge-21", {}, "7d:3,7c:1,6c:2,Kc:4"),
]
IDS = [
    f"{game} {' '.join(f'{key}={value}' for key, value in changes.items())} {shoe}"
    for game, changes, shoe in CASES
]


def exact(game: str, changes: Mapping[str, object], shoe: str, strategy: str) -> ExactSolution:
    # Insurance is a wager of its own and the Super Bonus a line of its own.
    apart = {"insurance.offered": False, "super_bonus.offered": False}
    return solve(house(game, {**apart, **changes}), strategy, shoe=parse_shoe(shoe), exact=True)


def by_engine(solution: ExactSolution) -> Fraction:
    solver = solution.solver

    def choose(hand: Hand, hands: int, up: Sequence[Card]) -> Action:
        return ACTIONS[int(solution.actions[solver.seen_of(up)][node_of(solver, hand, hands)])]

    return engine_mean(solution.rules, solver.shoe.cards, choose)


@pytest.mark.parametrize(("game", "changes", "shoe"), CASES, ids=IDS)
def test_the_engine_pays_what_is_expected_of_compositions(
    game: str, changes: Mapping[str, object], shoe: str
) -> None:
    solution = exact(game, changes, shoe, "composition")
    assert by_engine(solution) == solution.expected_value


@pytest.mark.parametrize(("game", "changes", "shoe"), CASES[1::2], ids=IDS[1::2])
def test_the_engine_pays_what_is_expected_of_totals(
    game: str, changes: Mapping[str, object], shoe: str
) -> None:
    solution = exact(game, changes, shoe, "basic")
    assert by_engine(solution) == solution.expected_value


LARGER: list[tuple[str, Mapping[str, object], str]] = [
    ("blackjack", {}, "8:8,T:14"),
    ("blackjack", {"split.max_hands": 3, "surrender": "late"}, "9:8,T:10,7:4"),
    ("blackjack", {"split.resplit_aces": True}, "A:8,T:10,9:12"),
    ("blackjack", {"split.max_hands": 3, **RESPLIT_ACES}, "A:5,T:14,9:14"),
    ("blackjack", {"split.unlike_tens": False, "split.max_hands": 2}, "T:6,Kc:3,8c:4,7c:4"),
    ("blackjack", {"double.on": "any_cards", "double.after_split": False}, "8:6,T:12,5:5"),
    ("spanish-21", {"split.max_hands": 2}, "7s:3,7c:3,8c:4,Kc:10"),
    ("players-edge-21", {"split.max_hands": 3}, "7c:4,7d:2,9:4,K:8"),
    ("players-edge-21", {"split.max_hands": 2, "double.rescue": "before-last-double"}, "6c:3,8c:4,5c:3,K:11"),
]


@pytest.mark.parametrize(("game", "changes", "shoe"), LARGER)
@pytest.mark.parametrize("strategy", ["composition", "basic"])
def test_the_compiled_solver_is_its_plain_twin(
    game: str, changes: Mapping[str, object], shoe: str, strategy: str
) -> None:
    """Resplits, suits and the look by inclusion and exclusion, against dealing every card in turn."""
    plain = exact(game, changes, shoe, strategy)
    compiled = solve(plain.rules, strategy, shoe=parse_shoe(shoe))
    assert compiled.expected_value == pytest.approx(float(plain.expected_value), abs=1e-13)
    for one, other in zip(compiled.by_up_card, plain.by_up_card, strict=True):
        assert one.name == other.name
        assert one.chance == pytest.approx(float(other.chance), abs=1e-14)
        assert one.expected_value == pytest.approx(float(other.expected_value), abs=1e-12)
    parts = {part.name: part for part in plain.by_first_two}
    for part in compiled.by_first_two:
        assert part.chance == pytest.approx(float(parts[part.name].chance), abs=1e-13)
    for up in compiled.up_cards:
        hands = plain.hands[up.seen]
        for node in np.flatnonzero(up.played.weights[plain.solver.nodes.composition, WHOLE]).tolist():
            composition = int(plain.solver.nodes.composition[node])
            whole = up.played.weights[composition, WHOLE]
            sure = hands.no_blackjack(hands.left(composition))
            for number, value in hands.of_actions(node).items():
                ours = up.played.of_action[node, number] / whole
                assert ours == pytest.approx(float(value / sure), abs=1e-11)
    assert [net for net, _ in compiled.distribution] == [net for net, _ in plain.distribution]
    for (_, ours), (_, theirs) in zip(compiled.distribution, plain.distribution, strict=True):
        assert ours == pytest.approx(float(theirs), abs=1e-13)
