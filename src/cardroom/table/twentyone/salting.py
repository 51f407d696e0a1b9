"""The players' salts at a table: hashes with wagers on a shoe's first round, reveals, their end (PROC-6)."""

from __future__ import annotations

from dataclasses import replace

from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import Salts, Stage
from cardroom.table.purse import Purses
from cardroom.table.twentyone.events import (
    SaltCommitted,
    SaltRevealed,
    SaltsAsked,
    SaltsTaken,
    StakesHeld,
    TableEvent,
)
from cardroom.table.twentyone.requests import CloseWagers, CommitSalt, RevealSalt
from cardroom.table.twentyone.state import Phase, Shoe, TableState, refuse
from cardroom.table.twentyone.wagering import require_dealable

Outcome = tuple[TableState, list[TableEvent]]


def commit_salt(state: TableState, request: CommitSalt) -> Outcome:
    """The hash of a player's salt, while wagers on the first round of the shoe are open (PROC-6)."""
    shoe, salts = _salts(state)
    if not state.takes_wagers:
        refuse("the hash of a salt comes with a wager on the first round of a shoe", "PROC-6")
    if all(wager.player != request.player for wager in state.circles.values()):
        refuse(f"{request.player}: the hash of a salt comes with a wager", "PROC-6")
    after = salts.committed(request.player, request.salt_hash)
    if after is salts:
        return state, []
    event = SaltCommitted(request.player, request.salt_hash)
    return replace(state, shoe=replace(shoe, salts=after)), [event]


def close_wagers(state: TableState, request: CloseWagers, purses: Purses) -> Outcome:
    """No more wagers on the first round of the shoe: who gave a hash is asked for the salt (PROC-6).

    The wagers are checked, and stakes leave the purses now: what stands is dealt, so that no shoe whose salts
    are known is put away unseen (PROC-9).
    """
    shoe, salts = _salts(state)
    if state.phase is not Phase.WAGERS or not state.circles:
        refuse("salts are asked for when wagers stand", "PROC-6")
    after_asking = salts.with_wagers_closed()
    after = replace(state, shoe=replace(shoe, salts=after_asking), phase=Phase.SALTS)
    events: list[TableEvent] = [SaltsAsked(len(after_asking.entries))]
    if not request.holds:
        return after, events
    require_dealable(state, purses)
    players = dict.fromkeys(wager.player for _, wager in sorted(state.circles.items()))
    held = {player: state.staked_cents(player) for player in players}
    events += [StakesHeld(player, cents) for player, cents in held.items()]
    return replace(after, held=held), events


def reveal_salt(state: TableState, request: RevealSalt) -> Outcome:
    """A salt that was asked for; a second time changes nothing."""
    shoe, salts = _salts(state)
    revealed = salts.revealed(Commitment.parse(shoe.committed.commitment), request.salt)
    if revealed == salts:
        return state, []
    player = next(one.player for one in revealed.entries if one.salt == request.salt)
    after = replace(state, shoe=replace(shoe, salts=revealed))
    return after, [SaltRevealed(player, request.salt)]


def close_salts(state: TableState) -> Outcome:
    """The salts that were revealed are in the shoe, in the order of their hashes (PROC-6)."""
    shoe, salts = _salts(state)
    if state.phase is not Phase.SALTS:
        refuse("the salts are closed after they were asked for", "PROC-6")
    closed = salts.closed()
    after = replace(state, shoe=replace(shoe, salts=closed), phase=Phase.WAGERS)
    return after, [SaltsTaken(len(closed.entries) - closed.withheld, closed.withheld)]


def _salts(state: TableState) -> tuple[Shoe, Salts]:
    if state.shoe is None or state.shoe.salts is None:
        refuse("this shoe takes no salts", "PROC-6")
    return state.shoe, state.shoe.salts


def salts_done(shoe: Shoe) -> Shoe:
    """A shoe before its first card: where nobody gave a hash, nobody does from now on."""
    if shoe.salts is None or shoe.salts.stage is Stage.CLOSED:
        return shoe
    if shoe.salts.entries:
        refuse("the players' salts are revealed before the first card of a shoe", "PROC-6")
    return replace(shoe, salts=shoe.salts.closed())
