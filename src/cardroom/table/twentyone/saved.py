"""The state of a table as plain data and back, for a checkpoint: nothing of the log before it is needed.

The rules are named by their hash, and a round is kept as its own text, which the engine reads back.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cardroom.core.cards import format_cards, parse_cards
from cardroom.core.decks import CardCounts
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Round, SpotWager
from cardroom.fair.salts import Salts
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone.meters import Meter
from cardroom.table.twentyone.state import Committed, Phase, Shoe, TableState


def saved_state(state: TableState) -> dict[str, Any]:
    """A table's state as plain data; the rules of its last round may be older than its own."""
    return {
        "rules_hash": state.rules.rules_hash,
        "phase": state.phase.value,
        "players": list(state.players),
        "waiting": list(state.waiting),
        "owners": [[spot, player] for spot, player in state.owners.items()],
        "circles": [_wager(wager) for wager in state.circles.values()],
        "accounts": dict(state.accounts),
        "meters": [asdict(meter) for meter in state.meters.values()],
        "pack": format_cards(state.pack),
        "washed": state.washed,
        "shoe": None if state.shoe is None else _shoe(state.shoe),
        "shoes": state.shoes,
        "rounds": state.rounds,
        "round": None if state.round is None else _round(state.round),
        "dealer": state.dealer,
        "held": dict(state.held),
        "by_clock": list(state.by_clock),
    }


def restored_state(plain: dict[str, Any], rules: TwentyOneRules, round_rules: TwentyOneRules) -> TableState:
    """The state of `saved_state`, with the rules that its hashes name."""
    game: Round | None = None
    events: tuple[twentyone.Event, ...] = ()
    if plain["round"] is not None:
        game, events = twentyone.replay(plain["round"]["text"], round_rules)
    return TableState(
        rules=rules,
        phase=Phase(plain["phase"]),
        players=tuple(plain["players"]),
        waiting=tuple(plain["waiting"]),
        owners={spot: player for spot, player in plain["owners"]},  # noqa: C416 — a list of lists
        circles={wager.spot: wager for wager in map(_restored_wager, plain["circles"])},
        accounts=dict(plain["accounts"]),
        meters={meter["wager"]: Meter(**meter) for meter in plain["meters"]},
        pack=parse_cards(plain["pack"]),
        washed=plain["washed"],
        shoe=None if plain["shoe"] is None else _restored_shoe(plain["shoe"]),
        shoes=plain["shoes"],
        rounds=plain["rounds"],
        round=game,
        round_events=events,
        dealer=plain["dealer"],
        held=dict(plain["held"]),
        by_clock=tuple(plain["by_clock"]),
    )


def round_rules_hash(plain: dict[str, Any]) -> str:
    """The hash of the rules of a saved table's last round, or of the table's own where there was none."""
    own: str = plain["rules_hash"]
    return own if plain["round"] is None else str(plain["round"]["rules_hash"])


def _wager(wager: SpotWager) -> list[Any]:
    return [wager.spot, wager.player, wager.stake_cents, [list(side) for side in wager.side]]


def _restored_wager(plain: list[Any]) -> SpotWager:
    spot, player, stake_cents, side = plain
    return SpotWager(spot, player, stake_cents, dict(side))


def _round(game: Round) -> dict[str, str]:
    return {
        "rules_hash": game.rules.rules_hash,
        "text": twentyone.format_round(game, RulesForm.APART),
    }


def _shoe(shoe: Shoe) -> dict[str, Any]:
    return {
        "number": shoe.number,
        "committed": asdict(shoe.committed),
        "cards": shoe.cards,
        "before": format_cards(shoe.before),
        "left": str(shoe.left),
        "washed": shoe.washed,
        "dealt": shoe.dealt,
        "cut_words": shoe.cut_words.hex(),
        "salts": None if shoe.salts is None else shoe.salts.saved(),
        "cut": None if shoe.cut is None else list(shoe.cut),
        "ends_at": shoe.ends_at,
        "to_burn": shoe.to_burn,
        "rack": format_cards(shoe.rack),
        "reshuffled": format_cards(shoe.reshuffled),
        "rounds": list(shoe.rounds),
        "cut_card_out": shoe.cut_card_out,
    }


def _restored_shoe(plain: dict[str, Any]) -> Shoe:
    return Shoe(
        number=plain["number"],
        committed=Committed(**plain["committed"]),
        cards=plain["cards"],
        before=parse_cards(plain["before"]),
        left=CardCounts.parse(plain["left"]),
        washed=plain["washed"],
        dealt=plain["dealt"],
        cut_words=bytes.fromhex(plain["cut_words"]),
        salts=None if plain["salts"] is None else Salts.restored(plain["salts"]),
        cut=None if plain["cut"] is None else tuple(plain["cut"]),
        ends_at=plain["ends_at"],
        to_burn=plain["to_burn"],
        rack=parse_cards(plain["rack"]),
        reshuffled=parse_cards(plain["reshuffled"]),
        rounds=tuple(plain["rounds"]),
        cut_card_out=plain["cut_card_out"],
    )
