"""`cardroom protect`: no option is dropped without a word."""

from __future__ import annotations

import pytest
import typer

from cardroom.cli.twentyone.protect import app
from cardroom.cli.twentyone.protect_questions import GOES_WITH, QUESTIONS
from tests.command_line import CommandLine


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--deviations illustrious", "--deviations goes with --ramp, not alone"),
        ("--side 21+3@4", "--side goes with --ramp, not alone"),
        ("--bankroll 500", "--bankroll goes with --ramp, not alone"),
        ("--only 21+3", "--only goes with --perfect or --second-order, not alone"),
        ("--known --only 21+3", "--only goes with --perfect or --second-order, not with --known"),
        ("--house --cut-cards 52", "--cut-cards goes with --ramp, not with --house"),
        (
            "--house --count ko",
            "--count goes with --ramp or --indices or --efficiency, not with --house",
        ),
        ("--effects --count ko", "--count goes with --ramp or --indices or --efficiency, not with --effects"),
        (
            "--ramp 1:2 --shoes 60",
            "--shoes goes with --indices or --efficiency or --perfect or --house, not with --ramp",
        ),
        ("--rounds 1000 --watch 3", "--watch goes with --house, not with --ramp"),
        ("--house --known", "--house and --known are questions of their own"),
        ("--rounds 1000 --perfect", "--perfect and --ramp are questions of their own"),
        ("--ramp 1:2 --rounds 1000 --bankroll nan", "--bankroll nan is not allowed; allowed: above 0 units"),
        ("--ramp 1:2 --rounds 1000 --bankroll inf", "--bankroll inf is not allowed; allowed: above 0 units"),
    ],
)
def test_options_that_say_nothing_are_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: str, words: str
) -> None:
    refused = CommandLine(monkeypatch, capsys)("protect", "blackjack", *options.split())
    assert refused.code == 2
    assert words in refused.err
    assert len(refused.err.strip().splitlines()) == 1


def test_every_option_is_known_to_its_question() -> None:
    """A new option is either of every question, or named with the questions that it goes with."""
    options = {str(parameter.name) for parameter in typer.main.get_command(app).params}
    assert set(GOES_WITH) | set(QUESTIONS) <= options
    of_all = {"rounds", "plot", "changes", "rules_file", "as_json"}  # plot says it itself
    assert options - set(GOES_WITH) - set(QUESTIONS) == of_all
