"""What a player who counts cards won."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from cardroom.library.arguments import real
from cardroom.library.counter_curves import CounterCurves, fan_rows, ruin_rows
from cardroom.library.frames import Library, Rows
from cardroom.presentation.numbers import signed
from cardroom.protect.counting import CounterResult
from cardroom.protect.team import TeamResult, counter_words


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
    def hands(self) -> int:
        """Spots wagered on, however often they were split."""
        per_hand = self._result.per_hand
        return 0 if per_hand is None else int(per_hand["hands"])

    @property
    def win_per_100_hands(self) -> float:
        """Units won for 100 hands played: a spot wagered on is a hand."""
        per_hand = self._result.per_hand
        return 0.0 if per_hand is None else float(per_hand["win_per_100"])

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
        return self._result.seen.ruin(real(bankroll, "a bankroll of", above=0))

    def optimal_ramp(self, bankroll: float, risk: float = 0.135) -> str | None:
        """The ramp that wins most from a bankroll in units at a risk of ruin; None where there is none."""
        units = real(bankroll, "a bankroll of", above=0)
        best = self._result.optimal_ramp(units, real(risk, "a risk of", above=0, below=1), self._most)
        return None if best is None else str(best[0])

    @cached_property
    def curves(self) -> CounterCurves:
        """Edge by count, counts by depth, how a bankroll may go, the risk of ruin by its size."""
        from cardroom.lab.protection import counter_plots

        result, curves = self._result, self._result.curves
        return CounterCurves(
            f"curves of {result.counter.count.title} over {self.rounds:,} rounds seen",
            {
                "edge": edge_rows(result),
                "counts": fan_rows("counts by decks dealt", "decks_dealt", curves.counts),
                "bankroll": fan_rows("units won by rounds seen", "rounds_seen", curves.bankroll),
                "ruin": ruin_rows(curves.risks),
            },
            result.curve_points,
            lambda: counter_plots(result),
        )

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
            f"{win} ± {error} units for 100 rounds seen>"
        )

    def _repr_html_(self) -> str:
        return self.rows()._repr_html_()


class TeamCounting:
    """Many rounds of several counters at one table; money is in units of the smallest wager."""

    def __init__(self, result: TeamResult, most_units: int) -> None:
        self._result = result
        self._most = most_units

    @property
    def rounds(self) -> int:
        """Rounds seen; fewer than asked for where it was interrupted."""
        return self._result.rounds

    @cached_property
    def counters(self) -> list[Counting]:
        """Each for itself, in the order of their spots."""
        return [Counting(one, self._most) for one in self._result.counters]

    @property
    def hands(self) -> int:
        """Spots wagered on by all of them, however often they were split."""
        return self._result.hands

    @property
    def win_per_100_seen(self) -> float:
        """Units that all won together for 100 rounds seen."""
        return 100 * self._result.seen.mean

    @property
    def win_per_100_hands(self) -> float:
        """Units that all won together for 100 hands played."""
        return self.win_per_100_seen * self.rounds / self.hands if self.hands else 0.0

    @property
    def standard_error(self) -> float:
        """Of the win for 100 rounds seen."""
        return 100 * self._result.seen.standard_error

    @property
    def standard_deviation(self) -> float:
        """Of one round seen, all together, in units."""
        return self._result.seen.standard_deviation

    @property
    def correlation(self) -> float | None:
        """Of two counters' wins in a round; None for one counter."""
        return self._result.correlation

    @property
    def score(self) -> float:
        """SCORE of all together, by rounds seen."""
        return self._result.seen.score

    @property
    def n0(self) -> float | None:
        """Rounds seen until the win is one standard deviation; None where nothing is won."""
        return self._result.seen.n0

    def ruin(self, bankroll: float) -> float:
        """The risk of losing a common bankroll of so many units."""
        return self._result.seen.ruin(bankroll)

    @cached_property
    def curves(self) -> CounterCurves:
        """Edge of each counter by its count, how the common bankroll may go, the risk by its size."""
        from cardroom.lab.protection import team_plots

        result = self._result
        edges = [
            {"counter": number, **row}
            for number, one in enumerate(result.counters, 1)
            for row in edge_rows(one)
        ]
        return CounterCurves(
            f"curves of {len(result.counters)} counters over {self.rounds:,} rounds seen",
            {
                "edge": Rows("edge by counter and count", edges),
                "bankroll": fan_rows("units won by rounds seen", "rounds_seen", result.bankroll),
                "ruin": ruin_rows(result.risks),
            },
            result.curve_points,
            lambda: team_plots(result),
        )

    def rows(self) -> Rows:
        """A line for each counter."""
        return Rows(
            f"{self.rounds:,} rounds seen",
            [
                {
                    "counter": number,
                    "habits": counter_words(one._result.counter),
                    "win_per_100_seen": one.win_per_100_seen,
                    "win_per_100_played": one.win_per_100_played,
                    "win_per_100_hands": one.win_per_100_hands,
                    "standard_error": one.standard_error,
                    "standard_deviation": one.standard_deviation,
                }
                for number, one in enumerate(self.counters, 1)
            ],
        )

    def to_dict(self) -> dict[str, Any]:
        """The simulation as `cardroom protect --ramp --with --json` has it."""
        return self._result.to_json()

    def to_frame(self, library: Library | None = None) -> Any:
        """A line for each counter, in pandas or polars."""
        return self.rows().to_frame(library)

    def __repr__(self) -> str:
        win, error = signed(self.win_per_100_seen, 3, plus=True), signed(self.standard_error, 3)
        return (
            f"<{self._result.job.rules.game}, {self.rounds:,} rounds seen by {len(self.counters)} counters: "
            f"{win} ± {error} units for 100 rounds seen>"
        )

    def _repr_html_(self) -> str:
        return self.rows()._repr_html_()


def edge_rows(result: CounterResult) -> Rows:
    """The edge at each count at which something was wagered."""
    return Rows(
        "edge by count",
        [
            {
                "count": row.count,
                "edge": row.edge,
                "standard_error": row.standard_error,
                "share_of_rounds_seen": row.seen / result.rounds,
            }
            for row in result.rows
            if row.played
        ],
    )
