"""The one name of every wager, on pages, screens and sheets."""

from __future__ import annotations

from typing import Final

_SMALL_WORDS: Final = ("the",)


def wager_title(wager: str) -> str:
    """A wager's id as the layout prints it.

    >>> wager_title("all-the-way"), wager_title("match-the-dealer"), wager_title("monster-match-5")
    ('All the Way', 'Match the Dealer', 'Monster Match $5')
    """
    from cardroom.rules.sidebets import SIDE_BETS  # only then, so that the command line starts at once

    if wager in SIDE_BETS:
        return SIDE_BETS[wager].title
    return " ".join(word if word in _SMALL_WORDS else word.capitalize() for word in wager.split("-"))
