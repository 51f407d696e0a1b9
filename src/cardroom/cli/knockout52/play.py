"""`cardroom play knockout-52`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.options import Changes, Plain, RulesFile, SeedNumber, checked_seed, house_rules_as
from cardroom.cli.per_game import plain_typer
from cardroom.games import KNOCKOUT_52

app = plain_typer()


@app.command()
def play(
    bet: Annotated[
        list[str] | None,
        typer.Option(
            "--bet",
            metavar="WAGER=AMOUNT",
            help='Bet without being asked, such as "1=5 all=1"; may be given again.',
            show_default=False,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            metavar="N",
            help="How many games; 1 with --bet, else until you leave.",
            show_default=False,
        ),
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Deal at once and ask nothing.")] = False,
    pace: Annotated[
        str,
        typer.Option("--pace", metavar="SECONDS", help="Seconds per card, or 'step': a key for each card."),
    ] = "0.25",
    chances: Annotated[bool, typer.Option("--chances", help="Show the live chances from the start.")] = False,
    players: Annotated[
        int, typer.Option("--players", metavar="N", help="Computer players at the table, 0 to 6.")
    ] = 0,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Your name in the record.")] = "Player",
    cut: Annotated[
        str, typer.Option("--cut", metavar="WORDS", help="Words of yours that go into the shuffle.")
    ] = "",
    seed: SeedNumber = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Add every game to a file that 'cardroom verify' checks.",
            show_default=False,
        ),
    ] = None,
    plain: Plain = False,
    changes: Changes = None,
    rules_file: RulesFile = None,
) -> None:
    """Play Knockout 52: bet on the row in which a card meets a space of its own rank."""
    from cardroom.cli.knockout52.bets import computer_players
    from cardroom.cli.knockout52.dealing import Pace
    from cardroom.cli.knockout52.session import Session, Settings
    from cardroom.rules.knockout52 import Knockout52Rules

    rules = house_rules_as(Knockout52Rules, KNOCKOUT_52.id, changes, rules_file)
    settings = Settings(
        rules,
        bets=None if bet is None and not auto else " ".join(bet or []),
        games=games,
        pace=Pace() if auto else Pace.parse(pace),
        chances=chances,
        others=computer_players(rules, players),
        name=name,
        cut=cut,
        seed=checked_seed(seed),
        record=record,
        plain=plain,
    )
    raise typer.Exit(Session(settings).run())
