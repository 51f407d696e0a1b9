"""The one name of every wager, on pages, screens and sheets."""

from __future__ import annotations

from cardroom.core.ids import titled


def wager_title(wager: str) -> str:
    """A wager's id as the layout prints it: a side bet has a title of its own.

    >>> wager_title("all-the-way"), wager_title("match-the-dealer"), wager_title("monster-match-5")
    ('All the Way', 'Match the Dealer', 'Monster Match $5')
    """
    from cardroom.rules.sidebets import SIDE_BETS  # only now, so that the command line starts at once

    return SIDE_BETS[wager].title if wager in SIDE_BETS else titled(wager)
