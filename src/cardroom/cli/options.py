"""Options that several commands share, declared once, and how their values are read."""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, TypeVar, overload

import typer

from cardroom.core.errors import MalformedInput
from cardroom.games import GAMES

if TYPE_CHECKING:
    from cardroom.rules import HouseRules

    Rules = TypeVar("Rules", bound=HouseRules)

Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help=f"One of {', '.join(GAMES)}.",
        autocompletion=lambda: list(GAMES),
        show_default=False,
    ),
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="Change a house option; may be given again.", show_default=False
    ),
]
Sides = Annotated[
    list[str] | None,
    typer.Option(
        "--side",
        metavar="NAME",
        help="Put a side bet of the shelf on the table ('cardroom bets'); may be given again.",
        show_default=False,
    ),
]
RulesFile = Annotated[
    Path | None,
    typer.Option(
        "--rules",
        metavar="FILE",
        help="Take the house rules from a TOML file, or a known variant of the game by its name.",
        show_default=False,
    ),
]
Plain = Annotated[
    bool,
    typer.Option("--plain", help="Lines in place of a picture that changes; also what dumb terminals get."),
]
FullScreen = Annotated[
    bool,
    typer.Option(
        "--app/--no-app", help="The whole screen where the terminal can carry it and you bet by hand."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
SeedNumber = Annotated[
    int | None,
    typer.Option(
        "--seed", metavar="N", help="A number that makes the result repeatable.", show_default=False
    ),
]

Rounds = Annotated[str, typer.Option("--rounds", metavar="N", help="How many rounds to play, such as 1e9.")]
SimulationSeed = Annotated[int, typer.Option("--seed", metavar="N", help="The same seed, the same result.")]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", help="Threads that play; all cores unless told.", show_default=False
    ),
]

LARGEST_SEED: Final = 2**64 - 1


def with_sides(changes: list[str] | None, sides: list[str] | None) -> list[str]:
    """The changes of `--set`, after those that put side bets of the shelf on the table."""
    from cardroom.rules.bets import shelf_bet

    return [*(f"side_bets.{shelf_bet(name).name}.offered=true" for name in sides or []), *(changes or [])]


def house_rules(game: str, changes: list[str] | None, file: Path | None) -> HouseRules:
    """The rules in force: the game's own or the file's, with the changes made to them."""
    from cardroom.rules import known_game, load_rules, parse_changes
    from cardroom.rules.variants import variant_names

    known = known_game(game)
    named = file is not None and str(file) in variant_names() and not file.exists()
    rules = load_rules(str(file) if named else file or known, parse_changes(changes or []))
    if rules.game != known:
        where = file or "--set game"
        raise MalformedInput(f"{where} holds rules of {rules.game}, not of {known}")
    return rules


def house_rules_as(model: type[Rules], game: str, changes: list[str] | None, file: Path | None) -> Rules:
    """`house_rules` for a command of one family of games."""
    rules = house_rules(game, changes, file)
    assert isinstance(rules, model)
    return rules


def whole_number(text: str, option: str, *, least: int, most: int) -> int:
    """Read a count that may be written `1e8`, `1_000_000` or `1,000,000`."""
    refused = MalformedInput(
        f"{option} {text} is not allowed; allowed: a whole number, {least} to {most:.0e}"
    )
    try:
        number = Decimal(text.replace(",", "").replace("_", ""))
    except InvalidOperation:
        raise refused from None
    if not number.is_finite() or not least <= number <= most or number != math.floor(number):
        raise refused
    return int(number)


@overload
def checked_seed(seed: int) -> int: ...
@overload
def checked_seed(seed: int | None) -> int | None: ...
def checked_seed(seed: int | None) -> int | None:
    """A seed within 64 bits."""
    if seed is not None and not 0 <= seed <= LARGEST_SEED:
        raise MalformedInput(f"--seed {seed} is not allowed; allowed: 0 to {LARGEST_SEED}")
    return seed
