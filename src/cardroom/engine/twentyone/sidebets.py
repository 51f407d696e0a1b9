"""Side wagers: taken right to left, then paid right to left, once their cards are seen (SIDE-6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

from cardroom.core.cards import Card
from cardroom.core.ids import line_words
from cardroom.engine.twentyone.events import (
    JackpotPaid,
    MeterRaised,
    MeterReset,
    ThirdCardDealt,
    WagerPaid,
    WagerTaken,
)
from cardroom.engine.twentyone.state import BESIDE, Place, Spot
from cardroom.engine.twentyone.working import Working
from cardroom.rules.bets import MeterShare, Role, SideBet

_DEALERS: Final[tuple[Role, ...]] = ("dealer_up", "dealer_hole", "dealer_draw")


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
        cards = _cards_seen(working, spot)
        waiting = []
        for wager, cents in spot.side:
            bet = working.rules.side_bets[wager]
            decided = _decided(bet, cards, dealer_is_done=dealer_is_done)
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


def _decided(
    bet: SideBet, cards: list[tuple[Role, Card]], *, dealer_is_done: bool
) -> tuple[str | None] | None:
    """The line that a wager makes, in brackets, where the cards that lie open decide it; None where not."""
    seen = {role for role, _ in cards}
    if bet.on_dealers_hand:
        return (bet.line_of(cards),) if dealer_is_done else None
    missing = tuple(role for role in bet.roles if role not in seen)
    if not missing:
        return (bet.line_of(cards),)
    return bet.decided(cards, missing) if missing == ("player_3",) else None


def _cards_seen(working: Working, spot: Spot) -> list[tuple[Role, Card]]:
    first, second = spot.first_two
    seen: list[tuple[Role, Card]] = [("player_1", first), ("player_2", second)]
    if spot.third is not None:
        seen.append(("player_3", spot.third))
    for place, card in enumerate(working.dealer[: working.turned]):
        seen.append((_DEALERS[min(place, 2)], card))
    return seen


def _pay(working: Working, won: _Won) -> None:
    spot, wager, pays = won.spot, won.wager, won.bet.pays(won.line)
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
