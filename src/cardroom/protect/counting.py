"""A player who counts, simulated: what it brings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np

from cardroom.protect.curves import Curves, Point, curves_of
from cardroom.protect.habits import Counter
from cardroom.protect.measures import AtCount, Rate, kelly_wagers, optimal_wagers, rate_of
from cardroom.protect.ramp import Ramp
from cardroom.protect.ruin import simulated_ruin
from cardroom.sim.run import Sum
from cardroom.sim.twentyone import counter as kernel
from cardroom.sim.twentyone.counter_job import CounterJob
from cardroom.sim.twentyone.team_job import SeatJob

_LEAST_FOR_A_RAMP: Final = 100
"""Rounds at a count without which its edge says nothing."""


@dataclass(frozen=True, slots=True)
class CountRow:
    """Rounds that began at one count."""

    count: int
    seen: int
    played: int
    units: int
    """Wagered on each spot."""
    edge: float
    """What a unit on each spot won, in units for each spot."""
    standard_error: float
    variance: float
    """Of one round with a unit on each spot, all spots together."""

    def to_json(self, rounds: int) -> dict[str, Any]:
        return {
            "count": self.count,
            "share_of_rounds_seen": self.seen / rounds,
            "rounds_seen": self.seen,
            "rounds_played": self.played,
            "units": self.units,
            "edge": self.edge if self.played else None,
            "edge_standard_error": self.standard_error or None,
            "variance": self.variance if self.played else None,
        }


@dataclass(frozen=True, slots=True)
class SideRow:
    """A side bet of the counter's: only rounds in which it was made."""

    wager: str
    from_count: int
    rounds: int
    edge: float
    win_per_100_seen: float
    """Units won for 100 rounds seen, with the counter's stake."""


@dataclass(frozen=True, eq=False)
class CounterResult:
    """What a counter won."""

    job: CounterJob | SeatJob
    counter: Counter
    added: Sum
    unit_cents: int

    @property
    def rounds(self) -> int:
        """Rounds seen."""
        return self.added.rounds

    @property
    def parts(self) -> int:
        return self.job.prepared.parts

    @property
    def rows(self) -> list[CountRow]:
        """By the count at the start of the round, the lowest first."""
        bins, parts, spots = self.job.sums(self.added.tally).bins, self.parts, self.job.spots
        rows = []
        for place in np.flatnonzero(bins[:, kernel.SEEN]).tolist():
            sums = [int(number) for number in bins[place]]
            played = sums[kernel.PLAYED]
            mean = sums[kernel.WON] / played / parts if played else 0.0
            variance = max(sums[kernel.WON_SQUARED] / played / parts**2 - mean**2, 0.0) if played else 0.0
            rows.append(
                CountRow(
                    place + kernel.LOWEST,
                    sums[kernel.SEEN],
                    played,
                    self.job.ramp[place],
                    mean / spots,
                    float(np.sqrt(variance / played)) / spots if played else 0.0,
                    variance,
                )
            )
        return rows

    def _rate(self, rounds: int) -> Rate | None:
        if not rounds:
            return None
        bins = self.job.sums(self.added.tally).bins
        mean = int(bins[:, kernel.MONEY].sum()) / rounds / self.parts
        square = int(bins[:, kernel.MONEY_SQUARED].sum()) / rounds / self.parts**2
        return Rate(rounds, mean, square - mean**2)

    @property
    def seen(self) -> Rate:
        """By rounds seen, those that the counter sat out included."""
        rate = self._rate(self.rounds)
        assert rate is not None
        return rate

    @property
    def played(self) -> Rate | None:
        """By rounds in which the counter wagered; None where that never happened."""
        return self._rate(int(self.job.sums(self.added.tally).bins[:, kernel.PLAYED].sum()))

    @property
    def average_units(self) -> float:
        """Wagered on the primary wager of a round played, doubles and splits included."""
        bins = self.job.sums(self.added.tally).bins
        played = int(bins[:, kernel.PLAYED].sum())
        unit = self.job.prepared.tables.unit
        return int(bins[:, kernel.STAKED].sum()) / unit / played if played else 0.0

    @property
    def rounds_per_shoe(self) -> float:
        return self.rounds / int(self.job.sums(self.added.tally).totals[0])

    @property
    def sides(self) -> list[SideRow]:
        """The side bets in the order in which they were named."""
        lines = self.job.sums(self.added.tally).side_lines
        rows = {}
        from cardroom.sim.twentyone.sides import simulated_sides

        stakes = {stake.wager: stake for stake in self.job.sides}
        names = [name for name in simulated_sides(self.job.rules) if name in stakes]
        for name, counted, nets in zip(names, lines, self.job.prepared.nets, strict=True):
            made = int(counted.sum())
            won = sum((net * int(times) for net, times in zip(nets, counted, strict=False)), Fraction(0))
            rows[name] = SideRow(
                name,
                stakes[name].from_count,
                made,
                float(won / made) if made else 0.0,
                100 * float(won * stakes[name].units_staked(self.job.rules)) / self.rounds,
            )
        return [rows[stake.wager] for stake in self.job.sides]

    @property
    def points(self) -> list[AtCount]:
        """Counts at which enough was played to tell an edge, for a unit on each spot."""
        return [
            AtCount(row.count, row.seen / self.rounds, row.edge * self.job.spots, row.variance)
            for row in self.rows
            if row.played >= _LEAST_FOR_A_RAMP
        ]

    @property
    def kelly(self) -> dict[int, float]:
        """By count, the Kelly wager on each spot as a share of the bankroll; none where it is not known."""
        points = self.points
        return dict(zip((one.count for one in points), kelly_wagers(points, 1.0), strict=True))

    @property
    def per_hand(self) -> dict[str, Any] | None:
        """By hands played: every spot wagered on is one, however often it is split."""
        played = self.played
        if played is None:
            return None
        spots = self.job.spots
        return {
            "hands": played.rounds * spots,
            "win_per_100": 100 * played.mean / spots,
            "win_per_100_standard_error": 100 * played.standard_error / spots,
        }

    @cached_property
    def curves(self) -> Curves:
        """Counts by depth, how a bankroll may go, the risk by its size."""
        return curves_of(self.job, self.seen)

    def curve_points(self) -> Iterator[Point]:
        """The lines of `protect --ramp --csv`: by count, and all curves."""
        kelly = self.kelly
        for row in self.rows:
            yield Point("by_count", row.count, "share_of_rounds_seen", row.seen / self.rounds)
            if row.played:
                yield Point("by_count", row.count, "edge", row.edge, row.standard_error or None)
                yield Point("by_count", row.count, "variance", row.variance)
            if row.count in kelly:
                yield Point("by_count", row.count, "kelly_share_of_bankroll", kelly[row.count])
        yield from self.curves.points()

    def optimal_ramp(self, bankroll: float, risk: float, most_units: int) -> tuple[Ramp, Rate] | None:
        """The ramp that wins most from a bankroll in units at a risk, and its rate by rounds seen."""
        points = self.points
        wagers = optimal_wagers(points, bankroll, risk, self.rounds, most_units)
        if wagers is None:
            return None
        steps = {
            one.count: wager
            for one, wager, before in zip(points, wagers, [1, *wagers], strict=False)
            if wager != before
        }
        return Ramp.of(steps), rate_of(points, wagers, self.rounds)

    def to_json(
        self, bankroll: float | None = None, risk: float | None = None, most_units: int | None = None
    ) -> dict[str, Any]:
        """The shape of `protect --ramp --json`; a bankroll is in units."""
        job, counter, played, kelly = self.job, self.counter, self.played, self.kelly
        result: dict[str, Any] = {
            "game": job.rules.game,
            "rules_hash": job.rules.rules_hash,
            "method": "simulated",
            "rounds_seen": self.rounds,
            "interrupted": self.added.interrupted,
            "seed": job.seed,
            "count": counter.count.id,
            "true_count": not counter.running,
            "decks_known": counter.decks_known,
            "rounding": counter.rounding,
            "ramp": str(counter.ramp),
            "unit_cents": self.unit_cents,
            "spots": job.spots,
            "others": job.others,
            "enter": counter.enter,
            "leave": counter.leave,
            "cover": counter.cover,
            "insurance_from": counter.insurance_from,
            "deviations": [str(one) for one in counter.deviations],
            **{name: None if count is None else count.id for name, count in counter.second_counts.items()},
            "cards_behind_the_cut_card": job.dealing.cut_cards,
            "rounds_per_shoe": self.rounds_per_shoe,
            "average_units_wagered": self.average_units,
            "per_round_seen": self.seen.to_json(),
            "per_round_played": None if played is None else played.to_json(),
            "per_hand_played": self.per_hand,
            "by_count": [
                {**row.to_json(self.rounds), "kelly_share_of_bankroll": kelly.get(row.count)}
                for row in self.rows
            ],
            "side_bets": [
                {
                    "wager": side.wager,
                    "from_count": side.from_count,
                    "rounds_made": side.rounds,
                    "share_of_rounds_seen": side.rounds / self.rounds,
                    "edge_when_made": side.edge,
                    "win_per_100_rounds_seen": side.win_per_100_seen,
                }
                for side in self.sides
            ],
        }
        if bankroll is not None:
            result["bankroll_units"] = bankroll
            result["kelly_wagers"] = [
                {"count": count, "units": share * bankroll} for count, share in kelly.items()
            ]
            result["risk_of_ruin"] = self.seen.ruin(bankroll)
            simulated = simulated_ruin(self.job, self.seen, bankroll)
            result["risk_of_ruin_simulated"] = None if simulated is None else simulated.to_json()
            result["certainty_equivalent_per_100_rounds_seen"] = 100 * self.seen.certainty_equivalent(
                bankroll
            )
            if risk is not None and most_units is not None:
                best = self.optimal_ramp(bankroll, risk, most_units)
                result["optimal_ramp"] = (
                    None
                    if best is None
                    else {
                        "risk": risk,
                        "ramp": str(best[0]),
                        "risk_of_ruin": best[1].ruin(bankroll),
                        "per_round_seen": best[1].to_json(),
                    }
                )
        return result
