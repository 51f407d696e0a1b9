"""Draws of Knockout 21 laid by hand, as the wall shows them: any cards, as many tickets as one likes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest

from cardroom.engine import knockout21 as engine
from cardroom.lottery.house import Lottery
from cardroom.rules import load_rules_as
from cardroom.rules.knockout21 import GAME_OF_POSITION, Knockout21Rules
from cardroom.rules.knockout21.accounts import game_account
from cardroom.web.live.draw_show import DrawShow, show_of_events

LONGEST = "AhAdAcAsAhAd6cAsAhAdAcAs+Th"
"""The longest hand that a dealer can have: six aces are a soft 16, the six makes it 12, five aces make 17."""
BUST = "Tc6dKh+2s"
PLAIN = "Td8h+5c"
CARDS = engine.Draw.parse(
    f"{LONGEST} {BUST} {PLAIN} {PLAIN} / {PLAIN} {BUST} {LONGEST} {PLAIN} {PLAIN} / "
    f"{PLAIN} {PLAIN} {BUST} {PLAIN} {PLAIN} {PLAIN}"
)
TICKETS = 98_765
STAYING = (
    65_432,
    12_345,
    12_345,
    10_118,
    43_210,
    23_456,
    23_456,
    11_118,
    3_117,
    54_321,
    12_345,
    9_876,
    9_876,
    876,
    12,
)
LUCKY = (2, 6, 12)
"""The hands that nobody wins or ties: whoever was in stays in (KO21-4.4)."""


def laid_events(
    rules: Knockout21Rules,
    cards: engine.Draw = CARDS,
    tickets: int = TICKETS,
    staying: Sequence[int] = STAYING,
    lucky: Sequence[int] = LUCKY,
) -> list[engine.Event]:
    """The events of a draw with cards and numbers laid by hand; the prizes are those of the rules."""
    pool = engine.Pool((), cards.first_cards)
    _, events = engine.play(rules, pool, engine.cards_in_order(cards))
    found: list[engine.Event] = []
    for event in events:
        match event:
            case engine.DrawStarted():
                found.append(replace(event, tickets=tickets))
            case engine.HandPlayed():
                place = event.position
                found.append(replace(event, staying=staying[place], lucky_losers=place in lucky))
            case engine.GameWon():
                last = max(place for place, game in enumerate(GAME_OF_POSITION) if game == event.game)
                account = game_account(rules, event.game, tickets, staying[last])
                found.append(replace(event, winners=account.winners, prize_cents=account.prize_cents))
            case _:
                found.append(event)
    return found


def lay_draws(monkeypatch: pytest.MonkeyPatch) -> list[engine.Event]:
    """Let the wall show the laid draw, whatever is drawn; its events."""
    rules = load_rules_as(Knockout21Rules, "knockout-21")
    events = laid_events(rules)

    def laid(_lottery: Lottery, number: int, started_at: datetime, *, pace: float = 1.0) -> DrawShow:
        return show_of_events(number, rules, events, started_at, pace=pace)

    monkeypatch.setattr("cardroom.web.live.lottery.show_of", laid)
    return events
