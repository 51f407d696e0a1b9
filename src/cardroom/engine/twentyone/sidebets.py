"""Side wagers: taken right to left, then paid right to left, once their cards are seen (SIDE-6)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from cardroom.core.cards import Card
from cardroom.core.ids import line_words
from cardroom.engine.twentyone.events import JackpotPaid, MeterRaised, MeterReset, WagerPaid, WagerTaken
from cardroom.engine.twentyone.state import Spot
from cardroom.engine.twentyone.working import Working
from cardroom.rules.sidebets import SIDE_BETS, MonsterTable, Role, SideBet


class _Won(NamedTuple):
    spot: Spot
    bet: SideBet
    cents: int
    line: str


def raise_meters(working: Working) -> None:
    """Put the house's part of every progressive wager into its meter, before the cards (SIDE-4)."""
    for spot in working.spots:
        for wager, cents in spot.side:
            table = working.rules.side_bets[wager]
            if isinstance(table, MonsterTable):
                added = cents * table.meter_increment_percent // 100
                _set_meter(working, wager, meter_cents(working, wager) + added)
                working.events.append(MeterRaised(wager, added, meter_cents(working, wager)))


def meter_cents(working: Working, wager: str) -> int:
    """What a meter shows now."""
    return dict(working.meters)[wager]


def _set_meter(working: Working, wager: str, cents: int) -> None:
    working.meters = tuple((name, cents if name == wager else shown) for name, shown in working.meters)


def settle_side_bets(working: Working) -> None:
    """Settle every side wager whose cards lie open."""
    won: list[_Won] = []
    for place in working.right_to_left:
        spot = working.spots[place]
        if not spot.side:
            continue
        cards = _cards_seen(working, spot)
        waiting = []
        for wager, cents in spot.side:
            bet = SIDE_BETS[wager]
            if not cards.keys() >= set(bet.looks_at):
                waiting.append((wager, cents))
                continue
            line = bet.decide(cards)
            if line is None:
                taken = WagerTaken(spot.number, spot.player, wager, 1, cents, "no line")
                working.events.append(taken)
            else:
                won.append(_Won(spot, bet, cents, line))
        working.spots[place] = replace(spot, side=tuple(waiting))
    for winner in won:
        _pay(working, winner)


def _cards_seen(working: Working, spot: Spot) -> dict[Role, Card]:
    first, second = spot.first_two
    cards: dict[Role, Card] = {"first": first, "second": second, "up": working.dealer[0]}
    if working.turned > 1:
        cards["hole"] = working.dealer[1]
    return cards


def _pay(working: Working, won: _Won) -> None:
    spot, wager = won.spot, won.bet.wager
    table = working.rules.side_bets[wager]
    if won.line == won.bet.progressive_line:
        # Two jackpots in one round: each wins what the meter shows when its turn to be paid comes.
        assert isinstance(table, MonsterTable)
        jackpot, seed = meter_cents(working, wager), int(table.meter_seed)
        working.events.append(JackpotPaid(spot.number, spot.player, wager, won.cents, jackpot))
        working.events.append(MeterReset(wager, seed))
        _set_meter(working, wager, seed)
        return
    odds = table.odds(won.line)
    payment = working.rules.payment(won.cents, odds)
    working.events.append(
        WagerPaid(spot.number, spot.player, wager, 1, won.cents, payment, odds, line_words(won.line))
    )
