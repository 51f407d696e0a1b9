"""Side bets that no file of ours knows, written as data alone.

Each must be right in `odds`, `simulate` and at the table: in exact fractions, as the engine settles it over
all deals of a small shoe, and as the kernel counts it.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardroom.core.cards import CARDS, Card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.sidebets import side_bet_figures
from cardroom.exact.twentyone import solve
from cardroom.lab.agreement import disagreements
from cardroom.lab.correlation import Deals
from cardroom.model.twentyone.automaton import compile_hands
from cardroom.rules.bets import shelf_names
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.sim.twentyone.sides import side_tables
from cardroom.web.live.twentyone_view import layout_view
from tests.command_line import CommandLine
from tests.twentyone import ann, house, played

PAIRS: dict[str, Any] = {
    "title": "House Pairs",
    "looks_at": ["player_1", "player_2"],
    "lines": [
        {"name": "perfect", "when": {"same": ["rank", "suit"]}, "pays": "25:1"},
        {"name": "coloured", "when": {"same": ["rank", "colour"]}, "pays": "12:1"},
        {"name": "mixed", "when": {"same": ["rank"]}, "pays": "6:1"},
    ],
}
DEALERS_PAIRS: dict[str, Any] = {**PAIRS, "title": "Dealer's Pairs", "looks_at": ["dealer_up", "dealer_hole"]}
SEVEN_FIRST: dict[str, Any] = {
    "title": "Seven First",
    "looks_at": ["dealer_up", "player_1"],
    "lines": [
        {
            "name": "seven under a ten",
            "when": {
                "all": [
                    {"of": "player_1", "every": {"ranks": ["7"]}},
                    {"of": "dealer_up", "every": {"ranks": ["T", "J", "Q", "K"]}},
                ]
            },
            "pays": "30:1",
        },
        {"name": "seven", "when": {"of": "player_1", "every": {"ranks": ["7"]}}, "pays": "5:1"},
    ],
}
LONG_BUST: dict[str, Any] = {
    "title": "Long Bust",
    "looks_at": ["player_1", "player_2", "dealer_hand"],
    "lines": [
        {
            "name": "five cards over a blackjack",
            "when": {
                "all": [
                    {"of": "player", "blackjack": True},
                    {"of": "dealer", "bust": True, "number": {"min": 5}},
                ]
            },
            "pays": "200:1",
        },
        {"name": "five cards", "when": {"of": "dealer", "bust": True, "number": {"min": 5}}, "pays": "12:1"},
        {"name": "bust", "when": {"of": "dealer", "bust": True}, "pays": "2:1"},
    ],
}
TWO_OVER_TWO: dict[str, Any] = {
    "title": "Two over Two",
    "looks_at": ["player_1", "player_2", "dealer_up", "dealer_hole"],
    "lines": [
        {
            "name": "both",
            "when": {"all": [{"of": "player", "same": ["rank"]}, {"of": "dealer", "same": ["suit"]}]},
            "pays": "30:1",
        },
        {"name": "pair", "when": {"of": "player", "same": ["rank"]}, "pays": "8:1"},
    ],
}
BETS = {
    "house-pairs": PAIRS,
    "dealers-pairs": DEALERS_PAIRS,
    "seven-first": SEVEN_FIRST,
    "long-bust": LONG_BUST,
    "two-over-two": TWO_OVER_TWO,
}


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def offering(*wagers: str, **changes: object) -> TwentyOneRules:
    return house("blackjack", {**{f"side_bets.{wager}": BETS[wager] for wager in wagers}, **changes})


@pytest.mark.clause("SIDE-7")
@pytest.mark.parametrize("wager", ["house-pairs", "dealers-pairs"])
def test_pairs_of_six_decks(wager: str) -> None:
    """Of 311 cards 5 are the same, 6 of the same colour, 12 of the other: 125 + 72 + 72 − 288 = −19."""
    assert side_bet_figures(offering(wager), wager).expected_value == Fraction(-19, 311)


def test_an_uneven_shoe_and_one_without_end() -> None:
    shoe = CardCounts.parse("7c:2,7d:1,7h:1,Ks:2")
    figures = side_bet_figures(offering("house-pairs"), "house-pairs", shoe=shoe)
    chances = {line.outcome: line.probability for line in figures.outcomes}
    # Of 30 ordered draws: 7c7c and KsKs, 7d7h, and a black seven with a red one.
    assert chances == {
        "perfect": Fraction(4, 30),
        "coloured": Fraction(2, 30),
        "mixed": Fraction(8, 30),
        "lose": Fraction(16, 30),
    }
    endless = side_bet_figures(offering("house-pairs", decks="infinite"), "house-pairs")
    assert endless.expected_value == Fraction(25 * 1 + 12 * 1 + 6 * 2 - 48, 52)


def test_cards_in_their_places() -> None:
    """A seven first: 1 in 13; a ten-valued card up after it: 96 of 311."""
    rules = offering("seven-first")
    lines = {one.outcome: one.probability for one in side_bet_figures(rules, "seven-first").outcomes}
    assert lines["seven_under_a_ten"] == Fraction(1, 13) * Fraction(96, 311)
    assert lines["seven"] == Fraction(1, 13) * Fraction(215, 311)
    tables = side_tables([rules.side_bets["seven-first"]])
    results, scale = Deals(rules).results("seven-first")
    cards = Deals(rules).cards
    for first, up in product(CARDS, repeat=2):
        line = 0 if first.rank != 7 else 1 if up.value == 10 else 2
        assert tables.lines_of_three[0, first.index, 0, up.index] == line
        assert tables.lines_of_three[0, first.index, 51, up.index] == line
        assert results[cards.index(first), 0, cards.index(up), 0] == scale * (-1, 30, 5)[line]


def dealers_ends(cards: tuple[Card, ...], shoe: list[Card]) -> list[tuple[tuple[Card, ...], Fraction]]:
    """Every way in which the dealer plays on from cards, hitting soft 17, each with its chance."""
    hard = sum(card.value for card in cards)
    soft = any(card.value == 1 for card in cards) and hard <= 11
    total = hard + 10 if soft else hard
    if len(cards) > 1 and (total > 17 or (total == 17 and not soft)):
        return [(cards, Fraction(1))]
    ends = []
    for place, card in enumerate(shoe):
        rest = shoe[:place] + shoe[place + 1 :]
        ends += [(end, chance / len(shoe)) for end, chance in dealers_ends((*cards, card), rest)]
    return ends


@pytest.mark.clause("SIDE-7")
def test_four_cards_in_their_places() -> None:
    """Every order of four cards of a small shoe; the kernel's table of it is held to the engine below."""
    shoe = CardCounts.parse("7c:2,7d:1,Ks:2,Kc:1")
    rules = offering("two-over-two")
    figures = side_bet_figures(rules, "two-over-two", shoe=shoe)
    chances = {line.outcome: line.probability for line in figures.outcomes}
    deals = list(permutations(shoe.cards(), 4))
    pairs = [(up, hole) for one, two, up, hole in deals if one.rank is two.rank]
    both = sum(up.suit is hole.suit for up, hole in pairs)
    assert chances["both"] == Fraction(both, len(deals))
    assert chances["pair"] == Fraction(len(pairs) - both, len(deals))
    assert side_bet_figures(rules, "two-over-two").outcomes[-1].probability == Fraction(288, 311)


@pytest.mark.slow
def test_the_dealers_hand_equals_a_plain_walk_of_a_small_shoe() -> None:
    rules = offering("long-bust")
    shoe = CardCounts.parse("Ac:1,2c:2,3d:1,5d:1,9h:1,Ks:1,Td:1,6s:1")
    bet, cards = rules.side_bets["long-bust"], list(shoe.cards())
    chances: dict[str, Fraction] = {}
    for one, first in enumerate(cards):
        for two, second in enumerate(cards):
            if one == two:
                continue
            rest = [card for place, card in enumerate(cards) if place not in (one, two)]
            for end, chance in dealers_ends((), rest):
                line = bet.line(first, second, *end) or "lose"
                chances[line] = chances.get(line, Fraction(0)) + chance / (len(cards) * (len(cards) - 1))
    figures = side_bet_figures(rules, "long-bust", shoe=shoe)
    assert {one.outcome: one.probability for one in figures.outcomes} == chances
    assert len(chances) == 4


@pytest.mark.slow
@pytest.mark.clause("SIDE-7")
@pytest.mark.parametrize(
    ("cards", "result"),
    [
        ("9c 2c 8d 3d stand 5h 4h Ks", 2400),  # the dealer busts with five cards
        ("9c 6c 8d Td stand Ks", 400),  # with three
        ("9c 6c 8d Td stand 5h", -200),
        ("9c Ac 8d Ks no", -200),  # a dealer's blackjack ends the hand
        ("Ac 2c Kd 3d 5h 4h Ks", 40_000),  # a paid blackjack: the dealer plays for the side wager alone
        ("9c 6c 8d Td hit 5h Ks", 400),  # so does the dealer after a bust
    ],
)
def test_a_wager_on_the_dealers_hand_is_settled_when_it_ends(cards: str, result: int) -> None:
    rules = offering("long-bust")
    round_ = played(rules, cards, ann(1000, {"long-bust": 200}))
    assert round_.over
    settled = [event for event in round_.events if getattr(event, "wager", "") == "long-bust"]
    kinds = [type(event).__name__ for event in settled]
    assert kinds == ["WagerPlaced", "WagerPaid" if result > 0 else "WagerTaken"]
    last = settled[-1]
    assert (last.payment_cents if result > 0 else -last.stake_cents) == result  # type: ignore[union-attr]


@pytest.mark.slow
def test_engine_and_kernel_agree_on_every_kind_of_bet() -> None:
    rules = offering(*BETS)
    automaton = compile_hands(rules)
    random = np.random.default_rng(16)
    actions = solve(rules, "basic").strategy.action
    deck = np.array([card.index for card in rules.shoe().cards()], np.uint8)
    shoes = np.array([random.permutation(deck)[:60] for _ in range(300)])
    assert len(automaton.may) == len(actions)
    for spots in (1, 2):
        assert list(disagreements(rules, actions, shoes, spots)) == []


@pytest.mark.slow
def test_odds_and_simulation_of_new_bets(cardroom: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text(
        """extends = "blackjack"
[side_bets.house-pairs]
title = "House Pairs"
looks_at = ["player_1", "player_2"]
lines = [
  { name = "perfect", when = { same = ["rank", "suit"] }, pays = "25:1" },
  { name = "coloured", when = { same = ["rank", "colour"] }, pays = "12:1" },
  { name = "mixed", when = { same = ["rank"] }, pays = "6:1" },
]
[side_bets.short-bust]
title = "Short Bust"
looks_at = ["dealer_hand"]
lines = [{ name = "three cards", when = { bust = true, number = 3 }, pays = "4:1" }]
""",
        encoding="utf-8",
    )
    words = ("blackjack", "--rules", str(file), "--json")
    wagers = {wager["wager"]: wager for wager in cardroom("odds", *words).json["wagers"]}
    assert wagers["house-pairs"]["expected_value"]["fraction"] == "-19/311"
    found = cardroom("simulate", *words, "--rounds", "200000", "--seed", "1").json
    simulated = {wager["wager"]: wager for wager in found["wagers"]}
    assert simulated.keys() == wagers.keys()
    for wager in ("house-pairs", "short-bust"):
        exact = wagers[wager]["expected_value"]["decimal"]
        off = simulated[wager]["expected_value"]["decimal"] - exact
        assert abs(off) < 4 * simulated[wager]["standard_error"]


FLUSH = {"name": "flush", "when": {"same": ["suit"]}, "pays": "5:1"}
SUITED_PAIR = {"name": "suited pair", "when": {"same": ["rank", "suit"]}, "pays": "25:1"}
METER = {"name": "sevens", "when": {"ranks": ["7", "7"]}, "pays": "meter"}


@pytest.mark.clause("SIDE-7")
@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"lines": [{**FLUSH, "when": {"sames": ["suit"]}}]}, "unknown option 'lines.1.when.sames'"),
        ({"lines": [{**FLUSH, "when": {"same": ["sute"]}}]}, 'lines.1.when.same.1 = "sute" is not allowed'),
        ({"lines": [{**FLUSH, "pays": "lots"}]}, "lines.1.pays = \"lots\": 'lots' is not odds"),
        ({"lines": [{"name": "flush", "when": {"same": ["suit"]}}]}, "option 'lines.1.pays' is missing"),
        (
            {"lines": [FLUSH, SUITED_PAIR]},
            "side_bets.own.lines.2 (suited pair): it is never paid, for an earlier line always is",
        ),
        (
            {"lines": [FLUSH, {**FLUSH, "name": "late", "when": {"total": 22, "number": 2}}]},
            "side_bets.own.lines.2 (late): no cards make it",
        ),
        ({"lines": [FLUSH, FLUSH]}, "own: lines.2.name: two lines are called 'flush'"),
        ({"lines": [{**FLUSH, "name": "needs"}]}, "own: lines.1.name: a line cannot be called 'needs'"),
        ({"lines": [FLUSH, {**FLUSH, "when": {}}]}, "own: lines.2.when: a pattern says what it asks"),
        ({"lines": [{**FLUSH, "when": {"number": -1}}]}, "lines.1.when.number = -1: a number is from 0"),
        ({"lines": [{**FLUSH, "when": {"total": {"min": 9, "max": 8}}}]}, "lines.1.when.total: min 9 is"),
        ({"lines": [{**FLUSH, "pays": "٥:١"}]}, "lines.1.pays = \"٥:١\": '٥:١' is not odds"),
        (
            {"lines": [{**FLUSH, "when": {"of": "dealer", "same": ["suit"]}}]},
            "lines.1 (flush): when.of = ['dealer']: the bet does not look at these cards",
        ),
        ({"lines": [METER]}, "own: lines.1.pays: line 'sevens' pays the meter, and meter_seed is missing"),
        ({"lines": [METER], "meter_seed": "10.00"}, "and fixed_stake is missing"),
        ({"lines": [FLUSH], "meter_seed": "10.00"}, "meter_seed: no line pays the meter"),
        ({"lines": [FLUSH], "meter_increment_percent": 5}, "meter_increment_percent: there is no meter"),
        (
            {"lines": [FLUSH, METER], "meter_seed": "10.00", "fixed_stake": "1.00"},
            "line 'sevens' pays the meter and must be the first line",
        ),
        (
            {
                "looks_at": ["dealer_hand"],
                "lines": [{**FLUSH, "when": {"groups": {"alike": ["rank", "suit"], "sizes": [2, 2]}}}],
            },
            "side_bets.own.lines: they remember too much of the cards",
        ),
        ({"needs": "other"}, "side_bets.own.needs: side bet own needs other on offer"),
        ({"at_most": "other"}, "side_bets.own.at_most: side bet own needs other on offer"),
        ({"needs": "own"}, "side_bets.own.needs: side bets need each other in a circle: own → own"),
        ({"looks_at": ["player_1", "player_9"]}, 'looks_at.2 = "player_9" is not allowed'),
        ({"at_most": "own"}, "side_bets.own.at_most: a stake is not limited by itself: own → own; write"),
        ({"like": "perfect-pears", "lines": None}, "unknown side bet 'perfect-pears'"),
        (
            {"line": [FLUSH], "lines": None},
            "side bet own: unknown option 'line' (did you mean 'lines'?); known here: like, offered, title",
        ),
        ({"bonus": "5:1", "lines": None}, "side bet own: unknown option 'bonus'"),
        ({"lines": None}, "unknown side bet 'own'"),
    ],
)
def test_what_is_wrong_with_a_bet_is_said_in_one_line(changes: dict[str, Any], said: str) -> None:
    bet = {"title": "Own", "looks_at": ["player_1", "player_2"], "lines": [FLUSH], **changes}
    bet = {key: value for key, value in bet.items() if value is not None}
    with pytest.raises(MalformedInput) as raised:
        house("blackjack", {"side_bets.own": bet})
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_misspelt_name_of_the_shelf_is_named_and_not_its_lines() -> None:
    for bet in ({"mixed": "5:1"}, {"offered": True}):
        with pytest.raises(
            MalformedInput, match=r"unknown side bet 'perfect-pear' \(did you mean 'perfect-pairs'"
        ):
            house("blackjack", {"side_bets.perfect-pear": bet})


@pytest.mark.slow
def test_a_bet_that_would_take_minutes_to_check_is_refused() -> None:
    """Sixty lines on four cards, each asking for other cards: nobody else is to wait for that."""
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
    lines = [
        {
            "name": f"line {number}",
            "when": {"contains": {"cards": deck[number :: 1 + number % 7][:9], "number": 1 + number % 2}},
            "pays": "2:1",
        }
        for number in range(60)
    ]
    places = ["player_1", "player_2", "dealer_up", "dealer_hole"]
    with pytest.raises(MalformedInput, match="remember too much of the cards"):
        house("blackjack", {"side_bets.own": {"title": "Own", "looks_at": places, "lines": lines}})


@pytest.mark.clause("21-1.19")
@pytest.mark.parametrize("hole_card", ["dealt", "unseen", "none", "shown"])
def test_every_bet_of_the_shelf_stands_at_every_table(hole_card: str) -> None:
    every = {f"side_bets.{name}.offered": True for name in shelf_names()}
    shown = {"insurance.offered": False} if hole_card == "shown" else {}
    assert house("blackjack", {**every, **shown, "hole_card": hole_card}).offers("buster-blackjack")


def test_a_circle_of_needs() -> None:
    bet = {"title": "Own", "looks_at": ["player_1", "player_2"], "lines": [FLUSH]}
    with pytest.raises(MalformedInput, match="need each other in a circle: one → two → one"):
        house(
            "blackjack", {"side_bets.one": {**bet, "needs": "two"}, "side_bets.two": {**bet, "needs": "one"}}
        )


def test_a_bet_is_written_down_and_read_back() -> None:
    rules = offering(*BETS)
    again = TwentyOneRules.model_validate_json(rules.canonical_text())
    assert again == rules
    assert again.rules_hash == rules.rules_hash
    own = house("blackjack", {})
    changed = {key: value for key, (value, _) in rules.differences(own).items()}
    assert house("blackjack", changed).rules_hash == rules.rules_hash


def test_a_new_bet_is_on_the_layout_with_its_pays() -> None:
    layout = layout_view(offering("house-pairs", "long-bust"))
    bets = {bet["wager"]: bet for bet in layout["side_bets"]}
    assert bets["house-pairs"]["title"] == "House Pairs"
    assert [(line["line"], line["pays"]) for line in bets["house-pairs"]["lines"]] == [
        ("perfect", "25 to 1"),
        ("coloured", "12 to 1"),
        ("mixed", "6 to 1"),
    ]
    assert bets["long-bust"]["lines"][0]["line"] == "five cards over a blackjack"
