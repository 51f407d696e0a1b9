"""The plots of the page Protection drawn on one sheet: SVG, PNG or PDF."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cardroom.core.errors import MalformedInput
from cardroom.core.extras import require
from cardroom.lab.plots import ACCENT, GRID, INK, PALE, rendered
from cardroom.protect.counting import CounterResult
from cardroom.protect.team import TeamResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMS: Final = (".svg", ".png", ".pdf")
_WIDE: Final = 6.8
_HIGH: Final = 2.4


def check_plot(file: Path | None) -> None:
    """Refuse a name that says no form, before anything is computed."""
    if file is None:
        return
    if file.suffix not in FORMS:
        raise MalformedInput(f"--plot {file} is not allowed; allowed: a name that ends in {', '.join(FORMS)}")
    require("a plot", "plots", "matplotlib")


def plots_of(result: CounterResult | TeamResult) -> list[dict[str, Any]]:
    """Of one counter, or of several at one table."""
    from cardroom.lab.protection import counter_plots, team_plots

    return list(counter_plots(result) if isinstance(result, CounterResult) else team_plots(result))


def drawn_plots(plots: Sequence[dict[str, Any]], form: str) -> bytes:
    """All plots, one below the other, as `protection_view` has them."""
    from matplotlib.figure import Figure

    sheet = Figure(figsize=(_WIDE, _HIGH * len(plots)))
    sheet.set_layout_engine("constrained")
    for axes, plot in zip(sheet.subplots(len(plots), squeeze=False)[:, 0], plots, strict=True):
        _draw(axes, plot)
    if form == ".pdf":
        out = io.BytesIO()
        sheet.savefig(out, format="pdf", metadata={"CreationDate": None, "Creator": None, "Producer": None})
        return out.getvalue()
    return rendered(sheet, "svg" if form == ".svg" else "png")


def _draw(axes: Axes, plot: dict[str, Any]) -> None:
    axes.set_title(plot["title"], fontsize=9, color=INK, loc="left")
    axes.tick_params(colors=INK, labelsize=7.5, length=2.5)
    axes.grid(color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    if plot["kind"] == "bars":
        axes.bar(
            [x for x, _, _ in plot["points"]], [y for _, y, _ in plot["points"]], color=ACCENT, width=0.8
        )
    for one in plot.get("series", [{"name": "", "points": plot["points"]}] * (plot["kind"] == "line")):
        xs, ys, errors = zip(*one["points"], strict=True)
        axes.errorbar(xs, ys, yerr=errors if any(errors) else None, color=ACCENT, ecolor=PALE, linewidth=1.2)
        axes.annotate(one["name"], (xs[-1], ys[-1]), fontsize=6.5, color=INK)
    axes.set_xticks([x for x, _ in plot["x_ticks"]], [words for _, words in plot["x_ticks"]])
    axes.set_yticks([y for y, _ in plot["y_ticks"]], [words for _, words in plot["y_ticks"]])
