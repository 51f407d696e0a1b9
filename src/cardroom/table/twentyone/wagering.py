"""Wagers between rounds: in one's own circles, with chips one has, checked before the cards (PROC-9)."""

from __future__ import annotations

from dataclasses import replace

from cardroom.engine.twentyone import SpotWager, Undealt, dealable, why_not_stand, why_not_start
from cardroom.presentation.money import dollars
from cardroom.table.purse import Purses
from cardroom.table.twentyone.events import TableEvent, WagersCleared, WagersReturned, WagersSet
from cardroom.table.twentyone.requests import ClearWagers, PlaceWagers, ReturnWagers
from cardroom.table.twentyone.seating import require_own_spot
from cardroom.table.twentyone.state import Phase, TableState, refuse

Outcome = tuple[TableState, list[TableEvent]]


def place_wagers(state: TableState, request: PlaceWagers, purses: Purses) -> Outcome:
    """Put a spot's wagers in its circles in place of what stood there, if the player's purse has them.

    A wager below its minimum stands for now: further chips may come before it is checked (PROC-9).
    """
    _require_wagers_open(state)
    require_own_spot(state, request.player, request.spot)
    wager = SpotWager(request.spot, request.player, request.stake_cents, request.side)
    refusal = why_not_stand(state.rules, wager)
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


def return_wagers(state: TableState, request: ReturnWagers) -> Outcome:
    """The house gives wagers back before the round, all of a spot or some side wagers, and says why."""
    _require_wagers_open(state)
    wager = state.circles.get(request.spot)
    if wager is None or not dict(wager.side).keys() >= set(request.side):
        refuse(f"no such wager stands on spot {request.spot}", "PROC-9")
    circles = {spot: other for spot, other in state.circles.items() if spot != request.spot}
    returned_cents = wager.total_cents
    if request.side:
        kept = {name: cents for name, cents in wager.side if name not in request.side}
        left = SpotWager(wager.spot, wager.player, wager.stake_cents, kept)
        circles[request.spot] = left
        returned_cents -= left.total_cents
    event = WagersReturned(wager.player, request.spot, request.side, returned_cents, request.why)
    return replace(state, circles=circles), [event]


def undealt(state: TableState, spot: int) -> tuple[Undealt, ...]:
    """What stands on a spot and would not be dealt as it is, each part with its reason."""
    wager = state.circles.get(spot)
    return () if wager is None else dealable(state.rules, wager)[1]


def require_dealable(state: TableState, purses: Purses) -> None:
    """Check all wagers before the cards: each within its limits, and its chips there (PROC-2, PROC-9)."""
    refusal = why_not_start(state.rules, tuple(state.circles.values()))
    if refusal is not None:
        raise refusal.error()
    for player in {wager.player for wager in state.circles.values()}:
        if state.free_cents(player, purses) < 0:
            staked = dollars(state.staked_cents(player))
            refuse(f"{player}: the chips for {staked} are not there any more", "PROC-9")


def _require_wagers_open(state: TableState) -> None:
    if state.in_round:
        refuse("the wagers have been checked, and none changes during the round", "PROC-9")
    if state.phase is Phase.SALTS:
        refuse("no more wagers: the players' salts are revealed, and the cards come", "PROC-9")
    if state.phase is Phase.CLOSED:
        refuse("the table is closed; no wager is taken", "PROC-1")
