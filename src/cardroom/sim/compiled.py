"""How the kernels of the blackjack family are compiled.

Kernels allocate nothing and keep no reference to an array, so numba's counting of references is left out: its
locked additions, one for each array at each step, cost more than the cards.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.core import event
from numba.extending import overload

from cardroom.core.interrupts import HoldsInterrupts

__all__ = ["compiled_for", "inlined", "kernel", "njit", "part"]

_Function = TypeVar("_Function", bound=Callable[..., Any])

_compile: Any = njit
_overload: Any = overload
"""numba's `njit` and `overload`, whose types do not list `_nrt`."""


def kernel(function: _Function) -> _Function:
    """Compile a function that Python calls; it runs without Python's lock."""
    compiled: _Function = _compile(cache=True, nogil=True, _nrt=False)(function)
    return compiled


def part(function: _Function) -> _Function:
    """Compile a function that kernels call."""
    compiled: _Function = _compile(cache=True, _nrt=False)(function)
    return compiled


def inlined(function: _Function) -> _Function:
    """Compile a small function that is laid open in every kernel that calls it."""
    compiled: _Function = _compile(cache=True, forceinline=True, _nrt=False)(function)
    return compiled


def compiled_for(stub: Callable[..., Any]) -> Callable[[_Function], _Function]:
    """Say what a stub does for arguments of some types; it is laid open in every kernel that calls it.

    What is decorated sees numba's types of the arguments, and returns the function for them, or None.
    """
    decorate: Callable[[_Function], _Function] = _overload(
        stub, jit_options={"forceinline": True, "_nrt": False}
    )
    return decorate


class _Compiling(HoldsInterrupts, event.Listener):
    """Ctrl-C waits until a kernel is compiled or loaded."""


event.register("numba:compiler_lock", _Compiling())
