"""How fast a game is dealt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cardroom.core.errors import MalformedInput

SLOWEST_PACE: Final = 60.0
_STEP: Final = "step"


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds between cards; `stepping` waits for a key (or a line of input) before each card instead."""

    seconds: float = 0.0
    stepping: bool = False

    @property
    def takes_time(self) -> bool:
        """Whether a game may be broken off in its middle."""
        return self.stepping or self.seconds > 0

    @classmethod
    def parse(cls, text: str) -> Pace:
        if text == _STEP:
            return cls(stepping=True)
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not 0 <= seconds <= SLOWEST_PACE:
            raise MalformedInput(
                f"--pace {text} is not allowed; allowed: {_STEP}, or seconds per card, 0 to {SLOWEST_PACE:g}"
            )
        return cls(seconds)
