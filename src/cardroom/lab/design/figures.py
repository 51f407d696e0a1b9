"""What a designer wants to know of a side bet: every line, the edge by the number of decks, and warnings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from cardroom.core.errors import MalformedInput
from cardroom.exact.by_decks import Decks, figures_with_decks
from cardroom.exact.figures import Number, Outcome, WagerFigures, number_to_json
from cardroom.games import GAMES
from cardroom.lab.par.sheet import VOLATILITY_SIGMAS, Correlation
from cardroom.lab.wager_figures import plain_figures
from cardroom.presentation.numbers import percent
from cardroom.presentation.wagers import line_title
from cardroom.rules import HouseRules, change_rules
from cardroom.rules.bets import SideBet
from cardroom.rules.twentyone import TwentyOneRules

if TYPE_CHECKING:
    from cardroom.exact.twentyone import Solution

USUAL_DECKS: Final[tuple[Decks, ...]] = (1, 2, 4, 6, 8, "infinite")
MOST_EDGE: Final = Fraction(1, 4)
"""A house edge above this is warned of."""
ROUNDS: Final = 200_000
"""A correlation that only whole rounds show is simulated over so many."""


def deck_words(decks: Decks) -> str:
    """`1 deck`, `6 decks`, `infinite decks`."""
    return f"{decks} deck{'' if decks == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class WithDecks:
    """A wager with a number of decks."""

    decks: Decks
    figures: WagerFigures

    @property
    def edge(self) -> Fraction:
        return Fraction(-self.figures.expected_value)

    @property
    def volatility(self) -> float:
        """The volatility index of the PAR sheet: 90 % of single results lie within so many stakes."""
        return VOLATILITY_SIGMAS * self.figures.standard_deviation

    def to_json(self) -> dict[str, Any]:
        return {
            "decks": self.decks,
            "expected_value": number_to_json(self.figures.expected_value),
            "house_edge_percent": self.figures.house_edge_percent,
            "hit_frequency": number_to_json(self.figures.hit_frequency),
            "variance": number_to_json(self.figures.variance),
            "standard_deviation": self.figures.standard_deviation,
            "volatility_index": self.volatility,
            "lines": [_line_json(one) for one in self.figures.outcomes],
        }


def _line_json(line: Outcome) -> dict[str, Any]:
    return {
        "line": line.outcome,
        "title": line_title(line.outcome),
        "pays": line.pays,
        "chance": number_to_json(line.probability),
        "one_in": float(1 / line.probability) if line.probability else None,
        "return": number_to_json(line.net * Fraction(line.probability)),
    }


@dataclass(frozen=True, slots=True)
class BetFigures:
    """A side bet as its designer sees it."""

    wager: str
    bet: SideBet
    here: WithDecks
    """With the decks of the rules that it is put on."""
    by_decks: tuple[WithDecks, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What should not be overlooked."""
        every = self.by_decks
        if self.here.decks not in [one.decks for one in every]:
            every = (self.here, *every)
        return (*self._lines_never_won(), *edge_warnings([(one.decks, one.edge) for one in every]))

    def _lines_never_won(self) -> list[str]:
        sentences = []
        for place, line in enumerate(self.bet.paid_lines):
            never = [
                deck_words(one.decks)
                for one in (self.here, *self.by_decks)
                if not one.figures.outcomes[place].probability
            ]
            if never:
                sentences.append(f"{line.name} can never win with {_listed(list(dict.fromkeys(never)))}")
        return sentences

    def to_json(self) -> dict[str, Any]:
        return {
            "wager": self.wager,
            "title": self.bet.title,
            "looks_at": list(self.bet.looks_at),
            "method": "exact",
            **self.here.to_json(),
            "by_decks": [one.to_json() for one in self.by_decks],
            "warnings": list(self.warnings),
        }


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def edge_warnings(edges: Sequence[tuple[Decks, Number]]) -> list[str]:
    """What should not be overlooked of a wager's house edge with several numbers of decks."""
    below = [one for one in edges if one[1] < 0]
    above = [one for one in edges if one[1] > MOST_EDGE]
    warnings = []
    if below:
        warnings.append(f"the house edge is below 0: {_said(below)}")
    if above:
        warnings.append(f"the house edge is above {percent(float(MOST_EDGE), 0)}: {_said(above)}")
    if below and len(below) < len(edges):
        ends = (min(edges, key=lambda one: one[1]), max(edges, key=lambda one: one[1]))
        warnings.append(f"the number of decks changes the sign of the house edge: {_said(ends)}")
    return warnings


def _said(edges: Sequence[tuple[Decks, Number]]) -> str:
    return ", ".join(f"{percent(float(edge), 3)} with {deck_words(decks)}" for decks, edge in edges)


def bet_figures(rules: TwentyOneRules, wager: str, decks: Sequence[Decks] = USUAL_DECKS) -> BetFigures:
    """All figures of a side bet, exact, with the decks of the rules and with others."""
    here = WithDecks(rules.decks, figures_with_decks(rules, wager, rules.decks))
    every = tuple(
        here if one == rules.decks else WithDecks(one, figures_with_decks(rules, wager, one)) for one in decks
    )
    return BetFigures(wager, rules.side_bets[wager], here, every)


@dataclass(frozen=True, slots=True)
class MainFigures:
    """The main wager of house rules: all its figures, and the edge with other numbers of decks."""

    figures: dict[str, Any]
    """In the shape of `odds --json`."""
    by_decks: tuple[tuple[Decks, float], ...]
    """The house edge as a part of the stake."""

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(edge_warnings(self.by_decks))

    def to_json(self) -> dict[str, Any]:
        edges = [{"decks": decks, "house_edge_percent": 100 * edge} for decks, edge in self.by_decks]
        return {**self.figures, "by_decks": edges, "warnings": list(self.warnings)}


def main_figures(rules: HouseRules) -> MainFigures:
    """The main wager of any game; with other numbers of decks where its rules allow them."""
    edges: list[tuple[Decks, float]] = []
    for decks in USUAL_DECKS:
        try:
            edges.append((decks, _main_edge(change_rules(rules, {"decks": decks}))))
        except MalformedInput:
            continue  # the game is not dealt from so many
    return MainFigures(_main(rules), tuple(edges))


def _main(rules: HouseRules) -> dict[str, Any]:
    if isinstance(rules, TwentyOneRules):
        return _solved(rules).figures().to_json()
    main = GAMES[rules.game].main_wager
    return next(one for one in plain_figures(rules) if one["wager"] == main)


def _main_edge(rules: HouseRules) -> float:
    if isinstance(rules, TwentyOneRules):
        return -float(_solved(rules).expected_value)
    edge: float = _main(rules)["house_edge_percent"] / 100
    return edge


def _solved(rules: TwentyOneRules) -> Solution:
    """The main wager by its best strategy. It does not depend on side bets: without them it is solved once,
    however often they are changed.
    """
    from cardroom.lab.advice import solved

    return solved(rules.model_copy(update={"side_bets": {}}))


def correlations_left_out(rules: HouseRules, wagers: Sequence[str]) -> dict[str, str]:
    """The side bets without a correlation with the main wager, each with the sentence that says why."""
    if not isinstance(rules, TwentyOneRules) or not wagers:
        return {}
    from cardroom.lab.correlation import left_out_with_primary

    return {wager: words for wager, words in left_out_with_primary(rules).items() if wager in wagers}


def with_main_wager(rules: TwentyOneRules, wagers: Sequence[str]) -> tuple[Correlation, ...]:
    """How side bets go together with the main wager, played by its best strategy."""
    if not wagers:
        return ()
    from cardroom.lab.correlation import with_primary

    solution = _solved(rules)
    return with_primary(solution, solution.figures().standard_deviation, rules, wagers, rounds=ROUNDS)
