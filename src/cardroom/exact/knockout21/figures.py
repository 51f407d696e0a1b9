"""The figures of a Knockout 21 ticket in the shape of `odds --json`: three games, and any prize at all."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from cardroom.exact.figures import Number, number_to_json
from cardroom.exact.knockout21.chances import chances, hand_chance, hand_chance_among_many
from cardroom.exact.knockout21.draw_figures import GamePicture, Picture
from cardroom.rules.knockout21 import GAMES, WAGERS, Game, Knockout21Rules


@dataclass(frozen=True, slots=True)
class PrizeFigures:
    """One game of a ticket, or its chance of any prize.

    The price of a ticket buys all three games, so a game has a return and no edge of its own; the edge is
    that of the ticket, on the line of any prize. Shares depend on the number of tickets in the draw, and so
    does all that follows from them: it is None as long as that number is not given.
    """

    wager: str
    hit_frequency: Number
    prize_range: tuple[Fraction, Fraction]
    """The least and the greatest prize, in prices of a ticket."""
    per_hand: Fraction | None
    """The chance to stay in after one hand of the game: among many, or, where the number of tickets is given,
    by beating or tying the dealer, Lucky Losers left out."""
    expected_return: Number | None = None
    """What comes back of the price on average."""
    standard_deviation: float | None = None
    method: str = "exact"

    @property
    def expected_value(self) -> Number | None:
        """Of a whole ticket, for each unit of its price; a game alone is not sold."""
        if self.wager != WAGERS[-1] or self.expected_return is None:
            return None
        return self.expected_return - 1

    @property
    def pays(self) -> str:
        least, most = (str(float(prize)).removesuffix(".0") for prize in self.prize_range)
        return f"{least} for 1" if least == most else f"{least} to {most} for 1"

    def to_json(self) -> dict[str, Any]:
        value, returned = self.expected_value, self.expected_return
        per_hand = {"per_hand": number_to_json(self.per_hand)} if self.per_hand is not None else {}
        return {
            "wager": self.wager,
            "method": self.method,
            "strategy": "charts",
            "expected_value": None if value is None else number_to_json(value),
            "expected_return": None if returned is None else number_to_json(returned),
            "house_edge_percent": None if value is None else float(-100 * value),
            "hit_frequency": float(self.hit_frequency),
            "one_in": float(1 / self.hit_frequency),
            "standard_deviation": self.standard_deviation,
            **per_hand,
            "outcomes": [
                {"outcome": "win", "pays": self.pays, "probability": number_to_json(self.hit_frequency)},
                {
                    "outcome": "no prize",
                    "pays": "0",
                    "probability": number_to_json(1 - self.hit_frequency),
                },
            ],
        }


def odds(rules: Knockout21Rules) -> tuple[PrizeFigures, ...]:
    """A ticket among many, as fractions; only Game 1's prize does not depend on how many they are."""
    wins = chances(rules)
    fixed = Fraction(int(rules.prizes.game_1), rules.ticket_price_cents)
    win = wins["game-1"]
    return tuple(
        PrizeFigures(
            wager,
            wins[wager],
            _prize_range(rules, game),
            None if game is None else hand_chance_among_many(rules.game_1_hit, game),
            expected_return=fixed * win if game == 1 else None,
            standard_deviation=float(fixed) * math.sqrt(win * (1 - win)) if game == 1 else None,
        )
        for wager, game in zip(WAGERS, (*GAMES, None), strict=True)
    )


def odds_of(rules: Knockout21Rules, picture: Picture) -> tuple[PrizeFigures, ...]:
    """A ticket in a draw with a number of tickets, Lucky Losers and limits included."""

    def of_game(game: GamePicture) -> PrizeFigures:
        price = rules.ticket_price_cents
        variance = game.expected_square_of_prize - game.per_ticket_cents**2
        return PrizeFigures(
            WAGERS[game.game - 1],
            game.win_chance,
            _prize_range(rules, game.game),
            hand_chance(rules.game_1_hit, game.game),
            game.per_ticket_cents / price,
            math.sqrt(max(variance, 0.0)) / price,
            picture.method,
        )

    ticket = PrizeFigures(
        WAGERS[-1],
        picture.any_prize,
        _prize_range(rules, None),
        None,
        picture.return_to_player,
        picture.ticket_standard_deviation,
        picture.method,
    )
    return (*(of_game(game) for game in picture.games), ticket)


def _prize_range(rules: Knockout21Rules, game: Game | None) -> tuple[Fraction, Fraction]:
    if game is None:
        ranges = [_prize_range(rules, each) for each in GAMES]
        return min(least for least, _ in ranges), sum((most for _, most in ranges), Fraction(0))
    shared = rules.prizes.shared(game)
    least, most = (shared.min, shared.max) if shared else (rules.prizes.game_1, rules.prizes.game_1)
    return Fraction(int(least), rules.ticket_price_cents), Fraction(int(most), rules.ticket_price_cents)
