"""Draws of Knockout 21 simulated: within their error of the exact picture, the same for any workers."""

from __future__ import annotations

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.exact.knockout21.draw_figures import picture
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import GAMES, Knockout21Rules
from cardroom.sim.batches import threads
from cardroom.sim.knockout21.draws import MOST_TICKETS, Knockout21Job
from cardroom.sim.run import Run
from tests.command_line import CommandLine

MOST_ERRORS = 4  # of some twenty figures one may be off by three


@pytest.mark.parametrize(("tickets", "draws"), [(2, 50_000), (30, 20_000), (1000, 5_000)])
def test_simulated_draws_meet_the_exact_picture(tickets: int, draws: int) -> None:
    rules = load_rules_as(Knockout21Rules, "knockout-21")
    job = Knockout21Job(rules, tickets, seed=3)
    added = Run(draws, threads(2)).of(job)
    exact = picture(rules, tickets=tickets)
    assert int(added.tally.sum()) == len(GAMES) * draws
    for estimate, game in zip(job.estimates(added.tally), exact.games, strict=True):
        off = estimate.win_chance - game.win_chance
        assert abs(off) <= MOST_ERRORS * estimate.win_chance_error
        off = estimate.returned - game.expected_paid_cents / exact.sales_cents
        assert abs(off) <= MOST_ERRORS * estimate.returned_error
    net, error = job.precision(added.tally)
    assert abs(1 + net - exact.return_to_player) <= MOST_ERRORS * error


def test_any_number_of_workers_gives_the_same_draws() -> None:
    job = Knockout21Job(load_rules_as(Knockout21Rules, "knockout-21"), 1000, seed=3)
    draws = 3 * job.rounds_per_batch + 5
    one, two = (Run(draws, threads(workers)).of(job) for workers in (1, 2))
    assert one.rounds == draws
    assert one.tally.tolist() == two.tally.tolist()


@pytest.mark.parametrize("tickets", [0, -1, MOST_TICKETS + 1])
def test_wrong_numbers_of_tickets(tickets: int) -> None:
    with pytest.raises(MalformedInput, match="tickets are not allowed"):
        Knockout21Job(load_rules_as(Knockout21Rules, "knockout-21"), tickets, seed=3)


def test_on_the_command_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    cardroom = CommandLine(monkeypatch, capsys)
    line = ("simulate", "knockout-21", "--rounds", "2000", "--tickets", "100")
    found = cardroom(*line, "--json").json
    assert (found["rounds"], found["tickets"]) == (2000, 100)
    assert [wager["wager"] for wager in found["wagers"]] == ["game-1", "game-2", "game-3"]
    off = found["return_to_player"] - found["exact_return_to_player"]
    assert abs(off) <= MOST_ERRORS * found["return_to_player_standard_error"]
    assert "2,000 draws of 100 tickets from seed 1, by the charts" in cardroom(*line).out
    assert "--tickets 0 is not allowed" in cardroom.refused("simulate", "knockout-21", "--tickets", "0")
    assert "would take about" in cardroom.refused("simulate", "knockout-21", "--rounds", "1e12")
