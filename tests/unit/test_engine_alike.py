"""States of a tree that may be put together, and such as may not."""

from __future__ import annotations

from cardroom.engine.twentyone.alike import alike
from tests.twentyone import house, played


def test_hands_of_the_same_cards_that_other_splits_began_are_told_apart() -> None:
    """Split aces may not be doubled here, a split nine may: what follows is not the same."""
    rules = house("spanish-21", {"split.double_aces": False})
    aces = played(rules, "As 6d As Ad split 6d 9s hit 9s")
    nines = played(rules, "9s 6d 9s Ad split 6d As hit As")
    assert sorted(aces.state.spots[0].hands[0].cards) == sorted(nines.state.spots[0].hands[0].cards)
    assert aces.options != nines.options
    assert alike(aces.then("hit").state) != alike(nines.then("hit").state)
