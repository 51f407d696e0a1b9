"""What the floor sees of a table: people, spots, who waits, the dealer, the shoe, calls, and the pace."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from cardroom.core.cards import parse_cards
from cardroom.engine import twentyone as engine
from cardroom.presentation.floor import before_shuffle, cut_card_words, cut_words, meter_words, riffle_words
from cardroom.rules.twentyone.cuts import dealer_cut_range, player_cut_range
from cardroom.table.happened import Happened
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.table.running import Finished, RunningTable
from cardroom.table.twentyone.finished import FinishedRound
from cardroom.table.twentyone.inspection import what_is_wrong
from cardroom.table.twentyone.replaying import meters_of
from cardroom.table.twentyone.running import TwentyOneTable
from cardroom.table.twentyone.state import Phase
from cardroom.table.twentyone.study import ShownShuffle
from cardroom.web.live.calls_view import said_view
from cardroom.web.live.twentyone_view import round_view

_TOLD: Final = 12


def floor_table_view(table: RunningTable, now: datetime) -> dict[str, Any]:
    """A table as the floor sees it; no card that lies face down."""
    pace = table.floor.pace
    return {
        "table": table.id,
        "game": table.rules.game,
        "title": table.rules.title,
        "open": table.enabled,
        "private": table.owner is not None,
        "dealing": table.dealing,
        "players": table.player_count,
        "frozen": said_view(table.floor.frozen),
        "call": said_view(table.floor.call),
        "rounds_per_hour": pace.rounds_per_hour(now),
        "seconds_per_decision": pace.seconds_per_decision(now),
        "last": None if table.last is None else table.last.id,
        **(_dealt(table) if isinstance(table, TwentyOneTable) else _laid(table)),
    }


def _dealt(table: TwentyOneTable) -> dict[str, Any]:
    """A table of the blackjack family, on which the floor can do every procedure by hand."""
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
        "told": table.told[-_TOLD:],
    }


def _failed(table: TwentyOneTable) -> list[dict[str, Any]]:
    """The decks that keep the table closed, each with what is wrong with it (PROC-1)."""
    faults = (
        (number, what_is_wrong(table.rules.deck, parse_cards(deck)))
        for number, deck in enumerate(table.brought, 1)
    )
    return [{"deck": number, "why": why} for number, why in faults if why is not None]


def _laid(table: RunningTable) -> dict[str, Any]:
    """A table whose cards are laid out: it has places, and no procedure that is done by hand."""
    seated = table.seated.values() if isinstance(table, Knockout52Table) else ()
    return {
        "by_hand": False,
        "phase": "round" if table.dealing else "wagers",
        "dealer": "",
        "spots": [
            {"number": place, "player": one.name, "staked_cents": one.stake_cents}
            for place, one in enumerate(seated, 1)
        ],
        "waiting": [],
        "round": table.counts()[0],
        "shoe": table.counts()[1],
        "cards_left": None,
        "to_burn": None,
        "failed": [],
        "told": [],
    }


def people_at(table: RunningTable) -> list[tuple[str, str]]:
    """Who plays at a table, as id and name; computer players are the house's own."""
    if isinstance(table, TwentyOneTable):
        return [(own, name) for name, own in table.names.items() if not table.is_computer(name)]
    if isinstance(table, Knockout52Table):
        return [(own, one.name) for own, one in table.seated.items()]
    return []


def meters_view(finished: Finished) -> list[dict[str, str]]:
    """Why the meters that a round moved stay as they are when its result is put right, with the clause."""
    if not isinstance(finished, FinishedRound):
        return []
    bets = finished.rules.side_bets
    return [
        {"words": words, "clause": bets[meter.wager].clause}
        for meter in meters_of(finished)
        for words in meter_words(bets[meter.wager].title, meter.contributed_cents, meter.paid_cents)
    ]


def happened_view(told: Happened) -> dict[str, Any]:
    """A record of a table told, with the table after it where it is a card or a decision."""
    after = told.after
    return {
        "seq": told.seq,
        "at": told.at,
        "who": told.who,
        "what": told.what,
        "events": list(told.events),
        "reason": told.reason,
        "round": None if after is None else round_view(engine.view(after, after.spots[0].number), None, ()),
    }


def shuffle_view(shown: ShownShuffle) -> dict[str, Any]:
    """The house's shuffle in steps: what is done, and how many cards lie in the corners and the middle."""
    steps: list[tuple[str, tuple[int, ...]]] = [
        (before_shuffle(is_new_game=shown.start == "new game"), (*shown.piles, 0))
    ]
    steps += [
        (riffle_words(number, one.corners, one.hands), (*one.piles, one.middle))
        for number, one in enumerate(shown.riffles, 1)
    ]
    last = steps[-1][1]
    steps += [(cut_words(shown.cut), last), (cut_card_words(shown.cut_card, shown.kept_pairs), last)]
    return {
        "start": shown.start,
        "cards": shown.cards,
        "steps": [{"words": words, "piles": list(piles)} for words, piles in steps],
    }
