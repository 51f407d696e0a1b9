"""The tables of a game that counters play laid out flat for the GPU: from node and card to the next node.

A node is a number: the place of a row in the table, the end of a hand, the dealer's final, a decision that
the count has a say in, or a split. Hands that go on alike whatever comes are one row, whoever plays them.
Cards that no table tells apart, nor a count but by their suits, are one kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.sim.twentyone.counted_round import BINS, HIGHEST, LOWEST
from cardroom.sim.twentyone.flat import FINALS, SPLIT_NODE, machine_sizes
from cardroom.sim.twentyone.insurance import by_code, by_rank
from cardroom.sim.twentyone.side_machines import DRAW
from cardroom.sim.twentyone.sides import MOST_LINES
from cardroom.sim.twentyone.tables import SPLIT

if TYPE_CHECKING:
    from cardroom.sim.twentyone.counter import CountGame
    from cardroom.sim.twentyone.team_tables import TeamGame

_LARGEST_END: Final = 255
_MOST_KINDS: Final = 32
_LARGEST_COUNT: Final = 2**31 - 1
_TOO_LARGE: Final = "this game is too large for the GPU's tables; use the backend cpu"


class Result(NamedTuple):
    """What a round with one hand brings, in units of `pay` and without the wager of the ramp."""

    won: int
    staked: int


@dataclass(frozen=True, eq=False)
class FlatCounter:
    """A game and its counters as a kernel plays them."""

    sizes: dict[str, int]
    """Constants that the kernel is compiled with."""
    arrays: dict[str, NDArray[Any]]
    numbers: dict[str, int]
    """Of the kernel's `Tables`, in their order."""
    results: list[Result]
    lists: Mapping[str, str]
    """Constants of which there are several, as the kernel's text has them."""


def require_small_counts(start: int, tags: NDArray[np.int64]) -> None:
    """Refuse a running count that may leave 32 bits; `tags` are those of the cards of a shoe."""
    if 2 * (abs(start) + int(np.abs(tags).sum())) > _LARGEST_COUNT:
        raise MalformedInput("this count has too many parts for the GPU; use the backend cpu")


def kinds_of(
    game: CountGame | TeamGame, tags: NDArray[np.int64], *, insures: bool
) -> tuple[NDArray[np.uint8], list[int]]:
    """Cards that nothing tells apart but their suits: the kind of each, and an example of each."""
    sides = machine_sizes(game)["SIDES"] > 0
    columns: list[NDArray[Any]] = [
        np.arange(52) % 13 if sides else np.zeros(52, np.int64),
        tags,
        game.next.T,
        game.pairs,
        game.pairs.T,
        game.split_hand,
        game.looked,
        game.looked.T,
        game.insurable,
        game.insurable.T,
        by_rank(game.insurance) if insures else np.zeros(52, np.int64),
        game.dealer_start.T,
        game.dealer_take.T,
        game.column_of.T,
        game.value_of,
    ]
    table = np.concatenate([column.reshape(52, -1).astype(np.int64) for column in columns], axis=1)
    _, examples, kind_of = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return kind_of.reshape(-1).astype(np.uint8), [int(card) for card in examples]


class Flattener:
    """Nodes are first made as tuples, so that those that go on alike are one, and numbered at the end."""

    def __init__(
        self,
        game: CountGame | TeamGame,
        cards: NDArray[np.uint8],
        tags: NDArray[np.int64],
        bands: Sequence[int],
        *,
        insures: bool,
    ) -> None:
        """`bands` are the rows of `decide` of each counter, behind that of whoever does not count."""
        self.game, self.cards = game, cards
        self.kind_of, self.examples = kinds_of(game, tags, insures=insures)
        self.kinds = len(self.examples)
        self.code_of = self.kind_of | (np.arange(52) // 13 << 5).astype(np.uint8)
        self.columns = game.decide.shape[2]
        firsts = np.cumsum([1, *bands]).tolist()
        self.rows_of = [slice(0, 1), *(slice(*rows) for rows in pairwise(firsts))]
        """Of each player, the first being those who do not count."""
        self.bands = max(bands)
        self.rows: dict[tuple[int, ...], int] = {}
        """Nodes after each kind → number of the row."""
        self.decisions: dict[tuple[int, ...], int] = {}
        """Nodes by band of counts → number of the decision."""
        self.after: dict[tuple[int, int, int], int] = {}
        ends = len(game.pay)
        order = sorted(range(ends), key=lambda end: not game.needs_dealer[end])
        self.end_place = {end: place for place, end in enumerate(order)}
        self.order = order
        if ends > _LARGEST_END or self.kinds > _MOST_KINDS:
            raise MalformedInput(_TOO_LARGE)

    # While nodes are made: a row is its number times 8, an end that and 1, a decision 2, a final 3.
    def _node(self, state: int, column: int, player: int) -> int:
        """The node of a hand in a state, before its decision."""
        key = (state, column, player)
        if key not in self.after:
            decide = self.game.decide[self.rows_of[player], state, column]
            if self.game.deviates[state, column]:
                nodes = {int(point): self._point(int(point), column, player) for point in np.unique(decide)}
                by_band = tuple(nodes[int(point)] for point in decide)
                if len(set(by_band)) == 1:
                    self.after[key] = by_band[0]
                else:
                    by_band += by_band[-1:] * (self.bands - len(by_band))
                    self.after[key] = self.decisions.setdefault(by_band, len(self.decisions)) * 8 + 2
            else:
                self.after[key] = self._point(int(decide[0]), column, player)
        return self.after[key]

    def _point(self, point: int, column: int, player: int) -> int:
        """The node of a hand after its decision."""
        game = self.game
        if point == SPLIT:
            return SPLIT
        if point >= game.first_end:
            return self.end_place[point - game.first_end] * 8 + 1
        row = tuple(self._node(int(game.next[point, card]), column, player) for card in self.examples)
        return self.rows.setdefault(row, len(self.rows)) * 8

    def _dealer(self, hand: int) -> int:
        if hand < 0:
            return (-1 - hand) * 8 + 3
        row = tuple(self._dealer(int(hand)) for hand in self.game.dealer_take[hand, self.examples])
        return self.rows.setdefault(row, len(self.rows)) * 8

    def _nodes(self, states: NDArray[np.int16], player: int) -> list[list[list[int]]]:
        """[first kind, second kind, column]"""
        return [
            [[self._node(int(state), column, player) for column in range(self.columns)] for state in row]
            for row in states
        ]

    def _dealers(self) -> list[list[int]]:
        """[up value, hole kind]: the dealer's hand; without a hole card, whatever the kind."""
        game = self.game
        if not game.has_hole:
            return [[self._dealer(int(hand))] * self.kinds for hand in game.dealer_alone]
        return [[self._dealer(int(hand)) for hand in row] for row in game.dealer_start[:, self.examples]]

    def _results(self) -> tuple[list[Result], NDArray[np.uint8]]:
        """All that differ, and [end, dealer's final]: the number of each."""
        game = self.game
        results = sorted(
            {Result(int(won), int(game.stake[end])) for end, row in enumerate(game.pay) for won in row}
        )
        if len(results) > _LARGEST_END:
            raise MalformedInput(_TOO_LARGE)
        place = {result: number for number, result in enumerate(results)}
        numbers = [
            [place[Result(int(won), int(game.stake[end]))] for won in game.pay[end]] for end in self.order
        ]
        return results, np.array(numbers, np.uint8)

    def flat(
        self,
        arrays: Mapping[str, NDArray[Any]],
        sizes: Mapping[str, int],
        numbers: Mapping[str, int],
        lists: Mapping[str, str] | None = None,
    ) -> FlatCounter:
        """The tables of the game, with those of its counters put to them."""
        game, examples = self.game, self.examples
        grid = np.ix_(examples, examples)
        players = range(len(self.rows_of))
        deals = [self._nodes(game.pairs[grid], player) for player in players]
        again = game.next[game.split_hand[examples][:, None], examples]
        splits = [
            [self._nodes(states, player) for states in (game.unpaired[again], again)] for player in players
        ]
        dealers = self._dealers()
        first_end = len(self.rows) * self.kinds
        final = first_end + len(game.pay)
        decides = final + FINALS
        if decides + len(self.decisions) >= SPLIT_NODE:
            raise MalformedInput(_TOO_LARGE)
        firsts = (0, first_end, decides, final)

        def numbered(nodes: Any) -> NDArray[np.uint16]:
            made = np.array(nodes, np.int64)
            sort, place = np.maximum(made, 0) & 7, np.maximum(made, 0) >> 3
            number = np.array(firsts)[sort] + place * np.where(sort, 1, self.kinds)
            return np.where(made == SPLIT, SPLIT_NODE, number).astype(np.uint16)

        results, result_of = self._results()
        card_of = np.zeros(256, np.uint8)
        card_of[self.code_of] = np.arange(52)
        common: dict[str, NDArray[Any]] = {
            "next": numbered(list(self.rows)),
            "deal": numbered(deals),
            "dealer_first": numbered(dealers),
            "result": result_of,
            "value_of": game.value_of[examples],
            "cards": self.code_of[self.cards],
            "split_deal": numbered(splits),
            "decided": numbered(list(self.decisions) or [[0] * self.bands]),
            "looked": np.vectorize(self.end_place.__getitem__)(game.looked[grid]).astype(np.uint8),
            "insurable": game.insurable[grid].astype(np.uint8),
            "column_of": game.column_of[:, examples].astype(np.uint8),
            "pay": game.pay[self.order].astype(np.int32),
            "stake": game.stake[self.order].astype(np.int32),
            "card_of": card_of,
            "lines_of_three": game.lines_of_three,
            "third_is_hole": game.third_is_hole.astype(np.uint8),
            "lines_of_four": game.lines_of_four,
            "machine_start": game.machine_start,
            "machine_take": game.machine_take,
            "machine_line": game.machine_line,
            "insurance": by_code(game.insurance, self.code_of),
        }
        common_sizes = {
            "CARDS": len(self.cards),
            "INFINITE": 0,
            "KINDS": self.kinds,
            "ROWS": len(self.rows),
            "ENDS": first_end,
            "HAND_ENDS": len(game.pay),
            "SETTLED": first_end + int(game.needs_dealer.sum()),
            "FINAL": final,
            "DECIDES": decides,
            "DECISIONS": len(self.decisions),
            "BANDS": self.bands,
            "SPLIT": SPLIT_NODE,
            "COLUMNS": self.columns,
            "HOLE": int(game.has_hole),
            "LOOKS": int(game.looks),
            "SEES_BOTH": int(game.sees_both),
            "ORIGINAL": int(game.original_only),
            "MAX_HANDS": game.max_hands,
            "RESULT_KINDS": len(results),
            "BINS": BINS,
            "LOWEST": LOWEST,
            "HIGHEST": HIGHEST,
            "SIDES_OF_THREE": len(game.lines_of_three),
            "SIDES_OF_FOUR": len(game.lines_of_four),
            **machine_sizes(game),
            "DRAW_PLACE": DRAW,
            "PLAYS_DEALER": int(game.plays_dealer),
            "LINES": MOST_LINES,
        }
        return FlatCounter(
            {**common_sizes, **sizes},
            {name: np.ascontiguousarray(array) for name, array in {**common, **arrays}.items()},
            {**_plan_numbers(game), **numbers},
            results,
            lists or {},
        )


def _plan_numbers(game: CountGame | TeamGame) -> dict[str, int]:
    """When a shoe is shuffled, for a kernel."""
    cut, rounds_per_shoe, burn = (int(number) for number in game.plan)
    return {"cut": cut, "rounds_per_shoe": rounds_per_shoe, "burn": burn}
