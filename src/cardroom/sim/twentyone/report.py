"""What a simulation of the blackjack family says: every wager with its error."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from cardroom.core.cards import RANK_LETTERS
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.schema import TwentyOneRules
from cardroom.sim.result import Estimate, SimulationResult
from cardroom.sim.run import Sum
from cardroom.sim.twentyone import kernel
from cardroom.sim.twentyone.dealing import Dealing
from cardroom.sim.twentyone.insurance import line_nets as insurance_line_nets
from cardroom.sim.twentyone.job import Job, Prepared
from cardroom.sim.twentyone.sides import line_nets, simulated_sides


def report(job: Job, added: Sum, strategy: str) -> SimulationResult:
    """The figures of what was added up."""
    prepared = job.prepared
    rules = prepared.rules
    tallies = prepared.tallies(added.tally)
    counters = [int(count) for count in tallies.counters]
    estimates = [_primary(prepared, tallies.nets.sum(axis=0))]
    if rules.insurance.offered:
        estimates += _insurance(rules, counters, job.wager_cents)
    if rules.super_bonus.offered and job.spots == 1:
        wager_cents = job.wager_cents or int(rules.limits.min)
        estimates.append(_super_bonus(rules, wager_cents, added.rounds, counters[kernel.SUPER_BONUSES]))
    if job.side_bets:
        for wager, lines in zip(simulated_sides(rules), tallies.side_lines, strict=True):
            estimates.append(_side_bet(rules, wager, job.side_cents, [int(count) for count in lines]))
    return SimulationResult(
        rules.game,
        rules.rules_hash,
        added.rounds,
        job.seed,
        tuple(estimates),
        {
            "wager_cents": job.wager_cents,
            "side_wager_cents": job.side_cents,
            "strategy": strategy,
            "spots": job.spots,
            "dealing": _dealing_words(job),
            "average_wager": counters[kernel.STAKED] / (added.rounds * job.spots * prepared.tables.unit),
            "shoes": counters[kernel.SHOES],
            "rounds_per_shoe": added.rounds / counters[kernel.SHOES] if counters[kernel.SHOES] else None,
            "dead_rounds": counters[kernel.DEAD_ROUNDS],
            "by_up_card": _by_up_card(prepared, tallies.nets),
            "interrupted": added.interrupted,
        },
    )


def _dealing_words(job: Job) -> str:
    dealing = job.dealing
    if job.prepared.game.infinite:
        return "infinite decks"
    if dealing == Dealing.fresh():
        return "a fresh shoe every round"
    rounds, behind = dealing.rounds_per_shoe, dealing.cut_cards
    ends = [] if rounds is None else [f"{rounds} round{'s' * (rounds != 1)} at most"]
    ends += [] if behind is None else [f"{behind} card{'s' * (behind != 1)} behind the cut card"]
    return f"shoes with {', '.join(ends)}, {dealing.burn_cards} burned"


def _tally(prepared: Prepared, nets: Any) -> tuple[tuple[Fraction, int], ...]:
    middle, scale = prepared.results // 2, prepared.tables.unit * prepared.spots
    return tuple((Fraction(int(at) - middle, scale), int(nets[at])) for at in np.flatnonzero(nets))


def _primary(prepared: Prepared, nets: Any) -> Estimate:
    """For one unit on every spot: the mean result of a spot, with the error of whole rounds."""
    return Estimate("primary", _tally(prepared, nets))


def _by_up_card(prepared: Prepared, nets: Any) -> list[dict[str, Any]]:
    rows = []
    for value, by_result in enumerate(nets):
        if by_result.sum() > 1:
            estimate = Estimate("primary", _tally(prepared, by_result))
            rows.append(
                {
                    "up_card": RANK_LETTERS[value],
                    "rounds": estimate.rounds,
                    "expected_value": float(estimate.mean),
                    "standard_error": estimate.standard_error,
                }
            )
    return rows


def _insurance(rules: TwentyOneRules, counters: list[int], wager_cents: int | None) -> list[Estimate]:
    """Insurance for a unit with an ace up and nothing else known; none on a wager too small to be halved."""
    aces = counters[kernel.ACES_UP]
    stake = None if wager_cents is None else law.most_insurance_cents(rules, wager_cents)
    if aces < 2 or stake == 0:
        return []
    nets = insurance_line_nets(rules, stake)
    won = counters[kernel.ACES_UP + 1 : kernel.ACES_UP + len(nets)]
    return [Estimate("insurance", tuple(zip(nets, (aces - sum(won), *won), strict=True)))]


def _super_bonus(rules: TwentyOneRules, wager_cents: int, rounds: int, won: int) -> Estimate:
    """For each unit of the primary wager."""
    pays = Fraction(rules.super_bonus.pays_on(wager_cents), wager_cents)
    return Estimate("super-bonus", ((Fraction(0), rounds - won), (pays, won)))


def _side_bet(rules: TwentyOneRules, wager: str, side_cents: int | None, counts: list[int]) -> Estimate:
    """A unit on a side bet at the first spot; a jackpot pays the meter as it is after a reset."""
    nets = line_nets(rules, wager, side_cents)
    return Estimate(wager, tuple(sorted(zip(nets, counts, strict=False))))
