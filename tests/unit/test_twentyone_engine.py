"""Smaller parts of the round: what cannot be seen, chips, balances, places, and random rounds."""

from __future__ import annotations

from random import Random

import pytest

from bench.engine import play_random_rounds
from cardroom.engine import twentyone
from cardroom.engine.twentyone import (
    CardAwaited,
    SpotWager,
    Transfer,
    WagerPaid,
    awaits,
    balance,
    net_by_wager,
    transfers,
    unseen_hole,
    view,
    with_hole,
)
from tests.twentyone import GAMES, ann, card, house, played

BJ = house("blackjack")


def test_places_of_cards_in_words() -> None:
    words = []
    round_ = played(BJ, "", [SpotWager(2, "Ann", 1000), SpotWager(5, "Bob", 1000)])
    for moves in ("8h", "7h", "6d", "8s", "7s", "Tc", "split", "2c"):
        awaited = awaits(round_.state)
        words.append(awaited.place if isinstance(awaited, CardAwaited) else "decision")
        round_ = round_.then(moves)
    assert words == ["spot 2", "spot 5", "dealer"] * 2 + ["decision", "spot 2 hand 1"]


def test_the_hole_card_that_cannot_be_seen() -> None:
    single = house("blackjack", {"decks": 1})
    round_ = played(single, "9h Kd 9s 7c")
    could_be = dict(unseen_hole(round_.state))
    # 52 cards, three of them open, and the dealer has looked: no ace.
    assert len(could_be) == 52 - 3 - 4
    assert set(could_be.values()) == {1}
    assert card("7c") in could_be
    assert card("Ac") not in could_be
    other = with_hole(round_.state, card("Qd"))
    assert other.dealer == (card("Kd"), card("Qd"))
    assert view(other, 1) == view(round_.state, 1)
    assert other != round_.state


def test_before_the_look_an_ace_is_possible_and_after_the_turn_nothing_is_hidden() -> None:
    single = house("blackjack", {"decks": 1})
    insurance = played(single, "9h Ad 9s 7c")
    assert len(unseen_hole(insurance.state)) == 52 - 3
    assert len(unseen_hole(insurance.then("no").state)) == 52 - 3 - 16
    assert unseen_hole(played(single, "Kh 7d 9s Kc stand").state) == ()
    assert unseen_hole(played(single, "Kh 7d 9s").state) == ()


def test_the_last_card_of_a_shoe_is_known_to_who_has_counted() -> None:
    round_ = played(BJ, "9h 9d 2s 8c hit 7d", shoe="9h9d2s8c", discards="7c7d")
    assert unseen_hole(round_.state) == ((card("8c"), 1),)
    # Where the hole card itself came from the discards, it can be any of those not yet seen.
    during = played(BJ, "9h 9d 2s 8c", shoe="9h9d2s", discards="8c7d")
    assert dict(unseen_hole(during.state)) == {card("8c"): 1, card("7d"): 1}


def test_with_infinite_decks_any_card_may_lie_there() -> None:
    infinite = house("blackjack", {"decks": "infinite"})
    assert len(unseen_hole(played(infinite, "9h 9d 9s 9c").state)) == 52


def test_only_the_seat_in_turn_sees_options() -> None:
    round_ = played(BJ, "9h 8h 9d 6s 8s 9c", [*ann(), SpotWager(2, "Bob", 1000)])
    assert view(round_.state, 1).options == round_.options
    assert view(round_.state, 2).options == ()
    assert (view(round_.state, 2).turn, view(round_.state, 2).hand) == (1, 1)
    assert view(round_.state, 7).cards_left == 6 * 52 - 6


def test_transfers_and_balances() -> None:
    round_ = played(BJ, "Ah 9d Ks 5c", ann(1000, {"21+3": 200}))
    (paid,) = round_.of(WagerPaid)
    assert transfers(paid) == (Transfer("table", "player:Ann", 1000), Transfer("house", "player:Ann", 1500))
    total = balance(round_.events)
    assert (total.players, total.house_cents, total.table_cents) == ({"Ann": 1300}, -1300, 0)
    assert net_by_wager(round_.events) == {("Ann", "primary"): 1500, ("Ann", "21+3"): -200}


def test_wagers_are_written_so_that_they_paste_back() -> None:
    wager = SpotWager(1, "Ann", 1000, {"match-up": 500, "match-down": 200})
    assert repr(wager) == "SpotWager(1, 'Ann', 1000, {'match-down': 200, 'match-up': 500})"
    assert repr(SpotWager(1, "Ann", 1000)) == "SpotWager(1, 'Ann', 1000)"
    assert wager.total_cents == 1700


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_with_random_legal_actions_conserve_money(game: str) -> None:
    result = play_random_rounds(game, rounds=1500, spots=3, random=Random(game))
    assert result.rounds == 1500
    assert result.unbalanced == 0
    assert result.steps > 10 * result.rounds


def test_the_module_offers_the_contract() -> None:
    for name in ("start", "awaits", "step", "chance", "view", "why_not"):
        assert callable(getattr(twentyone, name))
