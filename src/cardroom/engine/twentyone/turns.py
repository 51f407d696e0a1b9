"""The play of the spots, one hand after another, and of the dealer's hand (21-1.5, 21-1.9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from cardroom.core.cards import Card
from cardroom.core.money import format_cents
from cardroom.core.refusal import Refusal
from cardroom.engine.twentyone.actions import DoubleFor, PlayerAction
from cardroom.engine.twentyone.deal import settle_dealer_blackjack, take_insurance, turn_up
from cardroom.engine.twentyone.events import (
    ActionTaken,
    CardDealt,
    WagerAdded,
)
from cardroom.engine.twentyone.settlement import give_up, pay_at_once, pay_super_bonus, settle
from cardroom.engine.twentyone.sidebets import (
    note_third,
    settle_players_hands,
    settle_side_bets,
    third_cards_owed,
    waits_for_dealers_card,
    waits_for_dealers_hand,
)
from cardroom.engine.twentyone.splitting import lies_sideways, split
from cardroom.engine.twentyone.state import Hand, Phase, Spot, Status
from cardroom.engine.twentyone.working import Working
from cardroom.rules.twentyone import TwentyOneRules, law
from cardroom.rules.twentyone.law import Action, HandFacts

_FIRST_TWO: Final = 2


def hand_facts(rules: TwentyOneRules, spot: Spot, number: int, up: Card) -> HandFacts:
    """What the law of options asks about a hand against an up card."""
    hand = spot.hands[number]
    return law.facts(
        rules,
        hand.cards,
        doubles=hand.doubles,
        from_split=hand.from_split,
        hands=len(spot.hands),
        surrender_open=law.surrender_against(rules, up.value),
    )


def await_play(working: Working) -> bool:
    """Find the next hand with a decision (21-1.12); False when the last spot has been played."""
    while working.turn < len(working.spots):
        spot = working.spots[working.turn]
        while working.hand < len(spot.hands):
            if spot.hands[working.hand].status is Status.LIVE:
                facts = hand_facts(working.rules, spot, working.hand, working.dealer[0])
                working.options = law.options(working.rules, facts)
                if working.options:
                    return True
                working.close_hand(working.turn, working.hand, Status.STOOD)
                spot = working.spots[working.turn]
            if working.hand == 0:
                settle_players_hands(working)
                spot = working.spots[working.turn]
            working.hand += 1
        working.turn += 1
        working.hand = 0
    working.options = ()
    working.phase = Phase.DEALER
    return False


def why_not_play(
    rules: TwentyOneRules, spot: Spot, number: int, up: Card, action: PlayerAction
) -> Refusal | None:
    """Why the hand whose turn it is may not be played so, or None when it may."""
    hand = spot.hands[number]
    if isinstance(action, DoubleFor):
        refusal = law.refusal(rules, hand_facts(rules, spot, number, up), Action.DOUBLE)
        adds = law.double_adds(rules, spot.stake_cents, hand.doubles)
        if refusal is None and action.added_cents != adds:
            allowed = format_cents(adds, symbol=True)
            return Refusal(f"this double adds {allowed}, neither less nor more", rules.clause("double_cap"))
        return refusal
    if isinstance(action, Action):
        return law.refusal(rules, hand_facts(rules, spot, number, up), action)
    return Refusal("insurance is not open now; it is offered with an ace up, before the play", "PROC-10")


def act(working: Working, action: PlayerAction) -> None:
    """Do what the player of the hand in turn decided."""
    place, number = working.turn, working.hand
    spot = working.spots[place]
    if isinstance(action, DoubleFor):
        action = Action.DOUBLE
    assert isinstance(action, Action)
    working.events.append(ActionTaken(spot.number, spot.player, number + 1, action))
    working.options = ()
    match action:
        case Action.STAND:
            working.close_hand(place, number, Status.STOOD)
        case Action.HIT:
            working.to_deal = ((place, number),)
        case Action.DOUBLE:
            _double(working, place, number)
        case Action.SPLIT:
            split(working)
        case Action.SURRENDER if waits_for_second_card(working):
            working.close_hand(place, number, Status.GIVEN_UP)
        case Action.SURRENDER:
            returned = law.surrender_returns(working.rules, spot.stake_cents)
            give_up(working, place, number, returned, Status.SURRENDERED, "surrender")
        case Action.RESCUE:
            hand = spot.hands[number]
            lost = law.rescue_loses(working.rules, spot.stake_cents, hand.doubles)
            added = hand.from_split or lost != spot.stake_cents
            if added and law.undone_by_blackjack(working.rules, working.dealer[0].value):
                working.close_hand(place, number, Status.GIVEN_UP)
            else:
                give_up(working, place, number, hand.stake_cents - lost, Status.RESCUED, "rescue")


def waits_for_second_card(working: Working) -> bool:
    """Whether a late surrender waits to see if the dealer's second card makes a blackjack (21-1.19)."""
    rules = working.rules
    late = rules.second_card_waits and rules.surrender not in law.EARLY
    return late and law.dealer_looks(working.dealer[0])


def _double(working: Working, place: int, number: int) -> None:
    spot = working.spots[place]
    hand = spot.hands[number]
    adds = law.double_adds(working.rules, spot.stake_cents, hand.doubles)
    doubled = replace(hand, stake_cents=hand.stake_cents + adds, doubles=hand.doubles + 1)
    working.put_hand(place, number, doubled)
    working.events.append(WagerAdded(spot.number, spot.player, number + 1, adds, "beside the original"))
    working.to_deal = ((place, number),)


def deal_to_hand(working: Working, place: int, number: int, card: Card) -> None:
    """Deal a card to a hand in play; a bust loses at once, and so is a 21 paid where it always wins."""
    rules, spot = working.rules, working.spots[place]
    hand = spot.hands[number]
    sideways = hand.doubles > 0 or lies_sideways(rules, hand, card, len(spot.hands))
    hand = Hand(
        (*hand.cards, card),
        hand.stake_cents,
        hand.status,
        hand.doubles,
        hand.from_split,
        hand.sideways + sideways,
    )
    working.put_hand(place, number, hand)
    working.events.append(CardDealt(spot.number, number + 1, len(hand.cards), card, sideways))
    if spot.side and spot.third is None and number == 0:
        note_third(working, place, card)
    total, _ = law.total_of(hand.cards)
    if total > law.BLACKJACK_TOTAL:
        _bust(working, place, number)
        return
    if law.wins_at_once(rules, hand.cards, doubles=hand.doubles, from_split=hand.from_split):
        if law.undone_by_blackjack(rules, working.dealer[0].value):
            working.close_hand(place, number, Status.STOOD)
        else:
            pay_at_once(working, place, number)
    if rules.super_bonus.offered:
        pay_super_bonus(working, place, number)


def _bust(working: Working, place: int, number: int) -> None:
    """A bust loses at once, but for wagers that a dealer's blackjack would give back (21-1.6, 21-1.26)."""
    hand = working.spots[place].hands[number]
    added = hand.from_split or hand.doubles > 0
    if added and law.undone_by_blackjack(working.rules, working.dealer[0].value):
        working.close_hand(place, number, Status.BUST)
        return
    working.take_hand(place, number, "bust")
    working.pick_up_lost(place, number)


def deal_to_dealer(working: Working, card: Card) -> None:
    """Deal a further card to the dealer, face up; the second settles wagers that waited for it (21-1.19)."""
    working.dealer = (*working.dealer, card)
    working.turned += 1
    working.events.append(CardDealt(None, 1, len(working.dealer), card))
    if len(working.dealer) == _FIRST_TWO:
        settle_side_bets(working)


def play_dealer(working: Working) -> None:
    """Turn the hole card, then draw to 17 while a hand is still in, or a wager on it; settle (21-1.9).

    Without a hole card the second card is drawn for a side wager that looks at it, too (21-1.19).
    """
    if owed := third_cards_owed(working):
        working.to_deal = owed
        return
    if working.turned < len(working.dealer):
        turn_up(working)
    seen_blackjack = working.looked or working.rules.hole_card != "dealt"
    if seen_blackjack and len(working.dealer) == _FIRST_TWO:
        if law.is_blackjack(working.dealer):
            settle_dealer_blackjack(working)
            return
        take_insurance(working)
    total, soft = law.total_of(working.dealer)
    insured = any(spot.insurance_cents for spot in working.spots)
    played = working.has_open_hand or insured or waits_for_dealers_hand(working)
    if len(working.dealer) < _FIRST_TWO:
        played = played or waits_for_dealers_card(working)
    if played and law.dealer_draws(working.rules, total, soft=soft):
        working.to_deal = (None,)
    else:
        settle_side_bets(working, dealer_is_done=True)
        settle(working)
