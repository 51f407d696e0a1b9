"""What pages and terminal show alike: keys, and how cards lie."""

from __future__ import annotations

import pytest

from cardroom.engine.twentyone import Action, DeclineInsurance, EvenMoney, Insure
from cardroom.presentation import KEYS, as_they_lie, key_of, meaning_of


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
