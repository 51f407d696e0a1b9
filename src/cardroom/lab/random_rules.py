"""Random house rules and depleted shoes, put through every way there is to compute a round.

Fractions by dealing every card, the compiled solver, the simulator and the engine's own tree must agree: each
distribution sums to one, means and standard deviations are the same, a simulation's within its error.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone.alike import alike
from cardroom.engine.walk import Branches, by_chance, moves, walk
from cardroom.exact.figures import Number
from cardroom.exact.twentyone import Solution, solve
from cardroom.exact.twentyone.solver import MayRunOut
from cardroom.lab.agreement import decision
from cardroom.lab.rule_sets import FAMILY, Changed
from cardroom.model.twentyone.automaton import Automaton
from cardroom.model.twentyone.strategy import Strategy
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.dice import dice
from cardroom.sim.twentyone.from_shoe import results_from_shoe

WAGER_CENTS: Final = 1000
MOST_ERRORS: Final = 5.0
"""Of a simulated mean: seeds are fixed, and one of more than a million is as far off."""
ROUNDING: Final = 1e-10
_KINDS: Final = ("tiny", "small", "depleted", "full")

_CHOICES: Final[dict[str, tuple[Any, ...]]] = {
    "dealer_hits_soft_17": (True, False),
    "blackjack_pays": ("3:2", "6:5", "1:1", "2:1"),
    "blackjack_always_wins": (True, False),
    "player_21_always_wins": (True, False),
    "charlie": ("none", 5, 6, 7),
    "dealer_22_pushes": (True, False),
    "ties_lose": (True, False),
    "hole_card": ("dealt", "none", "shown", "unseen"),
    "dealer_blackjack_takes": ("all", "original"),
    "surrender_on": ("first_two", "any_cards"),
    "surrender": ("none", "late", "early", "early-not-ace"),
    "split.max_hands": (1, 2, 3, 4),
    "split.unlike_tens": (True, False),
    "split.never": ((), ("10",), ("4", "5", "10")),
    "split.once": ((), ("A",), ("8", "9")),
    "split.resplit_aces": (True, False),
    "split.hit_aces": (True, False),
    "split.double_aces": (True, False),
    "double.on": ("two_cards", "any_cards"),
    "double.totals": ("any", "9-11", "10-11"),
    "double.after_split": (True, False),
    "double.max_doubles": (0, 1, 2, 3),
    "double.rescue": ("none", "original", "before-last-double"),
    "double.capped_at_maximum": (True, False),
    "bonus_21.five_cards": ("none", "3:2", "2:1"),
    "bonus_21.six_seven_eight_mixed": ("none", "3:2"),
    "bonus_21.three_sevens_suited": ("none", "2:1"),
    "bonus_21.on_split_hands": (True, False),
    "bonus_21.win_at_once": (True, False),
    "rounding": ("cents", "chip"),
}


@dataclass(frozen=True, slots=True)
class Case:
    """House rules and the shoe that a round is dealt from."""

    number: int
    kind: str
    changed: Changed
    shoe: CardCounts | None

    @property
    def rules(self) -> TwentyOneRules:
        return load_rules_as(TwentyOneRules, *self.changed)


@dataclass(frozen=True, slots=True)
class Finding:
    """How far a case's figures lie apart; what is None was not computed."""

    case: Case
    cards: int
    mean: float
    deviation: float
    exact_off: float | None
    """The largest difference of a probability between fractions and the compiled solver."""
    engine_off: Fraction | None
    """The same between fractions and the engine's tree."""
    simulated_off: float
    """The simulated mean, in standard errors …"""
    deviation_off: float
    """… and the simulated standard deviation, in its own."""
    complaints: tuple[str, ...]


def random_case(number: int, *, seed: int) -> Case:
    """The case of a number: every fourth from a tiny shoe, a small one, a depleted one and a full one."""
    generator = dice((seed << 20) + number)
    kind = _KINDS[number % len(_KINDS)]
    game = FAMILY[int(generator.integers(len(FAMILY)))]
    most = ("10.00", "30.00", "100.00")[int(generator.integers(3))]
    changes: dict[str, Any] = {"limits.min": "10.00", "limits.max": most, "limits.chip": "1.00"}
    for key, values in _CHOICES.items():
        if generator.integers(2):
            changes[key] = values[int(generator.integers(len(values)))]
    early = str(changes.get("surrender")).startswith("early")
    if early or changes.get("dealer_blackjack_takes") == "original":
        if changes.get("hole_card") != "unseen":
            changes["hole_card"] = "none"
        if early and changes.get("dealer_blackjack_takes") == "original":
            changes["surrender_on"] = "first_two"
    if changes.get("hole_card") == "shown":
        changes |= {"insurance.offered": False, "super_bonus.offered": False}
    if changes.get("double.max_doubles") == 0:
        changes["double.rescue"] = "none"
    if kind != "tiny":
        changes["split.max_hands"] = min(int(changes.get("split.max_hands", 4)), 4 if kind == "full" else 3)
    decks = (1, 2, 6, "infinite")[int(generator.integers(4))] if kind == "full" else 1
    changes["decks"] = decks
    rules = load_rules_as(TwentyOneRules, game, changes)
    return Case(number, kind, (game, changes), _shoe(rules, kind, generator))


def _shoe(rules: TwentyOneRules, kind: str, generator: np.random.Generator) -> CardCounts | None:
    """Few cards of few kinds, or a part of a deck."""
    if kind == "full":
        return None
    deck = [card for card in CARDS if rules.shoe()[card]]
    if kind == "depleted":
        size = int(generator.integers(30, len(deck)))
        return CardCounts.of_cards(
            [deck[place] for place in generator.choice(len(deck), size, replace=False)]
        )
    kinds, most = (4, 10) if kind == "tiny" else (5, 21)
    some = [deck[place] for place in generator.choice(len(deck), kinds, replace=False)]
    size = int(generator.integers(7, most + 1))
    return CardCounts.of_cards([some[place] for place in generator.integers(0, kinds, size)])


def examine(case: Case, *, rounds: int) -> Finding:
    """Put a case through all ways that its shoe allows, the primary wager played by basic strategy."""
    rules = case.rules
    small = case.kind in ("tiny", "small")
    fractions = solve(rules, "basic", shoe=case.shoe, wager_cents=WAGER_CENTS, exact=True) if small else None
    compiled = _compiled(case, "basic" if fractions is None else fractions.table)
    solution = fractions or compiled
    assert solution is not None, "no way to compute it"
    assert solution.table is not None
    figures = solution.figures()
    mean, deviation = float(figures.expected_value), figures.standard_deviation
    complaints = [] if compiled is None else _own_complaints(compiled)
    exact_off = engine_off = None
    if fractions is not None and compiled is not None:
        exact_off = float(_furthest(dict(fractions.distribution), dict(compiled.distribution)))
        if exact_off > ROUNDING + compiled.distribution_error:
            complaints.append(f"fractions and compiled solver differ by {exact_off}")
    if fractions is not None and case.kind == "tiny":
        assert case.shoe is not None
        by_engine = engine_law(fractions.solver.automaton, solution.table.action, case.shoe)
        engine_off = Fraction(_furthest(dict(fractions.distribution), by_engine))
        if engine_off:
            complaints.append(f"fractions and engine differ by {float(engine_off)}")
    nets = results_from_shoe(
        rules, solution.table.action, case.shoe, rounds=rounds, seed=case.number, wager_cents=WAGER_CENTS
    )
    offs = _simulation_off(nets, mean, deviation)
    if max(map(abs, offs)) > MOST_ERRORS:
        complaints.append(f"simulation is off by {offs[0]:+.1f} and {offs[1]:+.1f} standard errors")
    cards = 0 if rules.decks == "infinite" and case.shoe is None else (case.shoe or rules.shoe()).total
    return Finding(case, cards, mean, deviation, exact_off, engine_off, *offs, tuple(complaints))


def _compiled(case: Case, strategy: str | Strategy | None) -> Solution | None:
    """The compiled solver's solution; none where the shoe may run out: only fractions know what follows."""
    assert strategy is not None
    try:
        return solve(case.rules, strategy, shoe=case.shoe, wager_cents=WAGER_CENTS)
    except MayRunOut:
        return None


def _own_complaints(compiled: Solution) -> list[str]:
    """What the compiled solver's distribution and its values have to say against each other."""
    whole = sum(chance for _, chance in compiled.distribution)
    mean = sum(float(net) * chance for net, chance in compiled.distribution)
    most = max(abs(float(net)) for net, _ in compiled.distribution)
    complaints = []
    if abs(whole - 1) > ROUNDING:
        complaints.append(f"compiled: probabilities sum to {whole}")
    bound = ROUNDING + compiled.distribution_error * most * len(compiled.distribution)
    if abs(mean - compiled.expected_value) > bound:
        complaints.append(f"compiled: mean {mean} of outcomes, {compiled.expected_value} by values")
    return complaints


def _furthest(one: Mapping[Fraction, Number], other: Mapping[Fraction, Number]) -> Number:
    """The largest difference between the probabilities of two distributions."""
    furthest: Number = Fraction(0)
    for net in one.keys() | other.keys():
        some, others = one.get(net, Fraction(0)), other.get(net, Fraction(0))
        furthest = max(furthest, some - others, others - some)
    return furthest


def _simulation_off(nets: dict[Fraction, int], mean: float, deviation: float) -> tuple[float, float]:
    """Mean and standard deviation of a simulation less the expected ones, in standard errors."""
    values = np.array([float(net) for net in nets])
    counts = np.array(list(nets.values()), np.float64)
    rounds = counts.sum()
    away = values - mean
    variance, fourth = deviation**2, counts @ away**4 / rounds
    squares = counts @ away**2 / rounds
    error = deviation / math.sqrt(rounds)
    error_of_squares = math.sqrt(max(fourth - squares**2, 0.0) / rounds)
    return (
        float(counts @ away / rounds / error) if error else 0.0,
        float((squares - variance) / error_of_squares) if error_of_squares else 0.0,
    )


Law = dict[int, Fraction]
"""(net in cents → chance)."""


def engine_law(automaton: Automaton, actions: NDArray[np.int8], shoe: CardCounts) -> dict[Fraction, Fraction]:
    """The distribution of a round by the engine, every card dealt that can come: (net in wagers → chance)."""

    def tried(state: twentyone.Round) -> Iterable[tuple[twentyone.Input, int]]:
        awaited = twentyone.awaits(state)
        if not isinstance(awaited, twentyone.Turn):
            return moves(twentyone, state)
        if twentyone.DeclineInsurance() in awaited.options:
            return ((twentyone.DeclineInsurance(), 1),)
        return ((decision(automaton, actions, state), 1),)

    def fold(_state: twentyone.Round, branches: Branches[twentyone.Event, Law]) -> Law:
        result: defaultdict[int, Fraction] = defaultdict(Fraction)
        for likely, branch in by_chance(branches):
            won_cents = _won(branch.events)
            for net, chance in branch.value.items():
                result[won_cents + net] += likely * chance
        return dict(result) or {0: Fraction(1)}

    state, events = twentyone.start(automaton.rules, [twentyone.SpotWager(1, _PLAYER, WAGER_CENTS)], shoe)
    law = walk(twentyone, state, fold, tried=tried, alike=alike)
    return {Fraction(_won(events) + net, WAGER_CENTS): chance for net, chance in law.items()}


_PLAYER: Final = "Ann"


def _won(events: Iterable[twentyone.Event]) -> int:
    """What events bring the player of the primary wager; the Super Bonus stands beside it."""
    beside = sum(
        event.payment_cents
        for event in events
        if isinstance(event, twentyone.BonusPaid) and event.bonus == "super-bonus"
    )
    return twentyone.balance(events).players.get(_PLAYER, 0) - beside
