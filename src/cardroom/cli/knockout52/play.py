"""`cardroom play knockout-52`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cardroom.cli.options import (
    Changes,
    FullScreen,
    Json,
    Plain,
    RulesFile,
    SeedNumber,
    checked_seed,
    house_rules_as,
)
from cardroom.cli.output import print_json, silent
from cardroom.cli.per_game import plain_typer
from cardroom.core.errors import MalformedInput
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
    full_screen: FullScreen = True,
    plain: Plain = False,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Play Knockout 52: bet on the row in which a card meets a space of its own rank."""
    from cardroom.cli.faces import bankroll_for, can_fill_the_screen, wishes_plain
    from cardroom.cli.knockout52.bets import computer_players
    from cardroom.cli.knockout52.pace import Pace
    from cardroom.cli.knockout52.session import Settings
    from cardroom.rules.knockout52 import Knockout52Rules

    rules = house_rules_as(Knockout52Rules, KNOCKOUT_52.id, changes, rules_file)
    asks = bet is None and not auto
    if asks and as_json:
        raise MalformedInput("--json goes with --bet or --auto: nothing is asked or shown, only the result")
    settings = Settings(
        rules,
        bets=None if asks else " ".join(bet or []),
        games=games,
        pace=Pace() if auto or as_json else Pace.parse(pace),
        chances=chances,
        others=computer_players(rules, players),
        name=name,
        cut=cut,
        seed=checked_seed(seed),
        record=record,
        plain=wishes_plain(plain=plain),
        bankroll=bankroll_for(asks and seed is None),
    )
    if asks and full_screen and can_fill_the_screen(plain=settings.plain):
        from cardroom.cli.knockout52 import full_screen as app

        raise typer.Exit(app.run(settings))
    from cardroom.cli.knockout52.lines import Lines

    if as_json:
        with silent() as nowhere:
            lines = Lines(settings, nowhere)
            code = lines.run()
        print_json(lines.session.to_json())
        raise typer.Exit(code)
    raise typer.Exit(Lines(settings).run())
