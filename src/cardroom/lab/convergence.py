"""How the mean of a simulation settles down, as a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardroom.lab.plots import ACCENT, INK, PALE, WARM, figure
from cardroom.presentation.numbers import percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def convergence(points: Sequence[tuple[int, float, float]], exact: float | None, *, wager: str) -> Figure:
    """The mean and its 95 % interval over the rounds played, and the exact value where it is known.

    A point is (rounds, mean, half the width of the interval).
    """
    drawn, axes = figure(6.8, 3.2)
    rounds = [point[0] for point in points]
    axes.fill_between(
        rounds,
        [-100 * (mean + reach) for _, mean, reach in points],
        [-100 * (mean - reach) for _, mean, reach in points],
        color=PALE,
        linewidth=0,
        label="95 % interval",
    )
    axes.plot(
        rounds, [-100 * mean for _, mean, _ in points], color=ACCENT, marker="o", markersize=2, label="mean"
    )
    if exact is not None:
        axes.axhline(-100 * exact, color=WARM, linewidth=0.9, label=f"exact, {percent(-exact)}")
    axes.set_xscale("log")
    axes.legend(fontsize=7, frameon=False)
    axes.set_title(wager, fontsize=9, color=INK, loc="left")
    axes.set_xlabel("rounds", fontsize=8, color=INK)
    axes.set_ylabel("house edge, %", fontsize=8, color=INK)
    return drawn
