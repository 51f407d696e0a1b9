"""Rounds and shoes of the blackjack family that are over: their records in the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from cardroom.engine import twentyone as engine
from cardroom.records.tables import TwentyOneRoundEnded, TwentyOneShoeEnded
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.store.plan import Entry
from cardroom.table.running import Result, round_name
from cardroom.table.twentyone import TableState
from cardroom.table.twentyone.computers import is_computer


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over, to be replayed and shared."""

    is_judged: ClassVar[bool] = True

    id: str
    table: str
    game: str
    number: int
    shoe: int
    ended_at: datetime
    notation: str
    players: Mapping[str, str]
    """Name at the table → player's id."""
    net_cents: Mapping[str, int]
    """What each player won or lost, by name."""
    staked_cents: Mapping[str, int]

    rules: TwentyOneRules
    dealer: str = ""
    by_clock: frozenset[int] = frozenset()
    """Which inputs of the round, counted from 0, the clock decided for who gave no answer."""

    @classmethod
    def of(cls, record: TwentyOneRoundEnded, at: datetime, rules: TwentyOneRules) -> FinishedRound:
        """The round of a record."""
        return cls(
            record.round,
            record.table,
            record.game,
            record.number,
            record.shoe,
            at,
            record.notation,
            record.players,
            record.net_cents,
            record.staked_cents,
            rules,
            record.dealer,
            frozenset(record.by_clock),
        )

    @property
    def game_id(self) -> str:
        return self.game

    def results(self) -> Iterator[Result]:
        """What each of its players staked and won."""
        for name, player in self.players.items():
            yield Result(player, self.staked_cents[name], self.net_cents[name])

    @property
    def text(self) -> str:
        """The round as a text that stands on its own, its rules included."""
        record = engine.parse_round(self.notation, self.rules)
        return engine.format_round(record, RulesForm.WHOLE)


def shoe_name(table: str, number: int) -> str:
    """The name by which the log knows a finished shoe."""
    return f"shoe:{table}-{number}"


def shoe_ended(table: str, number: int, proof: str) -> Entry:
    """The record of a shoe that is over, its secret revealed: whoever saw its seal can check it for ever."""
    ended_shoe = TwentyOneShoeEnded(table=table, shoe=number, proof=proof)
    return Entry(ended_shoe, about=[shoe_name(table, number)])


def ended(table: str, state: TableState, names: Mapping[str, str]) -> Entry:
    """The record of the round that has just ended at a table."""
    played, shoe = state.round, state.shoe
    assert played is not None
    assert shoe is not None
    ids = {spot.player: names[spot.player] for spot in played.spots}
    players = {name: player for name, player in ids.items() if not is_computer(player)}
    net, staked = _results(state.round_events, players)
    identity = f"{table}-{state.rounds}"
    ended_round = TwentyOneRoundEnded(
        round=identity,
        table=table,
        game=state.rules.game,
        number=state.rounds,
        shoe=state.shoes,
        rules_hash=played.rules.rules_hash,
        notation=shoe.rounds[-1],
        players=players,
        net_cents=net,
        staked_cents=staked,
        dealer=state.dealer,
        by_clock=list(state.by_clock),
    )
    return Entry(ended_round, about=[round_name(identity)], rules=played.rules)


def _results(
    events: Iterable[engine.Event], players: Mapping[str, str]
) -> tuple[dict[str, int], dict[str, int]]:
    """What each player won or lost and what they staked, by name."""
    net, staked = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    for event in events:
        for source, target, cents in engine.transfers(event):
            payer, payee = source.removeprefix("player:"), target.removeprefix("player:")
            if payer in net and payer != source:
                net[payer] -= cents
                staked[payer] += cents
            if payee in net and payee != target:
                net[payee] += cents
    return net, staked
