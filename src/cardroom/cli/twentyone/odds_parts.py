"""What `cardroom odds` of the blackjack family prints on demand: parts of the primary wager, the total."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.cli.output import console, plain_table
from cardroom.presentation.numbers import percent, signed

if TYPE_CHECKING:
    from cardroom.core.decks import CardCounts
    from cardroom.exact.twentyone.total import Total
    from cardroom.lab.parts import AnySolution


def print_parts(primary: AnySolution, shoe: CardCounts | None) -> None:
    """The primary wager by the dealer's card, by the first card and by the first two; the dealer's finals."""
    from cardroom.lab.dealer import FINALS, dealer_finals_by_up_card
    from cardroom.lab.parts import first_cards

    for title, some in (
        ("Dealer's card", primary.by_up_card),
        ("First card", first_cards(primary)),
        ("First two cards", primary.by_first_two),
    ):
        right = ("Chance", "Expected value", "Adds")
        table = plain_table(title, *right, right=right)
        for part in some:
            chance, value = float(part.chance), float(part.expected_value)
            adds = percent(chance * value, plus=True)
            table.add_row(part.name, f"{chance:.6f}", signed(value, 6, plus=True), adds)
        console().print()
        console().print(table)
    table = plain_table("Dealer ends in %", *FINALS, right=FINALS)
    for up, finals in dealer_finals_by_up_card(primary.rules, shoe).items():
        table.add_row(up, *(signed(100 * finals.get(final, 0.0), 3) for final in FINALS))
    console().print()
    console().print(table)
    console().print("\nAll first two cards by the dealer's card: --csv FILE, or --parts --json.")


def print_total(total: Total) -> None:
    """The primary wager and the Super Bonus together, by the number of players."""
    from cardroom.presentation.money import dollars
    from cardroom.rules.bets.super_bonus import with_article

    wager = dollars(total.wager_cents)
    console().print(
        f"\nPrimary wager and Super Bonus together, a wager of {wager}, one strategy for both", style="bold"
    )
    for up, hands in total.changed_by_up_card().items():
        listed = ", ".join(f"{hand.cards} (alone: {hand.instead_of.value})" for hand in hands)
        console().print(f"Hit against {with_article(up)} for the Super Bonus: {listed}")
    if not total.chance:
        console().print("The Super Bonus is not worth playing for at this wager.")
    right = ("Players", "Primary", "Super Bonus", "Envy", "House edge")
    table = plain_table(*right, right=right)
    for players in range(1, total.rules.procedure.spots + 1):
        table.add_row(
            str(players),
            percent(total.primary_value, 5, plus=True),
            percent(total.super_bonus_value, 5, plus=True),
            percent(total.envy_value(players), 5, plus=True),
            percent(-total.value(players), 5),
        )
    console().print(table)
