"""What a player who counts cards won."""

from __future__ import annotations

from typing import Any

from cardroom.library.frames import Library, Rows
from cardroom.presentation.numbers import signed
from cardroom.protect.counting import CounterResult


class Counting:
    """Many rounds of a player who counts; the same game, habits, rounds and seed give the same result.

    Money is in units of the smallest wager.
    """

    def __init__(self, result: CounterResult, most_units: int) -> None:
        self._result = result
        self._most = most_units

    @property
    def rounds(self) -> int:
        """Rounds seen, those sat out included; fewer than asked for where it was interrupted."""
        return self._result.rounds

    @property
    def win_per_100_seen(self) -> float:
        """Units won for 100 rounds seen."""
        return 100 * self._result.seen.mean

    @property
    def win_per_100_played(self) -> float:
        """Units won for 100 rounds in which the counter wagered."""
        played = self._result.played
        return 0.0 if played is None else 100 * played.mean

    @property
    def standard_error(self) -> float:
        """Of the win for 100 rounds seen."""
        return 100 * self._result.seen.standard_error

    @property
    def standard_deviation(self) -> float:
        """Of one round seen, in units."""
        return self._result.seen.standard_deviation

    @property
    def desirability(self) -> float:
        """DI by rounds seen: 1000 times the win for each standard deviation."""
        return self._result.seen.desirability

    @property
    def score(self) -> float:
        """SCORE by rounds seen: the win of 100 rounds with 10,000 and a risk of ruin of 13.5 %."""
        return self._result.seen.score

    @property
    def n0(self) -> float | None:
        """Rounds seen until the win is one standard deviation; None where nothing is won."""
        return self._result.seen.n0

    def ruin(self, bankroll: float) -> float:
        """The risk of losing a bankroll of so many units."""
        return self._result.seen.ruin(bankroll)

    def optimal_ramp(self, bankroll: float, risk: float = 0.135) -> str | None:
        """The ramp that wins most from a bankroll in units at a risk of ruin; None where there is none."""
        best = self._result.optimal_ramp(bankroll, risk, self._most)
        return None if best is None else str(best[0])

    def rows(self) -> Rows:
        """A line for each count at which rounds began."""
        return Rows(f"{self.rounds:,} rounds seen", [row.to_json(self.rounds) for row in self._result.rows])

    def to_dict(self) -> dict[str, Any]:
        """The simulation as `cardroom protect --ramp --json` has it."""
        return self._result.to_json()

    def to_frame(self, library: Library | None = None) -> Any:
        """A line for each count, in pandas or polars."""
        return self.rows().to_frame(library)

    def __repr__(self) -> str:
        win, error = signed(self.win_per_100_seen, 3, plus=True), signed(self.standard_error, 3)
        return (
            f"<{self._result.job.rules.game}, {self.rounds:,} rounds seen by "
            f"{self._result.counter.count.title}: "
            f"{win} ± {error} units for 100 rounds>"
        )

    def _repr_html_(self) -> str:
        return self.rows()._repr_html_()
