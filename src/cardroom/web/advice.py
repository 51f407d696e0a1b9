"""Advice at the table: what each action is worth, from the exact solution of the table's own rules."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from cardroom.engine import twentyone as engine
from cardroom.engine.twentyone import Round
from cardroom.rules.twentyone import TwentyOneRules

if TYPE_CHECKING:
    from cardroom.exact.twentyone import Solution

_KEPT: Final = 24
_solutions: OrderedDict[str, asyncio.Task[Solution]] = OrderedDict()


async def solution_of(rules: TwentyOneRules) -> Solution:
    """The exact solution of house rules, the best for each composition of the hand; computed once."""
    task = _solutions.get(rules.rules_hash)
    loop = asyncio.get_running_loop()
    if (
        task is None
        or task.get_loop() is not loop
        or (task.done() and (task.cancelled() or task.exception()))
    ):
        task = _solutions[rules.rules_hash] = loop.create_task(asyncio.to_thread(_solve, rules))
        while len(_solutions) > _KEPT:
            _solutions.popitem(last=False)
    return await asyncio.shield(task)


def known_solution(rules: TwentyOneRules) -> Solution | None:
    """The solution if it is at hand."""
    task = _solutions.get(rules.rules_hash)
    return (
        task.result()
        if task is not None and task.done() and not task.cancelled() and not task.exception()
        else None
    )


def _solve(rules: TwentyOneRules) -> Solution:
    from cardroom.exact.twentyone import solve

    return solve(rules, "composition")


async def advise(game: Round) -> dict[str, Any]:
    """What each action is expected to bring to the hand in turn, in units of its original wager."""
    hand = game.spots[game.turn].hands[game.hand]
    if game.phase is not engine.Phase.PLAY or game.up is None:
        return {"ready": False, "why": "insurance is a bet on the hole card, not on your hand", "values": []}
    if hand.from_split or hand.doubles:
        return {"ready": False, "why": "values are given for hands before a split or a double", "values": []}
    solution = await solution_of(game.rules)
    values = solution.action_values(hand.cards, game.up)
    offered = {str(option) for option in game.options}
    ranked = sorted(
        ((str(action), value) for action, value in values.items() if str(action) in offered),
        key=lambda pair: -pair[1],
    )
    return {
        "ready": True,
        "method": "exact for a fresh shoe, best play for each composition",
        "values": [{"action": action, "value": value} for action, value in ranked],
    }
