"""Advice at the table: what each action is worth, from the exact solution of the table's own rules."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from cardroom.core.errors import CardroomError
from cardroom.engine.twentyone import Round
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.web.computations import Asker
from cardroom.web.figures import advised, computed


async def value_of(
    rules: TwentyOneRules, wager_cents: int | None = None, asker: Asker | None = None
) -> float:
    """What a unit of a primary wager brings on average with the best play; the smallest unless told."""
    key = ("value", rules.rules_hash, wager_cents)
    work = partial(_value, rules, wager_cents)
    return await (advised.get(key, work) if asker is None else computed.get(key, work, asker))


async def prepare(rules: TwentyOneRules, asker: Asker) -> None:
    """Solve the rules of a table before its cards lie, once, as a computation of whoever plays there."""
    key = ("value", rules.rules_hash, None)
    if not advised.is_wanted(key):
        with suppress(CardroomError):  # it is solved when somebody asks for advice
            await advised.get(key, partial(_value, rules, None), asker)


def _value(rules: TwentyOneRules, wager_cents: int | None) -> float:
    from cardroom.lab.advice import solved

    return float(solved(rules, wager_cents).expected_value)


async def advise(game: Round, asker: Asker | None = None) -> dict[str, Any]:
    """What each option is expected to bring to the hand in turn, in units of its original wager."""
    key = ("advice", game.rules.rules_hash, game.inputs)
    return await advised.get(key, partial(_advice, game), asker)


def _advice(game: Round) -> dict[str, Any]:
    """The advice in plain values, so that the server itself never loads the solver."""
    from cardroom.lab.advice import advice

    values = advice(game)
    if values is None:
        return {"ready": False, "why": "nothing is asked of you now", "values": []}
    return {
        "ready": True,
        "method": "exact for a fresh shoe, best play for each composition",
        "values": [
            {
                "action": str(one.option),
                "value": float(one.value_cents) / values.stake_cents,
                "value_cents": round(float(one.value_cents), 2),
            }
            for one in values.choices
        ],
    }
