"""A counter's habits: which counts are kept, and how they decide wagers, play, insurance and side bets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

import numpy as np

from cardroom.core.errors import MalformedInput
from cardroom.exact.twentyone import solve
from cardroom.protect.counts import Count
from cardroom.protect.deviations import Deviation, strategies
from cardroom.protect.ramp import Ramp
from cardroom.rules.twentyone import TwentyOneRules
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
from cardroom.sim.twentyone.team_job import Member, SeatJob, TableCount, TeamJob, suits_reckoning

DECKS_KNOWN: Final = {"exact": None, "quarter": 4, "half": 2, "whole": 1}
"""How well the counter sees how many decks are left: to the nearest of so many parts of a deck."""
_SIDE: Final = re.compile(r"([\w+-]+?)@([+-]?\d+)(?:x(\d+))?")
FLAT: Final = Ramp(())


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
    play_count: Count | None = None
    """By which the deviations are decided; by the count of the wagers unless told, as the other two."""
    insurance_count: Count | None = None
    side_count: Count | None = None

    @property
    def second_counts(self) -> dict[str, Count | None]:
        """What is decided by another count than the wagers; None where it is not."""
        return {
            "play_count": self.play_count,
            "insurance_count": self.insurance_count,
            "side_count": self.side_count,
        }

    def reckoning(self, rules: TwentyOneRules) -> Reckoning:
        """How this counter's cards become a count, in a game's shoe."""
        if rules.decks == "infinite":
            raise MalformedInput("infinitely many decks cannot be counted; set decks to 1 … 8")
        for habit, known, what in (
            (self.decks_known, DECKS_KNOWN, "decks known"),
            (self.rounding, ROUNDINGS, "rounding"),
        ):
            if habit not in known:
                raise MalformedInput(f"{what}: {habit!r} is not allowed; allowed: {', '.join(known)}")
        if self.running and self.decks_known != "exact":
            raise MalformedInput(
                f"a running count is not divided by decks: decks known to the nearest {self.decks_known} say "
                "nothing of it; leave out one of the two"
            )
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
            step_cards=self._step_cards(rules),
            rounding=self.rounding,
        )

    def _step_cards(self, rules: TwentyOneRules) -> int:
        """To how many cards the decks left are known: half a deck is 26, and 24 of a deck without tens."""
        parts = DECKS_KNOWN[self.decks_known]
        return 1 if parts is None else rules.shoe().total // int(rules.decks) // parts

    def _second(self, count: Count | None, rules: TwentyOneRules) -> TableCount | None:
        """A count kept beside the first one: decks, rounding, true or running as for that."""
        if count is None:
            return None
        if count.suits:
            return suits_reckoning(
                by_deck=not self.running, step_cards=self._step_cards(rules), rounding=self.rounding
            )
        return TableCount(replace(self, count=count, start=None).reckoning(rules))

    def member(self, rules: TwentyOneRules, job: CounterJob) -> Member:
        """At a table with others, with all counts."""
        for words, count, used in (
            ("a count for play", self.play_count, self.deviations),
            ("a count for insurance", self.insurance_count, self.insurance_from is not None),
            ("a count for side bets", self.side_count, self.sides),
        ):
            if count is not None and not used:
                raise MalformedInput(
                    f"{words} decides nothing here; name the deviations, insurance or side bets it is for"
                )
        return Member(job, *(self._second(count, rules) for count in self.second_counts.values()))

    def seat(
        self, rules: TwentyOneRules, *, seed: int = 1, cut_cards: int | None = None, most_units: int
    ) -> CounterJob | SeatJob:
        """The simulation with all counts that are kept; by the faster kernel where that is one."""
        job = self.job(rules, seed=seed, cut_cards=cut_cards, most_units=most_units)
        if not any(self.second_counts.values()):
            return job
        return SeatJob(TeamJob((self.member(rules, job),), self.others), 0)

    def job(
        self, rules: TwentyOneRules, *, seed: int = 1, cut_cards: int | None = None, most_units: int
    ) -> CounterJob:
        """The simulation by the first count alone: basic strategy with the deviations, dealt as the house
        deals.
        """
        if self.count.suits:
            raise MalformedInput("a count of suits says nothing of the primary wager; keep it beside another")
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
        named = [count for count, _ in self.ramp.steps] + [one.count for one in self.deviations]
        named += [one for one in (self.enter, self.leave, self.insurance_from) if one is not None]
        for named_count in (*named, *(side.from_count for side in self.sides)):
            if not kernel.LOWEST <= named_count <= kernel.HIGHEST:
                raise MalformedInput(
                    f"a count of {named_count} is not told apart from others; allowed: {kernel.LOWEST} to "
                    f"{kernel.HIGHEST}"
                )
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
