"""The one name of every wager and of every line of its pays, on pages, screens and sheets."""

from __future__ import annotations

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
