"""What a hand is paid, the bonuses beside it, and the end of a round."""

from __future__ import annotations

from dataclasses import replace

from cardroom.core.ids import line_words
from cardroom.core.odds import Odds
from cardroom.engine.twentyone.events import (
    ENVY,
    INSURANCE,
    PRIMARY,
    SUPER_BONUS,
    BonusPaid,
    CardTurned,
    WagerPaid,
    WagerReturned,
    WagerTaken,
)
from cardroom.engine.twentyone.state import Status
from cardroom.engine.twentyone.working import Working
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.law import Outcome


def pay_hand(working: Working, place: int, number: int, why: str, *, odds: Odds | None = None) -> None:
    """Pay a winning hand on its whole wager."""
    spot = working.spots[place]
    hand = spot.hands[number]
    if odds is None:
        odds = law.win_odds(working.rules, hand.cards, doubles=hand.doubles, from_split=hand.from_split)
    payment = working.rules.payment(hand.stake_cents, odds)
    working.events.append(
        WagerPaid(spot.number, spot.player, PRIMARY, number + 1, hand.stake_cents, payment, odds, why)
    )
    working.close_hand(place, number, Status.WON)


def pay_21(working: Working, place: int, number: int) -> None:
    """Pay a 21 that wins at once, at the bonus table's rate where it qualifies (S21-3, PE21-5, PE21-14)."""
    hand = working.spots[place].hands[number]
    bonus = law.bonus_21(working.rules, hand.cards, doubles=hand.doubles, from_split=hand.from_split)
    if bonus is None:
        pay_hand(working, place, number, "21", odds=law.EVEN_MONEY)
    else:
        pay_hand(working, place, number, line_words(bonus[0]), odds=bonus[1])


def pay_at_once(working: Working, place: int, number: int) -> None:
    """Pay a hand that wins whatever the dealer has: a 21, or a Charlie (21-1.17)."""
    hand = working.spots[place].hands[number]
    if law.wins_as_21(working.rules, hand.cards, doubles=hand.doubles, from_split=hand.from_split):
        pay_21(working, place, number)
    else:
        pay_hand(working, place, number, "Charlie")


def pay_super_bonus(working: Working, place: int, number: int) -> None:
    """The Super Bonus if the hand wins it, and envy to all others, right to left (PE21-13, PE21-13.1)."""
    spot = working.spots[place]
    hand = spot.hands[number]
    cents = law.super_bonus_cents(
        working.rules,
        hand.cards,
        working.dealer[0],
        spot.stake_cents,
        doubles=hand.doubles,
        from_split=hand.from_split,
    )
    if not cents:
        return
    working.events.append(BonusPaid(spot.number, spot.player, SUPER_BONUS, cents))
    paid = {spot.player}
    for other in reversed(working.spots):
        if other.player not in paid:
            paid.add(other.player)
            envy = int(working.rules.super_bonus.envy)
            working.events.append(BonusPaid(other.number, other.player, ENVY, envy))


def give_up(working: Working, place: int, number: int, returned_cents: int, status: Status, why: str) -> None:
    """Take the part of a hand's wager that is lost, return the rest, and pick up the cards."""
    spot = working.spots[place]
    lost = spot.hands[number].stake_cents - returned_cents
    working.events.append(WagerTaken(spot.number, spot.player, PRIMARY, number + 1, lost, why))
    if returned_cents:
        working.events.append(
            WagerReturned(spot.number, spot.player, PRIMARY, number + 1, returned_cents, why)
        )
    working.close_hand(place, number, status)
    working.pick_up_lost(place, number)


def settle(working: Working) -> None:
    """Compare every hand still in with the dealer's, right to left, and end the round (21-1.10)."""
    dealer_total, _ = law.total_of(working.dealer)
    for place in working.right_to_left:
        for number in range(len(working.spots[place].hands) - 1, -1, -1):
            hand = working.spots[place].hands[number]
            if not hand.is_open:
                continue
            if hand.status in (Status.GIVEN_UP, Status.BUST):
                _take_what_waited(working, place, number)
                continue
            if law.wins_at_once(working.rules, hand.cards, doubles=hand.doubles, from_split=hand.from_split):
                pay_at_once(working, place, number)
                continue
            total, _ = law.total_of(hand.cards)
            blackjack = law.is_blackjack(hand.cards, from_split=hand.from_split)
            match law.outcome(
                working.rules, total, dealer_total, blackjack=blackjack, dealer_blackjack=False
            ):
                case Outcome.WIN:
                    pay_hand(working, place, number, "blackjack" if blackjack else _why_won(dealer_total))
                case Outcome.PUSH:
                    working.return_hand(place, number, Status.PUSHED, "push")
                case Outcome.LOSE:
                    working.take_hand(place, number, "tie" if total == dealer_total else "lower total")
    working.end()


def _take_what_waited(working: Working, place: int, number: int) -> None:
    """Take what a hand lost before the dealer's second card came, which has made no blackjack."""
    spot = working.spots[place]
    hand = spot.hands[number]
    if hand.status is Status.BUST:
        working.take_hand(place, number, "bust")
    elif hand.doubles:
        lost = law.rescue_loses(working.rules, spot.stake_cents, hand.doubles)
        give_up(working, place, number, hand.stake_cents - lost, Status.RESCUED, "rescue")
    else:
        returned = law.surrender_returns(working.rules, hand.stake_cents)
        give_up(working, place, number, returned, Status.SURRENDERED, "surrender")


def _why_won(dealer_total: int) -> str:
    return "dealer's bust" if dealer_total > law.BLACKJACK_TOTAL else "higher total"


def void(working: Working) -> None:
    """Return all wagers not yet decided; what was paid or taken stands (21-1.13)."""
    for place in working.right_to_left:
        spot = working.spots[place]
        for wager, cents in (*spot.side, (INSURANCE, spot.insurance_cents)):
            if cents:
                working.events.append(WagerReturned(spot.number, spot.player, wager, 1, cents, "void"))
        working.spots[place] = replace(spot, side=(), insurance_cents=0)
        for number in range(len(spot.hands) - 1, -1, -1):
            if spot.hands[number].is_open:
                working.return_hand(place, number, Status.VOID, "void")
    while working.turned < len(working.dealer):
        working.turned += 1
        working.events.append(CardTurned(working.turned, working.dealer[working.turned - 1]))
    working.end()
