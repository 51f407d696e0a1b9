"""The one name of every wager and of every line of its pays, on pages, screens and sheets."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from cardroom.core.ids import line_words, titled

if TYPE_CHECKING:
    from cardroom.rules import HouseRules


def wager_title(wager: str, rules: HouseRules | None = None) -> str:
    """A wager's id as the layout prints it: a side bet has a title of its own, by the rules or the shelf.

    >>> wager_title("all-the-way"), wager_title("match-the-dealer"), wager_title("monster-match-5")
    ('All the Way', 'Match the Dealer', 'Monster Match $5')
    """
    from cardroom.rules.bets import shelf_bet, shelf_names  # only now: the command line starts at once

    own = getattr(rules, "side_bets", {}).get(wager)
    if own is not None:
        return str(own.title)
    return shelf_bet(wager).bet.title if wager in shelf_names() else titled(wager)


_PLAIN: Final = {"primary": "Your hand", "any-prize": "A ticket"}


def plain_title(wager: str, rules: HouseRules | None = None) -> str:
    """A wager for somebody who has not read the rules yet.

    >>> plain_title("primary"), plain_title("match-up")
    ('Your hand', 'Match Up')
    """
    return _PLAIN.get(wager) or wager_title(wager, rules)


def line_title(line: str) -> str:
    """A line of a paytable, of a side bet or a bonus, as the layout prints it.

    >>> line_title("suited_match"), line_title("lose")
    ('suited match', 'lose')
    """
    return line_words(line)


def paid_words(outcome: str, pays: str) -> str:
    """A result of a wager with what it brings or costs for each unit.

    >>> paid_words("one_suited", "9:1"), paid_words("push", "0"), paid_words("lose", "-45/2")
    ('one suited 9 to 1', 'push', 'lose 22.5')
    """
    if pays == "0":
        return line_title(outcome)
    amount = f"{float(Fraction(pays[1:])):g}" if pays.startswith("-") else pays.replace(":", " to ")
    return f"{line_title(outcome)} {amount}"


SUPER_BONUS_PLAYER: Final = "for a player who always plays for it and hits whatever may win it"
"""What the exact figures of the Super Bonus suppose, whatever the strategy of the primary wager."""

_STRATEGIES: Final = {
    "composition": "by the composition strategy, the best for each composition of the hand",
    "basic": "by the basic strategy, the best that looks at the total and the dealer's card",
}


def strategy_words(name: str) -> str:
    """By which strategy a figure is.

    >>> strategy_words("mine.csv")
    'by the strategy mine.csv'
    """
    return _STRATEGIES.get(name, f"by the strategy {name}")
