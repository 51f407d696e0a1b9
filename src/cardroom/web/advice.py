"""Advice at the table: what each action is worth, from the exact solution of the table's own rules."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from cardroom.engine.twentyone import Round
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.figures import advised

if TYPE_CHECKING:
    from cardroom.lab.advice import Advice


async def value_of(rules: TwentyOneRules) -> float:
    """What a unit on the primary wager brings on average with the best play."""
    return await advised.get(("value", rules.rules_hash), partial(_value, rules))


def _value(rules: TwentyOneRules) -> float:
    from cardroom.lab.advice import solved

    return solved(rules).expected_value


def _advice(game: Round) -> Advice | None:
    from cardroom.lab.advice import advice

    return advice(game)


async def advise(game: Round) -> dict[str, Any]:
    """What each option is expected to bring to the hand in turn, in units of its original wager."""
    given = await advised.get(("advice", game.rules.rules_hash, game.inputs), partial(_advice, game))
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
