"""A player who counts, simulated: who counts what, wagers and plays how, and what it brings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np

from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.protect.counts import Count
from cardroom.protect.deviations import Deviation, strategies
from cardroom.protect.measures import AtCount, Rate, optimal_wagers, rate_of
from cardroom.protect.ramp import Ramp
from cardroom.protect.ruin import simulated_ruin
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.run import Sum
from cardroom.sim.twentyone import counter as kernel
from cardroom.sim.twentyone.counter_job import (
    ALWAYS,
    NEVER,
    ROUNDINGS,
    CounterJob,
    Reckoning,
    SideStake,
    tags_of_cards,
)
from cardroom.sim.twentyone.dealing import Dealing

DECKS_KNOWN: Final = {"exact": 1, "quarter": 13, "half": 26, "whole": 52}
"""How well the counter sees how many decks are left: to so many cards."""
_SIDE: Final = re.compile(r"([\w+-]+?)@([+-]?\d+)(?:x(\d+))?")
FLAT: Final = Ramp(())
_LEAST_FOR_A_RAMP: Final = 100
"""Rounds at a count without which its edge says nothing."""


@dataclass(frozen=True, slots=True)
class Counter:
    """A counter's habits; everything that is not said is as careless as can be."""

    count: Count
    ramp: Ramp = FLAT
    """Flat unless told: one unit at every count."""
    deviations: tuple[Deviation, ...] = ()
    insurance_from: int | None = None
    sides: tuple[SideStake, ...] = ()
    enter: int | None = None
    leave: int | None = None
    spots: int = 1
    others: int = 0
    decks_known: str = "exact"
    rounding: str = "floor"
    running: bool = False
    """Decides by the running count itself, as unbalanced counts are meant; else by the true count."""
    start: Fraction | None = None
    """The running count of a new shoe; such that it is 0 a deck before the end of the shoe, unless told."""
    cover: int | None = None
    """A wager is at most so many times the last one in the shoe, and at least that part of it."""

    def reckoning(self, rules: TwentyOneRules) -> Reckoning:
        """How this counter's cards become a count, in a game's shoe."""
        if rules.decks == "infinite":
            raise MalformedInput("infinitely many decks cannot be counted; set decks to 1 … 8")
        for given, known, what in (
            (self.decks_known, DECKS_KNOWN, "decks known"),
            (self.rounding, ROUNDINGS, "rounding"),
        ):
            if given not in known:
                raise MalformedInput(f"{what}: {given!r} is not allowed; allowed: {', '.join(known)}")
        shoe = rules.shoe()
        tags = tags_of_cards(dict(self.count.tags))
        whole = sum((tag * shoe.counts[index] for index, tag in enumerate(tags)), Fraction(0))
        per_deck = whole / rules.decks
        if self.running:
            start = -per_deck * (rules.decks - 1) if self.start is None else self.start
            return Reckoning(tags, start, by_deck=False, rounding=self.rounding)
        if self.start is not None:
            raise MalformedInput("a true count starts at 0; a start is for the running count")
        # An unbalanced count is centred, so that a new shoe stands at 0 whatever is dealt of it.
        middle = whole / shoe.total
        return Reckoning(
            tuple(tag - middle for tag in tags),
            step_cards=DECKS_KNOWN[self.decks_known],
            rounding=self.rounding,
        )

    def job(
        self, rules: TwentyOneRules, *, seed: int = 1, cut_cards: int | None = None, most_units: int
    ) -> CounterJob:
        """The simulation: basic strategy with the deviations, dealt as the house deals."""
        reckoning = self.reckoning(rules)
        solution = solve(rules, "basic")
        automaton = solution.strategy.automaton
        bands, actions = strategies(automaton, solution.strategy.action, self.deviations)
        dealing = Dealing.house(rules)
        if cut_cards is not None:
            total = rules.shoe().total
            if not 0 <= cut_cards < total - dealing.burn_cards:
                raise MalformedInput(
                    f"a cut of {cut_cards} cards is beyond the shoe; allowed: 0 to "
                    f"{total - dealing.burn_cards - 1} of {total} cards"
                )
            dealing = Dealing(None, cut_cards, dealing.burn_cards)
        counts = range(kernel.LOWEST, kernel.HIGHEST + 1)
        if self.insurance_from is not None and not rules.insurance.offered:
            raise MalformedInput("this table offers no insurance; leave its count out")
        if self.leave is not None and self.enter is None:
            raise MalformedInput("a count to leave needs a count to enter")
        enter = ALWAYS if self.enter is None else self.enter
        return CounterJob(
            rules.canonical_text(),
            np.ascontiguousarray(actions).tobytes(),
            bands,
            reckoning,
            tuple(min(self.ramp.units(count), most_units) for count in counts),
            dealing,
            seed,
            spots=self.spots,
            others=self.others,
            enter=enter,
            leave=enter if self.leave is None else self.leave,
            insure_from=NEVER if self.insurance_from is None else self.insurance_from,
            sides=self.sides,
            cover=self.cover,
        )


def table_maximum(rules: TwentyOneRules) -> int:
    """The largest wager of the table in units of the smallest."""
    return max(1, int(rules.limits.max) // int(rules.limits.min))


def read_sides(texts: Iterable[str]) -> tuple[SideStake, ...]:
    """Side bets with the count from which on they are made: `21+3@4`, or `21+3@4x5` for five units."""
    stakes = []
    for text in texts:
        match = _SIDE.fullmatch(text.strip())
        if match is None:
            raise MalformedInput(
                f"{text!r} is not a side bet with its count; write BET@COUNT or "
                "BET@COUNTxUNITS, such as 21+3@4x5"
            )
        stakes.append(SideStake(match[1], int(match[2]), int(match[3] or 1)))
    return tuple(stakes)


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
            "edge_standard_error": self.standard_error if self.played else None,
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

    job: CounterJob
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
                100 * float(won) * stakes[name].units / self.rounds,
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
        job, counter, played = self.job, self.counter, self.played
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
            "cards_behind_the_cut_card": job.dealing.cut_cards,
            "rounds_per_shoe": self.rounds_per_shoe,
            "average_units_wagered": self.average_units,
            "per_round_seen": self.seen.to_json(),
            "per_round_played": None if played is None else played.to_json(),
            "by_count": [row.to_json(self.rounds) for row in self.rows],
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
