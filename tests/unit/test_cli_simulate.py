"""`cardroom simulate`: what it prints and writes, how it is stopped and resumed, what it refuses."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cardroom.lab.rule_sets import FAMILY
from cardroom.sim import dask as dask_module
from tests.command_line import COMMAND, CommandLine
from tests.terminal import Terminal

pytestmark = pytest.mark.slow

WAGERS = {
    "blackjack": ["primary", "insurance", "21+3", "match-the-dealer"],
    "spanish-21": ["primary", "insurance", "match-the-dealer"],
    "players-edge-21": [
        *("primary", "insurance", "super-bonus", "match-up", "match-down"),
        *("monster-match-1", "monster-match-5"),
    ],
}


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.parametrize("game", FAMILY)
def test_simulate_json(cardroom: CommandLine, game: str) -> None:
    arguments = ("simulate", game, "--rounds", "2_500_000", "--seed", "5", "--json")
    answer = cardroom(*arguments, "--workers", "1")
    assert (answer.code, answer.err) == (0, "")
    assert cardroom(*arguments, "--workers", "2") == answer
    found = answer.json
    assert (found["game"], found["rounds"], found["seed"]) == (game, 2_500_000, 5)
    assert (found["strategy"], found["spots"], found["dealing"]) == ("basic", 1, "a fresh shoe every round")
    assert (found["shoes"], found["rounds_per_shoe"], found["interrupted"]) == (2_500_000, 1.0, False)
    assert [wager["wager"] for wager in found["wagers"]] == WAGERS[game]
    for wager in found["wagers"]:
        low, high = wager["confidence_interval_95"]
        assert low <= wager["expected_value"]["decimal"] <= high
        assert wager["off_by_standard_errors"] is None or abs(wager["off_by_standard_errors"]) < 4
    primary = found["wagers"][0]
    assert primary["exact"]["decimal"] == pytest.approx(primary["expected_value"]["decimal"], abs=0.004)
    assert sum(line["rounds"] for line in primary["outcomes"]) == 2_500_000
    assert sum(row["rounds"] for row in found["by_up_card"]) == 2_500_000
    assert [row["up_card"] for row in found["by_up_card"]] == list("A23456789T")
    assert 1.0 < found["average_wager"] < 1.4


def test_simulate_for_people(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out = cardroom("simulate", "players-edge-21", "--rounds", "1e5", "--set", "decks=8").out
    assert "with decks = 8 (default 6)" in out
    assert "100,000 rounds from seed 1\nbasic strategy, a fresh shoe every round\n" in out
    assert "Monster Match $5" in out
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("options", "dealing", "spots", "rounds_per_shoe"),
    [
        ("--dealing fresh", "a fresh shoe every round", 1, (1, 1)),
        ("--dealing house", "shoes with 104 cards behind the cut card, 1 burned", 1, (37, 40)),
        ("--cut-cards 26", "shoes with 26 cards behind the cut card, 1 burned", 1, (51, 55)),
        ("--cut-cards 26 --spots 7", "shoes with 26 cards behind the cut card, 1 burned", 7, (12, 15)),
        ("--rounds-per-shoe 9", "shoes with 9 rounds at most, 1 burned", 1, (8.9, 9)),
        ("--set decks=infinite --dealing house", "infinite decks", 1, None),
    ],
)
def test_dealing(
    cardroom: CommandLine, options: str, dealing: str, spots: int, rounds_per_shoe: tuple[float, float] | None
) -> None:
    line = f"simulate blackjack --rounds 2e5 --no-side-bets --json {options}"
    found = cardroom(*line.split()).json
    assert (found["dealing"], found["spots"]) == (dealing, spots)
    assert [wager["wager"] for wager in found["wagers"]] == ["primary", "insurance"]
    if rounds_per_shoe is None:
        assert found["rounds_per_shoe"] is None
    else:
        assert rounds_per_shoe[0] <= found["rounds_per_shoe"] <= rounds_per_shoe[1]
    assert abs(found["wagers"][0]["off_by_standard_errors"]) < 5


def test_a_chart_of_ones_own(cardroom: CommandLine, tmp_path: Path) -> None:
    """The chart of basic strategy plays as basic does, and is refused at another game."""
    chart = tmp_path / "chart.csv"
    cardroom("strategy", "blackjack", "--csv", chart)
    arguments = ("--rounds", "1e6", "--no-side-bets", "--json")
    by_name = cardroom("simulate", "blackjack", *arguments).json
    by_chart = cardroom("simulate", "blackjack", "--strategy", chart, *arguments).json
    assert by_chart["wagers"] == by_name["wagers"]
    said = cardroom.refused("simulate", "spanish-21", "--strategy", chart)
    assert said == "the chart is for blackjack, not for spanish-21"


def test_composition_where_every_hand_is_played_as_its_total(cardroom: CommandLine) -> None:
    line = "simulate blackjack --strategy composition --set decks=infinite --rounds 1e6 --json"
    primary = cardroom(*line.split()).json["wagers"][0]
    assert abs(primary["off_by_standard_errors"]) < 4


@pytest.mark.parametrize("name", ["settles.svg", "settles.png"])
def test_csv_and_plot(cardroom: CommandLine, tmp_path: Path, name: str) -> None:
    table, plot = tmp_path / "figures.csv", tmp_path / name
    line = ("simulate", "knockout-52", "--rounds", "4e6", "--json", "--csv", table, "--plot", plot)
    wagers = {wager["wager"]: wager for wager in cardroom(*line).json["wagers"]}
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["wager"] for row in rows] == list(wagers)
    for row in rows:
        wager = wagers[row["wager"]]
        assert float(row["expected_value"]) == wager["expected_value"]["decimal"]
        assert [float(row["low_95"]), float(row["high_95"])] == wager["confidence_interval_95"]
        assert float(row["exact"]) == wager["exact"]["decimal"]
        assert int(row["rounds"]) == 4_000_000
    head = b"<?xml" if name.endswith("svg") else b"\x89PNG"
    assert plot.read_bytes().startswith(head)


def test_until_the_standard_error(cardroom: CommandLine) -> None:
    line = "simulate blackjack --until-se 0.0008 --no-side-bets --json"
    found = cardroom(*line.split(), "--workers", "2").json
    assert found["wagers"][0]["standard_error"] <= 0.0008
    assert found["rounds"] == 3 * 2**20  # 1.16 / 0.0008, squared, is 2.1 million: in whole batches
    assert cardroom(*line.split(), "--workers", "1").json == found
    answer = cardroom("simulate", "knockout-52", "--until-se", "1e-6", "--rounds", "1e5", "--json")
    assert answer.json["rounds"] == 100_000
    assert "the standard error is 2.0" in answer.err


def test_checkpoint(cardroom: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    first = ("simulate", "blackjack", "--no-side-bets", "--json", "--checkpoint", file)
    cardroom(*first, "--rounds", "1.5e6")
    assert json.loads(file.read_text())["batches"] == 1
    longer = cardroom(*first, "--rounds", "2.5e6").json
    assert longer == cardroom(*first[:-2], "--rounds", "2.5e6").json
    for other in (["--seed", "2"], ["--set", "decks=8"], ["--dealing", "house"], ["--spots", "2"]):
        assert "is a checkpoint of another simulation" in cardroom.refused(*first, *other)


def test_ctrl_c_prints_what_is_known_and_a_checkpoint_goes_on(cardroom: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "kept.json"
    command = ["simulate", "knockout-52", "--json", "--checkpoint", str(file), "--rounds"]
    process = subprocess.Popen(
        [*COMMAND, *command, "1e11"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        deadline = time.monotonic() + 300
        while not file.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
    finally:
        process.kill()
    assert process.returncode == 130
    found = json.loads(out)
    rounds = found["rounds"]
    assert found["interrupted"] is True
    assert err == f"interrupted after {rounds:,} rounds; the same command goes on from {file}\n"
    more = str(rounds + 2**20)
    resumed = cardroom(*command, more).json
    assert resumed == cardroom("simulate", "knockout-52", "--json", "--rounds", more).json


def test_the_progress_bar() -> None:
    with Terminal("simulate", "knockout-52", "--rounds", "1e11", exit_code=130) as terminal:
        terminal.until("million/s")
        terminal.until("edge ")
        terminal.press("\x03")
        terminal.until("interrupted after")


REFUSALS: list[tuple[str, str]] = [
    ("--rounds 0", "--rounds 0 is not allowed; allowed: a whole number, 2 to 1e+17"),
    ("--rounds -5", "--rounds -5 is not allowed"),
    ("--rounds many", "--rounds many is not allowed"),
    ("--rounds 1e30", "--rounds 1e+30 would take about"),
    ("--until-se 1e-12", "--until-se 1e-12 would take about"),
    ("--until-se 0", "--until-se 0.0 is not allowed; allowed: a number above 0"),
    ("--until-se nan", "--until-se nan is not allowed"),
    ("--spots 8", "8 spots are not allowed; allowed: 1 to 7"),
    ("--spots 0", "0 spots are not allowed"),
    ("--backend abacus", "'abacus' is not one of 'cpu', 'cuda', 'dask'"),
    ("--dealing slowly", "'slowly' is not one of 'fresh', 'house'"),
    ("--dealing house --cut-cards 5", "--dealing house leaves no room for --cut-cards"),
    ("--cut-cards 312", "312 cards behind the cut card leave none of 312 to deal"),
    ("--cut-cards -1", "-1 cards behind the cut card are not allowed"),
    ("--rounds-per-shoe 0", "a shoe serves at least 1 round, not 0"),
    ("--cut-cards 5 --set decks=infinite", "has no cut card and no end (PROC-6)"),
    ("--strategy composition", "hands are not played as their total"),
    ("--strategy nowhere.csv", "nowhere.csv cannot be read"),
    ("--scheduler tcp://127.0.0.1:1", "it needs --backend dask"),
    ("--backend dask --scheduler tcp://127.0.0.1:1", "no Dask scheduler answers at tcp://127.0.0.1:1"),
    ("--backend dask --scheduler x --workers 2", "--workers counts threads or processes of this machine"),
    ("--csv nowhere/figures.csv", "cannot write nowhere/figures.csv"),
    ("--plot picture.gif", "allowed: a name that ends in .svg or .png"),
    ("--checkpoint .", "cannot write ."),
    ("--backend cuda", "no CuPy here; install the extra: pip install 'cardroom-lab[cuda]'"),
    ("--backend cuda --spots 2", "the GPU plays one spot; use --backend cpu"),
]


@pytest.mark.parametrize(("options", "said"), REFUSALS)
def test_refusals(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch, options: str, said: str) -> None:
    monkeypatch.setattr(dask_module, "_PATIENCE_SECONDS", 0.5)
    without: Any = None
    monkeypatch.setitem(sys.modules, "cupy", without)  # as where it is not installed
    assert said in cardroom.refused("simulate", "blackjack", *options.split())


def test_the_gpu_does_not_play_knockout_52(cardroom: CommandLine) -> None:
    said = cardroom.refused("simulate", "knockout-52", "--backend", "cuda")
    assert said == "the GPU plays the blackjack family only; use --backend cpu"
