"""`games`, `rules`, `odds`, `simulate`, `audit`, `fair`: what people read and what programs read."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from cardroom import load_rules
from cardroom.games import GAMES
from cardroom.rules.variants import variant_names
from tests import second_derivation
from tests.command_line import COMMAND, CommandLine

PUBLISHED = "4610507544750288132457667562311567997623087869/284025438982318025793544200005777916187500000000"


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_games(cardroom: CommandLine) -> None:
    games, _, variants = cardroom("games").out.partition("\n\n")
    assert [line.split()[0] for line in games.splitlines()[1:]] == list(GAMES)
    assert all(f"\n{name} " in variants for name in variant_names())
    assert [(game["game"], game["title"]) for game in cardroom("games", "--json").json] == [
        (game, load_rules(game).title) for game in GAMES
    ]


def test_games_fit_a_plain_terminal(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for command in (["games"], ["odds", "knockout-52"], ["play", "knockout-52", "--auto", "--bet", "1=5"]):
        out = cardroom(*command).out
        assert max(map(len, out.splitlines())) <= 80
        assert "…" not in out


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_rules_of_every_game(cardroom: CommandLine, game: str) -> None:
    rules = load_rules(game)
    out = cardroom("rules", game).out
    flat = " ".join(out.split())
    for key, words, clause in rules.sentences():
        assert f"{clause} " in flat
        assert " ".join(words.split()) in flat, key
    assert f"Hash {rules.rules_hash}" in out
    found = cardroom("rules", game, "--json").json
    assert found["rules_hash"] == rules.rules_hash
    assert found["differences"] == {}
    schema = cardroom("rules", game, "--schema").json
    assert schema["additionalProperties"] is False
    assert "title" in schema["properties"]


def test_rules_say_what_differs(cardroom: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    file.write_text('extends = "knockout-52"\ndecks = 8\n[pays]\nround_1 = "2:5"\n')
    found = cardroom("rules", "knockout-52", "--rules", file, "--set", "rounding=chip", "--json").json
    assert found["differences"] == {
        "decks": {"value": 8, "default": 1},
        "pays.round_1": {"value": "2:5", "default": "1:2"},
        "rounding": {"value": "chip", "default": "cents"},
    }
    text = cardroom("rules", "knockout-52", "--rules", file).out
    assert "decks = 8 (default 1)" in text
    assert "Round 1 pays 2 to 5" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('extends = "knockout-52"\ndekcs = 2\n', "unknown option 'dekcs' (did you mean 'decks'?)"),
        ('extends = "knockout-52\n', "is not valid TOML"),
        ("decks = 2\n", "says which game it is for"),
        ('extends = "knockout-21"\n', "holds rules of knockout-21, not of knockout-52"),
    ],
)
def test_a_wrong_rules_file(cardroom: CommandLine, tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    for command in ("rules", "odds", "simulate", "play"):
        assert said in cardroom.refused(command, "knockout-52", "--rules", file)


def test_the_game_itself_is_no_option_to_change(cardroom: CommandLine) -> None:
    said = cardroom.refused("rules", "blackjack", "--set", "game=spanish-21")
    assert said == "--set game holds rules of spanish-21, not of blackjack"


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_odds_json(cardroom: CommandLine, decks: int) -> None:
    found = cardroom("odds", "knockout-52", "--set", f"decks={decks}", "--json").json
    assert list(found) == ["schema_version", "game", "rules_hash", "rules", "wagers", "size"]
    assert found["game"] == "knockout-52"
    assert found["rules"]["decks"] == decks
    assert found["rules_hash"] == load_rules("knockout-52", {"decks": decks}).rules_hash
    wins = Fraction(0)
    for wager, name in zip(
        found["wagers"], ("round-1", "round-2", "round-3", "round-4", "all-the-way"), strict=True
    ):
        assert (wager["wager"], wager["method"]) == (name, "exact")
        win, lose = wager["outcomes"]
        chance = Fraction(win["probability"]["fraction"])
        pays, for_one = map(int, win["pays"].split(":"))
        edge = Fraction(wager["expected_value"]["fraction"])
        assert (win["outcome"], lose["outcome"], lose["pays"]) == ("win", "lose", "-1")
        assert Fraction(lose["probability"]["fraction"]) == 1 - chance
        assert edge == chance * Fraction(pays, for_one) - (1 - chance)
        assert wager["house_edge_percent"] == pytest.approx(float(-100 * edge), rel=1e-14)
        assert wager["hit_frequency"] == win["probability"]["decimal"] == float(chance)
        spread = (1 + Fraction(pays, for_one)) ** 2 * chance * (1 - chance)
        assert wager["standard_deviation"] ** 2 == pytest.approx(float(spread), rel=1e-12)
        wins += chance
    assert wins == 1
    if decks == 1:
        assert found["wagers"][-1]["outcomes"][0]["probability"]["fraction"] == PUBLISHED


def test_odds_for_people(cardroom: CommandLine) -> None:
    out = cardroom("odds", "knockout-52", "--set", "decks=8").out
    assert "with decks = 8 (default 1)" in out
    assert out.count("exact") == 5
    line = next(line for line in cardroom("odds", "knockout-52").out.splitlines() if "All the Way" in line)
    assert line.split() == [
        "All",
        "the",
        "Way",
        "50:1",
        "1.6233",
        "%",
        "61.604",
        "17.2131",
        "%",
        "6.4448",
        "exact",
    ]


def test_simulate(cardroom: CommandLine) -> None:
    arguments = ("simulate", "knockout-52", "--rounds", "1_000_000", "--seed", "5")
    found = cardroom(*arguments, "--workers", "1", "--json")
    assert found.err == ""
    assert (found.json["rounds"], found.json["seed"]) == (1_000_000, 5)
    assert cardroom(*arguments, "--workers", "2", "--json") == found
    table = cardroom(*arguments)
    assert "1,000,000 rounds from seed 5" in table.out
    offs = [
        float(line.split(" σ")[0].split()[-1].replace("−", "-"))
        for line in table.out.splitlines()
        if "σ" in line
    ]
    assert len(offs) == 5
    assert all(abs(off) < 5 for off in offs)


@pytest.mark.slow
def test_audit(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some figures of every game, and all findings; tests/published computes each figure there is."""
    from cardroom.lab.audit import rows
    from cardroom.lab.published.figures import KNOCKOUT_21, KNOCKOUT_52
    from cardroom.lab.published.twentyone import TWENTY_ONE

    monkeypatch.setattr(rows, "published_figures", lambda: [*KNOCKOUT_52, *KNOCKOUT_21, *TWENTY_ONE[::20]])
    answer = cardroom("audit", "--json")
    assert answer.code == 0
    lines = [line for line in answer.json["figures"] if line["published"] == PUBLISHED]
    assert [(line["ours"], line["verdict"]) for line in lines] == [(PUBLISHED, "agrees")]
    assert answer.json["verdicts"]["disagrees"] == 0
    findings = " ".join(line["finding"] for line in answer.json["findings"])
    rescue = re.search(r"How rescue is read \(PE21-9\) moves the house edge by (\S+) %", findings)
    assert rescue is not None
    assert float(rescue[1]) == pytest.approx(0.25, abs=0.05)  # about a quarter of a percent
    assert "0 advise the worse choice" in findings  # the charts of Knockout 21


def test_audit_in_words(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardroom.lab import findings
    from cardroom.lab.audit import rows
    from cardroom.lab.published.figures import KNOCKOUT_52

    monkeypatch.setattr(rows.audit, "__defaults__", (KNOCKOUT_52,))
    monkeypatch.setattr(findings, "all_findings", lambda: [{"game": "knockout-52", "finding": "so it is"}])
    out = cardroom("audit").out
    assert PUBLISHED in out
    assert "knockout-52: so it is" in out
    assert "2 figures: 2 agrees, 0 explained, 0 disagrees" in out


def test_audit_of_a_figure_that_disagrees(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardroom.lab import findings
    from cardroom.lab.audit import rows
    from cardroom.lab.published.figures import PublishedFigure

    wrong = PublishedFigure("knockout-52", "probability of all-the-way", "1.63 %", "nobody")
    monkeypatch.setattr(rows.audit, "__defaults__", ((wrong,),))
    monkeypatch.setattr(findings, "all_findings", list)
    answer = cardroom("audit")
    assert answer.code == 1
    assert "disagrees" in answer.out


def test_fair_self_test(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardroom.fair import selftest

    assert cardroom("fair", "selftest").out == "all known answers are met\n"
    monkeypatch.setattr(selftest, "_AES_FIRST_BLOCK", "00")
    answer = cardroom("fair", "selftest")
    assert (answer.code, answer.out) == (1, "failed: AES-256-CTR\n")


@pytest.mark.requirement("R-2")
def test_fair_test(cardroom: CommandLine) -> None:
    answer = cardroom("fair", "test", "--shuffles", "1000", "--seed", "1", "--json")
    assert answer.code == 0
    assert answer.json["passed"] is True
    assert len(answer.json["tests"]) == 5
    assert cardroom("fair", "test", "--shuffles", "1000", "--seed", "1").out.count("passed") == 1


@pytest.mark.requirement("R-3")
def test_raw_and_scaled_outputs_are_dumped(cardroom: CommandLine) -> None:
    """The raw bytes are the keystream, and the scaled ones follow from theirs by the documented rule."""
    import hashlib
    import subprocess

    bound = {
        "game": "knockout-52",
        "rules_hash": load_rules("knockout-52").rules_hash,
        "deck": "infinite standard",
    }

    def stream(what: str) -> list[int]:
        label = second_derivation.fields(b"cardroom/repeatable/1", b"9", f"{what}-0".encode())
        secret = hashlib.sha256(label).digest()
        words = second_derivation.card_stream(secret, salt=b"", shoe_id=f"{what}-0", **bound)
        return list(islice(words, 64))

    raw = subprocess.run(
        [*COMMAND, "fair", "dump", "raw", "--count", "200", "--seed", "9"], capture_output=True, check=True
    ).stdout
    assert raw == b"".join(word.to_bytes(4, "big") for word in stream("raw"))[:200]
    numbers = cardroom("fair", "dump", "integers", "--count", "64", "--below", "10", "--seed", "9").out
    assert [int(line) for line in numbers.split()] == [word % 10 for word in stream("integers")]
    cards = cardroom("fair", "dump", "cards", "--count", "64", "--seed", "9").out
    assert cards.split() == [second_derivation.DECK[word % 52] for word in stream("cards")]
    shuffles = cardroom("fair", "dump", "shuffles", "--count", "3").out.split()
    assert len(set(shuffles)) == 3
    assert all(len(shuffle) == 104 for shuffle in shuffles)


def test_raw_bytes_are_not_for_a_terminal(cardroom: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert "not for a terminal" in cardroom.refused("fair", "dump", "raw")
