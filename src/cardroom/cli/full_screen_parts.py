"""What stands on the whole screen of a table: the board, a text over it, the line to type in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Static


class Board(Widget):
    """The table in the fullest of its forms that fits."""

    def __init__(self, forms: Callable[[int], Iterable[RenderableType]]) -> None:
        super().__init__(id="board")
        self._forms = forms

    def render(self) -> RenderableType:
        width, height = self.size
        options = self.app.console.options.update(width=width, height=None)
        lines: list[Any] = []
        for form in self._forms(width):
            lines = self.app.console.render_lines(form, options, pad=False)
            if len(lines) <= height:
                return form
        from rich.segment import SegmentLines

        return SegmentLines(lines[:height], new_lines=True)


class Reading(ModalScreen[None]):
    """A text over the table, to be read and put away."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,enter,y,question_mark", "put_away", "back"),
        Binding("up,k", "scroll(-1)"),
        Binding("down,j", "scroll(1)"),
        Binding("pageup", "scroll(-10)"),
        Binding("pagedown,space", "scroll(10)"),
    ]

    def __init__(self, title: str, text: RenderableType) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        yield Static(Text(self._title, "bold"), id="reading-title")
        with VerticalScroll(id="reading", can_focus=False):
            yield Static(self._text)
        yield Static(Text("Esc back · ↑ ↓ scroll", "dim"), id="reading-keys")

    def action_put_away(self) -> None:
        self.dismiss(None)

    def action_scroll(self, lines: int) -> None:
        self.query_one("#reading").scroll_relative(y=lines, animate=False)


class Line(Input):
    """The line to type in, which takes every key in the order in which it was typed.

    The library puts letters into the line at once and comes back to Enter and backspace later.
    """

    closed = False
    """Enter was typed, and what comes after it is for nobody."""

    async def _on_key(self, event: events.Key) -> None:
        if self.closed:
            event.stop()
            event.prevent_default()
        elif event.key == "enter":
            event.stop()
            event.prevent_default()
            self.closed = True
            await self.action_submit()
        elif event.key == "backspace":
            event.stop()
            event.prevent_default()
            self.action_delete_left()
        else:
            await super()._on_key(event)
