"""Plots of the lab, drawn with matplotlib without any state of its own: the same figures, the same bytes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from cardroom.core.extras import missing
from cardroom.presentation.numbers import one_in, percent, round_percent, signed

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from cardroom.lab.sessions import Session

INK: Final = "#1d2b33"
ACCENT: Final = "#0b6e6e"
PALE: Final = "#9fc9c5"
PALER: Final = "#d7e9e6"
WARM: Final = "#b5532a"
GRID: Final = "#d5dadc"
Format = Literal["svg", "png"]
_DOTS_PER_INCH: Final = 220


def blank(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty sheet of a size in inches, without axes."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise missing("a plot", "plots") from None
    drawn = Figure(figsize=(width, height))
    axes = drawn.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    return drawn, axes


def figure(width: float, height: float) -> tuple[Figure, Axes]:
    """An empty plot of a size in inches."""
    drawn, axes = blank(width, height)
    drawn.set_layout_engine("constrained")
    axes.remove()
    axes = drawn.add_subplot()
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
    axes.tick_params(colors=INK, labelsize=7.5, length=2.5)
    axes.grid(color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
    return drawn, axes


def rendered(drawn: Figure, form: Format) -> bytes:
    """A plot as SVG or PNG, the same bytes every time."""
    import matplotlib as mpl

    out = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "cardroom", "svg.fonttype": "none"}):
        if form == "svg":
            drawn.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        else:
            drawn.savefig(out, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None})
    return out.getvalue()


def bars(
    labels: Sequence[str], chances: Sequence[float], *, across: str, up: str, most_labelled: int = 14
) -> Figure:
    """Bars of chances on a scale of powers of ten, so that the rare can be seen beside the common."""
    drawn, axes = figure(6.8, 2.5)
    places = range(len(labels))
    axes.bar(places, chances, color=ACCENT, width=0.72)
    axes.set_yscale("log")
    axes.set_ylim(min(chance for chance in chances if chance) / 3, 2)
    axes.set_xticks(list(places), list(labels))
    axes.grid(visible=False, axis="x")
    if len(labels) <= most_labelled:
        for place, chance in zip(places, chances, strict=True):
            axes.annotate(
                _chance_words(chance),
                (place, chance),
                (0, 2),
                textcoords="offset points",
                ha="center",
                fontsize=6.5,
                color=INK,
            )
    else:
        axes.tick_params(axis="x", labelrotation=90)
    _name(axes, across, up)
    return drawn


def result_bars(nets: Sequence[float], chances: Sequence[float]) -> Figure:
    """Results of a round at their places, losses apart from wins, on a scale of powers of ten."""
    drawn, axes = figure(6.8, 2.5)
    colours = [WARM if net < 0 else ACCENT if net > 0 else INK for net in nets]
    axes.bar(nets, chances, color=colours, width=0.34)
    axes.set_yscale("log")
    axes.set_ylim(1e-9, 1)
    axes.grid(visible=False, axis="x")
    _name(axes, "result, initial wagers", "probability")
    return drawn


def _chance_words(chance: float) -> str:
    return percent(chance, 2) if chance >= 0.0005 else f"1 in {one_in(chance)}"


def session_bands(sessions: Sequence[Session]) -> Figure:
    """The house's hold over the number of rounds: its mean, and the bands of 90 % and 99 %."""
    drawn, axes = figure(6.8, 2.5)
    rounds = [session.rounds for session in sessions]
    for level, colour in ((0.99, PALER), (0.90, PALE)):
        bands = [session.hold_band(level) for session in sessions]
        axes.fill_between(
            rounds,
            [100 * low for low, _ in bands],
            [100 * high for _, high in bands],
            color=colour,
            linewidth=0,
            label=f"{round_percent(level)} of sessions",
        )
    axes.plot(rounds, [100 * session.hold for session in sessions], color=ACCENT, label="expected")
    axes.axhline(0, color=WARM, linewidth=0.8)
    axes.set_xscale("log")
    axes.set_xlim(rounds[0], rounds[-1])
    low, high = axes.get_ylim()
    below = 100 * sessions[-1].hold > (low + high) / 2  # bands and lines leave more room there
    axes.legend(fontsize=7, frameon=False, loc="lower right" if below else "upper right")
    _name(axes, "rounds", "hold, % of initial wagers")
    return drawn


def change_bars(changes: Sequence[tuple[str, float]], *, across: str) -> Figure:
    """Bars to the left and right of no change, in the order given, the first on top."""
    drawn, axes = figure(6.8, 0.75 + 0.16 * len(changes))
    places = list(range(len(changes), 0, -1))
    values = [value for _, value in changes]
    axes.barh(places, values, color=[WARM if value > 0 else ACCENT for value in values], height=0.66)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(places, [label for label, _ in changes])
    axes.set_ylim(0.3, len(changes) + 0.7)
    axes.grid(visible=False, axis="y")
    axes.margins(x=0.14)
    for place, value in zip(places, values, strict=True):
        axes.annotate(
            signed(value, 3, plus=True),
            (value, place),
            (3 if value >= 0 else -3, 0),
            textcoords="offset points",
            va="center",
            ha="left" if value >= 0 else "right",
            fontsize=6.5,
            color=INK,
        )
    _name(axes, across, "")
    return drawn


def curves(
    across: Sequence[float], lines: Sequence[tuple[str, Sequence[float]]], *, name: str, up: str
) -> Figure:
    """Lines over a scale of powers of ten."""
    drawn, axes = figure(6.8, 2.5)
    for (label, values), colour in zip(lines, (ACCENT, WARM, INK, PALE), strict=False):
        axes.plot(across, values, color=colour, marker="o", markersize=2.5, linewidth=1.2, label=label)
    axes.set_xscale("log")
    axes.legend(fontsize=7, frameon=False)
    _name(axes, name, up)
    return drawn


def _name(axes: Any, across: str, up: str) -> None:
    axes.set_xlabel(across, fontsize=8, color=INK)
    axes.set_ylabel(up, fontsize=8, color=INK)
