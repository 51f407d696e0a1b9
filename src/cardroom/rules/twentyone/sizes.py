"""What the size of a primary wager changes: payments down to the chip or the cent, and capped doubles.

Everything is in parts of the wager, so that sizes which are paid alike are equal here, and a size that is
paid in full is equal to `in_full`, whatever the amount.

>>> from cardroom.rules import load_rules_as
>>> rules = load_rules_as(TwentyOneRules, "players-edge-21")
>>> paid_in_full(rules, 12_500), paid_in_full(rules, 12_600)  # the third double of $126 would add $504
(True, False)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from cardroom.core.odds import Odds
from cardroom.rules.twentyone import law
from cardroom.rules.twentyone.schema import TwentyOneRules


@dataclass(frozen=True, slots=True)
class SizedPays:
    """What a wager of one size wins and risks, in parts of it."""

    stakes: tuple[Fraction, ...]
    """On a hand after none, one, two … doubles."""
    wins: tuple[tuple[Fraction, tuple[Fraction, ...]], ...]
    """For each rate, as a ratio: what it pays after none, one, two … doubles."""
    rescue_loses: tuple[Fraction, ...]
    """After none, one, two … doubles; none after none."""
    surrender_loses: Fraction

    @property
    def unit(self) -> int:
        """The smallest even number of parts in which everything is whole."""
        parts = (*self.stakes, *self.rescue_loses, self.surrender_loses)
        paid = (part for _, by_doubles in self.wins for part in by_doubles)
        return lcm(2, *(part.denominator for part in (*parts, *paid)))

    def wins_at(self, rate: Odds | None, doubles: int) -> Fraction:
        """What a hand that is paid at a rate (None: even money) wins after so many doubles."""
        return dict(self.wins)[(rate or law.EVEN_MONEY).ratio][doubles]


def sized_pays(rules: TwentyOneRules, wager_cents: int) -> SizedPays:
    """The pays of a wager of that size, with the house's rounding and cap."""
    doubles = range(rules.double.max_doubles + 1)
    stakes = [law.stake_after(rules, wager_cents, taken) for taken in doubles]
    surrenders = rules.surrender != "none"

    def part(cents: int) -> Fraction:
        return Fraction(cents, wager_cents)

    return SizedPays(
        stakes=tuple(part(stake) for stake in stakes),
        wins=tuple(
            (odds.ratio, tuple(part(rules.payment(stake, odds)) for stake in stakes))
            for odds in _rates(rules)
        ),
        rescue_loses=tuple(
            part(law.rescue_loses(rules, wager_cents, taken)) if taken else Fraction(0) for taken in doubles
        ),
        surrender_loses=1 - part(law.surrender_returns(rules, wager_cents)) if surrenders else Fraction(0),
    )


def in_full(rules: TwentyOneRules) -> SizedPays:
    """The pays of a wager that is neither rounded nor capped: one large and even enough for every rate."""
    uncapped = rules.model_copy(
        update={"double": rules.double.model_copy(update={"capped_at_maximum": False})}
    )
    whole_chips = int(rules.limits.chip) * lcm(2, *(odds.ratio.denominator for odds in _rates(rules)))
    return sized_pays(uncapped, whole_chips)


def paid_in_full(rules: TwentyOneRules, wager_cents: int) -> bool:
    """Whether neither the rounding nor the cap takes anything from a wager of that size."""
    return sized_pays(rules, wager_cents) == in_full(rules)


def capped_from(rules: TwentyOneRules) -> list[int]:
    """The smallest wagers, within the limits, of which the last double, the one before … are capped."""
    most, chip = int(rules.limits.max), int(rules.limits.chip)
    if not rules.double.capped_at_maximum:
        return []
    firsts = [(most >> taken) // chip * chip + chip for taken in range(rules.double.max_doubles)]
    return sorted({max(first, int(rules.limits.min)) for first in firsts if first <= most})


def smallest_side_cents(rules: TwentyOneRules) -> int:
    """The smallest side wager that the table takes: its minimum, in whole chips."""
    least, chip = int(rules.limits.side_min), int(rules.limits.chip)
    return -(-least // chip) * chip


def _rates(rules: TwentyOneRules) -> Iterator[Odds]:
    """Even money and every other rate that a hand can be paid at, each ratio once."""
    by_ratio = {odds.ratio: odds for odds in (law.EVEN_MONEY, rules.blackjack_pays, *rules.bonus_21.rates)}
    yield from by_ratio.values()
