"""A hand that wins each line of a side bet: the engine, dealt those cards, pays by that line."""

from __future__ import annotations

from collections import deque
from typing import Any

import pytest

from cardroom.core.cards import Card, parse_cards
from cardroom.engine import twentyone
from cardroom.engine.contract import CardAwaited, Done
from cardroom.engine.twentyone import Action, DeclineInsurance, SpotWager
from cardroom.engine.twentyone.events import JackpotPaid, MeterRaised, WagerPaid
from cardroom.lab.design.form import bet_view
from cardroom.presentation.howto.laying import deals_of
from cardroom.presentation.howto.side_bets import side_bet_guide
from cardroom.presentation.howto.witnesses import Placed
from cardroom.presentation.howto.wording import NOT_FOUND
from cardroom.rules.bets import shelf_bet, shelf_names
from cardroom.rules.bets.lines import MeterShare
from cardroom.rules.twentyone import TwentyOneRules
from tests.twentyone import house

FOUR = ["player_1", "player_2", "dealer_up", "dealer_hole"]
LOW = {"of": "player", "total": {"max": 11, "softness": "hard"}}
SOFT = {"of": "dealer", "total": {"min": 13, "softness": "soft"}}
LADIES = {"of": "player", "cards": ["Qh", "Qh"]}
BLACKJACK = {"of": "dealer", "blackjack": True}
EXAMPLES: dict[str, tuple[list[str], dict[str, Any]]] = {
    "a bust with five cards": (["player_hand"], {"bust": True, "number": 5}),
    "low against soft": (FOUR, {"all": [LOW, SOFT]}),
    "a total of 11": (FOUR, {"of": "player", "total": 11}),
    "a 2 and a 5": (FOUR, {"of": "player", "ranks": ["2", "5"]}),
    "2-3-4-5": (FOUR, {"ranks": ["2", "3", "4", "5"]}),
    "the dealer's 2 and 5 of hearts": (FOUR, {"of": "dealer", "cards": ["2h", "5h"]}),
    "four low cards": (["player_1", "player_2", "player_3", "dealer_up"], {"total": {"min": 13, "max": 15}}),
    "three of a suit that make 13": (
        ["player_1", "player_2", "player_3"],
        {"total": 13, "same": ["suit"]},
    ),
    "the dealer's 6-7-8 of hearts": (["dealer_hand"], {"cards": ["6h", "7h", "8h"]}),
    "a soft 19 of five cards": (
        ["dealer_hand"],
        {"total": {"min": 19, "max": 19, "softness": "soft"}, "number": 5},
    ),
    "the dealer's three aces": (["dealer_hand"], {"contains": {"ranks": ["A"], "number": 3}}),
    "the player's 6-7-8 of hearts": (["player_hand"], {"cards": ["6h", "7h", "8h"]}),
    "a 21 of six cards": (["player_hand"], {"total": 21, "number": 6}),
    "a 21 of four cards against a 6": (
        ["player_hand", "dealer_up"],
        {"all": [{"of": "player", "total": 21, "number": 4}, {"of": "dealer", "ranks": ["6"]}]},
    ),
    "four cards of a suit": (["player_hand"], {"number": {"min": 4}, "same": ["suit"]}),
    "two queens of hearts under a blackjack": (
        ["player_1", "player_2", "dealer_hand"],
        {"all": [LADIES, BLACKJACK]},
    ),
    "a 20 against a bust of five cards": (
        ["player_1", "player_2", "dealer_hand"],
        {"all": [{"of": "player", "total": 20}, {"of": "dealer", "bust": True, "number": 5}]},
    ),
    "both bust, the player with four cards": (
        ["player_hand", "dealer_hand"],
        {"all": [{"of": "player", "bust": True, "number": 4}, {"of": "dealer", "bust": True}]},
    ),
}


def offering(looks_at: list[str], *lines: dict[str, Any], **more: object) -> TwentyOneRules:
    named = [
        {"name": f"line {place}", "when": when, "pays": f"{9 - place}:1"} for place, when in enumerate(lines)
    ]
    bet = {"title": "Own", "looks_at": looks_at, "lines": named, **more}
    return house("blackjack", {"side_bets.own": bet})


def line_paid(rules: TwentyOneRules, wager: str, deal: Placed) -> str:
    """By which line the engine pays a wager in a round of these cards, others lying where none is said."""
    bet = rules.side_bets[wager]
    side = {each: int(rules.side_bets[each].fixed_stake_cents or 500) for each in (wager, bet.needs) if each}
    state, events = twentyone.start(rules, [SpotWager(1, "Ann", 1000, side)])
    of_role: dict[str, deque[Card]] = {}
    for role, card in deal:
        of_role.setdefault(role, deque()).append(card)
    fillers = deque(parse_cards("9c8c9s8s9h8h"))

    def card_of(role: str) -> Card:
        return of_role[role].popleft() if of_role.get(role) else fillers.popleft()

    log = list(events)
    first = deque(["player_1", "dealer_up", "player_2", "dealer_hole"])
    while not isinstance(awaited := twentyone.awaits(state), Done):
        own = of_role.get("player_draw") or of_role.get("player_3")
        entry: Any
        if isinstance(awaited, CardAwaited) and not first and own:
            entry = own.popleft()
        elif isinstance(awaited, CardAwaited):
            entry = card_of(first.popleft() if first else "dealer_draw")
        elif DeclineInsurance() in awaited.options:
            entry = DeclineInsurance()
        else:
            entry = Action.HIT if own else Action.STAND
        state, events = twentyone.step(state, entry)
        log += events
    assert not any(of_role.values()), "every card of the deal was dealt"
    (paid,) = [event for event in log if isinstance(event, WagerPaid | JackpotPaid) and event.wager == wager]
    if isinstance(paid, WagerPaid):
        return paid.why.replace(" ", "_")
    (raised,) = [event for event in log if isinstance(event, MeterRaised)]
    shares = {line.id: line.pays.percent for line in bet.lines if isinstance(line.pays, MeterShare)}
    won = 100 * paid.payment_cents / raised.meter_cents
    return min(shares, key=lambda line: abs(shares[line] - won))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_line_is_shown_by_a_hand_that_the_engine_pays(name: str) -> None:
    rules = offering(EXAMPLES[name][0], EXAMPLES[name][1])
    found = deals_of(rules, "own").of_line
    assert list(found) == ["line_0"]
    assert line_paid(rules, "own", found["line_0"]) == "line_0"


@pytest.mark.slow
def test_no_card_comes_to_a_charlie() -> None:
    """A Charlie of five cards is paid at once, so that no sixth comes; a 21 of five cards is one."""
    for number, lines in ((6, []), (5, ["line_0"])):
        line = {"name": "line 0", "when": {"total": 21, "number": number}, "pays": "9:1"}
        bet = {"title": "Own", "looks_at": ["player_hand"], "lines": [line]}
        rules = house("blackjack", {"charlie": 5, "side_bets.own": bet})
        found = deals_of(rules, "own").of_line
        assert list(found) == lines
        assert [line_paid(rules, "own", deal) for deal in found.values()] == lines


@pytest.mark.slow
def test_every_sum_of_a_bet_on_four_cards_whose_lines_add_is_shown() -> None:
    pairs = [{"of": who, "same": ["rank"]} for who in ("player", "dealer")]
    rules = offering(FOUR, *pairs, {"same": ["suit"]}, every_match_adds=True)
    found = deals_of(rules, "own").of_line
    assert len(found) == 7
    for line, deal in found.items():
        assert line_paid(rules, "own", deal) == line


@pytest.mark.slow
def test_every_line_of_the_shelf_is_shown_by_a_hand_that_the_engine_pays() -> None:
    for name in shelf_names():
        needed = shelf_bet(name).bet.needs
        offered = {f"side_bets.{each}.offered": True for each in (name, needed) if each}
        rules = house("blackjack", offered)
        found = deals_of(rules, name).of_line
        assert set(found) == set(rules.side_bets[name].line_ids), name
        for line, deal in found.items():
            assert line_paid(rules, name, deal) == line, (name, line)


@pytest.mark.slow
def test_a_line_without_a_hand_is_told_in_words() -> None:
    """Two cards that are the same do not come from one deck."""
    twins = {"same": ["rank", "suit"]}
    rules = house(
        "blackjack",
        {
            "decks": 1,
            "side_bets.own": {
                "title": "Own",
                "looks_at": ["player_1", "player_2"],
                "lines": [{"name": "twins", "when": twins, "pays": "25:1"}],
            },
        },
    )
    (winning,) = side_bet_guide(rules, "own").pays
    assert (winning.rows, winning.words) == ((), "No cards of 1 deck make it.")


@pytest.mark.slow
def test_hands_that_are_too_many_to_be_tried_are_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardroom.presentation.howto.witnesses._MOST_STEPS", 10)
    monkeypatch.setattr("cardroom.presentation.howto.laying._SOME_DEALS", 10)
    rules = offering(["player_hand"], {"cards": ["6h", "7h", "8h"]})
    (winning,) = side_bet_guide(rules, "own").pays
    assert (winning.rows, winning.words) == ((), NOT_FOUND)
    lines = 'lines = [{ name = "x", when = { PATTERN }, pays = "1:1" }]'
    text = f'title = "Own"\nlooks_at = ["dealer_hand"]\n{lines}'
    rare = bet_view(text.replace("PATTERN", "total = 21, number = 5"), "blackjack")
    assert (rare["hands"], rare["without_hand"]) == ({}, {"x": NOT_FOUND})
    plain = bet_view(text.replace("PATTERN", "bust = true"), "blackjack")
    assert list(plain["hands"]) == ["x"]
    assert plain["without_hand"] == {}
