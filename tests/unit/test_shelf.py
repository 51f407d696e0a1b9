"""The shelf of side bets: every bet with its source, its published figures, and a second count."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from cardroom.core.cards import Card
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput
from cardroom.exact.sidebets import side_bet_figures
from cardroom.lab.audit.rows import compare
from cardroom.lab.audit.twentyone import computed
from cardroom.lab.par.twentyone import _side_method
from cardroom.lab.published.twentyone import TWENTY_ONE
from cardroom.rules.bets import shelf_bet, shelf_names
from cardroom.rules.bets.checks import never_won
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine
from tests.twentyone import house
from tools.shelf import PAGE, page

FIXED = [name for name in shelf_names() if not shelf_bet(name).bet.on_dealers_hand]
ON_DEALER = [name for name in shelf_names() if shelf_bet(name).bet.on_dealers_hand]
PUBLISHED = [
    figure
    for figure in TWENTY_ONE
    if any(key.startswith("side_bets.") and key.endswith(".offered") for key, _ in figure.changes)
]
DIFFERENT = {
    ("21+3-live", "9.73 %"),
    ("lucky-lucky", "2.65 %"),
    ("pair-square", "6 %"),
    ("pair-square", "10.3199 %"),
    ("top-3", "10 %"),
}
"""What a source prints of a bet and we find otherwise; push-22 is one more where the dealer stands."""


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def offering(name: str, **changes: object) -> TwentyOneRules:
    needed = shelf_bet(name).bet.needs
    names = [name, *([needed] if needed else [])]
    return house("blackjack", {**{f"side_bets.{each}.offered": True for each in names}, **changes})


def test_every_bet_says_what_it_is_and_where_its_rules_stand() -> None:
    assert len(shelf_names()) >= 25
    for name in shelf_names():
        shelf = shelf_bet(name)
        assert shelf.bet.title
        assert shelf.about
        assert shelf.source


def test_what_is_not_on_the_shelf_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(MalformedInput, match="no side bet 'perfect-pears' on the shelf"):
        shelf_bet("perfect-pears")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in shelf_names() if not name.startswith("monster")])
def test_every_line_can_be_won(name: str) -> None:
    assert never_won(shelf_bet(name).bet, "standard") is None


@pytest.mark.slow
def test_every_line_of_monster_match_can_be_won() -> None:
    assert never_won(shelf_bet("monster-match-1").bet, "spanish") is None


@pytest.mark.slow
@pytest.mark.parametrize("figure", PUBLISHED, ids=lambda figure: f"{figure.quantity} {figure.changes[1:]}")
def test_published_figures(figure: object) -> None:
    from cardroom.lab.published.figures import PublishedFigure

    assert isinstance(figure, PublishedFigure)
    name = figure.quantity.removeprefix("house edge of ")
    stands = ("dealer_hits_soft_17", False) in figure.changes
    differs = (name, figure.printed) in DIFFERENT or (name == "push-22" and stands)
    assert compare(figure, computed(figure)).verdict == ("explained" if differs else "agrees")


SMALL = "Ah:2,5h:1,5d:1,6d:1,7c:2,7d:1,7h:1,8d:1,9h:1,Ts:1,Qh:2,Ks:1"


@pytest.mark.slow
@pytest.mark.parametrize("name", FIXED)
def test_a_second_count_of_a_small_shoe(name: str) -> None:
    """All orders of the cards, each card an object of its own."""
    bet = shelf_bet(name).bet
    shoe = CardCounts.parse(SMALL if len(bet.roles) < 4 else "Ah:1,5h:1,7c:1,7d:1,9h:1,Ts:1,Qh:3,Ks:2")
    cards = list(shoe.cards())
    ways = Counter(bet.line(*draw) or "lose" for draw in permutations(cards, len(bet.roles)))
    figures = side_bet_figures(offering(name), name, shoe=shoe)
    counted = {one.outcome: one.probability for one in figures.outcomes if one.probability}
    assert counted == {line: Fraction(times, sum(ways.values())) for line, times in ways.items()}


def ends(
    hand: tuple[Card, ...], shoe: list[Card], *, hits_soft_17: bool
) -> list[tuple[tuple[Card, ...], Fraction]]:
    """Every way in which the dealer plays on, each with its chance."""
    hard = sum(card.value for card in hand)
    soft = any(card.value == 1 for card in hand) and hard <= 11
    total = hard + 10 if soft else hard
    if len(hand) > 1 and (total > 17 or (total == 17 and not (soft and hits_soft_17))):
        return [(hand, Fraction(1))]
    found = []
    for place, card in enumerate(shoe):
        rest = shoe[:place] + shoe[place + 1 :]
        found += [
            (end, chance / len(shoe)) for end, chance in ends((*hand, card), rest, hits_soft_17=hits_soft_17)
        ]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("hits_soft_17", [True, False])
@pytest.mark.parametrize("name", ON_DEALER)
def test_a_second_count_of_the_dealers_hand(name: str, hits_soft_17: bool) -> None:
    bet, shoe = shelf_bet(name).bet, CardCounts.parse("Ac:1,2c:2,3d:1,6s:1,9h:1,Ks:1,Td:1")
    chances: Counter[str] = Counter()
    players = [role for role in bet.roles if role.startswith("player")]
    for first in permutations(range(shoe.total), len(players)):
        cards = list(shoe.cards())
        held = [cards[place] for place in first]
        rest = [card for place, card in enumerate(cards) if place not in first]
        for end, chance in ends((), rest, hits_soft_17=hits_soft_17):
            chances[bet.line(*held, *end) or "lose"] += chance  # type: ignore[assignment]
    whole = sum(chances.values())
    rules = offering(name, dealer_hits_soft_17=hits_soft_17)
    figures = side_bet_figures(rules, name, shoe=shoe)
    counted = {one.outcome: one.probability for one in figures.outcomes if one.probability}
    assert counted == {line: chance / whole for line, chance in chances.items()}


def test_the_shelf_on_the_command_line(cardroom: CommandLine) -> None:
    listed = cardroom("bets").out
    assert all(name in listed for name in shelf_names())
    one = cardroom("bets", "royal-match").out
    assert "25 to 1" in one
    assert "Published house edge, 6 decks: 6.6658 %" in one
    found = cardroom("bets", "royal-match", "--json").json
    assert found["bet"]["lines"][1] == {"name": "easy match", "when": {"same": ["suit"]}, "pays": "5:2"}
    assert "did you mean 'royal-match'" in cardroom.refused("bets", "royal-mach")


def test_a_bet_of_the_shelf_is_put_on_a_table(cardroom: CommandLine) -> None:
    words = cardroom("rules", "spanish-21", "--side", "royal-match", "--json").json
    assert words["differences"]["side_bets.royal-match.royal_match"] == {"value": "25:1", "default": None}
    assert "no side bet 'royal-mach'" in cardroom.refused("odds", "blackjack", "--side", "royal-mach")


@pytest.mark.slow
def test_a_bet_of_the_shelf_is_played_and_figured(cardroom: CommandLine) -> None:
    odds = cardroom("odds", "blackjack", "--side", "in-bet", "--json").json
    (in_bet,) = (wager for wager in odds["wagers"] if wager["wager"] == "in-bet")
    assert in_bet["outcomes"][0]["outcome"] == "three_of_a_kind"
    played = cardroom(
        "play", "blackjack", "--bet", "4", "--side", "in-bet=2", "--auto", "--seed", "1", "--plain"
    )
    assert "In Bet" in played.out


@pytest.mark.slow
def test_the_page_of_the_shelf_is_what_the_tool_writes() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()


def test_a_sheet_says_what_is_not_figured_of_bets_on_the_dealers_hand() -> None:
    assert "dealer's whole hand" in _side_method(offering("push-22"))
    assert "dealer's whole hand" not in _side_method(offering("royal-match"))
