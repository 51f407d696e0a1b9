"""How the library answers for a game: from its entry in the registry, or in a way of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cardroom.core.cards import Card
from cardroom.core.errors import MalformedInput
from cardroom.games import GAMES, Game
from cardroom.library.arguments import amount, refuse_others
from cardroom.rules import HouseRules

if TYPE_CHECKING:
    from cardroom.library.numbers import Odds, Value
    from cardroom.library.policy import StrategySource
    from cardroom.sim.result import SimulationResult

Progress = Callable[[int, int], None]
Seat = Callable[[Sequence[Card]], tuple[str, int]]
"""Somebody at a table: plays a round with these cards, and gives its text and what it brought in cents."""


class Answers:
    """What is asked of any game; a game with ways of its own has a subclass, which its entry names."""

    def __init__(self, rules: HouseRules) -> None:
        self.game_rules = rules
        self.title = rules.title
        self.game: Game = GAMES[rules.game]

    def odds(
        self,
        strategy: StrategySource | None = None,
        *,
        wager: object = None,
        side_wager: object = None,
        shoe: str | None = None,
        tickets: int | None = None,
    ) -> Odds:
        """Every wager exactly, as `cardroom odds` has it."""
        from cardroom.library.numbers import Odds

        others = {"strategy": strategy, "side_wager": side_wager, "shoe": shoe, "tickets": tickets}
        refuse_others(self.title, others)
        cents = wager_cents(self.game_rules, wager)
        return Odds(self.title, self.game.follow("figures")(self.game_rules, cents))

    def edge(self, strategy: StrategySource | None, *, wager: object, shoe: str | None) -> Value:
        """The house edge of the main wager."""
        return self.odds(strategy, wager=wager, shoe=shoe)[self.game.main_wager].edge

    def simulate(
        self,
        rounds: int,
        strategy: StrategySource | None,
        *,
        seed: int,
        workers: int | None,
        backend: str,
        side_bets: bool,
        wager: object,
        cut_cards: int | None,
        progress: Progress | None,
    ) -> SimulationResult:
        """Many rounds of the game."""
        raise MalformedInput(
            f"rounds of {self.title} are not simulated, only those of {_having('simulate')}; "
            "`odds` has its figures exactly"
        )

    def seat(self, bot: StrategySource | None, wager: Mapping[str, object] | object) -> Seat:
        """Somebody who plays round after round at a table."""
        if self.game.kind == "lottery":
            raise MalformedInput(f"{self.game.id} is a lottery; it has draws, not a table")
        raise MalformedInput(f"there is no table of {self.title} for a program, only of {_having('seat')}")


def answers_for(rules: HouseRules) -> Answers:
    """The answers for a game under some house rules."""
    return _answers_of(GAMES[rules.game])(rules)


def _answers_of(game: Game) -> type[Answers]:
    answers: type[Answers] = Answers if game.library is None else game.follow("library")
    return answers


def _having(what: str) -> str:
    """The games that answer something in a way of their own."""
    usual: Any = getattr(Answers, what)
    return ", ".join(game.id for game in GAMES.values() if getattr(_answers_of(game), what) is not usual)


def wager_cents(rules: HouseRules, wager: object) -> int | None:
    """The wager that is named, else the table's smallest; None where the game has no choice of one."""
    from cardroom.lab.wager_sizes import read_wager

    cents = read_wager(amount(wager), rules, "wager")
    limits = getattr(rules, "limits", None)
    return cents if cents is not None or limits is None else int(limits.min)
