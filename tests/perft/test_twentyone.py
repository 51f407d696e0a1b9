"""Complete trees of small shoes: the engine's nodes and money against a second reading, branch by branch.

Every card that can come is dealt and every option offered is taken. `twentyone.json` keeps, for each shoe and
for each first card and up card, the chance nodes, the decision nodes, the ends, and the sum in cents of what
the player has won or lost at all ends.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from cardroom.core.cards import Card
from cardroom.engine import twentyone
from cardroom.engine.twentyone import Action, CardAwaited, Done, Round, SpotWager
from cardroom.engine.twentyone.alike import alike
from cardroom.engine.walk import Branches, moves, walk
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.perft.naive import DATA, Tally, pairs, reading_of
from tests.twentyone import counts

SHOES = json.loads(DATA.read_text("utf-8"))
NAMES = [shoe["name"] for shoe in SHOES]


def tally(state: Round, branches: Branches[twentyone.Event, Tally]) -> Tally:
    """Count the tree below a state; cents are those of the events below it."""
    if not branches:
        assert isinstance(twentyone.awaits(state), Done)
        assert state.on_table_cents == 0
        return Tally(terminal=1)
    total = Tally(chance=1) if isinstance(twentyone.awaits(state), CardAwaited) else Tally(decision=1)
    for branch in branches:
        won_cents = twentyone.balance(branch.events).players.get("Ann", 0)
        below = branch.value
        total = total.plus(below._replace(cents=below.cents + won_cents * below.terminal))
    return total


def opened(shoe: dict[str, Any]) -> tuple[Round, tuple[twentyone.Event, ...]]:
    changes = {"limits.min": "1.00", "limits.max": "500.00", **shoe["set"]}
    rules = load_rules_as(TwentyOneRules, shoe["game"], changes)
    wager = SpotWager(1, "Ann", shoe["stake_cents"])
    return twentyone.start(rules, [wager], counts(shoe["shoe"]), discards=counts(shoe["discards"]))


def engine_branches(shoe: dict[str, Any]) -> dict[str, Tally]:
    """The engine's tallies below each first card and up card."""
    state, placed = opened(shoe)
    branches = {}
    for first, _ in twentyone.chance(state):
        after_first, _ = twentyone.step(state, first)
        for up, _ in twentyone.chance(after_first):
            below = walk(twentyone, twentyone.step(after_first, up)[0], tally)
            staked_cents = twentyone.balance(placed).players["Ann"]
            branches[f"{first} {up}"] = below._replace(cents=below.cents + staked_cents * below.terminal)
    return branches


def differences(got: dict[str, Tally], kept: dict[str, list[int]]) -> list[str]:
    """The branches whose counts differ, a line each."""
    return [
        f"{branch}: {tuple(got.get(branch, ()))} instead of {tuple(kept.get(branch, ()))}"
        for branch in sorted({*got, *kept})
        if list(got.get(branch, ())) != kept.get(branch)
    ]


@pytest.mark.parametrize("shoe", SHOES, ids=NAMES)
def test_the_engine_walks_every_branch(shoe: dict[str, Any]) -> None:
    changed = differences(engine_branches(shoe), shoe["branches"])
    assert changed == [], "(chance, decision, terminal, cents) by first card and up card"


@pytest.mark.parametrize("shoe", SHOES, ids=NAMES)
def test_the_second_reading_counts_the_same(shoe: dict[str, Any]) -> None:
    assert differences(reading_of(shoe), shoe["branches"]) == []


@pytest.mark.parametrize("shoe", SHOES, ids=NAMES)
def test_branches_add_up_to_the_total(shoe: dict[str, Any]) -> None:
    columns = zip(*shoe["branches"].values(), strict=True)
    assert [sum(column) for column in columns] == shoe["total"]


def test_the_shoes_are_small_and_force_everything() -> None:
    assert len(SHOES) >= 10
    assert all(6 <= len(pairs(shoe["shoe"])) <= 10 for shoe in SHOES)
    taken: set[object] = set()
    void = shuffled = False
    most_hands = most_doubles = 0

    def fewer(state: Round) -> Iterator[tuple[twentyone.Input, int]]:
        """One card of each value is enough to meet every kind of hand."""
        if isinstance(twentyone.awaits(state), CardAwaited):
            yield from {card.value: (card, 1) for card, _ in twentyone.chance(state)}.values()
        else:
            yield from moves(twentyone, state)

    def note(_state: Round, branches: Branches[twentyone.Event, None]) -> None:
        nonlocal void, shuffled, most_hands, most_doubles
        for branch in branches:
            if not isinstance(branch.entry, Card):
                taken.add(branch.entry if isinstance(branch.entry, Action) else type(branch.entry))
            after = branch.after
            hands = after.spots[0].hands
            most_hands = max(most_hands, len(hands))
            most_doubles = max(most_doubles, *(hand.doubles for hand in hands))
            void = void or any(hand.status == "void" for hand in hands)
            shuffled = shuffled or (bool(after.discards.total) is not bool(after.opening.discards.total))

    def same(state: Round) -> object:
        return alike(state), state.source, state.discards

    for shoe in SHOES:
        walk(twentyone, opened(shoe)[0], note, tried=fewer, alike=same)
    assert taken == {
        *Action,
        twentyone.DeclineInsurance,
        twentyone.Insure,
        twentyone.EvenMoney,
    }
    assert (most_hands, most_doubles) == (4, 3)
    assert void
    assert shuffled
