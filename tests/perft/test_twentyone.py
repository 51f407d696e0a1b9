"""Complete trees of small shoes: the engine's nodes and money against a second reading, branch by branch.

Every card that can come is dealt and every option offered is taken. `twentyone.json` keeps, for each shoe and
for each first card and up card, the chance nodes, the decision nodes, the ends, and the sum in cents of what
the player has won or lost at all ends.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from cardroom.engine import twentyone
from cardroom.engine.twentyone import Action, CardAwaited, Done, Round, SpotWager
from cardroom.rules.loader import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from tests.perft.naive import DATA, Tally, pairs, reading_of
from tests.twentyone import counts

SHOES = json.loads(DATA.read_text("utf-8"))
NAMES = [shoe["name"] for shoe in SHOES]


def walk(state: Round, events: tuple[twentyone.Event, ...]) -> Tally:
    """Count the tree below a state."""
    awaited = twentyone.awaits(state)
    if isinstance(awaited, Done):
        total = twentyone.balance(events)
        assert total.table_cents == 0
        return Tally(terminal=1, cents=total.players["Ann"])
    if isinstance(awaited, CardAwaited):
        tally = Tally(chance=1)
        inputs: tuple[twentyone.Input, ...] = tuple(card for card, _ in twentyone.chance(state))
    else:
        tally, inputs = Tally(decision=1), awaited.options
    for asked in inputs:
        after, more = twentyone.step(state, asked)
        tally = tally.plus(walk(after, events + more))
    return tally


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
            branches[f"{first} {up}"] = walk(twentyone.step(after_first, up)[0], placed)
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

    def visit(state: Round) -> None:
        nonlocal void, shuffled, most_hands, most_doubles
        hands = state.spots[0].hands
        most_hands = max(most_hands, len(hands))
        most_doubles = max(most_doubles, *(hand.doubles for hand in hands))
        void = void or any(hand.status == "void" for hand in hands)
        shuffled = shuffled or (bool(state.discards.total) is not bool(state.opening.discards.total))
        awaited = twentyone.awaits(state)
        if isinstance(awaited, Done):
            return
        if isinstance(awaited, CardAwaited):
            # One card of each value is enough to meet every kind of hand.
            seen = {card.value: card for card, _ in twentyone.chance(state)}
            for card in seen.values():
                visit(twentyone.step(state, card)[0])
            return
        for option in awaited.options:
            taken.add(option if isinstance(option, Action) else type(option))
            visit(twentyone.step(state, option)[0])

    for shoe in SHOES:
        visit(opened(shoe)[0])
    assert taken == {
        *Action,
        twentyone.DeclineInsurance,
        twentyone.Insure,
        twentyone.EvenMoney,
    }
    assert (most_hands, most_doubles) == (4, 3)
    assert void
    assert shuffled
