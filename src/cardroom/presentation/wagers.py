"""The one name of every wager and of every line of its pays, on pages, screens and sheets."""

from __future__ import annotations

from typing import Final

from cardroom.core.ids import line_words, titled


def wager_title(wager: str) -> str:
    """A wager's id as the layout prints it: a side bet has a title of its own.

    >>> wager_title("all-the-way"), wager_title("match-the-dealer"), wager_title("monster-match-5")
    ('All the Way', 'Match the Dealer', 'Monster Match $5')
    """
    from cardroom.rules.bets import shelf_bet, shelf_names  # only now: the command line starts at once

    return shelf_bet(wager).bet.title if wager in shelf_names() else titled(wager)


def line_title(line: str) -> str:
    """A line of a paytable, of a side bet or a bonus, as the layout prints it.

    >>> line_title("suited_match"), line_title("lose")
    ('suited match', 'lose')
    """
    return line_words(line)


SUPER_BONUS_PLAYER: Final = "for a player who always plays for it and hits suited sevens"
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
