"""Insurance by lines of a house's own, written as data alone: dealt, settled, said, refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.engine import twentyone
from cardroom.engine.twentyone import SpotWager, WagerPaid, WagerTaken
from cardroom.exact.sidebets import insurance_figures
from cardroom.lab.par.twentyone import _facts
from cardroom.lab.twentyone import beside_figures
from cardroom.presentation.changes import change_lines
from cardroom.presentation.felt import arc_words, posted_bonuses
from cardroom.presentation.howto.twentyone import guide
from cardroom.rules import load_rules_as
from cardroom.rules.loader import parse_rules
from cardroom.rules.round_head import RulesForm
from cardroom.rules.twentyone import TwentyOneRules
from tests.insurance_houses import LINES, SUITED_ALONE
from tests.twentyone import house, played

FILE = """
extends = "blackjack"

[insurance]
lines = [
  { name = "queen of hearts in the hole", when = { of = "dealer_hole", cards = ["Qh"] }, pays = "25:1" },
  { name = "suited ace-king", when = { ranks = ["A", "K"], same = ["suit"] }, pays = "10:1" },
  { name = "coloured blackjack", when = { same = ["colour"] }, pays = "5:1" },
]
"""
"""With what Blackjack's own rules say: any other blackjack pays 2 to 1."""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> TwentyOneRules:
    path = tmp_path_factory.mktemp("house") / "queens.toml"
    path.write_text(FILE)
    return load_rules_as(TwentyOneRules, path)


@pytest.mark.clause("21-1.28")
@pytest.mark.parametrize(
    ("moves", "paid"),
    [
        ("9h Ad 8s Qh insure=5.00", ("25:1", 12500, "queen of hearts in the hole")),
        ("9h Ah 8s Qh insure=5.00", ("25:1", 12500, "queen of hearts in the hole")),  # the first line
        ("9h Ad 8s Kd insure=5.00", ("10:1", 5000, "suited ace-king")),
        ("9h Ad 8s Qd insure=5.00", ("5:1", 2500, "coloured blackjack")),
        ("9h Ad 8s Kh insure=5.00", ("5:1", 2500, "coloured blackjack")),
        ("9h As 8s Tc insure=3.00", ("5:1", 1500, "coloured blackjack")),
        ("9h Ad 8s Ks insure=5.00", ("2:1", 1000, "blackjack")),
    ],
)
def test_at_the_table(rules: TwentyOneRules, moves: str, paid: tuple[str, int, str]) -> None:
    table = house("blackjack", {"insurance.lines": LINES})
    assert table.insurance == rules.insurance
    round_ = played(table, moves)
    assert [(str(e.odds), e.payment_cents, e.why) for e in round_.of(WagerPaid)] == [paid]
    assert [e.wager for e in round_.of(WagerTaken)] == ["primary"]


@pytest.mark.clause("21-1.28")
def test_a_blackjack_that_no_line_pays_takes_the_insurance_with_the_losing_wagers() -> None:
    table = house("blackjack", SUITED_ALONE)
    wagers = [SpotWager(1, "Ann", 1000), SpotWager(2, "Bob", 1000)]
    events = played(table, "9h Kc Ad 8s Ac Kh insure=5.00 insure=5.00", wagers).events
    settled = [(type(e).__name__, e.player, e.wager) for e in events if isinstance(e, WagerTaken | WagerPaid)]
    assert settled == [  # Bob's blackjack is tied, and comes back after what is lost
        ("WagerTaken", "Ann", "primary"),
        ("WagerTaken", "Bob", "insurance"),
        ("WagerTaken", "Ann", "insurance"),
    ]
    assert type(events[-1]).__name__ != "WagerTaken"
    suited = played(table, "9h Ad 8s Kd insure=5.00")
    assert [(e.why, e.payment_cents) for e in suited.of(WagerPaid)] == [("suited blackjack", 2500)]
    no_blackjack = played(table, "9h Ad 8s 9d insure=5.00")
    assert [e.why for e in no_blackjack.of(WagerTaken)] == ["no blackjack"]


@pytest.mark.clause("21-1.28")
@pytest.mark.clause("BJ-2")
def test_even_money_is_even_money_whatever_insurance_pays() -> None:
    table = house("blackjack", {"insurance.lines": LINES})
    even = played(table, "Kc Ad As Qh even")
    assert even.net() == 1000
    insured = played(table, "Kc Ad As Qh insure=5.00")
    assert insured.net() == 12500  # the blackjack is tied


@pytest.mark.clause("21-1.14")
def test_an_insurance_that_does_not_come_out_even_is_paid_down_to_the_chip() -> None:
    lines = [{"name": "red blackjack", "when": {"every": {"colours": ["red"]}}, "pays": "7:2"}]
    table = house("blackjack", {"insurance.lines": lines, "rounding": "chip", "limits.chip": "1.00"})
    paid = played(table, "9h Ad 8s Kh insure=1.00", [SpotWager(1, "Ann", 200)]).of(WagerPaid)
    assert [e.payment_cents for e in paid] == [300]  # of 3.50
    (red, _, _) = insurance_figures(table, stake_cents=100).outcomes
    assert red.net == 3
    (red, _, _) = insurance_figures(table).outcomes
    assert red.net == Fraction(7, 2)


def test_without_a_hole_card_it_is_settled_when_the_second_card_comes() -> None:
    table = house("blackjack", {"insurance.lines": LINES, "hole_card": "none"})
    round_ = played(table, "9h Ad 8s insure=5.00 stand Qh")
    assert [(e.wager, e.payment_cents) for e in round_.of(WagerPaid)] == [("insurance", 12500)]
    lost = house("blackjack", {**SUITED_ALONE, "hole_card": "none"})
    assert played(lost, "9h Ad 8s insure=5.00 stand Qh").net() == -1500


def test_where_both_cards_are_seen_there_is_none() -> None:
    """Its lines may stand in the rules and do nothing."""
    shown = {"hole_card": "shown", "insurance.offered": False, "insurance.lines": LINES}
    table = house("blackjack", shown)
    assert "Insurance" not in [one.title for one in posted_bonuses(table)]
    assert "insurance" not in [one.wager for one in beside_figures(table)]
    with pytest.raises(MalformedInput, match=r"insurance\.offered is to be false"):
        house("blackjack", {**shown, "insurance.offered": True})


@pytest.mark.slow
def test_it_is_said_everywhere(rules: TwentyOneRules) -> None:
    own = (
        "25 to 1 for queen of hearts in the hole, 10 to 1 for suited ace-king, 5 to 1 for coloured blackjack"
    )
    words = {key: (sentence, clause) for key, sentence, clause in rules.sentences()}
    assert words["insurance.lines"] == (f"insurance pays {own}", "21-1.28")
    assert words["insurance.pays"][0] == "insurance pays 2 to 1 on any other blackjack of the dealer's"
    assert "insurance.suited_pays" not in words  # a blackjack of one suit is of one colour
    assert arc_words(rules)[1].endswith("insurance pays up to 25 to 1")
    (posted,) = [one for one in posted_bonuses(rules) if one.title == "Insurance"]
    assert posted.lines == (
        ("queen of hearts in the hole", "25 to 1"),
        ("suited ace-king", "10 to 1"),
        ("coloured blackjack", "5 to 1"),
        ("blackjack", "2 to 1"),
    )
    assert dict(_facts(rules))["Insurance"] == (
        "up to half the wager, pays 2:1, 25:1 queen of hearts in the hole, 10:1 suited ace-king, "
        "5:1 coloured blackjack"
    )
    assert change_lines(rules) == [
        "insurance 25-10-5 for queen of hearts in the hole, suited ace-king, coloured blackjack"
    ]
    page = guide(rules, "insurance")
    assert [(one.line, one.pays) for one in page.pays] == [
        ("a dealer's blackjack", "2 to 1"),
        ("queen of hearts in the hole", "25 to 1"),
        ("suited ace-king", "10 to 1"),
        ("coloured blackjack", "5 to 1"),
    ]
    assert "25 to 1 for queen of hearts" in page.idea[1]


def test_an_insurance_that_pays_nothing_unless_suited_is_said() -> None:
    table = house("blackjack", SUITED_ALONE)
    words = {key: sentence for key, sentence, _ in table.sentences()}
    assert words["insurance.pays"] == "on any other blackjack of the dealer's insurance is lost"
    assert arc_words(table)[1].endswith("insurance pays suited 5 to 1")
    assert dict(_facts(table))["Insurance"] == "up to half the wager, pays 5:1 suited"
    assert [one.line for one in guide(table, "insurance").pays] == ["a dealer's blackjack of one suit"]


def test_the_form_of_the_lab_leaves_the_lines_to_the_file(rules: TwentyOneRules) -> None:
    from cardroom.web.controls import controls_of

    for table in (rules, house("blackjack")):
        keys = [control["key"] for control in controls_of(table) if control["group"] == "insurance"]
        assert {"insurance.offered", "insurance.pays", "insurance.suited_pays"} <= {*keys}
        assert "insurance.lines" not in keys


def test_it_is_written_down_and_read_back(rules: TwentyOneRules) -> None:
    assert parse_rules(rules.canonical_text()) == rules
    usual = load_rules_as(TwentyOneRules, "blackjack")
    assert rules.rules_hash != usual.rules_hash
    state, _ = twentyone.start(rules, [SpotWager(1, "Ann", 400)], rules.shoe())
    for form in (RulesForm.SHORT, RulesForm.WHOLE):
        assert twentyone.replay(twentyone.format_round(state, form))[0] == state
    changed = {key: value for key, (value, _) in rules.differences(usual).items()}
    assert changed == {"insurance.lines": LINES}
    assert load_rules_as(TwentyOneRules, "blackjack", changed).rules_hash == rules.rules_hash


def test_no_text_of_rules_that_have_no_lines_changes() -> None:
    for game in ("blackjack", "spanish-21", "players-edge-21"):
        plain = load_rules_as(TwentyOneRules, game)
        assert "lines" not in plain.canonical()["insurance"]
        named = load_rules_as(TwentyOneRules, game, {"insurance.lines": []})
        assert named.canonical_text() == plain.canonical_text()


def test_lines_for_every_blackjack_leave_nothing_to_the_short_form(tmp_path: Path) -> None:
    every = [*LINES, {"name": "any blackjack", "when": {"blackjack": True}, "pays": "2:1"}]
    table, short = (
        house("blackjack", {"insurance.lines": every}),
        house("blackjack", {"insurance.lines": LINES}),
    )
    assert insurance_figures(table).expected_value == insurance_figures(short).expected_value
    words = [key for key, _, _ in table.sentences()]
    assert "insurance.lines" in words
    assert not {"insurance.pays", "insurance.suited_pays"} & {*words}
    other = house("blackjack", {"insurance.lines": every, "insurance.pays": "none"})
    assert insurance_figures(other).outcomes == insurance_figures(table).outcomes


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"when": {"ranks": ["A", "9"]}}, "lines.1 (own): no dealer's blackjack with an ace up makes it"),
        (
            {"when": {"of": "dealer_up", "cards": ["Kh"]}},
            "(own): no dealer's blackjack with an ace up makes it",
        ),
        (
            {"when": {"of": "player", "same": ["suit"]}},
            "when.of = ['player']: the bet does not look at these cards; insurance looks at the dealer's",
        ),
        ({"when": {"match": {"suited": 1}}}, "insurance.lines.1 (own): when.match: the player's two cards"),
        (
            {"when": {"any": [{"of": "player_1", "cards": ["Qh"]}, {"same": ["suit"]}]}},
            "insurance.lines.1 (own): when.of = ['player_1']: the bet does not look",
        ),
        (
            {"when": {"every": {"suits": ["named"]}}},
            "(own): a line of insurance says which suit; none is named",
        ),
        ({"when": {"rank": ["7"]}}, "unknown option 'insurance.lines.1.when.rank'"),
        ({"pays": "meter"}, "insurance.lines.1.pays"),
        ({"name": "suited blackjack"}, "(suited blackjack): every house has this line: say what it pays by "),
    ],
)
def test_what_is_wrong_is_said_in_one_line(line: dict[str, Any], said: str) -> None:
    whole = {"name": "own", "when": {"same": ["suit"]}, "pays": "3:1", **line}
    with pytest.raises(MalformedInput) as raised:
        house("blackjack", {"insurance.lines": [whole]})
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_line_that_cannot_come_of_spanish_decks_is_refused() -> None:
    lines = [{"name": "ace-ten", "when": {"ranks": ["A", "T"]}, "pays": "3:1"}]
    house("blackjack", {"insurance.lines": lines})
    with pytest.raises(MalformedInput, match=r"insurance\.lines\.1 \(ace-ten\): no dealer's blackjack"):
        house("spanish-21", {"insurance.lines": lines})


def test_a_line_that_an_earlier_one_hides_is_refused() -> None:
    lines = [LINES[2], LINES[1]]
    with pytest.raises(
        MalformedInput, match=r"lines\.2 \(suited ace-king\): it is never paid, for an earlier"
    ):
        house("blackjack", {"insurance.lines": lines})
    with pytest.raises(MalformedInput, match=r"lines\.2 \(coloured blackjack\): two lines are called"):
        house("blackjack", {"insurance.lines": [LINES[2], LINES[2]]})


def test_an_insurance_that_pays_nothing_is_refused() -> None:
    nothing = {"insurance.pays": "none", "insurance.suited_pays": "none"}
    with pytest.raises(MalformedInput, match=r"insurance\.offered: it pays nothing; say what it pays by"):
        house("blackjack", nothing)
    assert not house("blackjack", {**nothing, "insurance.offered": False}).insurance.paytable
