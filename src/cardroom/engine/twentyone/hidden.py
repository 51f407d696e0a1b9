"""What a seat cannot see, and the same round with something else there: for sampling and for advice."""

from __future__ import annotations

from cardroom.core.cards import CARDS, Card
from cardroom.engine.twentyone.notation import RoundRecord, replay
from cardroom.engine.twentyone.state import Round
from cardroom.rules.twentyone import law


def unseen_hole(state: Round) -> tuple[tuple[Card, int], ...]:
    """What the hole card can be for all who see the table, with integer weights; nothing once it is seen."""
    if len(state.dealer) < 2 or state.turned > 1:
        return ()
    up, hole = state.dealer[:2]
    counts = list(state.undealt.counts)
    if state.rules.decks != "infinite":
        dealt_first = 2 * len(state.spots) + 2
        if state.source is not state.opening.shoe and state.opening.shoe.total >= dealt_first:
            return ((hole, 1),)  # every other card of the shoe it came from lies open
        counts[hole.index] += 1
    return tuple(
        (card, counts[card.index])
        for card in CARDS
        if counts[card.index] and not (state.looked and law.is_blackjack((up, card)))
    )


def with_hole(state: Round, card: Card) -> Round:
    """The same round with another hole card."""
    place = 2 * len(state.spots) + 1
    inputs = (*state.inputs[:place], card, *state.inputs[place + 1 :])
    return replay(RoundRecord(state.opening, inputs))[0]
