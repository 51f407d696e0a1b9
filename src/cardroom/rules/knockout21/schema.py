"""House rules of Knockout 21: the ticket, its sale, the draw day, the prizes.

>>> from cardroom.rules import load_rules_as
>>> rules = load_rules_as(Knockout21Rules, "knockout-21")
>>> str(rules.sales.ticket_price), str(rules.draws.first), rules.prizes.pool_cents(2, 100_00)
('$5.00', '11:21', 2000)
"""

from __future__ import annotations

import re
from datetime import time
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    WithJsonSchema,
    field_validator,
    model_validator,
)

from cardroom.core.errors import MalformedInput
from cardroom.core.timezones import time_zone
from cardroom.rules.base import HouseRules
from cardroom.rules.options import Dollars, Options, option

Game = Literal[1, 2, 3]
GAMES: Final[tuple[Game, ...]] = (1, 2, 3)
HANDS_OF_GAME: Final[dict[Game, range]] = {1: range(4), 2: range(4, 9), 3: range(9, 15)}
"""The positions of each game's hands, counted from 0 in draw order (KO21-1.4, KO21-3.3)."""
POSITIONS: Final = 15
GAME_OF_POSITION: Final[tuple[Game, ...]] = tuple(
    game for game, positions in HANDS_OF_GAME.items() for _ in positions
)
WAGERS: Final[tuple[str, ...]] = ("game-1", "game-2", "game-3", "any-prize")

Game1Hit = Literal["ace-keeps-value", "literal"]
PoolReserve = Literal["none", "surplus"]


class WallTime(time):
    """A time of day on the wall clock of the house's time zone, to the minute."""

    def __str__(self) -> str:
        return f"{self:%H:%M}"


def _read_wall_time(value: object) -> WallTime:
    if isinstance(value, time) and value.second == value.microsecond == 0 and value.tzinfo is None:
        return WallTime(value.hour, value.minute)
    match = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", value) if isinstance(value, str) else None
    if match is None:
        raise ValueError('a time of day is written in hours and minutes, such as "11:21"')
    return WallTime(int(match[1]), int(match[2]))


def _plain_decimal(value: Decimal) -> Decimal:
    return Decimal(format(value.normalize(), "f"))  # equal percentages, equal text: 20 and 20.0


TimeOfDay = Annotated[
    WallTime,
    PlainValidator(_read_wall_time),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^([01]?\d|2[0-3]):[0-5]\d$", "examples": ["11:21"]}),
]
"""A time of day: `"11:21"` in the file."""

Percent = Annotated[Decimal, AfterValidator(_plain_decimal)]
"""An exact percentage: `20` or `12.5` in the file."""


class Sales(Options):
    """Where, when and how many tickets are sold."""

    ticket_price: Dollars = option("a ticket costs {} for one draw", "KO21-2.1")
    tickets_per_draw: int = option("one transaction holds at most {} ticket{s} per draw", "KO21-2.2", ge=1)
    draws_per_transaction: int = option(
        "one transaction is for at most {} consecutive draw{s}", "KO21-2.2", ge=1
    )
    advance_draws: int = option(
        "a ticket is for the next draw or, bought in advance, for one at most {} draw{s} later",
        "KO21-2.3",
        ge=0,
    )
    opens: TimeOfDay = option("tickets are sold from {}", "KO21-2.4")
    closes: TimeOfDay = option("tickets are sold until {}", "KO21-2.4")
    close_seconds: int = option("sales of a draw close {} second{s} before it", "KO21-3.1", ge=0)
    next_day_after: TimeOfDay = option("after {} an advance ticket may be for the next draw day", "KO21-2.9")
    next_day_altered_until: TimeOfDay = option(
        "an advance ticket for the next draw day may be altered until {} of the night", "KO21-2.9"
    )

    @model_validator(mode="after")
    def _hours_in_order(self) -> Sales:
        if not self.opens < self.next_day_after <= self.closes:
            raise ValueError("sales.opens, sales.next_day_after and sales.closes are not in order (KO21-2.4)")
        return self


class Draws(Options):
    """When draws are held."""

    first: TimeOfDay = option("the first draw of a day is at {}", "KO21-3.1")
    last: TimeOfDay = option("no draw of a day is later than {}", "KO21-3.1")
    interval_minutes: int = option("draws are {} minute{s} apart", "KO21-3.1", ge=1, le=24 * 60)
    minimum_tickets: int = option(
        "a draw takes at least {} ticket{s}; with fewer it is held at the next draw time, "
        "and its sales stay open until then",
        "KO21-3.2",
        idle=lambda rules: not rules.draws.minimum_tickets,
        ge=0,
    )

    @property
    def fewest_words(self) -> str:
        """The fewest tickets of a draw, in words."""
        return f"{self.minimum_tickets} ticket{'' if self.minimum_tickets == 1 else 's'}"

    @model_validator(mode="after")
    def _day_in_order(self) -> Draws:
        if self.first > self.last:
            raise ValueError("draws.first is later than draws.last (KO21-3.1)")
        return self


class SharedPrize(Options):
    """A prize that the winners of a game share."""

    pool_percent: Percent = option("its pool is {} % of the draw's sales", "KO21-4.7", ge=0, le=100)
    min: Dollars = option("a share of it is at least {}", "KO21-4.6")
    max: Dollars = option("a share of it is at most {}", "KO21-4.6")

    @model_validator(mode="after")
    def _range_in_order(self) -> SharedPrize:
        if self.min > self.max:
            raise ValueError("the least share of a prize is above the greatest (KO21-4.6)")
        return self


class Prizes(Options):
    """What the winners of a game win."""

    game_1: Dollars = option("every winner of Game 1 wins {}", "KO21-4.6")
    game_2: SharedPrize = Field(title="Game 2")
    game_3: SharedPrize = Field(title="Game 3")
    coin: Dollars = option("an equal share is rounded down to {}, then held within its range", "KO21-4.7")
    pool_reserve: PoolReserve = option(
        {
            "none": "what rounding and the limits leave of a pool is the house's, "
            "and what they add to one is paid by the house",
            "surplus": "what rounding and the limits leave of a pool goes into a reserve, "
            "which pays what they add to pools as far as it goes; the house pays the rest",
        },
        "KO21-4.7",
    )

    def shared(self, game: Game) -> SharedPrize | None:
        """The pool and the range of a game's prize; None for Game 1, whose prize is fixed."""
        return {1: None, 2: self.game_2, 3: self.game_3}[game]

    def pool_cents(self, game: Game, sales_cents: int) -> int:
        """The pool of a game, to the cent below (KO21-4.7); Game 1 has none."""
        shared = self.shared(game)
        return int(sales_cents * Fraction(shared.pool_percent) / 100) if shared else 0

    def prize_cents(self, game: Game, pool_cents: int, winners: int) -> int:
        """What each of some winners wins: a share rounded down to the coin, held in its range (KO21-4.7)."""
        shared = self.shared(game)
        if shared is None:
            return int(self.game_1)
        return int(min(max(self.equal_share_cents(pool_cents, winners), shared.min), shared.max))

    def equal_share_cents(self, pool_cents: int, winners: int) -> int:
        """An equal share rounded down to the coin, before the limits."""
        return pool_cents // (winners * self.coin) * self.coin


class Claims(Options):
    """How long a prize waits for its winner."""

    years: int = option("a prize is claimed within {} year{s} of its draw day, once", "KO21-4.8", ge=1)


class Knockout21Rules(HouseRules):
    """The house rules of Knockout 21."""

    timezone: str = option("all times are those of {}", "KO21-3.1")
    game_1_hit: Game1Hit = option(
        {
            "ace-keeps-value": "in Game 1 the hit card is added unless it busts the hand, "
            "an ace keeping the value it has in the starting hand",
            "literal": "in Game 1 every hit card that does not bust the hand is added, "
            "even when a soft total becomes a lower hard one",
        },
        "KO21-5.1",
    )
    sales: Sales
    draws: Draws
    prizes: Prizes
    claims: Claims

    @field_validator("timezone")
    @classmethod
    def _known_timezone(cls, value: str) -> str:
        try:
            time_zone(value)
        except (MalformedInput, ValueError):
            raise ValueError("it is not the name of a time zone, such as America/Vancouver") from None
        return value

    @property
    def ticket_price_cents(self) -> int:
        return int(self.sales.ticket_price)

    def sales_cents(self, tickets: int) -> int:
        """What a number of tickets were sold for (KO21-2.1)."""
        return tickets * self.ticket_price_cents
