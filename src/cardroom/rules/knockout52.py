"""House rules of Knockout 52: the layout, the five wagers, their pay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

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


class Knockout52Rules(HouseRules):
    """The house rules of Knockout 52."""

    decks: Literal[1, 2, 4, 6, 8] = option("{} deck(s) of 52 cards shuffled together", "KO52-1")
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
    def cards_per_rank(self) -> int:
        """How many cards of each rank are shuffled together."""
        return 4 * self.decks

    def odds_of(self, wager: str) -> Odds:
        """The odds of a wager by its id, such as `round-1` or `all-the-way`."""
        odds: Odds = getattr(self.pays, wager.replace("-", "_"))
        return odds

    def payment(self, wager: str, stake_cents: int) -> int:
        """What a winning wager is paid besides its return (KO52-5, KO52-11)."""
        return payment(stake_cents, self.odds_of(wager), rounding=self.rounding, chip_cents=self.limits.chip)


WAGERS: Final[tuple[str, ...]] = ("round-1", "round-2", "round-3", "round-4", "all-the-way")
