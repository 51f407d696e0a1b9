"""The chapter of a PAR sheet on the size of the wager: the edge by size, as a table and as a curve."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from cardroom.lab import plots
from cardroom.lab.edge_by_size import EdgeBySize
from cardroom.lab.par.sheet import Plot, Table
from cardroom.presentation.money import dollars
from cardroom.presentation.numbers import in_percent

FACT = "Size of the wager"
"""The name of the line among a sheet's facts that says for which size its figures are."""


def size_fact(sizes: EdgeBySize) -> tuple[str, str]:
    """For which size the figures of the sheet are, and what depends on it."""
    side = sizes.side
    parts = [sizes, side] if side is not None and (side.wagers or side.in_full) else [sizes]
    return FACT, " ".join(each.text for each in parts)


def size_tables(sizes: EdgeBySize, titles: Mapping[str, str]) -> Iterator[Table]:
    """The edge by size; nothing where no figure depends on it."""
    for each, name, key in _parts(sizes):
        yield Table(
            key,
            f"House edge by the size of the {name}",
            (name.capitalize(), *(titles[wager] for wager in each.wagers), ""),
            tuple(
                (
                    dollars(line.wager_cents),
                    *(
                        in_percent(line.edges[wager]) if wager in line.edges else "none"
                        for wager in each.wagers
                    ),
                    _words(each, line.wager_cents, line.why),
                )
                for line in each.lines
            ),
            [line.to_json() for line in each.lines],
            each.text,
        )


def size_plots(sizes: EdgeBySize, titles: Mapping[str, str]) -> Iterator[Plot]:
    """The curves of these tables."""
    for each, name, key in _parts(sizes):
        points = each.curve or each.lines
        wager = each.wagers[0]
        across = [point.wager_cents / 100 for point in points if wager in point.edges]
        edges = [point.edges[wager] for point in points if wager in point.edges]
        title = titles[wager]
        yield Plot(
            key,
            f"House edge of {title} by the size of the {name}, on a scale of powers of ten.",
            partial(plots.curves, across, [(title, edges)], name=f"{name}, $", up="house edge, %"),
        )


def _parts(sizes: EdgeBySize) -> Iterator[tuple[EdgeBySize, str, str]]:
    if sizes.wagers:
        yield sizes, "wager", "edge_by_wager_size"
    if sizes.side is not None and sizes.side.wagers:
        yield sizes.side, "side wager", "edge_by_side_wager_size"


def _words(sizes: EdgeBySize, wager_cents: int, why: str) -> str:
    here = "this sheet" if wager_cents == sizes.wager_cents else ""
    return ", ".join(word for word in (why, here) if word)
