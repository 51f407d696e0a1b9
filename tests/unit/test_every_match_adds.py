"""Side bets of which every line that the cards make is paid: what they come to, and where that is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError

from cardroom.core.cards import parse_card, parse_cards
from cardroom.engine.twentyone.events import WagerPaid, WagerTaken
from cardroom.exact.sidebets import side_bet_figures
from cardroom.rules.bets import SideBet, shelf_bet
from cardroom.rules.bets.checks import never_won
from cardroom.sim.twentyone.sides import line_nets, lines_of, side_tables
from cardroom.web.live.twentyone_view import layout_view
from tests.twentyone import ann, house, played

HANDS = {
    "7h7h7h": 22,
    "7h7d7h": 15,
    "7d7h7h": 15,
    "7hKd7h": 11,
    "7d7c7h": 8,
    "Kd7c7h": 4,
    "Kd8c7h": None,
}
"""The player's two cards and the up card: 11 for a card like it, 4 for one of its rank, summed."""
OWN: dict[str, Any] = {
    "title": "Own",
    "looks_at": ["player_1", "player_2"],
    "every_match_adds": True,
    "lines": [
        {"name": "pair", "when": {"same": ["rank"]}, "pays": "5:1"},
        {"name": "flush", "when": {"same": ["suit"]}, "pays": "3:2"},
    ],
}


@pytest.mark.clause("SIDE-7")
@pytest.mark.parametrize(("cards", "pays"), HANDS.items())
def test_every_match_is_paid_at_the_table(cards: str, pays: int | None) -> None:
    first, second, up = parse_cards(cards)
    rules = house("blackjack", {"side_bets.dealer-match.offered": True})
    round_ = played(rules, f"{first} {up} {second} 9d", ann(1000, {"dealer-match": 200}))
    (settled,) = (
        event
        for event in round_.events
        if isinstance(event, WagerPaid | WagerTaken) and event.wager == "dealer-match"
    )
    if pays is None:
        assert isinstance(settled, WagerTaken)
    else:
        assert isinstance(settled, WagerPaid)
        assert settled.payment_cents == 200 * pays
        assert settled.odds.ratio == Fraction(pays)


def test_it_is_worth_what_the_same_pays_are_as_lines_of_their_own() -> None:
    """Match the Dealer counts the matches in one pattern; with the sums as pays it is the same wager."""
    sums = {
        "two_suited": "22:1",
        "suited_and_unsuited": "15:1",
        "one_suited": "11:1",
        "two_unsuited": "8:1",
        "one_unsuited": "4:1",
    }
    table = {f"side_bets.match-the-dealer.{line}": pays for line, pays in sums.items()}
    rules = house("blackjack", {"side_bets.dealer-match.offered": True, **table})
    adding, counting = (side_bet_figures(rules, wager) for wager in ("dealer-match", "match-the-dealer"))
    assert adding.expected_value == counting.expected_value
    assert adding.variance == counting.variance


def test_a_bet_of_ones_own_by_hand() -> None:
    """Of 311 cards 5 are a pair and a flush, 18 a pair alone, 72 a flush alone."""
    rules = house("blackjack", {"side_bets.own": OWN})
    figures = side_bet_figures(rules, "own")
    assert {one.outcome: (one.net, one.probability) for one in figures.outcomes} == {
        "pair_and_flush": (Fraction(13, 2), Fraction(5, 311)),
        "pair": (5, Fraction(18, 311)),
        "flush": (Fraction(3, 2), Fraction(72, 311)),
        "lose": (-1, Fraction(216, 311)),
    }
    assert never_won(rules.side_bets["own"], "standard") is None
    said = [words for key, words, _ in rules.sentences() if key == "side_bets.own.every_match_adds"]
    assert [words.endswith("every line that the cards make is paid") for words in said] == [True]


@pytest.mark.slow
def test_the_tables_of_kernels_have_the_sums() -> None:
    """The CPU's kernel and the GPU's tables look the line up by the three cards."""
    rules = house("blackjack", {"side_bets.dealer-match.offered": True})
    bet = rules.side_bets["dealer-match"]
    table = side_tables([bet]).lines_of_three[0]
    nets = line_nets(rules, "dealer-match", None)
    assert len(lines_of(bet)) == len(nets) == 9
    cards = [parse_card(card) for card in ("7h", "7d", "7c", "Kd")]
    for first, second, up in product(cards, repeat=3):
        matches = [11 if card is up else 4 for card in (first, second) if card.rank is up.rank]
        assert nets[table[first.index, second.index, up.index]] == (sum(matches) or -1)


def test_the_layout_shows_what_comes_together() -> None:
    rules = house("blackjack", {"side_bets.own": OWN})
    (shown,) = (one for one in layout_view(rules)["side_bets"] if one["wager"] == "own")
    assert [one["pays"] for one in shown["lines"]] == ["13 to 2", "5 to 1", "3 to 2"]


def test_what_is_written_stays_as_it_is() -> None:
    bet = SideBet.model_validate(OWN)
    assert SideBet.model_validate(bet.canonical()) == bet
    assert [line["name"] for line in bet.canonical()["lines"]] == ["pair", "flush"]
    assert "every_match_adds" not in shelf_bet("21+3").bet.canonical()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {
                "lines": [
                    {"name": "pair", "when": {"same": ["rank"]}, "pays": "meter"},
                    {"name": "flush", "when": {"same": ["suit"]}, "pays": "3:2"},
                ],
                "fixed_stake": "1.00",
                "meter_seed": "100.00",
            },
            "every_match_adds: a line that pays the meter cannot be added to others",
        ),
        (
            {
                "lines": [
                    {"name": "nineteen", "when": {"total": 19}, "pays": "5:1"},
                    {"name": "twenty", "when": {"total": 20}, "pays": "3:1"},
                ]
            },
            "every_match_adds: no cards make two of the lines, so that nothing adds up",
        ),
    ],
)
def test_it_is_refused_where_nothing_can_be_added(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        SideBet.model_validate({**OWN, **changes})
