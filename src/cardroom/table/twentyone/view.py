"""What a player, or somebody who only looks on, may know of a table."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.engine import twentyone
from cardroom.engine.twentyone import PlayerAction, SpotWager, View
from cardroom.table.purse import Purses
from cardroom.table.twentyone.machine import awaits, options
from cardroom.table.twentyone.state import Awaited, Phase, TableState


@dataclass(frozen=True, slots=True)
class SpotView:
    """A spot as everybody sees it."""

    number: int
    player: str | None
    wager: SpotWager | None
    """What stands in its circles for the next round."""


@dataclass(frozen=True, slots=True)
class TableView:
    """The table without what lies face down: neither hole card nor shoe nor burned cards."""

    player: str | None
    game: str
    rules_hash: str
    phase: Phase
    awaits: Awaited
    options: tuple[PlayerAction, ...]
    """What this player may do now."""
    spots: tuple[SpotView, ...]
    own_spots: tuple[int, ...]
    players: tuple[tuple[str, int], ...]
    """Everybody at the table with their chips in cents."""
    chips_cents: int
    free_cents: int
    waiting: tuple[str, ...]
    round: View | None
    """The round in play or the last one."""
    rounds: int
    shoe: int
    commitment: str | None
    cards_left: int | None
    cut_card_out: bool
    discards: int
    meters: tuple[tuple[str, int], ...]
    dealer: str


def view(state: TableState, player: str | None, purses: Purses) -> TableView:
    """What a player may know; None for somebody who only looks on."""
    shoe, game = state.shoe, state.round
    own = state.spots_of(player) if player is not None else ()
    in_use = shoe is not None and state.phase not in (Phase.CLOSED, Phase.SHUFFLE)
    dealt_from = shoe if in_use else None
    awaited = awaits(state, purses)
    seat = awaited.spot if awaited.spot in own else own[0] if own else game.spots[0].number if game else 1
    assert seat is not None
    return TableView(
        player=player,
        game=state.rules.game,
        rules_hash=state.rules.rules_hash,
        phase=state.phase,
        awaits=awaited,
        options=options(state, player, purses) if player is not None else (),
        spots=tuple(
            SpotView(spot, state.owners.get(spot), state.circles.get(spot))
            for spot in range(1, state.rules.procedure.spots + 1)
        ),
        own_spots=own,
        players=tuple((name, purses(name).chips_cents) for name in state.players),
        chips_cents=purses(player).chips_cents if player is not None else 0,
        free_cents=state.free_cents(player, purses) if player is not None else 0,
        waiting=state.waiting,
        round=None if game is None else twentyone.view(game, seat),
        rounds=state.rounds,
        shoe=state.shoes,
        commitment=dealt_from.committed.commitment if dealt_from else None,
        cards_left=dealt_from.cards - dealt_from.dealt if dealt_from and dealt_from.cards else None,
        cut_card_out=bool(dealt_from and dealt_from.cut_card_out),
        discards=len(dealt_from.rack) if dealt_from else 0,
        meters=tuple((wager, meter.shown_cents) for wager, meter in state.meters.items()),
        dealer=state.dealer,
    )
