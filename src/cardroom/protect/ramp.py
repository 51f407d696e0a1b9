"""The wager by the count: a ramp in whole units of the smallest wager."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from cardroom.core.errors import MalformedInput

_STEP: Final = re.compile(r"([+-]?\d{1,9}):(-?\d{1,9})")


@dataclass(frozen=True, slots=True)
class Ramp:
    """From each count on, so many units; below the first of them one unit, the least."""

    steps: tuple[tuple[int, int], ...]

    @classmethod
    def parse(cls, text: str) -> Ramp:
        """Read `1:1,2:4,3:8`: a count and the units wagered from it on.

        >>> Ramp.parse("1:2,3:8").units(2), Ramp.parse("1:2,3:8").units(0)
        (2, 1)
        """
        steps = []
        for part in text.split(","):
            match = _STEP.fullmatch(part.strip())
            if match is None:
                raise MalformedInput(
                    f"{part.strip()!r} is not a step of a ramp; write COUNT:UNITS in whole units, "
                    "such as 1:1,2:4,3:8"
                )
            steps.append((int(match[1]), int(match[2])))
        return cls.of(dict(steps)) if len(dict(steps)) == len(steps) else _named_twice(steps)

    @classmethod
    def of(cls, steps: Mapping[int, int]) -> Ramp:
        """A ramp from units by count."""
        for count, units in steps.items():
            if units < 1:
                raise MalformedInput(
                    f"the ramp falls below the table's minimum: {units} units from a count of {count}; "
                    "the least is 1 unit (to sit out, say at which count to enter)"
                )
        return cls(tuple(sorted(steps.items())))

    def units(self, count: int) -> int:
        """What is wagered at a count."""
        return max([(step, units) for step, units in self.steps if step <= count], default=(0, 1))[1]

    def __str__(self) -> str:
        return ",".join(f"{count}:{units}" for count, units in self.steps)


def _named_twice(steps: list[tuple[int, int]]) -> Ramp:
    counts = [count for count, _ in steps]
    twice = next(count for count in counts if counts.count(count) > 1)
    raise MalformedInput(f"the ramp names a count of {twice} twice; name each once")
