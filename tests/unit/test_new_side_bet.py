"""Side bets added by CONTRIBUTING's steps: they name suits, look at few cards, or care for their order.

Each must be right in `odds`, `simulate` and `par`, or be refused in a sentence.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from pathlib import Path

import pytest

from cardroom.core.cards import CARDS, Card, Suit
from cardroom.core.decks import CardCounts
from cardroom.exact.sidebets import side_bet_figures
from cardroom.lab.correlation import Deals
from cardroom.rules.options import PayOdds, option
from cardroom.rules.sidebets import SIDE_BETS, PayTable, SideBet
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine
from tests.twentyone import house

BLACK = (Suit.CLUBS, Suit.SPADES)


class PairsTable(PayTable):
    perfect: PayOdds = option("a perfect pair pays {}", "SIDE-1")
    coloured: PayOdds = option("a coloured pair pays {}", "SIDE-1")
    mixed: PayOdds = option("a mixed pair pays {}", "SIDE-1")


def pairs_line(first: Card, second: Card) -> str | None:
    if first.rank is not second.rank:
        return None
    if first.suit is second.suit:
        return "perfect"
    return "coloured" if (first.suit in BLACK) == (second.suit in BLACK) else "mixed"


class LadderTable(PayTable):
    ladder: PayOdds = option("four cards that rise one by one pay {}", "SIDE-1")


def ladder_line(first: Card, second: Card, up: Card, hole: Card) -> str | None:
    return "ladder" if first.rank + 3 == second.rank + 2 == up.rank + 1 == hole.rank else None


def beaten_line(up: Card, first: Card) -> str | None:
    """The roles in another order than that of the deal: the first card beats the up card."""
    return "ladder" if first.rank > up.rank else None


PERFECT_PAIRS = SideBet(
    "perfect-pairs", "Perfect Pairs", "SIDE-1", PairsTable, ("first", "second"), pairs_line
)
DEALERS_PAIRS = SideBet("dealers-pairs", "Dealer's Pairs", "SIDE-1", PairsTable, ("up", "hole"), pairs_line)
LADDER = SideBet(
    "ladder", "Ladder", "SIDE-1", LadderTable, ("first", "second", "up", "hole"), ladder_line, any_suits=True
)
BEATEN = SideBet("beaten", "Beaten", "SIDE-1", LadderTable, ("up", "first"), beaten_line)
PAIRS_PAY = {"perfect": "25:1", "coloured": "12:1", "mixed": "6:1"}
LADDER_PAYS = {"ladder": "1:1"}


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.fixture(autouse=True)
def _new_bets(monkeypatch: pytest.MonkeyPatch) -> None:
    for bet in (PERFECT_PAIRS, DEALERS_PAIRS, LADDER, BEATEN):
        monkeypatch.setitem(SIDE_BETS, bet.wager, bet)


def pays_of(bet: SideBet) -> dict[str, str]:
    return PAIRS_PAY if bet.table is PairsTable else LADDER_PAYS


def offering(bet: SideBet, **changes: object) -> TwentyOneRules:
    pays = {f"side_bets.{bet.wager}.{line}": odds for line, odds in pays_of(bet).items()}
    return house("blackjack", {**pays, **changes})


def offered(bet: SideBet) -> tuple[str, ...]:
    words = [("--set", f'side_bets.{bet.wager}.{line}="{odds}"') for line, odds in pays_of(bet).items()]
    return tuple(word for pair in words for word in pair)


@pytest.mark.parametrize("bet", [PERFECT_PAIRS, DEALERS_PAIRS])
def test_perfect_pairs_of_six_decks(bet: SideBet) -> None:
    """Of 311 cards 5 are the same, 6 of the same colour, 12 of the other: 125 + 72 + 72 − 288 = −19."""
    assert side_bet_figures(offering(bet), bet.wager).expected_value == Fraction(-19, 311)


def test_an_uneven_shoe_and_one_without_end() -> None:
    shoe = CardCounts.parse("7c:2,7d:1,7h:1,Ks:2")
    figures = side_bet_figures(offering(PERFECT_PAIRS), "perfect-pairs", shoe=shoe)
    chances = {line.outcome: line.probability for line in figures.outcomes}
    # Of 30 ordered draws: 7c7c and KsKs, 7d7h, and a black seven with a red one.
    assert chances == {
        "perfect": Fraction(4, 30),
        "coloured": Fraction(2, 30),
        "mixed": Fraction(8, 30),
        "lose": Fraction(16, 30),
    }
    endless = side_bet_figures(offering(PERFECT_PAIRS, decks="infinite"), "perfect-pairs")
    assert endless.expected_value == Fraction(25 * 1 + 12 * 1 + 6 * 2 - 48, 52)


@pytest.mark.slow
def test_odds_and_simulation_of_a_bet_on_two_cards(cardroom: CommandLine) -> None:
    words = ("blackjack", *offered(PERFECT_PAIRS), "--json")
    wagers = {wager["wager"]: wager for wager in cardroom("odds", *words).json["wagers"]}
    assert wagers["perfect-pairs"]["expected_value"]["fraction"] == "-19/311"
    found = cardroom("simulate", *words, "--rounds", "200000", "--seed", "1").json
    simulated = {wager["wager"]: wager for wager in found["wagers"]}
    assert simulated.keys() == wagers.keys()
    pairs = simulated["perfect-pairs"]
    off = pairs["expected_value"]["decimal"] + 19 / 311
    assert abs(off) < 4 * pairs["standard_error"]


def test_a_bet_with_its_roles_in_another_order() -> None:
    rules = offering(BEATEN)
    figures = side_bet_figures(rules, "beaten")
    assert figures.hit_frequency == Fraction(
        24 * 78, 13 * 311
    )  # 78 of 169 pairs of ranks rise, 24 of each rank
    from cardroom.sim.twentyone.sides import side_tables

    lines, third_is_hole, _ = side_tables([BEATEN])
    deals = Deals(rules)
    results, scale = deals.results(BEATEN)
    assert not third_is_hole[0]
    for first, up in product(CARDS, repeat=2):
        wins = beaten_line(up, first) is not None
        assert lines[0, first.index, 0, up.index] == lines[0, first.index, 51, up.index] == wins
        place = deals.cards.index(first), 0, deals.cards.index(up), 0
        assert results[place] == (scale if wins else -scale)


@pytest.mark.parametrize("bet", [LADDER, DEALERS_PAIRS])
@pytest.mark.parametrize("command", ["simulate", "par"])
def test_what_cannot_be_simulated_is_refused_in_a_sentence(
    cardroom: CommandLine, tmp_path: Path, bet: SideBet, command: str
) -> None:
    file = ("-o", str(tmp_path / "sheet.json")) if command == "par" else ()
    assert cardroom.refused(command, "blackjack", *offered(bet), *file) == (
        f"the side bet {bet.wager} looks at the up card and the hole card, and not at all four cards in any "
        f"order: such a bet cannot be simulated; take it off the table with --set "
        f"side_bets.{bet.wager}.offered=false"
    )


def test_four_cards_in_their_order_are_counted_so() -> None:
    """Ten ladders of ranks, 24 cards of each rank."""
    chance = Fraction(10 * 24**4, 312 * 311 * 310 * 309)
    assert side_bet_figures(offering(LADDER), "ladder").hit_frequency == chance


@pytest.mark.slow
@pytest.mark.parametrize("bet", [bet for bet in SIDE_BETS.values() if bet.any_suits or bet.any_order])
def test_a_bet_is_what_it_says_it_is(bet: SideBet) -> None:
    """Of every set of cards: all orders, and all exchanges of suits, are of one line."""
    some = CARDS if len(bet.looks_at) < 4 else [card for card in CARDS if card.rank < 5]
    exchanges = list(permutations(range(4)))
    for cards in combinations_with_replacement(some, len(bet.looks_at)):
        orders = [cards] if bet.any_order else list(permutations(cards))
        if bet.any_order:
            assert len({bet.line(*order) for order in permutations(cards)}) == 1
        if not bet.any_suits or any(card.suit > place for place, card in enumerate(cards)):
            continue
        for order in orders:
            exchanged = {
                bet.line(*(CARDS[13 * to[card.suit] + card.rank - 1] for card in order)) for to in exchanges
            }
            assert exchanged == {bet.line(*order)}
