"""Side wagers: taken right to left, then paid right to left, once their cards are seen (SIDE-6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from cardroom.core.cards import Card
from cardroom.core.ids import line_words
from cardroom.engine.twentyone.events import (
    ENVY,
    BonusPaid,
    JackpotPaid,
    MeterRaised,
    MeterReset,
    ThirdCardDealt,
    WagerPaid,
    WagerTaken,
)
from cardroom.engine.twentyone.state import BESIDE, Place, Spot, Status
from cardroom.engine.twentyone.working import Working
from cardroom.rules.bets import MeterShare, Role, SideBet
from cardroom.rules.bets.trackers import PLAYERS_HAND

_DEALERS: Final[tuple[Role, ...]] = ("dealer_up", "dealer_hole", "dealer_draw")
_DRAWN: Final[tuple[Role, ...]] = ("dealer_draw", "player_draw")
"""Cards of hands that have ended: as many as there are."""


class _Won(NamedTuple):
    spot: Spot
    wager: str
    bet: SideBet
    cents: int
    line: str


def raise_meters(working: Working) -> None:
    """Put the house's part of every progressive wager into its meter, before the cards (SIDE-4)."""
    for spot in working.spots:
        for wager, cents in spot.side:
            bet = working.rules.side_bets[wager]
            if bet.meter_seed is not None:
                added = cents * bet.meter_increment_percent // 100
                _set_meter(working, wager, meter_cents(working, wager) + added)
                working.events.append(MeterRaised(wager, added, meter_cents(working, wager)))


def meter_cents(working: Working, wager: str) -> int:
    """What a meter shows now."""
    return dict(working.meters)[wager]


def _set_meter(working: Working, wager: str, cents: int) -> None:
    working.meters = tuple((name, cents if name == wager else shown) for name, shown in working.meters)


def waits_for_dealers_hand(working: Working) -> bool:
    """Whether a side wager is on the dealer's hand as it ends, so that the dealer plays it (SIDE-7)."""
    bets = working.rules.side_bets
    return any(bets[wager].on_dealers_hand for spot in working.spots for wager, _ in spot.side)


def waits_for_dealers_card(working: Working) -> bool:
    """Whether a side wager looks at the dealer's second card, so that the dealer takes it (21-1.19)."""
    bets = working.rules.side_bets
    return any(bets[wager].waits_for_hole_card for spot in working.spots for wager, _ in spot.side)


def third_cards_owed(working: Working) -> tuple[Place, ...]:
    """Where a third card is still dealt: for wagers on it that the play did not decide (SIDE-8)."""
    bets = working.rules.side_bets
    return tuple(
        (place, BESIDE)
        for place, spot in enumerate(working.spots)
        if spot.third is None and any(bets[wager].on_third_card for wager, _ in spot.side)
    )


def deal_beside(working: Working, place: int, card: Card) -> None:
    """Deal a spot's third card for its side wagers alone, and settle them (SIDE-8)."""
    spot = working.spots[place]
    working.spots[place] = replace(spot, third=card, third_lies_beside=True)
    working.events.append(ThirdCardDealt(spot.number, card))
    settle_side_bets(working)


def note_third(working: Working, place: int, card: Card) -> None:
    """Note the third card of a spot with side wagers, and settle those that it decides (SIDE-8)."""
    working.spots[place] = replace(working.spots[place], third=card)
    settle_side_bets(working)


def settle_side_bets(working: Working, *, dealer_is_done: bool = False) -> None:
    """Settle every side wager whose cards lie open."""
    won: list[_Won] = []
    for place in working.right_to_left:
        spot = working.spots[place]
        if not spot.side:
            continue
        hand_is_done = dealer_is_done or spot.hands[0].status is not Status.LIVE
        waiting = []
        for wager, cents in spot.side:
            bet = working.rules.side_bets[wager]
            own = spot.hands[0].cards if bet.on_players_hand else spot.first_two
            cards = _cards_seen(working, own, spot.third)
            waits = (bet.on_dealers_hand and not dealer_is_done) or (bet.on_players_hand and not hand_is_done)
            decided = None if waits else _decided(bet, cards)
            if decided is None:
                waiting.append((wager, cents))
                continue
            (line,) = decided
            if line is None:
                taken = WagerTaken(spot.number, spot.player, wager, 1, cents, "no line")
                working.events.append(taken)
            else:
                won.append(_Won(spot, wager, bet, cents, line))
        working.spots[place] = replace(spot, side=tuple(waiting))
    for winner in won:
        _pay(working, winner)
        _pay_envy(working, winner)


def settle_players_hands(working: Working) -> None:
    """Settle side wagers on the hands of players that have ended (SIDE-9)."""
    bets = working.rules.side_bets
    if any(bets[wager].on_players_hand for spot in working.spots for wager, _ in spot.side):
        settle_side_bets(working)


def _decided(bet: SideBet, cards: list[tuple[Role, Card]]) -> tuple[str | None] | None:
    """The line that a wager makes, in brackets, where the cards that lie open decide it; None where not."""
    seen = {*_DRAWN, *(role for role, _ in cards)}
    missing = tuple(role for role in bet.roles if role not in seen)
    if not missing:
        return (bet.line_of(cards),)
    return bet.decided(cards, missing) if missing == ("player_3",) else None


def _cards_seen(working: Working, own: Sequence[Card], third: Card | None) -> list[tuple[Role, Card]]:
    seen = [(PLAYERS_HAND[min(place, 2)], card) for place, card in enumerate(own)]
    if third is not None:
        seen.append(("player_3", third))
    for place, card in enumerate(working.dealer[: working.turned]):
        seen.append((_DEALERS[min(place, 2)], card))
    return seen


def _pay(working: Working, won: _Won) -> None:
    spot, wager, pays = won.spot, won.wager, won.bet.pays(won.line, won.cents)
    if isinstance(pays, MeterShare):
        # Two jackpots in one round: each wins what the meter shows when its turn to be paid comes.
        shown, seed = meter_cents(working, wager), int(won.bet.meter_seed or 0)
        jackpot = shown * pays.percent // 100
        working.events.append(JackpotPaid(spot.number, spot.player, wager, won.cents, jackpot))
        if pays.percent == 100:
            working.events.append(MeterReset(wager, seed))
        _set_meter(working, wager, seed if pays.percent == 100 else shown - jackpot)
        return
    payment = working.rules.payment(won.cents, pays)
    working.events.append(
        WagerPaid(spot.number, spot.player, wager, 1, won.cents, payment, pays, line_words(won.line))
    )


def _pay_envy(working: Working, won: _Won) -> None:
    """What every other player with the same wager gets when a line is won, right to left (SIDE-10)."""
    cents = won.bet.envy.get(won.line)
    if cents is None:
        return
    paid = {won.spot.player}
    for other in reversed(working.opening.wagers):
        if other.player not in paid and won.wager in dict(other.side):
            paid.add(other.player)
            working.events.append(BonusPaid(other.spot, other.player, ENVY, int(cents)))
