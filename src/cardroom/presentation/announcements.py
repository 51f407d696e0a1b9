"""What a player is told when wagers are decided: each by name and amount, then the round in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardroom.engine import twentyone
from cardroom.engine.twentyone.events import PRIMARY
from cardroom.presentation.money import dollars
from cardroom.presentation.wagers import wager_title

_NO_LINE = "no line"
"""Why the engine took a side wager that made none of its lines: nothing more is to be said."""


def announced_wagers(
    events: Iterable[twentyone.Event], player: str, *, several_spots: bool = False
) -> Iterator[str]:
    """A player's wagers that were decided in some events, side wagers and bonuses by their names.

    >>> paid = twentyone.BonusPaid(2, "Ann", "super-bonus", 1_000_00)
    >>> list(announced_wagers([paid, twentyone.WagerTaken(2, "Ann", "match-up", 1, 500, "no line")], "Ann"))
    ['Super Bonus, +$1,000.00', 'Match Up, −$5.00']
    """
    for event in events:
        words = ""
        match event:
            case twentyone.WagerPaid():
                words = _words(event.wager, event.why, event.payment_cents)
            case twentyone.WagerTaken():
                words = _words(event.wager, event.why, -event.stake_cents)
            case twentyone.WagerReturned():
                words = f"{_name(event.wager)}, {event.why}, {dollars(event.stake_cents)} back"
            case twentyone.JackpotPaid():
                words = _words(event.wager, "the meter", event.payment_cents)
            case twentyone.BonusPaid():
                words = _words(event.bonus, "", event.payment_cents)
            case _:
                continue
        if event.player == player:
            yield f"spot {event.spot}: {words}" if several_spots else words


def result_sentence(net_cents: int) -> str:
    """What a round brought.

    >>> result_sentence(10_00), result_sentence(-4_00), result_sentence(0)
    ('You won $10.00.', 'You lost $4.00.', 'Your wagers came back: nothing won, nothing lost.')
    """
    if net_cents == 0:
        return "Your wagers came back: nothing won, nothing lost."
    return f"You {'won' if net_cents > 0 else 'lost'} {dollars(abs(net_cents))}."


def _words(wager: str, why: str, net_cents: int) -> str:
    reason = "" if why == _NO_LINE else why
    return ", ".join(words for words in (_name(wager), reason, dollars(net_cents, plus=True)) if words)


def _name(wager: str) -> str:
    return "Hand" if wager == PRIMARY else wager_title(wager)
