"""`cardroom protect GAME --known` and `--perfect`: what a known card is worth, the bound of every count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardroom.cli.options import checked_seed
from cardroom.cli.output import console, plain_table, print_heading, print_json, working
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import percent, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardroom.rules.twentyone import TwentyOneRules

DECKS_CUT_OFF: Final = (1.0, 1.5, 2.0, 2.5)


def show_known(rules: TwentyOneRules, *, as_json: bool) -> None:
    """The worth of a card that is known before the wager."""
    from cardroom.protect.known import hole_card_for_insurance, knowledge_of

    with working(f"solving {rules.title}"):
        found = knowledge_of(rules)
    tell = None
    if rules.insurance.offered and rules.decks != "infinite":
        tell = hole_card_for_insurance(rules)
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "method": "exact",
                "known": [one.to_json() for one in found],
                "ten_under_an_ace_per_100_rounds": None if tell is None else 100 * float(tell),
            }
        )
        return
    print_heading(rules)
    out = console()
    for one in found:
        out.print(f"The {one.what} known before the wager", style="bold")
        right = ("Chance", "A unit is worth")
        table = plain_table("Card", *right, right=right)
        for card in one.cards:
            table.add_row(card.name, percent(card.chance, 2), percent(card.expected_value, 3, plus=True))
        out.print(table)
        out.print(
            f"Wagering only where that pays, in {percent(one.share_wagered, 1)} of the rounds: "
            f"{signed(100 * one.worth, 3, plus=True)} units for 100 rounds seen.\n"
        )
    if tell is not None:
        out.print(
            "To know whether a ten lies under an ace, used for insurance alone: "
            f"{signed(100 * float(tell), 3, plus=True)} units for 100 rounds of one unit."
        )


def show_perfect(rules: TwentyOneRules, only: Sequence[str], shoes: int, seed: int, *, as_json: bool) -> None:
    """The bound of every count, wager by wager and cut by cut."""
    from cardroom.core.errors import MalformedInput
    from cardroom.protect.effects import PRIMARY
    from cardroom.protect.perfect import perfect_play

    if rules.decks == "infinite":
        raise MalformedInput("infinitely many decks are never dealt down; set decks to 1 … 8")
    total = rules.shoe().total
    per_deck = total // rules.decks
    cuts = [round(decks * per_deck) for decks in DECKS_CUT_OFF if decks < rules.decks] or [per_deck // 2]
    wagers = list(only) or [PRIMARY, *rules.offered_side_bets]
    rows = []
    for wager in wagers:
        with working(f"valuing {shoes} shoes: {wager}"):
            rows.append(perfect_play(rules, wager, cuts, shoes=shoes, seed=checked_seed(seed)))
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "method": "exact values of shoes drawn at random",
                "seed": seed,
                "wagers": [one.to_json() for row in rows for one in row],
            }
        )
        return
    print_heading(rules)
    out = console()
    out.print("The most that any count could win: units for 100 rounds seen (error)", style="bold")
    heads = [f"{cut / per_deck:g} decks cut off" for cut in cuts]
    table = plain_table("Wager", *heads, right=tuple(heads))
    for wager, row in zip(wagers, rows, strict=True):
        cells = [f"{signed(100 * one.win, 2)} ({signed(100 * one.standard_error, 2)})" for one in row]
        table.add_row(wager_title(wager), *cells)
    out.print(table)
    out.print(
        f"{shoes} shoes drawn at depths up to the deepest cut; the wager is made where its value is above 0."
    )
