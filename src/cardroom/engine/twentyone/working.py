"""A round taken apart for one step: what the parts of the law read and change before it is frozen again."""

from __future__ import annotations

from dataclasses import replace

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.engine.twentyone.actions import Input, PlayerAction
from cardroom.engine.twentyone.events import (
    PRIMARY,
    CardsPickedUp,
    DiscardsShuffled,
    Event,
    RoundEnded,
    RoundVoided,
    ShoeRanOut,
    WagerReturned,
    WagerTaken,
)
from cardroom.engine.twentyone.state import Hand, Opening, Phase, Place, Round, Spot, Status
from cardroom.rules.twentyone import TwentyOneRules

NO_CARDS = CardCounts.of_cards(())


class Working:
    """The parts of a round, changeable, and the events that the step makes."""

    __slots__ = (
        "dealer",
        "dealt",
        "discards",
        "events",
        "hand",
        "inputs",
        "left",
        "looked",
        "meters",
        "opening",
        "options",
        "phase",
        "rules",
        "source",
        "spots",
        "stretches",
        "to_deal",
        "turn",
        "turned",
    )

    opening: Opening
    rules: TwentyOneRules
    inputs: tuple[Input, ...]
    stretches: tuple[tuple[int, str], ...]
    phase: Phase
    spots: list[Spot]
    dealer: tuple[Card, ...]
    turned: int
    looked: bool
    to_deal: tuple[Place, ...]
    turn: int
    hand: int
    options: tuple[PlayerAction, ...]
    source: CardCounts
    dealt: tuple[Card, ...]
    left: int
    discards: CardCounts
    meters: tuple[tuple[str, int], ...]
    events: list[Event]

    def __init__(self, state: Round) -> None:
        self.opening = state.opening
        self.rules = state.opening.rules
        self.inputs = state.inputs
        self.stretches = state.stretches
        self.phase = state.phase
        self.spots = list(state.spots)
        self.dealer = state.dealer
        self.turned = state.turned
        self.looked = state.looked
        self.to_deal = state.to_deal
        self.turn = state.turn
        self.hand = state.hand
        self.options = state.options
        self.source = state.source
        self.dealt = state.dealt
        self.left = state.left
        self.discards = state.discards
        self.meters = state.meters
        self.events = []

    def frozen(self) -> Round:
        return Round(
            self.opening,
            self.inputs,
            self.stretches,
            self.phase,
            tuple(self.spots),
            self.dealer,
            self.turned,
            self.looked,
            self.to_deal,
            self.turn,
            self.hand,
            self.options,
            self.source,
            self.dealt,
            self.left,
            self.discards,
            self.meters,
        )

    @property
    def right_to_left(self) -> range:
        """The places of the spots from third base to first."""
        return range(len(self.spots) - 1, -1, -1)

    @property
    def has_open_hand(self) -> bool:
        return any(hand.is_open for spot in self.spots for hand in spot.hands)

    def put_hand(self, place: int, number: int, hand: Hand) -> None:
        """Put a changed hand in its place."""
        spot = self.spots[place]
        self.spots[place] = spot.with_hands((*spot.hands[:number], hand, *spot.hands[number + 1 :]))

    def close_hand(self, place: int, number: int, status: Status) -> None:
        """Note how a hand's wager was decided."""
        self.put_hand(place, number, self.spots[place].hands[number].closed(status))

    def take_hand(self, place: int, number: int, why: str) -> None:
        """Take the losing wager of a hand."""
        spot = self.spots[place]
        stake = spot.hands[number].stake_cents
        self.events.append(WagerTaken(spot.number, spot.player, PRIMARY, number + 1, stake, why))
        self.close_hand(place, number, Status.LOST)

    def return_hand(self, place: int, number: int, status: Status, why: str) -> None:
        """Give the whole wager of a hand back."""
        spot = self.spots[place]
        stake = spot.hands[number].stake_cents
        self.events.append(WagerReturned(spot.number, spot.player, PRIMARY, number + 1, stake, why))
        self.close_hand(place, number, status)

    def pick_up(self, place: int, number: int) -> None:
        """Bring the cards of a hand to the discard rack, its wager being gone (PROC-12)."""
        spot = self.spots[place]
        hand = spot.hands[number]
        if hand.cards and not hand.picked_up:
            beside = (spot.third,) if spot.third and spot.third_lies_beside and number == 0 else ()
            self.events.append(CardsPickedUp(spot.number, number + 1, (*hand.cards, *beside)))
            self.put_hand(place, number, replace(hand, picked_up=True))

    def pick_up_lost(self, place: int, number: int) -> None:
        """Pick up a lost hand at once, unless wagers on the hole card still need to see its cards."""
        if not self.spots[place].side:
            self.pick_up(place, number)

    def end(self) -> None:
        """Pick up all cards, from the dealer's own, right to left (PROC-12)."""
        if self.dealer:
            self.events.append(CardsPickedUp(None, 1, self.dealer))
        for place in self.right_to_left:
            for number in range(len(self.spots[place].hands) - 1, -1, -1):
                self.pick_up(place, number)
        self.events.append(RoundEnded())
        self.phase = Phase.OVER
        self.options = ()
        self.to_deal = ()

    def shoe_ran_out(self) -> bool:
        """Deal on from the discards of earlier rounds; False when there are none either (21-1.13)."""
        self.events.append(ShoeRanOut())
        self.source, self.discards = self.discards, NO_CARDS
        self.dealt = ()
        self.left = self.source.total
        if not self.left:
            self.events.append(RoundVoided())
            return False
        self.events.append(DiscardsShuffled(self.left))
        return True
