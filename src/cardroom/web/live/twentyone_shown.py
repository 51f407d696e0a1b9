"""How the house shows the blackjack family: to the lobby, the floor, and whoever opens a finished round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from cardroom.core.cards import parse_cards
from cardroom.presentation.floor import meter_words
from cardroom.rules.twentyone.cuts import dealer_cut_range, player_cut_range
from cardroom.store.log import LogRecord
from cardroom.table.happened import Happened
from cardroom.table.running import Finished, RunningTable
from cardroom.table.twentyone import replaying
from cardroom.table.twentyone.finished import FinishedRound
from cardroom.table.twentyone.inspection import what_is_wrong
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.table.twentyone.state import Phase
from cardroom.web.layouts import twentyone_layout
from cardroom.web.live.shown import LobbyRow, RoundPage
from cardroom.web.live.twentyone_view import announcement_view, finished_view
from cardroom.web.players.player import Player

_TOLD: Final = 12


def lobby_row(table: RunningTable) -> LobbyRow:
    """The table as the lobby lists it."""
    assert isinstance(table, TwentyOneTable)
    return LobbyRow(
        address=f"/tables/{table.id}",
        title=table.rules.title,
        taken=len(table.state.owners),
        seats=table.rules.procedure.spots,
        dealing="a round in play",
    )


def round_page(finished: Finished, visitor: Player, decision_seconds: float) -> RoundPage:
    """The page by which a finished round is shared."""
    assert isinstance(finished, FinishedRound)
    layout = twentyone_layout(finished.rules, decision_seconds)
    return RoundPage("round21.html", finished_view(finished, visitor), layout)


def floor_part(table: RunningTable) -> dict[str, Any]:
    """A table on which the floor can do every procedure by hand."""
    assert isinstance(table, TwentyOneTable)
    state, rules = table.state, table.rules
    shoe = state.shoe if state.phase not in (Phase.CLOSED, Phase.SHUFFLE) else None
    players, dealer = None, None
    if rules.decks != "infinite":
        players, dealer = player_cut_range(rules), dealer_cut_range(rules)
    return {
        "by_hand": True,
        "phase": str(state.phase),
        "dealer": state.dealer,
        "spots": [
            {
                "number": spot,
                "player": state.owners.get(spot),
                "staked_cents": state.circles[spot].total_cents if spot in state.circles else 0,
            }
            for spot in range(1, rules.procedure.spots + 1)
        ],
        "waiting": list(state.waiting),
        "round": state.rounds,
        "shoe": state.shoes,
        "cards_left": shoe.cards - shoe.dealt if shoe is not None and shoe.cards is not None else None,
        "to_burn": None if shoe is None else shoe.to_burn,
        "decks": 1 if rules.decks == "infinite" else rules.decks,
        "failed": _failed(table),
        "player_cut": None if players is None else [players.least, players.most],
        "dealer_cut": None if dealer is None else [dealer.least, dealer.most],
        "told": table.sentences[-_TOLD:],
    }


def _failed(table: TwentyOneTable) -> list[dict[str, Any]]:
    """The decks that keep the table closed, each with what is wrong with it (PROC-1)."""
    faults = (
        (number, what_is_wrong(table.rules.deck, parse_cards(deck)))
        for number, deck in enumerate(table.brought, 1)
    )
    return [{"deck": number, "why": why} for number, why in faults if why is not None]


def notices(table: RunningTable) -> dict[str, Any]:
    """How many wait for a spot, and rules that are announced."""
    assert isinstance(table, TwentyOneTable)
    return {"waiting": len(table.state.waiting), "announcement": announcement_view(table)}


def people_at(table: RunningTable) -> list[tuple[str, str]]:
    """Who plays there, as id and name; computer players are the house's own."""
    assert isinstance(table, TwentyOneTable)
    return [(own, name) for name, own in table.names.items() if not table.is_computer(name)]


def hand_in_play(table: RunningTable, records: Sequence[LogRecord]) -> list[Happened]:
    """What records say of the table since its last round was over."""
    assert isinstance(table, TwentyOneTable)
    computers = [name for name in table.names if table.is_computer(name)]
    return replaying.retold(records, table.rules, dealer=_dealer_of(table.last), computers=computers)


def retold(finished: Finished, records: Sequence[LogRecord], before: Finished | None) -> list[Happened]:
    """A finished round as it happened."""
    assert isinstance(finished, FinishedRound)
    return replaying.retold(records, finished.rules, finished, dealer=_dealer_of(before))


def _dealer_of(finished: Finished | None) -> str:
    """Who dealt a round; nobody is named where the house's own dealer did."""
    return finished.dealer if isinstance(finished, FinishedRound) else ""


def names(finished: Finished) -> dict[str, str]:
    """What its players were called at the table, by their ids."""
    assert isinstance(finished, FinishedRound)
    return {player: name for name, player in finished.players.items()}


def meter_notes(finished: Finished) -> list[dict[str, str]]:
    """Why the meters that a round moved stay as they are when its result is put right, with the clause."""
    assert isinstance(finished, FinishedRound)
    bets = finished.rules.side_bets
    return [
        {"words": words, "clause": bets[meter.wager].clause}
        for meter in replaying.meters_of(finished)
        for words in meter_words(bets[meter.wager].title, meter.contributed_cents, meter.paid_cents)
    ]
