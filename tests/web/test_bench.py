"""The bench of the web runs as it is, at a small size: players act, screens are told, no line breaks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.web import Load, Report, measure

LOAD = Load(
    players=20,  # four tables: one more than a visitor may have
    monitors=20,
    seconds=6.0,
    warm_up_seconds=3.0,
    think_seconds=(0.05, 0.3),
    card_seconds=0.05,
)


def enough(report: Report) -> bool:
    """Whether the machine was quick enough for everybody to have done and seen something."""
    return (
        report.players.decisions > LOAD.players
        and len(report.screens.news) >= LOAD.monitors
        and len(report.server_lag) > 10
    )


@pytest.mark.thorough
def test_the_bench_of_the_web_measures_what_it_says() -> None:
    """On a machine that has much else to do it takes longer."""
    loads = (replace(LOAD, seconds=2.0 * n, warm_up_seconds=1.0 * n) for n in (3, 15, 60))
    report = next(report for report in map(measure, loads) if enough(report))
    players, screens = report.players, report.screens
    assert report.broken == 0
    assert players.decisions > LOAD.players
    assert len(players.answers) > players.decisions  # wagers and deals are requests too
    assert players.refused < len(players.answers) / 4  # who comes too late for a round
    assert len(players.news) > len(players.answers)
    assert len(screens.news) >= LOAD.monitors
    assert min(players.answers) > 0 < report.server_cpu_seconds
    assert len(report.server_lag) > 10
    text = "\n".join(report.lines())
    for told in ("actions: median", "news of the wall: median", "MB a minute", "lines that broke: 0"):
        assert told in text
