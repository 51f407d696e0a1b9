"""What happens in a film of the blackjack family, told to the player: one caption for each step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cardroom.core.cards import Card
from cardroom.engine import twentyone
from cardroom.presentation.money import chips
from cardroom.presentation.wagers import wager_title


def caption(events: Iterable[twentyone.Event], names: Mapping[str, str] | None = None) -> str:
    """The events of a step as sentences; those that only the floor cares for are left out.

    `names` has what people call the bonuses that the engine names.

    >>> from cardroom.core.cards import parse_card
    >>> caption([twentyone.CardDealt(1, 1, 3, parse_card("8d")), twentyone.InsuranceClosed()])
    'You get the 8♦.'
    """
    return " ".join(_sentences(events, names or {}))


def _sentences(events: Iterable[twentyone.Event], names: Mapping[str, str]) -> Iterator[str]:
    for event in events:
        yield from _cards(event)
        yield from _money(event, names)


def _cards(event: twentyone.Event) -> Iterator[str]:
    match event:
        case twentyone.CardDealt(spot=None, card=None):
            yield "The dealer takes a card face down."
        case twentyone.CardDealt(spot=None, card=Card() as card):
            yield f"The dealer draws the {card.pretty}."
        case twentyone.CardDealt(card=Card() as card):
            yield f"You get the {card.pretty}."
        case twentyone.ThirdCardDealt():
            yield f"For the side bet alone you get the {event.card.pretty}."
        case twentyone.CardTurned():
            yield f"The dealer shows the {event.card.pretty}."
        case twentyone.InsuranceOpened():
            yield "An ace: the dealer offers insurance."
        case twentyone.DealerLooked():
            result = "a blackjack" if event.blackjack else "no blackjack"
            yield f"The dealer looks at the hidden card: {result}."
        case twentyone.ActionTaken():
            yield _action(event)
        case _:
            return


def _action(event: twentyone.ActionTaken) -> str:
    match event.action:
        case twentyone.Insure(cents):
            return f"You insure for {chips(cents)}."
        case twentyone.DeclineInsurance():
            return "You take no insurance."
        case twentyone.Action.RESCUE:
            return "You rescue the double."
        case action:
            return f"You {action}."


def _money(event: twentyone.Event, names: Mapping[str, str]) -> Iterator[str]:
    match event:
        case twentyone.WagerPlaced():
            yield f"You put {chips(event.stake_cents)} on {wager_title(event.wager)}."
        case twentyone.WagerAdded():
            yield f"You add {chips(event.added_cents)}."
        case twentyone.WagerTaken():
            yield f"{wager_title(event.wager)}: {event.why}, {chips(event.stake_cents)} lost."
        case twentyone.WagerReturned():
            yield f"{wager_title(event.wager)}: {event.why}, {chips(event.stake_cents)} back."
        case twentyone.WagerPaid():
            payment = chips(event.payment_cents, plus=True)
            why = names.get(event.why, event.why)
            yield f"{wager_title(event.wager)}: {why}, paid {event.odds.words}: {payment}."
        case twentyone.JackpotPaid():
            yield f"{wager_title(event.wager)}: the meter is yours: {chips(event.payment_cents, plus=True)}."
        case twentyone.BonusPaid():
            yield f"{wager_title(event.bonus)}: {chips(event.payment_cents, plus=True)}."
        case _:
            return
