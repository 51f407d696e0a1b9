"""How a Knockout 21 ticket stands, and what its holder can do: the words of every list and page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from cardroom.rules.knockout21.law import Choice


class StandingWords(NamedTuple):
    """How a ticket stands, and what can be done now; nothing where there is nothing to do."""

    say: str
    action: str = ""


_STANDINGS: Final[Mapping[str, StandingWords]] = {
    "choosing": StandingWords("in the draw, its choices not final until {until}", "Go on choosing"),
    "alterable": StandingWords("in the draw, may be altered once until {until}", "Alter"),
    "not yet drawn": StandingWords("in the draw, its choices final"),
    "being drawn": StandingWords("being drawn now", "Play along"),
    "prize": StandingWords("won, to be claimed until {until}", "Claim"),
    "price back": StandingWords("draw called off, its price back until {until}", "Claim"),
    "waits for approval": StandingWords("won, waits for the approval of the house"),
    "not approved": StandingWords("won, not approved by the house", "Ask at the desk"),
    "paid already": StandingWords("claimed"),
    "expired": StandingWords("won, expired without a claim"),
    "stopped": StandingWords("reported lost and stopped", "Ask at the desk"),
    "no prize": StandingWords("no prize"),
}


def standing_words(standing: str, until: str = "") -> StandingWords:
    """How a ticket stands, in words.

    >>> standing_words("alterable", "12:02")
    StandingWords(say='in the draw, may be altered once until 12:02', action='Alter')
    """
    words = _STANDINGS[standing]
    return words._replace(say=words.say.format(until=until))


def advice_words(advice: Choice) -> str:
    """What the chart says to a hand.

    >>> advice_words(Choice.STAND)
    'advice: stand'
    """
    return f"advice: {advice.name.lower()}"


def advance_sentence(draw: int, until: str) -> str:
    """An advance purchase for the next draw day is altered until an hour before its sales close (KO21-2.9).

    >>> advance_sentence(112, "02:00")
    'A ticket for draw 112, bought now, may be altered until 02:00 Pacific time.'
    """
    return f"A ticket for draw {draw}, bought now, may be altered until {until} Pacific time."


def altered_until_line(until: str) -> str:
    """The same on the ticket itself, short enough for its paper."""
    return f"Advance ticket: may be altered until {until}"


def order_of(standing: str, draw: int) -> tuple[int, int]:
    """Where a ticket stands in a list: prizes to claim, draws to come with the next first, then draws that
    are over with the last first.

    >>> sorted([("no prize", 5), ("alterable", 9), ("prize", 4), ("choosing", 8), ("paid already", 6)],
    ...        key=lambda one: order_of(*one))
    [('prize', 4), ('choosing', 8), ('alterable', 9), ('paid already', 6), ('no prize', 5)]
    """
    if standing in ("prize", "price back"):
        return 0, -draw
    if standing in ("choosing", "alterable", "not yet drawn", "being drawn"):
        return 1, draw
    return 2, -draw
