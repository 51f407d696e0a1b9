"""Gymnasium environments, single and vector; importing this package registers them.

Cards are repeatable by their seed, for simulation and learning only, never for money.

>>> import gymnasium
>>> import cardroom.envs
>>> env = gymnasium.make("cardroom/Blackjack-v1")
>>> observation, info = env.reset(seed=7)
>>> observation["total"], observation["up"]
(12, 4)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardroom.core.extras import missing
from cardroom.games import GAMES

if TYPE_CHECKING:
    from cardroom.envs.seats import TwentyOneSeats

__all__ = ["TwentyOneSeats", "environments", "register"]
"""All that is promised to stay, beside the ids of the environments."""


def environments() -> dict[str, tuple[str, str]]:
    """The id of each environment, its class, and the game whose rules it has unless others are given."""
    return {
        game.environment[0]: (game.environment[1], game.id)
        for game in GAMES.values()
        if game.environment is not None
    }


def register() -> None:
    """Make the environments known to `gymnasium.make`; doing it again changes nothing."""
    try:
        import gymnasium
    except ImportError:
        raise missing("an environment", "gym") from None
    for name, (entry_point, game) in environments().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point=entry_point,
                vector_entry_point=GAMES[game].vector_environment,
                kwargs={"rules": game},
            )


def __getattr__(name: str) -> Any:
    """PettingZoo is imported when its environment is first asked for."""
    if name == "TwentyOneSeats":
        from cardroom.envs.seats import TwentyOneSeats

        return TwentyOneSeats
    raise AttributeError(f"module 'cardroom.envs' has no attribute {name!r}")


register()
