"""Who is at the table and where: spots, several for one player, and the waiting list (PROC-3)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

from cardroom.core.errors import MalformedInput
from cardroom.table.twentyone.events import (
    PlayerLeft,
    PlayerSat,
    PlayerWaited,
    SpotGivenUp,
    SpotTaken,
    TableEvent,
)
from cardroom.table.twentyone.requests import Leave, ReleaseSpot, Sit, TakeSpot, Wait
from cardroom.table.twentyone.state import Phase, TableState, refuse

SPOTS_WHILE_SOMEBODY_WAITS: Final = 2
"""A player on more spots gives them up at once; on so many, one after the shoe (PROC-3)."""
LONGEST_NAME: Final = 40

Outcome = tuple[TableState, list[TableEvent]]
Why = Literal["released", "somebody waits", "left", "taken by the floor"]


def sit(state: TableState, request: Sit) -> Outcome:
    """Let a player come to the table."""
    name = request.player
    if not name.strip() or not name.isprintable() or len(name) > LONGEST_NAME:
        raise MalformedInput(f"{name[:60]!r} is not a player's name; write up to {LONGEST_NAME} letters")
    if name in state.players:
        refuse(f"{name} is at the table already", "PROC-3")
    return replace(state, players=(*state.players, name)), [PlayerSat(name)]


def require_seated(state: TableState, player: str) -> None:
    if player not in state.players:
        refuse(f"{player} is not at the table", "PROC-3")


def require_own_spot(state: TableState, player: str, spot: int) -> None:
    """Refuse a spot that does not exist, or is another player's, or nobody's."""
    require_seated(state, player)
    _require_spot(state, spot)
    owner = state.owners.get(spot)
    if owner is None:
        refuse(f"spot {spot} is nobody's yet; take it first", "PROC-3")
    if owner != player:
        refuse(f"spot {spot} is played by {owner}; a spot has one player", "PROC-3")


def _require_spot(state: TableState, spot: int) -> None:
    spots = state.rules.procedure.spots
    if not 1 <= spot <= spots:
        refuse(f"there is no spot {spot}; the spots are 1 to {spots}", "PROC-3")


def _in_play(state: TableState, spot: int) -> bool:
    if state.phase is Phase.SALTS:
        return spot in state.circles
    return state.in_round and state.round is not None and any(s.number == spot for s in state.round.spots)


def has_wager_in_play(state: TableState, player: str) -> bool:
    """Whether a round is in play, or about to begin, with wagers of a player."""
    return any(_in_play(state, spot) for spot in state.spots_of(player))


def take_spot(state: TableState, request: TakeSpot) -> Outcome:
    """Give a free spot to a player; those who wait come first."""
    player, spot = request.player, request.spot
    require_seated(state, player)
    _require_spot(state, spot)
    owner = state.owners.get(spot)
    if owner == player:
        refuse(f"spot {spot} is {player}'s already", "PROC-3")
    if owner is not None:
        refuse(f"spot {spot} is played by {owner}; a spot has one player", "PROC-3")
    if state.waiting and state.waiting[0] != player:
        refuse(f"{state.waiting[0]} waits for a spot, and new players have priority", "PROC-3")
    waiting = tuple(name for name in state.waiting if name != player)
    after = replace(state, owners={**state.owners, spot: player}, waiting=waiting)
    return after, [SpotTaken(player, spot)]


def wait(state: TableState, request: Wait) -> Outcome:
    """Put a player without a spot on the waiting list; others give spots up for them."""
    player = request.player
    require_seated(state, player)
    if player in state.waiting:
        refuse(f"{player} waits already", "PROC-3")
    if state.spots_of(player):
        refuse(f"{player} has a spot; waiting is for new players", "PROC-3")
    if len(state.owners) < state.rules.procedure.spots and not state.waiting:
        refuse("there is a free spot; take it", "PROC-3")
    after = replace(state, waiting=(*state.waiting, player))
    events: list[TableEvent] = [PlayerWaited(player, len(after.waiting))]
    after, releases = give_up_spots(after, shoe_over=_between_shoes(state))
    return after, events + releases


def _between_shoes(state: TableState) -> bool:
    """Whether no round has begun from the shoe that is to be used: a shoe begins with its first round."""
    return not state.in_round and (
        state.phase is not Phase.WAGERS or state.shoe is None or not state.shoe.rounds
    )


def release_spot(state: TableState, request: ReleaseSpot) -> Outcome:
    """Give one's own spot up; the first who waits gets it."""
    require_own_spot(state, request.player, request.spot)
    if _in_play(state, request.spot):
        refuse(f"spot {request.spot} is in play until the round is over", "PROC-9")
    after, events = _free(
        state, request.player, request.spot, "taken by the floor" if request.by_floor else "released"
    )
    after, seated = _seat_waiting(after)
    return after, events + seated


def leave(state: TableState, request: Leave) -> Outcome:
    """Let a player go, when none of their spots is in play."""
    player = request.player
    require_seated(state, player)
    spots = state.spots_of(player)
    if has_wager_in_play(state, player):
        refuse(f"{player} has wagers in play until the round is over", "PROC-9")
    events: list[TableEvent] = []
    for spot in spots:
        state, releases = _free(state, player, spot, "left")
        events += releases
    events.append(PlayerLeft(player, request.why))
    after = replace(
        state,
        players=tuple(name for name in state.players if name != player),
        waiting=tuple(name for name in state.waiting if name != player),
    )
    after, seated = _seat_waiting(_without_salt(after, player))
    return after, events + seated


def _without_salt(state: TableState, player: str) -> TableState:
    """Who leaves takes along the hash of a salt that was not asked for yet (PROC-6)."""
    shoe = state.shoe
    if shoe is None or shoe.salts is None:
        return state
    return replace(state, shoe=replace(shoe, salts=shoe.salts.without(player)))


def give_up_spots(state: TableState, *, shoe_over: bool = False) -> Outcome:
    """While somebody waits: down to two spots at once; after the shoe, those on two give one up."""
    events: list[TableEvent] = []
    for player in state.players:
        for spot in reversed(state.spots_of(player)):
            if state.waiting and len(state.spots_of(player)) > SPOTS_WHILE_SOMEBODY_WAITS:
                if not _in_play(state, spot):
                    state, releases = _free(state, player, spot, "somebody waits")
                    events += releases
    state, seated = _seat_waiting(state)
    events += seated
    if shoe_over:
        for player in state.players:
            spots = state.spots_of(player)
            if state.waiting and len(spots) == SPOTS_WHILE_SOMEBODY_WAITS:
                state, releases = _free(state, player, spots[-1], "somebody waits")
                state, seated = _seat_waiting(state)
                events += releases + seated
    return state, events


def _free(state: TableState, player: str, spot: int, why: Why) -> Outcome:
    owners = {number: owner for number, owner in state.owners.items() if number != spot}
    circles = {number: wager for number, wager in state.circles.items() if number != spot}
    return replace(state, owners=owners, circles=circles), [SpotGivenUp(player, spot, why)]


def _seat_waiting(state: TableState) -> Outcome:
    """Free spots go to those who wait, first come first, from first base on."""
    events: list[TableEvent] = []
    for spot in range(1, state.rules.procedure.spots + 1):
        if state.waiting and spot not in state.owners:
            first, *rest = state.waiting
            state = replace(state, waiting=tuple(rest), owners={**state.owners, spot: first})
            events.append(SpotTaken(first, spot))
    return state, events
