"""How far a long computation has come, for whoever waits for it.

>>> heard = []
>>> with listening(lambda share, words: heard.append((share, words))):
...     steps = Steps(2)
...     steps.begin("the first")
...     steps.begin("the second")
>>> heard
[(0.0, 'the first'), (0.5, 'the second')]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

Listener = Callable[[float, str], None]
"""Hears which share of the work is done, and in words what is being done now."""


def _nobody(_share: float, _words: str) -> None:
    pass


_LISTENER: Final[ContextVar[Listener]] = ContextVar("listener", default=_nobody)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """While open, `listener` hears how far work on this thread has come."""
    before = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(before)


class Steps:
    """A piece of work in so many steps, each about as long as the others, or longer by its weight."""

    def __init__(self, weight: float) -> None:
        self._weight = weight
        self._done = 0.0
        self._now = 0.0

    def begin(self, words: str, weight: float = 1.0) -> None:
        """The last step is done, and this one begins."""
        self._done += self._now
        self._now = weight
        _LISTENER.get()(min(1.0, self._done / self._weight), words)


def tell_of(words: str) -> Callable[[int, int], None]:
    """For work that counts its own parts: called with how many are done, and of how many.

    >>> with listening(lambda share, words: print(share, words)):
    ...     tell_of("shoes solved")(1, 4)
    0.25 shoes solved
    """

    def tell(done: int, of: int) -> None:
        _LISTENER.get()(done / of, words)

    return tell
