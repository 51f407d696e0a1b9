"""A drawn draw shown card by card at the pace of a wall: what is shown is what was drawn, in its order."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from cardroom.core.cards import parse_cards
from cardroom.engine import knockout21 as engine
from cardroom.lottery.house import Lottery
from cardroom.lottery.ticket_text import play_of
from cardroom.rules.knockout21 import GAME_OF_POSITION, HANDS_OF_GAME
from cardroom.store import lottery as rows

_SECONDS: Final[dict[type, float]] = {
    engine.DrawStarted: 2.0,
    engine.HitCardShown: 1.1,
    engine.DealerCardDealt: 0.8,
    engine.HandPlayed: 1.0,
    engine.GameWon: 2.5,
    engine.DrawSettled: 0.5,
}
"""How long each event stands before the next."""


@dataclass(frozen=True, slots=True)
class DrawShow:
    """The events of a draw with the moment at which each is shown."""

    draw: int
    started_at: datetime
    moments: tuple[datetime, ...]
    messages: tuple[bytes, ...]
    """Each event as a server-sent one, ready for any number of screens."""

    @property
    def ends_at(self) -> datetime:
        return self.moments[-1]

    def shown(self, now: datetime) -> int:
        """How many events have been shown by now."""
        return bisect_right(self.moments, now)


def show_of(lottery: Lottery, number: int, started_at: datetime, *, pace: float = 1.0) -> DrawShow:
    """The show of a drawn draw; `pace` stretches or shortens its time."""
    with lottery.database.read() as connection:
        draw = rows.find_draw(connection, number)
        assert draw is not None
        assert draw.cards is not None
        rules = lottery.rules_of(connection, draw.rules_hash)
        tickets = tuple(
            play_of(hands, choices) for _, hands, choices, _ in rows.pool_of_draw(connection, number)
        )
    pool = engine.Pool(tickets, parse_cards(draw.first_cards or ""))
    _, events = engine.play(rules, pool, engine.cards_in_order(engine.Draw.parse(draw.cards)))
    moment, moments, messages = started_at, [], []
    for index, event in enumerate(events):
        line = {"draw": number, "index": index, "at": moment.isoformat(), **_event_body(event)}
        if line["kind"] == "hit" and line["game"] == 2:
            line["first_card"] = pool.first_cards[
                line["hand"] - 1
            ].text  # known since sales opened (KO21-1.5)
        text = json.dumps(line, separators=(",", ":"))
        messages.append(f"id: {number}.{index + 1}\nevent: draw\ndata: {text}\n\n".encode())
        moments.append(moment)
        moment += timedelta(seconds=pace * _SECONDS[type(event)])
    return DrawShow(number, started_at, tuple(moments), tuple(messages))


def _event_body(event: engine.Event) -> dict[str, Any]:
    match event:
        case engine.DrawStarted():
            return {"kind": "started", "tickets": event.tickets, "first_cards": _texts(event.first_cards)}
        case engine.HitCardShown():
            return {"kind": "hit", **_place(event.position), "card": event.card.text}
        case engine.DealerCardDealt():
            return {"kind": "dealer", **_place(event.position), "card": event.card.text, "total": event.total}
        case engine.HandPlayed():
            return {
                "kind": "hand",
                **_place(event.position),
                "total": event.dealer_total,
                "bust": event.dealer_busted,
                "lucky_losers": event.lucky_losers,
                "staying": event.staying,
            }
        case engine.GameWon():
            return {
                "kind": "game",
                "game": event.game,
                "winners": event.winners,
                "prize_cents": event.prize_cents,
            }
        case engine.DrawSettled():
            return {"kind": "settled"}


def _place(position: int) -> dict[str, int]:
    game = GAME_OF_POSITION[position]
    return {"position": position, "game": game, "hand": HANDS_OF_GAME[game].index(position) + 1}


def _texts(cards: Sequence[Any]) -> list[str]:
    return [str(card) for card in cards]
