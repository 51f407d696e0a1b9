"""Deviations: hands that a counter plays in another way than basic strategy, from a count on or below it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.model.twentyone.automaton import NUMBER_OF, Automaton
from cardroom.model.twentyone.chart_rows import UP_CARDS, UP_COLUMNS, hand_words
from cardroom.rules.twentyone.law import Action

_TEXT: Final = re.compile(
    r"(?:(hard|soft|pair) )?(\d{1,2}|[AT]) ?v ?(10|[2-9AT]) (\w+) (from|below) ([+-]?\d+)", re.IGNORECASE
)
_SUCH: Final = "write 16 v T stand from 0, pair T v 5 split from 5 or 13 v 2 hit below -1"
_GIVEN_UP: Final = frozenset({NUMBER_OF[Action.SURRENDER], NUMBER_OF[Action.RESCUE]})


@dataclass(frozen=True, slots=True)
class Deviation:
    """One hand against one up card: from a count on (or below it) another action."""

    hand: str
    """`hard 16`, `soft 18`, `pair T`."""
    up: str
    action: Action
    count: int
    below: bool = False

    @classmethod
    def parse(cls, text: str) -> Deviation:
        match = _TEXT.fullmatch(text.strip())
        if match is None:
            raise MalformedInput(f"{text.strip()!r} is not a deviation; {_SUCH}")
        kind, hand, up, action, side, count = match.groups()
        if action.lower() not in set(Action):
            raise MalformedInput(f"{action!r} is not an action; actions are {', '.join(Action)}")
        letter = {"10": "T"}.get(hand, hand.upper()) if (kind or "").lower() == "pair" else hand
        if (kind or "").lower() != "pair" and not hand.isdigit():
            raise MalformedInput(f"{text.strip()!r} has no total; {_SUCH}")
        return cls(
            f"{(kind or 'hard').lower()} {letter}",
            "T" if up == "10" else up.upper(),
            Action(action.lower()),
            int(count),
            side.lower() == "below",
        )

    @property
    def up_value(self) -> int:
        return UP_COLUMNS[UP_CARDS.index(self.up)] + 1

    def __str__(self) -> str:
        side = "below" if self.below else "from"
        return f"{self.hand.removeprefix('hard ')} v {self.up} {self.action} {side} {self.count}"

    def holds(self, first: float, last: float) -> bool:
        """Whether it is played at all counts from the first to the last."""
        return last < self.count if self.below else first >= self.count


@dataclass(frozen=True, slots=True)
class NamedIndices:
    """A published list of deviations."""

    title: str
    insurance: int | None
    deviations: tuple[Deviation, ...]


@cache
def named_indices() -> dict[str, NamedIndices]:
    """The lists that are known by name."""
    tree = tomllib.loads(resources.files("cardroom.protect").joinpath("indices.toml").read_text("utf-8"))
    return {
        name: NamedIndices(
            entry["title"], entry.get("insurance"), tuple(map(Deviation.parse, entry["deviations"]))
        )
        for name, entry in tree.items()
    }


def read_deviations(texts: Iterable[str]) -> tuple[Deviation, ...]:
    """Deviations by their words; a text may name a published list, or hold several with commas between."""
    deviations: list[Deviation] = []
    for text in texts:
        for part in text.split(","):
            name = part.strip()
            known = named_indices().get(name)
            deviations += known.deviations if known else [Deviation.parse(name)]
    seen: set[tuple[str, str, Action]] = set()
    for one in deviations:
        if (one.hand, one.up, one.action) in seen:
            raise MalformedInput(
                f"{one.hand.removeprefix('hard ')} v {one.up} {one.action} is named twice; it has one count"
            )
        seen.add((one.hand, one.up, one.action))
    return tuple(deviations)


def states_of(automaton: Automaton, hand: str) -> list[int]:
    """The states of a hand such as `hard 16`, before any double."""
    return sorted(
        {
            state
            for hand_state, state in automaton.numbered.items()
            if hand_state.cards > 1
            and not hand_state.doubles
            and automaton.may[state]
            and hand_words(automaton, hand_state, state) == hand
        }
    )


def strategies(
    automaton: Automaton, basic: NDArray[np.int8], deviations: Sequence[Deviation]
) -> tuple[tuple[int, ...], NDArray[np.int8]]:
    """The counts at which play changes, and `action[row, state, column]`: basic, then band by band.

    A hand that basic strategy gives up is given up at every count.
    """
    bands = tuple(sorted({one.count for one in deviations}))
    if deviations and automaton.rules.hole_card == "shown":
        raise MalformedInput(
            "deviations are by the dealer's up card, and at this table both of the dealer's cards are seen "
            "(hole_card); leave them out"
        )
    rows = [basic]
    states = {one.hand: states_of(automaton, one.hand) for one in deviations}
    for one in deviations:
        number = NUMBER_OF[one.action]
        if not any(automaton.may[state] >> number & 1 for state in states[one.hand]):
            raise MalformedInput(f"under these rules no {one.hand} may {one.action}: {one}")
    for first, last in zip((-np.inf, *bands), (*(band - 1 for band in bands), np.inf), strict=True):
        row = basic.copy()
        for one in deviations:
            if not one.holds(first, last):
                continue
            number, column = NUMBER_OF[one.action], one.up_value - 1
            for state in states[one.hand]:
                if automaton.may[state] >> number & 1 and int(basic[state, column]) not in _GIVEN_UP:
                    row[state, column] = number
        rows.append(row)
    return bands, np.stack(rows)
