"""How the kernels of exact values are compiled.

Whoever asks for the first figure waits for the compiler, so there is little for it to do: kernels allocate
nothing (arrays come from the caller), numba's counting of references is left out with that, and no function
is made callable in ways that nobody calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit
from numba.core import event

from cardroom.core.interrupts import HoldsInterrupts

__all__ = ["kernel", "njit", "part"]

_Function = TypeVar("_Function", bound=Callable[..., Any])

_compile: Any = njit
"""numba's `njit`, whose type does not list all of these options."""
_OPTIONS: Any = {"cache": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}


def kernel(function: _Function) -> _Function:
    """Compile a function that Python calls; it runs without Python's lock."""
    compiled: _Function = _compile(nogil=True, **_OPTIONS)(function)
    return compiled


def part(function: _Function) -> _Function:
    """Compile a function that only kernels call."""
    compiled: _Function = _compile(no_cpython_wrapper=True, **_OPTIONS)(function)
    return compiled


class _Compiling(HoldsInterrupts, event.Listener):
    """Ctrl-C waits until a kernel is compiled or loaded."""


event.register("numba:compiler_lock", _Compiling())
