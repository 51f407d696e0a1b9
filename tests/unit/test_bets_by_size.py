"""Side bets that pay by the size of the wager, and envy for the others at the table (SIDE-10)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cardroom.core.errors import MalformedInput
from cardroom.engine.twentyone import BonusPaid, JackpotPaid, SpotWager, WagerPaid
from cardroom.exact.sidebets import side_bet_figures
from cardroom.lab.design.form import bet_view
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.sides import line_nets
from cardroom.web.live.twentyone_view import layout_view
from tests.twentyone import house, played

SUITED: dict[str, Any] = {
    "title": "Suited",
    "looks_at": ["player_1", "player_2"],
    "lines": [
        {"name": "suited pair", "when": {"same": ["rank", "suit"]}, "pays": "20:1"},
        {"name": "suited", "when": {"same": ["suit"]}, "pays": "2:1"},
    ],
    "larger_wagers": [
        {"from": "5.00", "pays": {"suited pair": "25:1"}},
        {"from": "25.00", "pays": {"suited pair": "40:1", "suited": "5:2"}},
    ],
    "envy": {"suited pair": "50.00"},
}


def offering(**changes: object) -> TwentyOneRules:
    return house("blackjack", {"side_bets.suited": {**SUITED, **changes}})


def of_ann_bob_and_cid(ann: int, bob: int) -> list[SpotWager]:
    return [
        SpotWager(1, "Ann", 1000, {"suited": ann}),
        SpotWager(2, "Bob", 1000, {"suited": bob}),
        SpotWager(3, "Cid", 1000, {}),
    ]


@pytest.mark.clause("SIDE-10")
@pytest.mark.parametrize(("stake", "won"), [(200, 4000), (400, 8000), (500, 12_500), (2500, 100_000)])
def test_a_line_is_paid_by_the_size_of_the_wager(stake: int, won: int) -> None:
    """Bob holds two sevens of clubs; Ann's wager loses, and envy goes to her, not to Cid without one."""
    round_ = played(offering(), "9c 7c 9h 6d 9d 7c 8h Td", of_ann_bob_and_cid(200, stake))
    assert [(one.player, one.payment_cents) for one in round_.of(WagerPaid) if one.wager == "suited"] == [
        ("Bob", won)
    ]
    assert [(one.player, one.bonus, one.payment_cents) for one in round_.of(BonusPaid)] == [
        ("Ann", "envy", 5000)
    ]


@pytest.mark.clause("SIDE-10")
def test_envy_of_a_meter_and_of_two_winners() -> None:
    """Both win the line: each is paid the other's envy, and the meter goes right to left."""
    lines = [{"name": "suited pair", "when": {"same": ["rank", "suit"]}, "pays": "meter"}]
    rules = offering(
        lines=lines, larger_wagers=[], fixed_stake="2.00", meter_seed="1000.00", meter_increment_percent=10
    )
    round_ = played(rules, "9c 7c 9h 6d 9c 7c 8h Td", of_ann_bob_and_cid(200, 200))
    assert [(one.player, one.payment_cents) for one in round_.of(JackpotPaid)] == [
        ("Bob", 100_040),
        ("Ann", 100_000),
    ]
    assert [(one.player, one.payment_cents) for one in round_.of(BonusPaid)] == [("Ann", 5000), ("Bob", 5000)]


def test_figures_are_those_of_the_size() -> None:
    """Of 311 cards 5 are the same and 72 more of the suit."""
    for stake, pair, suited in ((None, 20, 2), (400, 20, 2), (500, 25, 2), (2500, 40, Fraction(5, 2))):
        figures = side_bet_figures(offering(), "suited", stake_cents=stake)
        assert figures.expected_value == Fraction(5, 311) * pair + Fraction(72, 311) * suited - Fraction(
            234, 311
        )
        assert line_nets(offering(), "suited", stake) == [-1, pair, suited]
    note = side_bet_figures(offering(), "suited").note
    assert "Envy of Suited is not in its figures" in note


def test_it_is_said_wherever_pays_are_shown() -> None:
    (bet,) = [bet for bet in layout_view(offering())["side_bets"] if bet["wager"] == "suited"]
    assert [line["pays"] for line in bet["lines"]] == [
        "20 to 1; 25 to 1 from $5.00 on; 40 to 1 from $25.00 on; $50.00 to every other player with it",
        "2 to 1; 5 to 2 from $25.00 on",
    ]
    said = [words for key, words, _ in offering().sentences() if key.startswith("side_bets.suited")]
    assert any("from a wager of $25.00 on: suited pair 40 to 1, suited 5 to 2" in words for words in said)
    assert any("every other player with this wager gets $50.00" in words for words in said)
    again = TwentyOneRules.model_validate_json(offering().canonical_text())
    assert again == offering()
    assert again.rules_hash == offering().rules_hash
    changed = {key: value for key, (value, _) in offering().differences(house("blackjack", {})).items()}
    assert house("blackjack", changed).rules_hash == offering().rules_hash


def test_a_form_keeps_what_has_no_field_of_its_own() -> None:
    text = """title = "Suited"
looks_at = ["player_1", "player_2"]
lines = [{ name = "suited", when = { same = ["suit"] }, pays = "2:1" }]
larger_wagers = [{ from = "25.00", pays = { suited = "5:2" } }]
envy = { suited = "5.00" }
"""
    more = bet_view(text, "blackjack")["fields"]["more"]
    lines = 'lines = [{ name = "suited", when = { same = ["suit"] }, pays = "2:1" }]'
    again = f'title = "Suited"\nlooks_at = ["player_1", "player_2"]\n{lines}\n{more}\n'
    assert bet_view(again, "blackjack") == bet_view(text, "blackjack")


@pytest.mark.clause("SIDE-10")
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"larger_wagers": [{"from": "5.00", "pays": {"flush": "9:1"}}]}, "no line is called 'flush'"),
        ({"larger_wagers": [{"from": "5.00", "pays": {}}]}, "larger_wagers.1.pays"),
        ({"larger_wagers": [{"pays": {"suited": "9:1"}}]}, "option 'larger_wagers.1.from' is missing"),
        (
            {"larger_wagers": list(reversed(SUITED["larger_wagers"]))},
            "the larger wagers are written from the least stake to the largest",
        ),
        ({"fixed_stake": "5.00"}, "fixed_stake is the one size of this wager"),
        ({"envy": {"flush": "5.00"}}, "envy: no line is called 'flush'"),
        ({"envy": {"suited": "-5.00"}}, "envy.suited"),
        ({"every_match_adds": True}, "is for bets that pay one line"),
    ],
)
def test_what_is_wrong_is_said(changes: dict[str, object], said: str) -> None:
    with pytest.raises(MalformedInput) as raised:
        offering(**changes)
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
