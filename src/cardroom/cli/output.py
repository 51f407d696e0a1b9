"""How results are shown: JSON for programs, tables of at most 80 columns for people."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardroom.cli.ascii import is_utf8
from cardroom.presentation import wager_title
from cardroom.presentation.changes import change_lines
from cardroom.presentation.numbers import bound, counted, in_percent, one_in, percent, signed
from cardroom.presentation.wagers import strategy_words

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
    from rich.table import Table
    from rich.text import Text

    from cardroom.core.decks import CardCounts
    from cardroom.exact.figures import WagerFigures
    from cardroom.rules import HouseRules


_WIDEST: Final = 10_000
_NARROWEST_PROSE: Final = 32
"""Sentences in a narrower column are hard to read."""
SCHEMA_VERSION: Final = 1
"""The version of all JSON of commands: raised when a field is renamed, removed, or means something else."""


def console(*, stderr: bool = False) -> Console:
    """A console that prints text as it is; colours go when NO_COLOR is set or nobody looks."""
    from rich.console import Console

    class ForCommands(Console):
        """Says that nobody reads any more, in place of an exit of its own."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    out = ForCommands(stderr=stderr, highlight=False, markup=False, emoji=False)
    if out.is_dumb_terminal:  # which would be taken for one of 80 columns
        out.size = shutil.get_terminal_size()
    return out


@contextmanager
def silent() -> Iterator[Console]:
    """A console that nobody sees, for a command whose result alone is wanted."""
    from rich.console import Console

    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        yield Console(file=nowhere)


@contextmanager
def working(on: str) -> Iterator[None]:
    """Tell whoever looks at a terminal what takes a while; the words go when it is done."""
    out = console(stderr=True)
    if out.is_terminal:
        with out.status(f"{on} …", spinner="dots" if is_utf8(sys.stderr) else "line"):
            yield
    else:
        yield


class Steps:
    """How far a work has come; `working_through` shows it, and it says whether somebody interrupted."""

    def __init__(self) -> None:
        self.done = self.of = 0
        self.show: Callable[[int, int], None] = lambda _done, _of: None

    def __call__(self, done: int, of: int) -> None:
        self.done, self.of = done, of
        self.show(done, of)

    @property
    def interrupted(self) -> bool:
        return self.done < self.of


@contextmanager
def working_through(on: str) -> Iterator[Steps]:
    """Like `working`, with a bar for whoever looks at a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    out = console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    steps = Steps()
    with Progress(*columns, console=out, transient=True, disable=not out.is_terminal) as bar:
        task = bar.add_task(on, total=None)
        steps.show = lambda done, of: bar.update(task, completed=done, total=of)
        yield steps


def plain_table(*columns: str, right: Sequence[str] = (), prose: Sequence[str] = ()) -> Table:
    """A table without lines; the columns in `right` hold numbers, those in `prose` sentences, which wrap.

    Where it is wider than the window, every row becomes a few lines: no name and no digit is ever cut off.
    """
    from rich.measure import Measurement
    from rich.table import Table

    class FittingTable(Table):
        def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
            unlimited = options.update(width=_WIDEST)
            needed = Measurement.get(console, unlimited, self).maximum
            for column in self.columns:
                if not column.no_wrap:
                    cells = (Measurement.get(console, unlimited, cell).maximum for cell in column.cells)
                    needed -= max(0, max(cells, default=0) - _NARROWEST_PROSE)
            if needed <= options.max_width:
                yield from super().__rich_console__(console, options)
            else:
                yield from _in_lines(self)

    table = FittingTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", no_wrap=column not in prose)
    return table


def _in_lines(table: Table) -> Iterator[RenderableType]:
    """Every row as a few lines: its first cell, then the others, set in, with the names of their columns."""
    from rich.padding import Padding
    from rich.text import Text

    def text_of(cell: RenderableType) -> Text:
        return cell.copy() if isinstance(cell, Text) else Text(str(cell))

    first, *others = table.columns
    for number, name in enumerate(first.cells):
        style = table.rows[number].style or "bold"
        if number:
            yield Text()
        yield Text.assemble(text_of(name), style=style)
        for column in others:
            cell = text_of(list(column.cells)[number])
            if cell.plain:
                line = Text.assemble((f"{text_of(column.header)} ", "dim"), cell)
                yield Padding(line, (0, 0, 0, 2), expand=False)


def print_json(value: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> None:
    """Print what a command has to say to programs; `cardroom schema` tells its shape."""
    write_json(versioned(value))


def versioned(value: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Any:
    """The same with the version of its shape; a list has it in every item."""
    version = {"schema_version": SCHEMA_VERSION}
    return {**version, **value} if isinstance(value, Mapping) else [{**version, **one} for one in value]


def write_json(value: Any) -> None:
    """Print any JSON on stdout."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=not is_utf8(sys.stdout)) + "\n")


def require_writable(*files: Path | None) -> None:
    """Refuse files that could not be written, before anything is computed or the first of them is written."""
    from cardroom.core.errors import MalformedInput

    named = [file for file in files if file is not None]
    if len({file.absolute() for file in named}) < len(named):
        raise MalformedInput(f"{named[-1]} is named twice; two things cannot be written into one file")
    for file in named:
        folder = file.absolute().parent
        if file.is_dir() or not folder.is_dir():
            raise MalformedInput(f"cannot write {file}: it is a folder, or its folder does not exist")
        if not os.access(file if file.exists() else folder, os.W_OK):
            raise MalformedInput(f"cannot write {file}: no permission")


def write_file(file: Path, content: bytes) -> Path:
    """Write a file that the user named; what stands in the way is said in a line."""
    from cardroom.core.errors import MalformedInput

    try:
        file.write_bytes(content)
    except OSError as error:
        raise MalformedInput(f"cannot write {file}: {error.strerror}") from None
    return file


def print_figures(
    rules: HouseRules,
    figures: Sequence[WagerFigures],
    *,
    as_json: bool,
    shoe: CardCounts | None = None,
    more: Mapping[str, object] | None = None,
) -> None:
    """Print the figures of a game's wagers, in the shape that every game shares; `shoe` if one was given.

    `more` goes into the JSON only.
    """
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "rules": json.loads(rules.canonical_text()),
                **named_shoe(shoe),
                "wagers": [wager.to_json() for wager in figures],
                **(more or {}),
            }
        )
        return
    right = ("Wins", "1 in", "House edge", "Std deviation")
    table = plain_table("Wager", "Pays", *right, "Method", right=right)
    for wager in figures:
        pays = [outcome.pays for outcome in wager.outcomes if outcome.net > 0]
        hits = float(wager.hit_frequency)
        table.add_row(
            wager_title(wager.wager, rules),
            pays[0] if len(pays) == 1 else f"{len(pays)} pays" if pays else "nothing",
            percent(hits),
            one_in(hits),
            in_percent(wager.house_edge_percent),
            signed(wager.standard_deviation, 4),
            wager.method,
        )
    print_heading(rules, shoe)
    console().print()
    console().print(table)
    for note in dict.fromkeys(wager.note for wager in figures if wager.note):
        console().print(f"\n{note}")
    for wager in figures:
        said = [] if wager.strategy is None else [strategy_words(wager.strategy)]
        said += [] if wager.probability_error is None else [error_words(wager.probability_error)]
        if said:
            console().print(f"\n{wager_title(wager.wager, rules)}: {'; '.join(said)}.")


def error_words(error: float) -> str:
    """What the bound of the error of probabilities says, rounded up to one digit."""
    return f"no probability is off by more than {bound(error)}; the edge has no such error"


def print_heading(rules: HouseRules, shoe: CardCounts | None = None) -> None:
    """Print what stands over every table of figures: the game, the rules' hash, the changed options, and
    the shoe if one was given.
    """
    out = console()
    out.print(f"{rules.title}, house rules {rules.rules_hash[:12]}", style="bold")
    for change in change_lines(rules):
        out.print(f"with {change}")
    if shoe is not None:
        out.print(f"from the {counted(shoe.total, 'card')} {shoe}", soft_wrap=True)


def named_shoe(shoe: CardCounts | None) -> dict[str, str]:
    """The shoe that was given as a field of JSON, or nothing."""
    return {} if shoe is None else {"shoe": str(shoe)}


def option_text(value: Any) -> str:
    """An option's value as a rules file has it, without its quotes."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def changed_options(rules: HouseRules) -> dict[str, tuple[Any, Any]]:
    """The options in which rules differ from the game's own: key → (here, default)."""
    from cardroom.rules import load_rules

    return rules.differences(load_rules(rules.game))
