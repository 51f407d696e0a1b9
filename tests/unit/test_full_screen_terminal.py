"""The app on a real terminal, and where lines take its place."""

from __future__ import annotations

import errno
import io
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from textual.drivers._writer_thread import WriterThread

from cardroom.cli import faces
from cardroom.cli.closed_window import OpenEnded, outliving_its_window
from cardroom.cli.full_screen import TableApp
from cardroom.cli.leaving import Leaving
from tests.command_line import CommandLine
from tests.terminal import Terminal

PLAY = ("play", "blackjack", "--cut", "2", "--pace", "0")
ALTERNATE_SCREEN = "\x1b[?1049h"
IN_LINES = "Your bet [4.00]: "
A_HAND_IN_PLAY_OR_OVER = ("stand", "no insurance", "You won", "You lost", "came back")


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.slow
def test_a_table_on_a_terminal_and_ctrl_c_in_a_hand(tmp_path: Path, cardroom: CommandLine) -> None:
    record = tmp_path / "x.jsonl"
    with Terminal(*PLAY, "--record", str(record), exit_code=130) as terminal:
        terminal.until(ALTERNATE_SCREEN)
        terminal.until("leave")
        terminal.press(" ")
        terminal.until_one_of(*A_HAND_IN_PLAY_OR_OVER)
        terminal.press("\x03")
        terminal.until("Your session of 1 round")
        terminal.until("Your bankroll: ")
    assert cardroom("verify", record).code == 0
    assert list(tmp_path.iterdir()) == [record]


@pytest.mark.slow
@pytest.mark.clause("PROC-6")
def test_a_cut_that_is_not_allowed_is_refused_before_the_screen_is_taken() -> None:
    with Terminal("play", "blackjack", "--cut", "5", exit_code=2) as terminal:
        terminal.until("a player's cut of 260 cards is refused: 78 to 156 are allowed (PROC-6)")
    assert ALTERNATE_SCREEN not in terminal.seen
    assert "Traceback" not in terminal.seen


@pytest.mark.slow
@pytest.mark.parametrize("game", ["blackjack", "knockout-52"])
def test_who_plays_no_round_leaves_at_once(game: str) -> None:
    more = ("--cut", "2") if game == "blackjack" else ()
    with Terminal("play", game, *more) as terminal:
        terminal.until(ALTERNATE_SCREEN)
        terminal.until("leave")
        terminal.press("q")
        terminal.until_one_of("No round was played.", "No game was played.")


@pytest.mark.slow
def test_a_window_that_is_closed_in_a_hand_loses_nothing(tmp_path: Path, cardroom: CommandLine) -> None:
    record = tmp_path / "x.jsonl"
    with Terminal(*PLAY, "--record", str(record), exit_code=129) as terminal:
        terminal.until("leave")
        terminal.press(" ")
        terminal.until_one_of(*A_HAND_IN_PLAY_OR_OVER)
        terminal.close()
    assert cardroom("verify", record).code == 0
    assert list(tmp_path.iterdir()) == [record]


class ClosedWindow(io.StringIO):
    """What is written to a window that was closed."""

    def write(self, text: str) -> int:
        raise OSError(errno.EIO, "Input/output error")

    def flush(self) -> None:
        raise OSError(errno.EIO, "Input/output error")


def test_what_is_drawn_after_a_window_was_closed_waits_for_nobody() -> None:
    """Textual's writer waits when thirty texts are queued; for one that an error has ended, for ever."""
    writer = WriterThread(OpenEnded(ClosedWindow()))  # type: ignore[arg-type]
    writer.start()

    def draw() -> None:
        for _ in range(1000):
            writer.write("x")

    drawing = threading.Thread(target=draw, daemon=True)
    drawing.start()
    drawing.join(60)
    assert not drawing.is_alive()
    writer.stop()


def test_the_app_draws_through_such_a_writer() -> None:
    class Driver:
        def __init__(self) -> None:
            self._file = io.StringIO()

    outliving: Any = outliving_its_window(Driver)  # type: ignore[arg-type]
    assert isinstance(outliving()._file, OpenEnded)
    assert TableApp(Leaving()).driver_class.__name__ == outliving.__name__


@pytest.mark.slow
def test_sigterm_leaves_with_its_code() -> None:
    with Terminal("play", "knockout-52", exit_code=143) as terminal:
        terminal.until("leave")
        terminal.signal(signal.SIGTERM)
        terminal.until("No game was played.")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "window", "variables"),
    [
        (("--no-app",), {}, {}),
        (("--plain",), {}, {}),
        ((), {}, {"CARDROOM_PLAIN": "1"}),
        ((), {}, {"TERM": "dumb"}),
        ((), {}, {"PYTHONIOENCODING": "latin-1"}),
        ((), {"columns": 59}, {}),
        ((), {"lines": 19}, {}),
    ],
)
def test_lines_where_the_app_cannot_or_shall_not_be(
    arguments: tuple[str, ...], window: dict[str, int], variables: dict[str, str]
) -> None:
    with Terminal(*PLAY, *arguments, **window, variables=variables) as terminal:
        terminal.until(IN_LINES)
        assert ALTERNATE_SCREEN not in terminal.seen
        terminal.press("quit\n")


def test_lines_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen:
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Screen())
    monkeypatch.setattr(sys, "stdout", Screen())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")

    def spec(there: bool) -> Any:
        return lambda name: object() if there and name == faces.LIBRARY else None

    monkeypatch.setattr(faces, "find_spec", spec(True))
    assert faces.can_fill_the_screen(plain=False)
    monkeypatch.setattr(faces, "find_spec", spec(False))
    assert not faces.can_fill_the_screen(plain=False)
