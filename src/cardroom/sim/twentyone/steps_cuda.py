"""Tables of the blackjack family stepped on a GPU: the lanes of `lanes.py` in the device's memory.

The kernel, `steps.cu`, is compiled at run time through CuPy (the extra `cuda`) for one game. What is shown
lies in one block of memory, so that a copy of it is one copy.
"""

from __future__ import annotations

from importlib import resources
from math import prod
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.core.errors import Unavailable
from cardroom.sim.twentyone import dealing, lanes, side_machines, step_tables
from cardroom.sim.twentyone.lanes import FIELDS, HAND_FIELDS, SIDE_STATES, SPOTS, VALUES
from cardroom.sim.twentyone.step_tables import StepTables
from cardroom.sim.twentyone.stream import stream_states
from cardroom.sim.twentyone.tables import DEALER_BLACKJACK

_THREADS: Final = 128  # of a block
_TABLES: Final = (
    *("next", "unpaired", "split_hand", "doubled", "machine_start", "machine_take"),
    *("may", "settled", "super_bonus", "sides", "pair", "value"),
    *("lines_of_three", "third_is_hole", "lines_of_four", "machine_line", "cards"),
    *("pay", "rescue", "amounts", "insured", "side_pay"),
    *("dealer_start", "dealer_take", "side_when"),
)
"""The addresses of the kernel's `Tables`, in their order."""
_CONSTANTS: Final = (
    (dealing, ("NEXT", "END", "ROUND", "DEAD", "SERVED")),
    (side_machines, ("UP", "HOLE", "DRAW")),
    (step_tables, ("AT_UP_CARD", "AT_HOLE_CARD", "AT_DEALERS_END", "SURRENDER", "SUPER_BONUS", "INSURANCE")),
    (step_tables, ("EVEN_MONEY_PAYS",)),
)
"""What the kernel names as these modules do, besides the lanes' own columns, phases and actions."""
_LANES: Final = ("rows", "marks", "streams", "shoes")
SHOWN: Final = ("numbers", "nets", "rewards", "seen", "mask", "over", "illegal", "ended")
"""What is shown of every lane, in the order of the kernel's `Shown`."""


def kernel_source() -> str:
    """The text of the kernel."""
    return (resources.files("cardroom.sim.twentyone") / "steps.cu").read_text(encoding="utf-8")


def macros(tables: StepTables, actions: int) -> dict[str, int]:
    """All names in capitals of the kernel: the constants of the lanes, and the sizes of a game's tables."""
    constants = {name: int(getattr(module, name)) for module, names in _CONSTANTS for name in names}
    constants |= {
        name: number for name, number in vars(lanes).items() if name.isupper() and type(number) is int
    }
    machines = len(tables.machine_start)
    return constants | {
        "DEALER_BLACKJACK": DEALER_BLACKJACK,
        "ACTIONS": actions,
        "SHOE": int(tables.cards),
        "INFINITE": int(tables.infinite),
        "SPOT_COUNT": tables.spots,
        "MAX_HANDS": tables.max_hands,
        "STATES": tables.pay.shape[1],
        "FINALS": tables.pay.shape[2],
        "AMOUNTS": tables.amounts.shape[1],
        "SIDES": len(tables.side_when),
        "SIDES_OF_THREE": len(tables.lines_of_three),
        "SIDES_OF_FOUR": len(tables.lines_of_four),
        "FOUR_PLACES": tables.lines_of_four.shape[1],
        "LINES": tables.side_pay.shape[1],
        "MACHINES": machines,
        "MACHINE_ROLES": tables.machine_take.shape[1],
        "BLACKJACK_ALWAYS_WINS": int(tables.blackjack_always_wins),
        "INSURANCE_OFFERED": int(tables.insurance_offered),
        "INSURES_PAID_BLACKJACK": int(tables.insures_paid_blackjack),
        "EVEN_MONEY_OFFERED": int(tables.even_money),
        "ASKS_BET": int(tables.asks_bet),
        "WHOLE_SHOE": int(tables.whole_shoe),
        "COLUMNS": columns(tables),
        "ALLOWED": columns(tables),
    }


def columns(tables: StepTables) -> int:
    """How many numbers a lane has; on a GPU what is allowed comes after them."""
    machines = len(tables.machine_start)
    return SPOTS + tables.spots * (SIDE_STATES + machines + tables.max_hands * HAND_FIELDS)


def shown_forms(count: int, actions: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The shape and type of everything that is shown, large numbers first."""
    return {
        "numbers": ((len(FIELDS), count), np.int64),
        "nets": ((count,), np.int64),
        "rewards": ((count,), np.float64),
        "seen": ((count, VALUES), np.int16),
        "mask": ((count, actions), np.int8),
        "over": ((count,), np.bool_),
        "illegal": ((count,), np.bool_),
        "ended": ((count,), np.bool_),
    }


def tables_record(addresses: dict[str, int], tables: StepTables, penalty: float) -> NDArray[np.void]:
    """The kernel's `Tables`."""
    cut, rounds_per_shoe, burn = (int(number) for number in tables.plan)
    numbers = {
        "one_wager": np.float64(tables.one_wager),
        "penalty": np.float64(penalty),
        "cut": np.int32(cut),
        "rounds_per_shoe": np.int32(rounds_per_shoe),
        "burn": np.int32(burn),
    }
    return _record({name: np.uintp(addresses[name]) for name in _TABLES} | numbers)


def lanes_record(addresses: dict[str, int], count: int) -> NDArray[np.void]:
    """The kernel's `Lanes`."""
    return _record({name: np.uintp(addresses[name]) for name in _LANES} | {"lanes": np.int32(count)})


def shown_record(addresses: dict[str, int]) -> NDArray[np.void]:
    """The kernel's `Shown`."""
    return _record({name: np.uintp(addresses[name]) for name in SHOWN})


def _record(values: dict[str, Any]) -> NDArray[np.void]:
    record = np.zeros((), np.dtype([(name, value.dtype) for name, value in values.items()], align=True))
    for name, value in values.items():
        record[name] = value
    return record


class DeviceLanes:
    """Tables abreast on a GPU, and the kernels that step them."""

    def __init__(
        self, tables: StepTables, cards: NDArray[np.uint8], count: int, actions: int, penalty: float
    ) -> None:
        from cardroom.sim.twentyone.cuda import unavailable

        missing = unavailable()
        if missing is not None:
            raise Unavailable(missing)
        import cupy  # type: ignore[import-not-found, unused-ignore]

        self.cupy = cupy
        self.count, self._cards, self._infinite = count, cards, tables.infinite
        options = tuple(f"-D{name}={value}" for name, value in macros(tables, actions).items())
        module = cupy.RawModule(code=kernel_source(), options=("-std=c++17", *options))
        self._begin, self._step, self._find = (
            module.get_function(name) for name in ("begin_lanes", "step_lanes", "find_illegal")
        )
        arrays = {name: getattr(tables, name, cards) for name in _TABLES} | {"cards": cards}
        self._arrays = {name: cupy.asarray(np.ascontiguousarray(array)) for name, array in arrays.items()}
        self._tables = tables_record(_addresses(self._arrays), tables, penalty)
        self._state = {
            "rows": cupy.zeros((columns(tables) + 1, count), np.int32),
            "marks": cupy.zeros((dealing.MARKS, count), np.int32),
            "streams": cupy.zeros((4, count), np.uint32),
            "shoes": cupy.asarray(cards if tables.infinite else np.tile(cards, (count, 1))),
        }
        self._lanes = lanes_record(_addresses(self._state), count)
        self._forms = shown_forms(count, actions)
        self._block = cupy.zeros(sum(_bytes(*form) for form in self._forms.values()), np.uint8)
        self.shown: dict[str, Any] = self._views(self._block)
        self._shown = shown_record(_addresses(self.shown))
        self._first_illegal = cupy.zeros(1, np.int32)
        self._blocks = (-(-count // _THREADS),)

    def copy(self) -> dict[str, Any]:
        """Everything that is shown, in memory of its own."""
        return self._views(self._block.copy())

    def _views(self, block: Any) -> dict[str, Any]:
        views, begin = {}, 0
        for name, (shape, kind) in self._forms.items():
            views[name] = self.cupy.ndarray(shape, kind, memptr=block.data + begin)
            begin += _bytes(shape, kind)
        return views

    def seed(self, lane: int, seed: int, count: int, cards: NDArray[np.uint8], key: np.uint64) -> None:
        """Give lanes from `lane` on the streams from `seed` on, and shoes in their first order."""
        some = slice(lane, lane + count)
        self._state["streams"][:, some] = self.cupy.asarray(stream_states(key, seed, count).T.copy())
        self._state["rows"][:, some] = 0
        self._state["marks"][:, some] = 0
        if not self._infinite:
            self._state["shoes"][some] = self.cupy.asarray(cards)

    def begin(self, which: Any) -> None:
        """Begin an episode on the lanes that `which` names."""
        self._begin(self._blocks, (_THREADS,), (self._tables, self._lanes, self._shown, which))

    def step(self, actions: Any, *, costs: bool, begins_again: bool) -> None:
        """Take one step on every lane; the host does not wait for it."""
        how = np.int32(costs), np.int32(begins_again)
        self._step(self._blocks, (_THREADS,), (self._tables, self._lanes, self._shown, actions, *how))

    def first_illegal(self, actions: Any, *, resets: bool) -> int | None:
        """The first lane whose action is not allowed; the host waits for it."""
        self._first_illegal.fill(self.count)
        self._find(self._blocks, (_THREADS,), (self._lanes, actions, np.int32(resets), self._first_illegal))
        lane = int(self._first_illegal[0])
        return None if lane == self.count else lane


def _addresses(arrays: dict[str, Any]) -> dict[str, int]:
    return {name: array.data.ptr for name, array in arrays.items()}


def _bytes(shape: tuple[int, ...], kind: Any) -> int:
    """Rounded up, so that what comes next lies as its type wants it."""
    size = prod(shape) * int(np.dtype(kind).itemsize)
    return -(-size // 16) * 16
