"""The GPU's stepping kernels compiled for the CPU by the machine's own C++ compiler."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from cardroom.sim.twentyone import dealing, steps_cuda
from cardroom.sim.twentyone.step_tables import StepTables
from cardroom.sim.twentyone.stream import stream_states

COMPILER: Final = shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")

BEFORE: Final = """
#define __device__
#define __global__
#define __forceinline__ inline
struct Place { int x; };
static Place blockIdx = {0}, blockDim = {1}, threadIdx = {0};
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((1ULL * a * b) >> 32); }
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline void atomicMin(int *at, int value) { if (value < *at) *at = value; }
"""
AFTER: Final = """
#define ON_ALL(call) for (blockIdx.x = 0; blockIdx.x < lanes->lanes; blockIdx.x++) call
extern "C" void all_begin(const Tables *tables, const Lanes *lanes, const Shown *shown, const u8 *which) {
    ON_ALL(begin_lanes(*tables, *lanes, *shown, which));
}
extern "C" void all_step(const Tables *tables, const Lanes *lanes, const Shown *shown, const s64 *actions,
                         int costs, int begins_again) {
    ON_ALL(step_lanes(*tables, *lanes, *shown, actions, costs, begins_again));
}
extern "C" void all_find(const Lanes *lanes, const s64 *actions, int resets, int *first) {
    ON_ALL(find_illegal(*lanes, actions, resets, first));
}
"""


class HostLanes:
    """`DeviceLanes` with the same source, in the memory of the host."""

    cupy: Any = np
    folder: Path

    def __init__(
        self, tables: StepTables, cards: NDArray[np.uint8], count: int, actions: int, penalty: float
    ) -> None:
        self.count, self._infinite = count, tables.infinite
        self._library = _compiled(steps_cuda.macros(tables, actions), self.folder)
        arrays = {name: getattr(tables, name, cards) for name in steps_cuda._TABLES} | {"cards": cards}
        self._arrays = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
        self._tables = steps_cuda.tables_record(_addresses(self._arrays), tables, penalty)
        self.state: dict[str, NDArray[Any]] = {
            "rows": np.zeros((steps_cuda.columns(tables) + 1, count), np.int32),
            "marks": np.zeros((dealing.MARKS, count), np.int32),
            "streams": np.zeros((4, count), np.uint32),
            "shoes": cards.copy() if tables.infinite else np.tile(cards, (count, 1)),
        }
        self._lanes = steps_cuda.lanes_record(_addresses(self.state), count)
        forms = steps_cuda.shown_forms(count, actions)
        self.shown: dict[str, Any] = {name: np.zeros(*form) for name, form in forms.items()}
        self._shown = steps_cuda.shown_record(_addresses(self.shown))

    def copy(self) -> dict[str, Any]:
        return {name: array.copy() for name, array in self.shown.items()}

    def seed(self, lane: int, seed: int, count: int, cards: NDArray[np.uint8], key: np.uint64) -> None:
        some = slice(lane, lane + count)
        self.state["streams"][:, some] = stream_states(key, seed, count).T
        self.state["rows"][:, some] = 0
        self.state["marks"][:, some] = 0
        if not self._infinite:
            self.state["shoes"][some] = cards

    def begin(self, which: Any) -> None:
        self._call("all_begin", self._tables, self._lanes, self._shown, np.ascontiguousarray(which))

    def step(self, actions: Any, *, costs: bool, begins_again: bool) -> None:
        self._call("all_step", self._tables, self._lanes, self._shown, actions, int(costs), int(begins_again))

    def first_illegal(self, actions: Any, *, resets: bool) -> int | None:
        first = np.full(1, self.count, np.int32)
        self._call("all_find", self._lanes, actions, int(resets), first)
        return None if first[0] == self.count else int(first[0])

    def _call(self, name: str, *arguments: Any) -> None:
        given = [
            ctypes.c_int(one) if isinstance(one, int) else ctypes.c_void_p(one.ctypes.data)
            for one in arguments
        ]
        self._library[name](*given)


def _compiled(macros: dict[str, int], folder: Path) -> ctypes.CDLL:
    assert COMPILER is not None
    source, library = folder / "steps.cpp", folder / f"steps{len([*folder.iterdir()])}.so"
    source.write_text(BEFORE + steps_cuda.kernel_source() + AFTER, encoding="utf-8")
    options = [f"-D{name}={value}" for name, value in macros.items()]
    subprocess.run(
        [COMPILER, "-std=c++17", "-O1", "-shared", "-fPIC", *options, str(source), "-o", str(library)],
        check=True,
    )
    return ctypes.CDLL(str(library))


def _addresses(arrays: dict[str, NDArray[Any]]) -> dict[str, int]:
    return {name: array.ctypes.data for name, array in arrays.items()}
