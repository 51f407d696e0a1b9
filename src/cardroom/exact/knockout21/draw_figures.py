"""The whole picture of a Knockout 21 draw with N tickets: odds, prizes, return, liability, house's result.

All tickets follow the charts. The games of a draw share no card, so the numbers of winners of the three games
are independent, and what a draw pays is the sum of three independent amounts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.core.money import format_cents
from cardroom.exact.knockout21.chain import Floats, Winners, winners
from cardroom.exact.knockout21.chances import any_of
from cardroom.rules.knockout21 import GAMES, Game, Knockout21Rules

LEVELS: Final = (0.5, 0.9, 0.95, 0.99, 0.999, 0.9999)
_MOST_AMOUNTS: Final = 1 << 21
"""How many amounts a liability is told apart in; with more tickets than that allows, the step grows."""


@dataclass(frozen=True, slots=True)
class GamePicture:
    """One game of a draw with N tickets."""

    game: Game
    tickets: int
    win_chance: float
    """That one ticket wins the game."""
    lucky_losers: float
    """That some hand of the game has Lucky Losers."""
    expected_winners: float
    expected_paid_cents: float
    expected_square_of_prize: float
    """Of one ticket, in cents², for its standard deviation."""
    least_share_binds: float
    """That an equal share is below the least, which is paid instead."""
    greatest_share_binds: float
    """That an equal share is above the greatest, which is paid instead."""
    expected_added_cents: float
    expected_left_cents: float
    """What the greatest share and rounding leave of the pool."""
    most_paid_cents: int

    @property
    def expected_prize_cents(self) -> float:
        """What a winner wins, on average over winners."""
        return self.expected_paid_cents / self.expected_winners

    @property
    def per_ticket_cents(self) -> float:
        """What the game gives back to a ticket on average."""
        return self.expected_paid_cents / self.tickets

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "win_chance": self.win_chance,
            "one_in": 1 / self.win_chance,
            "lucky_losers_chance": self.lucky_losers,
            "expected_winners": self.expected_winners,
            "expected_prize": self.expected_prize_cents / 100,
            "expected_paid": self.expected_paid_cents / 100,
            "least_share_binds": self.least_share_binds,
            "greatest_share_binds": self.greatest_share_binds,
            "expected_added": self.expected_added_cents / 100,
            "expected_left": self.expected_left_cents / 100,
            "most_paid": format_cents(self.most_paid_cents),
        }


@dataclass(frozen=True, slots=True)
class Picture:
    """A draw with N tickets as a whole."""

    tickets: int
    price_cents: int
    games: tuple[GamePicture, GamePicture, GamePicture]
    liability: Liability
    error: float
    """What the distributions of winners may be off by; 0 is rounding only."""

    @property
    def sales_cents(self) -> int:
        return self.tickets * self.price_cents

    @property
    def any_prize(self) -> float:
        """The chance that a ticket wins anything."""
        return any_of([game.win_chance for game in self.games])

    @property
    def return_to_player(self) -> float:
        """What tickets get back of their price on average: 0.68 for 68 %."""
        return sum(game.expected_paid_cents for game in self.games) / self.sales_cents

    @property
    def ticket_standard_deviation(self) -> float:
        """Of what a ticket wins, in prices: its three games are independent."""
        variance = sum(game.expected_square_of_prize - game.per_ticket_cents**2 for game in self.games)
        return math.sqrt(variance) / self.price_cents

    @property
    def house_cents(self) -> float:
        """What the house, with its pool reserve where it has one, keeps of a draw on average."""
        return self.sales_cents * (1 - self.return_to_player)

    @property
    def pools_left_cents(self) -> float:
        """What pools leave over on average: the income of a pool reserve (KO21-4.7)."""
        return sum(game.expected_left_cents for game in self.games)

    @property
    def pools_added_cents(self) -> float:
        """What pools lack for their least shares on average: what a pool reserve is asked for."""
        return sum(game.expected_added_cents for game in self.games)

    @property
    def method(self) -> str:
        return "approximate" if self.error else "exact"

    def to_json(self) -> dict[str, Any]:
        return {
            "tickets": self.tickets,
            "method": self.method,
            "error": self.error,
            "return_to_player": self.return_to_player,
            "any_prize": self.any_prize,
            "any_prize_one_in": 1 / self.any_prize,
            "sales": format_cents(self.sales_cents),
            "games": [game.to_json() for game in self.games],
            "liability": self.liability.to_json(),
            "pools": {"left": self.pools_left_cents / 100, "added": self.pools_added_cents / 100},
            "house": {
                "expected": self.house_cents / 100,
                "standard_deviation": self.liability.standard_deviation_cents / 100,
                "loses_chance": self.liability.chance_above(self.sales_cents),
                "worst": format_cents(self.sales_cents - self.liability.most_cents),
            },
        }


@dataclass(frozen=True, slots=True)
class Liability:
    """The distribution of what a draw pays, in steps of some cents."""

    step_cents: int
    probabilities: Floats
    most_cents: int

    @property
    def expected_cents(self) -> float:
        return float(self.probabilities @ self._amounts)

    @property
    def standard_deviation_cents(self) -> float:
        return math.sqrt(float(self.probabilities @ (self._amounts - self.expected_cents) ** 2))

    @property
    def _amounts(self) -> Floats:
        return np.arange(len(self.probabilities), dtype=np.float64) * self.step_cents

    def quantile_cents(self, level: float) -> int:
        """The least amount that a draw does not exceed with this chance."""
        return int(np.searchsorted(np.cumsum(self.probabilities), level)) * self.step_cents

    def chance_above(self, cents: int) -> float:
        """The chance that a draw pays more than an amount."""
        return float(self.probabilities[cents // self.step_cents + 1 :].sum())

    def to_json(self) -> dict[str, Any]:
        return {
            "expected": self.expected_cents / 100,
            "standard_deviation": self.standard_deviation_cents / 100,
            "step": format_cents(self.step_cents),
            "quantiles": {str(level): format_cents(self.quantile_cents(level)) for level in LEVELS},
            "most": format_cents(self.most_cents),
        }


def picture(rules: Knockout21Rules, *, tickets: int) -> Picture:
    """Everything about a draw with this many tickets, all of which follow the charts."""
    if tickets < rules.draws.minimum_tickets:
        raise MalformedInput(
            f"no draw is held with {tickets} ticket{'s' * (tickets != 1)}; it takes at least "
            f"{rules.draws.minimum_tickets}",
            clause="KO21-3.2",
        )
    one, two, three = (winners(rules, game, tickets) for game in GAMES)
    games = (_game_picture(rules, one), _game_picture(rules, two), _game_picture(rules, three))
    return Picture(
        tickets,
        rules.ticket_price_cents,
        games,
        _liability(rules, (one, two, three)),
        one.error + two.error + three.error,
    )


def expected_house_cents(rules: Knockout21Rules, tickets: int) -> float:
    """What the house keeps on average of a draw with this many tickets, whatever the minimum."""
    paid = sum(_game_picture(rules, winners(rules, game, tickets)).expected_paid_cents for game in GAMES)
    return rules.sales_cents(tickets) - paid


def prizes_by_winners(rules: Knockout21Rules, game: Game, tickets: int) -> NDArray[np.int64]:
    """What each winner wins, by the number of winners from 1 on; the first entry, for none, is 0."""
    counts = np.arange(1, tickets + 1, dtype=np.int64)
    shared = rules.prizes.shared(game)
    if shared is None:
        prizes = np.full(tickets, int(rules.prizes.game_1))
    else:
        prizes = np.clip(_equal_shares(rules, game, tickets, counts), int(shared.min), int(shared.max))
    return np.concatenate([[0], prizes])


def _equal_shares(
    rules: Knockout21Rules, game: Game, tickets: int, counts: NDArray[np.int64]
) -> NDArray[np.int64]:
    coin = int(rules.prizes.coin)
    pool = rules.prizes.pool_cents(game, rules.sales_cents(tickets))
    return pool // (counts * coin) * coin


def _game_picture(rules: Knockout21Rules, won: Winners) -> GamePicture:
    game, tickets, chances = won.game, won.tickets, won.probabilities
    counts = np.arange(tickets + 1)
    prizes = prizes_by_winners(rules, game, tickets)
    paid = counts * prizes
    shared = rules.prizes.shared(game)
    below = above = added = left = 0.0
    if shared is not None:
        shares = np.concatenate([[0], _equal_shares(rules, game, tickets, counts[1:])])
        pool = rules.prizes.pool_cents(game, rules.sales_cents(tickets))
        below = float(chances[(shares < shared.min) & (counts > 0)].sum())
        above = float(chances[shares > shared.max].sum())
        added = float(chances @ np.maximum(counts * (prizes - shares), 0))
        left = float(chances @ (pool - counts * np.minimum(shares, prizes)))
    return GamePicture(
        game,
        tickets,
        won.win_chance,
        1 - won.without_lucky_losers,
        won.mean,
        float(chances @ paid),
        float(chances @ (counts * prizes.astype(float) ** 2)) / tickets,
        below,
        above,
        added,
        left,
        int(paid.max()),
    )


def _liability(rules: Knockout21Rules, games: tuple[Winners, Winners, Winners]) -> Liability:
    """The distribution of a sum of three independent amounts, by Fourier transform."""
    paid = [np.arange(won.tickets + 1) * prizes_by_winners(rules, won.game, won.tickets) for won in games]
    most = sum(int(amounts.max()) for amounts in paid)
    step = math.gcd(*(int(np.gcd.reduce(amounts)) for amounts in paid))
    step *= -(-most // (step * _MOST_AMOUNTS))
    size = most // step + len(games) + 1
    length = 1 << (size - 1).bit_length()
    product = np.ones(length // 2 + 1, dtype=np.complex128)
    for amounts, won in zip(paid, games, strict=True):
        # An amount between two steps is split over both, so that the mean stays what it is.
        whole, part = np.divmod(amounts, step)
        share = part / step
        spread = np.bincount(whole, won.probabilities * (1 - share), length)
        spread += np.bincount(whole + 1, won.probabilities * share, length)[:length]
        product *= np.fft.rfft(spread)
    return Liability(step, np.maximum(np.fft.irfft(product, length)[:size], 0.0), most)
