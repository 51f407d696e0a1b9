"""House rules of Knockout 52: the layout, the five wagers, their pay."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Final, Literal, Self

from pydantic import model_validator

from cardroom.core.cards import Rank
from cardroom.core.decks import CardCounts
from cardroom.core.odds import Odds, Rounding, payment
from cardroom.rules.base import HouseRules
from cardroom.rules.options import Dollars, Options, PayOdds, option

ROUNDS: Final = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """Rows of spaces, each reading every rank in order (KO52-2); proofs use smaller ones."""

    ranks: int = 13
    rows: int = ROUNDS

    @property
    def spaces(self) -> int:
        return self.ranks * self.rows

    @property
    def wagers(self) -> tuple[str, ...]:
        """The ids of the wagers, in the order of their circles: a round for each row, then All the Way."""
        return (*(f"round-{row}" for row in range(1, self.rows + 1)), "all-the-way")

    def rank_of_space(self, space: int) -> int:
        """The rank, from 1, printed in a space counted from 0."""
        return space % self.ranks + 1

    def row_of_space(self, space: int) -> int:
        """The row, from 1, of a space counted from 0."""
        return space // self.ranks + 1


class Pays(Options):
    """What each wager pays when it wins."""

    round_1: PayOdds = option("Round 1 pays {}", "KO52-5")
    round_2: PayOdds = option("Round 2 pays {}", "KO52-5")
    round_3: PayOdds = option("Round 3 pays {}", "KO52-5")
    round_4: PayOdds = option("Round 4 pays {}", "KO52-5")
    all_the_way: PayOdds = option("All the Way pays {}", "KO52-5")


class Limits(Options):
    """What may be staked."""

    min: Dollars = option("a wager is at least {}", "KO52-3")
    max: Dollars = option("a wager is at most {}", "KO52-3")
    chip: Dollars = option("the smallest chip is {}, and wagers are whole chips", "KO52-11")

    @model_validator(mode="after")
    def _some_stake_is_allowed(self) -> Self:
        if self.min > self.max:
            raise ValueError(f"limits.min {self.min} is above limits.max {self.max}")
        if self.min % self.chip or self.max % self.chip:
            raise ValueError(f"limits.min and limits.max are whole chips of {self.chip}")
        return self


class Knockout52Rules(HouseRules):
    """The house rules of Knockout 52."""

    decks: Literal[1, 2, 4, 6, 8] = option("{} deck{s} of 52 cards shuffled together", "KO52-1")
    pays: Pays
    rounding: Rounding = option(
        {
            "cents": "a payment that does not come out even is paid to the cent",
            "chip": "a payment that does not come out even is paid down to the chip",
        },
        "KO52-11",
    )
    limits: Limits

    @property
    def layout(self) -> Layout:
        return Layout()

    @property
    def shoe(self) -> CardCounts:
        """The cards that are shuffled together (KO52-1)."""
        return _shoe(self.decks)

    @property
    def cards_per_rank(self) -> int:
        """How many cards of each rank are shuffled together."""
        return self.shoe.of_rank(Rank.ACE)

    def odds_of(self, wager: str) -> Odds:
        """The odds of a wager by its id, such as `round-1` or `all-the-way`."""
        odds: Odds = getattr(self.pays, wager.replace("-", "_"))
        return odds

    def payment(self, wager: str, stake_cents: int) -> int:
        """What a winning wager is paid besides its return (KO52-5, KO52-11)."""
        return payment(stake_cents, self.odds_of(wager), rounding=self.rounding, chip_cents=self.limits.chip)

    def pays_on(self, wager: str, stake_cents: int | None) -> Fraction:
        """What a winning wager is paid for each unit of a stake of that size, or in full (None)."""
        if stake_cents is None:
            return self.odds_of(wager).ratio
        return Fraction(self.payment(wager, stake_cents), stake_cents)


@cache
def _shoe(decks: int) -> CardCounts:
    return CardCounts.of_decks("standard", decks)


WAGERS: Final[tuple[str, ...]] = Layout().wagers
