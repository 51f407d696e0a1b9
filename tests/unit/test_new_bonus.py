"""Bonuses that no file of ours knows, written as data alone: paid at the table, figured, simulated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import WagerPaid
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import disagreements
from cardroom.lab.design.reading import WrongFile, read_file
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.model.twentyone.bonuses import bonus_states
from cardroom.rules.bets.bonus import standard_lines
from cardroom.rules.loader import parse_rules
from cardroom.rules.twentyone import TwentyOneRules, law
from tests.twentyone import ann, house, played

LINES: list[dict[str, Any]] = [
    {"name": "ace of spades", "when": {"contains": {"cards": ["As"]}}, "pays": "2:1"},
    {"name": "three red cards", "when": {"number": 3, "every": {"colours": ["red"]}}, "pays": "3:1"},
    {"name": "four cards", "when": {"number": 4}, "pays": "5:2"},
]


def with_lines(game: str = "spanish-21", **changes: object) -> TwentyOneRules:
    return house(game, {"bonus_21.lines": LINES, **changes})


@pytest.mark.clause("S21-4")
@pytest.mark.parametrize(
    ("cards", "line"),
    [
        ("As4c6d", "ace_of_spades"),
        ("As4c5d8h", None),
        ("4cAs6d", "ace_of_spades"),
        ("4d8h9h", "three_red_cards"),
        ("4d8h9c", None),
        ("4d5h6c6s", "four_cards"),
        ("As4d2h4c", "four_cards"),  # the better of two lines
        ("2d3h5c6s5h", "five_cards"),
        ("6s7s8s", "six_seven_eight_named"),
        ("6h7h8h", "three_red_cards"),  # 3 to 1 beats 2 to 1
    ],
)
def test_the_best_line_of_a_21_is_paid(cards: str, line: str | None) -> None:
    rules, hand = with_lines(), parse_cards(cards)
    if law.total_of(hand)[0] != law.BLACKJACK_TOTAL:
        line = None
    bonus = law.bonus_21(rules, hand, doubles=0, from_split=False)
    assert (bonus and bonus[0]) == line
    assert law.bonus_21(rules, hand, doubles=1, from_split=False) is None
    assert law.bonus_21(rules, hand, doubles=0, from_split=True) is None


def test_at_the_table() -> None:
    round_ = played(with_lines(), "4d 6c 8h Kd hit 9h", ann(1000, {}))
    (paid,) = round_.of(WagerPaid)
    assert (paid.payment_cents, paid.why) == (3000, "three red cards")


def test_what_no_future_tells_apart_is_one_state() -> None:
    """Without bonuses there is one state; with four cards that pay, the number of cards up to five."""
    off = {f"bonus_21.{line.id}": "none" for line in standard_lines()}
    plain = bonus_states(house("spanish-21", off), from_split=False)
    assert len(plain.next) == 1
    assert plain.most_counted == 3
    four = house("spanish-21", {**off, "bonus_21.lines": LINES[2:]})
    counted = bonus_states(four, from_split=False)
    assert len(counted.next) == 6
    assert counted.counts_only.all()
    assert counted.most_counted == 5
    assert len(bonus_states(four, from_split=True).next) == 1  # none is paid after a split


@pytest.mark.slow
def test_states_grow_only_by_what_is_asked() -> None:
    before, after = compile_hands(house("spanish-21")), compile_hands(with_lines())
    assert len(before.classes.example) < len(after.classes.example) <= 52
    assert len(before.may) < len(after.may) < 2000


@pytest.mark.slow
@pytest.mark.parametrize("game", ["spanish-21", "players-edge-21"])
def test_engine_and_kernel_agree(game: str) -> None:
    rules = with_lines(game)
    actions = solve(rules, "basic").strategy.action
    random = np.random.default_rng(21)
    deck = np.array([card.index for card in rules.shoe().cards()], np.uint8)
    shoes = np.array([random.permutation(deck)[:60] for _ in range(400)])
    assert list(disagreements(rules, actions, shoes)) == []


def test_lines_are_written_down_and_read_back() -> None:
    rules = with_lines()
    assert parse_rules(rules.canonical_text()) == rules
    changed = {key: value for key, (value, _) in rules.differences(house("spanish-21")).items()}
    assert house("spanish-21", changed).rules_hash == rules.rules_hash
    words = {key: sentence for key, sentence, _ in rules.sentences()}
    assert words["bonus_21.four_cards"] == "21 with four cards pays 5 to 2"
    assert house("spanish-21", {**changed, "bonus_21.four_cards": "none"}).bonus_21.lines[-1].pays is None


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (
            {"name": "five cards", "when": {"number": 5}, "pays": "1:1"},
            "line cannot be called 'five cards'",
        ),
        (
            {"name": "named suit", "when": {"number": 5}, "pays": "1:1"},
            "line cannot be called 'named suit'",
        ),
        (
            {"name": "dealt", "when": {"of": "dealer", "number": 5}, "pays": "1:1"},
            "(dealt): a bonus is for the player's whole hand",
        ),
        (
            {"name": "odd", "when": {"numbr": 5}, "pays": "1:1"},
            "unknown option 'bonus_21.lines.1.when.",
        ),
        ({"name": "odd", "when": {"number": 5}, "pays": "much"}, "'much' is not odds"),
        (
            {"name": "sevens", "when": {"ranks": ["7", "7", "7", "7"]}, "pays": "9:1"},
            "bonus_21.lines.1 (sevens): no hand of 21 makes it",
        ),
        (
            {"name": "twenty", "when": {"total": 20}, "pays": "9:1"},
            "bonus_21.lines.1 (twenty): no hand of 21 makes it",
        ),
        (
            {
                "name": "red seven",
                "when": {"number": 7, "every": {"colours": ["red"]}},
                "pays": "2:1",
            },
            "bonus_21.lines.1 (red seven): it is never paid, for a better line always is",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(line: dict[str, Any], said: str) -> None:
    with pytest.raises(MalformedInput) as raised:
        house("spanish-21", {"bonus_21.lines": [line]})
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "when",
    [{"same": ["suit"]}, {"groups": {"alike": ["rank", "suit"], "sizes": [2]}}, {"different": ["rank"]}],
)
def test_lines_that_tell_too_many_hands_apart_are_played_and_not_figured(when: dict[str, Any]) -> None:
    rules = house("blackjack", {"bonus_21.lines": [{"name": "own", "when": when, "pays": "2:1"}]})
    with pytest.raises(MalformedInput, match="tell too many hands apart to be figured and simulated"):
        compile_hands(rules)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("group", "line", "place"),
    [
        (
            "bonus_21",
            '{ name = "own", when = { number = 4 }, pays = "2:1" }',
            "lines.2: a line cannot be called",
        ),
        (
            "bonus_21",
            '{ name = "b", when = { of = "dealer", number = 4 }, pays = "2:1" }',
            "lines.2.when: a bonus",
        ),
        (
            "bonus_21",
            '{ name = "b", when = { total = 20 }, pays = "2:1" }',
            "lines.2: no hand of 21 makes it",
        ),
        ("bonus_21", '{ name = "b", when = { number = 4 }, pays = "much" }', "lines.2.pays: pays = "),
        ("bonus_21", '{ when = { number = 4 }, pays = "2:1" }', "lines.2: option 'name' is missing"),
        (
            "super_bonus",
            '{ name = "b", when = { ranks = ["8", "8", "8"] }, against = ["6"] }',
            "lines.2: no three",
        ),
        (
            "super_bonus",
            '{ name = "b", when = { of = "player", number = 3 }, against = ["6"] }',
            "lines.2.when: the",
        ),
        (
            "super_bonus",
            '{ name = "b", when = { number = 3 }, against = ["J"] }',
            "lines.2.against: against = ",
        ),
    ],
)
def test_a_file_is_told_which_of_its_lines_is_wrong(
    tmp_path: Path, group: str, line: str, place: str
) -> None:
    """The fifth line of the file, and the second of its own lines: those of every house are not counted."""
    own = {
        "bonus_21": '{ name = "own", when = { number = 3 }, pays = "3:1" }',
        "super_bonus": '{ name = "own", when = { ranks = ["6", "6", "6"] }, against = ["6"] }',
    }
    file = tmp_path / "own.toml"
    file.write_text(f'extends = "players-edge-21"\n[{group}]\nlines = [\n  {own[group]},\n  {line},\n]\n')
    with pytest.raises(WrongFile) as raised:
        read_file(file)
    (fault,) = raised.value.faults
    assert fault.line == 5
    assert f"{group}.{place}" in str(raised.value)


def test_lines_that_are_no_list_are_refused_as_what_they_are() -> None:
    with pytest.raises(MalformedInput, match=r"bonus_21\.lines: lines is a list of bonuses"):
        house("spanish-21", {"bonus_21.lines": 3})
