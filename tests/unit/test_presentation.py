"""How a thing is said: keys, money, chances, totals and titles, with what they must read by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cardroom.core.cards import parse_cards
from cardroom.engine.twentyone import Action, DeclineInsurance, DiscardsShuffled, EvenMoney, Insure
from cardroom.presentation import KEYS, as_they_lie, key_of, line_title, meaning_of, wager_title
from cardroom.presentation.felt import arc_words, possible_actions, posted_bonuses
from cardroom.presentation.money import average, chips, dollars
from cardroom.presentation.numbers import in_percent, live_chance, one_in, percent
from cardroom.presentation.sentences import twentyone_sentence
from cardroom.presentation.totals import kind_of_total, total_words
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules


def test_no_key_does_two_things_and_nothing_has_two_keys() -> None:
    assert len({entry.key for entry in KEYS}) == len(KEYS)
    assert len({entry.action for entry in KEYS}) == len(KEYS)
    assert all(len(entry.key) == 1 and entry.key == entry.key.lower() for entry in KEYS)


def test_every_action_of_a_player_has_its_key() -> None:
    actions = [*Action, Insure(250), DeclineInsurance(), EvenMoney()]
    keys = [key_of(action) for action in actions]
    assert "" not in keys
    assert len(set(keys)) == len(keys)
    assert (key_of(Action.SURRENDER), key_of(Action.RESCUE), key_of("repeat")) == ("u", "r", "a")
    assert meaning_of("R") == "rescue"


@pytest.mark.clause("PROC-17")
def test_cards_lie_from_right_to_left() -> None:
    assert as_they_lie(["2h", "3s", "4c"]) == ("4c", "3s", "2h")
    assert as_they_lie([]) == ()


@pytest.mark.parametrize(
    ("cents", "to_the_cent", "in_chips"),
    [
        (0, "$0.00", "$0"),
        (5, "$0.05", "$0.05"),
        (5_00, "$5.00", "$5"),
        (1_234_567_80, "$1,234,567.80", "$1,234,567.80"),
        (-40_00, "−$40.00", "−$40"),
    ],
)
def test_money(cents: int, to_the_cent: str, in_chips: str) -> None:
    assert (dollars(cents), chips(cents)) == (to_the_cent, in_chips)
    sign = "+" if cents > 0 else ""
    assert (dollars(cents, plus=True), chips(cents, plus=True)) == (sign + to_the_cent, sign + in_chips)


def test_money_on_average() -> None:
    assert [average(cents) for cents in (0.04, 0.06, 9.94, 9.96, 99.4, 99.6, -250.4)] == [
        *("0¢", "0.1¢", "9.9¢", "10¢", "99¢", "$1.00", "−$2.50")
    ]
    assert dollars(-0.4) == "$0.00"
    assert dollars(1999.6) == "$20.00"


def test_chances() -> None:
    assert one_in(Fraction(1, 668_382)) == "668,382"
    assert one_in(Fraction(3, 7)) == "2.3333"
    assert percent(0.125, 1) == "12.5 %"
    assert in_percent(-0.00004) == "0.0000 %"
    assert [live_chance(Fraction(n, 10**6)) for n in (0, 1, 160_300, 999_999, 10**6)] == [
        *("lost", "0.0001 %", "16.03 %", "> 99.99 %", "won")
    ]


def test_totals() -> None:
    hands = {"AsKd": "blackjack", "As6d": "soft 17", "Tc6d": "16", "Tc6dJh": "26, bust", "As4c6d": "21"}
    assert {cards: total_words(parse_cards(cards)) for cards in hands} == hands
    assert total_words(parse_cards("AsKd"), from_split=True) == "21"
    assert kind_of_total(parse_cards("As6d")) == "soft 17"
    assert kind_of_total(parse_cards("Tc6d")) == "hard 16"


def test_titles() -> None:
    assert wager_title("monster-match-5") == "Monster Match $5"
    assert wager_title("super-bonus") == "Super Bonus"
    assert line_title("suited_match") == "suited match"


@pytest.mark.parametrize(
    ("game", "large", "small"),
    [
        (
            "blackjack",
            "Blackjack pays 3 to 2 · double once",
            "Dealer hits soft 17 · insurance pays 2 to 1",
        ),
        (
            "players-edge-21",
            "Blackjack pays 3 to 2 · any 21 wins · double up to three times",
            "Dealer hits soft 17 · insurance pays 2 to 1, suited 5 to 1",
        ),
    ],
)
def test_what_is_printed_in_arcs(game: str, large: str, small: str) -> None:
    """BJ-2, BJ-3, BJ-6 and 21-1.7; PE21-1, PE21-3.1, PE21-4, PE21-5, PE21-8."""
    assert arc_words(load_rules_as(TwentyOneRules, game)) == (large, small)


@pytest.mark.clause("PE21-13")
@pytest.mark.clause("PE21-14")
def test_bonuses_are_posted_where_the_house_pays_them() -> None:
    assert posted_bonuses(load_rules_as(TwentyOneRules, "blackjack")) == ()
    bonus_21, super_bonus = posted_bonuses(load_rules_as(TwentyOneRules, "players-edge-21"))
    assert dict(bonus_21.lines) == {
        "five cards": "3 to 2",
        "six cards": "2 to 1",
        "seven cards or more": "3 to 1",
        "6-7-8, mixed suits": "3 to 2",
        "6-7-8, one suit": "2 to 1",
        "6-7-8, diamonds": "3 to 1",
        "7-7-7, mixed suits": "3 to 2",
        "7-7-7, one suit": "2 to 1",
        "7-7-7, diamonds": "3 to 1",
    }
    assert [pays for _, pays in super_bonus.lines] == ["$1,000", "$5,000", "$50"]


def test_every_action_that_a_table_may_offer_has_a_place() -> None:
    """Blackjack has no surrender (BJ-5) and even money (BJ-2); Player's Edge 21 has both ways to give up."""
    blackjack = possible_actions(load_rules_as(TwentyOneRules, "blackjack"))
    players_edge = possible_actions(load_rules_as(TwentyOneRules, "players-edge-21"))
    assert set(players_edge) - set(blackjack) == {"surrender", "rescue"}
    assert set(blackjack) - set(players_edge) == {"even money"}
    bare = {"insurance.offered": False, "split.max_hands": 1, "double.max_doubles": 0}
    assert possible_actions(load_rules_as(TwentyOneRules, "blackjack", bare)) == ("stand", "hit")


def test_one_card_is_said_as_one() -> None:
    assert twentyone_sentence(DiscardsShuffled(1)) == "the discards are shuffled: 1 card"
    assert twentyone_sentence(DiscardsShuffled(30)) == "the discards are shuffled: 30 cards"
