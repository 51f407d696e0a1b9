"""Wagers between rounds: in one's own circles, within the limits, with chips one has (PROC-2, PROC-9)."""

from __future__ import annotations

from dataclasses import replace

from cardroom.engine.twentyone import SpotWager, why_not_start
from cardroom.presentation.money import dollars
from cardroom.table.purse import Purses
from cardroom.table.twentyone.events import TableEvent, WagersCleared, WagersSet
from cardroom.table.twentyone.requests import ClearWagers, PlaceWagers
from cardroom.table.twentyone.seating import require_own_spot
from cardroom.table.twentyone.state import Phase, TableState, refuse

Outcome = tuple[TableState, list[TableEvent]]


def place_wagers(state: TableState, request: PlaceWagers, purses: Purses) -> Outcome:
    """Put a spot's wagers in its circles in place of what stood there, if the player's purse has them."""
    _require_wagers_open(state)
    require_own_spot(state, request.player, request.spot)
    wager = SpotWager(request.spot, request.player, request.stake_cents, request.side)
    refusal = why_not_start(state.rules, [wager])
    if refusal is not None:
        raise refusal.error()
    stood = state.circles.get(request.spot)
    stood_cents = stood.total_cents if stood else 0
    if wager.total_cents > stood_cents:
        purses(request.player).admit(wager.total_cents - stood_cents)
    free = state.free_cents(request.player, purses) + stood_cents
    if wager.total_cents > free:
        need, has = (dollars(cents) for cents in (wager.total_cents, free))
        refuse(f"{request.player}: {need} is more than the {has} in chips", "PROC-9")
    after = replace(state, circles={**state.circles, request.spot: wager})
    return after, [WagersSet(request.player, request.spot, wager.stake_cents, wager.side)]


def clear_wagers(state: TableState, request: ClearWagers) -> Outcome:
    """Take a spot's wagers back before they are checked."""
    _require_wagers_open(state)
    require_own_spot(state, request.player, request.spot)
    if request.spot not in state.circles:
        refuse(f"no wager stands on spot {request.spot}", "PROC-9")
    circles = {spot: wager for spot, wager in state.circles.items() if spot != request.spot}
    return replace(state, circles=circles), [WagersCleared(request.player, request.spot)]


def _require_wagers_open(state: TableState) -> None:
    if state.in_round:
        refuse("the wagers have been checked, and none changes during the round", "PROC-9")
    if state.phase is Phase.SALTS:
        refuse("no more wagers: the players' salts are revealed, and the cards come", "PROC-9")
    if state.phase is Phase.CLOSED:
        refuse("the table is closed; no wager is taken", "PROC-1")
