"""What is said of a Knockout 21 draw while it is shown, on the wall and on a player's phone."""

from __future__ import annotations

from cardroom.presentation.money import chips
from cardroom.presentation.numbers import counted


def started_sentence(draw: int, tickets: int) -> str:
    """The draw begins.

    >>> started_sentence(107, 1204)
    'Draw 107 begins with 1,204 tickets.'
    """
    return f"Draw {draw} begins with {counted(tickets, 'ticket')}."


def hand_sentence(game: int, *, total: int, bust: bool, staying: int) -> str:
    """What a hand did to those in it.

    >>> hand_sentence(2, total=18, bust=False, staying=226)
    'The dealer has 18. 226 tickets stay in Game 2.'
    >>> hand_sentence(2, total=24, bust=True, staying=1)
    'The dealer busts. 1 ticket stays in Game 2.'
    """
    dealer = "The dealer busts." if bust else f"The dealer has {total}."
    return f"{dealer} {counted(staying, 'ticket')} {_verb(staying, 'stay')} in Game {game}."


def lucky_sentence(game: int, *, staying: int, wins: bool) -> str:
    """Nobody beat or tied the dealer, and everybody who was in is deemed to have won (KO21-4.4).

    >>> lucky_sentence(1, staying=18, wins=False)
    'Nobody beat or tied the dealer: 18 Lucky Losers stay in Game 1.'
    >>> lucky_sentence(3, staying=1, wins=True)
    'Nobody beat or tied the dealer: 1 Lucky Loser wins Game 3.'
    """
    end = f"{_verb(staying, 'win')} Game {game}" if wins else f"{_verb(staying, 'stay')} in Game {game}"
    return f"Nobody beat or tied the dealer: {counted(staying, 'Lucky Loser')} {end}."


def game_sentence(game: int, *, winners: int, prize_cents: int) -> str:
    """How a game ended.

    >>> game_sentence(1, winners=118, prize_cents=1000)
    'Game 1: 118 winners, $10 each.'
    >>> game_sentence(3, winners=1, prize_cents=12345), game_sentence(3, winners=0, prize_cents=0)
    ('Game 3: 1 winner, $123.45.', 'Game 3: nobody won.')
    """
    if not winners:
        return f"Game {game}: nobody won."
    each = " each" if winners > 1 else ""
    return f"Game {game}: {counted(winners, 'winner')}, {chips(prize_cents)}{each}."


def settled_sentence(draw: int) -> str:
    """The draw is over."""
    return f"Draw {draw} is over. Check your ticket."


def sales_sentence(*, open_until: str | None, opens: str | None, switched_off: bool) -> str:
    """Whether tickets are sold at this hour; times are those of the house's clock.

    >>> sales_sentence(open_until="23:00", opens=None, switched_off=False)
    'Tickets are sold until 23:00 Pacific time.'
    >>> sales_sentence(open_until=None, opens="06:00", switched_off=False)
    'Sales are closed. They open at 06:00 Pacific time.'
    """
    if switched_off:
        return "The house does not sell tickets now."
    if opens is not None:
        return f"Sales are closed. They open at {opens} Pacific time."
    if open_until is None:
        return "No draw is on sale now."
    return f"Tickets are sold until {open_until} Pacific time."


def closed_words(opens: str | None) -> str:
    """What stands on the button while nothing can be bought.

    >>> closed_words("06:00"), closed_words(None)
    ('Sales open at 06:00', 'Nothing is on sale now')
    """
    return "Nothing is on sale now" if opens is None else f"Sales open at {opens}"


def _verb(number: int, word: str) -> str:
    return f"{word}s" if number == 1 else word
