"""Advice at the table: what each action is worth, from the exact solution of the table's own rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cardroom.engine.twentyone import Round
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.figures import computed

if TYPE_CHECKING:
    from cardroom.exact.twentyone import Solution


async def solution_of(rules: TwentyOneRules) -> Solution:
    """The exact solution of house rules, the best for each composition of the hand."""
    return await computed.get(("solution", rules.rules_hash), lambda: _solve(rules))


def known_value(rules: TwentyOneRules) -> float | None:
    """What a unit on the primary wager brings on average, if the solution is at hand."""
    solution: Solution | None = computed.known(("solution", rules.rules_hash))
    return None if solution is None else solution.expected_value


def _solve(rules: TwentyOneRules) -> Solution:
    from cardroom.lab.advice import solved

    return solved(rules)


async def advise(game: Round) -> dict[str, Any]:
    """What each option is expected to bring to the hand in turn, split and doubled ones too.

    A value is in units of the spot's original wager, and in cents.
    """
    from cardroom.lab.advice import advice

    await solution_of(game.rules)
    given = await computed.get(("advice", game.rules.rules_hash, game.inputs), lambda: advice(game))
    if given is None:
        return {"ready": False, "why": "nothing is asked of you now", "values": []}
    return {
        "ready": True,
        "method": "exact for a fresh shoe, best play for each composition",
        "values": [
            {
                "action": str(one.option),
                "value": one.value_cents / given.stake_cents,
                "value_cents": round(one.value_cents, 2),
            }
            for one in given.choices
        ],
    }
