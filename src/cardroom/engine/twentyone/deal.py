"""From the first card to the first decision: the deal, blackjacks, insurance and the look."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cardroom.core.cards import Card, Rank
from cardroom.core.money import format_cents
from cardroom.core.refusal import Refusal
from cardroom.engine.twentyone.actions import DeclineInsurance, EvenMoney, Insure, PlayerAction
from cardroom.engine.twentyone.events import (
    INSURANCE,
    PRIMARY,
    ActionTaken,
    CardDealt,
    CardTurned,
    DealerLooked,
    InsuranceClosed,
    InsuranceOpened,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
    WagerTaken,
)
from cardroom.engine.twentyone.settlement import pay_hand
from cardroom.engine.twentyone.sidebets import settle_side_bets, third_cards_owed
from cardroom.engine.twentyone.state import Hand, Phase, Place, Spot, Status
from cardroom.engine.twentyone.working import Working
from cardroom.rules.twentyone import TwentyOneRules, law

_DEALERS_BLACKJACK: Final = "dealer's blackjack"
_UNPAID_BLACKJACK: Final = "blackjack that no line pays"


def deal_order(rules: TwentyOneRules, spots: int) -> tuple[Place, ...]:
    """Left to right, ending with the dealer, twice round (PROC-8); without a hole card, once (21-1.19)."""
    players: tuple[Place, ...] = tuple((place, 0) for place in range(spots))
    return (*players, None, *players) if rules.hole_card == "none" else (*players, None) * 2


def deal_first_cards(working: Working, place: Place, card: Card) -> None:
    """Lay one of the first two cards of a spot face up, or of the dealer's face down."""
    if place is None:
        working.dealer = (*working.dealer, card)
        working.events.append(CardDealt(None, 1, len(working.dealer), None))
        return
    spot = working.spots[place[0]]
    hand = Hand((*spot.hands[0].cards, card), spot.stake_cents)
    working.spots[place[0]] = Spot(
        spot.number, spot.player, spot.stake_cents, spot.side, (hand,), first_two=hand.cards
    )
    working.events.append(CardDealt(spot.number, 1, len(hand.cards), card))


def turn_up(working: Working) -> None:
    """Turn the dealer's next card up; side wagers that it decides are settled at once (SIDE-6)."""
    card = working.dealer[working.turned]
    working.turned += 1
    working.events.append(CardTurned(working.turned, card))
    settle_side_bets(working)


def after_deal(working: Working) -> None:
    """The up card, blackjacks that are paid at once, and insurance where there is any to offer."""
    turn_up(working)
    if working.rules.hole_card == "shown":
        turn_up(working)
    if working.rules.blackjack_always_wins:
        pay_blackjacks(working)
    if insurance_offered(working):
        working.phase = Phase.INSURANCE
        working.turn = working.hand = 0
        working.events.append(InsuranceOpened())
    else:
        look(working)


def pay_blackjacks(working: Working) -> None:
    """Pay every blackjack not yet paid, right to left (BJ-2, S21-2, PE21-4)."""
    for place in working.right_to_left:
        hand = working.spots[place].hands[0]
        if hand.status is Status.LIVE and law.is_blackjack(hand.cards):
            pay_hand(working, place, 0, "blackjack")


def insurance_offered(working: Working) -> bool:
    """Whether there is an ace up and anybody who may insure (21-1.7)."""
    rules = working.rules
    if working.dealer[0].rank is not Rank.ACE or not rules.insurance.offered:
        return False
    return any(insurance_options(rules, spot) for spot in working.spots)


def insurance_options(rules: TwentyOneRules, spot: Spot) -> tuple[PlayerAction, ...]:
    """What a spot may answer to the offer of insurance; empty when it is not asked."""
    hand = spot.hands[0]
    most = law.most_insurance_cents(rules, spot.stake_cents)
    if not most or (hand.status is not Status.LIVE and not rules.insurance.on_paid_blackjack):
        return ()
    if rules.insurance.even_money and hand.status is Status.LIVE and law.is_blackjack(hand.cards):
        return (DeclineInsurance(), Insure(most), EvenMoney())
    return (DeclineInsurance(), Insure(most))


def await_insurance(working: Working) -> bool:
    """Ask the next spot that may insure (PROC-10); False when all have answered and it is closed."""
    while working.turn < len(working.spots):
        working.options = insurance_options(working.rules, working.spots[working.turn])
        if working.options:
            return True
        working.turn += 1
    working.events.append(InsuranceClosed())
    look(working)
    return False


def why_not_insurance(rules: TwentyOneRules, spot: Spot, action: PlayerAction) -> Refusal | None:
    """Why a spot that is asked may not answer so, or None when it may."""
    most = law.most_insurance_cents(rules, spot.stake_cents)
    match action:
        case DeclineInsurance():
            return None
        case Insure(cents) if not 0 < cents <= most:
            allowed = format_cents(most, symbol=True)
            return Refusal(f"insurance here is at most {allowed}", rules.clause("insurance"))
        case Insure(cents) if cents % rules.limits.chip and cents != most:
            return Refusal(f"insurance is in whole chips of {rules.limits.chip}", "21-1.14")
        case Insure():
            return None
        case EvenMoney() if action in insurance_options(rules, spot):
            return None
        case EvenMoney():
            reason = "even money is for a blackjack not yet paid, against an ace, where the house offers it"
            return Refusal(reason, rules.clause("blackjack"))
        case _:
            return Refusal("insurance is to be answered first: no insurance, or insure AMOUNT", "PROC-10")


def answer_insurance(working: Working, action: PlayerAction) -> None:
    """Take a spot's answer to the offer of insurance."""
    place = working.turn
    spot = working.spots[place]
    working.events.append(ActionTaken(spot.number, spot.player, 1, action))
    match action:
        case Insure(cents):
            working.spots[place] = replace(spot, insurance_cents=cents)
            working.events.append(WagerPlaced(spot.number, spot.player, INSURANCE, cents))
        case EvenMoney():
            pay_hand(working, place, 0, "even money", odds=law.EVEN_MONEY)
        case _:
            pass
    working.turn += 1


def look(working: Working) -> None:
    """Look under an ace or a ten-valued card (21-1.8), and go on to the play if there is no blackjack.

    Where both cards lie face up, all have looked (21-1.21).
    """
    working.options = ()
    if working.rules.second_card_waits:
        _go_on_without_a_look(working)
        return
    undecided = working.has_open_hand or any(spot.insurance_cents for spot in working.spots)
    if undecided and law.dealer_looks(working.dealer[0]):
        blackjack = law.is_blackjack(working.dealer)
        if working.rules.hole_card == "dealt":
            working.looked = True
            working.events.append(DealerLooked(blackjack))
        if blackjack:
            if working.turned < len(working.dealer):
                turn_up(working)
            if third_cards_owed(working):
                working.phase = Phase.DEALER  # they are dealt before the hands are compared
            else:
                settle_dealer_blackjack(working)
            return
        take_insurance(working)
    pay_blackjacks(working)
    working.phase = Phase.PLAY
    working.turn = working.hand = 0


def _go_on_without_a_look(working: Working) -> None:
    """Pay blackjacks that the dealer cannot tie; others wait for the dealer's second card (21-1.19)."""
    if not law.dealer_looks(working.dealer[0]):
        pay_blackjacks(working)
    for place in working.right_to_left:
        hand = working.spots[place].hands[0]
        if hand.status is Status.LIVE and law.is_blackjack(hand.cards):
            working.close_hand(place, 0, Status.STOOD)
    working.phase = Phase.PLAY
    working.turn = working.hand = 0


def take_insurance(working: Working, why: str = "no blackjack") -> None:
    """Take the insurance of every spot: the dealer has no blackjack, or one that is not paid (21-1.28)."""
    for place in working.right_to_left:
        spot = working.spots[place]
        if spot.insurance_cents:
            working.events.append(
                WagerTaken(spot.number, spot.player, INSURANCE, 1, spot.insurance_cents, why)
            )
            working.spots[place] = replace(spot, insurance_cents=0)


def settle_dealer_blackjack(working: Working) -> None:
    """Losing wagers first, insured ones too; then insurance and pushes, all right to left (PROC-11)."""
    settle_side_bets(working, dealer_is_done=True)
    up, hole = working.dealer
    pushes = []
    for place in working.right_to_left:
        for number in range(len(working.spots[place].hands) - 1, -1, -1):
            hand = working.spots[place].hands[number]
            if hand.is_open and law.is_blackjack(hand.cards, from_split=hand.from_split):
                pushes.append(place)
            elif hand.is_open and working.rules.original_only:
                _take_original(working, place, number)
            elif hand.is_open:
                working.take_hand(place, number, _DEALERS_BLACKJACK)
    line = working.rules.insurance.line(up, hole)
    if line is None:
        take_insurance(working, _UNPAID_BLACKJACK)
    for place in working.right_to_left:
        spot = working.spots[place]
        if line is not None and (cents := spot.insurance_cents):
            payment = working.rules.payment(cents, line.pays)
            working.events.append(
                WagerPaid(spot.number, spot.player, INSURANCE, 1, cents, payment, line.pays, line.name)
            )
            working.spots[place] = replace(spot, insurance_cents=0)
        if place in pushes:
            working.return_hand(place, 0, Status.PUSHED, "push")
    working.end()


def _take_original(working: Working, place: int, number: int) -> None:
    """Take the original wager, which lies with the spot's first hand, and give back what was added to it."""
    spot = working.spots[place]
    if number:
        working.return_hand(place, number, Status.PUSHED, _DEALERS_BLACKJACK)
        return
    added = spot.hands[0].stake_cents - spot.stake_cents
    working.events.append(
        WagerTaken(spot.number, spot.player, PRIMARY, 1, spot.stake_cents, _DEALERS_BLACKJACK)
    )
    if added:
        working.events.append(WagerReturned(spot.number, spot.player, PRIMARY, 1, added, _DEALERS_BLACKJACK))
    working.close_hand(place, 0, Status.LOST)
