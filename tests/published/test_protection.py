"""Every published figure of game protection, to its printed precision, within its error, or with a reason."""

from __future__ import annotations

import pytest

from cardroom.lab.audit.rows import audit
from cardroom.lab.published.figures import PublishedFigure
from cardroom.lab.published.protection import FAMILY, HI_LO_INDICES, PROTECTION
from cardroom.lab.published.twentyone import TWENTY_ONE
from tests.published.long_simulations import SIMULATED

QUICK = [
    figure for figure in PROTECTION if "correlation" in figure.quantity or "insurance" in figure.quantity
]
QUICK = [figure for figure in QUICK if "count at which" not in figure.quantity]


def test_the_audit_has_all_of_them() -> None:
    assert FAMILY == (*TWENTY_ONE, *PROTECTION)
    quantities = [figure.quantity for figure in PROTECTION]
    assert sum(name.startswith("effect of removing") for name in quantities) == 42
    assert sum("correlation" in name for name in quantities) == 16
    assert sum(name.startswith("Hi-Lo count") for name in quantities) == sum(map(len, HI_LO_INDICES.values()))


@pytest.mark.parametrize("figure", QUICK, ids=lambda figure: f"{figure.quantity} {figure.printed}")
def test_counts_and_insurance_to_the_printed_digits(figure: PublishedFigure) -> None:
    (line,) = audit([figure])
    assert line.verdict == "agrees", line


@pytest.mark.slow
@pytest.mark.parametrize(
    "figure",
    [figure for figure in PROTECTION if figure not in (*QUICK, *SIMULATED)],
    ids=lambda figure: f"{figure.quantity} {figure.printed} {len(figure.changes)}",
)
def test_published(figure: PublishedFigure) -> None:
    """A figure agrees unless a reason is registered with it; a reason stands only where it must."""
    (line,) = audit([figure])
    assert line.verdict == ("agrees" if figure.difference is None else "explained"), line


def test_reasons_reach_no_further_than_they_say() -> None:
    found = {figure.difference for figure in PROTECTION if figure.difference is not None}
    assert {round(float(reason.up_to), 6) for reason in found} == REACH
    assert all(len(reason.reason) > 20 for reason in found)


REACH = {0.00002, 0.00013, 0.0003, 0.001, 0.005, 0.009, 1.0}
"""Unnamed rules of the effects, an old strategy, an edge that may be of wins and losses, its win or rounds of
unsaid lengths, a misprint or splits unsaid, rows without a double after a split, an index that is careful or
by which sources differ."""
