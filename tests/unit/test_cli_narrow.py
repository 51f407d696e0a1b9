"""Narrow windows, and output that is not UTF-8: no name, no label and no digit is lost."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
from itertools import takewhile
from pathlib import Path

import pytest

from cardroom.cli.ascii import HANDLER, prepare
from cardroom.cli.output import console, plain_table
from cardroom.cli.twentyone.strategy import _print_grid
from cardroom.games import GAMES
from cardroom.lab.charts import Grid, GridRow
from cardroom.model.twentyone.columns import UP_CARD
from cardroom.presentation import wager_title
from cardroom.presentation.money import average, dollars
from cardroom.presentation.numbers import percent, signed
from cardroom.rules.variants import variant_names
from tests.command_line import COMMAND, CommandLine

WIDTHS = [80, 60, 40]


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def words(text: str) -> str:
    """A text without its line breaks."""
    return " ".join(text.split())


@pytest.mark.parametrize("width", WIDTHS)
def test_games(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    out = cardroom("games").out
    assert "…" not in out
    lines = out.splitlines()
    assert max(map(len, lines)) <= width
    table = lines[: lines.index(next(line for line in lines if line.startswith("A variant")))]
    heads = {*GAMES, *variant_names(), "Game", "Variant"}
    assert all(line.startswith(" ") for line in table if line and line.split()[0] not in heads)
    for game in GAMES.values():
        assert game.id in out
        assert game.title in words(out)
        assert game.about in words(out)


@pytest.mark.parametrize("command", [("rules", "blackjack"), ("bets",)])
def test_sentences_wrap_in_their_column(
    cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """A window of the usual width shows a table, not a few lines for every row."""
    monkeypatch.setenv("COLUMNS", "80")
    out = cardroom(*command).out.splitlines()
    assert max(map(len, out)) <= 80
    head = next(line for line in out if line.startswith(("Clause", "Side bet")))
    column = head.index("Rule" if command[0] == "rules" else "Wins on")
    rows = list(takewhile(bool, out[out.index(head) + 1 :]))
    assert len(rows) > 30
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in rows)


@pytest.mark.slow
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("game", ["knockout-52", "knockout-21"])
def test_odds(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch, game: str, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    figures = cardroom("odds", game, "--json").json["wagers"]
    out = words(cardroom("odds", game).out)
    for wager in figures:
        assert wager_title(wager["wager"]) in out
        assert f"{100 * wager['hit_frequency']:.4f} %" in out
    for label in ("Wins", "1 in", "Method", "exact"):
        assert label in out


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("label", ["hard 18-20", "6-7-8 of spades without a seven of the dealer"])
def test_charts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], label: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    rows = tuple(
        GridRow(name, tuple(f"D{letter}" for letter in "hshshshshs"), (True,) + (False,) * 9)
        for name in (label, "pair 10")
    )
    _print_grid(Grid("A title of the grid", rows, UP_CARD.names))
    out = capsys.readouterr().out
    assert max(len(line.rstrip()) for line in out.splitlines()) <= max(width, len(label))
    assert out.count("Dh") == out.count("Ds") == 10
    for name in ("A title of the grid", label, "pair 10"):
        assert name in out
    head = next(line for line in out.splitlines() if " 10 " in line and "pair" not in line)
    assert head.split()[-10:] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]


def test_a_row_that_does_not_fit_becomes_lines(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    table = plain_table("Wager", "Staked", "Won", right=("Staked",))
    table.add_row("All the Way", "$1,234.00", "")
    table.add_row("Together", "$1,235.00", "twice", style="bold")
    console().print(table)
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert lines == ["All the Way", "  Staked $1,234.00", "", "Together", "  Staked $1,235.00", "  Won twice"]


def bytes_of(*arguments: str, **variables: str) -> bytes:
    told = ("LC_ALL", "PYTHONUTF8", "PYTHONIOENCODING")
    environment = {name: value for name, value in os.environ.items() if name not in told}
    answer = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, check=True, timeout=300, env={**environment, **variables}
    )
    return answer.stdout


@pytest.mark.slow
@pytest.mark.parametrize("variables", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX"}])
def test_ascii_cards_and_frames(variables: dict[str, str]) -> None:
    text = bytes_of("play", "blackjack", "--auto", "--seed", "3", **variables).decode("ascii")
    whole = bytes_of("play", "blackjack", "--auto", "--seed", "3", PYTHONIOENCODING="utf-8").decode("utf-8")
    assert "?" not in text
    assert "+----+----+" in text
    for suit, letter in zip("♣♦♥♠", "cdhs", strict=True):
        whole = whole.replace(suit, letter)
    assert [line.split("|")[1:-1] for line in text.splitlines() if "|" in line] == [
        [cell.replace("↷", "~") for cell in line.split("│")[1:-1]]
        for line in whole.splitlines()
        if "│" in line
    ]


def test_a_session_keeps_within_a_narrow_window() -> None:
    """Secrets and commitments are broken, too, and none of their digits is lost."""
    play = ("play", "blackjack", "--auto", "--seed", "3")
    out = bytes_of(*play, COLUMNS="40", LC_ALL="C").decode("ascii")
    assert max(map(len, out.splitlines())) <= 40
    assert re.search(r"Secret\s+([0-9a-f]\s*){64}\n", out)


def test_a_knockout_52_layout_in_ascii() -> None:
    text = bytes_of("play", "knockout-52", "--bet", "1=5", "--auto", "--seed", "3", LC_ALL="C").decode(
        "ascii"
    )
    assert "o Round 1       7d   6c   2h" in text
    assert "* Round 2" in text
    assert "?" not in text


def test_latin_1_keeps_what_it_has() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    prepare(stream)
    stream.write("Zoë · 2 × ♠ − 5¢ …")
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    assert buffer.getvalue() == "Zoë · 2 × s - 5¢ ...".encode("latin-1")


def test_json_loses_nothing_in_ascii(tmp_path: Path) -> None:
    house = tmp_path / "house.toml"
    house.write_text('extends = "knockout-52"\ntitle = "Zoë’s room ♠"\n', "utf-8")
    text = bytes_of("rules", "knockout-52", "--rules", str(house), "--json", LC_ALL="C").decode("ascii")
    assert json.loads(text)["title"] == "Zoë’s room ♠"


def test_one_minus_sign() -> None:
    """Amounts, averages and figures have the same; an output without it has a hyphen in its place."""
    texts = [dollars(-500), average(-17.4), signed(-1.5, 1), percent(-0.015)]
    assert texts == ["−$5.00", "−17¢", "−1.5", "−1.5000 %"]
    assert [text.encode("ascii", HANDLER)[:1] for text in texts] == [b"-"] * 4


def test_one_name_for_a_wager(cardroom: CommandLine) -> None:
    lines = "10 up=5 m1\nd\ns\nreplay 1\nq\n"
    out = cardroom("play", "players-edge-21", "--seed", "4", stdin=lines).out
    help_text, _, played = out.partition("Commitment")
    assert "up=AMOUNT (Match Up)" in words(help_text)
    assert "$5.00 on Match Up" in played
    assert "Match Up −$5.00" in played
    assert "$1.00 on Monster Match $1" in played
    for other in ("match-up", "monster-match", "Monster Match 1", " up $", " m1 $", "on primary"):
        assert other not in played


@pytest.mark.clause("PROC-2")
def test_a_table_of_one_wager_says_how_to_get_another(cardroom: CommandLine) -> None:
    said = "for other wagers start with --set limits.min=1.00 --set limits.max=100.00"
    assert said in cardroom.refused("play", "blackjack", "--bet", "5")
    assert said in cardroom.refused("play", "blackjack", stdin="5\n")
    assert said[1:] in words(cardroom("play", "blackjack", stdin="").out)
    limits = ("--set", "limits.min=1.00", "--set", "limits.max=100.00")
    assert cardroom("play", "blackjack", *limits, "--bet", "5", "--auto").code == 0
    assert "--set" not in cardroom.refused("play", "players-edge-21", "--bet", "2")


def test_a_round_is_named_as_verify_names_it(cardroom: CommandLine, tmp_path: Path) -> None:
    """In the second shoe the screen says which round of the shoe it is, and `verify` says the same."""
    record = tmp_path / "x.jsonl"
    arguments = ("--auto", "--rounds", "9", "--seed", "3", "--set", "decks=1", "--record", record)
    out = cardroom("play", "spanish-21", *arguments).out
    shoes = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    counts = [sum(not text.startswith("burn") for text in shoe["rounds"]) for shoe in shoes]
    assert sum(counts) == 9
    assert counts[1] >= 1
    assert f"Round {counts[0] + 1} (round 1 of shoe 2)" in out
    shoe = shoes[1]
    shoe["rounds"][1] = shoe["rounds"][1].replace("4.00", "5.00", 1)
    record.write_text("\n".join(json.dumps(shoe) for shoe in shoes) + "\n", "utf-8")
    found = cardroom("verify", record, "--json").json["records"][1]["findings"]
    assert "round 1" in [finding["where"] for finding in found]
