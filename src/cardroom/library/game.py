"""A game under some house rules, and everything that can be asked of it."""

from __future__ import annotations

import difflib
import math
import os
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from cardroom.core.errors import MalformedInput, UnknownName
from cardroom.games import GAMES
from cardroom.rules import HouseRules, load_rules
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.twentyone import TwentyOneRules

if TYPE_CHECKING:
    from cardroom.core.decks import CardCounts
    from cardroom.exact.knockout21.figures import PrizeFigures
    from cardroom.exact.twentyone import Solution
    from cardroom.library.chart import Chart
    from cardroom.library.counting import Counting
    from cardroom.library.frames import Rows
    from cardroom.library.hand import Hand
    from cardroom.library.numbers import Odds, Value
    from cardroom.library.par import Par
    from cardroom.library.policy import StrategySource
    from cardroom.library.rounds import Table
    from cardroom.library.simulation import Simulation
    from cardroom.sim.batches import Spread
    from cardroom.sim.result import SimulationResult

Amount = str | int | float
"""Dollars: `5`, `2.5` or `"2.50"`."""
Backend = Literal["cpu", "cuda", "dask"]


class Game:
    """A game by its id or a rules file, with house options changed by name.

    >>> Game("blackjack", decks=8, dealer_hits_soft_17=False)
    <Blackjack: dealer_hits_soft_17 = False, decks = 8>

    An option in a group is named with the group before it, or as the rules files write it:

    >>> Game("blackjack", split_max_hands=2) == Game("blackjack", {"split.max_hands": 2})
    True
    """

    def __init__(
        self, source: str | Path | HouseRules, options: Mapping[str, object] | None = None, /, **named: object
    ) -> None:
        if isinstance(source, HouseRules):
            from cardroom.rules.loader import change_rules

            self.rules = source
            changes = {**(options or {}), **_dotted(source, named)}
            if changes:
                self.rules = change_rules(source, changes)
            return
        base = load_rules(source)
        self.rules = load_rules(source, {**(options or {}), **_dotted(base, named)})

    @property
    def id(self) -> str:
        """`blackjack`, `spanish-21`, `players-edge-21`, `knockout-21` or `knockout-52`."""
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
        strategy: StrategySource = "composition",
        *,
        wager: Amount | None = None,
        side_wager: Amount | None = None,
        shoe: str | None = None,
        tickets: int | None = None,
    ) -> Odds:
        """Every wager's exact figures.

        `strategy`, `wager`, `side_wager` and `shoe` are for the blackjack family, `wager` for Knockout 52
        too, and `tickets` for Knockout 21: how many are in the draw.
        """
        from cardroom.library.numbers import Odds

        rules = self.rules
        if isinstance(rules, TwentyOneRules):
            from cardroom.lab.twentyone import beside_figures
            from cardroom.lab.wager_sizes import read_side_wager

            solution = self._solved(strategy, wager, shoe)
            beside = beside_figures(
                rules,
                shoe=self._shoe(shoe),
                wager_cents=self._wager_cents(wager),
                side_cents=read_side_wager(_amount(side_wager), rules, "side_wager"),
            )
            return Odds(self.title, (solution.figures(), *beside))
        if isinstance(rules, Knockout52Rules):
            from cardroom.exact.knockout52 import wager_figures

            return Odds(self.title, wager_figures(rules, self._wager_cents(wager)))
        return Odds(self.title, _prizes(self._as(Knockout21Rules), tickets))

    def edge(
        self, strategy: StrategySource | None = None, *, wager: Amount | None = None, shoe: str | None = None
    ) -> Value:
        """The house edge of the game's main wager, as a part of it, positive for the house."""
        from cardroom.library.numbers import Value

        if isinstance(self.rules, TwentyOneRules):
            return Value(-self._solved(strategy or "composition", wager, shoe).expected_value)
        if strategy is not None:
            raise MalformedInput(f"{self.title} has no strategies: its cards decide alone")
        return self.odds(wager=wager)[GAMES[self.id].main_wager].edge

    def strategy(
        self, strategy: StrategySource = "basic", *, wager: Amount | None = None, shoe: str | None = None
    ) -> Chart:
        """The best strategy, or one of your own, as a chart with its edge."""
        from cardroom.library.chart import Chart

        return Chart(self._solved(strategy, wager, shoe))

    def hand(
        self,
        cards: str,
        up: str,
        seen: str = "",
        *,
        strategy: StrategySource = "composition",
        wager: Amount | None = None,
    ) -> Hand:
        """What every action on a hand is worth; `seen` are other cards that are out of the shoe."""
        from cardroom.core.cards import parse_cards
        from cardroom.exact.twentyone import solve
        from cardroom.lab.hands import hand_values
        from cardroom.library.hand import Hand
        from cardroom.library.policy import strategy_of

        rules = self._as(TwentyOneRules)
        if not seen:
            return Hand(hand_values(self._solved(strategy, wager, None), _joined(cards), up))
        if rules.decks == "infinite":
            raise MalformedInput("of infinitely many decks no card is missed; leave seen out")
        left = rules.shoe().without(parse_cards(seen))
        solution = solve(rules, strategy_of(strategy, rules), shoe=left, wager_cents=self._wager_cents(wager))
        return Hand(hand_values(solution, _joined(cards), up))

    def simulate(
        self,
        rounds: float,
        strategy: StrategySource = "basic",
        *,
        seed: int = 1,
        workers: int | None = None,
        backend: Backend = "cpu",
        side_bets: bool = True,
        wager: Amount | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Simulation:
        """Play many rounds; the same seed gives the same result however many workers play."""
        from cardroom.library.simulation import Simulation
        from cardroom.sim.batches import threads

        number = _whole(rounds, "rounds", least=2)
        main = GAMES[self.id].main_wager
        spread = threads(workers or os.cpu_count() or 1)
        rules = self.rules
        if isinstance(rules, TwentyOneRules):
            from cardroom.rules.twentyone.sizes import smallest_side_cents
            from cardroom.sim.twentyone import simulate

            spread = _spread(backend, workers)
            solution = self._solved(strategy, wager, None)
            result = simulate(
                rules,
                solution.strategy.action,
                number,
                seed=seed,
                strategy=solution.strategy_name,
                side_bets=side_bets,
                wager_cents=self._wager_cents(wager),
                side_cents=smallest_side_cents(rules),
                spread=spread,
                progress=progress,
            )
            return Simulation(result, main)
        return Simulation(_simulated(rules, number, seed, self._wager_cents(wager), spread, progress), main)

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
        from cardroom.protect.counting import Counter, CounterResult, read_sides, table_maximum
        from cardroom.protect.counts import find_count
        from cardroom.protect.deviations import read_deviations
        from cardroom.protect.ramp import Ramp
        from cardroom.sim.run import Run

        rules = self.rules
        if not isinstance(rules, TwentyOneRules):
            raise MalformedInput(f"{rules.title} has no counter; games that have one are those of 21")
        number = _whole(rounds, "rounds", least=2)
        habits = Counter(
            find_count(count),
            Ramp.parse(ramp) if isinstance(ramp, str) else Ramp.of(ramp),
            read_deviations([deviations] if deviations else []),
            insurance_from,
            read_sides(sides),
            enter,
            leave,
            spots,
            others,
            decks_known,
            rounding,
            running,
            cover=cover,
        )
        most = table_maximum(rules) if maximum is None else _whole(maximum, "units at most", least=1)
        job = habits.job(rules, seed=seed, cut_cards=cut_cards, most_units=most)
        job(0, 2)  # compiled once, before several threads ask for it
        run = Run(number, _spread(backend, workers), progress=progress)
        return Counting(CounterResult(job, habits, run.of(job), int(rules.limits.min)), most)

    def table(self, seed: int = 1, *, wager: Amount | Mapping[str, Amount] | None = None) -> Table:
        """A table for a program to play at: `game.table(seed=1).play(bot, rounds=100)`."""
        from cardroom.library.rounds import Table

        return Table(self.rules, seed, wager)  # type: ignore[arg-type]

    def par(self, *, rounds: float = 1e6, seed: int = 1, wager: Amount | None = None) -> Par:
        """The PAR sheet, verified by a simulation of so many rounds."""
        from cardroom.lab.par import par_sheet
        from cardroom.library.par import Par

        number = _whole(rounds, "rounds", least=1000)
        cents = None if wager is None else self._wager_cents(wager)
        return Par(par_sheet(self.rules, rounds=number, seed=seed, wager_cents=cents))

    # What only one game has

    def returns(self, tickets: Sequence[int]) -> Rows:
        """Knockout 21 by the tickets in a draw: what comes back, any prize, what the house keeps."""
        from cardroom.exact.knockout21.draw_figures import picture
        from cardroom.library.frames import Rows

        rules = self._as(Knockout21Rules)
        rows = []
        for wanted in [tickets] if isinstance(tickets, int) else tickets:
            number = _whole(wanted, "tickets", least=1)
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
        chances = live_chances(rules.layout, rules.cards_per_rank, parse_cards(cards))
        return {wager: Value(Fraction(chance)) for wager, chance in chances.items()}

    # Reading what was given

    def _as(self, kind: type[Any]) -> Any:
        if not isinstance(self.rules, kind):
            having = [game for game in GAMES if GAMES[game].follow("rules") is kind]
            raise MalformedInput(f"{self.title} has none of this; it is for {', '.join(having)}")
        return self.rules

    def _wager_cents(self, wager: Amount | None) -> int:
        from cardroom.lab.wager_sizes import read_wager

        limits = getattr(self.rules, "limits", None)
        return read_wager(_amount(wager), self.rules, "wager") or (
            int(limits.min) if limits is not None else 0
        )

    def _shoe(self, shoe: str | None) -> CardCounts | None:
        if shoe is None:
            return None
        from cardroom.exact.twentyone import parse_shoe

        return parse_shoe(shoe, self._as(TwentyOneRules).deck)

    def _solved(self, strategy: StrategySource, wager: Amount | None, shoe: str | None) -> Solution:
        from cardroom.exact.twentyone import solve
        from cardroom.library.policy import strategy_of

        rules = self._as(TwentyOneRules)
        return solve(
            rules,
            strategy_of(strategy, rules),
            shoe=self._shoe(shoe),
            wager_cents=self._wager_cents(wager),
        )


def _dotted(rules: HouseRules, named: Mapping[str, object]) -> dict[str, object]:
    """Options named as Python names things, by the names that the rules files have for them."""
    known = {key.replace(".", "_").replace("-", "_"): key for key in rules.flat()}
    changes = {}
    for name, value in named.items():
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            guess = f"; did you mean {close[0]!r}?" if close else ""
            raise UnknownName(f"{rules.title} has no option {name!r}{guess}")
        changes[known[name]] = value
    return changes


def _amount(amount: Amount | None) -> str | None:
    if amount is None or isinstance(amount, str):
        return amount
    return f"{amount:.2f}" if isinstance(amount, float) and round(amount, 2) == amount else str(amount)


def _whole(number: float, what: str, *, least: int) -> int:
    if number % 1 or number < least or math.isinf(number):
        raise MalformedInput(f"{number!r} {what} are not possible; allowed: a whole number from {least}")
    return int(number)


def _spread(backend: str, workers: int | None) -> Spread:
    """Who plays the rounds of the blackjack family."""
    from cardroom.sim.batches import threads

    number = workers or os.cpu_count() or 1
    if backend == "cuda":
        from cardroom.sim.twentyone.cuda import cuda

        on_gpu: Spread = cuda()
        return on_gpu
    if backend == "dask":
        from cardroom.sim.dask import dask

        return dask(None, number)
    if backend != "cpu":
        raise UnknownName(f"there is no backend {backend!r}; they are cpu, cuda and dask")
    return threads(number)


def _joined(cards: str) -> str:
    return cards.replace(" ", "")


def _prizes(rules: Knockout21Rules, tickets: int | None) -> tuple[PrizeFigures, ...]:
    """A ticket in a draw of so many, as many as the lobby speaks of unless told."""
    from cardroom.exact.knockout21.draw_figures import picture
    from cardroom.exact.knockout21.figures import odds_of
    from cardroom.lab.wager_figures import TICKETS

    number = _whole(tickets or max(TICKETS, rules.draws.minimum_tickets), "tickets", least=1)
    return odds_of(rules, picture(rules, tickets=number))


def _simulated(
    rules: HouseRules,
    rounds: int,
    seed: int,
    stake_cents: int,
    spread: Spread,
    progress: Callable[[int, int], None] | None,
) -> SimulationResult:
    if not isinstance(rules, Knockout52Rules):
        raise MalformedInput(
            f"draws of {rules.title} are simulated by `cardroom simulate {rules.game}`; "
            "here `returns` has them exactly"
        )
    from cardroom.sim.knockout52 import Knockout52Job
    from cardroom.sim.run import Run

    job = Knockout52Job(rules, seed, stake_cents)
    return job.report(Run(rounds, spread, progress=progress).of(job))
