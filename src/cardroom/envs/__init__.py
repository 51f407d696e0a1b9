"""Gymnasium environments over the engine; importing this package registers them.

Cards come from the generator that Gymnasium gives each environment: repeatable by its seed, for simulation
and learning only, never for money.

>>> import gymnasium
>>> import cardroom.envs
>>> env = gymnasium.make("cardroom/Blackjack-v0")
>>> observation, info = env.reset(seed=7)
>>> observation["total"], observation["up"]
(13, 10)
"""

from __future__ import annotations

from typing import Final

from cardroom.core.errors import Unavailable

__all__ = ["ENVIRONMENTS", "register"]

ENVIRONMENTS: Final[dict[str, tuple[str, str]]] = {
    "cardroom/Blackjack-v0": ("cardroom.envs.twentyone:TwentyOneEnv", "blackjack"),
    "cardroom/Spanish21-v0": ("cardroom.envs.twentyone:TwentyOneEnv", "spanish-21"),
    "cardroom/PlayersEdge21-v0": ("cardroom.envs.twentyone:TwentyOneEnv", "players-edge-21"),
    "cardroom/Knockout52-v0": ("cardroom.envs.knockout52:Knockout52Env", "knockout-52"),
}
"""The id of each environment, its class, and the game whose rules it has unless others are given."""


def register() -> None:
    """Make the environments known to `gymnasium.make`; doing it again changes nothing."""
    try:
        import gymnasium
    except ImportError:
        raise Unavailable("no Gymnasium here; install the extra: pip install 'cardroom[gym]'") from None
    for name, (entry_point, game) in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=entry_point, kwargs={"rules": game})


register()
