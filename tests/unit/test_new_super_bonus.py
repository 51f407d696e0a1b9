"""Another Super Bonus, written as data alone: dealt, settled, figured, simulated, said."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.core.cards import parse_cards
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Action, BonusPaid, SpotWager, WagerPaid
from cardroom.engine.twentyone.state import Hand
from cardroom.envs.twentyone import TwentyOneEnv
from cardroom.exact.sidebets import super_bonus_figures
from cardroom.exact.twentyone import parse_shoe, solve
from cardroom.exact.twentyone.total import solve_total
from cardroom.lab.agreement import automaton_of, disagreements, one_round_job, play_by_kernel
from cardroom.lab.par.twentyone import _facts
from cardroom.lab.twentyone import plays_for_super_bonus
from cardroom.model.twentyone.automaton import NUMBER_OF, Automaton, compile_hands
from cardroom.presentation.changes import change_lines
from cardroom.presentation.felt import posted_bonuses
from cardroom.presentation.howto.twentyone import guide
from cardroom.rules import load_rules_as
from cardroom.rules.loader import parse_rules
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.sim.twentyone.dealing import Dealing
from cardroom.sim.twentyone.dice import dice, random_actions
from cardroom.sim.twentyone.job import Job
from tests.agree.test_environments import assert_same_play
from tests.agree.test_twentyone_flat import _same
from tests.engine_environment import EngineEnvironment
from tests.exact_twentyone import engine_mean
from tests.twentyone import house, played

FILE = """
extends = "players-edge-21"

[super_bonus]
lines = [
  { name = "suited 6-7-8", when = { ranks = ["6", "7", "8"], same = ["suit"] }, against = ["6", "8"] },
  { name = "6-6-6", when = { ranks = ["6", "6", "6"] }, against = ["6"] },
]
"""
MANY: list[dict[str, Any]] = [
    {"name": "three low cards", "when": {"every": {"ranks": list("23456")}}, "against": list("34567")},
    {"name": "red twenty", "when": {"total": 20, "every": {"colours": ["red"]}}, "against": ["2", "9"]},
]
"""Won often enough that a few hundred rounds say something."""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> TwentyOneRules:
    path = tmp_path_factory.mktemp("house") / "sixes.toml"
    path.write_text(FILE)
    return load_rules_as(TwentyOneRules, path)


def often(game: str = "players-edge-21", **changes: object) -> TwentyOneRules:
    return house(game, {"super_bonus.offered": True, "super_bonus.lines": MANY, **changes})


def hit_two(automaton: Automaton, actions: NDArray[np.int8]) -> NDArray[np.int8]:
    """The same, but every hand of two cards is hit, as far as it may be."""
    may = automaton.may >> NUMBER_OF[Action.HIT] & 1
    two = np.array([hand.cards == 2 for hand in automaton.hands]) & (may == 1)
    return np.where(two[:, None], NUMBER_OF[Action.HIT], actions).astype(np.int8)


def hit_once(hand: Hand, hands: int, up: object) -> Action:
    """Hit every hand of two cards, then stand."""
    return Action.HIT if len(hand.cards) == 2 else Action.STAND


@pytest.mark.clause("PE21-13")
@pytest.mark.parametrize(
    ("moves", "won"),
    [
        ("6s 8h 7s Kd hit 8s", 1),
        ("8s 6h 6s Kd hit 7s", 1),
        ("6s 7h 7s Kd hit 8s", 0),  # against a seven
        ("6s 8h 7s Kd hit 8c", 0),
        ("7s 7h 7s Kd hit 7s", 0),  # what others have
        ("6s 6h 6c Kd hit 6d stand 4c", 1),
        ("6s 6h 6c Kd hit 6d hit 3h", 1),  # once, whatever follows
        ("6s 6h 6c Kd hit 6d double 4c", 1),
        ("6s 6h 6c Kd hit 6d hit 9h", 1),
        ("6s 6h 6c Kd double 6d", 0),
        ("6s 8h 6c Kd hit 6d", 0),
        ("6s 8h 7s Kd double 8s", 0),
    ],
)
def test_at_the_table(rules: TwentyOneRules, moves: str, won: int) -> None:
    round_ = played(rules, moves, [SpotWager(1, "Ann", 1000), SpotWager(2, "Bob", 1000)][:1])
    paid = round_.of(BonusPaid)
    assert [(one.bonus, one.payment_cents) for one in paid] == [("super-bonus", 100_000)] * won


@pytest.mark.clause("PE21-13.1")
def test_the_21_is_paid_first_and_envy_last(rules: TwentyOneRules) -> None:
    wagers = [SpotWager(1, "Ann", 2500), SpotWager(2, "Bob", 300)]
    events = played(rules, "6s 9c 8h 7s 9d Kd hit 8s", wagers).events
    told = [
        (type(one).__name__, one.player, one.payment_cents)
        for one in events
        if isinstance(one, WagerPaid | BonusPaid)
    ]
    assert told == [
        ("WagerPaid", "Ann", 5000),  # 2 to 1
        ("BonusPaid", "Ann", 500_000),
        ("BonusPaid", "Bob", 5000),
    ]


def test_exact_as_a_fraction(rules: TwentyOneRules) -> None:
    """Six decks of 48 cards: 4 suits, 6 orders of 6-7-8 and 46 sixes and eights left; or four sixes."""
    ways = 4 * 6 * 6**3 * 46 + 24 * 23 * 22 * 21
    chance = Fraction(ways, 288 * 287 * 286 * 285)
    assert super_bonus_figures(rules, 300).outcomes[0].probability == chance
    assert super_bonus_figures(rules, 300).expected_value == chance * Fraction(1000, 3)


@pytest.mark.slow
@pytest.mark.parametrize("shoe", ["6s:3,7s:1,8s:2,9h:1", "6s:2,6h:2,8h:1,7h:1,9c:1", "6c:4,Kd:3"])
def test_the_fraction_is_what_the_engine_pays(rules: TwentyOneRules, shoe: str) -> None:
    """All cards dealt: what a player who hits two cards has more than at a table without it."""
    counts = parse_shoe(shoe)
    table = house("players-edge-21", {"super_bonus.lines": rules.option_tree()["super_bonus"]["lines"]})
    without = house("players-edge-21", {"super_bonus.offered": False})

    more = engine_mean(table, counts, hit_once) - engine_mean(without, counts, hit_once)
    figures = super_bonus_figures(table, 1000, shoe=counts)
    assert more == figures.expected_value > 0


@pytest.mark.slow
def test_wide_lines_are_exact_too() -> None:
    """A blackjack draws no card, so that an ace, a ten and a ten may come in two of their three orders."""
    lines = [{"name": "A-T-T", "when": {"ranks": ["A", "K", "K"]}, "against": ["5"]}]
    counts = CardCounts.of_cards(parse_cards("AcKdKh5c5d"))

    apart = {"insurance.offered": False}
    without = house("blackjack", apart)
    table = house("blackjack", {**apart, "super_bonus.offered": True, "super_bonus.lines": lines})
    more = engine_mean(table, counts, hit_once) - engine_mean(without, counts, hit_once)
    # K K A of one order of the suits or the other, and a five up: 2 · 1 · 2 of 5 · 4 · 3 · 2.
    assert super_bonus_figures(table, 1000, shoe=counts).outcomes[0].probability == Fraction(4, 120)
    assert more == super_bonus_figures(table, 1000, shoe=counts).expected_value


@pytest.mark.slow
def test_the_total_hits_for_it(rules: TwentyOneRules) -> None:
    """With $1,000 for $3 every hand that may win it is hit, and it then comes as often as its cards."""
    total = solve_total(rules, "basic", wager_cents=300)
    assert {hand.up_card for hand in total.changed} <= {"6", "8"}
    assert total.changed
    assert total.chance == pytest.approx(float(super_bonus_figures(rules, 300).outcomes[0].probability))
    assert not plays_for_super_bonus(solve(rules, "basic"))


@pytest.mark.slow
def test_the_kernels_count_it() -> None:
    """By `play_waves` with one spot and by `play_rounds` with three, shoe by shoe as the engine."""
    rules = often()
    automaton = automaton_of(rules)
    actions = hit_two(automaton, random_actions(automaton, dice(5)))
    random = np.random.default_rng(8)
    low = np.array(
        [card.index for card in rules.shoe().cards() if card.value < 8 or card.value == 10], np.uint8
    )
    shoes = np.array([random.permutation(low)[:60] for _ in range(150)])
    for spots in (1, 3):
        assert list(disagreements(rules, actions, shoes, spots)) == []
        job = one_round_job(rules, actions, spots)
        assert sum(play_by_kernel(job, shoe).super_bonuses for shoe in shoes) >= 5


@pytest.mark.slow
def test_the_kernel_counts_as_often_as_the_cards_come() -> None:
    """Hitting every two cards, then standing: within four standard errors of the fraction."""
    rules = often("blackjack", **{"split.max_hands": 1})
    automaton = compile_hands(rules)
    stand = np.full((len(automaton.hands), 10), NUMBER_OF[Action.STAND], np.int8)
    actions = hit_two(automaton, stand)
    rounds = 20_000
    job = Job.of(rules, actions, seed=3, dealing=Dealing.fresh())
    counted = job.prepared.tallies(job(0, rounds)).counters[3]
    chance = float(super_bonus_figures(rules, 400).outcomes[0].probability)
    assert chance > 0.01
    assert abs(counted - rounds * chance) < 4 * (rounds * chance * (1 - chance)) ** 0.5


@pytest.mark.slow
def test_the_tables_of_the_gpu_count_it() -> None:
    rules = often("blackjack", **{"super_bonus.lines": MANY[:1]})
    automaton = compile_hands(rules)
    actions = hit_two(automaton, random_actions(automaton, dice(9)))
    _same(Job.of(rules, actions, seed=4, dealing=Dealing.fresh()))


@pytest.mark.slow
def test_environments_pay_it_once() -> None:
    rules = often(**{"double.on": "any_cards"})
    assert_same_play(TwentyOneEnv(rules), EngineEnvironment(rules), 1200, seed=7)


@pytest.mark.slow
def test_it_is_said_everywhere(rules: TwentyOneRules) -> None:
    said = "a suited 6-7-8 against a 6 or an 8, or a 6-6-6 against a 6"
    words = {key: sentence for key, sentence, _ in rules.sentences()}
    assert words["super_bonus.offered"] == f"{said} wins the Super Bonus"
    (posted,) = [one for one in posted_bonuses(rules) if one.title == "Super Bonus"]
    assert (
        posted.note
        == "A suited 6-7-8 against a 6 or an 8, or a 6-6-6 against a 6, on a hand neither split nor doubled."
    )
    assert dict(_facts(rules))["Super Bonus"].startswith(said)
    assert change_lines(rules) == [f"Super Bonus for {said}"]
    page = guide(rules, "super-bonus")
    assert page.films
    assert [one.pays for one in page.pays] == ["$1,000", "$5,000"]


def test_it_is_written_down_and_read_back(rules: TwentyOneRules) -> None:
    assert parse_rules(rules.canonical_text()) == rules
    assert rules.rules_hash != load_rules_as(TwentyOneRules, "players-edge-21").rules_hash
    state, _ = twentyone.start(rules, [SpotWager(1, "Ann", 300)], rules.shoe())
    for form in (RulesForm.SHORT, RulesForm.WHOLE):
        assert twentyone.replay(twentyone.format_round(state, form))[0] == state
    usual = load_rules_as(TwentyOneRules, "players-edge-21")
    changed = {key: value for key, (value, _) in rules.differences(usual).items()}
    assert [*changed] == ["super_bonus.lines"]
    assert load_rules_as(TwentyOneRules, "players-edge-21", changed).rules_hash == rules.rules_hash


def test_rules_that_name_the_usual_line_are_the_usual_rules(tmp_path: Path) -> None:
    usual = load_rules_as(TwentyOneRules, "players-edge-21")
    lines = usual.option_tree()["super_bonus"]["lines"]
    assert lines == [
        {"name": "suited 7-7-7", "when": {"same": ["suit"], "ranks": ["7", "7", "7"]}, "against": ["7"]}
    ]
    named = load_rules_as(TwentyOneRules, "players-edge-21", {"super_bonus.lines": lines})
    assert named.canonical_text() == usual.canonical_text()
    assert "lines" not in usual.canonical()["super_bonus"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            {"when": {"ranks": ["8", "8", "8"]}},
            "super_bonus.lines.1 (own): no three cards of 21 or less make it",
        ),
        ({"when": {"number": 4}}, "super_bonus.lines.1 (own): no three cards of 21 or less make it"),
        ({"against": ["A"]}, "against up cards from 2 to 9, not A"),
        ({"against": []}, "super_bonus.lines.1.against"),
        (
            {"when": {"of": "dealer", "number": 1}},
            "super_bonus.lines.1 (own): the Super Bonus is for a player's hand of three",
        ),
        ({"when": {"rank": ["7"]}}, "unknown option 'super_bonus.lines.1.when.rank'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(line: dict[str, Any], said: str) -> None:
    whole = {"name": "own", "when": {"ranks": ["6", "6", "6"]}, "against": ["6"], **line}
    with pytest.raises(MalformedInput) as raised:
        house("players-edge-21", {"super_bonus.lines": [whole]})
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_line_that_an_earlier_one_hides_is_refused() -> None:
    lines = [
        {"name": "sixes", "when": {"ranks": ["6", "6", "6"]}, "against": ["6", "7"]},
        {"name": "suited sixes", "when": {"ranks": ["6", "6", "6"], "same": ["suit"]}, "against": ["7"]},
    ]
    with pytest.raises(MalformedInput, match=r"lines\.2 \(suited sixes\): it is never paid, for an earlier"):
        house("players-edge-21", {"super_bonus.lines": lines})


def test_a_hand_that_may_still_win_it_is_told_so(rules: TwentyOneRules) -> None:
    from cardroom.lab.hands import HandValues

    def may(cards: str, up: str) -> bool:
        return HandValues(cards, up, (), 0, averaged=False).may_win_super_bonus(rules)

    assert may("6s7s", "8")
    assert may("67", "6h")
    assert may("6s6h", "6")
    assert not may("6s7h", "8")
    assert not may("6s7s", "7")
    assert not may("6s9s", "8")
    assert law.super_bonus_hands(rules)[parse_cards("6s7s8s")]
