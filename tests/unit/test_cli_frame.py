"""The frame of the command line: speed, errors, exit codes, completion, pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cardroom import __version__
from cardroom.cli import READER_GONE, WRONG_INPUT
from cardroom.cli.app import SECTIONS
from cardroom.cli.app import command as whole_command
from tests.command_line import COMMAND, CommandLine, run_process


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.slow
def test_help_answers_at_once() -> None:
    """By the time that it works, not by the clock: other programs of the machine do not count."""
    times = []
    for _ in range(8):
        before = os.times()
        assert "Usage: cardroom" in run_process("--help").stdout
        after = os.times()
        times.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    assert min(times) < 0.4


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from cardroom.cli import main; main(['--help']);"
        "heavy = {'cryptography', 'numba', 'numpy', 'pydantic', 'rich'} & set(sys.modules);"
        "print(*heavy, file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert run.stderr.strip() == ""


def test_help_of_every_command(cardroom: CommandLine) -> None:
    text = cardroom("--help").out
    for command in ("games", "rules", "play", "odds", "simulate", "audit", "verify", "fair"):
        assert f"\n  {command} " in text
        assert cardroom(command, "--help").code == 0
    for command in ("play", "odds", "simulate"):
        assert "knockout-52" in cardroom(command, "--help").out
        assert "--set" in cardroom(command, "knockout-52", "-h").out


def test_every_command_stands_in_one_section_of_the_help() -> None:
    listed = [name for names in SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(whole_command().commands)


def test_the_package_runs_as_the_command() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "cardroom", "games"], capture_output=True, check=True, text=True
    )
    assert run.stdout == run_process("games").stdout


def test_nothing_asked_is_help(cardroom: CommandLine) -> None:
    assert cardroom() == cardroom("--help")


def test_version(cardroom: CommandLine) -> None:
    assert cardroom("--version").out == f"cardroom {__version__}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("nonsense", "No such command 'nonsense'"),
        ("--nonsense", "No such option: --nonsense"),
        ("odds knockout-52 --nonsense", "No such option: --nonsense (see cardroom odds knockout-52 --help)"),
        ("odds", "name a game: cardroom odds GAME"),
        ("rules", "Missing argument 'GAME'"),
        ("odds knockout-53", "unknown game 'knockout-53' (did you mean 'knockout-52'?)"),
        ("rules poker", "unknown game 'poker'; the games are blackjack, "),
        ("play chess --auto", "unknown game 'chess'"),
        ("odds knockout-52 --set decks=3", "decks = 3 is not allowed; allowed: 1, 2, 4, 6 or 8 (KO52-1)"),
        ("odds --set decks=3 knockout-52", "decks = 3 is not allowed"),
        ("odds knockout-52 --set decks", "'decks' is not a change of an option"),
        ("odds knockout-52 --set deks=2", "(did you mean 'decks'?)"),
        ("odds knockout-52 --rules nowhere.toml", "cannot read the rules file nowhere.toml"),
        ("simulate knockout-52 --rounds 0", "--rounds 0 is not allowed; allowed: a whole number, 2 to 1e+17"),
        ("simulate knockout-52 --rounds -5", "--rounds -5 is not allowed"),
        ("simulate knockout-52 --rounds 1e30", "--rounds 1e+30 would take about"),
        ("simulate knockout-52 --rounds 2.5", "--rounds 2.5 is not allowed"),
        ("simulate knockout-52 --rounds nan", "--rounds nan is not allowed"),
        ("simulate knockout-52 --rounds many", "--rounds many is not allowed"),
        ("simulate knockout-52 --seed -1", "--seed -1 is not allowed; allowed: 0 to 18446744073709551615"),
        ("simulate knockout-52 --seed x", "Invalid value for '--seed'"),
        ("simulate knockout-52 --workers 0", "--workers 0 is not allowed; allowed: 1 to 1024"),
        ("verify nowhere.jsonl", "cannot read nowhere.jsonl"),
        ("verify draught nowhere.jsonl", "the kinds are"),
        ("fair dump raw --count 0", "--count 0 is not allowed"),
        ("fair dump integers --below 0", "Invalid value for '--below'"),
        ("fair test --shuffles 10", "--shuffles 10 is not allowed"),
    ],
)
def test_wrong_usage_is_one_line(cardroom: CommandLine, line: str, said: str) -> None:
    assert said in cardroom.refused(*line.split())


def test_a_game_that_a_command_does_not_know(cardroom: CommandLine) -> None:
    said = cardroom.refused("play", "knockout-21")
    assert said == (
        "there is no cardroom play for knockout-21, only for blackjack, spanish-21, players-edge-21, "
        "knockout-52; it is run by cardroom lottery and cardroom serve"
    )


def test_options_may_stand_before_the_game(cardroom: CommandLine) -> None:
    assert cardroom("odds", "--json", "--set", "decks=2", "knockout-52") == cardroom(
        "odds", "knockout-52", "--set", "decks=2", "--json"
    )


def test_a_process_says_the_same() -> None:
    run = run_process("odds", "knockout-52", "--set", "decks=3")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == "cardroom: decks = 3 is not allowed; allowed: 1, 2, 4, 6 or 8 (KO52-1)\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("cardroom ", {"games", "rules", "play", "odds", "simulate", "audit", "verify", "fair"}),
        ("cardroom play ", {"knockout-52"}),
        ("cardroom rules kno", {"knockout-21", "knockout-52"}),
        ("cardroom odds knockout-52 --j", {"--json"}),
    ],
)
def test_completion(words: str, expected: set[str]) -> None:
    environment = {
        **os.environ,
        "_CARDROOM_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split(" ")) - 1),
    }
    run = subprocess.run(COMMAND, capture_output=True, check=False, env=environment, text=True)
    assert expected <= set(run.stdout.split())


@pytest.mark.slow
def test_a_reader_that_leaves_is_no_trouble() -> None:
    """`cardroom … | head -1`: no message, whether the pipe breaks early or at the last flush."""
    for arguments in (
        ["fair", "dump", "cards", "--count", "1e5"],
        ["odds", "knockout-52", "--json"],
        ["odds", "knockout-52"],
    ):
        process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        with process.stderr:
            assert process.stderr.read() == b""
        assert process.wait(30) in (0, READER_GONE)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["odds", "knockout-52", "--json"], ["odds", "knockout-52"]])
def test_a_full_disk_is_said_in_a_line(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        run = subprocess.run([*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
    assert run.returncode == WRONG_INPUT
    assert run.stderr.decode().splitlines() == [
        "cardroom: the output cannot be written: No space left on device"
    ]


def test_a_terminal_without_suits_shows_letters() -> None:
    run = subprocess.run(
        [*COMMAND, "play", "knockout-52", "--seed", "1", "--bet", "1=5", "--auto"],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert b"Round 1" in run.stdout
    assert b"?" not in run.stdout


@pytest.mark.parametrize(("words", "code"), [(["--version"], 0), (["odds", "blackjak"], WRONG_INPUT)])
def test_the_package_as_a_command_leaves_with_the_same_code(words: list[str], code: int) -> None:
    run = subprocess.run([sys.executable, "-m", "cardroom", *words], capture_output=True, check=False)
    assert run.returncode == code
