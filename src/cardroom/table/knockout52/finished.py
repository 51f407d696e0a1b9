"""Who plays in a game of Knockout 52, and games that are over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar

from cardroom.engine import knockout52 as engine
from cardroom.records.tables import Knockout52GameEnded
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.table.running import Result


@dataclass(frozen=True, slots=True)
class Seated:
    """A player with wagers in the game that is open or being dealt."""

    player: str
    name: str
    stakes: Mapping[str, int]

    @property
    def stake_cents(self) -> int:
        """All wagers of the player together."""
        return sum(self.stakes.values())


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that is over, with its proof."""

    is_judged: ClassVar[bool] = False

    id: str
    table: str
    number: int
    ended_at: datetime
    outcome: str
    record: str
    seated: tuple[Seated, ...]
    game: engine.Game

    @classmethod
    def of(cls, record: Knockout52GameEnded, at: datetime) -> FinishedGame:
        """The game of a record, when the table has forgotten it."""
        proof = json.loads(record.record)
        game, _ = engine.replay(proof["rounds"][0], Knockout52Rules.model_validate(proof["rules"]))
        seated = tuple(
            Seated(record.players[stakes.player], stakes.player, dict(stakes.placed))
            for stakes in game.wagers
        )
        return cls(
            game_identity(record.table, record.game),
            record.table,
            record.game,
            at,
            record.outcome,
            record.record,
            seated,
            game,
        )

    @property
    def game_id(self) -> str:
        return self.game.rules.game

    def results(self) -> Iterator[Result]:
        """What each of its players staked and won."""
        net = engine.net_cents(self.game)
        for seated in self.seated:
            yield Result(seated.player, seated.stake_cents, net[seated.name])


def game_identity(table: str, number: int) -> str:
    """The id of a game: by its table, and its number there."""
    return f"{table}-{number}"
