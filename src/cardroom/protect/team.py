"""Several counters at one table, each with its own counts and ramp: what each wins, and all together."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from cardroom.core.errors import MalformedInput, UnknownName
from cardroom.protect.counting import CounterResult
from cardroom.protect.counts import find_count, find_side_count
from cardroom.protect.curves import (
    PERCENTILES,
    Point,
    RiskOf,
    Spread,
    bankroll_fan,
    bankroll_json,
    fan_points,
    risk_points,
    ruin_curve,
)
from cardroom.protect.deviations import read_deviations
from cardroom.protect.habits import Counter, read_sides
from cardroom.protect.measures import Rate
from cardroom.protect.ramp import Ramp
from cardroom.protect.ruin import simulated_ruin
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.run import Sum
from cardroom.sim.twentyone import counter as kernel
from cardroom.sim.twentyone.team_job import MOST_COUNTERS, SeatJob, TeamJob

_NUMBERS: Final = ("insurance-from", "enter", "leave", "spots", "cover")
_SECOND: Final = ("play-count", "insurance-count", "side-count")
_WORDS: Final = ("decks-known", "rounding")
HABITS: Final = ("count", "ramp", "deviations", "side", *_NUMBERS, *_WORDS, "running", *_SECOND)
"""What the text of a counter may name."""


def read_counter(text: str) -> Counter:
    """A counter in words: `count=zen ramp=1:4,2:12 enter=2`; the options of the command without dashes.

    >>> read_counter("count=zen ramp=1:4,2:12 enter=2").enter
    2
    """
    try:
        parts = shlex.split(text)
    except ValueError:
        raise MalformedInput(f"{text!r} has a quotation mark that is never closed") from None
    terms: dict[str, str] = {}
    for part in parts:
        name, equals, value = part.partition("=")
        if name not in HABITS:
            raise UnknownName(f"a counter has no {name!r}; write NAME=VALUE with {', '.join(HABITS)}")
        if bool(equals) == (name == "running"):
            raise MalformedInput(
                f"{part!r} is not a habit; write {name}{'' if name == 'running' else '=VALUE'}"
            )
        if name in terms:
            raise MalformedInput(f"{name} is named twice; name it once")
        terms[name] = value
    if not terms:
        raise MalformedInput("a counter needs habits, such as count=zen ramp=1:4,2:12")
    changes: dict[str, Any] = {name.replace("-", "_"): terms[name] for name in _WORDS if name in terms}
    for name in _NUMBERS:
        if name in terms:
            changes[name.replace("-", "_")] = _whole(name, terms[name])
    for name in _SECOND:
        if name in terms:
            changes[name.replace("-", "_")] = find_side_count(terms[name])
    if "ramp" in terms:
        changes["ramp"] = Ramp.parse(terms["ramp"])
    if "deviations" in terms:
        changes["deviations"] = read_deviations([terms["deviations"]])
    if "side" in terms:
        changes["sides"] = read_sides(terms["side"].split(","))
    return replace(Counter(find_count(terms.get("count", "hi-lo"))), running="running" in terms, **changes)


def _whole(name: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise MalformedInput(f"{name}={text} is not allowed; allowed: a whole number") from None


def counter_words(counter: Counter) -> str:
    """The text that `read_counter` reads."""
    terms = [f"count={counter.count.id}"]
    plain: Mapping[str, Any] = {
        "ramp": counter.ramp,
        "deviations": ", ".join(map(str, counter.deviations)),
        "side": ",".join(f"{one.wager}@{one.from_count}x{one.units}" for one in counter.sides),
        **{name: getattr(counter, name.replace("-", "_")) for name in (*_NUMBERS, *_WORDS)},
        **{name: getattr(counter, name.replace("-", "_")) for name in _SECOND},
    }
    usual = {"spots": "1", "decks-known": "exact", "rounding": "floor"}
    for name, value in plain.items():
        words = "" if value is None else str(value.id if name in _SECOND else value)
        if words and words != usual.get(name):
            terms.append(f"{name}={shlex.quote(words)}")
    return " ".join([*terms, *(["running"] if counter.running else [])])


@dataclass(frozen=True, slots=True)
class Team:
    """Counters in the order of their spots; the others of the table sit before them."""

    counters: tuple[Counter, ...]
    others: int = 0

    @classmethod
    def of(cls, counters: Iterable[Counter], others: int = 0) -> Team:
        return cls(tuple(counters), others)

    def job(
        self, rules: TwentyOneRules, *, seed: int = 1, cut_cards: int | None = None, most_units: int
    ) -> TeamJob:
        """The simulation of the table."""
        if len(self.counters) > MOST_COUNTERS:
            raise MalformedInput(
                f"{len(self.counters)} counters do not fit at a table of {MOST_COUNTERS} spots"
            )
        spots = sum(counter.spots for counter in self.counters) + self.others
        members = []
        for counter in self.counters:
            seated = replace(counter, others=spots - counter.spots)
            job = seated.job(rules, seed=seed, cut_cards=cut_cards, most_units=most_units)
            members.append(seated.member(rules, job))
        return TeamJob(tuple(members), self.others)


@dataclass(frozen=True, eq=False)
class TeamResult:
    """What the counters of a table won."""

    job: TeamJob
    team: Team
    added: Sum
    unit_cents: int

    @property
    def rounds(self) -> int:
        """Rounds seen."""
        return self.added.rounds

    @cached_property
    def counters(self) -> list[CounterResult]:
        """Each for itself."""
        return [
            CounterResult(SeatJob(self.job, place), counter, self.added, self.unit_cents)
            for place, counter in enumerate(self.team.counters)
        ]

    @property
    def seen(self) -> Rate:
        """All counters together, by rounds seen; the spread has their common cards in it."""
        totals, parts = self.job.sums(self.added.tally).totals, self.job.prepared.parts
        mean = int(totals[2]) / self.rounds / parts
        return Rate(self.rounds, mean, int(totals[3]) / self.rounds / parts**2 - mean**2)

    @property
    def hands(self) -> int:
        """Spots wagered on, however often they were split."""
        bins = self.job.sums(self.added.tally).bins
        return sum(
            int(one[:, kernel.PLAYED].sum()) * counter.spots
            for one, counter in zip(bins, self.team.counters, strict=True)
        )

    @property
    def correlation(self) -> float | None:
        """Of two counters' wins in a round, on average over the pairs; None for one counter.

        From the spread of all together beyond that of each for itself.
        """
        each = [one.seen for one in self.counters]
        between = sum(one.standard_deviation for one in each) ** 2 - sum(one.variance for one in each)
        if len(each) < 2 or between <= 0:
            return None
        return (self.seen.variance - sum(one.variance for one in each)) / between

    @cached_property
    def bankroll(self) -> list[Spread]:
        """How the common bankroll may go."""
        return bankroll_fan(self.job, self.seen)

    @cached_property
    def risks(self) -> list[RiskOf]:
        """The risk of ruin by the size of the common bankroll."""
        return ruin_curve(self.job, self.seen)

    def curve_points(self) -> Iterator[Point]:
        """The lines of the CSV: the common bankroll, and each counter's edge by its count."""
        yield from fan_points("won_by_rounds_seen", self.bankroll)
        yield from risk_points(self.risks)
        for number, one in enumerate(self.counters, 1):
            for row in one.rows:
                yield Point(
                    f"counter_{number}_by_count", row.count, "share_of_rounds_seen", row.seen / self.rounds
                )
                if row.played:
                    yield Point(f"counter_{number}_by_count", row.count, "edge", row.edge, row.standard_error)

    def curves_json(self) -> dict[str, Any]:
        """The shape of `curves` in `protect --with … --curves --json`."""
        return {"percentiles": list(PERCENTILES), **bankroll_json(self.bankroll, self.risks)}

    def to_json(self, bankroll: float | None = None) -> dict[str, Any]:
        """The shape of `protect --with … --json`; a bankroll is in units and common to all."""
        hands = self.hands
        result: dict[str, Any] = {
            "game": self.job.rules.game,
            "rules_hash": self.job.rules.rules_hash,
            "method": "simulated",
            "rounds_seen": self.rounds,
            "interrupted": self.added.interrupted,
            "seed": self.job.seed,
            "unit_cents": self.unit_cents,
            "others": self.job.others,
            "together": {
                "per_round_seen": self.seen.to_json(),
                "hands_played": hands,
                "win_per_100_hands_played": 100 * self.seen.mean * self.rounds / hands if hands else None,
                "correlation_of_two_counters": self.correlation,
            },
            "counters": [
                {"habits": counter_words(one.counter), **_of_one(one.to_json())} for one in self.counters
            ],
        }
        if bankroll is not None:
            simulated = simulated_ruin(self.job, self.seen, bankroll)
            result["bankroll_units"] = bankroll
            result["risk_of_ruin"] = self.seen.ruin(bankroll)
            result["risk_of_ruin_simulated"] = None if simulated is None else simulated.to_json()
        return result


_OF_THE_TABLE: Final = (
    *("game", "rules_hash", "method", "rounds_seen", "interrupted", "seed", "unit_cents", "others"),
)


def _of_one(summary: dict[str, Any]) -> dict[str, Any]:
    """What is said once for the table is left out."""
    return {name: value for name, value in summary.items() if name not in _OF_THE_TABLE}
