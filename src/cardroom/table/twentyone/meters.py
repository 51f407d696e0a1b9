"""The books of a progressive meter: what the house put in, what went out, to the cent (SIDE-4, R-49)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import JackpotPaid, MeterRaised, MeterReset
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone.events import MeterOpened, TableEvent


@dataclass(frozen=True, slots=True)
class Meter:
    """One meter since it was opened; what it shows is what was put in less what was paid out."""

    wager: str
    seeded_cents: int = 0
    contributed_cents: int = 0
    paid_cents: int = 0
    contributions: int = 0
    hits: int = 0

    @property
    def shown_cents(self) -> int:
        return self.seeded_cents + self.contributed_cents - self.paid_cents


def seeds(rules: TwentyOneRules) -> dict[str, int]:
    """What each meter of the rules starts at: wager → cents."""
    return {
        wager: int(seed)
        for wager in rules.offered_side_bets
        if (seed := rules.side_bets[wager].meter_seed) is not None
    }


def opened(rules: TwentyOneRules, known: Mapping[str, Meter], shown: Mapping[str, int]) -> list[MeterOpened]:
    """The meters that open with the table: those not known yet, at their seed or as they showed before."""
    starts = seeds(rules)
    for wager, cents in shown.items():
        if wager not in starts or wager in known or cents < 0:
            new = ", ".join(name for name in starts if name not in known) or "none"
            raise MalformedInput(f"{wager!r} at {cents} cents opens no meter here; meters to open: {new}")
    return [
        MeterOpened(wager, shown.get(wager, seed)) for wager, seed in starts.items() if wager not in known
    ]


def booked(meters: Mapping[str, Meter], events: Iterable[TableEvent]) -> Mapping[str, Meter]:
    """The meters after these events."""
    after = dict(meters)
    for event in events:
        match event:
            case MeterOpened(wager, cents):
                after[wager] = Meter(wager, seeded_cents=cents)
            case MeterRaised(wager, cents, _):
                meter = after[wager]
                after[wager] = replace(
                    meter,
                    contributed_cents=meter.contributed_cents + cents,
                    contributions=meter.contributions + 1,
                )
            case JackpotPaid(wager=wager, payment_cents=cents):
                meter = after[wager]
                after[wager] = replace(meter, paid_cents=meter.paid_cents + cents, hits=meter.hits + 1)
            case MeterReset(wager, cents):
                meter = after[wager]
                after[wager] = replace(meter, seeded_cents=meter.seeded_cents + cents)
            case _:
                pass
    return after


def shown(meters: Mapping[str, Meter], rules: TwentyOneRules) -> dict[str, int]:
    """What the meters on offer show: wager → cents."""
    return {wager: meters[wager].shown_cents for wager in seeds(rules)}
