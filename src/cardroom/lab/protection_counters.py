"""Counters as somebody describes them on the page Protection, played: one, or several at one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from cardroom.lab.habit_words import habit_words
from cardroom.lab.progress import tell_of
from cardroom.lab.protection import (
    MOST_UNITS,
    RAMP,
    ROUNDS,
    Table,
    counter_plots,
    counter_table,
    team_plots,
)
from cardroom.lab.protection_tables import family_rules
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import counted, percent, signed
from cardroom.protect.counting import CounterResult
from cardroom.protect.counts import Count, find_count, find_side_count
from cardroom.protect.deviations import read_deviations
from cardroom.protect.habits import FLAT, Counter
from cardroom.protect.ramp import Ramp
from cardroom.protect.team import Team, TeamResult
from cardroom.rules import HouseRules
from cardroom.sim.run import Run
from cardroom.sim.twentyone.counter_job import SideStake

Habits = Mapping[str, Any]
"""A counter in plain values: names of counts, a ramp as text, side bets as a list; as the API has them."""


def counter_of(habits: Habits) -> Counter:
    """A counter by plain values; what is not said is as careless as can be.

    >>> counter_of({"count": "zen", "ramp": "1:4,2:12", "enter": 2}).ramp.units(2)
    12
    """
    ramp = habits.get("ramp", str(RAMP))

    def second(name: str) -> Count | None:
        return find_side_count(habits[name]) if habits.get(name) else None

    return Counter(
        find_count(habits.get("count", "hi-lo")),
        Ramp.parse(ramp) if ramp.strip() else FLAT,
        deviations=read_deviations([habits["deviations"]] if habits.get("deviations") else []),
        insurance_from=habits.get("insurance_from"),
        sides=tuple(
            SideStake(one["wager"], one["from_count"], one["units"]) for one in habits.get("sides", ())
        ),
        enter=habits.get("enter"),
        leave=habits.get("leave"),
        spots=habits.get("spots", 1),
        decks_known=habits.get("decks_known", "exact"),
        rounding=habits.get("rounding", "floor"),
        running=habits.get("running", False),
        cover=habits.get("cover"),
        play_count=second("play_count"),
        insurance_count=second("insurance_count"),
        side_count=second("side_count"),
    )


def _most_units(counters: Sequence[Counter]) -> int:
    """No table's maximum cuts a ramp on the page."""
    return max([MOST_UNITS, *(units for one in counters for _, units in one.ramp.steps)])


def _run(rounds: int) -> Run:
    tell = tell_of(f"of {rounds:,} rounds played")
    tell(0, rounds)
    return Run(rounds, progress=tell)


def counter_view(
    rules: HouseRules,
    habits: Habits | None = None,
    *,
    others: int = 0,
    cut_cards: int | None = None,
    rounds: int = ROUNDS,
) -> dict[str, Any]:
    """A counter simulated: a table by true count, and plots."""
    family = family_rules(rules)
    counter = replace(counter_of(habits or {}), others=others)
    most = _most_units([counter])
    job = counter.seat(family, cut_cards=cut_cards, most_units=most)
    added = _run(rounds).of(job)
    result = CounterResult(job, counter, added, int(family.limits.min))
    return {
        "rules_hash": rules.rules_hash,
        "tables": [counter_table(result, most), *side_tables([result])],
        "plots": list(counter_plots(result)),
    }


def team_view(
    rules: HouseRules,
    counters: Sequence[Habits],
    *,
    others: int = 0,
    cut_cards: int | None = None,
    rounds: int = ROUNDS,
) -> dict[str, Any]:
    """Several counters at one table simulated: what each wins, and all together."""
    family = family_rules(rules)
    team = Team.of([counter_of(one) for one in counters], others)
    job = team.job(family, cut_cards=cut_cards, most_units=_most_units(team.counters))
    added = _run(rounds).of(job)
    result = TeamResult(job, team, added, int(family.limits.min))
    return {
        "rules_hash": rules.rules_hash,
        "tables": [team_table(result), who_sits_there(result), *side_tables(result.counters)],
        "plots": list(team_plots(result)),
    }


def team_table(result: TeamResult) -> Table:
    """A line for each counter, and one for all together."""
    rate, hands = result.seen, result.hands
    rows = []
    for number, one in enumerate(result.counters, 1):
        played = one.played
        rows.append(
            [
                str(number),
                percent(0.0 if played is None else played.rounds / result.rounds, 1),
                signed(100 * one.seen.mean, 3, plus=True),
                signed(100 * one.seen.standard_error, 3),
                "-" if played is None else signed(100 * played.mean, 3, plus=True),
                signed(one.seen.standard_deviation, 2),
                signed(one.seen.score, 2),
            ]
        )
    together = [signed(100 * rate.mean, 3, plus=True), signed(100 * rate.standard_error, 3)]
    rows.append(
        ["All together", "", *together, "", signed(rate.standard_deviation, 2), signed(rate.score, 2)]
    )
    cut = result.counters[0].job.dealing.cut_cards or 0
    dealt = (
        f"{result.rounds:,} rounds simulated, seed {result.job.seed}, {counted(cut, 'card')} behind the cut "
        f"card, {counted(result.job.others, 'spot')} of others. Units won for 100 rounds seen and for 100 "
        "rounds played by the counter; SD and SCORE by rounds seen."
    )
    words = [dealt]
    if hands:
        won = signed(100 * rate.mean * result.rounds / hands, 3, plus=True)
        words.append(f"For 100 hands played, by all together: {won}.")
    if result.correlation is not None:
        words.append(
            f"Correlation of two counters in a round: {signed(result.correlation, 3)}; all play against the "
            "same dealer."
        )
    after = "never" if rate.n0 is None else f"{rate.n0:,.0f} rounds"
    words.append(f"Together: DI {signed(rate.desirability, 2)}, N0 {after}.")
    return {
        "title": f"{counted(len(result.counters), 'counter')} at one table",
        "head": ["Counter", "Played", "In 100 seen", "± (error)", "In 100 played", "SD", "SCORE"],
        "rows": rows,
        "note": " ".join(words),
    }


def who_sits_there(result: TeamResult) -> Table:
    """The counters in the order of their spots, in words."""
    return {
        "title": "Who sits there",
        "head": ["Counter"],
        "rows": [
            [f"{number}. {habit_words(one, result.job.rules)}"]
            for number, one in enumerate(result.team.counters, 1)
        ],
        "note": (
            "In the order of their spots, after the others. Where nothing else is said counts are true "
            "counts, rounded down, with the decks left known exactly."
        ),
    }


def side_tables(results: Sequence[CounterResult]) -> Iterator[Table]:
    """The side bets that counters made, if any did."""
    rows = [
        [
            wager_title(side.wager, one.job.rules) + (f", counter {number}" if len(results) > 1 else ""),
            percent(side.rounds / one.rounds, 2),
            percent(side.edge, 2, plus=True) if side.rounds else "-",
            signed(side.win_per_100_seen, 3, plus=True),
        ]
        for number, one in enumerate(results, 1)
        for side in one.sides
    ]
    if rows:
        yield {
            "title": "Side bets of the counters" if len(results) > 1 else "Side bets of the counter",
            "head": ["Side bet", "Made", "Edge then", "Units in 100 seen"],
            "rows": rows,
            "note": "Made: the share of the rounds seen in which the count asked for the bet.",
        }
