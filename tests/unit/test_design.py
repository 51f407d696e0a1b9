"""The designer on the command line: figures of a file, its faults with their places, and watching it."""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path

import pytest

from cardroom.lab.design import figures
from cardroom.lab.design.figures import bet_figures, with_main_wager
from cardroom.lab.design.reading import read_bets, read_file
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine
from tests.twentyone import house

PAIRS = """\
[side_bets.own]
title = "Own Pairs"
looks_at = ["player_1", "player_2"]
lines = [
  { name = "perfect pair",  when = { same = ["rank", "suit"] },   pays = "25:1" },
  { name = "coloured pair", when = { same = ["rank", "colour"] }, pays = "12:1" },
  { name = "mixed pair",    when = { same = ["rank"] },           pays = "6:1" },
]
"""
FLUSH = '{ name = "flush", when = { same = ["suit"] }, pays = "3:1" },'


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def unsolved(monkeypatch: pytest.MonkeyPatch) -> None:
    """What needs a solution of the game takes seconds, and has tests of its own."""
    monkeypatch.setattr(figures, "with_main_wager", lambda *_: ())


def written(folder: Path, text: str, name: str = "own.toml") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def bet(*lines: str, more: str = "", looks_at: str = '"player_1", "player_2"') -> str:
    """A file with a bet whose first line of lines is the fifth of the file."""
    inner = "\n".join(f"  {line}" for line in lines)
    return f'[side_bets.own]\ntitle = "Own"\nlooks_at = [{looks_at}]\nlines = [\n{inner}\n]\n{more}'


@pytest.mark.slow
@pytest.mark.usefixtures("unsolved")
def test_the_figures_of_a_bet_by_hand(cardroom: CommandLine, tmp_path: Path) -> None:
    """Of 52 × decks − 1 cards, decks − 1 make a perfect pair, decks a coloured and 2 × decks a mixed one."""
    (found,) = cardroom("design", written(tmp_path, PAIRS), "--json").json["bets"]
    assert [one["decks"] for one in found["by_decks"]] == [1, 2, 4, 6, 8, "infinite"]
    for one in found["by_decks"][:-1]:
        decks, left = one["decks"], 52 * one["decks"] - 1
        chances = [Fraction(decks - 1, left), Fraction(decks, left), Fraction(2 * decks, left)]
        hit = sum(chances)
        mean = 25 * chances[0] + 12 * chances[1] + 6 * chances[2] - (1 - hit)
        square = 625 * chances[0] + 144 * chances[1] + 36 * chances[2] + (1 - hit)
        assert [Fraction(line["chance"]["fraction"]) for line in one["lines"][:3]] == chances
        assert Fraction(one["hit_frequency"]["fraction"]) == hit
        assert Fraction(one["expected_value"]["fraction"]) == mean
        assert Fraction(one["variance"]["fraction"]) == square - mean**2
        assert one["volatility_index"] == pytest.approx(1.645 * float(square - mean**2) ** 0.5)
    assert found["lines"][0]["return"]["fraction"] == "125/311"
    assert found["decks"] == 6


@pytest.mark.usefixtures("unsolved")
def test_what_is_printed(cardroom: CommandLine, tmp_path: Path) -> None:
    said = " ".join(cardroom("design", written(tmp_path, PAIRS)).out.split())
    assert "Own Pairs at Blackjack, 6 decks" in said
    assert "perfect pair 25:1 5/311 1.6077 % 62.200 0.401929" in said
    assert "6 6.1093 % 7.3955 % 15.1377 6.400" in said
    assert "Warning: perfect pair can never win with 1 deck" in said
    assert "Warning: the house edge is below 0: −1.923 % with infinite decks" in said
    assert "Warning: the house edge is above 25 %: 47.059 % with 1 deck" in said
    assert "changes the sign of the house edge: −1.923 % with infinite decks, 47.059 % with 1 deck" in said


@pytest.mark.usefixtures("unsolved")
def test_a_bet_is_put_on_any_game_of_the_family(cardroom: CommandLine, tmp_path: Path) -> None:
    found = cardroom("design", written(tmp_path, PAIRS), "--game", "spanish-21", "--json").json
    assert found["game"] == "spanish-21"
    assert found["bets"][0]["lines"][2]["chance"]["fraction"] == "12/287"
    said = cardroom.refused("design", tmp_path / "own.toml", "--game", "knockout-52")
    assert said == "knockout-52 has no side bets; those of the blackjack family have"


@pytest.mark.usefixtures("unsolved")
def test_a_file_that_is_one_bet_is_called_as_the_file(cardroom: CommandLine, tmp_path: Path) -> None:
    text = 'about = "a flush"\n' + bet(FLUSH).replace("[side_bets.own]\n", "")
    (found,) = cardroom("design", written(tmp_path, text, "My Flush.toml"), "--json").json["bets"]
    assert (found["wager"], found["title"]) == ("my-flush", "Own")
    # Of 311 cards, 77 are of the first card's suit.
    assert found["lines"][0]["chance"]["fraction"] == "77/311"
    like = 'title = "Less for a mixed pair"\nlike = "perfect-pairs"\nmixed_pair = "5:1"\n'
    (found,) = cardroom("design", written(tmp_path, like, "less.toml"), "--json").json["bets"]
    assert (found["wager"], found["title"]) == ("less", "Less for a mixed pair")
    assert [line["pays"] for line in found["lines"][:3]] == ["25:1", "12:1", "5:1"]
    wrong = written(tmp_path, text.replace("3:1", "lots"), "wrong.toml")
    assert cardroom.refused("design", wrong).startswith("wrong.toml:5: lines.1.pays: pays = ")


CIRCLE = bet(FLUSH, more='needs = "two"\n') + bet(FLUSH, more='needs = "own"\n').replace(".own]", ".two]")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (bet(FLUSH.replace("same", "sames")), "own.toml:5: side_bets.own.lines.1.when.sames: unknown option"),
        (bet(FLUSH.replace("same", "sames")), "(did you mean 'same'?); known here: of, same, different, "),
        (
            bet(FLUSH, FLUSH.replace("flush", "x").replace("suit", "sute")),
            "own.toml:6: side_bets.own.lines.2.when.same.1: same = \"sute\" is not allowed; allowed: 'rank'",
        ),
        (
            bet(FLUSH, '{ name = "late", when = { total = 22, number = 2 }, pays = "9:1" },'),
            "own.toml:6: side_bets.own.lines.2: late: no cards make it",
        ),
        (
            bet(FLUSH, '{ name = "suited", when = { same = ["rank", "suit"] }, pays = "9:1" },'),
            "own.toml:6: side_bets.own.lines.2: suited: it is never paid, for an earlier line always is",
        ),
        (
            bet(FLUSH.replace("3:1", "lots")),
            "own.toml:5: side_bets.own.lines.1.pays: pays = \"lots\": 'lots' is not odds",
        ),
        (
            bet(FLUSH.replace("3:1", "meter"), more='fixed_stake = "1.00"\n'),
            "own.toml:5: side_bets.own.lines.1.pays: line 'flush' pays the meter, and meter_seed is missing",
        ),
        (
            bet(
                FLUSH.replace("3:1", "meter").replace('"suit"', '"rank"'),
                FLUSH.replace("3:1", "10% of the meter").replace("flush", "a"),
                '{ name = "b", when = { total = 20 }, pays = "20% of the meter" },',
                more='fixed_stake = "1.00"\nmeter_seed = "500.00"\n',
            ),
            "own.toml:7: side_bets.own.lines.3.pays: the lines that pay the meter are written from",
        ),
        (
            bet(FLUSH, FLUSH.replace("flush", "m").replace("3:1", "meter"), more='meter_seed = "5.00"\n'),
            "own.toml:6: side_bets.own.lines.2.pays: line 'm' pays the meter, and fixed_stake is missing",
        ),
        (
            bet(FLUSH, looks_at='"player_1", "player_2", "player_3", "dealer_up", "dealer_hole"'),
            "own.toml:3: side_bets.own.looks_at: a bet looks at 4 single cards at most, and this one at 5",
        ),
        (
            bet(FLUSH, more="every_match_adds = true\n"),
            "own.toml:7: side_bets.own.every_match_adds: no cards make two of the lines",
        ),
        (bet(FLUSH, FLUSH), "own.toml:6: side_bets.own.lines.2.name: two lines are called 'flush'"),
        (
            bet(FLUSH.replace('same = ["suit"]', "number = -1")),
            "own.toml:5: side_bets.own.lines.1.when.number: number = -1: a number is from 0 to 99",
        ),
        (
            bet(FLUSH, more='meter_seed = "5.00"\n'),
            "own.toml:7: side_bets.own.meter_seed: no line pays the meter",
        ),
        (
            "\ufeff" + bet(FLUSH, more='needs = "other"\n'),
            "own.toml:7: side_bets.own.needs: there is no side bet 'other' on offer here",
        ),
        (
            bet(FLUSH, more='needs = "other"\n'),
            "own.toml:7: side_bets.own.needs: there is no side bet 'other' on offer here",
        ),
        (
            bet(FLUSH, more='at_most = "own"\n'),
            'own.toml:7: side_bets.own.at_most: a stake is not limited by itself: own → own; write "primary"',
        ),
        (
            bet(FLUSH).replace("lines = [", "line = ["),
            "own.toml:4: side_bets.own.line: unknown option 'line' (did you mean 'lines'?); known here: like",
        ),
        (
            bet(FLUSH.replace("{ same", '{ of = "dealer", same')),
            "own.toml:5: side_bets.own.lines.1.when: when.of = ['dealer']: the bet does not look at these",
        ),
        (
            bet('{ name = "flush", when = { same = ["suit"] } },'),
            "own.toml:5: side_bets.own.lines.1: option 'pays' is missing",
        ),
        ("[side_bets.own]\ntitle = ", "own.toml:2: this is not valid TOML: invalid value"),
        ("decks = " + "9" * 5_000, "own.toml:1: this is not valid TOML: a number has too many digits"),
        ("decks = 6\n", "own.toml:1: decks: 'decks' is no bet; a file of side bets has [side_bets.NAME]"),
        ("", "own.toml:1: it is empty; a file of side bets has"),
        (
            '\nextends = "blackjak"\n',
            "own.toml:2: extends: unknown game 'blackjak' (did you mean 'blackjack'?)",
        ),
        (
            'extends = "blackjack"\ndecks = 9\n',
            "own.toml:2: decks: decks = 9 is not allowed; allowed: 1, 2, ",
        ),
        (
            'extends = "blackjack"\n[limits]\nmin = "900.00"\nmax = "10.00"\n',
            "own.toml:3: limits.min: limits.min $900.00 is above limits.max $10.00",
        ),
        (
            'extends = "blackjack"\n' + bet(FLUSH.replace("same", "sames")),
            "own.toml:6: side_bets.own.lines.1.when.sames: unknown option 'sames'",
        ),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(
    cardroom: CommandLine, tmp_path: Path, text: str, said: str
) -> None:
    assert said in cardroom.refused("design", written(tmp_path, text))


def test_a_circle_of_needs_is_shown_at_each_of_its_bets(cardroom: CommandLine, tmp_path: Path) -> None:
    answer = cardroom("design", written(tmp_path, CIRCLE))
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.splitlines() == [
        "cardroom: own.toml:7: side_bets.own.needs: side bets need each other in a circle: own → two → own",
        "cardroom: own.toml:14: side_bets.two.needs: side bets need each other in a circle: two → own → two",
    ]


def test_every_fault_of_a_file_has_a_line_of_its_own(cardroom: CommandLine, tmp_path: Path) -> None:
    text = bet(FLUSH.replace("3:1", "lots"), FLUSH.replace("same", "sames"), more="stake = 3\n")
    answer = cardroom("design", written(tmp_path, text))
    assert [line.split(": ")[1] for line in answer.err.splitlines()] == [
        "own.toml:5",
        "own.toml:6",
        "own.toml:8",
    ]


@pytest.mark.usefixtures("unsolved")
def test_watching_shows_every_version_and_ends_cleanly(
    cardroom: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, PAIRS)
    versions = [PAIRS.replace("25:1", "lots"), PAIRS.replace("25:1", "30:1"), None, None]

    def wait(_seconds: float) -> None:
        if not versions:
            raise KeyboardInterrupt
        text = versions.pop(0)
        if text is not None:
            written(tmp_path, text)
            os.utime(file, ns=(0, 10**9 * (10 - len(versions))))

    monkeypatch.setattr("cardroom.cli.design.time.sleep", wait)
    answer = cardroom("design", file, "--watch")
    assert answer.code == 0
    assert answer.out.count("Own Pairs at Blackjack") == 2
    assert "25:1" in answer.out
    assert "30:1" in answer.out
    faults = [line for line in answer.err.splitlines() if line.startswith("cardroom: ")]
    assert len(faults) == 1
    assert faults[0].startswith("cardroom: own.toml:5: side_bets.own.lines.1.pays: ")


def test_a_file_of_rules_has_all_its_bets(tmp_path: Path) -> None:
    file = written(tmp_path, f'extends = "spanish-21"\ndecks = 8\n{PAIRS}')
    found = read_file(file)
    assert isinstance(found.rules, TwentyOneRules)
    assert found.is_rules
    assert (found.rules.decks, "own" in found.wagers) == (8, True)
    assert set(found.wagers) == set(found.rules.offered_side_bets)
    assert read_file(file, changes={"decks": 2}).rules.flat()["decks"] == 2


def test_a_sound_bet_warns_of_nothing() -> None:
    text = PAIRS.replace("25:1", "20:1").replace("12:1", "10:1")
    rules = read_bets(text, "own.toml").rules
    assert isinstance(rules, TwentyOneRules)
    found = bet_figures(rules, "own", [6, 8])
    # Of 311 and of 415 cards: 20 × 5 + 10 × 6 + 6 × 12 − 288, and 20 × 7 + 10 × 8 + 6 × 16 − 384.
    assert [one.edge for one in found.by_decks] == [Fraction(56, 311), Fraction(68, 415)]
    assert found.warnings == ()


@pytest.mark.slow
def test_the_correlation_is_that_of_the_par_sheet() -> None:
    from cardroom.exact.twentyone import solve
    from cardroom.lab.correlation import correlations

    names = ("21+3", "royal-match")
    rules = house("blackjack", {f"side_bets.{name}.offered": True for name in names})
    solution = solve(rules, "composition")
    deviation = solution.figures().standard_deviation
    pairs = correlations(solution, deviation, rounds=1000, seed=1)
    sheet = {pair.other: pair.value for pair in pairs if pair.one == "primary"}
    for one in with_main_wager(rules, names):
        assert one.method == "exact"
        assert one.value == pytest.approx(sheet[one.other], abs=1e-12)
