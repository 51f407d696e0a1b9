"""A game under some house rules, and everything that can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cardroom.core.errors import MalformedInput
from cardroom.games import GAMES
from cardroom.library.answers import answers_for, wager_cents
from cardroom.library.arguments import (
    callback,
    integer,
    integer_or_none,
    seed_of,
    several,
    text,
    text_or_file,
    truth,
    whole,
)
from cardroom.library.changes import read_changes
from cardroom.rules import HouseRules, load_rules
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules

if TYPE_CHECKING:
    from cardroom.exact.twentyone import Solution
    from cardroom.library.chart import Chart
    from cardroom.library.counting import Counting, TeamCounting
    from cardroom.library.frames import Rows
    from cardroom.library.hand import Hand
    from cardroom.library.numbers import Odds, Value
    from cardroom.library.par import Par
    from cardroom.library.policy import StrategySource
    from cardroom.library.rounds import Table
    from cardroom.library.simulation import Simulation

Amount = str | int | float
"""Dollars: `5`, `2.5` or `"2.50"`."""
Backend = Literal["cpu", "cuda", "dask"]


class Game:
    """A game by its id or a rules file, with house options changed by name.

    An option in a group is named with the group before it, or as the rules files write it.

    Examples:
        >>> Game("blackjack", decks=8, dealer_hits_soft_17=False)
        <Blackjack: dealer_hits_soft_17 = False, decks = 8>

        >>> Game("blackjack", split_max_hands=2) == Game("blackjack", {"split.max_hands": 2})
        True
    """

    def __init__(
        self, source: str | Path | HouseRules, options: Mapping[str, object] | None = None, /, **named: object
    ) -> None:
        if isinstance(source, HouseRules):
            from cardroom.rules.loader import change_rules

            self.rules = source
            changes = read_changes(source, options, named)
            if changes:
                self.rules = change_rules(source, changes)
            return
        source = text_or_file(source, "the game", next(iter(GAMES)))
        base = load_rules(source)
        self.rules = load_rules(source, read_changes(base, options, named))

    @property
    def id(self) -> str:
        """The game's id, such as `blackjack` or `knockout-52`."""
        return self.rules.game

    @property
    def title(self) -> str:
        """The game's name as people say it."""
        return self.rules.title

    @property
    def options(self) -> dict[str, Any]:
        """Every house option by its name."""
        return self.rules.flat()

    @property
    def differences(self) -> dict[str, Any]:
        """The options in which these rules differ from the game's own."""
        return {key: here for key, (here, _) in self.rules.differences(load_rules(self.id)).items()}

    def changed(self, options: Mapping[str, object] | None = None, /, **named: object) -> Game:
        """The same game with some options changed."""
        return Game(self.rules, options, **named)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self.rules.rules_hash == other.rules.rules_hash

    def __hash__(self) -> int:
        return hash(self.rules.rules_hash)

    def __repr__(self) -> str:
        changed = ", ".join(f"{key} = {value}" for key, value in sorted(self.differences.items()))
        return f"<{self.title}{': ' * bool(changed)}{changed}>"

    def _repr_html_(self) -> str:
        from html import escape

        sentences = "".join(f"<li>{escape(words)}</li>" for _, words, _ in self.rules.sentences())
        return f"<details><summary>{escape(repr(self))}</summary><ul>{sentences}</ul></details>"

    # Figures

    def odds(
        self,
        strategy: StrategySource | None = None,
        *,
        wager: Amount | None = None,
        side_wager: Amount | None = None,
        shoe: str | None = None,
        tickets: int | None = None,
    ) -> Odds:
        """Every wager's exact figures, by the best play for each composition of a hand unless told otherwise.

        `strategy`, `wager`, `side_wager` and `shoe` are for the blackjack family, `wager` for Knockout 52
        too, and `tickets` for Knockout 21: how many are in the draw.
        """
        return answers_for(self.rules).odds(
            strategy, wager=wager, side_wager=side_wager, shoe=shoe, tickets=tickets
        )

    def edge(
        self, strategy: StrategySource | None = None, *, wager: Amount | None = None, shoe: str | None = None
    ) -> Value:
        """The house edge of the game's main wager, as a part of it, positive for the house.

        By the best play for each composition of a hand, unless a strategy is named.
        """
        return answers_for(self.rules).edge(strategy, wager=wager, shoe=shoe)

    def strategy(
        self, strategy: StrategySource = "basic", *, wager: Amount | None = None, shoe: str | None = None
    ) -> Chart:
        """The best strategy that a chart can hold (basic: by totals), or one of your own, with its edge."""
        from cardroom.library.chart import Chart

        return Chart(self._solved(strategy, wager, shoe))

    def hand(
        self,
        cards: str,
        up: str,
        seen: str = "",
        *,
        strategy: StrategySource | None = None,
        wager: Amount | None = None,
    ) -> Hand:
        """What every action on a hand is worth; `seen` are other cards that are out of the shoe.

        The hand is played on as is best for its composition, unless a strategy is named.
        """
        from cardroom.exact.twentyone import solve
        from cardroom.lab.hands import hand_values, shoe_without
        from cardroom.library.answers_twentyone import BEST
        from cardroom.library.hand import Hand
        from cardroom.library.policy import strategy_of

        rules = self._as(TwentyOneRules)
        cards, up = text(cards, "the hand", "Tc 6d"), text(up, "the up card", "Th")
        cards, up = (" ".join(some.split()) for some in (cards, up))
        if not text(seen, "what is seen", "5c 5d"):
            return Hand(hand_values(self._solved(strategy, wager, None), cards, up))
        if rules.decks == "infinite":
            raise MalformedInput("of infinitely many decks no card is missed; leave seen out")
        left = shoe_without(rules.shoe(), seen)
        solution = solve(
            rules,
            strategy_of(BEST if strategy is None else strategy, rules),
            shoe=left,
            wager_cents=wager_cents(rules, wager),
        )
        return Hand(hand_values(solution, cards, up))

    def simulate(
        self,
        rounds: float,
        strategy: StrategySource | None = None,
        *,
        seed: int = 1,
        workers: int | None = None,
        backend: Backend = "cpu",
        side_bets: bool = True,
        wager: Amount | None = None,
        cut_cards: int | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Simulation:
        """Play many rounds; the same seed gives the same result however many workers play.

        By basic strategy unless told otherwise: a simulated hand is known by its total, not by its cards.
        Every round has a new shoe, or with `cut_cards` a shoe lasts until so many cards are left.
        """
        from cardroom.library.simulation import Simulation

        result = answers_for(self.rules).simulate(
            whole(rounds, "rounds", least=2),
            strategy,
            seed=seed,
            workers=workers,
            backend=backend,
            side_bets=side_bets,
            wager=wager,
            cut_cards=cut_cards,
            progress=callback(progress, "progress"),
        )
        return Simulation(result, GAMES[self.id].main_wager)

    def counter(
        self,
        rounds: float,
        count: str = "hi-lo",
        ramp: str | Mapping[int, int] = "0:1",
        *,
        deviations: str = "",
        insurance_from: int | None = None,
        sides: Sequence[str] = (),
        enter: int | None = None,
        leave: int | None = None,
        spots: int = 1,
        others: int = 0,
        decks_known: str = "exact",
        rounding: str = "floor",
        running: bool = False,
        cover: int | None = None,
        play_count: str | None = None,
        insurance_count: str | None = None,
        side_count: str | None = None,
        cut_cards: int | None = None,
        maximum: int | None = None,
        seed: int = 1,
        workers: int | None = None,
        backend: str = "cpu",
        progress: Callable[[int, int], None] | None = None,
    ) -> Counting:
        """Play many rounds of a player who counts: `game.counter(1e8, "hi-lo", "1:2,2:6,3:12")`.

        A ramp says how many units are wagered from each count on; the unit is the smallest wager.
        """
        from cardroom.library.counting import Counting
        from cardroom.library.playing import ramp_of, second_count, spread_of
        from cardroom.protect.counting import CounterResult
        from cardroom.protect.counts import find_count
        from cardroom.protect.deviations import read_deviations
        from cardroom.protect.habits import Counter, read_sides, table_maximum
        from cardroom.sim.run import Run

        rules = self.rules
        if not isinstance(rules, TwentyOneRules):
            raise MalformedInput(f"{rules.title} has no counter; games that have one are those of 21")
        number, progress = whole(rounds, "rounds", least=2), callback(progress, "progress")
        changes = text(deviations, "the deviations", "16 v T stand from 0")
        bets = [text(side, "a side bet", "21+3@4") for side in several(sides)]
        habits = Counter(
            find_count(text(count, "the count", "hi-lo")),
            ramp_of(ramp),
            read_deviations([changes] if changes else []),
            integer_or_none(insurance_from, "insurance from a count of"),
            read_sides(bets),
            integer_or_none(enter, "a count to enter of"),
            integer_or_none(leave, "a count to leave of"),
            integer(spots, "spots"),
            integer(others, "others"),
            text(decks_known, "decks_known", "exact"),
            text(rounding, "rounding", "floor"),
            truth(running, "running"),
            cover=integer_or_none(cover, "cover of"),
            play_count=second_count(play_count),
            insurance_count=second_count(insurance_count),
            side_count=second_count(side_count),
        )
        most = table_maximum(rules) if maximum is None else whole(maximum, "units at most", least=1)
        cut = integer_or_none(cut_cards, "a cut of")
        job = habits.seat(rules, seed=seed_of(seed), cut_cards=cut, most_units=most)
        spread = spread_of(backend, workers)
        job(0, 2)  # compiled once, before several threads ask for it
        run = Run(number, spread, progress=progress)
        return Counting(CounterResult(job, habits, run.of(job), int(rules.limits.min)), most)

    def team(
        self,
        rounds: float,
        counters: Sequence[str],
        *,
        others: int = 0,
        cut_cards: int | None = None,
        maximum: int | None = None,
        seed: int = 1,
        workers: int | None = None,
        backend: str = "cpu",
        progress: Callable[[int, int], None] | None = None,
    ) -> TeamCounting:
        """Play many rounds of several counters at one table, each in words.

        `game.team(1e7, ["count=hi-lo", "count=zen ramp=1:4,2:12 enter=2"])`: a spotter, and somebody who sits
        down when it pays.
        """
        from cardroom.library.counting import TeamCounting
        from cardroom.library.playing import spread_of
        from cardroom.protect.habits import table_maximum
        from cardroom.protect.team import Team, TeamResult, read_counter
        from cardroom.sim.run import Run

        rules = self.rules
        if not isinstance(rules, TwentyOneRules):
            raise MalformedInput(f"{rules.title} has no counter; games that have one are those of 21")
        number, progress = whole(rounds, "rounds", least=2), callback(progress, "progress")
        spread = spread_of(backend, workers)
        some = [counters] if isinstance(counters, str) else counters
        habits = [read_counter(text(one, "a counter", "count=zen ramp=1:4,2:12")) for one in some]
        team = Team.of(habits, integer(others, "others"))
        most = table_maximum(rules) if maximum is None else whole(maximum, "units at most", least=1)
        cut = integer_or_none(cut_cards, "a cut of")
        job = team.job(rules, seed=seed_of(seed), cut_cards=cut, most_units=most)
        job(0, 2)  # compiled once, before several threads ask for it
        run = Run(number, spread, progress=progress)
        return TeamCounting(TeamResult(job, team, run.of(job), int(rules.limits.min)), most)

    def table(self, seed: int = 1, *, wager: Amount | Mapping[str, Amount] | None = None) -> Table:
        """A table for a program to play at: `game.table(seed=1).play(bot, rounds=100)`."""
        from cardroom.library.rounds import Table

        return Table(self.rules, seed_of(seed), wager)  # type: ignore[arg-type]

    def par(self, *, rounds: float = 1e6, seed: int = 1, wager: Amount | None = None) -> Par:
        """The PAR sheet, verified by a simulation of so many rounds."""
        from cardroom.lab.par import par_sheet
        from cardroom.library.par import Par

        number = whole(rounds, "rounds", least=1000)
        cents = None if wager is None else wager_cents(self.rules, wager)
        return Par(par_sheet(self.rules, rounds=number, seed=seed_of(seed), wager_cents=cents))

    # What only one game has

    def returns(self, tickets: int | Iterable[int]) -> Rows:
        """Knockout 21 by the tickets in a draw: what comes back, any prize, what the house keeps."""
        from cardroom.exact.knockout21.draw_figures import picture
        from cardroom.library.frames import Rows

        rules = self._as(Knockout21Rules)
        rows = []
        for wanted in several(tickets) or [None]:
            number = whole(wanted, "tickets", least=1)
            draw = picture(rules, tickets=number)
            rows.append(
                {
                    "tickets": number,
                    "return_to_player": draw.return_to_player,
                    "any_prize": draw.any_prize,
                    "sales_cents": draw.sales_cents,
                    "house_cents": draw.house_cents,
                }
            )
        return Rows(f"{self.title} by tickets in the draw", rows)

    def live(self, cards: str = "") -> dict[str, Value]:
        """Knockout 52 after some cards: the chance that each wager wins."""
        from cardroom.core.cards import parse_cards
        from cardroom.exact.knockout52 import live_chances
        from cardroom.library.numbers import Value

        rules = self._as(Knockout52Rules)
        chances = live_chances(
            rules.layout, rules.cards_per_rank, parse_cards(text(cards, "the cards", "Kh 9s"))
        )
        return {wager: Value(Fraction(chance)) for wager, chance in chances.items()}

    # Reading what was given

    def _as(self, kind: type[Any]) -> Any:
        if not isinstance(self.rules, kind):
            having = [game for game in GAMES if issubclass(GAMES[game].follow("rules"), kind)]
            raise MalformedInput(f"{self.title} has none of this; it is for {', '.join(having)}")
        return self.rules

    def _solved(self, strategy: StrategySource | None, wager: Amount | None, shoe: str | None) -> Solution:
        from cardroom.library.answers_twentyone import TwentyOneAnswers

        return TwentyOneAnswers(self._as(TwentyOneRules)).solved(strategy, wager, shoe)
