"""A drawn draw shown card by card at the pace of a wall: what is shown is what was drawn, in its order."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from cardroom.core.cards import Card, parse_cards
from cardroom.engine import knockout21 as engine
from cardroom.lottery.house import Lottery
from cardroom.lottery.ticket_text import play_of
from cardroom.presentation.knockout21 import draw as sentences
from cardroom.rules.knockout21 import GAME_OF_POSITION, HANDS_OF_GAME, Knockout21Rules
from cardroom.rules.knockout21.accounts import game_account
from cardroom.store import lottery as rows

_SECONDS: Final[dict[type, float]] = {
    engine.DrawStarted: 2.0,
    engine.HitCardShown: 1.1,
    engine.DealerCardDealt: 0.8,
    engine.HandPlayed: 1.0,
    engine.GameWon: 4.0,
    engine.DrawSettled: 0.5,
}
"""How long each event stands before the next."""
_LUCKY_SECONDS: Final = 3.5
"""So long stands a hand that makes Lucky Losers: it is an event, and read from far away."""


@dataclass(frozen=True, slots=True)
class DrawShow:
    """The events of a draw with the moment at which each is shown."""

    draw: int
    started_at: datetime
    moments: tuple[datetime, ...]
    messages: tuple[bytes, ...]
    """Each event as a server-sent one, ready for any number of screens."""
    decided: tuple[datetime, ...]
    """When each hand is decided on the wall, by position."""

    @property
    def ends_at(self) -> datetime:
        return self.moments[-1]

    def shown(self, now: datetime) -> int:
        """How many events have been shown by now."""
        return bisect_right(self.moments, now)

    def hands_shown(self, now: datetime) -> int:
        """How many hands have been decided on the wall by now."""
        return bisect_right(self.decided, now)


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
    return show_of_events(number, rules, events, started_at, pace=pace)


def show_of_events(
    number: int,
    rules: Knockout21Rules,
    events: Sequence[engine.Event],
    started_at: datetime,
    *,
    pace: float = 1.0,
) -> DrawShow:
    """The show of the events of a draw."""
    teller = _Teller(number, rules)
    moment, moments, messages, decided = started_at, [], [], []
    for index, event in enumerate(events):
        line = {"draw": number, "index": index, "at": moment.isoformat(), **teller.body(event)}
        text = json.dumps(line, separators=(",", ":"))
        messages.append(f"id: {number}.{index + 1}\nevent: draw\ndata: {text}\n\n".encode())
        moments.append(moment)
        if isinstance(event, engine.HandPlayed):
            decided.append(moment)
        is_lucky = isinstance(event, engine.HandPlayed) and event.lucky_losers
        moment += timedelta(seconds=pace * (_LUCKY_SECONDS if is_lucky else _SECONDS[type(event)]))
    return DrawShow(number, started_at, tuple(moments), tuple(messages), tuple(decided))


class _Teller:
    """Says each event of a draw, one after the other: the cards, who is in, what a prize is worth so far."""

    def __init__(self, number: int, rules: Knockout21Rules) -> None:
        self._number, self._rules = number, rules
        self._tickets = self._active = 0
        self._first_cards: tuple[Card, ...] = ()

    def body(self, event: engine.Event) -> dict[str, Any]:
        match event:
            case engine.DrawStarted():
                self._tickets, self._first_cards = event.tickets, event.first_cards
                return {
                    "kind": "started",
                    "tickets": event.tickets,
                    "first_cards": [card.text for card in event.first_cards],
                    "say": sentences.started_sentence(self._number, event.tickets),
                }
            case engine.HitCardShown():
                return {"kind": "hit", **self._hit(event)}
            case engine.DealerCardDealt():
                place = _place(event.position)
                return {"kind": "dealer", **place, "card": event.card.text, "total": event.total}
            case engine.HandPlayed():
                return {"kind": "hand", **self._hand(event)}
            case engine.GameWon():
                result = {"winners": event.winners, "prize_cents": event.prize_cents}
                sentence = sentences.game_sentence(event.game, **result)
                return {"kind": "game", "game": event.game, **result, "say": sentence}
            case engine.DrawSettled():
                return {"kind": "settled", "say": sentences.settled_sentence(self._number)}

    def _hit(self, event: engine.HitCardShown) -> dict[str, Any]:
        place = _place(event.position)
        if place["hand"] == 1:  # all tickets play all games (KO21-4.5)
            self._active = self._tickets
        first = self._first_cards[place["hand"] - 1].text if place["game"] == 2 else None
        return {
            **place,
            "card": event.card.text,
            "active": self._active,
            "prize_cents": self._prize_cents(event.position),
            # Known since sales opened (KO21-1.5).
            **({} if first is None else {"first_card": first}),
        }

    def _hand(self, event: engine.HandPlayed) -> dict[str, Any]:
        self._active = event.staying
        place, game = _place(event.position), GAME_OF_POSITION[event.position]
        if event.lucky_losers:
            wins = event.position == HANDS_OF_GAME[game][-1]
            sentence = sentences.lucky_sentence(game, staying=event.staying, wins=wins)
        else:
            sentence = sentences.hand_sentence(
                game, total=event.dealer_total, bust=event.dealer_busted, staying=event.staying
            )
        return {
            **place,
            "total": event.dealer_total,
            "bust": event.dealer_busted,
            "lucky_losers": event.lucky_losers,
            "staying": event.staying,
            "prize_cents": self._prize_cents(event.position),
            "say": sentence,
        }

    def _prize_cents(self, position: int) -> int:
        """What each would win of those who are in, if nobody else were knocked out (KO21-4.7)."""
        game = GAME_OF_POSITION[position]
        return game_account(self._rules, game, self._tickets, self._active).prize_cents


def _place(position: int) -> dict[str, int]:
    game = GAME_OF_POSITION[position]
    return {"position": position, "game": game, "hand": HANDS_OF_GAME[game].index(position) + 1}


def hand_words(position: int) -> str:
    """Which hand of which game a position is.

    >>> hand_words(8)
    'Game 2 hand 5'
    """
    place = _place(position)
    return f"Game {place['game']} hand {place['hand']}"
