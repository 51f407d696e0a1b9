"""Several counters and second counts: their words, their commands, the library, what their counts mean."""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cardroom as cr
from cardroom.core.decks import CardCounts
from cardroom.core.errors import CardroomError
from cardroom.exact.sidebets import insurance_figures
from cardroom.protect.counting import CounterResult
from cardroom.protect.counts import Count, find_count, find_side_count, side_counts
from cardroom.protect.curves import bankroll_fan, counts_by_depth
from cardroom.protect.habits import Counter
from cardroom.protect.ramp import Ramp
from cardroom.protect.team import counter_words, read_counter
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.run import Run
from tests.command_line import CommandLine

HABITS = (
    "count=hi-lo",
    "count=zen ramp=1:4,2:12 enter=2 leave=1 spots=2 cover=2",
    "count=ko ramp=1:3 running",
    "count=-1,1,1,1,1,1,0,0,0,-1 deviations='16 v T stand from 0, 13 v 2 hit below -1' play-count=hi-opt-1",
    "count=hi-lo side=21+3@4x5 insurance-from=4 insurance-count=tens side-count=suits",
    "count=halves decks-known=half rounding=nearest",
)


@pytest.mark.parametrize("text", HABITS)
def test_a_counter_in_words_reads_back(text: str) -> None:
    counter = read_counter(text)
    assert sorted(counter_words(counter).split()) == sorted(text.split())
    assert read_counter(counter_words(counter)) == counter


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "needs habits"),
        ("speed=3", "a counter has no 'speed'"),
        ("ramp", "is not a habit; write ramp=VALUE"),
        ("running=yes", "is not a habit; write running"),
        ("ramp=1:0", "falls below the table's minimum"),
        ("enter=soon", "enter=soon is not allowed"),
        ("count=1,2", "has 2 tags"),
        ("count=suits", "there is no count 'suits'"),
        ("side-count=cups", "there is no count 'cups' to keep beside another; there are tens, aces, suits"),
        ("spots=1 spots=2", "spots is named twice"),
        ("deviations='16 v T", "never closed"),
    ],
)
def test_wrong_words(text: str, words: str) -> None:
    with pytest.raises(CardroomError, match=words):
        read_counter(text)


@pytest.mark.parametrize(("game", "decks", "pays_from"), [("blackjack", 1, 4), ("spanish-21", 6, 12)])
def test_insurance_pays_from_a_whole_count_of_tens(game: str, decks: int, pays_from: int) -> None:
    """Tens −2, others +1: a third of tens among the cards not seen is a true count of exactly 4.

    A Spanish deck has twelve tens of 48 cards, and tags that add up to 12: there a third is a count of 12.
    """
    rules = load_rules_as(TwentyOneRules, game, {"decks": decks})
    reckoning = Counter(find_side_count("tens")).reckoning(rules)
    random, full = np.random.default_rng(decks), rules.shoe()
    signs = set()
    for _ in range(30):
        others = [card.index for card in full.cards() if card.index]
        gone = random.permutation(others)[: full.total * 2 // 3]  # an ace of clubs at least stays
        left = CardCounts(tuple(np.array(full.counts) - np.bincount(gone, minlength=52)))
        seen = sum((reckoning.tags[card] for card in gone), Fraction(0)) + reckoning.tags[0]  # and the ace
        value = insurance_figures(rules, shoe=left).expected_value
        assert (value >= 0) == (seen * (full.total // decks) / (left.total - 1) >= pays_from)
        signs.add(value >= 0)
    assert signs == {True, False}


def test_a_count_of_aces_and_one_of_tens_are_said_as_such() -> None:
    assert find_side_count("aces").balanced()
    assert find_side_count("hi-lo") == find_count("hi-lo")
    assert side_counts()["suits"].suits
    assert not any(side_counts()["suits"].tags.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("--side-count suits", "a count for side bets decides nothing here"),
        ("--play-count zen", "a count for play decides nothing here"),
        ("--insurance-count tens", "a count for insurance decides nothing here"),
        ("--enter 1 --with enter=1", "somebody to be dealt to meanwhile: others 1 or more"),
        ("--with spots=7", "7 of others are not allowed"),
        ("--with count=zen --risk 0.1 --bankroll 500", "--risk finds the ramp of one counter"),
        ("--with count=zen --cut-cards 400", "a cut of 400 cards is beyond the shoe"),
        ("--count zen --count ko", "a counter wagers by one count"),
    ],
)
def test_wrong_input_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], wrong: str, words: str
) -> None:
    refused = CommandLine(monkeypatch, capsys)(
        "protect", "blackjack", "--ramp", "1:2", "--rounds", "1000", *wrong.split()
    )
    assert refused.code == 2
    assert words in refused.err
    assert len(refused.err.strip().splitlines()) == 1


@pytest.mark.slow
def test_the_command_of_a_team(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The counters' wins add up, in JSON as in the table; the CSV has both."""
    monkeypatch.chdir(tmp_path)
    cardroom = CommandLine(monkeypatch, capsys)
    habits = ("--with", "count=zen ramp=1:4,2:12 enter=1 spots=2", "--bankroll", "500")
    asked = ("protect", "blackjack", "--ramp", "1:2", "--maximum", "12", "--rounds", "20000", *habits)
    told = cardroom(*asked, "--json", "--curves", "--csv", "team.csv").json
    first, second = told["counters"]
    together = told["together"]
    assert together["per_round_seen"]["win_per_100"] == pytest.approx(
        first["per_round_seen"]["win_per_100"] + second["per_round_seen"]["win_per_100"]
    )
    assert together["hands_played"] == 20000 + 2 * second["per_round_played"]["rounds"]
    assert second["habits"] == "count=zen ramp=1:4,2:12 enter=1 spots=2"
    assert 0 < told["risk_of_ruin"] <= 1
    lines = list(csv.DictReader(Path("team.csv").read_text("utf-8").splitlines()))
    assert {"counter_1_by_count", "counter_2_by_count", "won_by_rounds_seen"} <= {
        line["curve"] for line in lines
    }
    text = cardroom(*asked).out
    for words in ("2 counters at one table", "together", "Correlation of two counters", "common bankroll"):
        assert words in text


@pytest.mark.slow
def test_a_second_count_is_said_and_decides(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By suits a side bet is never made below its count, whatever Hi-Lo says."""
    cardroom = CommandLine(monkeypatch, capsys)
    asked = ("protect", "blackjack", "--ramp", "1:1", "--rounds", "20000", "--side", "21+3@4")
    by_suits = cardroom(*asked, "--side-count", "suits", "--json").json
    by_hi_lo = cardroom(*asked, "--json").json
    assert (by_suits["side_count"], by_hi_lo["side_count"]) == ("suits", None)
    assert by_suits["side_bets"][0]["rounds_made"] != by_hi_lo["side_bets"][0]["rounds_made"]
    assert by_suits["rounds_per_shoe"] == by_hi_lo["rounds_per_shoe"]
    assert "Side bets by another count: The longest suit" in cardroom(*asked, "--side-count", "suits").out


@pytest.mark.slow
def test_the_library_has_hands_teams_and_curves(tmp_path: Path) -> None:
    game = cr.Game("blackjack")
    two = game.counter(20000, "hi-lo", "1:2", spots=2, maximum=2)
    assert two.hands == 40000
    assert two.win_per_100_hands == pytest.approx(two.win_per_100_seen / 2)
    assert two.curves.names == ["edge", "counts", "bankroll", "ruin"]
    assert repr(two.curves) == "<curves of Hi-Lo over 20,000 rounds seen: edge, counts, bankroll, ruin>"
    assert sum(two.curves.edge.column("share_of_rounds_seen")) == pytest.approx(1)
    assert two.curves.bankroll[0]["p50"] == 0
    assert two.curves.to_svg(tmp_path / "curves.svg") == (tmp_path / "curves.svg").read_text("utf-8")
    assert two.curves._repr_html_().startswith("<svg")
    with pytest.raises(CardroomError, match="there is no curve 'luck'; the curves are edge"):
        two.curves["luck"]
    team = game.team(20000, ["count=hi-lo", "count=zen ramp=1:2 enter=1"], maximum=2)
    assert team.win_per_100_seen == pytest.approx(sum(one.win_per_100_seen for one in team.counters))
    assert team.hands == sum(one.hands for one in team.counters)
    assert team.win_per_100_hands == pytest.approx(team.win_per_100_seen * 20000 / team.hands)
    assert "20,000 rounds seen by 2 counters" in repr(team)
    assert set(team.curves.edge.column("counter")) == {1, 2}
    assert team.rows()[1]["habits"] == "count=zen ramp=1:2 enter=1"
    with pytest.raises(CardroomError, match="a counter 5 is not a text"):
        game.team(1000, [5])  # type: ignore[list-item]


@pytest.mark.slow
def test_curves_of_a_counter_who_waits_have_all_rounds_in_them() -> None:
    """Sitting down at +2 only: counts spread as the cards do, and a bankroll grows by the rounds seen."""
    rules = load_rules_as(TwentyOneRules, "blackjack", {"dealer_hits_soft_17": False})
    counter = Counter(find_count("hi-lo"), Ramp.parse("2:12"), enter=2, others=1)
    job = counter.job(rules, cut_cards=52, most_units=12)
    result = CounterResult(job, counter, Run(1_000_000).of(job), 400)
    for one in counts_by_depth(job, 100_000)[:3]:
        gone = 52 * one.at
        deviation = math.sqrt(gone * (312 - gone) / 311 * 40 / 52) * 52 / (312 - gone)
        assert (one.values[-1] - one.values[0]) / 3.29 == pytest.approx(deviation, rel=0.25)
    last = bankroll_fan(job, result.seen)[-1]
    spread = math.sqrt(result.seen.variance * last.at)
    assert (last.values[-1] - last.values[0]) / 3.29 == pytest.approx(spread, rel=0.1)


@pytest.mark.slow
def test_ctrl_c_prints_what_was_reached(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After the first batch of the table somebody presses Ctrl-C."""
    from cardroom.sim.twentyone.team_job import TeamJob

    play, played = TeamJob.__call__, list[int]()

    def interrupted(job: TeamJob, batch: int, rounds: int) -> Any:
        if rounds > 2:
            played.append(batch)
            if len(played) > 1:
                raise KeyboardInterrupt
        return play(job, batch, rounds)

    monkeypatch.setattr(TeamJob, "__call__", interrupted)
    cardroom = CommandLine(monkeypatch, capsys)
    asked = (
        "protect",
        "blackjack",
        "--ramp",
        "1:1",
        "--rounds",
        "1e7",
        "--workers",
        "1",
        "--with",
        "count=zen",
    )
    text = cardroom(*asked).out
    assert "Interrupted; these are the rounds that were played until then." in text
    assert "together" in text


def test_a_count_of_suits_alone_is_refused() -> None:
    suits = Count("suits", "suits", dict.fromkeys("A23456789T", Fraction(0)), suits=True)
    with pytest.raises(CardroomError, match="says nothing of the primary wager"):
        Counter(suits).seat(load_rules_as(TwentyOneRules, "blackjack"), most_units=1)
