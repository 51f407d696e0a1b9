"""Playing efficiency: beside whole solutions of the same shoe, and the order in which books put counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.model.twentyone.automaton import ACTIONS
from cardroom.model.twentyone.chart_rows import UP_CARDS, UP_COLUMNS
from cardroom.protect.counts import find_count, systems
from cardroom.protect.efficiency import gain_of, gains_in, playing_efficiency
from cardroom.protect.indices import Search
from cardroom.protect.paths import deal_paths
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine

ONE_DECK = load_rules_as(TwentyOneRules, "blackjack", {"decks": 1, "dealer_hits_soft_17": False})


@pytest.mark.slow
def test_gains_are_those_of_whole_solutions_of_the_same_shoe() -> None:
    """Half a deck is gone. Where nothing is split, one deviation is worth the chart with it, solved whole."""
    options = {"decks": 1, "dealer_hits_soft_17": False, "split.max_hands": 1}
    rules = load_rules_as(TwentyOneRules, "blackjack", options)
    search = Search(rules, find_count("hi-lo"))
    paths = deal_paths(rules, 4, 26, 3)
    deep = min(range(len(paths.left)), key=lambda place: int(paths.left[place].sum()))
    shoe = CardCounts(tuple(int(number) for number in paths.left[deep]))
    gains = gains_in(search, shoe)
    kept = float(solve(rules, search.basic, shoe=shoe).expected_value)
    tried = {("hard 16", "T", "stand"), ("hard 13", "2", "hit"), ("soft 18", "2", "double")}
    found = [
        (place, cell)
        for place, cell in enumerate(search.cells)
        if (cell.hand, cell.up, str(cell.action)) in tried
    ]
    assert len(found) == len(tried)
    for place, cell in found:
        chart = search.basic.action.copy()
        chart[list(cell.states), UP_COLUMNS[UP_CARDS.index(cell.up)]] = ACTIONS.index(cell.action)
        changed = float(solve(rules, replace(search.basic, action=chart), shoe=shoe).expected_value)
        assert gains[place] == pytest.approx(changed - kept, abs=1e-12)
        assert abs(gains[place]) > 1e-6


@pytest.mark.slow
def test_perfect_play_is_about_the_shoe_solved_anew() -> None:
    """With all that may be split, and deviations that meet in one hand: within a tenth."""
    search = Search(ONE_DECK, find_count("hi-lo"))
    paths = deal_paths(ONE_DECK, 4, 26, 3)
    deep = min(range(len(paths.left)), key=lambda place: int(paths.left[place].sum()))
    shoe = CardCounts(tuple(int(number) for number in paths.left[deep]))
    gains = gains_in(search, shoe)
    kept = float(solve(ONE_DECK, search.basic, shoe=shoe).expected_value)
    best = float(solve(ONE_DECK, "basic", shoe=shoe).expected_value)
    assert gain_of(search, gains, gains)[0] == pytest.approx(best - kept, rel=0.1)


@pytest.mark.thorough
@pytest.mark.slow
def test_counts_stand_in_the_published_order() -> None:
    """Hi-Opt I and II, Omega II and Zen above Halves, Knock-Out, Red Seven and Hi-Lo, in every book.

    Levels rest on old approximations and are not compared. All counts meet the same shoes.
    """
    rules = load_rules_as(TwentyOneRules, "blackjack", {"dealer_hits_soft_17": False})
    found = {one.count.id: one for one in playing_efficiency(rules, list(systems().values()), shoes=60)}
    share = {name: one.share for name, one in found.items()}
    assert min(share[name] for name in ("hi-opt-1", "hi-opt-2", "omega-2", "zen")) > max(
        share[name] for name in ("halves", "ko", "red-7", "hi-lo")
    )
    for one in found.values():
        assert 0 < one.gain < one.perfect_gain
        assert 0 < one.standard_error < 0.2


@pytest.mark.slow
def test_ctrl_c_keeps_the_shoes_that_were_solved() -> None:
    def stop(done: int, of: int) -> None:
        assert of == 30
        if done == 9:
            raise KeyboardInterrupt

    (early,) = playing_efficiency(ONE_DECK, [find_count("hi-lo")], shoes=30, seed=2, progress=stop)
    assert early.perfect_gain > 0
    assert early.standard_error > 0


@pytest.mark.slow
def test_the_command_and_what_it_refuses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    asked = ("protect", "blackjack", "--efficiency", "--shoes", "8", "--set", "decks=1")
    told = cardroom(*asked, "--count", "hi-lo", "--count", "hi-opt-2", "--json").json
    assert [one["count"] for one in told["efficiencies"]] == ["hi-lo", "hi-opt-2"]
    assert told["shoes"] == 8
    for one in told["efficiencies"]:
        assert one["playing_efficiency"] == pytest.approx(
            one["gain_per_100_rounds"] / one["perfect_gain_per_100_rounds"]
        )
    assert "7 shoes are too few" in cardroom("protect", "blackjack", "--efficiency", "--shoes", "7").err
    with pytest.raises(MalformedInput, match="infinitely many decks"):
        playing_efficiency(
            load_rules_as(TwentyOneRules, "blackjack", {"decks": "infinite"}), [find_count("ko")]
        )
