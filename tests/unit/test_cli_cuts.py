"""Cuts of the shoe as players type them at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.cli.twentyone.cut import Cut
from cardroom.core.errors import MalformedInput
from tests.command_line import CommandLine
from tests.tables import rules_of


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("", Cut()),
        ("2.5", Cut(2.5)),
        ("2 front", Cut(2.0, end="front")),
        ("front good luck", Cut(end="front", words="good luck")),
        ("1.5 back x", Cut(1.5, words="x")),
        ("lucky", Cut(words="lucky")),
    ],
)
def test_cuts_as_typed(text: str, cut: Cut) -> None:
    assert Cut.parse(text) == cut


@pytest.mark.clause("PROC-6")
@pytest.mark.parametrize(
    ("game", "cut", "refusal"),
    [
        ("blackjack", "5", "a player's cut of 260 cards is refused: 78 to 156 are allowed (PROC-6)"),
        ("spanish-21", "0", "a player's cut of 0 cards is refused"),
        ("players-edge-21", "1.4", "a player's cut of 67 cards is refused: 72 to 144 are allowed (PROC-6)"),
        ("blackjack", f"2 {'x' * 201}", "words for the shuffle are at most 200 characters on one line"),
        ("blackjack", "1e999", "'1e999' is no depth; write decks, such as 2.5"),
        ("knockout-52", "x" * 201, "a cut is at most 200 printable characters on one line"),
    ],
)
def test_a_cut_that_is_not_allowed_is_refused_before_anything_is_dealt_or_written(
    tmp_path: Path, cardroom: CommandLine, game: str, cut: str, refusal: str
) -> None:
    record = tmp_path / "x.jsonl"
    answer = cardroom("play", game, "--cut", cut, "--record", record)
    assert answer.code == 2
    (line,) = answer.err.splitlines()
    assert line.startswith(f"cardroom: {refusal}")
    assert answer.out == ""
    assert not record.exists()


def test_a_cut_in_cards() -> None:
    rules = rules_of("blackjack")
    assert Cut.parse("100 front", in_cards=True).in_cards(rules) == (100, "front")
    assert Cut.parse("2.5").in_cards(rules) == (130, "back")
    assert Cut().in_cards(rules) == (117, "back")
    with pytest.raises(MalformedInput, match="no depth"):
        Cut.parse("1x")
