"""A bet of one's own is named by its title everywhere, and stands over figures in one line."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from cardroom.cli.output import print_heading
from cardroom.cli.twentyone.replay import show
from cardroom.engine import twentyone
from cardroom.engine.twentyone import format_round
from cardroom.presentation.announcements import announced_wagers
from cardroom.presentation.changes import change_lines
from cardroom.presentation.howto.side_bets import side_bet_guide
from cardroom.presentation.outcomes import outcomes_to_json
from cardroom.protect.effects import effects_of
from cardroom.rules import change_rules, load_rules
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.twentyone.sentences import sentence
from tests.twentyone import ann, played

FILE = """
extends = "spanish-21"

[side_bets.rainbow]
title = "Rainbow Run"
looks_at = ["player_1", "player_2", "dealer_up"]
lines = [
  { name = "red run", when = { in_a_row = true, every = { colours = ["red"] } }, pays = "35:1" },
  { name = "run", when = { in_a_row = true }, pays = "3:2" },
]

[bonus_21]
lines = [{ name = "three red cards", when = { number = 3, every = { colours = ["red"] } }, pays = "3:1" }]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(FILE)
    return path


@pytest.fixture
def rules(file: Path) -> TwentyOneRules:
    found = load_rules(file)
    assert isinstance(found, TwentyOneRules)
    return found


def test_a_round_names_the_bet_by_its_title(rules: TwentyOneRules) -> None:
    events = played(rules, "5h 9s 6d Kc", ann(400, {"rainbow": 200})).events
    assert "Rainbow Run, no win, −$2" in announced_wagers(events, "Ann", rules)
    outcomes = outcomes_to_json(twentyone.wager_outcomes(events), rules)
    assert {one["title"] for one in outcomes if one["wager"] == "rainbow"} == {"Rainbow Run"}


def test_every_sentence_of_a_round_names_the_bet_by_its_title(rules: TwentyOneRules) -> None:
    events = played(rules, "5h 7s 6d Kc hit Jh", ann(400, {"rainbow": 200})).events
    said = [sentence(event, rules) for event in events]
    assert "spot 1, Ann: $2.00 on Rainbow Run" in said
    assert "spot 1, Ann: $3.00 paid, 3 to 2 on Rainbow Run: run" in said
    assert "spot 1, Ann: $12.00 paid, 3 to 1 on Primary: three red cards" in said
    assert not any("on Rainbow:" in words or words.endswith("on Rainbow") for words in said)


def test_a_replay_names_the_bet_by_its_title(rules: TwentyOneRules) -> None:
    round_ = played(rules, "5h 7s 6d Kc hit Jh", ann(400, {"rainbow": 200})).state
    out = Console(width=120, file=StringIO())
    show(format_round(round_, RulesForm.WHOLE), rules, out)
    assert isinstance(out.file, StringIO)
    assert "$3.00 paid, 3 to 2 on Rainbow Run: run" in out.file.getvalue()


def test_reports_for_the_house_name_the_bet_by_its_title(rules: TwentyOneRules) -> None:
    assert effects_of(rules, "rainbow").title == "Rainbow Run"


def test_films_name_the_bet_by_its_title(rules: TwentyOneRules) -> None:
    films = side_bet_guide(rules, "rainbow").films
    assert films
    assert all("on Rainbow Run." in film.scenes[0].caption for film in films)


def test_what_was_added_is_a_line_each(rules: TwentyOneRules) -> None:
    assert change_lines(rules) == ["side bet Rainbow Run, 35-3:2", "bonus three red cards, 3"]


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ({}, []),
        ({"decks": 8}, ["decks = 8 (default 6)"]),
        ({"split.never": ["4", "5"]}, ["split.never = 4, 5 (default none)"]),
        ({"side_bets.21+3.flush": "6:1"}, ["side_bets.21+3.flush = 6:1 (default 5:1)"]),
        ({"side_bets.21+3.offered": False}, ["side_bets.21+3.offered = false (default true)"]),
    ],
)
def test_options_are_a_line_each(options: dict[str, object], lines: list[str]) -> None:
    assert change_lines(load_rules("blackjack", options)) == lines


def test_the_heading_of_figures_is_a_line_each(
    capsys: pytest.CaptureFixture[str], rules: TwentyOneRules
) -> None:
    print_heading(change_rules(rules, {"side_bets.perfect-pairs.offered": True}))
    assert capsys.readouterr().out.splitlines()[1:] == [
        "with side bet Perfect Pairs, 25-12-6",
        "with side bet Rainbow Run, 35-3:2",
        "with bonus three red cards, 3",
    ]


BETS_OF_BETS = """
extends = "players-edge-21"

[side_bets.reds]
title = "Two Reds"
looks_at = ["player_1", "player_2"]
fixed_stake = "2.00"
lines = [{ name = "red", when = { every = { colours = ["red"] } }, pays = "2:1" }]

[side_bets.hearts]
title = "Two Hearts"
looks_at = ["player_1", "player_2"]
at_most = "reds"
lines = [{ name = "hearts", when = { every = { suits = ["hearts"] } }, pays = "12:1" }]
"""


def test_what_a_side_bet_asks_of_others_and_of_its_stake_is_said(tmp_path: Path) -> None:
    """SIDE-3 and SIDE-4 as the clauses have them, and a house's own bets; on the how-to page too."""
    path = tmp_path / "house.toml"
    path.write_text(BETS_OF_BETS)
    rules = load_rules(path)
    assert isinstance(rules, TwentyOneRules)
    said = {key.removeprefix("side_bets."): (words, clause) for key, words, clause in rules.sentences()}
    expected = {
        "match-up.at_most": ("Match Up: its stake is at most that of the primary wager", "SIDE-3"),
        "match-down.at_most": ("Match Down: its stake is at most that of the primary wager", "SIDE-3"),
        "match-down.needs": ("Match Down: it needs Match Up on the same hand", "SIDE-3"),
        "monster-match-1.fixed_stake": ("Monster Match $1: its stake is always $1.00", "SIDE-4"),
        "reds.fixed_stake": ("Two Reds: its stake is always $2.00", "SIDE-7"),
        "hearts.at_most": ("Two Hearts: its stake is at most that of Two Reds", "SIDE-7"),
    }
    assert {key: said[key] for key in expected} == expected
    assert [key for key in said if key.endswith(("needs", "at_most"))] == [
        *("hearts.at_most", "match-up.at_most", "match-down.at_most", "match-down.needs")
    ]
    for wager, sentence_of_page in (
        ("match-down", "It needs Match Up on the same hand."),
        ("monster-match-1", "Its stake is always $1.00."),
        ("hearts", "Its stake is at most that of Two Reds."),
    ):
        idea = " ".join(side_bet_guide(rules, wager).idea)
        assert idea.count(sentence_of_page) == 1
