"""The figures behind a game, computed once for each version of the rules by the rooms below, and kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeVar

from cardroom.rules import HouseRules
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.workroom import Workroom

TICKETS: Final = 1000
"""A ticket's edge is given for a draw with so many tickets; it depends on their number."""
_KEPT: Final = 200

Answer = TypeVar("Answer")
Figures = list[dict[str, Any]]


class Computed:
    """Answers by key, each computed once; who asks while it is computed waits for the same one."""

    def __init__(self, room: Workroom) -> None:
        self._room = room
        self._tasks: OrderedDict[tuple[object, ...], asyncio.Future[Any]] = OrderedDict()

    async def get(self, key: tuple[object, ...], compute: Callable[[], Answer]) -> Answer:
        """The answer of a key; `compute` is picklable, and runs in the workroom."""
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


_figures_room: Final = Workroom("figures")
_advice_room: Final = Workroom("advice")
computed: Final = Computed(_figures_room)
"""Figures, sheets and comparisons, which may take a while."""
advised: Final = Computed(_advice_room)
"""What the tables ask for: it does not wait for figures."""


async def figures_of(rules: HouseRules, wager_cents: int | None = None) -> Figures:
    """Every wager of the rules in the shape of `odds --json`, the primary one first.

    They are for a wager of that size, the table's minimum unless told.
    """
    if isinstance(rules, Knockout52Rules):
        return _figures(rules, wager_cents)  # a millisecond: not worth a place in the queue
    key = ("figures", rules.rules_hash, wager_cents)
    return await computed.get(key, partial(_figures, rules, wager_cents))


def known_figures(rules: HouseRules) -> Figures | None:
    """The figures if they are at hand."""
    if isinstance(rules, Knockout52Rules):
        return _figures(rules, None)
    found: Figures | None = computed.known(("figures", rules.rules_hash, None))
    return found


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


def sizes_of(rules: HouseRules, wager_cents: int | None) -> dict[str, Any]:
    """For which size of wager the figures are, and the edge by size, in the shape of `odds --json`."""
    match rules:
        case Knockout52Rules():
            from cardroom.lab.sizes_knockouts import knockout_52_by_size

            return knockout_52_by_size(rules, wager_cents, with_curve=True).to_json()
        case Knockout21Rules():
            from cardroom.lab.sizes_knockouts import knockout_21_by_size

            return knockout_21_by_size(rules).to_json()
        case TwentyOneRules():
            from cardroom.lab.sizes_twentyone import twentyone_by_size

            return twentyone_by_size(rules, "composition", wager_cents=wager_cents, with_curve=True).to_json()
        case _:
            raise AssertionError(rules.game)


def _figures(rules: HouseRules, wager_cents: int | None) -> Figures:
    match rules:
        case Knockout52Rules():
            from cardroom.exact.knockout52 import wager_figures

            return [wager.to_json() for wager in wager_figures(rules, wager_cents or int(rules.limits.min))]
        case Knockout21Rules():
            from cardroom.exact.knockout21_figures import odds_of
            from cardroom.exact.knockout21_picture import picture

            tickets = max(TICKETS, rules.draws.minimum_tickets)
            return [line.to_json() for line in odds_of(rules, picture(rules, tickets=tickets))]
        case TwentyOneRules():
            from cardroom.lab.advice import solved
            from cardroom.lab.twentyone import beside_figures

            # The solution is the one that advice at the tables uses, so that it is computed once.
            primary = solved(rules, wager_cents).figures()
            beside = beside_figures(rules, wager_cents=wager_cents)
            return [wager.to_json() for wager in (primary, *beside)]
        case _:
            raise AssertionError(rules.game)
