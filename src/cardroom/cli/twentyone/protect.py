"""`cardroom protect` of the blackjack family: what a player could gain who watches the cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardroom.cli.house_report import (
    EXPOSED_DOLLARS,
    WATCH_DOLLARS,
    Exposed,
    House,
    Watch,
    show_house_report,
)
from cardroom.cli.options import Changes, Json, RulesFile, SimulationSeed, Workers, house_rules_as
from cardroom.cli.output import (
    console,
    plain_table,
    print_heading,
    print_json,
    require_writable,
    working,
    write_file,
)
from cardroom.cli.per_game import plain_typer
from cardroom.cli.simulation_options import Backend, BackendName, RoundsWanted, read_settings
from cardroom.cli.twentyone.counter import (
    Bankroll,
    CounterSpots,
    Cover,
    CutCards,
    DecksKnown,
    Deviations,
    Enter,
    Habits,
    InsuranceCount,
    InsuranceFrom,
    Leave,
    Maximum,
    Others,
    PlayCount,
    Ramp,
    Risk,
    Rounding,
    Running,
    Side,
    SideCount,
    play_counter,
)
from cardroom.cli.twentyone.curves import CsvWanted, CurvesWanted
from cardroom.cli.twentyone.effects import TwoCards, print_best_counts, show_second_order
from cardroom.cli.twentyone.exposure import show_known, show_perfect
from cardroom.cli.twentyone.indices import show_efficiency, show_indices
from cardroom.cli.twentyone.protect_questions import require_used
from cardroom.cli.twentyone.team import With
from cardroom.core.errors import MalformedInput
from cardroom.presentation.numbers import in_percent, percent, signed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cardroom.protect.counts import Count
    from cardroom.protect.effects import Effects

app = plain_typer()


@app.command()
def protect(
    context: typer.Context,
    effects: Annotated[
        bool, typer.Option("--effects", help="Only the effects of removal, every card of every wager.")
    ] = False,
    count: Annotated[
        list[str] | None,
        typer.Option(
            "--count",
            metavar="NAME",
            help="A counting system, or ten tags from ace to ten; all named ones unless told.",
            show_default=False,
        ),
    ] = None,
    indices: Annotated[
        bool, typer.Option("--indices", help="At which count each deviation from basic strategy pays.")
    ] = False,
    efficiency: Annotated[
        bool,
        typer.Option(
            "--efficiency", help="The share of perfect play's gain that each count's deviations reach."
        ),
    ] = False,
    known: Annotated[
        bool, typer.Option("--known", help="What it is worth to know a card before the wager.")
    ] = False,
    perfect: Annotated[
        bool,
        typer.Option("--perfect", help="The most that any count could win, for 1 to 2.5 decks cut off."),
    ] = False,
    second_order: TwoCards = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="WAGER",
            help="With --perfect or --second-order, this wager; all unless told.",
            show_default=False,
        ),
    ] = None,
    house: House = False,
    watch: Watch = WATCH_DOLLARS,
    exposed: Exposed = EXPOSED_DOLLARS,
    csv: CsvWanted = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot",
            metavar="FILE",
            help="With --ramp or --house: draw the curves, SVG, PNG or PDF.",
            show_default=False,
        ),
    ] = None,
    shoes: Annotated[
        int | None,
        typer.Option(
            "--shoes",
            metavar="N",
            help="Shoes solved for --indices, --perfect (60 unless told) or --efficiency (200), dealt "
            "for --house (200).",
            show_default=False,
        ),
    ] = None,
    ramp: Ramp = None,
    deviations: Deviations = None,
    insurance_from: InsuranceFrom = None,
    side: Side = None,
    play_count: PlayCount = None,
    insurance_count: InsuranceCount = None,
    side_count: SideCount = None,
    further: With = None,
    enter: Enter = None,
    leave: Leave = None,
    spots: CounterSpots = 1,
    others: Others = 0,
    decks_known: DecksKnown = "exact",
    rounding: Rounding = "floor",
    running: Running = False,
    cover: Cover = None,
    cut_cards: CutCards = None,
    maximum: Maximum = None,
    bankroll: Bankroll = None,
    risk: Risk = None,
    curves: CurvesWanted = False,
    rounds: RoundsWanted = None,
    seed: SimulationSeed = 1,
    workers: Workers = None,
    backend: BackendName = Backend.CPU,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """What a player could gain who watches the cards; with --ramp, play it: millions of rounds."""
    from cardroom.protect.best import best_counts
    from cardroom.protect.counts import find_count, systems
    from cardroom.protect.effects import all_effects
    from cardroom.rules.twentyone import TwentyOneRules

    require_used(context)
    rules = house_rules_as(TwentyOneRules, context.info_name or "", changes, rules_file)
    counts = list(systems().values()) if not count else [find_count(name) for name in count]
    if plot is not None:
        if not house and ramp is None:
            raise MalformedInput("--plot draws a counter or the house report; ask for --ramp or --house")
        from cardroom.lab.protection_plots import check_plot

        check_plot(plot)
        require_writable(plot)
    if house:
        report = show_house_report(
            rules, shoes=shoes, seed=seed, watch=watch, exposed=exposed, csv=csv, as_json=as_json
        )
        if plot is not None:
            from cardroom.lab.protection import exposure_plots

            _write_plots(plot, exposure_plots(report), "no wager of this game loses anything at any cut")
        return
    solved = 60 if shoes is None else shoes
    if indices:
        show_indices(rules, [find_count(name) for name in count or ["hi-lo"]], solved, seed, as_json=as_json)
        return
    if efficiency:
        show_efficiency(rules, counts, 200 if shoes is None else shoes, seed, as_json=as_json)
        return
    if known:
        show_known(rules, as_json=as_json)
        return
    if second_order:
        show_second_order(rules, only or [], as_json=as_json)
        return
    if perfect:
        show_perfect(rules, only or [], solved, seed, as_json=as_json)
        return
    if ramp is not None or rounds is not None:
        habits = Habits(
            ramp=ramp or "0:1",
            deviations=deviations or [],
            insurance_from=insurance_from,
            sides=side or [],
            enter=enter,
            leave=leave,
            spots=spots,
            others=others,
            decks_known=decks_known,
            rounding=rounding,
            running=running,
            cover=cover,
            cut_cards=cut_cards,
            maximum=maximum,
            bankroll=bankroll,
            risk=risk,
            curves=curves,
            csv=csv,
            play_count=play_count,
            insurance_count=insurance_count,
            side_count=side_count,
            further=further or [],
        )
        require_writable(csv)
        settings = read_settings(
            rounds, seed, workers, backend, None, None, None, None, None, None, as_json=as_json
        )
        played = play_counter(rules, [find_count(name) for name in count or ["hi-lo"]], habits, settings)
        if plot is not None:
            from cardroom.lab.protection_plots import plots_of

            _write_plots(plot, plots_of(played), "")
        return
    with working(f"solving {rules.title} without each card"):
        wagers = all_effects(rules)
    if as_json:
        result: dict[str, Any] = {
            "game": rules.game,
            "rules_hash": rules.rules_hash,
            "effects": [one.to_json() for one in wagers],
        }
        if not effects:
            result["counts"] = [_count_json(one, wagers) for one in counts]
            result["best_counts"] = [count.to_json() for one in wagers for count in best_counts(one)]
        print_json(result)
        return
    print_heading(rules)
    for one in wagers:
        _print_effects(one)
    if not effects:
        _print_counts(counts, wagers)
        print_best_counts(wagers)


def _write_plots(file: Path, plots: Iterable[dict[str, Any]], none: str) -> None:
    from cardroom.lab.protection_plots import drawn_plots

    drawn = list(plots)
    if not drawn:
        raise MalformedInput(f"there is nothing to draw: {none}")
    write_file(file, drawn_plots(drawn, file.suffix))


def _print_effects(effects: Effects) -> None:
    out = console()
    out.print(
        f"{effects.title}: {percent(float(effects.full_value), 4, plus=True)} from the full shoe",
        style="bold",
    )
    grouped = effects.grouped()
    if len({effect for _, effect in grouped}) == 1:
        change = in_percent(100 * float(grouped[0][1]), 4, plus=True)
        out.print(f"Every card that is missing changes it by {change}: no linear count can follow it.\n")
        return
    right = ("Change", "Per deck")
    table = plain_table("Card missing", *right, right=right)
    for name, effect in grouped:
        table.add_row(
            name,
            in_percent(100 * float(effect), 4, plus=True),
            in_percent(100 * effects.decks * float(effect), 3, plus=True),
        )
    out.print(table)
    out.print(f"One card of {effects.of} is missing; per deck: one of each deck.\n")


def _print_counts(counts: Sequence[Count], wagers: Sequence[Effects]) -> None:
    from cardroom.protect.counts import LETTERS, correlation_with_aces

    out = console()
    shown = [one for one in wagers if any(count.correlation(one) for count in counts)]
    out.print("Correlation of counts with the effects", style="bold")
    heads = [one.title for one in shown]
    table = plain_table("Count", "Tags, ace to ten", *heads, right=tuple(heads))
    for count in counts:
        tags = " ".join(_tag(count.tags[letter]) for letter in LETTERS)
        table.add_row(count.title, tags, *(signed(count.correlation(one), 3) for one in shown))
        beside = [correlation_with_aces(count, one) for one in shown]
        if any(value is not None for value in beside):
            cells = ("-" if value is None else signed(value, 3) for value in beside)
            table.add_row(f"{count.title}, aces beside", "", *cells)
    out.print(table)
    out.print("1 follows the value of the wager as well as any linear count can; 0 says nothing of it.")


def _tag(tag: Any) -> str:
    return str(float(tag)).removesuffix(".0")


def _count_json(count: Count, wagers: Sequence[Effects]) -> dict[str, Any]:
    from cardroom.protect.counts import correlation_with_aces

    return {
        "count": count.id,
        "title": count.title,
        "tags": {letter: float(tag) for letter, tag in count.tags.items()},
        "balanced": count.balanced(wagers[0].tens_in_a_deck),
        "correlations": [
            {
                "wager": one.wager,
                "strategy": one.strategy,
                "correlation": count.correlation(one),
                "with_aces_beside": correlation_with_aces(count, one),
            }
            for one in wagers
        ],
    }
