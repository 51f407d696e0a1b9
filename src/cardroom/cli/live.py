"""A picture on the terminal that is drawn again and again in its place, and always fits the window."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.live import Live
from rich.segment import Segment, SegmentLines

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from cardroom.cli.keys import Keys


def can_be_live(out: Console, *, plain: bool) -> bool:
    """Whether pictures can be drawn in their place: not in pipes or on dumb terminals."""
    return out.is_terminal and not out.is_dumb_terminal and sys.stdin.isatty() and not plain


class Picture:
    """What is on the screen; after a stop or a change of the window the whole screen is drawn anew."""

    def __init__(self, out: Console, keys: Keys) -> None:
        self.out = out
        self.keys = keys
        self.whole = True
        """Whether the last picture was shown in its fullest form."""
        self._live = self._new()

    def _new(self) -> Live:
        return Live(console=self.out, auto_refresh=False, transient=False, vertical_overflow="visible")

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def draw(self, forms: Iterable[RenderableType]) -> None:
        """Show the first of several forms, the fullest first, that fits the window."""
        if self.keys.repaint:
            self.keys.repaint = False
            self._live.stop()
            self.out.clear()
            self._live = self._new()
            self._live.start()
        lines: list[list[Segment]] = []
        height = max(1, self.out.size.height - 1)
        for number, form in enumerate(forms):
            lines = self.out.render_lines(form, pad=False)
            self.whole = number == 0
            if len(lines) <= height:
                break
        # What is asked stands at the foot, so that it is the last to go where nothing fits.
        self._live.update(SegmentLines(lines[-height:], new_lines=True), refresh=True)
