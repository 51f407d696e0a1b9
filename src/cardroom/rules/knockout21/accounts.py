"""Where every cent of a Knockout 21 draw goes, as a function of how many tickets won each game (KO21-4.7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cardroom.rules.knockout21.schema import GAMES, Game, Knockout21Rules


@dataclass(frozen=True, slots=True)
class GameAccount:
    """One game's money: `pool + added = paid + rounding + left`; Game 1, without a pool, adds all it pays."""

    game: Game
    winners: int
    prize_cents: int
    """What each winner wins; zero when there was no ticket and so no winner."""
    pool_cents: int
    rounding_cents: int
    """What rounding an equal share down to the coin left of the pool."""
    added_cents: int
    """What the least share added to the pool; for Game 1, its prizes."""
    left_cents: int
    """What the greatest share left of the pool."""

    @property
    def paid_cents(self) -> int:
        return self.prize_cents * self.winners


@dataclass(frozen=True, slots=True)
class DrawAccount:
    """A draw's money: `sales = prizes + house + (into the reserve − out of the reserve)`."""

    tickets: int
    sales_cents: int
    games: tuple[GameAccount, GameAccount, GameAccount]
    reserve_in_cents: int
    reserve_out_cents: int

    @property
    def prizes_cents(self) -> int:
        return sum(game.paid_cents for game in self.games)

    @property
    def house_cents(self) -> int:
        """What the house keeps of the draw, or below zero puts into it."""
        return self.sales_cents - self.prizes_cents - self.reserve_in_cents + self.reserve_out_cents


def game_account(rules: Knockout21Rules, game: Game, tickets: int, winners: int) -> GameAccount:
    """The money of one game of a draw (KO21-4.6, KO21-4.7)."""
    pool = rules.prizes.pool_cents(game, rules.sales_cents(tickets))
    if winners == 0:  # only without tickets: with one or more there are always winners (KO21-4.4)
        return GameAccount(game, 0, 0, pool, 0, 0, pool)
    prize = rules.prizes.prize_cents(game, pool, winners)
    if rules.prizes.shared(game) is None:
        return GameAccount(game, winners, prize, pool, 0, prize * winners, 0)
    share = rules.prizes.equal_share_cents(pool, winners)
    limits = (prize - share) * winners
    return GameAccount(
        game,
        winners,
        prize,
        pool,
        rounding_cents=pool - share * winners,
        added_cents=max(limits, 0),
        left_cents=max(-limits, 0),
    )


def draw_account(
    rules: Knockout21Rules, tickets: int, winners: Mapping[Game, int], *, reserve_cents: int = 0
) -> DrawAccount:
    """The money of a draw; `reserve_cents` is what the pool reserve held before it."""
    games = tuple(game_account(rules, game, tickets, winners[game]) for game in GAMES)
    into = out = 0
    if rules.prizes.pool_reserve == "surplus":
        pools = [game for game in games if rules.prizes.shared(game.game)]
        into = sum(game.rounding_cents + game.left_cents for game in pools)
        out = min(sum(game.added_cents for game in pools), reserve_cents + into)
    one, two, three = games
    return DrawAccount(tickets, rules.sales_cents(tickets), (one, two, three), into, out)
