"""What a visitor sees of a Knockout 52 table and of a finished game; never a card that is not dealt."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from cardroom.core.cards import Card
from cardroom.engine import knockout52 as engine
from cardroom.engine.playing import steps as steps_of
from cardroom.exact.figures import number_to_json
from cardroom.exact.knockout52 import live_chances
from cardroom.presentation import wager_title
from cardroom.presentation.numbers import live_chance
from cardroom.presentation.outcomes import result_words
from cardroom.presentation.sentences import knockout52_outcome, knockout52_sentence
from cardroom.rules.knockout52 import WAGERS, Knockout52Rules
from cardroom.rules.round_head import RulesForm
from cardroom.table.knockout52.finished import FinishedGame, Seated
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.web.live.calls_view import call_view
from cardroom.web.live.salts_view import salts_view
from cardroom.web.players.player import Player

_KINDS: Final[dict[type[engine.Event], str]] = {
    engine.CardDealt: "card",
    engine.MarkerMoved: "marker",
    engine.WagerPlaced: "stake",
    engine.WagerCollected: "collected",
    engine.WagerPaid: "paid",
    engine.GameEnded: "ended",
}


def table_view(table: Knockout52Table, viewer: Player, now: datetime) -> dict[str, Any]:
    """The table as one visitor may see it."""
    game = table.game or (table.last.game if table.last and not table.seated else None)
    shown = game.cards if game else ()
    outcome = game.outcome if game else None
    return {
        "table": table.id,
        "game": table.number,
        "phase": "salts" if table.revealing else "dealing" if table.dealing else "open",
        "enabled": table.enabled,
        "frozen": None if table.floor.frozen is None else {"reason": table.floor.frozen.reason},
        "floor": call_view(table.floor, viewer.name),
        "decks": table.rules.decks,
        "now": now.isoformat(),
        "deal_at": table.deal_at.isoformat() if table.deal_at and table.floor.frozen is None else None,
        "commitment": str(table.commitment),
        "salts": salts_view(table.salts, viewer.id, table.reveal_by),
        "cards": [card.text for card in shown],
        "cards_of_game": (table.number if table.game else table.last.number if table.last else 0)
        if game
        else 0,
        "marker": game.marker if game else WAGERS[0],
        "outcome": outcome,
        "outcome_words": knockout52_outcome(game) if game else "",
        "wagers": _wagers(table.rules, shown),
        "players": [_player(seated, table, viewer) for seated in table.seated.values()],
        "last": finished_summary(table.last, viewer) if table.last else None,
        "you": {
            "name": viewer.name,
            "chips_cents": viewer.chips_cents,
            "stakes": dict(table.seated[viewer.id].stakes) if viewer.id in table.seated else {},
            "ready": viewer.id in table.ready,
            "alone": list(table.seated) == [viewer.id],
            "session_minutes": viewer.session_minutes(now),
            "session_net_cents": viewer.session_net_cents,
            "in_play_cents": viewer.in_play_cents,
            "reality_check": viewer.reality_check_due(now),
        },
    }


def _player(seated: Seated, table: Knockout52Table, viewer: Player) -> dict[str, Any]:
    net = engine.net_cents(table.game)[seated.name] if table.game else 0
    return {
        "name": seated.name,
        "you": seated.player == viewer.id,
        "stakes": dict(seated.stakes),
        "ready": seated.player in table.ready,
        "net_cents": net,
    }


def _wagers(rules: Knockout52Rules, shown: Sequence[Card]) -> list[dict[str, Any]]:
    chances = _chances(rules.decks, tuple(int(card.rank) for card in shown))
    return [
        {
            "wager": wager,
            "title": wager_title(wager),
            "pays": rules.odds_of(wager).words,
            "chance": number_to_json(chances[wager]),
            "percent": live_chance(chances[wager]),
            "worth": number_to_json(chances[wager] * (1 + rules.odds_of(wager).ratio)),
        }
        for wager in WAGERS
    ]


@lru_cache(maxsize=4096)
def _chances(decks: int, ranks: tuple[int, ...]) -> dict[str, Fraction]:
    from cardroom.rules.knockout52 import Layout

    return live_chances(Layout(), 4 * decks, ranks)


def finished_summary(finished: FinishedGame, viewer: Player) -> dict[str, Any]:
    """A finished game in a line, with what the viewer won or lost in it."""
    net = engine.net_cents(finished.game)
    own = next((seated for seated in finished.seated if seated.player == viewer.id), None)
    return {
        "id": finished.id,
        "number": finished.number,
        "ended_at": finished.ended_at.isoformat(),
        "outcome": finished.outcome,
        "title": wager_title(finished.outcome),
        "outcome_words": knockout52_outcome(finished.game),
        "cards": len(finished.game.cards),
        "your_stake_cents": sum(own.stakes.values()) if own else None,
        "your_net_cents": net[own.name] if own else None,
        "your_words": result_words(net[own.name]) if own else "",
        "your_wagers": _net_of_wagers(finished.game, own) if own else {},
        "results": [
            {
                "name": seated.name,
                "you": seated.player == viewer.id,
                "stakes": dict(seated.stakes),
                "net_cents": net[seated.name],
            }
            for seated in finished.seated
        ],
    }


def _net_of_wagers(game: engine.Game, own: Seated) -> dict[str, int]:
    """What came of each of a player's wagers in a game that is over, in cents."""
    return {
        wager: game.rules.payment(wager, cents) if wager == game.outcome else -cents
        for wager, cents in own.stakes.items()
    }


def finished_view(finished: FinishedGame, viewer: Player) -> dict[str, Any]:
    """A finished game in full: every card with the chances after it, each payment in its place, its proof."""
    game = finished.game
    state, started = engine.start(game.rules, game.wagers)
    steps = [{"cards": 0, "events": [_event(event) for event in started], "wagers": _wagers(game.rules, ())}]
    steps += [
        {
            "cards": len(taken.after.cards),
            "events": [_event(event) for event in taken.events],
            "wagers": _wagers(game.rules, taken.after.cards),
        }
        for taken in steps_of(engine.step, state, game.cards)
    ]
    return {
        **finished_summary(finished, viewer),
        "table": finished.table,
        "decks": game.rules.decks,
        "rules_hash": game.rules.rules_hash,
        "card_texts": [card.text for card in game.cards],
        "notation": engine.format_game(game, RulesForm.WHOLE),
        "steps": steps,
        "proof": json.loads(finished.record),
    }


def _event(event: engine.Event) -> dict[str, Any]:
    return {"kind": _KINDS[type(event)], "text": knockout52_sentence(event)}
