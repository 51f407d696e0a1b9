"""`cardroom protect GAME --known` and `--perfect`: what a known card is worth, the bound of every count."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cardroom.cli.options import checked_seed
from cardroom.cli.output import console, plain_table, print_heading, print_json, working, working_through
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import percent, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardroom.protect.hole_card import HoleCardWorth
    from cardroom.protect.perfect import PerfectPlay
    from cardroom.rules.twentyone import TwentyOneRules

DECKS_CUT_OFF: Final = (1.0, 1.5, 2.0, 2.5)


def show_known(rules: TwentyOneRules, *, as_json: bool) -> None:
    """The worth of a card that is known: before the wager, or the hole card before the play."""
    from cardroom.exact.twentyone import solve
    from cardroom.protect.hole_card import hole_card_known, hole_card_worth
    from cardroom.protect.known import knowledge_of, next_ace

    with working(f"solving {rules.title}"):
        solution = solve(rules)
        knowledge = knowledge_of(solution)
        ace = next_ace(solution)
        hole = None
        if rules.hole_card == "dealt":
            knowledge.append(hole_card_known(rules))
            hole = hole_card_worth(rules, solution)
    if as_json:
        insurance = None if hole is None else hole.insurance_told
        ten_under_an_ace = None if insurance is None else 100 * float(insurance)
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "method": "exact",
                "known": [one.to_json() for one in knowledge],
                "next_ace": ace.to_json(),
                "hole_card": None if hole is None else hole.to_json(),
                "ten_under_an_ace_per_100_rounds": ten_under_an_ace,
            }
        )
        return
    print_heading(rules)
    out = console()
    for one in knowledge:
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
    out.print(
        f"An ace that is known to come next: {percent(ace.on_own_hand, 3, plus=True)} on the player's hand, "
        f"{percent(ace.as_up_card, 3, plus=True)} as the dealer's up card. Where the dealer gets all that "
        f"miss the player's hand, {percent(ace.break_even, 1)} must come to it for nothing lost.\n"
    )
    if hole is None:
        out.print("At this table no hole card is hidden.")
    else:
        _print_hole_card(hole)


def _print_hole_card(hole: HoleCardWorth) -> None:
    out = console()
    out.print("The hole card, a unit wagered in every round", style="bold")
    insurance, insurance_on_ten = float(hole.insurance or 0), float(hole.insurance_told or 0)
    table = plain_table("What is known, and its use", "A unit is worth", right=("A unit is worth",))
    rows = {"nothing": hole.unknown}
    if hole.insurance is not None:
        rows["a ten under an ace, for insurance alone"] = hole.unknown + insurance_on_ten
    rows["whether it is a ten, for insurance and play"] = hole.ten_told + insurance_on_ten
    rows["the card itself, for play alone"] = hole.seen
    rows["the card itself, for insurance and play"] = hole.seen + insurance
    for words, value in rows.items():
        table.add_row(words, percent(value, 3, plus=True))
    out.print(table)


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
    rows: list[list[PerfectPlay]] = []
    interrupted = False
    for wager in wagers:
        try:
            with working_through(f"valuing {wager_title(wager, rules)}") as steps:
                rows.append(
                    perfect_play(rules, wager, cuts, shoes=shoes, seed=checked_seed(seed), progress=steps)
                )
        except KeyboardInterrupt:
            if not rows:
                raise
            interrupted = True
            break
        if steps.interrupted:
            interrupted = True
            break
    if as_json:
        print_json(
            {
                "game": rules.game,
                "rules_hash": rules.rules_hash,
                "method": "exact values before rounds of shoes dealt at random",
                "seed": seed,
                "interrupted": interrupted,
                "wagers": [one.to_json() for row in rows for one in row],
            }
        )
        return
    print_heading(rules)
    out = console()
    if interrupted:
        out.print("Interrupted; these are the shoes that were valued until then.", style="bold")
    out.print(
        "The most that any count could win: units for 100 rounds seen (error), for a shoe", style="bold"
    )
    heads = [f"{cut / per_deck:g} decks cut off" for cut in cuts]
    table = plain_table("Wager", *heads, right=tuple(heads))
    for wager, row in zip(wagers, rows, strict=False):
        table.add_row(
            wager_title(wager, rules),
            *(
                f"{signed(100 * one.win, 2)} ({signed(100 * one.standard_error, 2)}), "
                f"{signed(one.win_per_shoe, 3)}"
                for one in row
            ),
        )
    out.print(table)
    per_shoe = ", ".join(f"{one.rounds_per_shoe:.1f}" for one in rows[0])
    out.print(
        f"One round of each of {rows[0][0].shoes} shoes, dealt as the house deals them, one spot: {per_shoe} "
        "rounds a shoe. The wager is made where its value is above 0."
    )
