"""Cardroom runs, plays, solves and proves casino card games from their written house rules.

    import cardroom as cr

    game = cr.Game("blackjack", decks=8)
    game.edge()
    game.hand("Tc 6d", "Th").best

`__all__` is all that is promised to stay; what lies deeper may move.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardroom.core.errors import CardroomError, Conflict, IllegalAction, MalformedInput, Unavailable
    from cardroom.library.chart import Chart
    from cardroom.library.checking import Verification, verify
    from cardroom.library.comparing import compare
    from cardroom.library.counter_curves import CounterCurves
    from cardroom.library.counting import Counting, TeamCounting
    from cardroom.library.evaluating import Curve, evaluate
    from cardroom.library.frames import Rows
    from cardroom.library.game import Game
    from cardroom.library.hand import Hand
    from cardroom.library.numbers import Odds, Value, Wager
    from cardroom.library.par import Par
    from cardroom.library.policy import PolicyHand
    from cardroom.library.rounds import Round, Rounds, Table
    from cardroom.library.simulation import Simulation
    from cardroom.rules import load_rules

__version__ = "0.2.0"

_HOMES = {
    "CardroomError": "cardroom.core.errors",
    "Chart": "cardroom.library.chart",
    "Conflict": "cardroom.core.errors",
    "CounterCurves": "cardroom.library.counter_curves",
    "Counting": "cardroom.library.counting",
    "Curve": "cardroom.library.evaluating",
    "Game": "cardroom.library.game",
    "Hand": "cardroom.library.hand",
    "IllegalAction": "cardroom.core.errors",
    "MalformedInput": "cardroom.core.errors",
    "Odds": "cardroom.library.numbers",
    "Par": "cardroom.library.par",
    "PolicyHand": "cardroom.library.policy",
    "Round": "cardroom.library.rounds",
    "Rounds": "cardroom.library.rounds",
    "Rows": "cardroom.library.frames",
    "Simulation": "cardroom.library.simulation",
    "Table": "cardroom.library.rounds",
    "TeamCounting": "cardroom.library.counting",
    "Unavailable": "cardroom.core.errors",
    "Value": "cardroom.library.numbers",
    "Verification": "cardroom.library.checking",
    "Wager": "cardroom.library.numbers",
    "compare": "cardroom.library.comparing",
    "evaluate": "cardroom.library.evaluating",
    "load_rules": "cardroom.rules",
    "verify": "cardroom.library.checking",
}
"""Where each public name lives; it is imported when it is first used."""

__all__ = [  # noqa: RUF022 in the order of _HOMES
    "__version__",
    "CardroomError",
    "Chart",
    "Conflict",
    "CounterCurves",
    "Counting",
    "Curve",
    "Game",
    "Hand",
    "IllegalAction",
    "MalformedInput",
    "Odds",
    "Par",
    "PolicyHand",
    "Round",
    "Rounds",
    "Rows",
    "Simulation",
    "Table",
    "TeamCounting",
    "Unavailable",
    "Value",
    "Verification",
    "Wager",
    "compare",
    "evaluate",
    "load_rules",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Import lazily, so that `import cardroom` costs nothing until something is used."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'cardroom' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
