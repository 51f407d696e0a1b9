"""Every event of a table in words, for screens and replays."""

from __future__ import annotations

from cardroom.core.money import format_cents
from cardroom.engine import twentyone
from cardroom.presentation import wager_title
from cardroom.table.twentyone import events as table
from cardroom.table.twentyone.events import OwnEvent, TableEvent


def words(event: TableEvent) -> str:
    """What happened, as a sentence of the floor.

    >>> words(twentyone.WagerTaken(2, "Ann", "primary", 1, 400, "bust"))
    'spot 2, Ann: $4.00 on Primary taken: bust'
    """
    if isinstance(event, OwnEvent):
        return _own_words(event)
    return _card_words(event) or _money_words(event) or _round_words(event)


def _money(cents: int) -> str:
    return format_cents(cents, symbol=True)


def _place(spot: int | None, hand: int, *, split: bool = False) -> str:
    if spot is None:
        return "dealer"
    return f"spot {spot} hand {hand}" if split or hand > 1 else f"spot {spot}"


def _card_words(event: twentyone.Event) -> str:
    match event:
        case twentyone.CardDealt():
            card = "a card face down" if event.card is None else event.card.pretty
            left = ", to the left" if event.position > 1 else ""
            return f"{_place(event.spot, event.hand)}: {card}{left}{', sideways' if event.sideways else ''}"
        case twentyone.CardTurned():
            return f"dealer turns card {event.position}: {event.card.pretty}"
        case twentyone.CardsPickedUp():
            cards = " ".join(card.pretty for card in event.cards)
            return f"{_place(event.spot, event.hand)}: picked up {cards}"
        case _:
            return ""


def _money_words(event: twentyone.Event) -> str:
    match event:
        case twentyone.WagerPlaced():
            return f"spot {event.spot}, {event.player}: {_stake(event)}"
        case twentyone.WagerAdded():
            where = f"{_place(event.spot, event.hand)}, {event.player}"
            return f"{where}: {_money(event.added_cents)} added, {event.stands}"
        case twentyone.WagerTaken():
            return f"{_whose(event)}: {_stake(event)} taken: {event.why}"
        case twentyone.WagerReturned():
            return f"{_whose(event)}: {_stake(event)} returned: {event.why}"
        case twentyone.WagerPaid():
            paid = f"{_money(event.payment_cents)} paid, {event.odds.words}"
            return f"{_whose(event)}: {paid} on {wager_title(event.wager)}: {event.why}"
        case twentyone.JackpotPaid():
            paid = _money(event.payment_cents)
            return f"spot {event.spot}, {event.player}: the meter of {wager_title(event.wager)} paid, {paid}"
        case twentyone.BonusPaid():
            paid = _money(event.payment_cents)
            return f"spot {event.spot}, {event.player}: {wager_title(event.bonus)} paid, {paid}"
        case twentyone.MeterRaised():
            shown = f"{_money(event.added_cents)} in, {_money(event.meter_cents)} shown"
            return f"meter of {wager_title(event.wager)}: {shown}"
        case twentyone.MeterReset():
            return f"meter of {wager_title(event.wager)}: back to {_money(event.seed_cents)}"
        case _:
            return ""


def _stake(event: twentyone.WagerPlaced | twentyone.WagerTaken | twentyone.WagerReturned) -> str:
    return f"{_money(event.stake_cents)} on {wager_title(event.wager)}"


def _whose(event: twentyone.WagerTaken | twentyone.WagerReturned | twentyone.WagerPaid) -> str:
    return f"{_place(event.spot, event.hand)}, {event.player}"


def _round_words(event: twentyone.Event) -> str:
    match event:
        case twentyone.WagersChecked():
            return f"all wagers checked: {_money(event.total_cents)}"
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
            return f"the discards are shuffled: {event.cards} cards"
        case twentyone.RoundVoided():
            return "no card is left: the round is void"
        case _:
            return "the round is over"


def _own_words(event: OwnEvent) -> str:
    match event:
        case table.DeckInspected():
            return f"deck {event.deck} inspected: {event.cards} cards"
        case table.FloorCalled():
            return f"the floor is called: deck {event.deck} is out of play: {event.why}"
        case table.CardsWashed():
            return f"{event.cards} cards washed face down"
        case table.TableOpened():
            return f"the table opens: {event.game}, rules {event.rules_hash[:12]}"
        case table.TableClosed():
            return "the table closes"
        case table.MeterOpened():
            return f"meter of {wager_title(event.wager)} opens at {_money(event.seed_cents)}"
        case table.RulesChanged():
            return f"{event.who} changes the rules from {event.before[:12]} to {event.after[:12]}"
        case table.StubPlugged():
            return f"the stub of {event.stub} cards is plugged into {event.discards} discards"
        case table.PilesMade():
            return f"four piles: {', '.join(map(str, event.cards))} cards"
        case table.ShoeCommitted():
            return f"shoe {event.shoe}: commitment {event.commitment}"
        case table.CardsShuffled():
            return f"{event.cards} cards shuffled ({event.mode})"
        case table.ShoeCut():
            who = event.player or "nobody cut: the house"
            return f"{who} cuts {event.cards_deep} cards from the {event.end}"
        case table.CutCardPlaced():
            return f"the cut card goes in {event.cards_deep} cards from the back"
        case table.CardBurned():
            return f"a card is burned: {event.why}"
        case table.RoundStarted():
            return f"round {event.round}"
        case table.CutCardCameOut():
            return "the cut card is out: the last round of this shoe"
        case table.ShoeEnded():
            return f"shoe {event.shoe} is over: {event.dealt} cards dealt, {event.left} left"
        case table.DealerChanged():
            return f"{event.dealer} takes over the table"
        case _:
            return _people_words(event)


def _people_words(
    event: table.PlayerSat
    | table.PlayerWaited
    | table.PlayerLeft
    | table.ChipsBought
    | table.ChipsCashed
    | table.SpotTaken
    | table.SpotGivenUp
    | table.WagersSet
    | table.WagersCleared,
) -> str:
    match event:
        case table.PlayerSat():
            return f"{event.player} comes to the table"
        case table.PlayerWaited():
            return f"{event.player} waits for a spot, place {event.place}"
        case table.PlayerLeft():
            return f"{event.player} leaves"
        case table.ChipsBought():
            return f"{event.player} buys {_money(event.cents)} in chips"
        case table.ChipsCashed():
            return f"{event.player} cashes {_money(event.cents)} in chips"
        case table.SpotTaken():
            return f"{event.player} takes spot {event.spot}"
        case table.SpotGivenUp():
            return f"{event.player} gives up spot {event.spot}: {event.why}"
        case table.WagersSet():
            side = "".join(f", {wager_title(name)} {_money(cents)}" for name, cents in event.side)
            return f"{event.player} sets {_money(event.stake_cents)} on spot {event.spot}{side}"
        case table.WagersCleared():
            return f"{event.player} takes the wagers of spot {event.spot} back"
