"""A table on the whole screen of a terminal: what all games share.

From top to bottom: a line about the table, the table itself with advice beside it where the screen is wide,
what was just said, the money, a line to type in, and the keys that work now. Nothing moves its place.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from rich.console import Group, RenderableType
from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.message import Message
from textual.widgets import Input, Static
from textual.widgets.input import Selection

from cardroom.cli.closed_window import outliving_its_window
from cardroom.cli.full_screen_parts import Board, Line, Reading
from cardroom.cli.thinker import Thinker
from cardroom.core.errors import CardroomError
from cardroom.presentation import KEYS, key_of, meaning_of

if TYPE_CHECKING:
    from cardroom.cli.leaving import Leaving

WIDE_COLUMNS: Final = 120
"""From here on advice stands beside the table."""
_SECONDS_BETWEEN_LOOKS: Final = 0.1
_MARGINS: Final = 2


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
        self._keys_count_from = 0.0
        """Keys that were typed before this moment mean nothing any more."""
        self.failure: CardroomError | OSError | None = None
        """What went wrong where no key had asked for anything; the app ended by it."""

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
            yield Line(id="line", select_on_focus=False, disabled=True)
        yield Static(id="keys")

    def on_mount(self) -> None:
        self.set_interval(_SECONDS_BETWEEN_LOOKS, self._look)
        self._fit(self.size.width)
        self.go_on_by_itself(self.begin)

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
        line = table.query_one("#line", Line)
        line.disabled = line.closed = False
        line.value = typed
        line.selection = Selection(0 if selected else len(typed), len(typed))
        table.set_focus(line)  # at once: the keys that were typed with this one are for the line
        self.draw()

    def _open_question(self) -> _Question | None:
        """Put the line away."""
        question, self._question = self._question, None
        table = self.screen_stack[0]
        line = table.query_one("#line", Line)
        line.value = ""
        table.set_focus(
            None
        )  # first: a line with the focus gives it up later, and could be open again by then
        line.disabled = True
        table.query_one("#prompt", Static).update("")
        return question

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        question = self._open_question()
        if question is not None:
            self._guarded(lambda: question.answer(text))

    def action_escape(self) -> None:
        if self._question is not None:
            question = self._open_question()
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

    async def on_event(self, event: events.Event) -> None:
        """Take the table's own keys as they come; all others go the way of the library.

        The library hands a key to the screen, which hands it back later. Meanwhile a key before it may have
        opened the line, and what was typed after it would stand there first.
        """
        if isinstance(event, events.Paste) and not event.is_forwarded and self._hears_keys():
            self._guarded(lambda: self._pasted(event.text))
        elif not isinstance(event, events.Key) or event.is_forwarded or not self._is_for_table(event):
            await super().on_event(event)
        elif event.time >= self._keys_count_from:
            self.app_focus = True
            key = "\n" if event.key == "enter" else str(event.character)
            action = "deal" if key == "\n" else meaning_of(key)
            self._guarded(lambda: self._pressed(key, action))

    def _is_for_table(self, event: events.Key) -> bool:
        """Whether no line and no text takes this key, and it is a letter, a digit, a sign or Enter."""
        if not self._hears_keys():
            return False
        return event.key == "enter" or event.character == "\n" or event.is_printable

    def _hears_keys(self) -> bool:
        """Whether no line is asked for, and no text is read over the table."""
        return self._question is None and len(self.screen_stack) == 1

    def _pasted(self, text: str) -> None:
        """A bet that is pasted stands in its line, whole, until Enter says it; anything else does nothing."""
        first, *_ = text.strip().splitlines() or [""]
        if first[:1].isdecimal() and "bet" in self.offered():
            self._open_bet(first)
        else:
            self.say(Text("What is pasted does nothing here; the keys that work stand below.", "yellow"))

    def _open_bet(self, begun: str) -> None:
        """Ask for a bet, with what was typed of it."""
        self.do("bet")
        line = self.screen_stack[0].query_one("#line", Input)
        line.value, line.cursor_position = begun, len(begun)

    def drop_typed_ahead(self) -> None:
        """Nobody means a decision that was not shown yet: keys that were typed before now do nothing."""
        self._keys_count_from = Message().time

    def _pressed(self, key: str, action: str | None) -> None:
        if action == "keys":
            self.read("All keys", _all_keys())
        elif action is not None and action in {_plain(one): one for one in self.offered()}:
            self.do(action)
        elif key in "0123456789" and "bet" in self.offered():  # who types an amount means a bet
            self._open_bet(key)
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

    def go_on_by_itself(self, work: Callable[[], None]) -> None:
        """Do what no key asked for; what goes wrong there ends the app, since no other key would help."""
        try:
            work()
        except (CardroomError, OSError) as error:
            self.failure = error
            self.exit()
        else:
            self.draw()

    def run_to_end(self) -> None:
        """Run until the player leaves; raises what ended the app before."""
        self.run()
        if self.failure is not None:
            raise self.failure

    def read(self, title: str, text: RenderableType) -> None:
        """Show a text over the table."""
        self.push_screen(Reading(title, text))


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
