"""A game that is left in its middle: by Ctrl-C, a closed window, SIGTERM or SIGKILL."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from cardroom.cli import leaving
from cardroom.cli.leaving import SIGNALS, Leaving, PlayerLeft
from cardroom.cli.recording import envelope_of
from cardroom.engine import twentyone
from cardroom.presentation.money import dollars
from tests.command_line import COMMAND, CommandLine, run_process
from tests.terminal import Terminal

BLACKJACK = ("play", "blackjack", "--no-app", "--cut", "2", "--pace", "0", "--record")
MENU = "q leave"


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def records_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def rounds_of(path: Path) -> list[str]:
    return [text for record in records_of(path) for text in record["rounds"] if not text.startswith("burn")]


def to_a_decision(terminal: Terminal) -> None:
    """Play rounds until one waits for a decision: hands of 21 and the dealer's blackjacks have none."""
    terminal.until("Your bet")
    terminal.press("\n")
    terminal.until_one_of(MENU, "Your bet [4.00]: ")
    while MENU not in terminal.seen:
        terminal.press("\n")
        terminal.until_one_of(MENU, "Your bet [4.00]: ")


def finish_round(terminal: Terminal) -> None:
    """Stand until the round is over."""
    while "Your result" not in terminal.seen:
        terminal.press("n" if "n no insurance" in terminal.seen else "s")
        terminal.until_one_of(MENU, "Your result")
    terminal.until("Your bet [4.00]: ")


def in_round_4(terminal: Terminal) -> None:
    for _ in range(3):
        to_a_decision(terminal)
        finish_round(terminal)
    to_a_decision(terminal)


@pytest.mark.slow
@pytest.mark.requirement("R-15")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGHUP, 129), (signal.SIGTERM, 143), (signal.SIGINT, 130)]
)
def test_who_is_sent_away_stands_and_the_round_is_recorded(
    tmp_path: Path, cardroom: CommandLine, number: int, code: int
) -> None:
    record = tmp_path / "x.jsonl"
    with Terminal(*BLACKJACK, str(record), exit_code=code) as terminal:
        in_round_4(terminal)
        terminal.signal(number)
        terminal.until("and your hands stood.")
        terminal.until("Check the rounds")
    assert len(rounds_of(record)) >= 4
    assert rounds_of(record)[-1].count("stand") + rounds_of(record)[-1].count("no insurance") >= 1
    assert cardroom("verify", record).code == 0
    assert not envelope_of(record).exists()


def test_the_window_is_closed_in_a_hand(tmp_path: Path, cardroom: CommandLine) -> None:
    """Nobody can read the summary, and the record is whole all the same."""
    record = tmp_path / "x.jsonl"
    with Terminal(*BLACKJACK, str(record), exit_code=129) as terminal:
        in_round_4(terminal)
        terminal.close()
    assert len(rounds_of(record)) >= 4
    assert cardroom("verify", record).code == 0
    assert list(tmp_path.iterdir()) == [record]


def test_ctrl_c_again_and_again_does_not_lose_the_round(tmp_path: Path, cardroom: CommandLine) -> None:
    record = tmp_path / "x.jsonl"
    arguments = ("play", "players-edge-21", "--seed", "3", "--bet", "10", "--cut", "2", "--players", "6")
    with Terminal(*arguments, "--pace", "60", "--record", str(record), exit_code=130) as terminal:
        terminal.until("Round 1")
        terminal.until_one_of(*"♣♦♥♠")  # the first card lies there, and the next comes in a minute
        for _ in range(5):
            terminal.process.send_signal(signal.SIGINT)
        terminal.until("You left in round 1, and your hands stood.")
    assert len(rounds_of(record)) == 1
    assert cardroom("verify", record).code == 0


def test_ctrl_c_at_the_prompt_leaves_with_130(tmp_path: Path, cardroom: CommandLine) -> None:
    record = tmp_path / "x.jsonl"
    with Terminal(*BLACKJACK, str(record), exit_code=130) as terminal:
        to_a_decision(terminal)
        finish_round(terminal)
        terminal.press("\x03")
        terminal.until("Your session of ")
    assert "hands stood" not in terminal.seen
    assert cardroom("verify", record).code == 0


def test_sigterm_at_the_prompt_of_knockout_52(tmp_path: Path) -> None:
    with Terminal("play", "knockout-52", "--no-app", exit_code=143) as terminal:
        terminal.until("Your bets: ")
        terminal.signal(signal.SIGTERM)
        terminal.until("No game was played.")


@pytest.mark.slow
@pytest.mark.requirement("R-15", "R-44")
def test_a_killed_process_leaves_its_rounds_and_the_cards_of_the_one_it_was_in(
    tmp_path: Path, cardroom: CommandLine
) -> None:
    record = tmp_path / "x.jsonl"
    with Terminal(*BLACKJACK, str(record), exit_code=-signal.SIGKILL) as terminal:
        in_round_4(terminal)
        terminal.process.kill()
    text = record.read_text("utf-8")
    assert '"secret"' not in text
    lines = [json.loads(line) for line in text.splitlines()]
    last = [line["round"] for line in lines if line["format"] == "cardroom open round 1"][-1]
    cards = [str(card) for card in twentyone.replay(last)[0].dealt]
    finished = {line["place"]: line["round"] for line in lines[1:]}
    number = sum(not notation.startswith("burn") for notation in finished.values())
    assert number >= 4
    answer = cardroom("verify", record)
    assert answer.code == 0, answer.out
    assert (
        f"in the middle of round {number}, of which these cards were dealt: {' '.join(cards)};" in answer.out
    )
    said = re.search(r"whoever is gone stands, it was played to its end here: You (\S+)", answer.out)
    assert said is not None
    assert f"and {number} rounds used them in order" in answer.out
    assert cardroom("verify", record, "--json").json["records"][0]["remarks"]

    # The next game on the file finishes what was broken off before it begins.
    answer = cardroom("play", "blackjack", "--auto", "--record", record)
    assert "The last game on" in answer.out
    first, second = records_of(record)
    assert len(rounds_of(record)) == number + 1
    kept = [notation for notation in first["rounds"] if not notation.startswith("burn")]
    assert kept[:-1] == [text for text in finished.values() if not text.startswith("burn")][:-1]
    assert kept[-1].startswith(last.rstrip("\n").rsplit("\n", 1)[0])
    assert second["rounds"]
    net = twentyone.balance(twentyone.replay(kept[-1])[1]).players["You"]
    assert said[1] == dollars(net)
    assert cardroom("verify", record).code == 0
    assert list(tmp_path.iterdir()) == [record]


def test_without_its_envelope_a_killed_shoe_is_named(tmp_path: Path, cardroom: CommandLine) -> None:
    record = tmp_path / "x.jsonl"
    with Terminal(*BLACKJACK, str(record), exit_code=-signal.SIGKILL) as terminal:
        to_a_decision(terminal)
        terminal.process.kill()
    envelope_of(record).unlink()
    answer = cardroom("verify", record)
    assert answer.code == 1
    assert "secret: is not known: the shoe was broken off after" in answer.out
    before = record.read_bytes()
    assert "is not there" in cardroom.refused("play", "blackjack", "--auto", "--record", record)
    assert record.read_bytes() == before


def test_a_torn_last_line_costs_nothing_else(tmp_path: Path, cardroom: CommandLine) -> None:
    record = tmp_path / "x.jsonl"
    with Terminal(*BLACKJACK, str(record), exit_code=-signal.SIGKILL) as terminal:
        to_a_decision(terminal)
        terminal.process.kill()
    record.write_bytes(record.read_bytes()[:-40])
    assert cardroom("verify", record).code == 0
    assert cardroom("play", "blackjack", "--auto", "--record", record).code == 0
    assert cardroom("verify", record).code == 0
    assert len(records_of(record)) == 2


def test_a_killed_game_of_knockout_52(tmp_path: Path, cardroom: CommandLine) -> None:
    record = tmp_path / "x.jsonl"
    arguments = (
        "play",
        "knockout-52",
        "--bet",
        "1=5",
        "--seed",
        "7",
        "--pace",
        "step",
        "--record",
        str(record),
    )
    with Terminal(*arguments, exit_code=-signal.SIGKILL) as terminal:
        terminal.until("space: next card")
        terminal.press(" ")
        terminal.until("K♥")
        terminal.process.kill()
    answer = cardroom("verify", record)
    assert answer.code == 0
    assert "in the middle of round 1, of which these cards were dealt: Kh;" in answer.out
    assert cardroom("play", "knockout-52", "--bet", "1=5", "--auto", "--record", record).code == 0
    assert len(rounds_of(record)) == 2
    assert cardroom("verify", record).code == 0


@pytest.mark.slow
@pytest.mark.requirement("R-44")
@pytest.mark.parametrize(
    ("arguments", "prompt", "salt"),
    [
        (("blackjack",), "Cut the cards", ""),
        (("blackjack", "--cut", "2 my words"), "Your bet", "cut 104 back my words"),
        (("knockout-52",), "Your bets: ", ""),
    ],
)
def test_a_shoe_that_was_shown_is_kept_before_its_first_round(
    tmp_path: Path, cardroom: CommandLine, arguments: tuple[str, ...], prompt: str, salt: str
) -> None:
    """Killed once the commitment is on the screen: the file tells of the shoe, and its secret comes out."""
    record = tmp_path / "x.jsonl"
    with Terminal(
        "play", *arguments, "--no-app", "--record", str(record), exit_code=-signal.SIGKILL, columns=200
    ) as terminal:
        terminal.until(prompt)
        shown = re.search(r"Commitment ([0-9a-f]{64})", terminal.seen)
        terminal.process.kill()
    assert shown is not None
    (line,) = records_of(record)
    assert (line["commitment"], bytes.fromhex(line["salt"]).decode()) == (shown[1], salt)
    answer = cardroom("verify", record, "--commitment", shown[1])
    assert answer.code == 0, answer.out
    assert "the shoe was begun, and broken off before its first round" in answer.out
    assert "and 0 rounds used them in order" in answer.out
    bets = ("--bet", "1=5") if arguments[0] == "knockout-52" else ()
    answer = cardroom("play", arguments[0], "--auto", *bets, "--record", record)
    assert "The last game on" in answer.out
    assert [len(rounds) > 0 for rounds in (one["rounds"] for one in records_of(record))] == [False, True]
    assert cardroom("verify", record, "--commitment", shown[1]).code == 0


def test_who_leaves_knockout_52_before_a_bet_is_told_the_secret(
    tmp_path: Path, cardroom: CommandLine
) -> None:
    record = tmp_path / "x.jsonl"
    with Terminal("play", "knockout-52", "--no-app", "--record", str(record), exit_code=130) as terminal:
        terminal.until("Your bets: ")
        terminal.press("\x03")
        terminal.until("No game was played.")
    assert rounds_of(record) == []
    assert cardroom("verify", record).code == 0
    assert list(tmp_path.iterdir()) == [record]


@pytest.mark.slow
def test_two_games_do_not_write_one_file(tmp_path: Path) -> None:
    record = tmp_path / "x.jsonl"
    with Terminal(*BLACKJACK, str(record)) as terminal:
        to_a_decision(terminal)
        other = run_process("play", "blackjack", "--auto", "--record", str(record))
        assert other.returncode == 2
        assert "another game is adding records" in other.stderr
        looked = run_process("verify", str(record), "--replay")  # that would show the cards to come
        assert looked.returncode == 2
        assert "a game is in play on" in looked.stderr
        terminal.press("q")
        terminal.until("and your hands stood.")


def test_a_late_bet_of_a_script_does_not_lose_the_game(tmp_path: Path, cardroom: CommandLine) -> None:
    record = tmp_path / "x.jsonl"
    lines = "1=5\n\n2=5\n"
    cardroom.refused("play", "knockout-52", "--pace", "step", "--record", record, stdin=lines)
    assert len(rounds_of(record)) == 1
    assert cardroom("verify", record).code == 0


@pytest.mark.slow
def test_a_reader_who_goes_does_not_lose_the_round(tmp_path: Path, cardroom: CommandLine) -> None:
    """`cardroom play … | head -1`: the pipe breaks, and the round is stood out and recorded."""
    record = tmp_path / "x.jsonl"
    with subprocess.Popen(
        [*COMMAND, "play", "blackjack", "--bet", "4", "--rounds", "5000", "--auto", "--record", str(record)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        while b"Round 2" not in process.stdout.readline():
            pass
        process.stdout.close()
        assert process.wait(300) == 141
    assert 2 <= len(rounds_of(record)) < 5000
    assert cardroom("verify", record).code == 0


def test_signals_are_noted_and_break_only_what_waits() -> None:
    with Leaving() as going:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            signal.raise_signal(number)
        assert going.noted
        assert going.exit_code == 130
        with pytest.raises(PlayerLeft), going.breakable():
            pass
    with Leaving() as going, pytest.raises(PlayerLeft), going.breakable():
        signal.raise_signal(signal.SIGTERM)
    assert going.exit_code == 143


def test_nothing_is_heard_after_leaving_where_the_process_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {number: signal.getsignal(number) for number in SIGNALS}
    ends = threading.Event()
    monkeypatch.setattr(leaving, "PROCESS_ENDS", ends)
    before = signal.getsignal(signal.SIGINT)
    try:
        for process_ends, left, after in (
            (False, True, before),
            (True, False, before),
            (True, True, signal.SIG_IGN),
        ):
            if process_ends:
                ends.set()
            with Leaving():
                if left:
                    signal.raise_signal(signal.SIGINT)
            assert signal.getsignal(signal.SIGINT) == after
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)


def test_ctrl_c_until_the_process_is_gone_leaves_with_130(tmp_path: Path, cardroom: CommandLine) -> None:
    """Whoever presses it again while the program ends gets the same exit code, and no trace."""
    record = tmp_path / "x.jsonl"
    with Terminal(*BLACKJACK, str(record), exit_code=130) as terminal:
        terminal.until("Your bet")
        terminal.signal(signal.SIGINT)
        while terminal.process.poll() is None:
            terminal.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                terminal.process.wait(0.005)
    assert "Traceback" not in terminal.seen
    assert cardroom("verify", record).code == 0


def _be_busy() -> None:
    """Work on for longer than the clock needs to come by."""
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        pass


@pytest.mark.slow
def test_the_clock_stops_with_the_wait_and_cuts_no_tidying_short() -> None:
    """What follows a wait, or puts things in order on the way out of it, is not ended a second time."""
    tidied = 0
    for _ in range(3):
        with Leaving() as going:
            with pytest.raises(PlayerLeft), going.breakable():  # noqa: PT012
                try:
                    signal.raise_signal(signal.SIGINT)
                    time.sleep(600)
                finally:
                    _be_busy()
                    tidied += 1
            _be_busy()
    assert tidied == 3


def test_the_clock_raises_nothing_while_a_wait_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(which: int, seconds: float, interval: float = 0.0) -> None:
        if not seconds:
            signal.raise_signal(signal.SIGINT)
            _be_busy()
        set_timer(which, seconds, interval)

    set_timer = signal.setitimer
    monkeypatch.setattr(signal, "setitimer", late)
    with Leaving() as going:
        with pytest.raises(PlayerLeft), going.breakable():
            pass
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_who_keeps_the_end_of_a_wait_to_himself_is_told_again() -> None:
    with Leaving() as going, pytest.raises(PlayerLeft), going.breakable():  # noqa: PT012
        with suppress(PlayerLeft):
            signal.raise_signal(signal.SIGINT)
            time.sleep(600)
        time.sleep(600)


def test_a_wait_within_a_wait() -> None:
    with Leaving() as going, pytest.raises(PlayerLeft), going.breakable():  # noqa: PT012
        with going.breakable():
            pass
        assert signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0)
        signal.raise_signal(signal.SIGINT)
