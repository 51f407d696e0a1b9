"""A round of any game written down as it is played: what is awaited, what comes, who sees what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final, TypeVar

from cardroom.core.cards import Card
from cardroom.engine.contract import CardAwaited, DecisionAwaited, Done, Engine
from cardroom.engine.walk import moves
from cardroom.rules import HouseRules

Rules = TypeVar("Rules", bound=HouseRules)
Wagers = TypeVar("Wagers")
State = TypeVar("State")
Input = TypeVar("Input")

Choose = Callable[[State, Sequence[tuple[Any, int]]], Input]
"""What comes next, of all that can, each with its weight."""
_MOST_STEPS: Final = 500


def playthrough(
    engine: Engine[Rules, Wagers, State, Input, Any, Any],
    rules: Rules,
    wagers: Wagers,
    choose: Choose[State, Input],
    seats: Iterable[int],
) -> str:
    """A whole round as a text: every decision with its options and what its seat sees, and the end."""
    return "\n".join(_lines(engine, rules, wagers, choose, tuple(seats))) + "\n"


def _lines(
    engine: Engine[Rules, Wagers, State, Input, Any, Any],
    rules: Rules,
    wagers: Wagers,
    choose: Choose[State, Input],
    seats: tuple[int, ...],
) -> Iterator[str]:
    yield rules.title
    state, events = engine.start(rules, wagers)
    yield from _happened(events)
    for number in range(1, _MOST_STEPS):
        awaited = engine.awaits(state)
        yield ""
        match awaited:
            case Done():
                yield "The round is over."
                for seat in seats:
                    yield from _seen(seat, engine.view(state, seat))
                return
            case CardAwaited(place):
                outcomes = engine.chance(state)
                total = sum(weight for _, weight in outcomes)
                yield f"{number}. A card is awaited: {place}; {len(outcomes)} different, {total} in all."
            case DecisionAwaited(seat, options):
                yield f"{number}. Seat {seat} is to decide: {', '.join(map(str, options))}."
                yield from _seen(seat, engine.view(state, seat))
        move = choose(state, moves(engine, state))
        yield f"  > {move}"
        state, events = engine.step(state, move)
        yield from _happened(events)
    raise AssertionError(f"a round of {rules.game} is not over after {_MOST_STEPS} steps")


def _happened(events: Iterable[Any]) -> Iterator[str]:
    for event in events:
        yield f"  {said(event)}"


def _seen(seat: int, view: Any) -> Iterator[str]:
    """A view, each of its parts on a line, and each thing of which there are several on a line of its own."""
    yield f"  seat {seat} sees"
    for field in fields(view):
        part = getattr(view, field.name)
        if isinstance(part, HouseRules):
            continue
        if isinstance(part, tuple) and part and is_dataclass(part[0]) and not has_text(part[0]):
            yield f"    {field.name}"
            yield from (f"      {said(each)}" for each in part)
        else:
            yield f"    {field.name} {said(part)}"


def has_text(value: Any) -> bool:
    """Whether an object has a text of its own, which people know."""
    return any("__str__" in vars(kind) for kind in type(value).__mro__[:-1])


def said(value: Any) -> str:
    """An event or a part of a view on one line; house rules are left out, since they are always there.

    >>> said((True, None, Fraction(3, 2), {"ante": 100}))
    '[yes, -, 3/2, {ante: 100}]'
    """
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case Card() | int() | Fraction():
            return str(value)
        case Enum():
            return str(value.value)
        case str():
            return value if value else '""'
        case Mapping():
            return f"{{{', '.join(f'{said(key)}: {said(item)}' for key, item in value.items())}}}"
        case tuple() | list():
            return f"[{', '.join(map(said, value))}]"
        case _:
            return _parts(value)


def _parts(value: Any) -> str:
    """An object by the names of its fields, unless it has a text of its own."""
    if not is_dataclass(value) or has_text(value):
        return str(value)
    parts = [
        f"{field.name}={said(part)}"
        for field in fields(value)
        if not isinstance(part := getattr(value, field.name), HouseRules)
    ]
    return f"{type(value).__name__}({', '.join(parts)})"
