"""The figures behind a game, computed once for each version of the rules by the rooms below, and kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from cardroom.games import GAMES
from cardroom.rules import HouseRules
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.web.worker import Worker

_KEPT: Final = 200

Answer = TypeVar("Answer")
Figures = list[dict[str, Any]]


class Computed:
    """Answers by key, each computed once; who asks while it is computed waits for the same one."""

    def __init__(self, room: Worker) -> None:
        self._room = room
        self._tasks: OrderedDict[tuple[object, ...], asyncio.Future[Any]] = OrderedDict()

    async def get(self, key: tuple[object, ...], compute: Callable[[], Answer]) -> Answer:
        """The answer of a key; `compute` is picklable, and runs in the worker."""
        loop = asyncio.get_running_loop()
        full = (id(loop), *key)
        task = self._tasks.get(full)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._tasks[full] = loop.run_in_executor(self._room.thread, self._room.run, compute)
            while len(self._tasks) > _KEPT:
                self._tasks.popitem(last=False)
        self._tasks.move_to_end(full)
        answer: Answer = await asyncio.shield(task)
        return answer

    def known(self, key: tuple[object, ...]) -> Any | None:
        """An answer that is at hand, else None."""
        task = self._tasks.get((id(asyncio.get_running_loop()), *key))
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return task.result()


_figures_room: Final = Worker("figures")
_advice_room: Final = Worker("advice")
computed: Final = Computed(_figures_room)
"""Figures, sheets and comparisons, which may take a while."""
advised: Final = Computed(_advice_room)
"""What the tables ask for: it does not wait for figures."""


async def figures_of(rules: HouseRules, wager_cents: int | None = None) -> Figures:
    """Every wager of the rules in the shape of `odds --json`, the primary one first.

    They are for a wager of that size, the table's minimum unless told.
    """
    game = GAMES[rules.game]
    compute = partial(game.follow("figures"), rules, wager_cents)
    if game.figures_at_once:
        at_once: Figures = compute()
        return at_once
    return await computed.get(("figures", rules.rules_hash, wager_cents), compute)


def known_figures(rules: HouseRules) -> Figures | None:
    """The figures if they are at hand."""
    game = GAMES[rules.game]
    known: Figures | None = (
        game.follow("figures")(rules, None)
        if game.figures_at_once
        else computed.known(("figures", rules.rules_hash, None))
    )
    return known


async def few_tickets_of(rules: Knockout21Rules) -> dict[str, Any]:
    """What draws with few tickets bring the house, and what a minimum would change."""
    return await computed.get(("few tickets", rules.rules_hash), partial(_few_tickets, rules))


def _few_tickets(rules: Knockout21Rules) -> dict[str, Any]:
    from cardroom.lab.few_tickets import few_tickets

    return few_tickets(rules).to_json()


def stop() -> None:
    """Let go of what nobody waits for any more, when the process ends."""
    _figures_room.stop()
    _advice_room.stop()


def sizes_of(rules: HouseRules, wager_cents: int | None) -> Callable[[], dict[str, Any]]:
    """What computes the edge by the size of the wager, as `odds --json` has it."""
    return partial(GAMES[rules.game].follow("sizes"), rules, wager_cents)
