"""The tables of a game laid out flat for the GPU: from node and card to the next node, deal and dealer too.

A node is a number: the place of a row in the table, the end of a hand, or a terminal, the result of a round.
Rows come in this order: the first card, the up card, the second card, the hole card, the player's hand, the
dealer's hand. Cards that no table tells apart are one kind. Without a hole card its rows are left out, and
the dealer's hand is entered with the up card alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import MalformedInput
from cardroom.sim.twentyone.insurance import by_code, by_rank
from cardroom.sim.twentyone.side_machines import DRAW, HOLE, UP

if TYPE_CHECKING:
    from cardroom.sim.twentyone.counter import CountGame
    from cardroom.sim.twentyone.kernel import Game
    from cardroom.sim.twentyone.team_tables import TeamGame

UPS: Final = 10
FINALS: Final = 8
SPLIT_NODE: Final = 0xFFFF
_SPLIT: Final = -1
_FINAL: Final = 1 << 20  # the dealer's final in a round with split hands, before terminals are numbered
_BLACKJACK: Final = 6
_DEALER_BLACKJACK: Final = -1 - _BLACKJACK
_LOOKED: Final = 1 << 21  # a terminal after the look, among points
_LARGEST_END: Final = 255
_LARGEST_PAY: Final = 2**15 - 1
_MOST_KINDS: Final = 32


class Result(NamedTuple):
    """What a terminal stands for, in the order of the kernel: a blackjack under an ace comes last."""

    insured: bool
    won: int
    staked: int
    super_bonus: tuple[bool, ...]
    """Whether it is won, by the value of the up card."""


@dataclass(frozen=True, eq=False)
class FlatGame:
    """A game as the kernel plays it."""

    sizes: dict[str, int]
    """Constants that the kernel is compiled with."""
    arrays: dict[str, NDArray[Any]]
    numbers: dict[str, int]
    results: list[Result]
    """Of each terminal."""


def flatten(game: Game, cards: NDArray[np.uint8], results: int, lines: int) -> FlatGame:
    """The flat tables; `cards` are those of a shoe, `results` the width of the tally of results."""
    if not on_deal(game):
        raise MalformedInput(
            "side bets on a whole hand, the dealer's or the player's, or on the player's third card, are not "
            "counted on the GPU; use the backend cpu, or no side bets"
        )
    # By both of the dealer's cards there are many more hands, and most of them go on alike.
    return _Flattener(merged(game) if game.sees_both else game, cards, results, lines).flat()


def on_deal(game: Game) -> bool:
    """Whether every side bet is decided by the first four cards."""
    states = np.arange(len(game.machine_line))[:, None, None]
    return bool((game.machine_take[:, DRAW:] == states).all())


def machine_sizes(game: Game | CountGame | TeamGame) -> dict[str, int]:
    """What a kernel is told of the side bets that it follows card by card, and how many bets there are."""
    bets = len(game.lines_of_three) + len(game.lines_of_four) + len(game.machine_start)
    return {
        "SIDES": bets,
        "MACHINE_PLACES": game.machine_take.shape[1],
        "UP_PLACE": UP,
        "HOLE_PLACE": HOLE,
    }


def merged(game: Game) -> Game:
    """The game with points that no cards tell apart made one."""
    label, classes = np.zeros(game.ends, np.int64), 0
    while True:
        known = np.concatenate([label, game.ends + np.arange(len(game.pay))])
        _, examples, label = np.unique(known[game.take], axis=0, return_index=True, return_inverse=True)
        label = label.reshape(-1)
        if len(examples) == classes:
            break
        classes = len(examples)
    number = np.concatenate([label, classes + np.arange(len(game.pay)), [_SPLIT]]).astype(np.int16)
    return game._replace(
        ends=classes,
        take=number[game.take[examples]],
        deal=number[game.deal],
        looked=number[game.looked],
        split_deal=number[game.split_deal],
    )


def kinds_of(game: Game) -> tuple[NDArray[np.uint8], list[int]]:
    """Cards that no table, nor a side bet by rank, tells apart: the kind of each, and an example of each."""
    sides = machine_sizes(game)["SIDES"] > 0
    columns: list[NDArray[Any]] = [
        np.arange(52) % 13 if sides else np.zeros(52, np.int64),
        by_rank(game.insured),
        game.take.T,
        game.deal,
        game.deal.swapaxes(0, 1),
        game.split_deal.swapaxes(0, 1),
        game.split_deal.transpose(2, 0, 1, 3),
        game.looked,
        game.looked.T,
        game.dealer_start.T,
        game.dealer_take.T,
    ]
    table = np.concatenate([column.reshape(52, -1) for column in columns], axis=1)
    _, examples, kind_of = np.unique(table, axis=0, return_index=True, return_inverse=True)
    return kind_of.reshape(-1).astype(np.uint8), [int(card) for card in examples]


class _Flattener:
    def __init__(self, game: Game, cards: NDArray[np.uint8], results: int, lines: int) -> None:
        self.game = game
        self.cards = cards
        self.results = results
        self.lines = lines
        self.kind_of, self.examples = kinds_of(game)
        self.kinds = len(self.examples)
        if np.abs(game.pay).max() > _LARGEST_PAY or len(game.pay) > _LARGEST_END or self.kinds > _MOST_KINDS:
            raise MalformedInput("this game is too large for the GPU's tables; use the backend cpu")
        self.terminals: dict[Result, int] = {}
        self.holes: dict[tuple[int, ...], int] = {}
        """The points by hole kind, or from _LOOKED on a blackjack's terminal → row of the hole card."""
        self.dealer_nodes: dict[tuple[int, int], int] = {}
        """(end, dealer's hand) → row of the dealer's; end `len(pay)` is a spot that was split."""

    def flat(self) -> FlatGame:
        game, kinds = self.game, self.kinds
        value = game.value_of[self.examples]
        first_hole = 1 + kinds + kinds * UPS
        after_second = self._after_second()
        first_point = first_hole + len(self.holes)
        first_dealer = first_point + game.ends
        holes = np.array([*self.holes], np.int64).reshape(len(self.holes), kinds)
        enter, dealer_rows = self._enter(), self._dealer_rows()
        rows = first_dealer + len(dealer_rows)
        first_end = rows * kinds
        first_terminal = first_end + len(game.pay)
        ordered = sorted(self.terminals)
        if first_terminal + len(ordered) + FINALS >= SPLIT_NODE:
            raise MalformedInput("this game is too large for the GPU's tables; use the backend cpu")
        place = {number: ordered.index(result) for result, number in self.terminals.items()}

        def point(number: int) -> int:
            if number == _SPLIT:
                return SPLIT_NODE
            return (first_point + number) * kinds if number < game.ends else first_end + number - game.ends

        def after(number: int) -> int:
            if number >= _FINAL:
                return first_terminal + len(ordered) + number - _FINAL
            return first_terminal + place[number] if number >= 0 else (first_dealer - 1 - number) * kinds

        def after_hole(number: int) -> int:
            return after(number - _LOOKED) if number >= _LOOKED else point(number)

        table = np.concatenate(
            [
                (1 + np.arange(kinds)[None]) * kinds,
                (1 + kinds + np.arange(kinds)[:, None] * UPS + value) * kinds,
                (first_hole + after_second) * kinds if game.has_hole else _mapped(point, after_second),
                _mapped(after_hole, holes),
                _mapped(point, game.take[:, self.examples]),
                _mapped(after, dealer_rows),
            ]
        ).astype(np.uint16)
        code_of = self.kind_of | (np.arange(52) // 13 << 5).astype(np.uint8)
        card_of = np.zeros(256, np.uint8)
        card_of[code_of] = np.arange(52)
        arrays = {
            "next": table,
            "enter": _mapped(after, enter),
            "split_deal": _mapped(point, game.split_deal[np.ix_([0, 1], self.examples, self.examples)]),
            "pay": game.pay.astype(np.int16),
            "stake": game.stake.astype(np.int16),
            "needs_dealer": game.needs_dealer.astype(np.uint8),
            "value_of": value,
            "cards": code_of[self.cards],
            "card_of": card_of,
            "lines_of_three": game.lines_of_three,
            "third_is_hole": game.third_is_hole.astype(np.uint8),
            "lines_of_four": game.lines_of_four,
            "machine_start": game.machine_start,
            "machine_take": game.machine_take,
            "machine_line": game.machine_line,
            "column_of": game.column_of[:, self.examples],
            "insured": by_code(game.insured, code_of),
        }
        sizes = {
            "CARDS": len(self.cards),
            "INFINITE": int(game.infinite),
            "KINDS": kinds,
            "ROWS": rows,
            "ENDS": first_end,
            "HAND_ENDS": len(game.pay),
            "TERMINALS": first_terminal,
            "FIRST_INSURED": first_terminal + sum(not result.insured for result in ordered),
            "RESULT_KINDS": len(ordered),
            "SPLIT": SPLIT_NODE,
            "HOLE": int(game.has_hole),
            "SECOND": int(game.takes_second),
            "LOOKS": int(game.looks),
            "ORIGINAL": int(game.original_only),
            "COLUMNS": game.deal.shape[2],
            "MAX_HANDS": game.max_hands,
            "RESULTS": self.results,
            "SIDES_OF_THREE": len(game.lines_of_three),
            "SIDES_OF_FOUR": len(game.lines_of_four),
            **machine_sizes(game),
            "LINES": self.lines,
            "INSURED_LINES": int(game.insured.max()),
            "INSURED_ALIKE": self._insured_alike(),
        }
        cut, rounds_per_shoe, burn = (int(number) for number in game.plan)
        numbers = {"cut": cut, "rounds_per_shoe": rounds_per_shoe, "burn": burn}
        contiguous = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        return FlatGame(sizes, contiguous, numbers, ordered)

    def _insured_alike(self) -> int:
        """The line of every blackjack under an ace, so that none is looked up; 0 where there are several."""
        tens = self.game.dealer_start[0] == _DEALER_BLACKJACK
        lines = np.unique(self.game.insured[:, tens])
        return int(lines[0]) if len(lines) == 1 else 0

    def _terminal(self, end: int, final: int, *, insured: bool = False) -> int:
        game = self.game
        super_bonus = tuple(game.super_bonus[end].tolist())
        result = Result(insured, int(game.pay[end, final]), int(game.stake[end]), super_bonus)
        return self.terminals.setdefault(result, len(self.terminals))

    def _after_second(self) -> NDArray[np.int64]:
        """[first kind × up value, second kind]: the row of the hole card; without one, the hand's point."""
        game = self.game
        rows = np.zeros((self.kinds, UPS, self.kinds), np.int64)
        for one, first in enumerate(self.examples):
            for two, second in enumerate(self.examples):
                looked = int(game.looked[first, second]) - game.ends
                for up in range(UPS):
                    if not game.has_hole:
                        rows[one, up, two] = game.deal[first, second, up]
                        continue
                    row = self._hole_row(game.deal[first, second], looked, up)
                    rows[one, up, two] = self.holes.setdefault(row, len(self.holes))
        return rows.reshape(self.kinds * UPS, self.kinds)

    def _hole_row(self, points: NDArray[np.int16], looked: int, up: int) -> tuple[int, ...]:
        """By hole kind: the hand's point, or from _LOOKED on the terminal of a blackjack that is known."""
        game, row = self.game, []
        for card in self.examples:
            if game.looks and game.dealer_start[up, card] == _DEALER_BLACKJACK:
                row.append(_LOOKED + self._terminal(looked, _BLACKJACK, insured=up == 0))
            else:
                row.append(int(points[game.column_of[up, card]]))
        return tuple(row)

    def _after_hand(self, end: int, dealer: int) -> int:
        """What follows the last hand: a terminal, or (below 0) a row of the dealer's."""
        split = end == len(self.game.pay)
        if not split and not self.game.needs_dealer[end]:
            return self._terminal(end, 0)
        if dealer < 0:
            final = -1 - dealer
            return _FINAL + final if split else self._terminal(end, final)
        return -1 - self.dealer_nodes.setdefault((end, dealer), len(self.dealer_nodes))

    def _enter(self) -> NDArray[np.int64]:
        """[end, up value, hole kind]: what follows the last hand; without a hole card, whatever the kind."""
        start = self.game.dealer_start[:, self.examples]
        if not self.game.has_hole:
            start = np.repeat(self.game.dealer_alone[:, None], self.kinds, axis=1)
        ends = range(len(self.game.pay) + 1)
        return np.array(
            [[[self._after_hand(end, int(dealer)) for dealer in row] for row in start] for end in ends]
        )

    def _dealer_rows(self) -> NDArray[np.int64]:
        rows: list[list[int]] = []
        while len(rows) < len(self.dealer_nodes):
            end, dealer = list(self.dealer_nodes)[len(rows)]
            taken = self.game.dealer_take[dealer, self.examples]
            rows.append([self._after_hand(end, int(after)) for after in taken])
        return np.array(rows, np.int64).reshape(len(rows), self.kinds)


def _mapped(function: Any, numbers: NDArray[Any]) -> NDArray[np.uint16]:
    unique, inverse = np.unique(numbers, return_inverse=True)
    return np.array([function(int(number)) for number in unique], np.uint16)[inverse].reshape(numbers.shape)
