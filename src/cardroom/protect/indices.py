"""Index numbers: at which count each deviation from basic strategy begins to pay, and what it gains.

Two methods side by side. *Exact values*: shoes are drawn at random depths so that all counts are there alike,
each is solved with basic strategy kept, and the value of the deviation is followed by the count (a straight
line through the shoes near the crossing; what the other cards say by the linear rule is taken out, so that
few shoes are enough). *Linear rule*: from the effects of removal on the difference of the
two actions, a single solution for each rank.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.cards import CARDS, Rank
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.sidebets import insurance_figures
from cardroom.exact.twentyone import Solution, solve
from cardroom.model.twentyone.automaton import ACTIONS, START, Automaton
from cardroom.model.twentyone.chart_rows import UP_CARDS, UP_COLUMNS, hand_words
from cardroom.model.twentyone.columns import UP_CARD, columns_of
from cardroom.model.twentyone.strategy import Strategy
from cardroom.protect.counts import Count
from cardroom.protect.deviations import Deviation
from cardroom.protect.habits import Counter
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action
from cardroom.sim.run import Run
from cardroom.sim.shoe_draws import ShoeDraws
from cardroom.sim.twentyone.counter_job import Reckoning
from cardroom.sim.twentyone.dealing import Dealing

Floats = NDArray[np.float64]
Progress = Callable[[int, int], None]

LOWEST: Final = -6
HIGHEST: Final = 8
"""Counts of the shoes that are drawn, and of the indices that are told."""
_NEAR: Final = 3.5
"""The line is laid through shoes whose count is so near to the crossing."""
_LEAST_NEAR: Final = 8
_HALF: Final = 0.5
_ROUNDS: Final = 1 << 20
"""From which the shares of the counts are known."""
INSURANCE: Final = "insurance"


@dataclass(frozen=True, slots=True)
class Cell:
    """A hand against an up card, and something else to do with it than basic strategy does."""

    hand: str
    up: str
    action: Action
    instead_of: Action
    states: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Index:
    """One deviation."""

    cell: Cell | None
    """None for insurance."""
    crossing: float
    """The true count, not rounded, at which it is worth nothing."""
    error: float
    """The standard error of the crossing, from how shoes of one count differ."""
    linear: float
    """The crossing by the linear rule."""
    slope: float
    """What a count more is worth, for a unit wagered."""
    gain: float
    """Units for 100 rounds of a unit each, played from the index on and at no other count."""

    @property
    def count(self) -> int:
        """For a count that is rounded down: its middle lies half a count higher."""
        return math.ceil(self.crossing - _HALF)

    @property
    def linear_count(self) -> int:
        return math.ceil(self.linear - _HALF)

    @property
    def below(self) -> bool:
        return self.slope < 0

    @property
    def deviation(self) -> Deviation | None:
        """As a counter plays it; None for insurance."""
        if self.cell is None:
            return None
        return Deviation(self.cell.hand, self.cell.up, self.cell.action, self.count, self.below)

    def __str__(self) -> str:
        return f"insurance from {self.count}" if self.cell is None else str(self.deviation)

    def to_json(self) -> dict[str, Any]:
        cell = self.cell
        return {
            "hand": None if cell is None else cell.hand,
            "up_card": "A" if cell is None else cell.up,
            "action": INSURANCE if cell is None else str(cell.action),
            "instead_of": None if cell is None else str(cell.instead_of),
            "pays": "below" if self.below else "from",
            "index": self.count,
            "crossing": self.crossing,
            "crossing_standard_error": self.error,
            "linear_index": self.linear_count,
            "linear_crossing": self.linear,
            "value_of_a_count": self.slope,
            "gain_per_100_rounds": self.gain,
        }


def find_indices(
    rules: TwentyOneRules,
    count: Count,
    *,
    shoes: int = 60,
    seed: int = 1,
    progress: Progress | None = None,
) -> list[Index]:
    """Every deviation whose index is among the counts looked at, what gains most first.

    With `progress` somebody looks on: Ctrl-C then ends it early, with the shoes that were solved until then.
    """
    return Search(rules, count, shoes, seed, progress).indices()


@dataclass(frozen=True, slots=True)
class LineRule:
    """What a count says of each deviation by the linear rule; the last is insurance."""

    tag_sums: Floats
    """What hand and up card add to the running count."""
    dealt: NDArray[np.int64]
    """How many cards they are."""
    crossing: Floats
    slope: Floats

    def value(self, counts: Floats) -> Floats:
        """At counts, each with the hand and the up card seen; nothing where it is not known."""
        with np.errstate(invalid="ignore"):
            return np.nan_to_num(self.slope * (counts - self.crossing))


class Search:
    """Every deviation of a game, and what a count says of it."""

    def __init__(
        self,
        rules: TwentyOneRules,
        count: Count,
        shoes: int = 2 * (HIGHEST - LOWEST + 1),
        seed: int = 1,
        progress: Progress | None = None,
    ) -> None:
        if shoes < 2 * (HIGHEST - LOWEST + 1):
            raise MalformedInput(f"{shoes} shoes are too few; it takes {2 * (HIGHEST - LOWEST + 1)} or more")
        if columns_of(rules) is not UP_CARD:
            raise MalformedInput(
                "index numbers are by the up card; at this table both dealer's cards are seen"
            )
        self.rules, self.number, self.seed, self.progress = rules, shoes, seed, progress
        self.counter = Counter(count)
        self.reckoning: Reckoning = self.counter.reckoning(rules)
        self.tags = np.array([float(tag) for tag in self.reckoning.tags])
        self.full = rules.shoe()
        assert rules.decks != "infinite"
        self.deck_size = self.full.total // rules.decks
        solution = solve(rules, "basic")
        self.basic: Strategy = solution.strategy
        self.cells = list(_cells(self.basic))
        self.cells_of = {
            up: [(place, cell) for place, cell in enumerate(self.cells) if cell.up == up] for up in UP_CARDS
        }

    def lines(self, tags: Sequence[Floats]) -> list[LineRule]:
        """By the linear rule, for counts with these tags of the 52 cards."""
        base = self._values(self.full)
        effects = self._effects(base)
        return [self._line(one, base, effects) for one in tags]

    def _line(self, tags: Floats, base: Floats, effects: Floats) -> LineRule:
        ace = next(card for card in CARDS if card.value == 1)
        tag_sums = np.array([*self._tags_on_the_table(tags), tags[ace.index]])
        dealt = np.array([3] * len(self.cells) + [1])
        at_start = tag_sums * self.deck_size / (self.full.total - dealt)
        slopes = self._slopes(tags, effects)
        with np.errstate(divide="ignore", invalid="ignore"):
            return LineRule(tag_sums, dealt, at_start - base / slopes, slopes)

    def counts_in(self, shoe: CardCounts, line: LineRule) -> Floats:
        """Of what is left of a shoe, by this search's count: for each deviation its cards seen."""
        running = -float(np.array(shoe.counts) @ self.tags)  # what is seen and what is not add up to nothing
        counts: Floats = (running + line.tag_sums) * self.deck_size / (shoe.total - line.dealt)
        return counts

    def indices(self) -> list[Index]:
        base = self._values(self.full)
        effects = self._effects(base)
        rule = self._line(self.tags, base, effects)
        tag_sums, dealt, linear, slopes = rule.tag_sums, rule.dealt, rule.crossing, rule.slope
        shoes = list(self._drawn())
        counts = np.array(
            [
                (shoe_count * shoe.total + tag_sums * self.deck_size) / (shoe.total - dealt)
                for shoe_count, shoe in shoes
            ]
        )
        values = np.array(self._solved([shoe for _, shoe in shoes]))
        counts, shoes = counts[: len(values)], shoes[: len(values)]  # fewer where somebody interrupted
        values -= [self._beside(shoe, shoe_count, effects, slopes) for shoe_count, shoe in shoes]
        shares = self._shares()
        chances = self._chances()
        indices = []
        for place in range(len(self.cells) + 1):
            if not (LOWEST - 3 < linear[place] < HIGHEST + 3):
                continue
            line = _crossing(counts[:, place], values[:, place])
            if line is None or not (LOWEST <= line[0] <= HIGHEST) or line[2] * slopes[place] <= 0:
                continue
            crossing, error, slope = line
            cell = None if place == len(self.cells) else self.cells[place]
            if cell is None and not self.rules.insurance.offered:
                continue
            index = Index(cell, crossing, error, float(linear[place]), slope, 0.0)
            gain = 0.0
            for number, share in shares.items():
                deviates = number < index.count if index.below else number >= index.count
                if deviates:
                    gain += share * chances[place] * slope * (number + _HALF - crossing)
            indices.append(Index(cell, crossing, error, float(linear[place]), slope, 100 * gain))
        return sorted(indices, key=lambda one: -one.gain)

    def _values(self, shoe: CardCounts) -> Floats:
        """What each deviation is worth more than basic strategy from a shoe, and insurance, for a unit."""
        solution = solve(self.rules, self.basic, shoe=shoe)
        by_up = {column: against(solution, column + 1) for column in range(len(UP_COLUMNS))}
        result = np.full(len(self.cells) + 1, np.nan)
        for place, cell in enumerate(self.cells):
            column = UP_COLUMNS[UP_CARDS.index(cell.up)]
            of_column = by_up[column]
            if of_column is None:
                continue
            values, chances = of_column
            states = list(cell.states)
            one, other = (ACTIONS.index(action) for action in (cell.action, cell.instead_of))
            weights = chances[states]
            differences = values[states, one] - values[states, other]
            known = ~np.isnan(differences) & (weights > 0)
            if known.any():
                result[place] = float(np.average(differences[known], weights=weights[known]))
        if self.rules.insurance.offered and shoe.of_rank(Rank.ACE):
            result[-1] = float(insurance_figures(self.rules, shoe=shoe).expected_value) / 2
        return result

    def _solved(self, shoes: Sequence[CardCounts]) -> list[Floats]:
        tables: list[Floats] = []
        with ThreadPoolExecutor() as threads:
            try:
                for done, values in enumerate(threads.map(self._values, shoes), 1):
                    tables.append(values)
                    if self.progress is not None:
                        self.progress(done, len(shoes))
            except KeyboardInterrupt:
                threads.shutdown(wait=False, cancel_futures=True)
                if self.progress is None or len(tables) < _LEAST_NEAR:
                    raise
        return tables

    def _effects(self, base: Floats) -> Floats:
        """[value of a card less 1, cell]: what a card less changes."""
        effects = np.zeros((10, len(base)))
        for value in range(10):
            card = next((card for card in CARDS if card.value == value + 1 and self.full[card]), None)
            if card is not None:
                effects[value] = self._values(self.full.without([card])) - base
        return effects

    def _slopes(self, of_cards: Floats, effects: Floats) -> Floats:
        """[cell]: what a true count is worth.

        A true count is a tag for each deck not seen: the effects per deck, as far as the tags go with them.
        """
        assert self.rules.decks != "infinite"
        number, tags = self._by_value(np.array(self.full.counts)) / self.rules.decks, np.zeros(10)
        for value in range(10):
            card = next((card for card in CARDS if card.value == value + 1 and self.full[card]), None)
            if card is not None:
                tags[value] = of_cards[card.index]
        slopes: Floats = self.rules.decks * ((number * tags) @ effects) / float(number @ tags**2)
        return slopes

    def _by_value(self, counts: NDArray[np.int64]) -> Floats:
        """How many cards of each value, ace to ten."""
        values = np.array([card.value - 1 for card in CARDS])
        return np.asarray(np.bincount(values, counts, 10), np.float64)

    def _beside(self, shoe: CardCounts, count: float, effects: Floats, slopes: Floats) -> Floats:
        """What the cards that are left say beyond the count, by the linear rule: nothing on average."""
        full, left = self._by_value(np.array(self.full.counts)), self._by_value(np.array(shoe.counts))
        missing = full / self.full.total * shoe.total - left
        estimate: Floats = (missing @ effects) * self.full.total / shoe.total - slopes * count
        return estimate

    def _drawn(self) -> Iterator[tuple[float, CardCounts]]:
        """Shoes at random depths, as many of each count; each with its true count."""
        draws = ShoeDraws(self.seed)
        behind = Dealing.house(self.rules).cut_cards
        assert behind is not None
        each = -(-self.number // (HIGHEST - LOWEST + 1))
        wanted = dict.fromkeys(range(LOWEST, HIGHEST + 1), each)
        for _ in range(_MOST_DRAWS):
            unseen = draws.number(max(behind, self.deck_size // 2), 3 * self.full.total // 4)
            drawn = draws.left(self.full.counts, unseen, 64)
            running = -(drawn @ self.tags)  # what is seen and what is not add up to nothing
            for counts, number in zip(drawn, running * self.deck_size / unseen, strict=True):
                place = math.floor(number)
                if wanted.get(place, 0):
                    wanted[place] -= 1
                    yield float(number), CardCounts(tuple(int(one) for one in counts))
            if not any(wanted.values()):
                return

    def _tags_on_the_table(self, tags: Floats) -> list[float]:
        """What the hand and the up card of each cell add to the running count, two cards as they come."""
        by_value = {card.value: float(tags[card.index]) for card in CARDS if self.full[card]}
        pairs = self.basic.automaton.next[self.basic.automaton.next[START]]
        counts = np.array(self.full.counts, np.float64)
        weights = np.bincount(pairs.ravel(), np.outer(counts, counts).ravel(), len(self.basic.automaton.may))
        sums = np.bincount(
            pairs.ravel(),
            (np.outer(counts, counts) * (tags[:, None] + tags)).ravel(),
            len(self.basic.automaton.may),
        )
        result = []
        for cell in self.cells:
            states, up = list(cell.states), UP_COLUMNS[UP_CARDS.index(cell.up)] + 1
            whole = weights[states].sum()
            hand = float(sums[states].sum() / whole) if whole else 0.0
            result.append(hand + by_value.get(up, 0.0))
        return result

    def _shares(self) -> dict[int, float]:
        job = self.counter.job(self.rules, seed=self.seed, most_units=1)
        added = Run(_ROUNDS).of(job)
        seen = job.sums(added.tally).bins[:, 0]
        from cardroom.sim.twentyone.counter import LOWEST as FIRST

        return {place + FIRST: int(number) / added.rounds for place, number in enumerate(seen) if number}

    def _chances(self) -> Floats:
        """How often each deviation is asked for, in a round from the full shoe."""
        solution = solve(self.rules, self.basic)
        result = np.zeros(len(self.cells) + 1)
        ups = {int(solution.solver.shoe.values[one.seen.up]): 0.0 for one in solution.up_cards}
        for one in solution.up_cards:
            ups[int(solution.solver.shoe.values[one.seen.up])] += one.chance
        for place, cell in enumerate(self.cells):
            value = UP_COLUMNS[UP_CARDS.index(cell.up)] + 1
            if value in ups:
                result[place] = ups[value] * float(solution.state_chances(value)[list(cell.states)].sum())
        result[-1] = ups.get(1, 0.0)
        return result


_MOST_DRAWS: Final = 4000


def against(solution: Solution, value: int) -> tuple[Floats, Floats] | None:
    """Values of actions and chances of states against an up card; None where none is left of it."""
    try:
        return solution.state_values(value), solution.state_chances(value)
    except StopIteration:
        return None


def _cells(basic: Strategy) -> Iterator[Cell]:
    """Every hand of a chart with every up card and everything else that may be done with it."""
    automaton: Automaton = basic.automaton
    groups: dict[str, set[int]] = {}
    for hand, state in automaton.numbered.items():
        if hand.cards > 1 and not hand.doubles and automaton.may[state] and not hand.split_ace:
            groups.setdefault(hand_words(automaton, hand, state), set()).add(state)
    for words, states in groups.items():
        for up in UP_CARDS:
            column = UP_COLUMNS[UP_CARDS.index(up)]
            for action in (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER):
                number = ACTIONS.index(action)
                played: dict[Action, list[int]] = {}
                for state in sorted(states):
                    own = int(basic.action[state, column])
                    if own >= 0 and own != number and automaton.may[state] >> number & 1:
                        played.setdefault(ACTIONS[own], []).append(state)
                for instead_of, some in played.items():
                    yield Cell(words, up, action, instead_of, tuple(some))


def _crossing(counts: Floats, values: Floats) -> tuple[float, float, float] | None:
    """Where a line through the shoes crosses nothing, the error of that, and the slope."""
    known = ~np.isnan(values)
    counts, values = counts[known], values[known]
    if len(counts) < _LEAST_NEAR:
        return None
    slope, height = np.polyfit(counts, values, 1)
    if not slope:
        return None
    near = np.abs(counts + height / slope) < _NEAR
    if near.sum() >= _LEAST_NEAR:
        counts, values = counts[near], values[near]
        slope, height = np.polyfit(counts, values, 1)
        if not slope:
            return None
    crossing = -height / slope
    residuals = values - slope * counts - height
    deviation = math.sqrt(float(residuals @ residuals) / max(1, len(counts) - 2))
    spread = float(((counts - counts.mean()) ** 2).sum())
    at = math.sqrt(1 / len(counts) + (crossing - counts.mean()) ** 2 / spread) if spread else math.inf
    return float(crossing), deviation * at / abs(slope), float(slope)
