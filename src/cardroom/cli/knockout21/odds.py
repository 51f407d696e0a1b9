"""`cardroom odds knockout-21`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cardroom.cli.options import Changes, Json, RulesFile, house_rules_as, whole_number
from cardroom.cli.output import console, plain_table, print_heading, print_json
from cardroom.cli.per_game import plain_typer
from cardroom.cli.wagers import Wager, print_sizes
from cardroom.games import KNOCKOUT_21
from cardroom.presentation import wager_title
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import bound, counted, one_in, percent, round_percent, signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from cardroom.exact.knockout21.draw_figures import Picture
    from cardroom.exact.knockout21.figures import PrizeFigures
    from cardroom.exact.knockout21.waiting import Waiting
    from cardroom.rules.knockout21 import Knockout21Rules

app = plain_typer()

Tickets = Annotated[
    str | None,
    typer.Option(
        "--tickets",
        metavar="N",
        help="With N tickets in the draw, Lucky Losers and pool limits included.",
        show_default=False,
    ),
]
WithWaiting = Annotated[
    bool, typer.Option("--waiting", help="What waiting for good first cards of Game 2 is worth.")
]


@app.command()
def odds(
    tickets: Tickets = None,
    waiting: WithWaiting = False,
    wager: Wager = None,
    changes: Changes = None,
    rules_file: RulesFile = None,
    as_json: Json = False,
) -> None:
    """Exact figures of a Knockout 21 ticket, among many or in a draw of N."""
    from cardroom.core.errors import MalformedInput
    from cardroom.exact.knockout21 import figures
    from cardroom.lab.wager_sizes import read_wager
    from cardroom.rules.knockout21 import Knockout21Rules

    rules = house_rules_as(Knockout21Rules, KNOCKOUT_21.id, changes, rules_file)
    read_wager(wager, rules)
    if tickets is None:
        if waiting:
            raise MalformedInput("--waiting needs --tickets N: what it is worth depends on their number")
        _print(rules, figures.odds(rules), None, None, as_json=as_json)
        return
    from cardroom.exact.knockout21.chain import MOST_TICKETS
    from cardroom.exact.knockout21.draw_figures import picture
    from cardroom.exact.knockout21.waiting import waiting as worth_of_waiting

    number = whole_number(tickets, "--tickets", least=1, most=MOST_TICKETS)
    whole = picture(rules, tickets=number)
    worth = worth_of_waiting(rules, tickets=number) if waiting else None
    _print(rules, figures.odds_of(rules, whole), whole, worth, as_json=as_json)


def _print(
    rules: Knockout21Rules,
    figures: Sequence[PrizeFigures],
    whole: Picture | None,
    worth: Waiting | None,
    *,
    as_json: bool,
) -> None:
    from cardroom.lab.sizes_knockouts import knockout_21_by_size

    readings = _readings(rules)
    if as_json:
        result: dict[str, Any] = {
            "game": rules.game,
            "rules_hash": rules.rules_hash,
            "rules": json.loads(rules.canonical_text()),
            "wagers": [wager.to_json() for wager in figures],
            "game_1_readings": readings,
            "size": knockout_21_by_size(rules).to_json(),
        }
        if whole is not None:
            result |= {"tickets": whole.tickets, "return_to_player": whole.return_to_player}
            result["draw"] = whole.to_json()
        if worth is not None:
            result["waiting"] = worth.to_json()
        print_json(result)
        return
    print_heading(rules)
    out = console()
    out.print(f"{counted(whole.tickets, 'ticket') if whole else 'many tickets'} in the draw, by the charts\n")
    right = ("Wins", "1 in", "Returns")
    table = plain_table("Wager", "Prize", *right, "Method", right=right)
    for wager in figures:
        returned = wager.expected_return
        table.add_row(
            wager_title(wager.wager),
            _prize_text(rules, wager),
            percent(float(wager.hit_frequency)),
            one_in(wager.hit_frequency),
            "" if returned is None else percent(float(returned), 3),
            wager.method,
        )
    out.print(table)
    if whole is not None:
        _print_draw(whole)
    if worth is not None:
        _print_waiting(worth)
    out.print("\nTwo readings of Game 1 (KO21-5.1), among many:")
    for name, reading in readings.items():
        here = "  (in force)" if name == rules.game_1_hit else ""
        out.print(
            f"  {name}: Game 1 1 in {one_in(1 / reading['game_1_one_in'])}, "
            f"any prize 1 in {one_in(1 / reading['any_prize_one_in'])}{here}"
        )
        without = reading["without_lucky_losers"]
        if without["game_1_one_in"] != reading["game_1_one_in"]:
            out.print(
                "    A dealer's two-card 21 beats every ticket then, and all are Lucky\n"
                f"    Losers (KO21-4.4); without them 1 in {one_in(1 / without['game_1_one_in'])} and 1 in "
                f"{one_in(1 / without['any_prize_one_in'])}"
            )
    print_sizes(knockout_21_by_size(rules), rules)


def _prize_text(rules: Knockout21Rules, wager: PrizeFigures) -> str:
    price = rules.ticket_price_cents
    least, most = (dollars(float(prize * price)) for prize in wager.prize_range)
    return least if least == most else f"{least} – {most}"


def _readings(rules: Knockout21Rules) -> dict[str, dict[str, Any]]:
    from typing import get_args

    from cardroom.exact.knockout21.chances import chances, chances_without_lucky_losers
    from cardroom.rules.knockout21 import Game1Hit

    result = {}
    for reading in get_args(Game1Hit):
        read = rules.model_copy(update={"game_1_hit": reading})
        result[reading] = {
            **_one_in(chances(read)),
            "without_lucky_losers": _one_in(chances_without_lucky_losers(read)),
        }
    return result


def _one_in(chance: Mapping[str, Fraction]) -> dict[str, Any]:
    return {
        "game_1_one_in": float(1 / chance["game-1"]),
        "any_prize_one_in": float(1 / chance["any-prize"]),
    }


def _print_draw(whole: Picture) -> None:
    out = console()
    right = ("Winners", "Prize", "Least binds", "Greatest binds", "Lucky Losers")
    table = plain_table("Game", *right, right=right)
    for game in whole.games:
        table.add_row(
            wager_title(f"game-{game.game}"),
            signed(game.expected_winners, 3),
            dollars(game.expected_prize_cents),
            percent(game.least_share_binds, 2),
            percent(game.greatest_share_binds, 2),
            percent(game.lucky_losers, 2),
        )
    out.print("\nOn average in a draw:")
    out.print(table)
    liability = whole.liability
    out.print(f"\nReturn to player {percent(whole.return_to_player, 3)}")
    out.print(
        f"House keeps {dollars(whole.house_cents)} of sales of {dollars(whole.sales_cents)} "
        f"± {dollars(liability.standard_deviation_cents)}; "
        f"it loses in {percent(liability.chance_above(whole.sales_cents), 2)} of draws"
    )
    out.print(
        f"Pools leave over {dollars(whole.pools_left_cents)} and are short of "
        f"{dollars(whole.pools_added_cents)} for the least shares"
    )
    quantiles = ", ".join(
        f"{round_percent(share)} {dollars(liability.quantile_cents(share))}"
        for share in (0.5, 0.9, 0.99, 0.999)
    )
    out.print(f"Paid at most: {quantiles}, always {dollars(liability.most_cents)}")
    if whole.error:
        out.print(f"Chances of winners are off by {bound(whole.error)} at most")


def _print_waiting(worth: Waiting) -> None:
    best, worst = worth.first_cards(best=True), worth.first_cards(best=False)
    console().print(
        f"\nWaiting for Game 2's first cards: every draw returns {percent(worth.blind_return, 2)}, the best "
        f"tenth {percent(worth.return_of_best(0.1), 2)}, {best[0]} {percent(best[1], 2)}, "
        f"{worst[0]} {percent(worst[1], 2)}"
    )
