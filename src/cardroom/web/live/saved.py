"""The tables of the house as plain data and back, for a checkpoint."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from datetime import datetime
from typing import Any

from cardroom.core.cards import format_cards, parse_cards
from cardroom.engine import knockout52
from cardroom.fair import Binding, Commitment
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.written import RulesForm
from cardroom.table.saved import restored_state, round_rules_hash, saved_state
from cardroom.web.live.floor import Announcement
from cardroom.web.live.knockout52 import Knockout52Table, Seated
from cardroom.web.live.twentyone import TwentyOneTable

FindRules = Callable[[str], TwentyOneRules]


def saved_twentyone(table: TwentyOneTable) -> dict[str, Any]:
    """Everything that the log has made of a table of the blackjack family."""
    announcement = table.announcement
    return {
        "owner": table.owner,
        "state": saved_state(table.state),
        "names": dict(table.names),
        "events": list(table.told),
        "steps": table.steps,
        "last": None if table.last is None else table.last.id,
        "shoes": list(table.shoes),
        "acted": {name: at.isoformat() for name, at in table.acted.items()},
        "cut": table.cut,
        "offers": table.offers.saved(),
        "announcement": None if announcement is None else announcement.saved(),
    }


def restore_twentyone(table: TwentyOneTable, plain: dict[str, Any], rules: FindRules) -> None:
    """Make a table that was just opened the one of `saved_twentyone`; its last round is looked up later."""
    state = plain["state"]
    table.owner = plain["owner"]
    table.state = restored_state(state, rules(state["rules_hash"]), rules(round_rules_hash(state)))
    table.names = dict(plain["names"])
    table.told = list(plain["events"])
    table.steps = plain["steps"]
    table.shoes = deque(plain["shoes"], maxlen=table.shoes.maxlen)
    table.acted = {name: datetime.fromisoformat(at) for name, at in plain["acted"].items()}
    table.cut = plain["cut"]
    table.offers.restore(plain["offers"])
    if plain["announcement"] is not None:
        table.announcement = Announcement.restored(plain["announcement"])


def saved_knockout52(table: Knockout52Table) -> dict[str, Any]:
    """Everything that the log has made of a Knockout 52 table."""
    binding = table.binding
    return {
        "owner": table.owner,
        "rules_hash": table.rules.rules_hash,
        "number": table.number,
        "binding": None if binding is None else [binding.rules_hash, binding.shoe_id, binding.deck],
        "commitment": None if table.commitment is None else str(table.commitment),
        "sealed": table.sealed,
        "seated": [[one.player, one.name, dict(one.stakes), one.salt] for one in table.seated.values()],
        "acted": {player: at.isoformat() for player, at in table.acted.items()},
        "game": None if table.game is None else knockout52.format_game(table.game, RulesForm.APART),
        "salt": table.salt.hex(),
        "cards": format_cards(table.cards),
        "last": None if table.last is None else table.last.id,
    }


def restore_knockout52(table: Knockout52Table, plain: dict[str, Any]) -> None:
    """Make a table that was just opened the one of `saved_knockout52`; its last game is looked up later."""
    table.owner = plain["owner"]
    table.number = plain["number"]
    if plain["binding"] is not None:
        table.binding = Binding(table.rules.game, *plain["binding"])
    if plain["commitment"] is not None:
        table.commitment = Commitment.parse(plain["commitment"])
    table.sealed = plain["sealed"]
    table.seated = {
        player: Seated(player, name, stakes, salt) for player, name, stakes, salt in plain["seated"]
    }
    table.acted = {player: datetime.fromisoformat(at) for player, at in plain["acted"].items()}
    if plain["game"] is not None:
        table.game, _ = knockout52.replay(plain["game"], table.rules)
    table.salt = bytes.fromhex(plain["salt"])
    table.cards = parse_cards(plain["cards"])
