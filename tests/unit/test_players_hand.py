"""Side bets on the player's hand as it ends (SIDE-9): settled, figured and simulated."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from cardroom.core.cards import parse_card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.engine import twentyone
from cardroom.engine.twentyone import CardDealt, Event, Round, WagerPaid, WagerTaken
from cardroom.engine.twentyone.alike import alike
from cardroom.engine.walk import Branches, by_chance, moves, walk
from cardroom.exact.by_decks import figures_with_decks
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import decision, disagreements
from cardroom.lab.design.form import bet_view
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.presentation.howto.side_bets import side_bet_guide
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone import simulate
from tests.twentyone import ann, house, played

LONG: dict[str, Any] = {
    "title": "Long Hand",
    "looks_at": ["player_hand"],
    "lines": [
        {"name": "long bust", "when": {"bust": True, "number": {"min": 4}}, "pays": "15:1"},
        {"name": "bust", "when": {"bust": True}, "pays": "2:1"},
        {"name": "made 21", "when": {"total": 21, "number": {"min": 3}}, "pays": "8:1"},
    ],
}
UNDER: dict[str, Any] = {
    "title": "Ace Under",
    "looks_at": ["dealer_up", "player_hand"],
    "lines": [
        {
            "name": "ace first under a ten",
            "when": {
                "all": [
                    {"of": ["player_1"], "every": {"ranks": ["A"]}},
                    {"of": "dealer", "every": {"ranks": ["T", "J", "Q", "K"]}},
                    {"of": "player", "total": {"min": 19, "max": 21}},
                ]
            },
            "pays": "40:1",
        },
        {"name": "twenty", "when": {"of": "player", "total": 20}, "pays": "3:1"},
    ],
}
BOTH: dict[str, Any] = {
    "title": "Both Bust",
    "looks_at": ["player_hand", "dealer_hand"],
    "lines": [
        {
            "name": "both bust",
            "when": {"all": [{"of": "player", "bust": True}, {"of": "dealer", "bust": True}]},
            "pays": "10:1",
        }
    ],
}
COLOURS: dict[str, Any] = {
    "title": "Red Hand",
    "looks_at": ["player_hand"],
    "lines": [
        {"name": "three red cards", "when": {"contains": {"colours": ["red"], "number": 3}}, "pays": "4:1"}
    ],
}
BETS = {"long-hand": LONG, "ace-under": UNDER, "both-bust": BOTH, "red-hand": COLOURS}


def offering(*wagers: str, game: str = "blackjack", **changes: object) -> TwentyOneRules:
    return house(game, {**{f"side_bets.{wager}": BETS[wager] for wager in wagers}, **changes})


@pytest.mark.clause("SIDE-9")
@pytest.mark.parametrize(
    ("wager", "cards", "won", "after"),
    [
        ("long-hand", "5c 6c 8d Td hit 2h hit Kc", 3000, "Kc"),  # a bust with four cards, settled at once
        ("long-hand", "9c 6c 7d Td hit Ks", 400, "Ks"),
        ("long-hand", "5c 6c 6d Td double Ks 5h", 1600, "Ks"),  # a 21, before the dealer plays
        ("long-hand", "9c 6c 8d Td stand 5h", -200, "8d"),
        ("long-hand", "Ac 6c Kd Td", -200, "Kd"),  # a blackjack is no 21 of three cards
        ("long-hand", "8c 6c 8d Td split 3h 2h double Ts stand Kc", 1600, "Ts"),  # the first hand alone
        ("long-hand", "8c 6c 8d Td split Th 3h stand double Ts Kc", -200, "3h"),
        ("long-hand", "9c Ac 7d Ks no", -200, "7d"),  # a dealer's blackjack ends the hand
        ("ace-under", "Ac Kc 9d 8d stand", 8000, "9d"),
        ("both-bust", "9c 6c 7d Td hit Ks Kc", 2000, "Kc"),  # the dealer plays for the side wager alone
        ("both-bust", "9c 6c 7d Td hit Ks 5c", -200, "5c"),
        ("red-hand", "5d 6c 6h Td hit 9d stand 5c", 800, "9d"),
    ],
)
def test_it_is_settled_when_the_hand_ends(wager: str, cards: str, won: int, after: str) -> None:
    round_ = played(offering(wager), cards, ann(1000, {wager: 200}))
    assert round_.over
    place = next(
        place
        for place, event in enumerate(round_.events)
        if isinstance(event, WagerPaid | WagerTaken) and event.wager == wager
    )
    event = round_.events[place]
    assert (event.payment_cents if isinstance(event, WagerPaid) else -event.stake_cents) == won  # type: ignore[union-attr]
    dealt = [one.card for one in round_.events[:place] if isinstance(one, CardDealt) and one.card]
    assert dealt[-1] == parse_card(after)


def side_value(rules: TwentyOneRules, shoe: CardCounts, wager: str) -> Fraction:
    """What a side wager is worth over all rounds of a shoe, played by the basic strategy: by the engine."""
    automaton, actions = compile_hands(rules), solve(rules, "basic", shoe=shoe).strategy.action

    def tried(state: Round) -> Iterable[tuple[Any, int]]:
        awaited = twentyone.awaits(state)
        if not state.spots[0].side:
            return ()
        if not isinstance(awaited, twentyone.Turn):
            return moves(twentyone, state)
        if twentyone.DeclineInsurance() in awaited.options:
            return ((twentyone.DeclineInsurance(), 1),)
        return ((decision(automaton, actions, state), 1),)

    def fold(_state: Round, branches: Branches[Event, Fraction]) -> Fraction:
        return sum(
            (chance * (branch.value + net(branch.events)) for chance, branch in by_chance(branches)),
            Fraction(0),
        )

    def net(events: Iterable[Event]) -> Fraction:
        won = [
            Fraction(one.payment_cents, one.stake_cents) if isinstance(one, WagerPaid) else Fraction(-1)
            for one in events
            if isinstance(one, WagerPaid | WagerTaken) and one.wager == wager
        ]
        return sum(won, Fraction(0))

    # Where only totals and numbers of cards are asked, hands of the same cards need not be told apart.
    same = alike if wager == "long-hand" else None
    start, _ = twentyone.start(rules, ann(1000, {wager: 200}), shoe)
    return walk(twentyone, start, fold, tried=tried, alike=same)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wager", "shoe", "changes"),
    [
        ("long-hand", "8c:6,Ts:8,3h:6,Ad:4", {}),
        ("long-hand", "8c:6,Ts:8,3h:6,Ad:4", {"hole_card": "none"}),
        ("ace-under", "8c:6,Ts:8,Ad:6", {"split.max_hands": 2}),
    ],
)
def test_figures_are_those_of_complete_enumeration_by_the_engine(
    wager: str, shoe: str, changes: dict[str, Any]
) -> None:
    """Shoes that bring splits, doubles, blackjacks of both, and hands of many cards."""
    rules, cards = offering(wager, **changes), CardCounts.parse(shoe)
    figures = side_bet_figures(rules, wager, shoe=cards)
    assert figures.expected_value == side_value(rules, cards, wager)


@pytest.mark.slow
def test_with_decks_and_without_end() -> None:
    rules = offering("long-hand", decks="infinite")
    endless = figures_with_decks(rules, "long-hand", "infinite")
    assert endless.expected_value == side_bet_figures(rules, "long-hand").expected_value
    six = figures_with_decks(rules, "long-hand", 6)
    assert six.expected_value == side_bet_figures(offering("long-hand"), "long-hand").expected_value
    assert "basic strategy" in six.note
    assert abs(float(six.expected_value) - float(endless.expected_value)) < 0.05


@pytest.mark.slow
@pytest.mark.parametrize(("game", "spots"), [("blackjack", 1), ("blackjack", 2), ("players-edge-21", 2)])
def test_engine_and_kernel_agree(game: str, spots: int) -> None:
    rules = offering(*BETS, game=game)
    actions = solve(rules, "basic").strategy.action
    random = np.random.default_rng(9)
    deck = np.array([card.index for card in rules.shoe().cards()], np.uint8)
    shoes = np.array([random.permutation(deck)[:60] for _ in range(400)])
    assert list(disagreements(rules, actions, shoes, spots)) == []


@pytest.mark.slow
@pytest.mark.parametrize("decks", [1, "infinite"])
def test_simulated_by_the_million(decks: int | str) -> None:
    """From shoes, and from decks without end, where the cards of a hand come again from the stream."""
    rules = offering("long-hand", "ace-under", decks=decks)
    actions = solve(rules, "basic").strategy.action
    result = simulate(rules, actions, 1_000_000, seed=16, strategy="basic")
    for wager in ("long-hand", "ace-under"):
        estimate = result.estimate(wager)
        off = estimate.mean - float(side_bet_figures(rules, wager).expected_value)
        assert abs(off) < 4 * estimate.standard_error


@pytest.mark.parametrize(
    ("wager", "said"),
    [
        ("both-bust", "looks at more of the dealer's than the up card has no exact figures"),
        ("red-hand", "asks for suits or single cards in the player's whole hand"),
    ],
)
def test_what_is_not_figured_says_so(wager: str, said: str) -> None:
    with pytest.raises(MalformedInput, match=said):
        side_bet_figures(offering(wager), wager)


def test_it_is_all_of_the_players_cards() -> None:
    bet = {**LONG, "looks_at": ["player_1", "player_hand"]}
    with pytest.raises(MalformedInput, match="player_hand is all of the player's cards"):
        house("blackjack", {"side_bets.own": bet})
    never = {**LONG, "lines": [{"name": "two", "when": {"bust": True, "number": 2}, "pays": "9:1"}]}
    with pytest.raises(MalformedInput, match="no cards make it"):
        house("blackjack", {"side_bets.own": never})


@pytest.mark.slow
def test_the_page_of_the_bet_and_the_designer_show_hands_that_win() -> None:
    rules = offering("long-hand", "both-bust")
    guide = side_bet_guide(rules, "long-hand")
    assert [len(one.rows) for one in guide.pays] == [1, 1, 1]
    assert "when your hand ends" in guide.idea[1]
    assert all(len(one.rows) == 2 for one in side_bet_guide(rules, "both-bust").pays)
    view = bet_view(
        'title = "Long"\nlooks_at = ["player_hand"]\n'
        'lines = [{ name = "bust", when = { bust = true, number = { min = 4 } }, pays = "9:1" }]\n',
        "blackjack",
    )
    assert view["faults"] == []
    (hand,) = view["hands"]["bust"]
    assert hand["of"] == "You"
    assert len(hand["cards"]) >= 4
