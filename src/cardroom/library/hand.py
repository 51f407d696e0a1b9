"""One hand against an up card: what to do, what everything is worth, what a mistake costs."""

from __future__ import annotations

from typing import Any

from cardroom.core.errors import UnknownName
from cardroom.lab.hands import HandValues, total_words
from cardroom.library import pictures
from cardroom.library.arguments import text
from cardroom.library.frames import Library, Rows
from cardroom.library.numbers import Value
from cardroom.presentation.numbers import signed


class Hand:
    """A hand that has been looked up; values are for each unit of the first wager."""

    def __init__(self, found: HandValues) -> None:
        self._figures = found

    @property
    def cards(self) -> str:
        """The cards as they were given."""
        return self._figures.cards

    @property
    def up(self) -> str:
        """The dealer's card."""
        return self._figures.up_card

    @property
    def total(self) -> str:
        """`soft 18`, `hard 16`."""
        return total_words(self.cards)

    @property
    def best(self) -> str | None:
        """The best action, None where nothing is to be decided."""
        return str(self._figures.values[0][0]) if self._figures.values else None

    @property
    def expected_value(self) -> Value:
        """Of the best action, given that the dealer has no blackjack."""
        return Value(self._figures.expected_value)

    @property
    def values(self) -> dict[str, Value]:
        """What every action is worth, the best first."""
        return {str(action): Value(value) for action, value in self._figures.values}

    def cost(self, action: str) -> float:
        """What an action costs beside the best one."""
        values, action = self.values, text(action, "the action", "stand")
        if action not in values:
            raise UnknownName(
                f"{self.cards} against {self.up} cannot {action}; it can {', '.join(values) or 'do nothing'}"
            )
        return float(self.expected_value) - float(values[action])

    def rows(self) -> Rows:
        """A line for each action: its value and what it costs."""
        return Rows(
            f"{self.cards}, {self.total}, against {self.up}",
            [
                {"action": action, "expected_value": value, "costs": self.cost(action)}
                for action, value in self.values.items()
            ],
        )

    def to_dict(self) -> dict[str, Any]:
        """The hand as `cardroom hand --json` has it."""
        return self._figures.to_json()

    def to_frame(self, library: Library | None = None) -> Any:
        """A line for each action, in pandas or polars."""
        return self.rows().to_frame(library)

    def __repr__(self) -> str:
        best = (
            f"{self.best} {signed(self.expected_value, 6, plus=True)}" if self.best else "nothing to decide"
        )
        return f"<{self.cards} ({self.total}) against {self.up}: {best}>"

    def _repr_html_(self) -> str:
        return pictures.with_table(self._repr_svg_(), self.rows()._repr_html_())

    def _repr_svg_(self) -> str:
        values = [(action, float(value)) for action, value in self.values.items()]
        return pictures.hand(self.rows().title, self.cards, self.up, values)
