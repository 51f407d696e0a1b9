"""The recorded playthrough of every game: `python -m tests.playthroughs` writes them anew."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from cardroom.engine.playthrough import playthrough
from tests.engines import ENGINES

FOLDER: Final = Path(__file__).with_name("golden") / "playthroughs"
SEEDS: Final = {
    "blackjack": 60,
    "spanish-21": 57,
    "players-edge-21": 20,
    "knockout-21": 1,
    "knockout-52": 12,
    "high-card": 1,
}
"""Chosen so that a round shows much of its game."""


def recorded(name: str, seed: int | None = None) -> str:
    """The playthrough of a game: a round by chance, the same every time."""
    game, chance = ENGINES[name], Random(SEEDS[name] if seed is None else seed)

    def choose(_state: Any, following: Sequence[tuple[Any, int]]) -> Any:
        asked, weights = zip(*following, strict=True)
        return chance.choices(asked, weights)[0]

    return playthrough(game.engine, game.rules(), game.wagers(chance), choose, game.seats)


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.txt"


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game_id in ENGINES:
        path_of(game_id).write_text(recorded(game_id), "utf-8")
        print(path_of(game_id).relative_to(Path.cwd()))
