"""Ctrl-C while something is made that must not be left half made: kernels, by a stand-in for the compiler."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest
from numba.core.compiler_lock import global_compiler_lock

import cardroom.exact.compiled
import cardroom.sim.compiled  # noqa: F401  # both rooms listen to the compiler
from cardroom.core.interrupts import interrupts_held


@pytest.fixture(autouse=True)
def python_s_own_handler() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    assert signal.signal(signal.SIGINT, before) is signal.default_int_handler


def test_ctrl_c_comes_at_the_end_of_the_outermost() -> None:
    reached = []

    def interrupted() -> None:
        with interrupts_held():
            with interrupts_held():
                signal.raise_signal(signal.SIGINT)
                reached.append("inside")
            reached.append("after the inner one")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert reached == ["inside", "after the inner one"]
    with interrupts_held():
        reached.append("nothing is left over")


def test_ctrl_c_waits_for_the_compiler() -> None:
    """The compiler's lock is taken as when a kernel is compiled or loaded, a part of a kernel within it."""
    reached = []

    def compiled() -> None:
        with global_compiler_lock:
            with global_compiler_lock:
                signal.raise_signal(signal.SIGINT)
            reached.append("the whole kernel")

    with pytest.raises(KeyboardInterrupt):
        compiled()
    assert reached == ["the whole kernel"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_error_of_the_compiler_is_not_lost() -> None:
    with pytest.raises(ValueError, match="not compiled"), interrupts_held():
        raise ValueError("not compiled")


def test_who_compiles_in_another_thread_leaves_ctrl_c_alone() -> None:
    """Python interrupts the main thread, which does not compile then."""
    handlers = []

    def compiles() -> None:
        with global_compiler_lock:
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=compiles)
    thread.start()
    thread.join()
    assert handlers == [signal.default_int_handler]


def test_who_ignores_ctrl_c_goes_on_ignoring_it() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    with interrupts_held():
        signal.raise_signal(signal.SIGINT)
    assert signal.signal(signal.SIGINT, before) is signal.SIG_IGN
