"""What happened in a round, event by event, as a sentence of the floor; the same on screens and pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardroom.engine import knockout52, twentyone
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import counted
from cardroom.presentation.wagers import wager_title

if TYPE_CHECKING:
    from cardroom.rules import HouseRules


def twentyone_sentence(event: twentyone.Event, rules: HouseRules | None = None) -> str:
    """An event of a round of the blackjack family; a wager is called as the rules call it.

    >>> twentyone_sentence(twentyone.WagerTaken(2, "Ann", "primary", 1, 400, "bust"))
    'spot 2, Ann: $4.00 on Primary taken: bust'
    """
    return _cards(event) or _money(event, rules) or _round(event)


def knockout52_sentence(event: knockout52.Event) -> str:
    """An event of a game of Knockout 52.

    >>> knockout52_sentence(knockout52.MarkerMoved("all-the-way"))
    'the marker stands in All the Way'
    """
    match event:
        case knockout52.WagerPlaced():
            return f"{event.player}: {dollars(event.stake_cents)} staked on {wager_title(event.wager)}"
        case knockout52.MarkerMoved():
            return f"the marker stands in {wager_title(event.circle)}"
        case knockout52.CardDealt():
            match_words = " – a match" if event.match else ""
            return f"card {event.space + 1}, row {event.row}: {event.card.pretty}{match_words}"
        case knockout52.WagerCollected():
            return f"{event.player}: {dollars(event.stake_cents)} lost on {wager_title(event.wager)}"
        case knockout52.WagerPaid():
            payment = dollars(event.payment_cents)
            return f"{event.player}: {payment} won on {wager_title(event.wager)}, and the stake returned"
        case knockout52.GameEnded():
            return f"the game ends: {wager_title(event.outcome)}"


def knockout52_outcome(game: knockout52.Game) -> str:
    """How a game of Knockout 52 ended; empty while it goes on."""
    if game.outcome is None:
        return ""
    title = wager_title(game.outcome)
    if game.outcome == game.rules.layout.wagers[-1]:
        return f"{len(game.cards)} cards and no match: {title} wins."
    return f"{game.cards[-1].pretty} is a match on card {len(game.cards)}: {title} wins."


def _place(spot: int | None, hand: int, *, split: bool = False) -> str:
    if spot is None:
        return "dealer"
    return f"spot {spot} hand {hand}" if split or hand > 1 else f"spot {spot}"


def _cards(event: twentyone.Event) -> str:
    match event:
        case twentyone.CardDealt():
            card = "a card face down" if event.card is None else event.card.pretty
            left = ", to the left" if event.position > 1 else ""
            return f"{_place(event.spot, event.hand)}: {card}{left}{', sideways' if event.sideways else ''}"
        case twentyone.ThirdCardDealt():
            return f"spot {event.spot}: {event.card.pretty} beside the hand, for a side wager"
        case twentyone.CardTurned():
            return f"dealer turns card {event.position}: {event.card.pretty}"
        case twentyone.CardsPickedUp():
            cards = " ".join(card.pretty for card in event.cards)
            return f"{_place(event.spot, event.hand)}: picked up {cards}"
        case _:
            return ""


def _money(event: twentyone.Event, rules: HouseRules | None) -> str:
    match event:
        case twentyone.WagerPlaced():
            return f"spot {event.spot}, {event.player}: {_stake(event, rules)}"
        case twentyone.WagerAdded():
            where = f"{_place(event.spot, event.hand)}, {event.player}"
            return f"{where}: {dollars(event.added_cents)} added, {event.stands}"
        case twentyone.WagerTaken():
            return f"{_whose(event)}: {_stake(event, rules)} taken: {event.why}"
        case twentyone.WagerReturned():
            return f"{_whose(event)}: {_stake(event, rules)} returned: {event.why}"
        case twentyone.WagerPaid():
            payment = f"{dollars(event.payment_cents)} paid, {event.odds.words}"
            return f"{_whose(event)}: {payment} on {wager_title(event.wager, rules)}: {event.why}"
        case twentyone.JackpotPaid():
            meter = f"the meter of {wager_title(event.wager, rules)}"
            return f"spot {event.spot}, {event.player}: {meter} paid, {dollars(event.payment_cents)}"
        case twentyone.BonusPaid():
            payment = dollars(event.payment_cents)
            return f"spot {event.spot}, {event.player}: {wager_title(event.bonus)} paid, {payment}"
        case twentyone.MeterRaised():
            amounts = f"{dollars(event.added_cents)} in, {dollars(event.meter_cents)} shown"
            return f"meter of {wager_title(event.wager, rules)}: {amounts}"
        case twentyone.MeterReset():
            return f"meter of {wager_title(event.wager, rules)}: back to {dollars(event.seed_cents)}"
        case _:
            return ""


def _stake(
    event: twentyone.WagerPlaced | twentyone.WagerTaken | twentyone.WagerReturned, rules: HouseRules | None
) -> str:
    return f"{dollars(event.stake_cents)} on {wager_title(event.wager, rules)}"


def _whose(event: twentyone.WagerTaken | twentyone.WagerReturned | twentyone.WagerPaid) -> str:
    return f"{_place(event.spot, event.hand)}, {event.player}"


def _round(event: twentyone.Event) -> str:
    match event:
        case twentyone.WagersChecked():
            return f"all wagers checked: {dollars(event.total_cents)}"
        case twentyone.InsuranceOpened():
            return "insurance is open"
        case twentyone.InsuranceClosed():
            return "insurance is closed"
        case twentyone.DealerLooked():
            return "the dealer looks: " + ("blackjack" if event.blackjack else "no blackjack")
        case twentyone.ActionTaken():
            return f"{_place(event.spot, event.hand)}, {event.player}: {event.action}"
        case twentyone.ShoeRanOut():
            return "the shoe has run out"
        case twentyone.DiscardsShuffled():
            return f"the discards are shuffled: {counted(event.cards, 'card')}"
        case twentyone.RoundVoided():
            return "no card is left: the round is void"
        case _:
            return "the round is over"
