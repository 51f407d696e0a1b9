"""`cardroom protect GAME --ramp …`: a player who counts, played by the million."""

from __future__ import annotations

import os
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardroom.cli.output import console, plain_table, print_heading, print_json
from cardroom.cli.simulation_options import Settings, run_job
from cardroom.cli.twentyone.curves import print_curves, write_curves
from cardroom.cli.twentyone.team import play_team
from cardroom.core.errors import MalformedInput
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted, percent, signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cardroom.protect.counting import CounterResult
    from cardroom.protect.counts import Count
    from cardroom.protect.measures import Rate
    from cardroom.protect.team import TeamResult
    from cardroom.rules.twentyone import TwentyOneRules


def _option(name: str, metavar: str, words: str) -> typer.models.OptionInfo:
    info: typer.models.OptionInfo = typer.Option(name, metavar=metavar, help=words, show_default=False)
    return info


Ramp = Annotated[
    str | None,
    _option("--ramp", "STEPS", "Units wagered from each count on, such as 1:1,2:4,3:8; plays the counter."),
]
Deviations = Annotated[
    list[str] | None,
    _option(
        "--deviations",
        "LIST",
        'Plays by the count: illustrious, or "16 v T stand from 0, 13 v 2 hit below -1".',
    ),
]
InsuranceFrom = Annotated[int | None, _option("--insurance-from", "COUNT", "Insurance from this count on.")]
PlayCount = Annotated[
    str | None,
    _option("--play-count", "NAME", "A count kept for the deviations alone, such as hi-opt-1."),
]
InsuranceCount = Annotated[
    str | None,
    _option("--insurance-count", "NAME", "A count kept for insurance alone, such as tens."),
]
SideCount = Annotated[
    str | None,
    _option(
        "--side-count", "NAME", "A count kept for the side bets alone, such as suits for 21+3, or ten tags."
    ),
]
Side = Annotated[
    list[str] | None,
    _option("--side", "BET@COUNT", "A side bet made from this count on; 21+3@4x5 for five units."),
]
Enter = Annotated[
    int | None, _option("--enter", "COUNT", "Sit down at this count or more, in each shoe anew.")
]
Leave = Annotated[
    int | None, _option("--leave", "COUNT", "Get up below this count; the count to enter unless told.")
]
CounterSpots = Annotated[int, typer.Option("--spots", metavar="N", help="Spots that the counter plays.")]
Others = Annotated[
    int,
    typer.Option("--others", metavar="N", help="Spots of others, by basic strategy, before the counter's."),
]
DecksKnown = Annotated[
    str,
    typer.Option("--decks-known", metavar="HOW", help="Decks left are known: exact, quarter, half, whole."),
]
Rounding = Annotated[
    str, typer.Option("--rounding", metavar="HOW", help="Of the count: floor, nearest or truncate.")
]
Running = Annotated[
    bool, typer.Option("--running", help="Decide by the running count, as unbalanced counts are meant.")
]
Cover = Annotated[
    int | None,
    _option(
        "--cover", "TIMES", "No wager above so many times the last one in the shoe, none below that part."
    ),
]
CutCards = Annotated[
    int | None, _option("--cut-cards", "N", "Cards behind the cut card; where the house cuts unless told.")
]
Maximum = Annotated[
    int | None, _option("--maximum", "UNITS", "The largest wager in units; the table's own unless told.")
]
Bankroll = Annotated[float | None, _option("--bankroll", "UNITS", "What the counter can lose, in units.")]
Risk = Annotated[
    float | None,
    _option(
        "--risk",
        "SHARE",
        "The risk of ruin for which the best ramp is found, such as 0.05; 0.135 unless told.",
    ),
]


@dataclass(frozen=True, slots=True)
class Habits:
    """What the options say of the counter."""

    ramp: str
    deviations: Sequence[str]
    insurance_from: int | None
    sides: Sequence[str]
    enter: int | None
    leave: int | None
    spots: int
    others: int
    decks_known: str
    rounding: str
    running: bool
    cover: int | None
    cut_cards: int | None
    maximum: int | None
    bankroll: float | None
    risk: float | None
    curves: bool = False
    csv: Path | None = None
    play_count: str | None = None
    insurance_count: str | None = None
    side_count: str | None = None
    further: Sequence[str] = ()


def _second(name: str | None) -> Count | None:
    from cardroom.protect.counts import find_side_count

    return None if name is None else find_side_count(name)


def play_counter(
    rules: TwentyOneRules, counts: Sequence[Count], habits: Habits, settings: Settings
) -> CounterResult | TeamResult:
    """Play one counter, or several, and print what it brings."""
    from cardroom.protect import measures
    from cardroom.protect.counting import CounterResult
    from cardroom.protect.deviations import read_deviations
    from cardroom.protect.habits import Counter, read_sides, table_maximum
    from cardroom.protect.ramp import Ramp

    if len(counts) > 1:
        raise MalformedInput(
            "a counter wagers by one count; name one with --count, and others with --play-count, "
            "--insurance-count, --side-count"
        )
    if habits.bankroll is not None and not 0 < habits.bankroll < inf:
        raise MalformedInput(f"--bankroll {habits.bankroll:g} is not allowed; allowed: above 0 units")
    if habits.risk is not None and not 0 < habits.risk < 1:
        raise MalformedInput(f"--risk {habits.risk:g} is not allowed; allowed: above 0 and below 1")
    if habits.risk is not None and habits.bankroll is None:
        raise MalformedInput("--risk is the risk of losing a bankroll; name it with --bankroll UNITS")
    if habits.maximum is not None and habits.maximum < 1:
        raise MalformedInput(f"--maximum {habits.maximum} is not allowed; allowed: 1 unit or more")
    most = habits.maximum or table_maximum(rules)
    counter = Counter(
        counts[0],
        Ramp.parse(habits.ramp),
        read_deviations(habits.deviations),
        habits.insurance_from,
        read_sides(habits.sides),
        habits.enter,
        habits.leave,
        habits.spots,
        habits.others,
        habits.decks_known,
        habits.rounding,
        habits.running,
        cover=habits.cover,
        play_count=_second(habits.play_count),
        insurance_count=_second(habits.insurance_count),
        side_count=_second(habits.side_count),
    )
    if habits.further:
        if habits.risk is not None:
            raise MalformedInput("--risk finds the ramp of one counter; leave out --with or --risk")
        return play_team(
            rules,
            counter,
            list(habits.further),
            settings,
            cut_cards=habits.cut_cards,
            most=most,
            bankroll=habits.bankroll,
            curves=habits.curves,
            csv=habits.csv,
        )
    job = counter.seat(rules, seed=settings.seed, cut_cards=habits.cut_cards, most_units=most)
    added, _ = run_job(job, settings)
    result = CounterResult(job, counter, added, int(rules.limits.min))
    risk = measures.FULL_KELLY_RUIN if habits.risk is None else habits.risk
    cut_card = None if added.interrupted else _cut_card(rules, result)
    if habits.csv is not None:
        write_curves(habits.csv, result.curve_points())
    if settings.as_json:
        curves = {"curves": result.curves.to_json()} if habits.curves else {}
        print_json({**result.to_json(habits.bankroll, risk, most), **curves, "cut_card_effect": cut_card})
    else:
        print_heading(rules)
        _print(result, habits, most, risk)
        if cut_card is not None:
            _print_cut_card(cut_card)
        if habits.curves:
            print_curves(result)
    return result


_MOST_CUT_CARD_SHOES = 100_000
_ROUNDS_OF_A_SHOE = 40
"""About so many rounds a shoe serves: few rounds are asked for no more shoes than they take."""


def _cut_card(rules: TwentyOneRules, result: CounterResult) -> dict[str, Any]:
    """What the cut card does to a flat unit by basic strategy, and what that is worth without it."""
    from cardroom.exact.twentyone import solve
    from cardroom.sim.twentyone.cut_card import LEAST_SHOES, cut_card_effect

    solution = solve(rules, "basic", wager_cents=result.unit_cents)
    value = float(solution.expected_value)
    effect = cut_card_effect(
        rules,
        solution.strategy.action,
        value,
        min(max(result.rounds // _ROUNDS_OF_A_SHOE, LEAST_SHOES), _MOST_CUT_CARD_SHOES),
        seed=result.job.seed,
        cut_cards=result.job.dealing.cut_cards,
        wager_cents=result.unit_cents,
        workers=os.cpu_count() or 1,
    )
    return {
        **effect.to_json(),
        "flat_unit_with_the_cut_card_percent": 100 * (value + effect.effect),
        "flat_unit_without_it_percent": 100 * value,
    }


def _print_cut_card(figures: Mapping[str, Any]) -> None:
    console().print(
        "Without counting, a flat unit by basic strategy, one player alone: "
        f"{percent(figures['flat_unit_with_the_cut_card_percent'] / 100, 3, plus=True)} dealt to the cut "
        f"card, {percent(figures['flat_unit_without_it_percent'] / 100, 3, plus=True)} with the cut-card "
        "effect taken out. The effect: "
        f"{percent(figures['effect_on_the_player_percent'] / 100, 3, plus=True)} "
        f"(error {percent(figures['standard_error_percent'] / 100, 3)}, {figures['shoes']:,} shoes)."
    )


def _print(result: CounterResult, habits: Habits, most: int, risk: float) -> None:
    out = console()
    job, counter = result.job, result.counter
    if result.added.interrupted:
        out.print("Interrupted; these are the rounds that were played until then.", style="bold")
    kind = "running count" if counter.running else "true count"
    out.print(
        f"{counter.count.title}, {kind}, rounding: {counter.rounding}; decks left known: "
        f"{counter.decks_known}. "
        f"{result.rounds:,} rounds seen, {result.rounds_per_shoe:.1f} a shoe, "
        f"{counted(job.dealing.cut_cards or 0, 'card')} behind the cut card, seed {job.seed}."
    )
    for words, second in zip(("Play", "Insurance", "Side bets"), counter.second_counts.values(), strict=True):
        if second is not None:
            out.print(f"{words} by another count: {second.title}.")
    unit = dollars(result.unit_cents)
    largest = max((units for _, units in counter.ramp.steps), default=1)
    if largest > most:
        out.print(
            f"The table's largest wager is {most} unit{'s' * (most != 1)} of {unit}: "
            "larger ones of the ramp are cut to it (--maximum UNITS for another)."
        )
    kelly, bankroll = result.kelly, habits.bankroll
    right = ("Count", "Rounds", "Units", "Edge", "± (error)", "Variance", "Kelly")
    table = plain_table(*right, right=right)
    for row in result.rows:
        if row.seen / result.rounds < _LEAST_SHOWN:
            continue
        figures = (
            (percent(row.edge, 2, plus=True), percent(row.standard_error, 2), signed(row.variance, 3))
            if row.played
            else ("-", "-", "-")
        )
        units = str(row.units) if row.played else "-"
        share = kelly.get(row.count)
        wager = "-" if share is None else percent(share, 2) if bankroll is None else f"{share * bankroll:.1f}"
        table.add_row(signed(row.count, 0), percent(row.seen / result.rounds, 2), units, *figures, wager)
    out.print(table)
    of = "in percent of the bankroll" if bankroll is None else f"in units, of a bankroll of {bankroll:g}"
    out.print(f"Kelly: the wager on each spot that the Kelly rule makes, {of}.")
    _print_rate("For 100 rounds seen", result.seen)
    if result.played is not None and result.played.rounds != result.seen.rounds:
        _print_rate("For 100 rounds played", result.played)
    hands = result.per_hand
    if hands is not None and job.spots > 1:
        out.print(
            f"For 100 hands played ({job.spots} spots a round): "
            f"{signed(hands['win_per_100'], 3, plus=True)} units won "
            f"(error {signed(hands['win_per_100_standard_error'], 3)})."
        )
    for side in result.sides:
        out.print(
            f"{side.wager} from {side.from_count}: made in {percent(side.rounds / result.rounds, 2)} "
            "of the rounds, "
            f"edge {percent(side.edge, 2, plus=True)}, {signed(side.win_per_100_seen, 3, plus=True)} units "
            "for 100 rounds seen"
        )
    if bankroll is not None:
        out.print(
            f"With {bankroll:g} units: risk of ruin {percent(result.seen.ruin(bankroll), 2)} by the formula"
            f"{_ruin(result, bankroll)}, "
            "certainty equivalent "
            f"{signed(100 * result.seen.certainty_equivalent(bankroll), 3, plus=True)} units "
            "for 100 rounds seen."
        )
        best = result.optimal_ramp(bankroll, risk, most)
        if best is None:
            out.print(f"No ramp of 1 to {most} units keeps the risk of ruin at {percent(risk, 1)}.")
        else:
            ramp, rate = best
            out.print(
                f"Best ramp for a risk of {percent(risk, 1)}: {str(ramp) or 'one unit at every count'}; "
                f"{signed(100 * rate.mean, 3, plus=True)} units for 100 rounds seen, "
                f"risk {percent(rate.ruin(bankroll), 1)}."
            )


def _ruin(result: CounterResult, bankroll: float) -> str:
    from cardroom.protect.ruin import simulated_ruin

    simulated = simulated_ruin(result.job, result.seen, bankroll)
    if simulated is None:
        return ""
    return f", {percent(simulated.risk, 2)} (error {percent(simulated.standard_error, 2)}) simulated"


_LEAST_SHOWN = 0.0005
"""Counts rarer than this are in the JSON only."""


def _print_rate(words: str, rate: Rate) -> None:
    after = "never" if rate.n0 is None else f"{rate.n0:,.0f} rounds"
    console().print(
        f"{words}: {signed(100 * rate.mean, 3, plus=True)} units won "
        f"(error {signed(100 * rate.standard_error, 3)}), "
        f"standard deviation {10 * rate.standard_deviation:.1f}; DI {signed(rate.desirability, 2)}, "
        f"SCORE {rate.score:.2f}, N0 {after}."
    )
