"""House options that other rooms use, clause by clause: the same cards with the option and without it."""

from __future__ import annotations

import pytest

from cardroom.engine.twentyone import Action
from tests.twentyone import house, played

BJ = house("blackjack")


@pytest.mark.clause("21-1.16")
@pytest.mark.parametrize(
    ("totals", "cards", "allowed"),
    [
        ("9-11", "4h 6d 4s 9c", False),
        ("9-11", "4h 6d 5s 9c", True),
        ("9-11", "5h 6d 6s 9c", True),
        ("9-11", "5h 6d 7s 9c", False),
        ("9-11", "Ah 6d 8s 9c", False),  # soft 19 is no 9
        ("10-11", "4h 6d 5s 9c", False),
        ("10-11", "4h 6d 6s 9c", True),
        ("any", "Ah 6d 2s 9c", True),
    ],
)
def test_only_hard_totals_of_the_house_are_doubled(totals: str, cards: str, allowed: bool) -> None:
    dealt = played(house("blackjack", {"double.totals": totals}), cards)
    assert (Action.DOUBLE in dealt.options) is allowed
    if not allowed:
        assert dealt.refusal(Action.DOUBLE).clause == "21-1.16"


@pytest.mark.clause("21-1.16")
def test_hands_after_a_split_and_redoubles_ask_for_the_total_too() -> None:
    low = house("blackjack", {"double.totals": "9-11"})
    split = played(low, "8h 6d 8s 9c split 2c 5d")
    assert Action.DOUBLE in split.options  # 8-2
    assert Action.DOUBLE not in split.then("stand").options  # 8-5
    again = house("spanish-21", {"double.totals": "9-11"})
    doubled = played(again, "4h 6d 5s 9c double 2c")
    assert doubled.options == (Action.STAND, Action.DOUBLE)  # 11
    # 4-5 doubled gets a 7 and is 16: nothing is left to decide, and the dealer's 15 draws.
    assert played(again, "4h 6d 5s 9c double 7c").over is False
    assert played(again, "4h 6d 5s 9c double 7c Kc").net() == 2000
