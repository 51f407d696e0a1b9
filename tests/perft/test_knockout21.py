"""Knockout 21 by complete enumeration: dealer's hands, every chart cell, draws of one to three tickets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from cardroom.core.cards import Card, parse_card, parse_cards
from cardroom.engine import knockout21
from cardroom.engine.knockout21 import DrawState, Event, Pool, Position, start, step
from cardroom.engine.knockout21.settlement import ticket_wins_hand
from cardroom.engine.walk import Branches, by_chance, walk
from cardroom.exact.knockout21.chain import winners, winners_in_fractions
from cardroom.exact.knockout21.chances import (
    chances,
    chart_cells,
    choice_chance,
    dealer_chances,
    hand_chance,
    hand_chance_among_many,
    hand_classes,
)
from cardroom.exact.knockout21.draw_figures import picture
from cardroom.rules.knockout21 import HANDS_OF_GAME, Game, Game1Hit
from cardroom.rules.knockout21.law import Choice, basic_choice
from tests.knockout21_cards import house, ticket

DEALER_HANDS = ("Th6sTd", "Th7s", "Th8s", "Th9s", "ThKs", "Th5s6d", "ThAs")
"""A dealer's hand of each kind: bust, 17, 18, 19, 20, a longer 21, a two-card 21."""


@cache
def dealer_by_totals(total: int, aces_as_eleven: int, cards: int) -> dict[str, Fraction]:
    """The dealer's results by running totals: a second method, which never looks at a whole hand."""
    if total > 21 and aces_as_eleven:
        return dealer_by_totals(total - 10, aces_as_eleven - 1, cards)
    if total > 21:
        return {"bust": Fraction(1)}
    if total >= 17:
        return {"two-card 21" if total == 21 and cards == 2 else str(total): Fraction(1)}
    results: dict[str, Fraction] = {}
    for rank in range(1, 14):
        value = 11 if rank == 1 else min(rank, 10)
        for result, chance in dealer_by_totals(
            total + value, aces_as_eleven + (rank == 1), cards + 1
        ).items():
            results[result] = results.get(result, Fraction(0)) + chance / 13
    return results


@pytest.mark.clause("KO21-1.6")
@pytest.mark.parametrize("first", [None, *range(1, 11)])
def test_dealers_hands_by_two_methods(first: int | None) -> None:
    if first is None:
        expected = dealer_by_totals(0, 0, 0)
    else:
        expected = dealer_by_totals(11 if first == 1 else first, int(first == 1), 1)
    assert dealer_chances(first) == tuple(expected.get(kind, Fraction(0)) for kind in KINDS)
    assert sum(dealer_chances(first)) == 1


KINDS = ("bust", "17", "18", "19", "20", "21", "two-card 21")


@pytest.mark.clause("KO21-1.6")
@pytest.mark.parametrize("position", [0, 4])
def test_dealers_hands_by_walking_the_engine(position: int) -> None:
    """One hand of a draw, every card dealt: in Game 1 from nothing, in Game 2 from a first card, an 8."""
    first_cards = parse_cards("8h8h8h8h8h")
    pool = Pool((ticket(),), first_cards)
    state, _ = start(house(), pool)
    while state.position < position or state.hit is None:
        state, _ = step(state, parse_card("Th"))

    def tried(now: DrawState) -> list[tuple[Card, int]]:
        """One card of each value stands for all, until the hand is over."""
        if now.position > position:
            return []
        counts = Counter(card.value for card, _ in knockout21.chance(now))
        return [(card_of(value), count) for value, count in counts.items()]

    def fold(now: DrawState, branches: Branches[Event, dict[str, Fraction]]) -> dict[str, Fraction]:
        if not branches:
            hand = now.finished[position]
            natural = hand.dealer_total == 21 and len(hand.dealer) == 2
            name = "bust" if hand.dealer_busts else "two-card 21" if natural else str(hand.dealer_total)
            return {name: Fraction(1)}
        results: dict[str, Fraction] = {}
        for likely, branch in by_chance(branches):
            for name, share in branch.value.items():
                results[name] = results.get(name, Fraction(0)) + likely * share
        return results

    def alike(now: DrawState) -> tuple[object, ...]:
        cards = now.finished[position].dealer if now.position > position else now.dealer
        return now.position, sorted_values(cards)

    walked = walk(knockout21, state, fold, tried=tried, alike=alike)
    assert dealer_chances(8 if position else None) == tuple(walked.get(kind, Fraction(0)) for kind in KINDS)


def sorted_values(cards: Sequence[Card]) -> tuple[int, ...]:
    return tuple(sorted(card.value for card in cards))


def card_of(value: int) -> Card:
    return parse_card({1: "Ac", 10: "Tc"}.get(value, f"{value}c"))


@cache
def winning_starts(reading: Game1Hit, game: Game, first: int | None) -> tuple[tuple[Fraction, int], ...]:
    """(how likely these common cards are, how many of the 169 starting hands win), asking the engine."""
    rules = house(game_1_hit=reading)
    position = HANDS_OF_GAME[game][0]
    values = range(1, 11)
    weight = {value: 4 if value == 10 else 1 for value in values}
    found = []
    for hit, (dealer, chance) in product(values, zip(DEALER_HANDS, dealer_chances(first), strict=True)):
        if not chance:
            continue
        cards = Position.parse(f"{dealer}+{card_of(hit)}")
        won = 0
        for one, two in product(values, values):
            choice = basic_choice(game, (one, two), first)
            text = f"{card_of(one)}{card_of(two)}" + (f":{choice.value}" if choice else "")
            if ticket_wins_hand(rules, ticket({position: text}), position, cards):
                won += weight[one] * weight[two]
        found.append((Fraction(weight[hit], 13) * chance, won))
    return tuple(found)


def common_cards(reading: Game1Hit, game: Game) -> list[tuple[Fraction, int]]:
    if game != 2:
        return list(winning_starts(reading, game, None))
    return [
        (Fraction(4 if first == 10 else 1, 13) * chance, won)
        for first in range(1, 11)
        for chance, won in winning_starts(reading, 2, first)
    ]


CASES: list[tuple[Game1Hit, Game]] = [
    ("ace-keeps-value", 1),
    ("literal", 1),
    ("ace-keeps-value", 2),
    ("ace-keeps-value", 3),
]


@pytest.mark.parametrize(("reading", "game"), CASES)
def test_a_hand_by_asking_the_engine_for_all_cards(reading: Game1Hit, game: Game) -> None:
    expected = sum((chance * Fraction(won, 169) for chance, won in common_cards(reading, game)), Fraction(0))
    assert hand_chance(reading, game) == expected


@pytest.mark.clause("KO21-4.4")
@pytest.mark.parametrize(("reading", "game"), CASES)
def test_a_hand_that_no_start_wins_keeps_everybody_in_however_many_play(
    reading: Game1Hit, game: Game
) -> None:
    """Read literally, a dealer's two-card 21 wins from all: 2 · 1/13 · 4/13 of the hands of Game 1."""
    common = common_cards(reading, game)
    nobody = sum((chance for chance, won in common if not won), Fraction(0))
    assert nobody == (Fraction(8, 169) if (reading, game) == ("literal", 1) else 0)
    assert hand_chance_among_many(reading, game) == hand_chance(reading, game) + nobody


@pytest.mark.clause("KO21-4.4")
@pytest.mark.parametrize("tickets", [1, 2, 3])
@pytest.mark.parametrize(("reading", "game"), CASES)
def test_winners_of_few_tickets_ticket_by_ticket(reading: Game1Hit, game: Game, tickets: int) -> None:
    """Which tickets are in, not only how many: every pattern of who wins a hand, for every common cards."""
    everybody = (1 << tickets) - 1
    patterns = {
        pattern: sum(
            (
                chance
                * Fraction(won, 169) ** pattern.bit_count()
                * Fraction(169 - won, 169) ** (tickets - pattern.bit_count())
                for chance, won in common_cards(reading, game)
            ),
            Fraction(0),
        )
        for pattern in range(1 << tickets)
    }
    assert sum(patterns.values()) == 1
    active = {everybody: Fraction(1)}
    for _ in HANDS_OF_GAME[game]:
        after: dict[int, Fraction] = {}
        for who, chance in active.items():
            for pattern, share in patterns.items():
                staying = who & pattern or who  # nobody left: all who were in stay
                after[staying] = after.get(staying, Fraction(0)) + chance * share
        active = after
    rules = house(game_1_hit=reading)
    expected = tuple(
        sum((chance for who, chance in active.items() if who.bit_count() == number), Fraction(0))
        for number in range(tickets + 1)
    )
    assert winners_in_fractions(rules, game, tickets) == expected
    for number, probability in enumerate(winners(rules, game, tickets).probabilities):
        assert probability == float(expected[number])


def test_the_picture_of_two_tickets_by_hand() -> None:
    """Every way two tickets can win the three games, and what the draw pays then."""
    rules = house()
    chance_of_two = [winners_in_fractions(rules, game, 2)[2] for game in (1, 2, 3)]
    # The pools of $2.00 are below every least share: winners get $10.00, $15.00 and $20.00 each.
    expected = sum((1 + both) * prize for both, prize in zip(chance_of_two, (1000, 1500, 2000), strict=True))
    whole = picture(rules, tickets=2)
    assert whole.return_to_player == pytest.approx(float(expected / 1000), rel=1e-14)
    liability = {
        cents: probability
        for step, probability in enumerate(whole.liability.probabilities)
        if (cents := step * whole.liability.step_cents) and probability > 1e-12
    }
    by_hand: dict[int, Fraction] = {}
    for both in product((0, 1), repeat=3):
        paid = sum((1 + b) * prize for b, prize in zip(both, (1000, 1500, 2000), strict=True))
        chance = Fraction(1)
        for b, p in zip(both, chance_of_two, strict=True):
            chance *= p if b else 1 - p
        by_hand[paid] = by_hand.get(paid, Fraction(0)) + chance
    assert liability == pytest.approx({paid: float(chance) for paid, chance in by_hand.items()}, abs=1e-14)


@pytest.mark.clause("KO21-5.2", "KO21-5.3")
@pytest.mark.parametrize(("game", "cells"), [(2, 550), (3, 55)])
def test_the_charts_are_the_best_there_are(game: Game, cells: int) -> None:
    found = chart_cells(game)
    assert len(found) == cells
    for cell in found:
        other = Choice.STAND if cell.advice is Choice.HIT else Choice.HIT
        advised = choice_chance(game, cell.start, cell.advice, cell.dealer_first)
        overridden = choice_chance(game, cell.start, other, cell.dealer_first)
        if cell.row in {"4", "5"}:  # one card makes 16 at most: only a dealer's bust wins, either way
            assert advised == overridden, cell
        else:
            assert advised > overridden, cell
        assert cell.is_best


def test_a_worse_chart_is_found_out() -> None:
    cell = next(cell for cell in chart_cells(2) if cell.row == "16" and cell.dealer_first == 6)
    assert cell.advice is Choice.STAND
    assert cell.stand > cell.hit
    assert sum(each.weight for each in hand_classes("ace-keeps-value", 2)) == 1


@pytest.mark.parametrize("reading", ["ace-keeps-value", "literal"])
def test_any_prize_by_inclusion_and_exclusion(reading: str) -> None:
    odds = chances(house(game_1_hit=reading))
    one, two, three = odds["game-1"], odds["game-2"], odds["game-3"]
    by_hand = one + two + three - one * two - one * three - two * three + one * two * three
    assert odds["any-prize"] == by_hand
