"""Splitting: one hand becomes two, each with its card, its wager and a second card (21-1.6, 21-1.11)."""

from __future__ import annotations

from cardroom.core.cards import Card
from cardroom.engine.twentyone.events import WagerAdded
from cardroom.engine.twentyone.state import Hand
from cardroom.engine.twentyone.working import Working
from cardroom.rules.twentyone import TwentyOneRules, law


def split(working: Working) -> None:
    """Split the hand whose turn it is.

    The new hand lies right after the old one. Both get their second card at once, the old hand first; the old
    hand is played out before the new one, and either may be split again (21-1.5).
    """
    place, number = working.turn, working.hand
    spot = working.spots[place]
    old = spot.hands[number]
    halves = tuple(Hand((card,), spot.stake_cents, from_split=True) for card in old.cards)
    hands = (*spot.hands[:number], *halves, *spot.hands[number + 1 :])
    working.spots[place] = spot.with_hands(hands)
    added = WagerAdded(spot.number, spot.player, number + 2, spot.stake_cents, "with its hand")
    working.events.append(added)
    working.to_deal = ((place, number), (place, number + 1))


def lies_sideways(rules: TwentyOneRules, hand: Hand, card: Card, hands: int) -> bool:
    """Whether a split ace's second card is its last and lies sideways (BJ-4, PROC-13)."""
    if not hand.from_split or rules.split.hit_aces or hand.cards[0].value != 1:
        return False
    cards = (*hand.cards, card)
    return not law.options(rules, law.facts(rules, cards, doubles=0, from_split=True, hands=hands))
