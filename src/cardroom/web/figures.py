"""The figures behind a game, computed once for each version of the rules by the rooms below, and kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from cardroom.rules import HouseRules
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules

TICKETS: Final = 1000
"""A ticket's edge is given for a draw with so many tickets; it depends on their number."""
_KEPT: Final = 200
_worker: Final = ThreadPoolExecutor(1, "figures")
"""One computation at a time, so that the tables keep their pace."""

Answer = TypeVar("Answer")
Figures = list[dict[str, Any]]


class Computed:
    """Answers by key, each computed once; who asks while it is computed waits for the same one."""

    def __init__(self) -> None:
        self._tasks: OrderedDict[tuple[object, ...], asyncio.Future[Any]] = OrderedDict()

    async def get(self, key: tuple[object, ...], compute: Callable[[], Answer]) -> Answer:
        loop = asyncio.get_running_loop()
        full = (id(loop), *key)
        task = self._tasks.get(full)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._tasks[full] = loop.run_in_executor(_worker, compute)
            while len(self._tasks) > _KEPT:
                self._tasks.popitem(last=False)
        answer: Answer = await asyncio.shield(task)
        return answer

    def known(self, key: tuple[object, ...]) -> Any | None:
        """An answer that is at hand, else None."""
        task = self._tasks.get((id(asyncio.get_running_loop()), *key))
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return task.result()


computed: Final = Computed()


async def figures_of(rules: HouseRules) -> Figures:
    """Every wager of the rules in the shape of `odds --json`, the primary one first."""
    if isinstance(rules, Knockout52Rules):
        return _figures(rules)  # a millisecond: not worth a place in the queue
    return await computed.get(("figures", rules.rules_hash), lambda: _figures(rules))


def known_figures(rules: HouseRules) -> Figures | None:
    """The figures if they are at hand."""
    if isinstance(rules, Knockout52Rules):
        return _figures(rules)
    found: Figures | None = computed.known(("figures", rules.rules_hash))
    return found


def stop() -> None:
    """Let go of what nobody waits for any more, when the process ends."""
    _worker.shutdown(wait=False, cancel_futures=True)


def _figures(rules: HouseRules) -> Figures:
    match rules:
        case Knockout52Rules():
            from cardroom.exact.knockout52 import wager_figures

            return [wager.to_json() for wager in wager_figures(rules)]
        case Knockout21Rules():
            from cardroom.exact.knockout21_figures import odds_of
            from cardroom.exact.knockout21_picture import picture

            tickets = max(TICKETS, rules.draws.minimum_tickets)
            return [line.to_json() for line in odds_of(rules, picture(rules, tickets=tickets))]
        case TwentyOneRules():
            from cardroom.lab.advice import solved
            from cardroom.lab.twentyone import beside_figures

            # The solution is the one that advice at the tables uses, so that it is computed once.
            return [wager.to_json() for wager in (solved(rules).figures(), *beside_figures(rules))]
        case _:
            raise AssertionError(rules.game)
