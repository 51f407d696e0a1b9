"""The simulator's kernels against the engine, card for card and cent for cent, and against each other."""

from __future__ import annotations

import numpy as np
import pytest

from cardroom.core.cards import CARDS, parse_cards
from cardroom.lab.agreement import automaton_of, disagreements, play_by_engine, play_by_kernel
from cardroom.lab.rule_sets import EACH_OPTION, FAMILY
from cardroom.model.twentyone.automaton import ACTIONS, compile_hands
from cardroom.rules import load_rules_as
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.rules.twentyone.law import Action
from cardroom.sim.twentyone.dealing import Dealing, new_marks, shoe_cards
from cardroom.sim.twentyone.dice import dice, random_actions, random_shoes
from cardroom.sim.twentyone.job import Job
from cardroom.sim.twentyone.kernel import Room, Tallies, play_rounds, play_waves
from cardroom.sim.twentyone.sides import simulated_sides
from cardroom.sim.twentyone.stream import seed_key, stream_states
from tests.agree.test_counter_kernel import LATE_BETS


def rules_of(game: str, changes: dict[str, object] | None = None) -> TwentyOneRules:
    return load_rules_as(TwentyOneRules, game, changes)


@pytest.mark.parametrize("game", FAMILY)
def test_kernel_equals_engine_on_random_shoes_and_strategies(game: str) -> None:
    generator = dice(2121)
    rules = rules_of(game)
    for spots in (1, 1, 1, 1, 3, 7):
        actions = random_actions(automaton_of(rules), generator)
        assert next(disagreements(rules, actions, random_shoes(rules, 100, generator), spots), None) is None


@pytest.mark.parametrize(("game", "changes"), EACH_OPTION, ids=str)
def test_kernel_equals_engine_with_each_option_changed(game: str, changes: dict[str, object]) -> None:
    generator = dice(21)
    rules = rules_of(game, changes)
    for spots in (1, 2):
        actions = random_actions(automaton_of(rules), generator)
        assert next(disagreements(rules, actions, random_shoes(rules, 40, generator), spots), None) is None


HAND_AND_SECOND: dict[str, object] = {
    "title": "Hand and Second",
    "looks_at": ["player_hand", "dealer_hole"],
    "lines": [
        {"name": "bust", "when": {"of": "player", "bust": True}, "pays": "2:1"},
        {"name": "ten", "when": {"of": "dealer_hole", "every": {"ranks": ["T", "K"]}}, "pays": "3:1"},
    ],
}
BOTH_HANDS: dict[str, object] = {
    "title": "Both Hands",
    "looks_at": ["player_hand", "dealer_hand"],
    "lines": [
        {
            "name": "both bust",
            "when": {"all": [{"of": "player", "bust": True}, {"of": "dealer", "bust": True}]},
            "pays": "9:1",
        },
        {"name": "long", "when": {"of": "dealer", "number": {"min": 5}}, "pays": "5:1"},
    ],
}
SEVENS: dict[str, object] = {
    "title": "Sevens",
    "looks_at": ["player_3"],
    "lines": [{"name": "seven", "when": {"every": {"ranks": ["7"]}}, "pays": "10:1"}],
}
SECOND_ALONE: dict[str, object] = {
    "hole_card": "none",
    "side_bets.match-the-dealer.offered": False,
    "side_bets.lucky-ladies.offered": True,
}
ON_HANDS: dict[str, object] = {
    "hole_card": "none",
    "side_bets.hand-and-second": HAND_AND_SECOND,
    "side_bets.both-hands": BOTH_HANDS,
    "side_bets.sevens": SEVENS,
}


@pytest.mark.clause("21-1.19")
@pytest.mark.parametrize("bets", [LATE_BETS, ON_HANDS, SECOND_ALONE], ids=["cards", "hands", "alone"])
@pytest.mark.parametrize(
    "changes", [{}, {"surrender": "late"}, {"dealer_blackjack_takes": "original", "deck": "spanish"}], ids=str
)
def test_kernel_equals_engine_where_the_second_card_comes_late_for_side_bets(
    changes: dict[str, object], bets: dict[str, object]
) -> None:
    """The same cards, wagers and lines, whether the dealer takes it for a hand, for a wager, or for both."""
    generator = dice(19)
    rules = rules_of("blackjack", {"limits.min": "10.00", "limits.max": "10.00", **bets, **changes})
    for spots in (1, 1, 1, 3):
        actions = random_actions(automaton_of(rules), generator)
        shoes = random_shoes(rules, 150, generator)
        assert next(disagreements(rules, actions, shoes, spots), None) is None


@pytest.mark.clause("21-1.13")
@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"hole_card": "unseen", "dealer_blackjack_takes": "original"},
        {"hole_card": "none", "dealer_blackjack_takes": "original"},
    ],
    ids=str,
)
@pytest.mark.parametrize("spots", [1, 2])
def test_kernel_equals_engine_when_the_shoe_runs_out(spots: int, changes: dict[str, object]) -> None:
    """Shoes of a few cards: rounds die in the deal, in a hand, between split hands, in the dealer's hand."""
    generator = dice(7)
    rules = rules_of("players-edge-21", changes)
    deck, automaton, sides = shoe_cards(rules), automaton_of(rules), simulated_sides(rules)
    for cards in range(4 * spots, 26):
        actions = random_actions(automaton, generator)
        job = Job.of(rules, actions, seed=0, dealing=Dealing.fresh(), spots=spots)
        game = job.prepared.game._replace(cards=np.uint64(cards))
        for _ in range(8):
            shoe = generator.permutation(deck)[:cards]
            by_engine = play_by_engine(automaton, actions, [CARDS[index] for index in shoe], spots)
            tallies = job.prepared.tallies(np.zeros(job.prepared.tally_size, np.int64))
            one, states, room = np.ones(1, np.int64), np.zeros(4, np.uint32), Room.of(1)
            play_rounds(one, spots, game, states, shoe.copy(), new_marks(1), room, tallies)
            units = int(np.flatnonzero(tallies.nets.sum(axis=0))[0]) - job.prepared.results // 2
            assert units == by_engine.won * job.prepared.tables.unit, (cards, shoe)
            if rules.hole_card == "none":  # a side bet whose second card never came is returned (21-1.19)
                counted = {
                    wager for wager, lines in zip(sides, tallies.side_lines, strict=True) if lines.any()
                }
                assert counted == {wager for wager, net in by_engine.sides.items() if net}, (cards, shoe)


def test_a_round_by_hand() -> None:
    """8-8 against a 6 is split: 8-3 doubles and gets a 9, 8-K stands; the dealer's 6-T gets a 5."""
    rules = rules_of("blackjack")
    automaton = compile_hands(rules)
    actions = np.full((len(automaton.may), 10), ACTIONS.index(Action.STAND), np.int8)
    pair = automaton.state_of(parse_cards("8c8d"))
    eleven = automaton.state_of(parse_cards("8c3d"), from_split=True)
    actions[pair] = ACTIONS.index(Action.SPLIT)
    actions[eleven] = ACTIONS.index(Action.DOUBLE)
    cards = parse_cards("8c 6h 8d Th 3d Kc 9s 5c 2c 2d")
    job = Job.of(rules, actions, seed=0, dealing=Dealing.fresh())
    shoe = np.concatenate([[card.index for card in cards], shoe_cards(rules)[: 312 - len(cards)]])
    played = play_by_kernel(job, shoe.astype(np.uint8))
    assert played.cards_used == 8
    assert played.won == -3
    assert played.staked == 3


@pytest.mark.parametrize("game", FAMILY)
@pytest.mark.parametrize(
    "dealing",
    [Dealing.fresh(), Dealing(None, 78, 1), Dealing(9, None, 0)],
    ids=["fresh", "cut card", "nine rounds"],
)
@pytest.mark.parametrize("decks", [6, 2, "infinite"])
def test_waves_equal_rounds_one_by_one(game: str, dealing: Dealing, decks: object) -> None:
    rules = rules_of(game, {"decks": decks})
    actions = random_actions(automaton_of(rules), dice(3))
    if decks == 2 and dealing.cut_cards:
        dealing = Dealing(None, 20, 1)
    prepared = Job.of(rules, actions, seed=1, dealing=dealing).prepared
    rounds = np.array([300, 300, 299, 40, 1], np.int64)
    tallies = []
    for kernel in ("waves", "rounds"):
        states = stream_states(seed_key(1), 0, len(rounds)).reshape(-1)
        shoes = prepared.cards.copy() if prepared.game.infinite else np.tile(prepared.cards, len(rounds))
        tally = prepared.tallies(np.zeros(prepared.tally_size, np.int64))
        rest = (prepared.game, states, shoes, new_marks(len(rounds)), Room.of(len(rounds)), tally)
        if kernel == "waves":
            play_waves(rounds, *rest)
        else:
            play_rounds(rounds, 1, *rest)
        tallies.append(tally)
    assert tallies[0].nets.sum() == rounds.sum()
    for name, one, other in zip(Tallies._fields, *tallies, strict=True):
        assert np.array_equal(one, other), name
