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
from cardroom.core.errors import CardroomError, MalformedInput

if TYPE_CHECKING:
    from cardroom.exact.by_decks import Decks
    from cardroom.lab.design.figures import BetFigures, MainFigures
    from cardroom.lab.design.reading import Design
    from cardroom.lab.design.search import Paytable, Range
    from cardroom.lab.par.sheet import Correlation
    from cardroom.rules import HouseRules
    from cardroom.rules.bets import SideBet

_SECONDS_BETWEEN_LOOKS: Final = 0.3
_WRONG_INPUT: Final = 2

DesignFile = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A TOML file of side bets or of house rules, or a known variant.",
        show_default=False,
    ),
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
TargetEdge = Annotated[
    str | None,
    typer.Option(
        "--target-edge",
        metavar="A..B",
        help="Find paytables with a house edge from A to B per cent.",
        show_default=False,
    ),
]
Hit = Annotated[
    str | None,
    typer.Option(
        "--hit", metavar="A..B", help="They win from A to B per cent of rounds.", show_default=False
    ),
]
Volatility = Annotated[
    str | None,
    typer.Option(
        "--volatility", metavar="A..B", help="Their volatility index is from A to B.", show_default=False
    ),
]
OfDecks = Annotated[
    str | None,
    typer.Option(
        "--decks",
        metavar="LIST",
        help="With each of these numbers of decks, such as 2,6,8; the game's own unless told.",
        show_default=False,
    ),
]
Watch = Annotated[bool, typer.Option("--watch", help="Print again when the file changes; Ctrl-C ends it.")]


def design(
    file: DesignFile,
    game: OnGame = None,
    target_edge: TargetEdge = None,
    hit: Hit = None,
    volatility: Volatility = None,
    decks: OfDecks = None,
    watch: Watch = False,
    changes: Changes = None,
    as_json: Json = False,
) -> None:
    """Check a side bet or house rules as you write them, with exact figures; or find paytables."""
    others = {"--hit": hit, "--volatility": volatility, "--decks": decks}
    if target_edge is not None:
        if watch:
            raise MalformedInput("--watch shows the figures of a file; leave it out to find paytables")
        if not _search(file, game, changes, {"--target-edge": target_edge, **others}, as_json=as_json):
            raise typer.Exit(_WRONG_INPUT)
        return
    alone = next((option for option, value in others.items() if value is not None), None)
    if alone is not None:
        raise MalformedInput(f"{alone} is for finding paytables, with --target-edge, such as 3..6")
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


def _read(file: Path, game: str | None, changes: list[str] | None) -> Design | None:
    """A file as it is read; where it is wrong, a line for each fault and nothing."""
    from cardroom.lab.design.reading import WrongFile, read_file
    from cardroom.rules import parse_changes
    from cardroom.rules.variants import variant_file, variant_names

    if str(file) in variant_names():
        file = variant_file(str(file))
    try:
        return read_file(file, game, parse_changes(changes or []))
    except WrongFile as wrong:
        for line in wrong.lines:
            _tell(line)
        return None


def _search(
    file: Path,
    game: str | None,
    changes: list[str] | None,
    wanted: Mapping[str, str | None],
    *,
    as_json: bool,
) -> bool:
    """Print the best paytables for every bet of a file."""
    from cardroom.lab.design.search import Target, find_paytables, read_decks, read_range
    from cardroom.rules.twentyone import TwentyOneRules

    def range_of(option: str, per: int) -> Range | None:
        text = wanted[option]
        return None if text is None else read_range(text, option, per=per)

    edge, hit = range_of("--target-edge", 100), range_of("--hit", 100)
    volatility = range_of("--volatility", 1)
    number = None if wanted["--decks"] is None else read_decks(wanted["--decks"])
    draft = _read(file, game, changes)
    if draft is None:
        return False
    rules = draft.rules
    if not isinstance(rules, TwentyOneRules) or not draft.wagers:
        raise MalformedInput(f"{file.name} has no side bet to find pays for")
    assert edge is not None
    target = Target(edge, hit, volatility, number or (rules.decks,))
    answers = {}
    for wager in draft.wagers:
        with working(f"looking for pays of {rules.side_bets[wager].title}"):
            answers[wager] = find_paytables(rules, wager, target)
    if as_json:
        print_json(
            {
                "file": file.name,
                "game": rules.game,
                "decks": list(target.decks),
                "bets": {
                    wager: [one.to_json(rules.side_bets[wager], target.decks) for one in tables]
                    for wager, tables in answers.items()
                },
            }
        )
        return True
    for wager, tables in answers.items():
        _print_paytables(rules.side_bets[wager], tables, target.decks)
    return True


def _print_paytables(bet: SideBet, tables: Sequence[Paytable], decks: Sequence[Decks]) -> None:
    from cardroom.lab.design.figures import deck_words
    from cardroom.lab.par.sheet import VOLATILITY_SIGMAS
    from cardroom.presentation.numbers import percent, signed

    out = console()
    lines = ", ".join(line.name for line in bet.lines)
    out.print(f"\n{bet.title}: pays of {lines}", style="bold")
    if not tables:
        out.print("No pays from the list of usual odds meet all of it.")
        return
    edges = [f"Edge, {deck_words(one)}" for one in decks]
    right = (*edges, "Hits", "Volatility")
    table = plain_table("Pays", *right, right=right)
    for one in tables:
        table.add_row(
            "-".join("none" if pays is None else str(pays).removesuffix(":1") for pays in one.pays),
            *(percent(float(edge), 3) for edge in one.edges),
            percent(float(one.hit), 2),
            signed(VOLATILITY_SIGMAS * float(max(one.variances)) ** 0.5, 2),
        )
    out.print(table)
    out.print(
        "No other paytable is at once nearer to the middle of the edge, hit as often and topped as high; "
        "none: the line is left out."
    )


def _show(file: Path, game: str | None, changes: list[str] | None, *, as_json: bool) -> bool:
    """Print what a file comes to; where it is wrong, a line for each fault."""
    from cardroom.exact.sidebets import not_figured
    from cardroom.lab.design.figures import bet_figures, correlations_left_out
    from cardroom.rules.twentyone import TwentyOneRules

    draft = _read(file, game, changes)
    if draft is None:
        return False
    rules = draft.rules
    bets, unknown = [], {}
    if isinstance(rules, TwentyOneRules):
        with working("counting every deal"):
            unknown = {wager: why for wager, why in not_figured(rules).items() if wager in draft.wagers}
            bets = [bet_figures(rules, wager) for wager in draft.wagers if wager not in unknown]
    if not as_json:
        if draft.is_rules:
            print_heading(rules)
        for bet in bets:
            _print_bet(bet, rules.title)
        for sentence in unknown.values():
            console().print(f"\n{sentence}")
    main, together = _with_main_wager(draft)
    left_out = correlations_left_out(rules, draft.wagers)
    if as_json:
        body = _as_json(file, draft, bets, main, together)
        notes = {"not_figured": unknown, "not_simulated": left_out}
        print_json({**body, **{name: words for name, words in notes.items() if words}})
        return True
    if main is not None:
        _print_main(main)
    _print_correlations(together, _titles(rules, draft.wagers))
    for sentence in left_out.values():
        console().print(sentence)
    return True


def _titles(rules: HouseRules, wagers: Sequence[str]) -> dict[str, str]:
    from cardroom.rules.twentyone import TwentyOneRules

    return (
        {wager: rules.side_bets[wager].title for wager in wagers} if isinstance(rules, TwentyOneRules) else {}
    )


def _with_main_wager(draft: Design) -> tuple[MainFigures | None, Sequence[Correlation]]:
    """What takes a moment, since the game is solved for it."""
    from cardroom.lab.design.figures import main_figures, with_main_wager
    from cardroom.rules.twentyone import TwentyOneRules

    rules = draft.rules
    with working(f"solving {rules.title}"):
        main = main_figures(rules) if draft.is_rules else None
        together = with_main_wager(rules, draft.wagers) if isinstance(rules, TwentyOneRules) else ()
    return main, together


def _print_bet(figures: BetFigures, game: str) -> None:
    from cardroom.lab.design.figures import deck_words
    from cardroom.presentation.numbers import one_in, percent, short_fraction, signed
    from cardroom.presentation.wagers import line_title

    out = console()
    out.print(f"\n{figures.bet.title} at {game}, {deck_words(figures.here.decks)}", style="bold")
    right = ("Pays", "Chance", " ", "1 in", "Return")
    table = plain_table("Line", *right, right=right)
    for line in figures.here.figures.outcomes:
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
    for one in figures.by_decks:
        table.add_row(
            str(one.decks),
            percent(float(one.edge)),
            percent(float(one.figures.hit_frequency)),
            signed(float(one.figures.variance), 4),
            signed(one.volatility, 3),
        )
    out.print(table)
    if figures.bet.note:
        out.print(f"\n{figures.bet.note}")
    _print_warnings(figures.warnings)


def _print_main(main: MainFigures) -> None:
    from cardroom.presentation import wager_title
    from cardroom.presentation.numbers import in_percent, percent, signed

    out, figures = console(), main.figures
    out.print(f"\n{wager_title(figures['wager'])}", style="bold")
    edge = figures.get("house_edge_percent")
    deviation = figures.get("standard_deviation")
    said = [] if edge is None else [f"house edge {in_percent(edge)}"]
    said += [f"hit frequency {percent(figures['hit_frequency'])}"]
    if deviation is not None:
        said += [f"variance {signed(deviation**2, 4)}"]
    out.print(", ".join(said))
    if main.by_decks:
        table = plain_table("Decks", "House edge", right=("Decks", "House edge"))
        for decks, share in main.by_decks:
            table.add_row(str(decks), percent(share))
        out.print(table)
    _print_warnings(main.warnings)


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
    draft: Design,
    bets: Sequence[BetFigures],
    main: MainFigures | None,
    together: Sequence[Correlation],
) -> dict[str, Any]:
    correlations = {one.other: one.to_json() for one in together}
    return {
        "file": file.name,
        "game": draft.rules.game,
        "rules_hash": draft.rules.rules_hash,
        **({"main": main.to_json()} if main is not None else {}),
        "bets": [{**one.to_json(), "correlation_with_main": correlations.get(one.wager)} for one in bets],
    }
