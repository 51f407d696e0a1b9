"""States of a round that need not be told apart when its tree is walked."""

from __future__ import annotations

from cardroom.engine.twentyone.state import Round


def alike(state: Round) -> str:
    """The same for all states of a round with one spot from which the same can follow with the same chances.

    The order of a hand's cards does not matter, but for the card that a split began it with; nor do the
    cards of a hand that is decided, nor in which order hands were played that wait for the dealer.
    """
    (spot,) = state.spots
    hands = [
        (
            hand.cards[: hand.from_split],
            sorted(hand.cards),
            hand.stake_cents,
            hand.doubles,
            hand.status,
        )
        if hand.is_open
        else ((), [], 0, 0, "decided")
        for hand in spot.hands
    ]
    return repr(
        (
            state.phase,
            state.dealer[:1],
            sorted(state.dealer[1:]),
            state.turned,
            state.looked,
            state.to_deal,
            state.hand,
            sorted(hands[: state.hand]),
            hands[state.hand :],
            state.options,
            sorted(state.dealt),
        )
    )
