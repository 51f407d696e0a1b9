"""`cardroom protect --log DATABASE`: does anybody's wager, or play, at a real table go with the count?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.archive import require_database
from cardroom.cli.options import Json
from cardroom.cli.output import console, plain_table, print_json, working
from cardroom.core.errors import MalformedInput

if TYPE_CHECKING:
    from cardroom.lab.counting_signs import TableRound
    from cardroom.store.database import Database

Log = Annotated[
    str | None,
    typer.Option(
        "--log",
        metavar="DATABASE",
        help="Rounds of a real table, sqlite:///FILE or postgresql://…: whose wagers go with the count.",
        show_default=False,
    ),
]


def protect(context: typer.Context, log: Log = None, as_json: Json = False) -> None:
    """What watching the cards is worth; with --log, signs of it in the rounds of a real table."""
    if context.invoked_subcommand is not None:
        if log is not None:
            raise MalformedInput("--log reads the rounds of all games; leave the game out")
        return
    if log is None:
        raise MalformedInput("name a game, or the rounds of a table with --log DATABASE")
    show_signs(log, as_json=as_json)


def show_signs(url: str, *, as_json: bool) -> None:
    """Read the finished rounds of a database and print what they say of each player."""
    from cardroom.lab.counting_signs import counting_signs
    from cardroom.lab.player_signs import HINT_ERRORS, LEAST_ROUNDS, LEAST_SHOES
    from cardroom.lottery.clock import SystemClock
    from cardroom.store.migrate import open_database

    require_database(url)
    with working("reading the rounds"), open_database(url, SystemClock()) as opened:
        players = counting_signs(rounds_of(opened))
    if as_json:
        print_json({"count": "hi-lo", "players": [one.to_json() for one in players]})
        return
    out = console()
    if not players:
        out.print("No round of the blackjack family is over in this log.")
        return
    right = ("Rounds", "Shoes", "Wager with count")
    table = plain_table("Player", *right, "Hint", right=right, prose=("Hint",))
    for one in players:
        table.add_row(one.name, str(one.rounds), str(one.shoes), one.wager_words, one.words)
    out.print(table)
    for one in players:
        if one.details:
            out.print(f"\n{one.name}", style="bold")
        for sentence in one.details:
            out.print(f"  {sentence}")
    out.print(
        f"\nCorrelations with the Hi-Lo true count (of a side bet: with its value from the cards left), "
        f"± their error, from {LEAST_ROUNDS} rounds and {LEAST_SHOES} shoes on; a hint where one is "
        f"{HINT_ERRORS} errors above nothing. Play and insurance: by the Illustrious indices; a hint where "
        f"they are followed more often, by {HINT_ERRORS} errors, where the count asks for it than elsewhere. "
        "A hint is no verdict."
    )


def rounds_of(database: Database) -> Iterator[TableRound]:
    """The finished rounds of the blackjack family, in their order."""
    from cardroom.lab.counting_signs import TableRound
    from cardroom.records.tables import TwentyOneRoundEnded
    from cardroom.rules.twentyone import TwentyOneRules
    from cardroom.store.rules import RulesBook
    from cardroom.store.unit import read_log

    book = RulesBook(database)
    with database.read() as connection:
        for logged in read_log(connection, kinds=[TwentyOneRoundEnded.__name__]):
            record, _ = logged.read()
            assert isinstance(record, TwentyOneRoundEnded)
            yield TableRound(
                record.table,
                record.shoe,
                record.notation,
                book.find(TwentyOneRules, record.rules_hash),
                record.players,
                frozenset(record.by_clock),
            )
