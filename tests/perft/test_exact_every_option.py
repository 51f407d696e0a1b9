"""Every option of the rules that the primary wager may depend on: solver and engine agree as fractions on
both sides of it, on a shoe on which it matters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import get_args

import pytest
from pydantic import BaseModel

from cardroom.core.cards import Card, parse_card, parse_cards
from cardroom.engine.twentyone import Action
from cardroom.engine.twentyone.state import Hand
from cardroom.exact.twentyone import parse_shoe, solve
from cardroom.lab.advice import option_values
from cardroom.lab.parts import hand_parts
from cardroom.model.twentyone.automaton import ACTIONS
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.bonuses import Bonus21
from tests import thorough
from tests.exact_cases import Case, fields, said_beside_clauses
from tests.exact_twentyone import STAKE_CENTS, engine_mean, node_of
from tests.twentyone import house

TWO_HANDS = {"split.max_hands": 2}
NO_SPLIT = {"split.max_hands": 1}
SIMPLE = {**NO_SPLIT, "double.max_doubles": 0}
NO_RESCUE = {**NO_SPLIT, "double.rescue": "none"}
ACES = {**TWO_HANDS, "split.hit_aces": True}
SEVENS = "7c:2,7d:2,7s:3,Kc:3"
SUITS = ("spades", "diamonds", "hearts", "clubs")
BY_SUITS = "6c:1,6d:1,6s:2,7s:1,7d:1,8d:1,8s:2"

OWN_LINES: tuple[list[dict[str, object]], ...] = (
    [],
    [{"name": "two fours", "when": {"contains": {"ranks": ["4"], "number": 2}}, "pays": "2:1"}],
    [{"name": "three red cards", "when": {"number": 3, "every": {"colours": ["red"]}}, "pays": "3:1"}],
    [{"name": "three of a suit", "when": {"number": 3, "same": ["suit"]}, "pays": "3:1"}],
    [{"name": "a pair", "when": {"number": 3, "groups": {"alike": ["rank"], "sizes": [2]}}, "pays": "5:2"}],
    [
        {"name": "four cards", "when": {"number": 4}, "pays": "3:1"},
        {"name": "no two alike", "when": {"different": ["rank"], "number": {"max": 3}}, "pays": "2:1"},
    ],
    [
        {
            "name": "a blackjack of diamonds",
            "when": {"blackjack": True, "every": {"suits": ["diamonds"]}},
            "pays": "2:1",
        }
    ],
)
"""Lines that no house of ours has, each of another kind."""

COVERED: Mapping[str, Case] = {
    **said_beside_clauses("EXACT_CASES"),
    "bonus_21.lines": (
        "blackjack",
        SIMPLE,
        OWN_LINES if thorough.WANTED else OWN_LINES[::3],
        "4c:1,4d:1,7c:2,7d:1,3d:1,Kc:1,Td:1,Ad:1",
    ),
    "dealer_hits_soft_17": ("blackjack", SIMPLE, (True, False), "Ac:2,6c:4,Tc:4"),
    "blackjack_pays": ("blackjack", TWO_HANDS, ("3:2", "6:5", "1:1"), "8c:4,Ac:2,Tc:4"),
    "blackjack_always_wins": ("blackjack", NO_SPLIT, (True, False), "Ac:4,9c:2,Tc:4"),
    "player_21_always_wins": ("blackjack", SIMPLE, (True, False), "7c:5,Tc:3,4c:3"),
    "dealer_22_pushes": ("blackjack", TWO_HANDS, (True, False), "6c:3,8c:4,Tc:4"),
    "ties_lose": ("blackjack", TWO_HANDS, (True, False), "6c:3,8c:4,Tc:4"),
    "hole_card": (
        "blackjack",
        {**TWO_HANDS, "insurance.offered": False, "insurance.even_money": False},
        ("dealt", "shown", "unseen", "none"),
        "Ac:2,5c:1,6c:2,8c:3,Tc:3",
    ),
    "dealer_blackjack_takes": (
        "spanish-21",
        {**TWO_HANDS, "hole_card": "none", "double.rescue": "original"},
        ("all", "original"),
        "Ac:2,5c:2,6c:2,8c:3,Kc:3",
    ),
    "surrender_on": (
        "blackjack",
        {**TWO_HANDS, "surrender": "late"},
        ("first_two", "any_cards"),
        "2c:2,6c:2,8c:3,Tc:3",
    ),
    "surrender": (
        "blackjack",
        {**NO_SPLIT, "hole_card": "none"},
        ("none", "late", "early", "early-not-ace"),
        "Ac:2,7c:3,9c:3,Tc:4",
    ),
    "split.max_hands": ("blackjack", {}, (1, 2, 3, 4), "8c:7,Tc:5,3c:1"),
    "split.never": ("blackjack", TWO_HANDS, ((), ("8",)), "8c:4,Tc:4,3c:2"),
    "split.once": ("blackjack", {"split.max_hands": 3}, ((), ("8",)), "8c:7,Tc:5,3c:1"),
    "split.unlike_tens": ("blackjack", TWO_HANDS, (True, False), "Tc:3,Kc:2,6c:3"),
    "split.resplit_aces": ("blackjack", {}, (True, False), "Ac:6,9c:6"),
    "split.hit_aces": ("blackjack", TWO_HANDS, (True, False), "Ac:4,4c:3,Tc:4"),
    "split.double_aces": ("blackjack", ACES, (True, False), "Ac:4,6c:3,Tc:4"),
    "split.blackjack_total_stands": ("blackjack", TWO_HANDS, (True, False), "Ac:2,6c:4,Tc:5"),
    "double.on": ("blackjack", NO_SPLIT, ("two_cards", "any_cards"), "2c:2,3c:2,4c:2,Tc:4"),
    "double.after_split": ("blackjack", TWO_HANDS, (True, False), "3c:4,8c:3,Tc:4"),
    "double.max_doubles": ("players-edge-21", NO_RESCUE, (0, 1, 2, 3), "2c:4,3c:2,Kc:4"),
    "double.capped_at_maximum": (
        "players-edge-21",
        {**NO_SPLIT, "limits.min": "10.00", "limits.max": "10.00", "limits.side_max": "10.00"},
        (True, False),
        "2c:4,3c:2,Kc:4",
    ),
    "double.rescue": (
        "players-edge-21",
        NO_SPLIT,
        ("none", "original", "before-last-double"),
        "2c:4,3c:2,Kc:4",
    ),
    "bonus_21.five_cards": ("spanish-21", SIMPLE, ("none", "3:2"), "2c:2,3c:2,4c:2,6c:3"),
    "bonus_21.six_cards": ("spanish-21", SIMPLE, ("none", "2:1"), "2c:3,3c:4,4c:3,5c:1"),
    "bonus_21.seven_cards": ("spanish-21", SIMPLE, ("none", "3:1"), "2c:4,3c:4,4c:3"),
    "bonus_21.six_seven_eight_mixed": ("spanish-21", SIMPLE, ("none", "3:2"), BY_SUITS),
    "bonus_21.six_seven_eight_suited": ("spanish-21", SIMPLE, ("none", "2:1"), BY_SUITS),
    "bonus_21.six_seven_eight_named": ("spanish-21", SIMPLE, ("none", "3:1"), BY_SUITS),
    "bonus_21.three_sevens_mixed": ("spanish-21", SIMPLE, ("none", "3:2"), SEVENS),
    "bonus_21.three_sevens_suited": ("spanish-21", SIMPLE, ("none", "2:1"), SEVENS.replace("d", "c")),
    "bonus_21.three_sevens_named": ("spanish-21", SIMPLE, ("none", "3:1"), SEVENS),
    "bonus_21.named_suit": ("spanish-21", SIMPLE, SUITS, "7c:3,7s:4,Kc:3"),
    "bonus_21.win_at_once": (
        "spanish-21",
        {**SIMPLE, "player_21_always_wins": False},
        (True, False),
        BY_SUITS,
    ),
    "bonus_21.on_split_hands": ("spanish-21", TWO_HANDS, (True, False), "7s:6,Ks:3"),
    "limits.max": (
        "players-edge-21",
        {**NO_SPLIT, "limits.min": "10.00"},
        ("10.00", "20.00", "500.00"),
        "2c:4,3c:2,Kc:4",
    ),
    "limits.chip": (
        "blackjack",
        {**NO_SPLIT, "rounding": "chip", "limits.min": "10.00", "blackjack_pays": "6:5"},
        ("1.00", "5.00"),
        "Ac:3,9c:2,Tc:4",
    ),
    "rounding": (
        "blackjack",
        {**NO_SPLIT, "limits.chip": "5.00", "limits.min": "10.00", "blackjack_pays": "6:5"},
        ("cents", "chip"),
        "Ac:3,9c:2,Tc:4",
    ),
}
NO_PART_OF_IT: Mapping[str, str] = {
    **said_beside_clauses("NO_PART_OF_THE_WAGER"),
    "game": "the three games are three sets of the same options",
    "title": "a name",
    "currency": "a name",
    "decks": "the shoe is given by its cards",
    "deck": "the shoe is given by its cards",
    "insurance": "a wager of its own",
    "super_bonus": "a line of its own, by the size of the wager",
    "side_bets": "wagers of their own",
    "limits.min": "says who may play, not what is paid",
    "limits.side_min": "of side wagers",
    "limits.side_max": "of side wagers",
    "procedure": "spots, cuts and burned cards: what is not seen does not change the law of what is",
}
SAME_FOR_SOME: Mapping[str, int] = {"bonus_21.named_suit": 3, "hole_card": 3}
"""Values of an option that are told apart, where not all of them: there are no red cards in the shoe, and
when the dealer's second card is dealt does not matter as long as nobody sees it."""


def test_every_field_of_the_schema_is_covered_or_no_part_of_the_wager() -> None:
    """An option that is new says it beside its clause test: `tests/exact_cases.py` shows how."""
    assert sorted(fields(TwentyOneRules, NO_PART_OF_IT)) == sorted([*COVERED, *NO_PART_OF_IT])


def test_every_named_value_of_an_option_is_tried() -> None:
    for key, (_, _, values, _) in COVERED.items():
        model: type[BaseModel] = TwentyOneRules
        *groups, name = key.split(".")
        if key.startswith("bonus_21.") and name not in Bonus21.model_fields:
            continue  # a line, by its name
        for group in groups:
            inner = model.model_fields[group].annotation
            assert isinstance(inner, type)
            assert issubclass(inner, BaseModel)
            model = inner
        named = get_args(model.model_fields[name].annotation)
        if model.model_fields[name].annotation is bool:
            named = (True, False)
        if all(isinstance(value, bool | int | str) for value in named):
            assert set(named) <= set(values), key


def worth(game: str, changes: Mapping[str, object], shoe: str, strategy: str) -> Fraction:
    """The solver's value in fractions; the engine, played by the same strategy, pays it."""
    apart = {"insurance.offered": False, "super_bonus.offered": False}
    rules = house(game, {**apart, **changes})
    solution = solve(rules, strategy, shoe=parse_shoe(shoe), wager_cents=STAKE_CENTS, exact=True)
    solver = solution.solver

    def choose(hand: Hand, hands: int, up: Sequence[Card]) -> Action:
        return ACTIONS[int(solution.actions[solver.seen_of(up)][node_of(solver, hand, hands)])]

    assert engine_mean(rules, solver.shoe.cards, choose) == solution.expected_value
    return solution.expected_value


@pytest.mark.parametrize("key", COVERED)
def test_the_engine_pays_what_is_expected_on_both_sides_of_an_option(key: str) -> None:
    game, changes, values, shoe = COVERED[key]
    found = {worth(game, {**changes, key: value}, shoe, "composition") for value in values}
    assert len(found) == SAME_FOR_SOME.get(key, len(values)), found


@pytest.mark.parametrize("hole_card", ["unseen", "none"])
@pytest.mark.parametrize("surrender", ["none", "late"])
def test_original_wagers_only_is_worth_what_a_look_is(hole_card: str, surrender: str) -> None:
    """21-1.26: a blackjack that comes after the play costs no more, as long as the shoe does not run out."""
    apart = {"insurance.offered": False, "super_bonus.offered": False, "surrender": surrender}
    shoe = "Ac:4,5c:4,6c:4,8c:4,Tc:8"
    looked = house("blackjack", {**apart, **TWO_HANDS})
    original = {"hole_card": hole_card, "dealer_blackjack_takes": "original"}
    waited = house("blackjack", {**apart, **TWO_HANDS, **original})
    one, other = (
        solve(rules, "composition", shoe=parse_shoe(shoe), wager_cents=STAKE_CENTS)
        for rules in (looked, waited)
    )
    assert other.expected_value == pytest.approx(one.expected_value, abs=1e-14)
    assert dict(other.distribution) == pytest.approx(dict(one.distribution), abs=1e-14)


def test_before_a_blackjack_is_known_a_surrender_is_valued_with_it() -> None:
    """Early surrender, original wagers only: of 16 against an ace, by two methods and by hand."""
    early = {"hole_card": "none", "dealer_blackjack_takes": "original", "surrender": "early"}
    rules = house("blackjack", {**SIMPLE, **early, "insurance.offered": False})
    shoe, cards, ace = parse_shoe("Ac:4,5c:4,6c:4,8c:4,Tc:8"), parse_cards("Tc 6c"), parse_card("Ac")
    compiled = solve(rules, "composition", shoe=shoe, wager_cents=STAKE_CENTS)
    found = compiled.action_values(cards, ace)
    exact = solve(rules, "composition", shoe=shoe, wager_cents=STAKE_CENTS, exact=True)
    assert found == pytest.approx(exact.action_values(cards, ace), abs=1e-14)
    assert found == pytest.approx(option_values(compiled, cards, ace), abs=1e-14)
    assert found[Action.SURRENDER] == pytest.approx(-0.5, abs=1e-14)
    (part,) = (part for part in hand_parts(compiled) if (part.cards, part.up_card) == ("6T", "A"))
    assert found == pytest.approx(part.values, abs=1e-14)
    of_state = compiled.state_values(ace)[compiled.solver.automaton.state_of(cards)]  # with 8-8
    assert of_state[ACTIONS.index(Action.SURRENDER)] == pytest.approx(-0.5, abs=1e-14)
    # Of the 21 cards left 7 are tens and make a blackjack; with all others 16 stands as after a look.
    looked = house("blackjack", {**SIMPLE, "insurance.offered": False})
    after_look = solve(looked, "composition", shoe=shoe, wager_cents=STAKE_CENTS).action_values(cards, ace)
    assert found[Action.STAND] == pytest.approx(-7 / 21 + 14 / 21 * after_look[Action.STAND], abs=1e-14)
