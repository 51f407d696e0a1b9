"""A table on the whole screen of a terminal: what all games share.

From top to bottom: a line about the table, the table itself with advice beside it where the screen is wide,
what was just said, the money, a line to type in, and the keys that work now. Nothing moves its place.
"""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import IO, TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from rich.console import Group, RenderableType
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.driver import Driver
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from cardroom.core.errors import CardroomError
from cardroom.presentation import KEYS, key_of, meaning_of

if TYPE_CHECKING:
    from cardroom.cli.leaving import Leaving

WIDE_COLUMNS: Final = 120
"""From here on advice stands beside the table."""
_SECONDS_BETWEEN_LOOKS: Final = 0.1
_MARGINS: Final = 2
Result = TypeVar("Result")


def whole_parts(line: str, width: int) -> str:
    """As many of a line's parts as a width holds, each whole; the first one always.

    >>> whole_parts("Bankroll $996.00 · this session $0.00 in 0 rounds · all sessions $0.00", 58)
    'Bankroll $996.00 · this session $0.00 in 0 rounds'
    """
    first, *others = line.split(" · ")
    for part in others:
        if len(first) + len(part) + 3 > width:
            break
        first = f"{first} · {part}"
    return first


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


@dataclass(slots=True)
class _Question:
    """What the line at the foot asks for."""

    answer: Callable[[str], None]
    refuse: Callable[[], None]


class TableApp(App[None]):
    """What a game's own app fills in: the board, the keys that work now, and what they do."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #head { height: 1; background: $primary-darken-2; color: $text; padding: 0 1; }
    #middle { height: 1fr; }
    #board { width: 1fr; height: 1fr; padding: 0 1; }
    #beside { width: 58; height: 1fr; padding: 0 1; border-left: solid $primary; display: none; }
    .wide #beside { display: block; }
    #said { height: 4; padding: 0 1; }
    #money { height: 1; padding: 0 1; color: $text-muted; }
    #typing { height: 1; }
    #prompt { width: auto; padding: 0 1; }
    #line { width: 1fr; height: 1; border: none; padding: 0; background: $surface; }
    #keys { height: 2; padding: 0 1; background: $panel; }
    Reading { background: $surface; }
    #reading-title, #reading-keys { height: 1; padding: 0 1; background: $panel; }
    #reading { height: 1fr; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", priority=True, show=False),
        Binding("ctrl+q", "leave", priority=True, show=False),
        Binding("ctrl+z", "suspend_process", priority=True, show=False),
        Binding("escape", "escape", show=False),
        Binding("pageup", "read_on(-10)", show=False),
        Binding("pagedown", "read_on(10)", show=False),
    ]

    def __init__(self, going: Leaving) -> None:
        super().__init__()
        self.driver_class = outliving_its_window(self.driver_class)
        self.going = going
        self.thinker = Thinker(self)
        self._question: _Question | None = None

    # What a game fills in.

    def head(self) -> str:
        """The line about the table."""
        raise NotImplementedError

    def board(self, width: int) -> Iterable[RenderableType]:
        """The table in several forms, the fullest first."""
        raise NotImplementedError

    def beside(self) -> RenderableType:
        """What stands beside the table on a wide screen."""
        return ""

    def money(self) -> str:
        """Bankroll and results."""
        raise NotImplementedError

    def offered(self) -> Mapping[str, str]:
        """The actions whose keys work now, with words for them."""
        raise NotImplementedError

    def do(self, action: str) -> None:
        """What the key of an offered action does."""
        raise NotImplementedError

    def begin(self) -> None:
        """The screen is there: the first thing that happens."""

    def go(self) -> None:
        """Leave: what is in play is brought to its end, and the app ends."""
        raise NotImplementedError

    # What all games share.

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        with Horizontal(id="middle"):
            yield Board(self.board)
            with VerticalScroll(id="beside", can_focus=False):
                yield Static(id="advice")
        yield Static(id="said")
        yield Static(id="money")
        with Horizontal(id="typing"):
            yield Static(id="prompt")
            yield Input(id="line", select_on_focus=False, disabled=True)
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.set_interval(_SECONDS_BETWEEN_LOOKS, self._look)
        self._fit(self.size.width)
        self.begin()
        self.draw()

    def on_resize(self, event: events.Resize) -> None:
        self._fit(event.size.width)

    def _fit(self, columns: int) -> None:
        self.screen_stack[0].set_class(columns >= WIDE_COLUMNS, "wide")

    @property
    def wide(self) -> bool:
        return self.size.width >= WIDE_COLUMNS

    def _look(self) -> None:
        """Somebody sent a signal: leave."""
        if self.going.noted:
            self.go()

    def draw(self) -> None:
        """Show everything as it is now."""
        table = self.screen_stack[0]
        table.query_one("#head", Static).update(Text(self.head(), "bold"))
        table.query_one("#board", Board).refresh()
        table.query_one("#advice", Static).update(self.beside())
        table.query_one("#money", Static).update(Text(whole_parts(self.money(), self.size.width - _MARGINS)))
        table.query_one("#keys", Static).update(self._keys())

    def _keys(self) -> Text:
        if self._question is not None:
            return Text("Enter says it · Esc goes back", "bold")
        lines = [Text()]
        for action, words in self.offered().items():
            key = key_of(action)
            item = Text.assemble(("space" if key == " " else key, "bold"), f" {words}")
            if lines[-1].plain and len(f"{lines[-1].plain} · {item.plain}") > self.size.width - _MARGINS:
                lines.append(Text())
            lines[-1].append(" · " if lines[-1].plain else "").append_text(item)
        return Text("\n").join(lines)

    def say(self, *sentences: str | Text) -> None:
        """What was just announced; it stands until something else is."""
        parts = [one if isinstance(one, Text) else Text(one) for one in sentences]
        self.screen_stack[0].query_one("#said", Static).update(Group(*parts))
        self.said = "\n".join(part.plain for part in parts)

    said: str = ""

    def refuse(self, error: CardroomError) -> None:
        """Say why something is not done."""
        self.say(Text(str(error), "red"))

    def ask(
        self,
        prompt: str,
        answer: Callable[[str], None],
        *,
        typed: str = "",
        selected: bool = False,
        refuse: Callable[[], None] = lambda: None,
    ) -> None:
        """Ask for a line; what stands in it already may be selected, so that typing takes its place.

        `refuse` is for Esc.
        """
        table = self.screen_stack[0]
        self._question = _Question(answer, refuse)
        table.query_one("#prompt", Static).update(Text(prompt, "bold"))
        line = table.query_one("#line", Input)
        line.disabled = False
        line.value = typed
        line.selection = Selection(0 if selected else len(typed), len(typed))
        line.focus()
        self.draw()

    def _asked(self) -> _Question | None:
        """Put the line away."""
        question, self._question = self._question, None
        table = self.screen_stack[0]
        line = table.query_one("#line", Input)
        line.value = ""
        line.disabled = True
        table.query_one("#prompt", Static).update("")
        self.set_focus(None)
        return question

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        question = self._asked()
        if question is not None:
            self._guarded(lambda: question.answer(text))

    def action_escape(self) -> None:
        if self._question is not None:
            question = self._asked()
            assert question is not None
            self._guarded(question.refuse)
        else:
            self.escape()
            self.draw()

    def escape(self) -> None:
        """What Esc does where no line is asked for."""

    def action_interrupt(self) -> None:
        """Ctrl-C."""
        self.going.signal = self.going.signal or signal.SIGINT
        self.go()

    def action_leave(self) -> None:
        self.go()

    def action_read_on(self, lines: int) -> None:
        self.screen_stack[0].query_one("#beside").scroll_relative(y=lines, animate=False)

    def on_key(self, event: events.Key) -> None:
        key = "\n" if event.key == "enter" else event.character
        if self._question is not None or len(self.screen_stack) > 1 or not key or key == "\x1b":
            return
        action = "deal" if key == "\n" else meaning_of(key)
        if key == "\n" or key.isprintable():
            event.stop()
            event.prevent_default()  # a text that this key opens is not to be put away by the same key
            self._guarded(lambda: self._pressed(key, action))

    def _pressed(self, key: str, action: str | None) -> None:
        if action == "keys":
            self.read("All keys", _all_keys())
        elif action is not None and action in {_plain(one): one for one in self.offered()}:
            self.do(action)
        elif key in "0123456789" and "bet" in self.offered():  # who types an amount means a bet
            self.do("bet")
            line = self.screen_stack[0].query_one("#line", Input)
            line.value, line.cursor_position = key, 1
        else:
            shown = "Enter" if key == "\n" else repr(key)
            self.not_offered(shown, action)

    def not_offered(self, key: str, action: str | None) -> None:
        """A key that does nothing now."""
        del action
        self.say(Text(f"{key} does nothing here; the keys that work stand below.", "yellow"))

    def _guarded(self, work: Callable[[], None]) -> None:
        """Do something; what is refused is said, and nothing else happens."""
        try:
            work()
        except CardroomError as error:
            self.refuse(error)
        if self.is_running:
            self.draw()

    def read(self, title: str, text: RenderableType) -> None:
        """Show a text over the table."""
        self.push_screen(Reading(title, text))


class OpenEnded:
    """A screen's file whose window may be closed: from then on what is written goes nowhere.

    Textual writes in a thread of its own behind a queue of thirty. An error would end that thread, and the
    app would wait for ever for a place in the queue: a process left behind, with the round unsettled.
    """

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()


def outliving_its_window(driver: type[Driver]) -> type[Driver]:
    """A driver that goes on to the app's end when its window is closed."""
    if not hasattr(signal, "SIGHUP"):  # Windows ends the program with its window
        return driver

    class Outliving(driver):  # type: ignore[misc, valid-type]
        _file: Any

        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            if hasattr(self, "_file"):
                self._file = OpenEnded(self._file)

    return Outliving


def _plain(action: str) -> str:
    return "insure" if action.startswith("insure") else action


def _all_keys() -> Group:
    return Group(
        *(
            Text.assemble((f"{'space' if entry.key == ' ' else entry.key:>6}", "bold"), f"  {entry.words}")
            for entry in KEYS
            if entry.in_terminal
        )
    )


class Thinker:
    """Works things out beside the screen, one after another; each answer comes in the app's own turn."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._jobs: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def work_out(
        self,
        work: Callable[[], Result],
        then: Callable[[Result], None],
        refused: Callable[[CardroomError], None],
    ) -> None:
        """Do some work, then hand its result over, or say why there is none."""

        def job() -> None:
            try:
                result = work()
            except CardroomError as error:
                self._hand_over(partial(refused, error))
            else:
                self._hand_over(partial(then, result))

        self._jobs.put(job)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while True:
            self._jobs.get()()

    def _hand_over(self, answer: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the app has ended meanwhile
            self._app.call_from_thread(answer)
