"""All commands under one name; a command's heavy libraries are imported when it runs, not here."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from cardroom import __version__
from cardroom.cli import (
    archive,
    audit,
    backup,
    bets,
    compare,
    design,
    fair,
    games,
    log,
    operators,
    par,
    protect_log,
    repair,
    rules,
    schema,
    serve,
)
from cardroom.cli.lottery.app import app as lottery
from cardroom.cli.per_game import per_game, plain_typer
from cardroom.cli.verify import command as verify

SECTIONS: Final[dict[str, tuple[str, ...]]] = {
    "To play": ("games", "rules", "bets", "play"),
    "To compute and prove": (
        "odds",
        "strategy",
        "hand",
        "simulate",
        "protect",
        "design",
        "compare",
        "par",
        "audit",
    ),
    "To use it in programs": ("schema",),
    "To run a house": ("serve", "lottery", "operators", "backup", "restore", "archive", "repair", "log"),
    "To check a house": ("verify", "fair"),
}
"""The commands by who uses them."""


class _BySection(TyperGroup):
    """The help lists commands by who uses them."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        widest = max(map(len, self.commands))
        for section, names in SECTIONS.items():
            rows = [
                (name.ljust(widest), self.commands[name].get_short_help_str(formatter.width - widest - 6))
                for name in names
            ]
            with formatter.section(section):
                formatter.write_dl(rows)


app = plain_typer(
    cls=_BySection,
    name="cardroom",
    help="Casino card games run, played, solved and proved from their written house rules.",
    add_completion=True,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cardroom {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    """The options before any command."""


# One line per command. Those that differ from game to game find the module of each in the registry.
app.command("games")(games.games)
app.command("rules")(rules.rules)
app.command("bets")(bets.bets)
app.add_typer(per_game("play", "Play a game in the terminal."))
app.add_typer(per_game("odds", "Exact figures of every wager of a game."))
app.add_typer(per_game("simulate", "Play a game many millions of times, with confidence intervals."))
app.add_typer(per_game("strategy", "The best strategy of a game as a chart."))
app.add_typer(per_game("hand", "The expected value of every action on one hand."))
protecting = per_game("protect", "What watching the cards is worth: effects of removal, counts.")
protecting.callback(invoke_without_command=True)(protect_log.protect)
app.add_typer(protecting)
app.command("design")(design.design)
app.command("compare")(compare.compare)
app.command("par")(par.par)
app.command("audit")(audit.audit)
app.command("schema")(schema.schema)
app.command("serve")(serve.serve)
app.command("archive")(archive.archive)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("repair")(repair.repair)
app.command("log")(log.log)
app.command("verify")(verify.verify)
app.add_typer(fair.app, name="fair")
app.add_typer(lottery, name="lottery")
app.add_typer(operators.app, name="operators")


@cache
def command() -> Any:
    """The whole command line as one object to run; made once, for a program that runs many commands."""
    return typer.main.get_command(app)
