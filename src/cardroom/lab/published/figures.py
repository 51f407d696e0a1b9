"""Figures that others have published, as data: value, rules, source, printed precision."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from cardroom import games
from cardroom.core.ids import GameId


@dataclass(frozen=True, slots=True)
class ExpectedDifference:
    """Why a published figure is not ours, and how far from it that reason can carry it."""

    reason: str
    up_to: Fraction


@dataclass(frozen=True, slots=True)
class SimulatedValue:
    """A value of ours that is simulated, with the standard deviation of the estimate."""

    value: float
    standard_error: float
    rounds: int
    seed: int
    of: str = "rounds"
    """What was simulated that many times."""


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """One printed number; `changes` are the options in which its rules differ from the game's own.

    >>> figure = PublishedFigure("knockout-52", "probability of all-the-way", "1.62 %", "somebody")
    >>> figure.value, figure.half_unit
    (Fraction(81, 5000), Fraction(1, 20000))
    """

    game: GameId
    quantity: str
    printed: str
    """As the source prints it: `16/25`, `-0.402870236 %`, `1.14654`."""
    source: str
    changes: tuple[tuple[str, object], ...] = ()
    difference: ExpectedDifference | None = None

    @property
    def is_fraction(self) -> bool:
        return "/" in self.printed

    @property
    def _scale(self) -> int:
        return 100 if self.printed.endswith("%") else 1

    @property
    def _digits(self) -> str:
        return self.printed.removesuffix("%").strip()

    @property
    def value(self) -> Fraction:
        return Fraction(self._digits) / self._scale

    @property
    def half_unit(self) -> Fraction:
        """How far a true value may lie from the printed one: half a unit of its last digit."""
        if self.is_fraction:
            return Fraction(0)
        exponent = Decimal(self._digits).as_tuple().exponent
        assert isinstance(exponent, int)
        return Fraction(10) ** exponent / 2 / self._scale

    def show(self, number: Fraction | float) -> str:
        """A number in the manner of the printed one, with three digits more."""
        if self.is_fraction:
            return str(number)
        exponent = Decimal(self._digits).as_tuple().exponent
        assert isinstance(exponent, int)
        shown = f"{float(number) * self._scale:.{max(0, -exponent) + 3}f}"
        return f"{shown} %" if self._scale > 1 else shown


_FRUSTRATION_SOLITAIRE: Final = "P. Doyle, C. Grinstead, J. L. Snell: Frustration Solitaire (1998)"

KNOCKOUT_52: Final[tuple[PublishedFigure, ...]] = (
    PublishedFigure(
        games.KNOCKOUT_52.id,
        "probability of all-the-way",
        "4610507544750288132457667562311567997623087869/284025438982318025793544200005777916187500000000",
        _FRUSTRATION_SOLITAIRE,
    ),
    PublishedFigure(
        games.KNOCKOUT_52.id,
        "probability of all-the-way",
        "1.62 %",
        "Wolfram Community, thread 1609558: Frustration Solitaire",
    ),
)

_BCLC: Final = "British Columbia Lottery Corporation: Knockout 21 game conditions, section 12"

KNOCKOUT_21: Final[tuple[PublishedFigure, ...]] = tuple(
    PublishedFigure(games.KNOCKOUT_21.id, f"one in of {wager}", printed, _BCLC)
    for wager, printed in (("game-1", "10"), ("game-2", "31"), ("game-3", "66"), ("any-prize", "7"))
)
