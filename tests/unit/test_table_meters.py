"""Progressive meters of a table: contributions, hits, resets, to the cent (SIDE-4, R-49)."""

from __future__ import annotations

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import JackpotPaid, MeterRaised, MeterReset
from cardroom.rules.bets import shelf_bet, shelf_names
from cardroom.table.twentyone import MeterOpened, Table
from tests.tables import CHIPS, StackedDealer, finish, of, rules_of, table_of

ONE, FIVE = "monster-match-1", "monster-match-5"
SEED_ONE, SEED_FIVE = 1_000_000, 5_000_000


@pytest.mark.clause("SIDE-4")
@pytest.mark.requirement("R-49")
def test_each_size_of_wager_has_a_meter_of_its_own() -> None:
    table = table_of("players-edge-21", {"Ann": [1], "Bob": [2]}, cards="2c 3d 4h 5s 6c 7d")
    assert dict(table.view().meters) == {ONE: SEED_ONE, FIVE: SEED_FIVE}
    table.place_wagers("Ann", 1, 1000, {ONE: 100, FIVE: 500})
    table.place_wagers("Bob", 2, 1000, {ONE: 100})
    finish(table)
    assert dict(table.view().meters) == {ONE: SEED_ONE + 16, FIVE: SEED_FIVE + 40}
    meter = table.state.meters[ONE]
    assert (meter.contributions, meter.contributed_cents, meter.hits, meter.paid_cents) == (2, 16, 0, 0)
    assert table.state.accounts[f"meter:{ONE}"] == SEED_ONE + 16


@pytest.mark.clause("SIDE-4")
@pytest.mark.requirement("R-49")
def test_two_hits_in_one_round_are_paid_right_to_left_and_the_second_wins_the_seed() -> None:
    # Everybody holds kings of diamonds, and the dealer too: four identical cards on both spots.
    table = table_of("players-edge-21", {"Ann": [1], "Bob": [2]}, cards="Kd Kd Kd Kd Kd Kd")
    table.place_wagers("Ann", 1, 1000, {ONE: 100})
    table.place_wagers("Bob", 2, 1000, {ONE: 100, FIVE: 500})
    events = finish(table)
    assert of(events, MeterRaised) == [
        MeterRaised(ONE, 8, SEED_ONE + 8),
        MeterRaised(ONE, 8, SEED_ONE + 16),
        MeterRaised(FIVE, 40, SEED_FIVE + 40),
    ]
    assert of(events, JackpotPaid) == [
        JackpotPaid(2, "Bob", ONE, 100, SEED_ONE + 16),
        JackpotPaid(2, "Bob", FIVE, 500, SEED_FIVE + 40),
        JackpotPaid(1, "Ann", ONE, 100, SEED_ONE),
    ]
    assert dict(table.view().meters) == {ONE: SEED_ONE, FIVE: SEED_FIVE}
    meter = table.state.meters[ONE]
    assert (meter.hits, meter.paid_cents, meter.seeded_cents) == (2, 2 * SEED_ONE + 16, 3 * SEED_ONE)
    assert sum(table.state.accounts.values()) == 0


@pytest.mark.requirement("R-49")
def test_a_change_of_the_seed_waits_for_the_next_win() -> None:
    table = table_of("players-edge-21", {"Ann": [1]}, cards="Kd Kd Kd Kd", burn=False)
    table.close()
    table.change_rules("floor", {f"side_bets.{ONE}.meter_seed": "20000.00"})
    assert of(table.open(), MeterOpened) == []
    assert dict(table.view().meters)[ONE] == SEED_ONE
    table.new_shoe(burn=False)
    table.place_wagers("Ann", 1, 1000, {ONE: 100})
    events = finish(table)
    assert of(events, JackpotPaid) == [JackpotPaid(1, "Ann", ONE, 100, SEED_ONE + 8)]
    assert of(events, MeterReset) == [MeterReset(ONE, 2_000_000)]
    assert dict(table.view().meters)[ONE] == 2_000_000


@pytest.mark.requirement("R-49")
def test_a_contribution_is_never_rounded() -> None:
    """Wagers of whole dollars, and whole percentages of them for the meter: no cent is split."""
    progressive = [
        bet for bet in (shelf_bet(name).bet for name in shelf_names()) if bet.meter_seed is not None
    ]
    assert progressive
    for bet in progressive:
        assert bet.stake == "fixed"
        assert bet.fixed_stake_cents % 100 == 0
    for percent in (0, 1, 7, 99, 100):
        changes = {f"side_bets.{FIVE}.meter_increment_percent": percent}
        table = table_of("players-edge-21", {"Ann": [1]}, changes, cards="2c 3d 4h 5s")
        table.place_wagers("Ann", 1, 1000, {FIVE: 500})
        finish(table)
        assert dict(table.view().meters)[FIVE] == SEED_FIVE + 5 * percent


@pytest.mark.requirement("R-49")
def test_meters_outlive_the_day() -> None:
    table = Table(rules_of("players-edge-21"), StackedDealer())
    table.open(meters={ONE: 1_234_567})
    assert dict(table.view().meters) == {ONE: 1_234_567, FIVE: SEED_FIVE}
    table.sit("Ann", CHIPS)
    table.close()
    with pytest.raises(MalformedInput, match="opens no meter"):
        table.open(meters={ONE: 1})
    table.open()
    assert dict(table.view().meters)[ONE] == 1_234_567
    other = Table(rules_of("blackjack"), StackedDealer())
    with pytest.raises(MalformedInput, match="opens no meter"):
        other.open(meters={ONE: 1})
