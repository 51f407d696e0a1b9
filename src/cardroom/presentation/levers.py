"""How the lab speaks of house options that it moves, and of cards that are tapped."""

from __future__ import annotations

from cardroom.core.cards import Rank
from cardroom.core.decks import CardCounts
from cardroom.games import Lever


def lever_words(lever: Lever) -> str:
    """Whom an option favours, in a sentence.

    >>> lever_words(Lever("decks", (1, 2, 8), "house"))
    'from 1 to 8 favours the house'
    >>> lever_words(Lever("split.resplit_aces", (False, True), "player"))
    'from no to yes favours the player'
    """
    return f"from {_value(lever.values[0])} to {_value(lever.values[-1])} favours the {lever.favours}"


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def ranks_to_tap(shoe: CardCounts) -> list[str]:
    """The ranks of a shoe as they are tapped: all ten-valued cards are one, T.

    >>> ranks_to_tap(CardCounts.of_decks("spanish", 1))
    ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T']
    """
    ranks = [rank for rank in Rank if shoe.of_rank(rank)]
    letters = ["T" if rank >= Rank.TEN else rank.letter for rank in ranks]
    return list(dict.fromkeys(letters))
