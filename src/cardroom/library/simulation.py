"""What a simulation brought, with its error."""

from __future__ import annotations

from typing import Any

from cardroom.core.errors import UnknownName
from cardroom.library.arguments import real, text
from cardroom.library.frames import Library, Rows
from cardroom.presentation.numbers import signed
from cardroom.sim.result import Estimate, SimulationResult


class Simulation:
    """Many rounds played by a strategy; the same game, rounds and seed always give the same result."""

    def __init__(self, result: SimulationResult, main_wager: str) -> None:
        self._result = result
        self._main = main_wager

    @property
    def rounds(self) -> int:
        """How many rounds were played; fewer than asked for where it was interrupted."""
        return self._result.rounds

    @property
    def seed(self) -> int:
        """The seed that plays the same rounds again."""
        return self._result.seed

    def wager(self, wager: str | None = None) -> Estimate:
        """The estimate of one wager by its id, of the main one unless told."""
        known = {estimate.wager: estimate for estimate in self._result.estimates}
        name = self._main if wager is None else text(wager, "the wager", self._main)
        if name not in known:
            raise UnknownName(f"there is no wager {name!r} here; the wagers are {', '.join(known)}")
        return known[name]

    @property
    def mean(self) -> float:
        """What a unit on the main wager brought on average, below zero for a loss."""
        return float(self.wager().mean)

    @property
    def edge(self) -> float:
        """The house edge that was found: the mean with the other sign."""
        return -self.mean

    @property
    def standard_error(self) -> float:
        """Of the mean."""
        return self.wager().standard_error

    @property
    def variance(self) -> float:
        """Of one round."""
        return self.wager().variance

    @property
    def standard_deviation(self) -> float:
        """Of one round."""
        return self.wager().standard_deviation

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The interval that holds the expected value in this share of simulations."""
        return self.wager().confidence_interval(real(level, "the level", above=0, below=1))

    @property
    def by_up_card(self) -> Rows:
        """The main wager by the dealer's card; empty for games without one."""
        return Rows("by up card", self._result.details.get("by_up_card", ()))

    def rows(self) -> Rows:
        """A line for each wager."""
        return Rows(
            f"{self.rounds:,} rounds",
            [
                {
                    "wager": one.wager,
                    "rounds": one.rounds,
                    "expected_value": float(one.mean),
                    "standard_error": one.standard_error,
                    "hit_frequency": one.hit_frequency,
                    "standard_deviation": one.standard_deviation,
                }
                for one in self._result.estimates
            ],
        )

    def to_dict(self) -> dict[str, Any]:
        """The simulation as `cardroom simulate --json` has it."""
        return self._result.to_json()

    def to_frame(self, library: Library | None = None) -> Any:
        """A line for each wager, in pandas or polars."""
        return self.rows().to_frame(library)

    def __repr__(self) -> str:
        mean, error = signed(self.mean, 6, plus=True), signed(self.standard_error, 6)
        return f"<{self._result.game}, {self.rounds:,} rounds: mean {mean} ± {error} (standard error)>"

    def _repr_html_(self) -> str:
        return self.rows()._repr_html_()
