"""The tables of a game and its counter laid out flat for the GPU: from node and card to the next node.

A node is a number: the place of a row in the table, the end of a hand, the dealer's final, a decision that
the count has a say in, or a split. Hands that go on alike whatever comes are one row. Cards that no table
tells apart, nor the count, are one kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.sim.twentyone.counter import BINS, HIGHEST, LOWEST
from cardroom.sim.twentyone.flat import FINALS, SPLIT_NODE, UPS, machine_sizes, on_deal
from cardroom.sim.twentyone.insurance import by_code, by_rank
from cardroom.sim.twentyone.sides import MOST_LINES
from cardroom.sim.twentyone.tables import SPLIT

if TYPE_CHECKING:
    from cardroom.sim.twentyone.counter import CountGame
    from cardroom.sim.twentyone.counter_job import CounterJob

_LARGEST_END: Final = 255
_MOST_KINDS: Final = 32
_LARGEST_COUNT: Final = 2**31 - 1


class Result(NamedTuple):
    """What a round with one hand brings, in units of `pay` and without the wager of the ramp."""

    won: int
    staked: int


@dataclass(frozen=True, eq=False)
class FlatCounter:
    """A game and its counter as the kernel plays them."""

    sizes: dict[str, int]
    """Constants that the kernel is compiled with."""
    arrays: dict[str, NDArray[Any]]
    numbers: dict[str, int]
    results: list[Result]


def flatten_counter(job: CounterJob) -> FlatCounter:
    """The flat tables of a simulation with a counter."""
    if job.rules.hole_card != "dealt":
        raise MalformedInput(
            "the GPU counts only where the dealer has a hole card face down and looks at it (hole_card); "
            "use the backend cpu"
        )
    game, cards = job.prepared.game, job.prepared.cards
    if not on_deal(game):
        raise MalformedInput("side bets on a whole hand are not counted on the GPU; use the backend cpu")
    most = abs(game.start) + int(np.abs(game.tags[cards]).sum())
    if most > _LARGEST_COUNT:
        raise MalformedInput("this count has too many parts for the GPU; use the backend cpu")
    return _Flattener(job, game, cards).flat()


def kinds_of(game: CountGame) -> tuple[NDArray[np.uint8], list[int]]:
    """Cards that nothing tells apart but their suits: the kind of each, and an example of each."""
    sides = len(game.side_from) > 0
    columns: list[NDArray[Any]] = [
        np.arange(52) % 13 if sides else np.zeros(52, np.int64),
        game.tags,
        game.next.T,
        game.pairs,
        game.pairs.T,
        game.split_hand,
        game.looked,
        game.looked.T,
        game.insurable,
        game.insurable.T,
        by_rank(game.insurance) if game.insure_from <= HIGHEST else np.zeros(52, np.int64),
        game.dealer_start.T,
        game.dealer_take.T,
        game.value_of,
    ]
    table = np.concatenate([column.reshape(52, -1).astype(np.int64) for column in columns], axis=1)
    _, examples, kind_of = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return kind_of.reshape(-1).astype(np.uint8), [int(card) for card in examples]


class _Flattener:
    """Nodes are first made as tuples, so that those that go on alike are one, and numbered at the end."""

    def __init__(self, job: CounterJob, game: CountGame, cards: NDArray[np.uint8]) -> None:
        self.job, self.game, self.cards = job, game, cards
        self.kind_of, self.examples = kinds_of(game)
        self.kinds = len(self.examples)
        self.rows: dict[tuple[int, ...], int] = {}
        """Nodes after each kind → number of the row."""
        self.decisions: dict[tuple[int, ...], int] = {}
        """Nodes by band of counts → number of the decision."""
        self.after: dict[tuple[int, int, bool], int] = {}
        ends = len(game.pay)
        order = sorted(range(ends), key=lambda end: not game.needs_dealer[end])
        self.end_place = {end: place for place, end in enumerate(order)}
        self.order = order
        if ends > _LARGEST_END or self.kinds > _MOST_KINDS:
            raise MalformedInput("this game is too large for the GPU's tables; use the backend cpu")

    # While nodes are made: a row is its number times 8, an end that and 1, a decision 2, a final 3.
    def _node(self, state: int, up: int, *, counts: bool) -> int:
        """The node of a hand in a state, before its decision."""
        key = (state, up, counts)
        if key not in self.after:
            decide = self.game.decide[:, state, up]
            if counts and self.game.deviates[state, up]:
                by_band = tuple(self._point(int(point), up, counts=counts) for point in decide[1:])
                if len(set(by_band)) == 1:
                    self.after[key] = by_band[0]
                else:
                    self.after[key] = self.decisions.setdefault(by_band, len(self.decisions)) * 8 + 2
            else:
                self.after[key] = self._point(int(decide[0]), up, counts=counts)
        return self.after[key]

    def _point(self, point: int, up: int, *, counts: bool) -> int:
        """The node of a hand after its decision."""
        game = self.game
        if point == SPLIT:
            return SPLIT
        if point >= game.first_end:
            return self.end_place[point - game.first_end] * 8 + 1
        row = tuple(self._node(int(game.next[point, card]), up, counts=counts) for card in self.examples)
        return self.rows.setdefault(row, len(self.rows)) * 8

    def _dealer(self, hand: int) -> int:
        if hand < 0:
            return (-1 - hand) * 8 + 3
        row = tuple(self._dealer(int(hand)) for hand in self.game.dealer_take[hand, self.examples])
        return self.rows.setdefault(row, len(self.rows)) * 8

    def flat(self) -> FlatCounter:
        game, examples = self.game, self.examples
        grid = np.ix_(examples, examples)
        deals = [
            self._nodes(game.pairs[grid], counts=True),
            self._nodes(game.pairs[grid], counts=False),
        ]
        again = game.next[game.split_hand[examples][:, None], examples]
        splits = [
            self._nodes(states, counts=counts)
            for counts in (False, True)
            for states in (game.unpaired[again], again)
        ]
        dealers = np.array(
            [[self._dealer(int(game.dealer_start[up, card])) for card in examples] for up in range(UPS)]
        )
        first_end = len(self.rows) * self.kinds
        final = first_end + len(game.pay)
        decides = final + FINALS
        if decides + len(self.decisions) >= SPLIT_NODE:
            raise MalformedInput("this game is too large for the GPU's tables; use the backend cpu")
        firsts = (0, first_end, decides, final)

        def numbered(nodes: Any) -> NDArray[np.uint16]:
            made = np.array(nodes, np.int64)
            sort, place = np.maximum(made, 0) & 7, np.maximum(made, 0) >> 3
            number = np.array(firsts)[sort] + place * np.where(sort, 1, self.kinds)
            return np.where(made == SPLIT, SPLIT_NODE, number).astype(np.uint16)

        results = sorted(
            {Result(int(won), int(game.stake[end])) for end, row in enumerate(game.pay) for won in row}
        )
        if len(results) > _LARGEST_END:
            raise MalformedInput("this game is too large for the GPU's tables; use the backend cpu")
        place = {result: number for number, result in enumerate(results)}
        result_of = [
            [place[Result(int(won), int(game.stake[end]))] for won in game.pay[end]] for end in self.order
        ]
        bands = game.decide.shape[0] - 1
        code_of = self.kind_of | (np.arange(52) // 13 << 5).astype(np.uint8)
        card_of = np.zeros(256, np.uint8)
        card_of[code_of] = np.arange(52)
        looked = np.vectorize(self.end_place.__getitem__)(game.looked[grid])
        arrays: dict[str, NDArray[Any]] = {
            "next": numbered(list(self.rows)),
            "deal": numbered(deals[0]),
            "dealer_first": numbered(dealers),
            "result": np.array(result_of, np.uint8),
            "tags": game.tags[examples].astype(np.int32),
            "inverse": game.inverse,
            "value_of": game.value_of[examples],
            "cards": code_of[self.cards],
            "others_deal": numbered(deals[1]),
            "split_deal": numbered(splits),
            "decided": numbered(list(self.decisions) or [[0] * bands]),
            "looked": looked.astype(np.uint8),
            "insurable": game.insurable[grid].astype(np.uint8),
            "row_of": (game.row_of - 1).astype(np.uint8),
            "pay": game.pay[self.order].astype(np.int32),
            "stake": game.stake[self.order].astype(np.int32),
            "ramp": game.ramp.astype(np.int32),
            "card_of": card_of,
            "lines_of_three": game.lines_of_three,
            "third_is_hole": game.third_is_hole.astype(np.uint8),
            "lines_of_four": game.lines_of_four,
            "machine_start": game.machine_start,
            "machine_take": game.machine_take,
            "machine_line": game.machine_line,
            "side_from": np.append(game.side_from, min(game.side_from, default=0)).astype(np.int32),
            "side_nets": game.side_nets,
            "insurance": by_code(game.insurance, code_of),
        }
        return FlatCounter(
            self._sizes(first_end, final, decides, len(results), bands),
            {name: np.ascontiguousarray(array) for name, array in arrays.items()},
            self._numbers(),
            results,
        )

    def _nodes(self, states: NDArray[np.int16], *, counts: bool) -> list[list[list[int]]]:
        """[first kind, second kind, up value]"""
        return [
            [[self._node(int(state), up, counts=counts) for up in range(UPS)] for state in row]
            for row in states
        ]

    def _sizes(self, first_end: int, final: int, decides: int, results: int, bands: int) -> dict[str, int]:
        game, job = self.game, self.job
        return {
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
            "BANDS": bands,
            "SPLIT": SPLIT_NODE,
            "MAX_HANDS": game.max_hands,
            "RESULT_KINDS": results,
            "BINS": BINS,
            "LOWEST": LOWEST,
            "HIGHEST": HIGHEST,
            "ROUNDING": game.rounding,
            "SPOTS": job.spots,
            "OTHERS": job.others,
            "INSURES": int(job.insure_from <= HIGHEST),
            "COVERS": int(game.cover > 0),
            "SIDES_OF_THREE": len(game.lines_of_three),
            "SIDES_OF_FOUR": len(game.lines_of_four),
            **machine_sizes(game),
            "LINES": MOST_LINES,
        }

    def _numbers(self) -> dict[str, int]:
        game = self.game
        cut, rounds_per_shoe, burn = (int(number) for number in game.plan)
        return {
            "cut": cut,
            "rounds_per_shoe": rounds_per_shoe,
            "burn": burn,
            "start": game.start,
            "enter": game.enter,
            "leave": game.leave,
            "insure_from": game.insure_from,
            "parts": game.parts,
            "cover": game.cover,
        }
