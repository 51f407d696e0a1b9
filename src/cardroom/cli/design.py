"""`cardroom design FILE`: a side bet or house rules as somebody writes them, checked and in figures."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cardroom.cli.options import Changes, Json
from cardroom.cli.output import console, plain_table, print_heading, print_json, working
from cardroom.core.errors import CardroomError

if TYPE_CHECKING:
    from cardroom.lab.design.figures import BetFigures, MainFigures
    from cardroom.lab.design.reading import Design
    from cardroom.lab.par.sheet import Correlation

_SECONDS_BETWEEN_LOOKS: Final = 0.3
_WRONG_INPUT: Final = 2

DesignFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="A TOML file of side bets, or of house rules.", show_default=False),
]
OnGame = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="GAME",
        help="The game that side bets are put on; blackjack unless told.",
        show_default=False,
    ),
]
Watch = Annotated[bool, typer.Option("--watch", help="Print again when the file changes; Ctrl-C ends it.")]


def design(
    file: DesignFile,
    game: OnGame = None,
    watch: Watch = False,
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Check a side bet or house rules as you write them, with exact figures and warnings."""
    if watch:
        _watch(file, game, changes, as_json=as_json)
    elif not _show(file, game, changes, as_json=as_json):
        raise typer.Exit(_WRONG_INPUT)


def _watch(file: Path, game: str | None, changes: list[str] | None, *, as_json: bool) -> None:
    try:
        for _ in _versions(file):
            try:
                _show(file, game, changes, as_json=as_json)
            except CardroomError as error:
                _tell(str(error))
            console(stderr=True).print(f"watching {file}; Ctrl-C ends", style="dim")
    except KeyboardInterrupt:
        return


def _versions(file: Path) -> Iterator[tuple[int, int] | None]:
    """The file as it is now, and every time that it has changed: when, and how long it is."""
    last: tuple[int, int] | None = (-1, -1)
    while True:
        try:
            state = file.stat()
            now = (state.st_mtime_ns, state.st_size)
        except OSError:
            now = None
        if now != last:
            last = now
            yield now
        time.sleep(_SECONDS_BETWEEN_LOOKS)


def _tell(line: str) -> None:
    print(f"cardroom: {' '.join(line.split())}", file=sys.stderr)


def _show(file: Path, game: str | None, changes: list[str] | None, *, as_json: bool) -> bool:
    """Print what a file comes to; where it is wrong, a line for each fault."""
    from cardroom.lab.design.figures import bet_figures
    from cardroom.lab.design.reading import WrongFile, read_file
    from cardroom.rules import parse_changes
    from cardroom.rules.twentyone import TwentyOneRules

    try:
        found = read_file(file, game, parse_changes(changes or []))
    except WrongFile as wrong:
        for line in wrong.lines:
            _tell(line)
        return False
    rules = found.rules
    bets = []
    if isinstance(rules, TwentyOneRules):
        with working("counting every deal"):
            bets = [bet_figures(rules, wager) for wager in found.wagers]
    if not as_json:
        if found.is_rules:
            print_heading(rules)
        for bet in bets:
            _print_bet(bet, rules.title)
    main, together = _with_main_wager(found)
    if as_json:
        print_json(_as_json(file, found, bets, main, together))
        return True
    if main is not None:
        _print_main(main)
    _print_correlations(together, {bet.wager: bet.bet.title for bet in bets})
    return True


def _with_main_wager(found: Design) -> tuple[MainFigures | None, Sequence[Correlation]]:
    """What takes a moment, since the game is solved for it."""
    from cardroom.lab.design.figures import main_figures, with_main_wager
    from cardroom.rules.twentyone import TwentyOneRules

    rules = found.rules
    with working(f"solving {rules.title}"):
        main = main_figures(rules) if found.is_rules else None
        together = with_main_wager(rules, found.wagers) if isinstance(rules, TwentyOneRules) else ()
    return main, together


def _print_bet(found: BetFigures, game: str) -> None:
    from cardroom.lab.design.figures import deck_words
    from cardroom.presentation.numbers import one_in, percent, short_fraction, signed
    from cardroom.presentation.wagers import line_title

    out = console()
    out.print(f"\n{found.bet.title} at {game}, {deck_words(found.here.decks)}", style="bold")
    right = ("Pays", "Chance", " ", "1 in", "Return")
    table = plain_table("Line", *right, right=right)
    for line in found.here.figures.outcomes:
        table.add_row(
            line_title(line.outcome),
            line.pays.replace("-", "−"),
            short_fraction(line.probability),
            percent(float(line.probability)),
            one_in(line.probability),
            signed(float(line.net * line.probability), 6),
        )
    out.print(table)
    out.print()
    right = ("Decks", "House edge", "Hit frequency", "Variance", "Volatility")
    table = plain_table(*right, right=right)
    for one in found.by_decks:
        table.add_row(
            str(one.decks),
            percent(float(one.edge)),
            percent(float(one.figures.hit_frequency)),
            signed(float(one.figures.variance), 4),
            signed(one.volatility, 3),
        )
    out.print(table)
    if found.bet.note:
        out.print(f"\n{found.bet.note}")
    _print_warnings(found.warnings)


def _print_main(found: MainFigures) -> None:
    from cardroom.presentation import wager_title
    from cardroom.presentation.numbers import in_percent, percent, signed

    out, figures = console(), found.figures
    out.print(f"\n{wager_title(figures['wager'])}", style="bold")
    edge = figures.get("house_edge_percent")
    deviation = figures.get("standard_deviation")
    said = [] if edge is None else [f"house edge {in_percent(edge)}"]
    said += [f"hit frequency {percent(figures['hit_frequency'])}"]
    if deviation is not None:
        said += [f"variance {signed(deviation**2, 4)}"]
    out.print(", ".join(said))
    if found.by_decks:
        table = plain_table("Decks", "House edge", right=("Decks", "House edge"))
        for decks, share in found.by_decks:
            table.add_row(str(decks), percent(share))
        out.print(table)
    _print_warnings(found.warnings)


def _print_warnings(warnings: Sequence[str]) -> None:
    for warning in warnings:
        console().print(f"Warning: {warning}", style="yellow")


def _print_correlations(together: Sequence[Correlation], titles: Mapping[str, str]) -> None:
    from cardroom.presentation.numbers import signed

    if together:
        console().print("\nCorrelation with the main wager", style="bold")
    for one in together:
        error = f" ± {signed(one.standard_error, 4)}" if one.standard_error is not None else ""
        console().print(f"{titles[one.other]}: {signed(one.value, 4)}{error} ({one.method})")


def _as_json(
    file: Path,
    found: Design,
    bets: Sequence[BetFigures],
    main: MainFigures | None,
    together: Sequence[Correlation],
) -> dict[str, Any]:
    correlations = {one.other: one.to_json() for one in together}
    return {
        "file": file.name,
        "game": found.rules.game,
        "rules_hash": found.rules.rules_hash,
        **({"main": main.to_json()} if main is not None else {}),
        "bets": [{**one.to_json(), "correlation_with_main": correlations.get(one.wager)} for one in bets],
    }
