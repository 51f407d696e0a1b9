"""The lab's page Protection: effects, counts, a counter, exposure by cut depth, as tables and plots."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from cardroom.games import GAMES
from cardroom.lab.habit_words import habit_words, short_title
from cardroom.presentation.money import chips, dollars
from cardroom.presentation.numbers import counted, in_percent, percent, signed
from cardroom.protect.best import different_counts
from cardroom.protect.counting import CounterResult
from cardroom.protect.counts import LETTERS, systems
from cardroom.protect.curves import PERCENTILES, RiskOf, Spread
from cardroom.protect.effects import Effects, all_effects
from cardroom.protect.house import HouseReport
from cardroom.protect.ramp import Ramp
from cardroom.protect.team import TeamResult
from cardroom.rules import HouseRules
from cardroom.rules.twentyone import TwentyOneRules

SHOES: Final = 40
SOLVED: Final = 16
ROUNDS: Final = 4_000_000
"""Small enough for a page; the command line takes more."""
RAMP: Final = Ramp.parse("1:2,2:4,3:6,4:8")
MOST_UNITS: Final = 8
_LEAST_SHARE: Final = 0.002

Table = dict[str, Any]


def exact_tables(rules: HouseRules) -> list[Table]:
    """What no shoe has to be dealt for: the effects of removal, and what the counts make of them."""
    if not isinstance(rules, TwentyOneRules):
        return []
    effects = all_effects(rules)
    best = best_count_table(effects)
    return [*effect_tables(effects), count_table(effects), *([best] if best["rows"] else [])]


def protection_view(rules: HouseRules, *, shoes: int = SHOES, solved: int = SOLVED) -> Table:
    """What the page shows of a game for the house: tables as rows of text, plots as points, sentences.

    The exact tables and the counter are asked for by themselves, and are there before.
    """
    report: HouseReport = GAMES[rules.game].follow("house_report")(rules, shoes=shoes, solved=solved, seed=1)
    return {
        "game": rules.game,
        "title": rules.title,
        "rules_hash": rules.rules_hash,
        "mark": report.mark,
        "method": report.method,
        "findings": list(report.findings),
        "tables": list(house_tables(report)),
        "plots": list(exposure_plots(report)),
    }


def house_tables(report: HouseReport) -> Iterator[Table]:
    """The marks, and what is won by cut."""
    bounds = report.thresholds
    if report.wagers:
        yield {
            "title": "What the best conceivable counter wins",
            "head": ["Wager", "Mark", "Largest stake", "In 100 rounds", "With $10,000"],
            "rows": [
                [
                    one.title,
                    one.mark,
                    chips(one.largest_stake_cents),
                    dollars(one.own.at_maximum_cents),
                    dollars(one.own.without_maximum_cents),
                ]
                for one in report.wagers
            ],
            "note": (
                f"In 100 rounds with the largest stake at the deepest cut of the house: watch from "
                f"{chips(bounds.watch_cents)}, exposed from {chips(bounds.exposed_cents)}. With $10,000: "
                "by the Kelly wager, at a table without a maximum."
            ),
        }
    if any(one.cuts for one in report.wagers):
        yield perfect_table(report)
    exposed = [one for one in report.wagers if one.countermeasures and one.mark != "safe"]
    for one in exposed:
        yield {
            "title": f"{one.title}: what helps",
            "head": ["Countermeasure", "Left in 100 rounds"],
            "rows": [[measure.words, dollars(measure.left_cents)] for measure in one.countermeasures],
            "note": f"Of {dollars(one.own.at_maximum_cents)}.",
        }


def perfect_table(report: HouseReport) -> Table:
    """Perfect play of every wager, cut by cut."""
    cuts = next(one.cuts for one in report.wagers if one.cuts)
    return {
        "title": "Perfect play: the most that any count could win",
        "head": ["Wager", *(f"{cut.decks:g} deck{'s' * (cut.decks != 1)} cut off" for cut in cuts)],
        "rows": [
            [
                one.title,
                *(
                    f"{signed(cut.units, 2)} ({signed(cut.units_error, 2)}), {percent(cut.share, 1)}"
                    for cut in one.cuts
                ),
            ]
            for one in report.wagers
            if one.cuts
        ],
        "note": (
            "Units for 100 rounds seen (error), one wagered wherever that pays; the share of rounds in which "
            "it does."
        ),
    }


def can_be_counted(effects: Effects) -> bool:
    """Whether one card is not like another, so that a linear count follows the wager."""
    return len(set(effects.by_card.values())) > 1


def effect_tables(effects: Sequence[Effects]) -> Iterator[Table]:
    """The effects of removal on every wager that a count can follow."""
    for one in filter(can_be_counted, effects):
        yield {
            "title": f"Effects of removal: {one.title}",
            "head": ["Card missing", "Change", "Per deck"],
            "rows": [
                [
                    name,
                    in_percent(100 * float(effect), 4, plus=True),
                    in_percent(100 * one.decks * float(effect), 3, plus=True),
                ]
                for name, effect in one.grouped()
            ],
            "note": f"One card of {one.of} is missing; per deck: one of each deck.",
        }


def count_table(effects: Sequence[Effects]) -> Table:
    """Correlations of the named counts with the effects."""
    counts = list(systems().values())
    shown = [one for one in effects if any(count.correlation(one) for count in counts)]
    return {
        "title": "Counts",
        "head": ["Count", "Tags, ace to ten", *(one.title for one in shown)],
        "rows": [
            [
                count.title,
                " ".join(signed(float(count.tags[letter]), 1).removesuffix(".0") for letter in LETTERS),
                *(signed(count.correlation(one), 3) for one in shown),
            ]
            for count in counts
        ],
        "note": "1 follows the value of the wager as well as any linear count can; 0 says nothing of it.",
    }


def best_count_table(effects: Sequence[Effects]) -> Table:
    """The best counts with whole tags for every wager that a count can follow."""
    return {
        "title": "The best counts",
        "head": ["For", "Count", "Tags", "Correlation"],
        "rows": [
            [one.title, count.title, count.tag_words, signed(count.correlation, 3)]
            for one in effects
            for count in different_counts(one)
        ],
        "note": (
            "Of all counts with whole tags up to the level. An unbalanced one stands there where it is "
            "better than every balanced one; T is every ten-valued card unless J, Q and K have tags of "
            "their own."
        ),
    }


def counter_table(result: CounterResult, most_units: int) -> Table:
    """Rounds, wager and edge by the count that decides."""
    rate = result.seen
    return {
        "title": f"A counter: {short_title(result.counter.count)}",
        "head": [_kind(result).capitalize(), "Rounds", "Units", "Edge", "± (error)"],
        "rows": [
            [
                signed(row.count, 0),
                percent(row.seen / result.rounds, 2),
                str(row.units) if row.played else "-",
                percent(row.edge, 2, plus=True) if row.played else "-",
                percent(row.standard_error, 2) if row.played else "-",
            ]
            for row in _often(result)
        ],
        "note": (
            f"{habit_words(result.counter, result.job.rules)}. "
            f"{result.rounds:,} rounds simulated, seed {result.job.seed}, "
            f"{counted(result.job.dealing.cut_cards or 0, 'card')} behind the cut card, "
            f"{most_units} units at most. For 100 rounds seen: {signed(100 * rate.mean, 2, plus=True)} units "
            f"(error {signed(100 * rate.standard_error, 2)}), SCORE {signed(rate.score, 1)}."
        ),
    }


def _kind(result: CounterResult) -> str:
    return "running count" if result.counter.running else "true count"


def _often(result: CounterResult) -> list[Any]:
    return [row for row in result.rows if row.seen >= _LEAST_SHARE * result.rounds]


def _edge_plot(result: CounterResult) -> Table:
    rows = _often(result)
    points = [[row.count, 100 * row.edge, 100 * row.standard_error] for row in rows if row.played]
    return {
        "title": f"Edge against {_kind(result)}",
        "label": f"The player's edge in percent at each {_kind(result)}, with its standard error",
        "kind": "line",
        "points": points,
        "x_ticks": _ticks([row.count for row in rows], lambda x: signed(x, 0)),
        "y_ticks": _ticks([point[1] for point in points] + [0.0], lambda y: in_percent(y, 1, plus=True)),
    }


def _share_plot(result: CounterResult) -> Table:
    rows = _often(result)
    points = [[row.count, 100 * row.seen / result.rounds, 0] for row in rows]
    return {
        "title": f"How often each {_kind(result)} comes",
        "label": f"The share of rounds that begin at each {_kind(result)}, in percent",
        "kind": "bars",
        "points": points,
        "x_ticks": _ticks([row.count for row in rows], lambda x: signed(x, 0)),
        "y_ticks": _ticks([0.0, *(point[1] for point in points)], lambda y: in_percent(y, 0)),
    }


def counter_plots(result: CounterResult) -> Iterator[Table]:
    """The edge and how often it comes by count, and what the counter meets as shoes go by."""
    if any(row.played for row in _often(result)):
        yield _edge_plot(result)
    yield _share_plot(result)
    counts = result.curves.counts
    yield _lines(
        f"{_kind(result).capitalize()}s by depth",
        f"The {_kind(result)} below which 5, 25, 50, 75 and 95 of 100 rounds begin, by the decks dealt",
        _fan(counts),
        [[one.at, f"{one.at:g} decks"] for one in (counts[0], counts[-1])],
        lambda y: signed(y, 1),
    )
    yield from bankroll_plots(result.curves.bankroll, result.curves.risks)


def team_plots(result: TeamResult) -> Iterator[Table]:
    """The edge of each counter by its count, and the bankroll that they have in common."""
    for number, one in enumerate(result.counters, 1):
        if any(row.played for row in _often(one)):
            plot = _edge_plot(one)
            yield {**plot, "title": f"Counter {number}: {plot['title'].lower()}"}
    yield from bankroll_plots(result.bankroll, result.risks)


def bankroll_plots(fan: Sequence[Spread], risks: Sequence[RiskOf]) -> Iterator[Table]:
    """How a bankroll may go, and its risk by size."""
    yield _lines(
        "How a bankroll may go",
        "Units won below which 5, 25, 50, 75 and 95 of 100 counters stand, by the rounds seen",
        _fan(fan),
        [[one.at, f"{one.at:,.0f} rounds"] for one in (fan[0], fan[-1])],
        lambda y: signed(y, 0),
    )
    if risks:
        yield _lines(
            "Risk of ruin by bankroll",
            "The risk to lose a bankroll in units: by the formula, and of bankrolls simulated",
            [
                ("formula", [[one.bankroll, 100 * one.formula, 0.0] for one in risks]),
                ("simulated", [[one.bankroll, 100 * one.simulated, 0.0] for one in risks]),
            ],
            [[one.bankroll, f"{one.bankroll:,.0f} units"] for one in (risks[0], risks[-1])],
            lambda y: in_percent(y, 0),
        )


def _fan(spreads: Sequence[Spread]) -> list[tuple[str, list[list[float]]]]:
    return [
        (f"{percentile} of 100", [[one.at, one.values[place], 0.0] for one in spreads])
        for place, percentile in enumerate(PERCENTILES)
    ]


def _lines(
    title: str, label: str, series: Sequence[tuple[str, list[list[float]]]], x_ticks: Any, words: Any
) -> Table:
    points = [point for _, some in series for point in some]
    return {
        "title": title,
        "label": label,
        "kind": "lines",
        "points": points,
        "series": [{"name": name, "points": some} for name, some in series],
        "x_ticks": x_ticks,
        "y_ticks": _ticks([0.0, *(point[1] for point in points)], words),
    }


def exposure_plots(report: HouseReport) -> Iterator[Table]:
    """What every wager that can be beaten loses by the decks cut off."""
    for one in report.wagers:
        if not any(cut.at_maximum_cents >= 1 for cut in one.cuts):
            continue
        points = [[cut.decks, cut.at_maximum_cents, cut.at_maximum_error] for cut in one.cuts]
        yield {
            "title": f"{one.title}: won in 100 rounds by decks cut off",
            "label": f"What is won in 100 rounds with {chips(one.largest_stake_cents)} by the decks cut off",
            "kind": "line",
            "points": points,
            "x_ticks": [[cut.decks, f"{cut.decks:g}"] for cut in one.cuts],
            "y_ticks": _ticks([0.0, *(point[1] + point[2] for point in points)], dollars),
        }


def _ticks(values: Sequence[float], words: Any) -> list[list[Any]]:
    """The least, the middle and the largest, with their words."""
    least, most = min(values), max(values)
    chosen = (least, round((least + most) / 2), most) if most - least > 2 else (least, most)
    return [[value, words(value)] for value in dict.fromkeys(chosen)]
