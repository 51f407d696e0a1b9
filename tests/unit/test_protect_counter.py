"""A simulated counter: formulas, published figures with a fixed seed, the command, and wrong input."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import cardroom as cr
from cardroom.core.cards import Card, parse_cards
from cardroom.core.errors import MalformedInput, UnknownName
from cardroom.protect.counting import CounterResult
from cardroom.protect.counts import find_count
from cardroom.protect.deviations import Deviation, named_indices, read_deviations, strategies
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.measures import AtCount, Rate, kelly_wagers, optimal_wagers, rate_of
from cardroom.protect.ramp import Ramp
from cardroom.protect.ruin import ruin_of, shoe_results, simulated_ruin
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action
from cardroom.sim.run import Run
from tests.command_line import CommandLine

HI_LO = find_count("hi-lo")


def test_measures_by_hand() -> None:
    rate = Rate(10_000, 0.02, 4.0)
    assert rate.desirability == pytest.approx(10)
    assert rate.score == pytest.approx(100)
    assert rate.n0 == pytest.approx(10_000)
    assert rate.standard_error == pytest.approx(0.02)
    assert rate.ruin(200) == pytest.approx(math.exp(-2))  # the full Kelly bankroll is σ²/μ
    assert rate.certainty_equivalent(200) == pytest.approx(0.01)  # half of the win
    assert Rate(2, -0.01, 1.0).ruin(1000) == 1
    assert Rate(2, -0.01, 1.0).n0 is None
    never = Rate(10, 0.0, 0.0)  # a counter who waited for a count that did not come
    assert (never.desirability, never.score, never.n0, never.ruin(100)) == (0, 0, None, 0)


def test_the_kelly_wager_wins_the_score() -> None:
    """With 10,000 units, no least wager and the Kelly wager, 100 rounds win the SCORE at a risk of 13.5 %."""
    points = [AtCount(0, 0.9, -0.005, 1.3), AtCount(3, 0.1, 0.01, 1.2)]
    wagers = kelly_wagers(points, 10_000)
    assert wagers == pytest.approx([0, 10_000 * 0.01 / 1.2])
    rate = rate_of(points, wagers, 1)
    assert rate.ruin(10_000) == pytest.approx(math.exp(-2), rel=0.01)
    assert 100 * rate.mean == pytest.approx(rate.score, rel=0.01)


def test_the_optimal_ramp_keeps_to_the_risk() -> None:
    points = [AtCount(-1, 0.7, -0.005, 1.3), AtCount(1, 0.2, 0.005, 1.3), AtCount(4, 0.1, 0.02, 1.25)]
    wagers = optimal_wagers(points, 1000, 0.05, 1, 50)
    assert wagers is not None
    assert wagers[0] == 1
    found = rate_of(points, wagers, 1)
    assert found.ruin(1000) <= 0.05
    for one in range(1, 30):  # every other ramp wins less, or risks more
        for other in range(1, 30):
            tried = rate_of(points, [1, one, other], 1)
            assert tried.ruin(1000) > 0.05 or tried.mean <= found.mean + 1e-12
    assert optimal_wagers(points[:1], 1000, 0.05, 1, 50) is None


def test_a_ramp() -> None:
    ramp = Ramp.parse("1:2, 3:8")
    assert [ramp.units(count) for count in (-5, 0, 1, 2, 3, 9)] == [1, 1, 2, 2, 8, 8]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1:0", "falls below the table's minimum"),
        ("1:2,3:-4", "falls below the table's minimum"),
        ("1-2", "is not a step of a ramp"),
        ("1:2.5", "is not a step of a ramp"),
        ("1:2,1:4", "names a count of 1 twice"),
    ],
)
def test_wrong_ramps(text: str, words: str) -> None:
    with pytest.raises(MalformedInput, match=words):
        Ramp.parse(text)


def test_deviations_in_words() -> None:
    assert Deviation.parse("16 v T stand from 0") == Deviation("hard 16", "T", Action.STAND, 0)
    assert str(Deviation.parse("13v2 hit below -1")) == "13 v 2 hit below -1"
    assert Deviation.parse("pair 10 v 5 split from +5").hand == "pair T"
    assert len(read_deviations(["illustrious", "soft 18 v 2 double from 1"])) == 18
    for text, words in (
        ("16 against T", "is not a deviation"),
        ("16 v T jump from 0", "is not an action"),
        ("A v T stand from 0", "has no total"),
    ):
        with pytest.raises(MalformedInput, match=words):
            Deviation.parse(text)
    for twice in (["16 v T stand from 0, 16 v 10 stand from 2"], ["illustrious", "15 v T stand from 3"]):
        with pytest.raises(MalformedInput, match="v T stand is named twice"):
            read_deviations(twice)


def test_bands_of_a_strategy() -> None:
    """Each deviation holds from its count on, or below it, and nowhere else."""
    from cardroom.exact.twentyone import solve

    solution = solve(load_rules("blackjack"), "basic")
    automaton, basic = solution.strategy.automaton, solution.strategy.action
    texts = ["16 v T stand from 0", "13 v 2 hit below -1"]
    bands, actions = strategies(automaton, basic, read_deviations(texts))
    assert bands == (-1, 0)
    sixteen = automaton.state_of(cards("Tc 6d"))
    thirteen = automaton.state_of(cards("Tc 3d"))
    names = [
        [tuple(Action)[row[state, up]] for row in actions] for state, up in ((sixteen, 9), (thirteen, 1))
    ]
    assert names[0] == [Action.HIT, Action.HIT, Action.HIT, Action.STAND]
    assert names[1] == [Action.STAND, Action.HIT, Action.STAND, Action.STAND]
    assert (actions != basic).any(axis=0).sum() == sum((row != basic).sum() for row in actions[[1, 3]])


def cards(text: str) -> list[Card]:
    return list(parse_cards(text))


@pytest.fixture(scope="module")
def flat() -> CounterResult:
    """Six decks, S17, late surrender, resplit aces, a double after a split: a flat wager to the cut card."""
    changes = {
        "dealer_hits_soft_17": False,
        "surrender": "late",
        "split.resplit_aces": True,
        "limits.max": "400.00",
    }
    rules = load_rules("blackjack", changes)
    counter = Counter(HI_LO)
    job = counter.job(rules, seed=11, cut_cards=52, most_units=1)
    return CounterResult(job, counter, Run(4_000_000).of(job), 400)


def test_published_variance_and_flat_edge(flat: CounterResult) -> None:
    """Wizard of Odds, appendix 4: −.00281 and 1.303, by their last digits and five standard errors of ours.

    A round wins at most eight units, and hardly ever more than two: its fourth moment is below 8, so that the
    error of the variance is below the square root of 8 over the rounds.
    """
    assert abs(flat.seen.mean + 0.00281) < 0.000005 + 5 * flat.seen.standard_error
    assert abs(flat.seen.variance - 1.303) < 0.0005 + 5 * math.sqrt(8 / flat.rounds)


def test_counts_are_symmetric_about_nothing_and_rise(flat: CounterResult) -> None:
    """The shares add up to 1, and the edge rises by about half a percent for each count."""
    rows = [row for row in flat.rows if row.seen > 40_000]
    assert sum(row.seen for row in flat.rows) == flat.rounds
    slope = np.polyfit(
        [row.count for row in rows], [row.edge for row in rows], 1, w=[row.seen**0.5 for row in rows]
    )
    assert 0.004 < slope[0] < 0.0065


@pytest.mark.slow
def test_habits_change_what_is_won() -> None:
    """The same cards: insurance and deviations by the count win more, a ramp wins, sitting out wins more."""
    game = cr.Game("blackjack", limits_max="400.00", dealer_hits_soft_17=False)
    list_ = named_indices()["illustrious"]
    ramp = "1:4,2:8,3:12"
    plain = game.counter(3e6, "hi-lo", ramp, cut_cards=52, seed=5)
    clever = game.counter(
        3e6, "hi-lo", ramp, deviations="illustrious", insurance_from=list_.insurance, cut_cards=52, seed=5
    )
    waits = game.counter(3e6, "hi-lo", ramp, enter=1, others=1, cut_cards=52, seed=5)
    assert plain.win_per_100_seen > 4 * plain.standard_error
    assert clever.win_per_100_seen > plain.win_per_100_seen
    assert waits.win_per_100_played > 2 * plain.win_per_100_played
    assert waits.to_dict()["per_round_played"]["rounds"] < 0.4 * waits.rounds
    assert plain.ruin(400) > plain.ruin(1000)
    assert clever.n0 == pytest.approx(1e6 / clever.score)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"cut_cards": 400}, "a cut of 400 cards is beyond the shoe; allowed: 0 to 310 of 312 cards"),
        ({"cut_cards": -1}, "beyond the shoe"),
        ({"enter": 1}, "others 1 or more"),
        ({"enter": 1, "leave": 2, "others": 1}, "cannot get up below 2"),
        ({"leave": 2}, "needs a count to enter"),
        ({"others": 9}, "9 of others are not allowed"),
        ({"rounding": "up"}, "allowed: floor, nearest, truncate"),
        ({"decks_known": "half", "running": True}, "a running count is not divided by decks"),
        ({"decks_known": "roughly"}, "allowed: exact, quarter, half, whole"),
        ({"sides": ["21+3"]}, "write BET@COUNT"),
        ({"sides": ["21+3@3x1001"]}, "is 1 to 1,000 units, not 1,001"),
        ({"sides": ["21+3@41"]}, "a count of 41 is not told apart from others; allowed: -40 to 40"),
        ({"ramp": "99:2"}, "a count of 99 is not told apart"),
        ({"insurance_from": 50}, "a count of 50 is not told apart"),
        ({"deviations": "16 v T stand from 77"}, "a count of 77 is not told apart"),
        ({"ramp": "1:1001", "maximum": 5000}, "a wager of 1,001 units is not allowed; allowed: 1 to 1,000"),
        ({"cover": 1001}, "allowed: 2 to 1000"),
        ({"deviations": "16 v T split from 0"}, "no hard 16 may split"),
    ],
)
def test_wrong_habits(changes: dict[str, object], words: str) -> None:
    with pytest.raises(MalformedInput, match=words):
        cr.Game("blackjack").counter(1000, **changes)  # type: ignore[arg-type]


def test_wrong_games() -> None:
    with pytest.raises(UnknownName, match="there is no side bet 'red'"):
        cr.Game("blackjack").counter(1000, sides=["red@1"])
    with pytest.raises(MalformedInput, match="infinitely many decks"):
        cr.Game("blackjack", decks="infinite").counter(1000)
    with pytest.raises(MalformedInput, match="has no counter"):
        cr.Game("knockout-52").counter(1000)


def test_a_bet_with_one_stake_takes_that() -> None:
    """A dollar where the least wager is four, so a quarter of a unit."""
    pair = {"name": "pair", "when": {"same": ["rank"]}, "pays": "11:1"}
    bet = {"title": "Pair", "looks_at": ["player_1", "player_2"], "lines": [pair], "fixed_stake": "1.00"}
    rules = load_rules_as(TwentyOneRules, "blackjack", {"side_bets.dollar-pair": bet})
    (stake,) = read_sides(["dollar-pair@-40"])
    assert stake.units_staked(rules) == Fraction(1, 4)
    counter = Counter(HI_LO, sides=(stake,))
    job = counter.job(rules, most_units=1)
    found = CounterResult(job, counter, Run(2000).of(job), int(rules.limits.min))
    (side,) = found.sides
    assert side.rounds == 2000
    assert side.win_per_100_seen == pytest.approx(100 * side.edge / 4)
    with pytest.raises(MalformedInput, match=r"dollar-pair takes \$1.00 and no other stake"):
        Counter(HI_LO, sides=read_sides(["dollar-pair@1x2"])).job(rules, most_units=1)


def test_sides_in_words() -> None:
    (stake,) = read_sides(["21+3@-2x5"])
    assert (stake.wager, stake.from_count, stake.units) == ("21+3", -2, 5)


@pytest.mark.slow
def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    habits = ("--count", "hi-lo", "--ramp", "1:1,2:4,3:12", "--rounds", "20000")
    answer = cardroom("protect", "blackjack", *habits, "--maximum", "12", "--bankroll", "500", "--json").json
    assert answer["rounds_seen"] == 20000
    assert sum(row["rounds_seen"] for row in answer["by_count"]) == 20000
    assert {row["count"]: row["units"] for row in answer["by_count"]}[2] == 4
    assert 0 < answer["risk_of_ruin"] <= 1
    assert answer["per_round_played"]["score"] >= 0
    text = cardroom("protect", "blackjack", *habits).out
    for words in ("true count", "For 100 rounds seen", "SCORE", "The table's largest wager is 1 unit"):
        assert words in text
    for wrong, words in (
        (("--ramp", "1:0"), "falls below the table's minimum"),
        (("--ramp", "1:1", "--cut-cards", "400"), "beyond the shoe"),
        (("--ramp", "1:1", "--count", "1,0"), "has 2 tags"),
        (("--ramp", "1:1", "--risk", "0.1"), "name it with --bankroll"),
        (("--ramp", "1:1", "--maximum", "0"), "--maximum 0 is not allowed"),
    ):
        refused = cardroom("protect", "blackjack", *wrong, "--rounds", "1000")
        assert refused.code == 2
        assert words in refused.err
        assert len(refused.err.strip().splitlines()) <= 2


@pytest.mark.slow
def test_kelly_wagers_and_hands_of_several_spots(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two spots: a round is two hands. Kelly: the edge of both spots over the variance of both."""
    cardroom = CommandLine(monkeypatch, capsys)
    habits = ("--ramp", "1:2", "--maximum", "2", "--spots", "2", "--rounds", "40000", "--bankroll", "500")
    found = cardroom("protect", "blackjack", *habits, "--json").json
    by_round, by_hand = found["per_round_played"], found["per_hand_played"]
    assert by_hand["hands"] == 2 * by_round["rounds"]
    assert by_hand["win_per_100"] == pytest.approx(by_round["win_per_100"] / 2)
    assert by_hand["win_per_100_standard_error"] == pytest.approx(by_round["win_per_100_standard_error"] / 2)
    shares = {}
    for row in found["by_count"]:
        if row["rounds_played"] < 100:
            assert row["kelly_share_of_bankroll"] is None
            continue
        shares[row["count"]] = row["kelly_share_of_bankroll"]
        assert shares[row["count"]] == pytest.approx(max(0, 2 * row["edge"] / row["variance"]))
    assert any(shares.values())
    wagers = {one["count"]: one["units"] for one in found["kelly_wagers"]}
    assert wagers == pytest.approx({count: 500 * share for count, share in shares.items()})
    text = cardroom("protect", "blackjack", *habits).out
    assert "For 100 hands played (2 spots a round)" in text
    assert "in units, of a bankroll of 500" in text
    one_spot = cardroom("protect", "blackjack", "--ramp", "1:2", "--rounds", "20000").out
    assert "hands played" not in one_spot
    assert found["cut_card_effect"]["shoes"] == 1024  # as many as 40,000 rounds take, in 64 streams alike
    assert "in percent of the bankroll" in one_spot


@pytest.mark.slow
@pytest.mark.clause("SIDE-3")
@pytest.mark.parametrize(
    ("sides", "words"),
    [
        (["match-down@2"], "match-down needs match-up on the same hand"),
        (["match-down@2", "match-up@3"], "match-up@2"),
        (["match-up@2x5"], "match-up is at most the primary wager .SIDE-3., which is 4 units there, not 5"),
    ],
)
def test_a_counter_keeps_to_what_side_bets_need(sides: list[str], words: str) -> None:
    """The ramp wagers 4 units from 2 on; Match Down stands only beside Match Up."""
    counter = Counter(HI_LO, Ramp.parse("2:4,4:8"), sides=read_sides(sides))
    with pytest.raises(MalformedInput, match=words):
        counter.job(load_rules("players-edge-21"), most_units=8)
    allowed = read_sides(["match-up@1x1", "match-down@2x4"])
    Counter(HI_LO, Ramp.parse("2:4,4:8"), sides=allowed).job(load_rules("players-edge-21"), most_units=8)


def test_simulated_ruin_is_that_of_a_walk() -> None:
    """A unit won with 52 %, lost with 48 %: 20 units are lost with a chance of (48/52)^20."""
    sums = np.array([1.0] * 52 + [-1.0] * 48)
    found = ruin_of(sums, np.minimum(sums, 0), 20, (1 - 0.04**2) / 0.04, trials=4000, seed=8)
    assert abs(found.risk - (48 / 52) ** 20) < 0.001 + 5 * found.standard_error
    assert found.undecided == 0


def test_ruin_of_a_counter_beside_the_formula(flat: CounterResult) -> None:
    """Nothing is won with a flat wager; with a ramp both figures are there."""
    assert simulated_ruin(flat.job, flat.seen, 100) is None
    sums, lows = shoe_results(flat.job, 4096)
    assert (lows <= np.minimum(sums, 0)).all()
    assert len(sums) < 4096 / 20


def test_deviations_are_refused_where_both_dealers_cards_are_seen() -> None:
    rules = load_rules_as(TwentyOneRules, "double-exposure")
    habits = Counter(find_count("hi-lo"), deviations=named_indices()["illustrious"].deviations)
    with pytest.raises(MalformedInput, match=r"both of the dealer's cards are seen .*; leave them out"):
        habits.job(rules, most_units=1)
