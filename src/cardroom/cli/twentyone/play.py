"""`cardroom play blackjack`, `spanish-21` and `players-edge-21`: one command, three rule books."""

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
    with_sides,
)
from cardroom.cli.output import print_json, silent
from cardroom.cli.per_game import plain_typer
from cardroom.core.errors import MalformedInput

app = plain_typer()

SLOWEST_PACE = 60.0


@app.command()
def play(
    context: typer.Context,
    bet: Annotated[
        str | None,
        typer.Option("--bet", metavar="AMOUNT", help="Bet without being asked.", show_default=False),
    ] = None,
    side: Annotated[
        list[str] | None,
        typer.Option(
            "--side",
            metavar="WAGER=AMOUNT",
            help="A side wager with every bet, such as match=2; one of the shelf is put on the table.",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(
            "--rounds",
            metavar="N",
            help="How many rounds; 1 with --bet or --auto, else until you leave.",
            show_default=False,
        ),
    ] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Let the computer play for you, too.")] = False,
    players: Annotated[
        int, typer.Option("--players", metavar="N", help="Computer players at the table, 0 to 6.")
    ] = 0,
    spots: Annotated[int, typer.Option("--spots", metavar="N", help="How many spots you play.")] = 1,
    name: Annotated[str, typer.Option("--name", help="Your name in the record.")] = "You",
    chips: Annotated[
        str | None,
        typer.Option(
            "--chips",
            metavar="AMOUNT",
            help="Chips you bring in place of your bankroll.",
            show_default=False,
        ),
    ] = None,
    cut: Annotated[
        str | None,
        typer.Option(
            "--cut",
            metavar="DECKS",
            help="How deep you cut, then words of yours for the shuffle.",
            show_default=False,
        ),
    ] = None,
    shuffle: Annotated[
        str, typer.Option("--shuffle", metavar="MODE", help="fair, or procedure: by hand, for study.")
    ] = "fair",
    pace: Annotated[float, typer.Option("--pace", metavar="SECONDS", help="Seconds per card.")] = 0.3,
    seed: SeedNumber = None,
    record: Annotated[
        Path | None,
        typer.Option(
            "--record",
            metavar="FILE",
            help="Add every shoe to a file that 'cardroom verify' checks.",
            show_default=False,
        ),
    ] = None,
    coach: Annotated[
        bool, typer.Option("--coach", help="Advice at every decision, and what each choice cost.")
    ] = False,
    warn: Annotated[
        str | None,
        typer.Option(
            "--warn",
            metavar="AMOUNT",
            help="Ask before a choice that costs more than this on average, such as 0.10.",
            show_default=False,
        ),
    ] = None,
    full_screen: FullScreen = True,
    plain: Plain = False,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Play at a table: you, computer players, a committed shoe, side bets and every option of the house."""
    from cardroom.cli.faces import bankroll_for, can_fill_the_screen, wishes_plain
    from cardroom.cli.twentyone.bets import read_sides
    from cardroom.cli.twentyone.computer import computer_players
    from cardroom.cli.twentyone.cut import Cut
    from cardroom.cli.twentyone.session import Settings
    from cardroom.core.money import parse_cents
    from cardroom.rules.twentyone import TwentyOneRules

    if shuffle not in ("fair", "procedure"):
        raise MalformedInput(f"--shuffle {shuffle} is not allowed; allowed: fair, procedure")
    if not 0 <= pace <= SLOWEST_PACE:
        raise MalformedInput(f"--pace {pace:g} is not allowed; allowed: seconds per card, 0 to 60")
    if bet is not None and not bet.strip():
        raise MalformedInput("--bet names no wager; a bet is an amount, such as --bet 4.00")
    asks = bet is None and not auto
    if asks and as_json:
        raise MalformedInput("--json goes with --bet or --auto: nothing is asked or shown, only the result")
    on_table, side_wagers = read_sides(side or [])
    if asks and side_wagers:
        raise MalformedInput("--side goes with --bet or --auto; without them you are asked for your bets")
    settings = Settings(
        house_rules_as(TwentyOneRules, context.info_name or "", with_sides(changes, on_table), rules_file),
        bets=None if asks else " ".join([*([bet] if bet else []), *side_wagers]),
        auto=auto,
        rounds=rounds,
        seconds=0.0 if auto or as_json else pace,
        others=computer_players(players),
        spots=spots,
        name=name,
        cut=None if cut is None else Cut.parse(cut),
        procedure=shuffle == "procedure",
        chips_cents=None if chips is None else parse_cents(chips),
        seed=checked_seed(seed),
        record=record,
        plain=wishes_plain(plain=plain),
        coach=coach,
        ask_above_cents=None if warn is None else parse_cents(warn),
        bankroll=bankroll_for(asks and seed is None and chips is None and shuffle == "fair"),
    )
    if asks and full_screen and can_fill_the_screen(plain=settings.plain):
        from cardroom.cli.twentyone import full_screen as app

        raise typer.Exit(app.run(settings))
    from cardroom.cli.twentyone.lines import Lines

    if as_json:
        with silent() as nowhere:
            lines = Lines(settings, nowhere)
            code = lines.run()
        print_json(lines.session.to_json())
        raise typer.Exit(code)
    raise typer.Exit(Lines(settings).run())
