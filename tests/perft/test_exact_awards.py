"""Every way a hand can end, held against the engine's own events over complete trees of small shoes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import pytest

from cardroom.core.cards import Card
from cardroom.engine.twentyone import Action
from cardroom.engine.twentyone.state import Hand
from cardroom.exact.twentyone import Solution, parse_shoe, solve
from cardroom.exact.twentyone.awards import awards
from cardroom.model.twentyone.automaton import ACTIONS
from tests.exact_twentyone import engine_endings, node_of
from tests.twentyone import house

APART = {"insurance.offered": False, "super_bonus.offered": False}
"""Insurance is a wager of its own and the Super Bonus a line of its own."""
ALIKE = {"bonus_21.six_seven_eight_mixed": "2:1"}
"""Mixed and suited 6-7-8 pay the same: they are one line."""
CASES: list[tuple[str, Mapping[str, object], str, set[str]]] = [
    ("blackjack", {"split.max_hands": 2, "surrender": "late"}, "Ac:2,8c:3,Tc:6", {"blackjack", "surrender"}),
    ("blackjack", {"split.max_hands": 2, "blackjack_always_wins": True}, "Ac:2,8c:3,Tc:6", {"blackjack"}),
    (
        "spanish-21",
        {"split.max_hands": 1},
        "6s:1,7s:3,7c:1,8s:1,8d:1,Kc:3",
        {"three_sevens_named", "three_sevens_mixed", "six_seven_eight_named", "six_seven_eight_mixed"},
    ),
    (
        "spanish-21",
        {"split.max_hands": 1, **ALIKE},
        "6c:1,7c:2,8c:1,8d:1,6h:1,Kc:4",
        {"six_seven_eight_mixed or six_seven_eight_suited"},
    ),
    ("spanish-21", {"split.max_hands": 1}, "2c:3,3c:3,4c:3,5c:2,Kc:2", {"five_cards", "six_cards"}),
    ("players-edge-21", {"split.max_hands": 2}, "7d:3,7c:1,9c:2,Kc:5", {"three_sevens_named", "surrender"}),
    ("players-edge-21", {"split.max_hands": 1}, "5c:2,6d:2,8c:2,Kc:4", {"rescue"}),
    (
        "players-edge-21",
        {"split.max_hands": 1, "double.rescue": "before-last-double"},
        "5c:2,6d:2,8c:2,Kc:4",
        {"rescue"},
    ),
]


def by_engine(solution: Solution) -> dict[tuple[str, int, Fraction], Fraction]:
    """The engine's words for an ending, in those of the awards."""
    solver = solution.solver
    by_seen = {up.seen: up for up in solution.up_cards}

    def choose(hand: Hand, hands: int, up: Sequence[Card]) -> Action:
        return ACTIONS[int(by_seen[solver.seen_of(up)].played.action[node_of(solver, hand, hands)])]

    ours = {"21": "win", "higher total": "win", "dealer's bust": "win"}
    joined: dict[tuple[str, int, Fraction], Fraction] = {}
    for (why, doubles, net), hands in engine_endings(solution.rules, solver.shoe.cards, choose).items():
        ending = ours.get(why, why if why in ("lower total", "dealer's blackjack") else why.replace(" ", "_"))
        joined[ending, doubles, net] = joined.get((ending, doubles, net), Fraction(0)) + hands
    return joined


@pytest.mark.parametrize(("game", "changes", "shoe", "some"), CASES)
def test_hands_end_as_the_engine_ends_them(
    game: str, changes: Mapping[str, object], shoe: str, some: set[str]
) -> None:
    solution = solve(house(game, {**APART, **changes}), "composition", shoe=parse_shoe(shoe))
    found = {(each.ending, each.doubles, each.net): each.hands for each in awards(solution)}
    expected = by_engine(solution)
    for line in [line for line in found if " or " in line[0]]:
        parts = [expected.pop((part, *line[1:]), Fraction(0)) for part in line[0].split(" or ")]
        expected[line] = sum(parts, Fraction(0))
    assert found.keys() == expected.keys()
    assert some <= {ending for ending, _, _ in found}
    for line, hands in found.items():
        assert hands == pytest.approx(float(expected[line]), abs=1e-14), line


@pytest.mark.parametrize(
    ("game", "changes", "strategy"),
    [
        ("blackjack", {}, "basic"),
        ("spanish-21", {"surrender": "late"}, "composition"),
        ("players-edge-21", {}, "basic"),
        ("blackjack", {"decks": 1, "split.resplit_aces": True}, "composition"),
        ("players-edge-21", {"decks": "infinite", "double.rescue": "before-last-double"}, "composition"),
    ],
)
def test_awards_add_up_to_the_expected_value(game: str, changes: Mapping[str, object], strategy: str) -> None:
    solution = solve(house(game, changes), strategy)
    assert sum(each.returns for each in awards(solution)) == pytest.approx(solution.expected_value, abs=1e-14)


def test_lines_keep_their_names_where_rounding_makes_them_pay_alike() -> None:
    """At $1 in chips of $1 a bonus of 3:2 pays what a plain win does; it is still a bonus."""
    rules = house("spanish-21", {"rounding": "chip", "split.max_hands": 1})
    solution = solve(rules, "basic", wager_cents=100)
    five = next(each for each in awards(solution) if each.ending == "five_cards")
    assert five.net == 1
    assert sum(each.returns for each in awards(solution)) == pytest.approx(solution.expected_value, abs=1e-14)
