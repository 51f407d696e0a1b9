"""Counts by depth, bankrolls as they go and the risk by size: beside what theory says of each."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import pytest

from cardroom.lab.protection import counter_plots, counter_table
from cardroom.lab.protection_plots import drawn_plots
from cardroom.protect.counting import CounterResult
from cardroom.protect.counts import find_count
from cardroom.protect.curves import RISKS, bankroll_fan, counts_by_depth, ruin_curve
from cardroom.protect.habits import Counter
from cardroom.protect.ramp import Ramp
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.run import Run
from tests.command_line import CommandLine

BETWEEN = 3.29
"""Standard deviations from 5 to 95 of 100."""


@pytest.fixture(scope="module")
def result() -> CounterResult:
    rules = load_rules_as(TwentyOneRules, "blackjack", {"dealer_hits_soft_17": False})
    counter = Counter(find_count("hi-lo"), Ramp.parse("1:4,2:12,3:20"))
    job = counter.job(rules, cut_cards=52, most_units=20)
    return CounterResult(job, counter, Run(2_000_000).of(job), int(rules.limits.min))


@pytest.mark.slow
def test_counts_spread_with_the_depth_as_cards_drawn_without_replacement_do(result: CounterResult) -> None:
    """After n of 312 cards, 40 of 52 with a tag of one: n(312 - n)/311 · 40/52, over the decks left."""
    spreads = counts_by_depth(result.job)
    assert [one.at for one in spreads] == [step / 2 + 0.25 for step in range(10)]
    for one in spreads[1:]:
        gone = 52 * one.at
        deviation = math.sqrt(gone * (312 - gone) / 311 * 40 / 52) * 52 / (312 - gone)
        assert (one.values[-1] - one.values[0]) / BETWEEN == pytest.approx(deviation, rel=0.1)
        assert abs(one.values[2]) < 0.25


@pytest.mark.slow
def test_a_bankroll_spreads_as_its_variance_says(result: CounterResult) -> None:
    fan = bankroll_fan(result.job, result.seen)
    assert fan[0].values == (0.0,) * 5
    last, rate = fan[-1], result.seen
    spread = math.sqrt(rate.variance * last.at)
    assert (last.values[-1] - last.values[0]) / BETWEEN == pytest.approx(spread, rel=0.15)
    assert abs(last.values[2] - rate.mean * last.at) < spread / 4


@pytest.mark.slow
def test_a_counter_who_never_comes_to_play() -> None:
    """Waits for a count of 40 on six decks: what is met is shown, and nothing is won or risked."""
    counter = Counter(find_count("hi-lo"), enter=40, others=1)
    job = counter.job(load_rules_as(TwentyOneRules, "blackjack"), most_units=1)
    result = CounterResult(job, counter, Run(2000).of(job), 400)
    assert [(one.at, set(one.values)) for one in result.curves.bankroll] == [(0, {0})]
    assert result.curves.risks == []
    assert [plot["title"] for plot in counter_plots(result)] == [
        "How often each true count comes",
        "True counts by depth",
        "How a bankroll may go",
    ]
    assert {tuple(row[2:]) for row in counter_table(result, 1)["rows"]} == {("-", "-", "-")}
    assert drawn_plots(list(counter_plots(result)), ".svg").startswith(b"<?xml")


@pytest.mark.slow
def test_the_risk_of_ruin_falls_with_the_bankroll(result: CounterResult) -> None:
    curve = ruin_curve(result.job, result.seen)
    assert [one.formula for one in curve] == pytest.approx(list(RISKS))
    assert [one.bankroll for one in curve] == sorted(one.bankroll for one in curve)
    for one in curve:  # whole wagers and whole shoes are a little coarser than the formula
        assert abs(one.simulated - one.formula) < 4 * one.standard_error + 0.25 * one.formula
    flat = Counter(find_count("hi-lo")).job(result.job.rules, most_units=1)
    added = CounterResult(flat, result.counter, Run(100_000).of(flat), 400)
    assert ruin_curve(flat, added.seen) == []


@pytest.mark.slow
def test_the_curves_are_drawn_on_one_sheet(result: CounterResult) -> None:
    plots = list(counter_plots(result))
    assert [plot["title"] for plot in plots] == [
        "Edge against true count",
        "How often each true count comes",
        "True counts by depth",
        "How a bankroll may go",
        "Risk of ruin by bankroll",
    ]
    for form, head in ((".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")):
        drawn = drawn_plots(plots, form)
        assert drawn.startswith(head)
        assert drawn == drawn_plots(plots, form)


@pytest.mark.slow
def test_curves_in_the_terminal_in_json_and_as_csv(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The same points in all three."""
    monkeypatch.chdir(tmp_path)
    cardroom = CommandLine(monkeypatch, capsys)
    asked = ("protect", "blackjack", "--ramp", "1:4,2:12", "--maximum", "12", "--rounds", "2e5", "--curves")
    found = cardroom(*asked, "--csv", "curves.csv", "--json").json
    curves = found["curves"]
    assert curves["percentiles"] == [5, 25, 50, 75, 95]
    assert curves["won_by_rounds_seen"][0] == {"rounds_seen": 0, "units": [0] * 5}
    with (tmp_path / "curves.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert {line["curve"] for line in lines} >= {"by_count", "count_by_decks_dealt", "won_by_rounds_seen"}
    by_depth = [float(line["value"]) for line in lines if line["curve"] == "count_by_decks_dealt"]
    assert by_depth == [count for one in curves["count_by_decks_dealt"] for count in one["counts"]]
    edges = {float(line["x"]): float(line["value"]) for line in lines if line["series"] == "edge"}
    assert edges == {row["count"]: row["edge"] for row in found["by_count"] if row["rounds_played"]}
    ruin = [float(line["value"]) for line in lines if line["series"] == "formula"]
    assert ruin == [one["formula"] for one in curves["ruin_by_bankroll"]]
    text = cardroom(*asked).out
    assert "True counts by depth" in text
    assert "How a bankroll may go" in text
    assert ("Risk of ruin by bankroll" in text) is bool(ruin)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--curves"], "--curves goes with --ramp, not alone"),
        (["--csv", "curves.csv"], "--csv goes with --ramp or --house, not alone"),
        (["--curves", "--house"], "--curves goes with --ramp, not with --house"),
        (["--second-order", "--known"], "ask one at a time"),
    ],
)
def test_curves_are_those_of_a_counter(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    assert words in CommandLine(monkeypatch, capsys).refused("protect", "blackjack", *options)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--plot", "counter.svg"], "ask for --ramp or --house"),
        (["--ramp", "1:2", "--plot", "counter.jpg"], "allowed: a name that ends in .svg, .png, .pdf"),
        (["--ramp", "1:2", "--plot", "nowhere/counter.pdf"], "nowhere"),
    ],
)
def test_plots_that_cannot_be_drawn(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    options: list[str],
    words: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = CommandLine(monkeypatch, capsys)("protect", "blackjack", *options)
    assert answer.code == 2
    assert words in answer.err
    assert len(answer.err.splitlines()) == 1
