"""Every published figure beside ours: it agrees, its difference is explained, or one of us is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from cardroom.games import GAMES, Game
from cardroom.lab.published.figures import PublishedFigure, SimulatedValue

Verdict = Literal["agrees", "explained", "disagrees"]
Computed = Callable[[PublishedFigure], Fraction | float | SimulatedValue]
STANDARD_ERRORS: Final = 3
"""How far from the printed precision a simulated value may lie and still agree."""


@dataclass(frozen=True, slots=True)
class AuditLine:
    """One published figure, our value of the same quantity, and what comes of comparing them."""

    figure: PublishedFigure
    ours: str
    verdict: Verdict
    explanation: str

    @property
    def published(self) -> str:
        return self.figure.printed

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.figure.game,
            "rules": dict(self.figure.changes),
            "quantity": self.figure.quantity,
            "published": self.published,
            "ours": self.ours,
            "verdict": self.verdict,
            "explanation": self.explanation,
            "source": self.figure.source,
        }


def published_figures(*games: str) -> list[PublishedFigure]:
    """Every published figure of these games that we stand against; of all games unless told."""
    return [figure for game in games or tuple(GAMES) for figure in _published(GAMES.find(game))]


def _published(game: Game) -> Iterator[PublishedFigure]:
    if game.published is not None:
        yield from (figure for figure in game.follow("published") if figure.game == game.id)


def audit(figures: Iterable[PublishedFigure] | None = None) -> list[AuditLine]:
    """Compute every figure and compare."""
    audited = published_figures() if figures is None else figures
    return [compare(figure, _computed_by(figure.game)(figure)) for figure in audited]


def _computed_by(game: str) -> Computed:
    computed: Computed = GAMES[game].follow("computed")
    return computed


def compare(figure: PublishedFigure, ours: Fraction | float | SimulatedValue) -> AuditLine:
    """Set one value of ours beside a published one, at the precision it was printed with."""
    if isinstance(ours, SimulatedValue):
        return _compare_simulated(figure, ours)
    shown = figure.show(ours)
    if figure.is_fraction:
        # A published fraction must be met digit for digit, in the terms it is printed in.
        agrees = isinstance(ours, Fraction) and shown == figure.printed
    else:
        agrees = abs(Fraction(ours) - figure.value) <= figure.half_unit
    if agrees:
        precision = "digit for digit" if figure.is_fraction else "to the printed precision"
        return AuditLine(figure, shown, "agrees", precision)
    expected = figure.difference
    if expected is not None and abs(Fraction(ours) - figure.value) <= expected.up_to + figure.half_unit:
        return AuditLine(figure, shown, "explained", expected.reason)
    return AuditLine(figure, shown, "disagrees", "the difference is not explained")


def _compare_simulated(figure: PublishedFigure, ours: SimulatedValue) -> AuditLine:
    error = ours.standard_error
    off = abs(Fraction(ours.value) - figure.value)
    near = figure.half_unit + STANDARD_ERRORS * Fraction(error)
    expected = figure.difference
    verdict: Verdict = "agrees" if off <= near else "disagrees"
    how = f"simulated, {ours.rounds:,} {ours.of}, seed {ours.seed}"
    shown = f"{figure.show(ours.value)} ± {figure.show(error)}"
    if verdict == "disagrees" and expected is not None and off <= near + expected.up_to:
        return AuditLine(figure, shown, "explained", f"{expected.reason}; {how}")
    return AuditLine(
        figure,
        shown,
        verdict,
        f"{'within' if verdict == 'agrees' else 'beyond'} {STANDARD_ERRORS} standard errors of the printed "
        f"precision; {how}",
    )
