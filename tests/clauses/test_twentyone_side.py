"""Side bets, clause by clause (SIDE)."""

from __future__ import annotations

import pytest

from cardroom.core.cards import parse_cards
from cardroom.core.odds import Odds
from cardroom.engine.twentyone import (
    CardDealt,
    CardTurned,
    JackpotPaid,
    MeterRaised,
    MeterReset,
    SpotWager,
    WagerPaid,
    WagerTaken,
    balance,
    why_not_start,
)
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.twentyone import ann, house, played

BJ = house("blackjack")
S21 = house("spanish-21")
PE21 = house("players-edge-21")


def side_result(rules: TwentyOneRules, wager: str, cards: str) -> int:
    """What a $1 side wager wins or loses on the player's two cards, the up card and a hole card."""
    first, second, up, hole = parse_cards(cards)
    stake = 500 if wager == "monster-match-5" else 100
    side = {wager: stake} if wager != "match-down" else {"match-up": 100, "match-down": 100}
    one_dollar = house(rules.game, {"limits.side_min": "1.00"})
    round_ = played(one_dollar, f"{first} {up} {second} {hole}", ann(1000, side))
    while not round_.over:
        if not round_.state.options:
            round_ = round_.then("Kc")
        else:
            round_ = round_.then("no" if round_.state.phase == "insurance" else "stand")
    paid = [event.payment_cents for event in round_.of(WagerPaid) if event.wager == wager]
    taken = [-event.stake_cents for event in round_.of(WagerTaken) if event.wager == wager]
    (result,) = paid + taken
    return result


@pytest.mark.clause("SIDE-1")
@pytest.mark.parametrize(
    ("cards", "cents"),
    [
        ("7h7h7h", 10_000),  # suited three of a kind
        ("7h7c7h", 3300),  # three of a kind
        ("7h8h9h", 3500),  # straight flush
        ("9h7h8h", 3500),  # in any order
        ("QhAhKh", 3500),  # ace high
        ("2hAh3h", 3500),  # ace low
        ("7h8c9h", 1000),  # straight
        ("AcQhKd", 1000),
        ("Ac2h3d", 1000),
        ("KcAh2d", -100),  # not around the corner
        ("2h7hKh", 500),  # flush
        ("7h7h2h", 500),  # a suited pair with a third card of its suit is a flush
        ("7h7c2d", -100),
        ("TcJhQd", 1000),
    ],
)
def test_21_plus_3(cards: str, cents: int) -> None:
    assert side_result(BJ, "21+3", cards + "5c") == cents


@pytest.mark.clause("SIDE-2")
@pytest.mark.parametrize(
    ("cards", "standard", "spanish"),
    [
        ("9d9d9d", 2000, 1800),  # two suited
        ("9d9c9d", 1400, 1300),  # one suited and one unsuited
        ("9d4c9d", 1000, 900),  # one suited
        ("4c9d9d", 1000, 900),
        ("9c9h9d", 800, 800),  # two unsuited
        ("9c9c9d", 800, 800),
        ("9c4d9d", 400, 400),  # one unsuited
        ("4d5d9d", -100, -100),
        ("JcQdKd", -100, -100),  # a jack does not match a king
        ("KcQdKd", 400, 400),
    ],
)
def test_match_the_dealer(cards: str, standard: int, spanish: int) -> None:
    assert side_result(BJ, "match-the-dealer", cards + "5c") == standard
    assert side_result(S21, "match-the-dealer", cards + "5c") == spanish
    assert side_result(PE21, "match-up", cards + "5c") == spanish


@pytest.mark.clause("SIDE-3")
@pytest.mark.parametrize(
    ("cards", "cents"),
    [("9d9d9d", 1800), ("9d9c9d", 1300), ("9d4c9d", 900), ("9c9h9d", 800), ("9c4d9d", 400)],
)
def test_match_down_looks_at_the_hole_card(cards: str, cents: int) -> None:
    first, second, hole = parse_cards(cards)
    assert side_result(PE21, "match-down", f"{first}{second}6s{hole}") == cents
    assert side_result(PE21, "match-down", f"{first}{second}{hole}6s") == -100


@pytest.mark.clause("SIDE-3")
def test_limits_of_the_match_wagers() -> None:
    rules = load_rules_as(TwentyOneRules, "players-edge-21")

    def clause(side: dict[str, int], stake: int = 1000) -> str | None:
        refusal = why_not_start(rules, ann(stake, side))
        return refusal.clause if refusal else None

    assert clause({"match-up": 1000, "match-down": 1000}) is None
    assert clause({"match-up": 100, "match-down": 1000}) is None
    assert clause({"match-down": 500}) == "SIDE-3"
    assert clause({"match-up": 1100}) == "SIDE-3"
    assert clause({"match-up": 500, "match-down": 1100}) == "SIDE-3"
    assert clause({"match-up": 100}, stake=0) == "PROC-2"
    # Match Up on another spot of the same player does not help.
    other = [SpotWager(1, "Ann", 1000, {"match-up": 500}), SpotWager(2, "Ann", 1000, {"match-down": 500})]
    refusal = why_not_start(rules, other)
    assert refusal is not None
    assert refusal.clause == "SIDE-3"


@pytest.mark.clause("SIDE-3")
def test_match_down_is_settled_when_the_hole_card_is_shown() -> None:
    side = {"match-up": 100, "match-down": 100}
    shown_at_the_end = played(PE21, "9h 6h 5d 9c hit Kc", ann(1000, side))
    tail = [e for e in shown_at_the_end.events if isinstance(e, CardTurned | WagerPaid | WagerTaken)]
    assert [type(e) for e in tail] == [CardTurned, WagerTaken, WagerTaken, CardTurned, WagerPaid]
    # The hand was bust, and the hole card was turned all the same, without a draw.
    assert shown_at_the_end.over
    assert tail[-1] == WagerPaid(1, "Ann", "match-down", 1, 100, 400, Odds(4), "one unsuited")
    blackjack = played(PE21, "Ah Ad Ks Kd no", ann(1000, side))
    assert [(e.wager, e.payment_cents) for e in blackjack.of(WagerPaid)] == [
        ("match-up", 400),
        ("primary", 1500),
        ("match-down", 400),
    ]


@pytest.mark.clause("SIDE-4")
@pytest.mark.parametrize(
    ("cards", "to_one"),
    [
        ("9h9c9d9s", 250),  # four of a kind
        ("9h9h9h9d", 250),
        ("9h9c4d4d", 6),  # two pairs, one of them identical
        ("9h9h4d4d", 100),  # two pairs of identical cards
        ("9h4d4d9h", 100),
        ("9h9h9h4d", 80),  # three identical
        ("9h9h9c4d", 9),  # three of a kind
        ("9h9c4d4s", 6),  # two pairs
        ("9h4d3c9h", 1),  # a pair of identical cards
        ("9h9c4d3s", -1),
        ("2h5c8d3s", -1),
    ],
)
def test_monster_match_lines(cards: str, to_one: int) -> None:
    assert side_result(PE21, "monster-match-1", cards) == 100 * to_one
    assert side_result(PE21, "monster-match-5", cards) == 500 * to_one


@pytest.mark.clause("SIDE-4")
def test_monster_match_wagers_are_one_and_five_dollars() -> None:
    for wager, right in (("monster-match-1", 100), ("monster-match-5", 500)):
        assert why_not_start(PE21, ann(1000, {wager: right})) is None
        for wrong in (0, 200, 600):
            refusal = why_not_start(PE21, ann(1000, {wager: wrong}))
            assert refusal is not None
            assert refusal.clause == "SIDE-4"
    assert why_not_start(PE21, ann(300, {"monster-match-1": 100, "monster-match-5": 500})) is None


@pytest.mark.clause("SIDE-4")
@pytest.mark.requirement("R-49")
def test_each_wager_has_its_own_meter() -> None:
    both = {"monster-match-1": 100, "monster-match-5": 500}
    wagers = [SpotWager(1, "Ann", 1000, both), SpotWager(2, "Bob", 1000, {"monster-match-1": 100})]
    meters = {"monster-match-1": 1_234_567, "monster-match-5": 5_000_000}
    round_ = played(PE21, "", wagers, meters=meters)
    assert round_.of(MeterRaised) == [
        MeterRaised("monster-match-1", 8, 1_234_575),
        MeterRaised("monster-match-5", 40, 5_000_040),
        MeterRaised("monster-match-1", 8, 1_234_583),
    ]
    assert dict(round_.state.meters) == {"monster-match-1": 1_234_583, "monster-match-5": 5_000_040}
    assert balance(round_.events).meters == {"monster-match-1": 16, "monster-match-5": 40}


@pytest.mark.clause("SIDE-4")
@pytest.mark.requirement("R-49")
def test_four_identical_cards_win_the_meter_which_goes_back_to_its_seed() -> None:
    side = {"monster-match-1": 100, "monster-match-5": 500}
    round_ = played(PE21, "9h 9h 9h 9h stand", ann(1000, side))
    assert round_.of(JackpotPaid) == [
        JackpotPaid(1, "Ann", "monster-match-1", 100, 1_000_008),
        JackpotPaid(1, "Ann", "monster-match-5", 500, 5_000_040),
    ]
    assert round_.of(MeterReset) == [
        MeterReset("monster-match-1", 1_000_000),
        MeterReset("monster-match-5", 5_000_000),
    ]
    assert dict(round_.state.meters) == {"monster-match-1": 1_000_000, "monster-match-5": 5_000_000}
    assert balance(round_.events).total_cents == 0
    assert round_.net() == 1_000_008 + 5_000_040  # 18 pushes with 18


@pytest.mark.clause("SIDE-4")
@pytest.mark.requirement("R-49")
def test_two_jackpots_in_one_round_are_paid_right_to_left_from_the_meter_then_from_the_seed() -> None:
    side = {"monster-match-1": 100}
    wagers = [SpotWager(1, "Ann", 1000, side), SpotWager(2, "Bob", 1000, side)]
    round_ = played(PE21, "9h 9h 9h 9h 9h 9h stand stand", wagers, meters={"monster-match-1": 2_000_000})
    assert [(e.player, e.payment_cents) for e in round_.of(JackpotPaid)] == [
        ("Bob", 2_000_016),
        ("Ann", 1_000_000),
    ]
    assert dict(round_.state.meters)["monster-match-1"] == 1_000_000


@pytest.mark.clause("SIDE-4")
def test_a_super_bonus_leaves_the_meters_alone() -> None:
    side = {"monster-match-1": 100}
    round_ = played(PE21, "7h 7d 7h 9c hit 7h", ann(1000, side))
    assert dict(round_.state.meters)["monster-match-1"] == 1_000_008


@pytest.mark.clause("SIDE-5")
@pytest.mark.parametrize("game", ["blackjack", "spanish-21"])
def test_side_wagers_of_the_card_room(game: str) -> None:
    card_room = load_rules_as(TwentyOneRules, game)

    def clause(cents: int) -> str | None:
        refusal = why_not_start(card_room, ann(400, {"match-the-dealer": cents}))
        return refusal.clause if refusal else None

    assert [clause(cents) for cents in (200, 300, 400)] == [None] * 3
    assert [clause(cents) for cents in (0, 100, 500, -200)] == ["SIDE-5"] * 4
    assert clause(250) == "21-1.14"


@pytest.mark.clause("SIDE-6")
def test_losing_side_wagers_are_taken_right_to_left_then_winning_ones_paid_right_to_left() -> None:
    side = {"21+3": 200, "match-the-dealer": 300}
    wagers = [SpotWager(spot, f"P{spot}", 1000, side) for spot in (1, 2, 3)]
    # Up 9d. Spot 1: 9c 4h (one match, no poker). Spot 2: 2d 5d (flush). Spot 3: 7c 8h (straight with the 9).
    round_ = played(BJ, "9c 2d 7c 9d 4h 5d 8h 6s", wagers)
    settled = [e for e in round_.events if isinstance(e, WagerTaken | WagerPaid)]
    assert [(type(e).__name__, e.spot, e.wager) for e in settled] == [
        ("WagerTaken", 3, "match-the-dealer"),
        ("WagerTaken", 2, "match-the-dealer"),
        ("WagerTaken", 1, "21+3"),
        ("WagerPaid", 3, "21+3"),
        ("WagerPaid", 2, "21+3"),
        ("WagerPaid", 1, "match-the-dealer"),
    ]
    paid = {(e.spot, e.wager): e.payment_cents for e in round_.of(WagerPaid)}
    assert paid == {(3, "21+3"): 2000, (2, "21+3"): 1000, (1, "match-the-dealer"): 1200}
    # All that before anybody is asked, and after the last card of the deal.
    assert round_.turn == (1, 1)
    kinds = [type(event) for event in round_.events]
    assert kinds.index(WagerTaken) > len(kinds) - 1 - kinds[::-1].index(CardDealt)
