"""What a player is told of their spots and wagers that they did not ask for: before it happens, and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from cardroom.presentation import wager_title
from cardroom.presentation.money import dollars
from cardroom.table.twentyone.events import PlayerLeft, SpotGivenUp, TableEvent, WagersReturned
from cardroom.table.twentyone.seating import give_up_spots
from cardroom.table.twentyone.state import Phase, TableState

Notice = tuple[str, str]
"""A sentence and its clause."""
_MOST_TOLD: Final = 100
"""For so many players notices are kept until they play on."""
_LEFT: Final = {
    "gone": "You had closed the table's page for the stated time, so your spots were given up.",
    "idle": "You had done nothing for the stated time, so your spots were given up.",
    "offer lapsed": "The spot that was kept for you was not used in time, and went to the next.",
    "floor": "The floor took your spots from you; what stood there came back.",
    "table closes": "The shoe was ended, so your spots were given up.",
}


def coming(state: TableState, player: str) -> list[Notice]:
    """What a player is about to lose to those who wait (PROC-3)."""
    if not state.waiting:
        return []
    after_round = replace(state, phase=Phase.WAGERS)
    soon = _given_up(after_round, player, shoe_over=False)
    later = [spot for spot in _given_up(after_round, player, shoe_over=True) if spot not in soon]
    notices: list[Notice] = []
    for spots, when in ((soon, "after this round"), (later, "when this shoe is over")):
        if spots:
            notices.append((f"Somebody waits for a spot: {when} you give up {_spots(spots)}.", "PROC-3"))
    return notices


def _given_up(state: TableState, player: str, *, shoe_over: bool) -> list[int]:
    _, events = give_up_spots(state, shoe_over=shoe_over)
    return [event.spot for event in events if isinstance(event, SpotGivenUp) and event.player == player]


def _spots(spots: Sequence[int]) -> str:
    numbers = sorted(spots)
    if len(numbers) == 1:
        return f"spot {numbers[0]}"
    return f"spots {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


class Notices:
    """What happened to players' spots and wagers without their word; kept until they play on."""

    def __init__(self) -> None:
        self._notices: dict[str, list[Notice]] = {}

    def of(self, player: str) -> list[Notice]:
        """What a player, by id, is still to read."""
        return list(self._notices.get(player, ()))

    def read(self, player: str) -> None:
        """The player goes on: what was told is done with."""
        self._notices.pop(player, None)

    def hear(self, events: Sequence[TableEvent], names: Mapping[str, str]) -> None:
        """Note what events did to players, who are found by their names at the table."""
        for event in events:
            match event:
                case SpotGivenUp(why="somebody waits"):
                    words = (
                        f"You gave up spot {event.spot}: somebody waited for it. What stood there came back."
                    )
                    self._tell(names.get(event.player), (words, "PROC-3"))
                case SpotGivenUp(why="taken by the floor"):
                    words = f"The floor took spot {event.spot} from you; what stood there came back."
                    self._tell(names.get(event.player), (words, "PROC-3"))
                case WagersReturned():
                    on = ", ".join(wager_title(name) for name in event.side)
                    what = f"{dollars(event.returned_cents)}{' on ' + on if on else ''}"
                    words = f"Spot {event.spot}: {what} came back and is not dealt: {event.why}."
                    self._tell(names.get(event.player), (words, "PROC-9"))
                case PlayerLeft() if event.why in _LEFT:
                    self._tell(names.get(event.player), (_LEFT[event.why], "PROC-3"))
                case _:
                    pass

    def _tell(self, player: str | None, notice: Notice) -> None:
        if player is None:
            return
        self._notices[player] = [*self._notices.pop(player, ()), notice]
        while len(self._notices) > _MOST_TOLD:
            del self._notices[next(iter(self._notices))]

    def saved(self) -> dict[str, Any]:
        """As plain data, for a checkpoint."""
        return {player: [list(notice) for notice in notices] for player, notices in self._notices.items()}

    def restore(self, plain: dict[str, Any]) -> None:
        """Take what was saved."""
        self._notices = {
            player: [(words, clause) for words, clause in notices] for player, notices in plain.items()
        }
