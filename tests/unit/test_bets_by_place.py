"""Bets on four fixed cards that ask where a card lies: simulated, and left out alone where that cannot be."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from cardroom.core.cards import CARDS
from cardroom.core.errors import MalformedInput
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import disagreements
from cardroom.lab.design.form import correlation_view
from cardroom.rules.bets import SideBet
from cardroom.sim.twentyone import simulate
from cardroom.sim.twentyone.side_cards import lines_of_deals
from cardroom.sim.twentyone.side_machines import HOLE, UP, machine_tables
from cardroom.sim.twentyone.sides import not_simulated, simulated_sides, without_bets
from tests.bets_by_place import BY_PLACE, FORGETS_NOTHING, line_of
from tests.command_line import CommandLine
from tests.twentyone import house

BETS = ["ordered", "rainbow"]


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("wager", BETS)
def test_the_tables_of_the_kernel_are_the_plain_words(wager: str) -> None:
    """Eleven cards in every order, and deals of all 52 that the dice choose."""
    bet = house("blackjack", BY_PLACE).side_bets[wager]
    tables = machine_tables([bet], hits_soft_17=True)
    random = np.random.default_rng(3)
    ids = ("lose", *bet.line_ids)
    deals = [*product(range(0, 52, 5), repeat=4), *random.integers(52, size=(10_000, 4)).tolist()]
    met: Counter[str] = Counter()
    for one, two, up, hole in deals:
        state = tables.take[tables.take[tables.start[0, one, two], UP, up], HOLE, hole]
        line = ids[tables.line[state]]
        assert line == (line_of(wager, CARDS[one], CARDS[two], CARDS[up], CARDS[hole]) or "lose")
        met[line] += 1
    assert set(met) == set(ids)


@pytest.mark.slow
@pytest.mark.parametrize("wager", BETS)
def test_all_deals_of_a_deck_are_the_exact_fractions(wager: str) -> None:
    """All 52 · 51 · 50 · 49 orders, counted by the tables and by the machine that `odds` runs."""
    rules = house("blackjack", {**BY_PLACE, "decks": 1})
    bet = rules.side_bets[wager]
    lines = lines_of_deals(bet.machine)
    card = np.indices(lines.shape, np.int8)
    apart = np.ones(lines.shape, np.bool_)
    for one, other in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)):
        apart &= card[one] != card[other]
    counted = np.bincount(lines[apart], minlength=len(bet.lines) + 1)
    orders = 52 * 51 * 50 * 49
    assert counted.sum() == orders
    figures = {one.outcome: one.probability for one in side_bet_figures(rules, wager).outcomes}
    ids = ("lose", *bet.line_ids)
    assert {line: Fraction(int(ways), orders) for line, ways in zip(ids, counted, strict=True)} == figures


@pytest.mark.slow
def test_a_simulation_is_within_its_error_of_the_exact_value() -> None:
    rules = house("blackjack", BY_PLACE)
    result = simulate(rules, solve(rules, "basic").strategy.action, 400_000, seed=12, strategy="basic")
    for wager in BETS:
        exact = side_bet_figures(rules, wager)
        error = exact.standard_deviation / result.rounds**0.5
        assert abs(float(result.estimate(wager).mean - exact.expected_value)) < 4 * error


@pytest.mark.slow
def test_the_kernel_counts_them_as_the_engine_settles_them() -> None:
    """Shoes with many aces and low cards, so that every line comes."""
    rules = house("blackjack", BY_PLACE)
    actions = solve(rules, "basic").strategy.action
    random = np.random.default_rng(8)
    many = [card.index for card in CARDS if card.value <= 4] * 3
    deck = np.array([*many, *(card.index for card in CARDS)], np.uint8)
    shoes = np.array([random.permutation(deck)[:60] for _ in range(300)])
    assert list(disagreements(rules, actions, shoes)) == []


@pytest.mark.slow
def test_a_bet_that_forgets_nothing_is_left_out_and_no_other() -> None:
    rules = house("blackjack", {**BY_PLACE, "side_bets.elephant": FORGETS_NOTHING})
    words = (
        "Elephant is not simulated: it remembers too much of the cards that it looks at to be simulated; "
        "ask for fewer suits and cards in it."
    )
    assert not_simulated(rules) == {"elephant": words}
    kept = without_bets(rules, ["elephant"])
    assert "elephant" not in kept.offered_side_bets
    assert set(BETS) < set(simulated_sides(kept))
    with pytest.raises(
        MalformedInput, match="the side bet Elephant remembers too much of the cards that it l"
    ):
        machine_tables([SideBet.model_validate(FORGETS_NOTHING)], hits_soft_17=True)


@pytest.mark.slow
def test_what_hangs_on_a_bet_that_is_left_out_stays() -> None:
    leaning = {**BY_PLACE["side_bets.ordered"], "needs": "elephant"}
    rules = house("blackjack", {"side_bets.elephant": FORGETS_NOTHING, "side_bets.leaning": leaning})
    kept = without_bets(rules, not_simulated(rules))
    assert (kept.side_bets["leaning"].needs, kept.side_bets["leaning"].offered) == (None, True)


@pytest.mark.slow
def test_a_design_keeps_all_but_that_bet_s_correlation(cardroom: CommandLine, tmp_path: Path) -> None:
    from cardroom.lab.design.form import toml_value

    file = tmp_path / "elephant.toml"
    own = "\n".join(f"{key} = {toml_value(value)}" for key, value in FORGETS_NOTHING.items())
    ordered = "\n".join(
        f"{key} = {toml_value(value)}" for key, value in BY_PLACE["side_bets.ordered"].items()
    )
    file.write_text(f"[side_bets.elephant]\n{own}\n[side_bets.ordered]\n{ordered}\n", encoding="utf-8")
    printed = cardroom("design", file)
    assert printed.code == 0, printed.err
    assert "Ordered: " in printed.out
    assert "Elephant is not simulated: it remembers too much" in " ".join(printed.out.split())
    view = correlation_view(own, "blackjack")
    assert view["correlation"] is None
    assert view["note"].endswith("ask for fewer suits and cards in it.")


def test_bets_on_the_first_three_cards_and_the_player_s_third_are_made_the_same_way() -> None:
    """The tables of a bet on the player's third card: four cards, of which the last may not be dealt."""
    bet = SideBet.model_validate(
        {
            "title": "Third",
            "looks_at": ["player_1", "player_2", "dealer_up", "player_3"],
            "lines": [{"name": "ladder", "when": {"different": ["suit"], "in_a_row": True}, "pays": "50:1"}],
        }
    )
    tables = machine_tables([bet], hits_soft_17=True)
    two, three, four, five = (13 * suit + rank for suit, rank in ((0, 1), (1, 2), (2, 3), (3, 4)))
    state = tables.take[tables.take[tables.start[0, two, three], UP, four], HOLE, 51]
    assert tables.is_open[state]
    assert tables.line[tables.take[state, 3, five]] == 1
    assert tables.line[tables.take[state, 3, five - 13]] == 0
    decided = tables.take[tables.start[0, two, two], UP, four]
    assert not tables.is_open[decided]
    assert tables.line[decided] == 0
