"""Every published figure beside ours: it agrees, its difference is explained, or one of us is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Literal

from cardroom.core.errors import MalformedInput
from cardroom.core.ids import GameId
from cardroom.lab.figures import KNOCKOUT_21, KNOCKOUT_52, PublishedFigure, SimulatedValue
from cardroom.lab.figures_twentyone import TWENTY_ONE
from cardroom.rules.loader import load_rules_as

FIGURES: Final[tuple[PublishedFigure, ...]] = (*TWENTY_ONE, *KNOCKOUT_21, *KNOCKOUT_52)
"""Every published figure that we stand against; a game adds its own here and to `COMPUTED`."""
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


def audit(figures: Iterable[PublishedFigure] = FIGURES) -> list[AuditLine]:
    """Compute every figure and compare."""
    return [compare(figure, COMPUTED[figure.game](figure)) for figure in figures]


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
    verdict: Verdict = (
        "agrees" if off <= figure.half_unit + STANDARD_ERRORS * Fraction(error) else "disagrees"
    )
    return AuditLine(
        figure,
        f"{figure.show(ours.value)} ± {figure.show(error)}",
        verdict,
        f"{'within' if verdict == 'agrees' else 'beyond'} {STANDARD_ERRORS} standard errors of the printed "
        f"precision; simulated, {ours.rounds:,} rounds, seed {ours.seed}",
    )


def _knockout_52(figure: PublishedFigure) -> Fraction:
    from cardroom.exact.knockout52 import chances
    from cardroom.rules.knockout52 import Knockout52Rules

    probabilities = chances(load_rules_as(Knockout52Rules, figure.game, dict(figure.changes)))
    quantity, _, wager = figure.quantity.rpartition(" of ")
    if quantity != "probability" or wager not in probabilities:
        raise MalformedInput(
            f"{figure.quantity!r} is not computed for {figure.game}; it has the probability of a wager"
        )
    return probabilities[wager]


def _knockout_21(figure: PublishedFigure) -> Fraction:
    from cardroom.lab.knockout21 import computed

    return computed(figure)


def _twenty_one(figure: PublishedFigure) -> Fraction | float | SimulatedValue:
    from cardroom.lab.audit_twentyone import computed

    return computed(figure)


COMPUTED: Final[Mapping[GameId, Computed]] = {
    "blackjack": _twenty_one,
    "spanish-21": _twenty_one,
    "players-edge-21": _twenty_one,
    "knockout-21": _knockout_21,
    "knockout-52": _knockout_52,
}
"""How each game computes the quantity that a figure names."""
