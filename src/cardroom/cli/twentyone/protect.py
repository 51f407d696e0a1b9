"""`cardroom protect` of the blackjack family: what a player could gain who watches the cards."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardroom.cli.house_report import (
    EXPOSED_DOLLARS,
    WATCH_DOLLARS,
    CsvFile,
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
    InsuranceFrom,
    Leave,
    Maximum,
    Others,
    Ramp,
    Risk,
    Rounding,
    Running,
    Side,
    play_counter,
)
from cardroom.cli.twentyone.exposure import show_known, show_perfect
from cardroom.cli.twentyone.indices import show_indices
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
    known: Annotated[
        bool, typer.Option("--known", help="What it is worth to know a card before the wager.")
    ] = False,
    perfect: Annotated[
        bool,
        typer.Option("--perfect", help="The most that any count could win, for 1 to 2.5 decks cut off."),
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", metavar="WAGER", help="With --perfect, this wager; all unless told.", show_default=False
        ),
    ] = None,
    house: House = False,
    watch: Watch = WATCH_DOLLARS,
    exposed: Exposed = EXPOSED_DOLLARS,
    csv: CsvFile = None,
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
            help="Shoes solved for --indices or --perfect (60 unless told), dealt for --house (200).",
            show_default=False,
        ),
    ] = None,
    ramp: Ramp = None,
    deviations: Deviations = None,
    insurance_from: InsuranceFrom = None,
    side: Side = None,
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
    rounds: RoundsWanted = None,
    seed: SimulationSeed = 1,
    workers: Workers = None,
    backend: BackendName = Backend.CPU,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """What a player could gain who watches the cards; with --ramp, play it: millions of rounds."""
    from cardroom.protect.counts import find_count, systems
    from cardroom.protect.effects import all_effects
    from cardroom.rules.twentyone import TwentyOneRules

    rules = house_rules_as(TwentyOneRules, context.info_name or "", changes, rules_file)
    counts = list(systems().values()) if not count else [find_count(name) for name in count]
    if csv is not None and not house:
        raise MalformedInput("--csv is the table of the house report; ask for it with --house")
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
    if known:
        show_known(rules, as_json=as_json)
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
        )
        settings = read_settings(
            rounds, seed, workers, backend, None, None, None, None, None, None, as_json=as_json
        )
        played = play_counter(rules, [find_count(name) for name in count or ["hi-lo"]], habits, settings)
        if plot is not None:
            from cardroom.lab.protection import counter_plots

            _write_plots(plot, counter_plots(played), "")
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
            result["best_counts"] = _best_json(wagers)
        print_json(result)
        return
    print_heading(rules)
    for one in wagers:
        _print_effects(one)
    if not effects:
        _print_counts(counts, wagers)


def _write_plots(file: Path, plots: Iterable[dict[str, Any]], none: str) -> None:
    from cardroom.lab.protection_plots import drawn_plots

    drawn = list(plots)
    if not drawn:
        raise MalformedInput(f"there is nothing to draw: {none}")
    write_file(file, drawn_plots(drawn, file.suffix))


def _name(effects: Effects) -> str:
    from cardroom.presentation import wager_title

    strategy = {"composition": ", best play for each shoe", "basic": ", basic strategy kept"}
    return wager_title(effects.wager) + strategy.get(effects.strategy or "", "")


def _print_effects(effects: Effects) -> None:
    out = console()
    out.print(
        f"{_name(effects)}: {percent(float(effects.full_value), 4, plus=True)} from the full shoe",
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
    from cardroom.protect.counts import LETTERS

    out = console()
    shown = [one for one in wagers if any(count.correlation(one) for count in counts)]
    out.print("Correlation of counts with the effects", style="bold")
    heads = [_name(one) for one in shown]
    table = plain_table("Count", "Tags, ace to ten", *heads, right=tuple(heads))
    best = _best(wagers)
    for count in (*counts, *(count for _, _, count in best)):
        tags = " ".join(_tag(count.tags[letter]) for letter in LETTERS)
        table.add_row(count.title, tags, *(signed(count.correlation(one), 3) for one in shown))
    out.print(table)
    out.print("1 follows the value of the wager as well as any linear count can; 0 says nothing of it.")


def _tag(tag: Any) -> str:
    return str(float(tag)).removesuffix(".0")


def _best(wagers: Sequence[Effects]) -> list[tuple[Effects, int, Count]]:
    """The best balanced count of each level for the primary wager, as it is played by a counter."""
    from cardroom.protect.counts import HIGHEST_LEVEL, best_count

    primary = wagers[0]
    found = [(level, best_count(primary, level, balanced=True)) for level in range(1, HIGHEST_LEVEL + 1)]
    return [(primary, level, count) for level, count in found if count is not None]


def _best_json(wagers: Sequence[Effects]) -> list[dict[str, Any]]:
    from cardroom.protect.counts import HIGHEST_LEVEL, best_count

    rows = []
    for effects in wagers:
        for level in range(1, HIGHEST_LEVEL + 1):
            for balanced in (True, False):
                count = best_count(effects, level, balanced=balanced)
                if count is not None:
                    rows.append(
                        {
                            "wager": effects.wager,
                            "strategy": effects.strategy,
                            "level": level,
                            "balanced": balanced,
                            "tags": {letter: float(tag) for letter, tag in count.tags.items()},
                            "correlation": count.correlation(effects),
                        }
                    )
    return rows


def _count_json(count: Count, wagers: Sequence[Effects]) -> dict[str, Any]:
    return {
        "count": count.id,
        "title": count.title,
        "tags": {letter: float(tag) for letter, tag in count.tags.items()},
        "balanced": count.balanced(wagers[0].tens_in_a_deck),
        "correlations": [
            {"wager": one.wager, "strategy": one.strategy, "correlation": count.correlation(one)}
            for one in wagers
        ],
    }
