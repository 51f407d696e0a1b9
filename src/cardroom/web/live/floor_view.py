"""What the floor sees of a table: people, spots, who waits, the dealer, the shoe, calls, and the pace."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from cardroom.engine import twentyone as engine
from cardroom.presentation.floor import before_shuffle, cut_card_words, cut_words, riffle_words
from cardroom.table.happened import Happened
from cardroom.table.running import RunningTable
from cardroom.table.twentyone.study import ShownShuffle
from cardroom.web.live.calls_view import said_view
from cardroom.web.live.shown import view_of
from cardroom.web.live.twentyone_view import round_view


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
        **view_of(table.rules.game).floor_part(table),
    }


def happened_view(happening: Happened) -> dict[str, Any]:
    """A record of a table told, with the table after it where it is a card or a decision."""
    after = happening.after
    return {
        "seq": happening.seq,
        "at": happening.at,
        "who": happening.who,
        "what": happening.what,
        "events": list(happening.events),
        "reason": happening.reason,
        "round": None
        if after is None
        else round_view(engine.view(after, after.spots[0].number), None, (), after.rules),
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
