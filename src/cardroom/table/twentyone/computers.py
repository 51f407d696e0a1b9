"""Computer players at a player's own table: who they are, what they stake, and how they come to decide.

They stake the bank's chips, not anybody's, and play the action that the exact solution of the table's own
rules values highest for the cards that their seat sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from cardroom.core.errors import MalformedInput
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone import PlaceWagers, Sit, TableState, TakeSpot

_COMPUTER: Final = "computer:"
_NAMES: Final = ("Ada", "Blaise", "Carl", "Dora", "Emil", "Fay", "Grete", "Hugo")


def is_computer(player: str) -> bool:
    """Whether an id is a computer player's."""
    return player.startswith(_COMPUTER)


def require_room(rules: TwentyOneRules, computers: int) -> None:
    """Refuse more computer players than leave a spot for a person."""
    most = min(len(_NAMES), rules.procedure.spots - 1)
    if not 0 <= computers <= most:
        raise MalformedInput(
            f"{computers} computer players do not fit: this table has room for 0 to {most} beside you"
        )


def seating(rules: TwentyOneRules, computers: int) -> list[tuple[Sit | TakeSpot, str | None]]:
    """Computer players sit down from third base on, each with their id; first base is left to people."""
    requests: list[tuple[Sit | TakeSpot, str | None]] = []
    for place, name in enumerate(_NAMES[:computers]):
        requests.append((Sit(name), f"{_COMPUTER}{place + 1}"))
        requests.append((TakeSpot(name, rules.procedure.spots - place), None))
    return requests


def wagers(state: TableState, names: Mapping[str, str]) -> list[PlaceWagers]:
    """The computer players' wagers on the next round: the least that the table takes."""
    least = int(state.rules.limits.min)
    return [
        PlaceWagers(owner, spot, least)
        for spot, owner in sorted(state.owners.items())
        if is_computer(names[owner]) and spot not in state.circles
    ]


def best_action(values: Iterable[Mapping[str, Any]], offered: Iterable[str]) -> str | None:
    """The offered action that is worth most; None where nothing is known of those offered."""
    allowed = set(offered)
    known = [line for line in values if line["action"] in allowed]
    return str(max(known, key=lambda line: line["value"])["action"]) if known else None
