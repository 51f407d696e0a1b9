"""The best counts for a wager, and effects of two cards: against all counts tried, and as commands."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from cardroom.core.cards import Rank
from cardroom.protect.best import best_count, best_counts, different_counts
from cardroom.protect.counts import LETTERS, Count, correlation_with_aces, find_count
from cardroom.protect.effects import Effects, effects_of
from cardroom.protect.shoes import values
from cardroom.rules import load_rules
from cardroom.rules.twentyone import TwentyOneRules
from tests.command_line import CommandLine


@pytest.fixture(scope="module")
def fixed() -> Effects:
    return effects_of(load_rules("blackjack", {"decks": 1}), "primary", "basic")


@pytest.fixture(scope="module")
def three_cards() -> Effects:
    return effects_of(load_rules("blackjack"), "21+3")


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hi-opt-1", "hi-opt-2", "omega-2"])
def test_aces_beside_a_count_are_the_best_tag_for_aces(fixed: Effects, name: str) -> None:
    """Every tag for aces tried, in steps of a hundredth: none follows the wager better."""
    count = find_count(name)
    tried = [
        Count("tried", "tried", {**count.tags, "A": Fraction(step, 100)}).correlation(fixed)
        for step in range(-400, 401)
    ]
    found = correlation_with_aces(count, fixed)
    assert found is not None
    assert found == pytest.approx(max(tried), abs=1e-5)
    assert found > count.correlation(fixed) + 0.02
    assert correlation_with_aces(find_count("hi-lo"), fixed) is None


def test_the_best_count_is_the_best_of_all(fixed: Effects) -> None:
    """Every count of level 1 tried: 3 to the power of 10."""
    weights = np.array([1] * 9 + [4])
    worths = np.array([float(fixed.by_value[letter]) for letter in LETTERS])
    tags = np.array(list(product((-1, 0, 1), repeat=10)))
    centred = tags - (tags @ weights / 13)[:, None]
    with np.errstate(invalid="ignore"):
        found = centred * weights @ worths / np.sqrt((centred**2) @ weights)
    worth_spread = np.sqrt(((worths - worths @ weights / 13) ** 2) @ weights)
    for balanced in (True, False):
        allowed = (tags @ weights == 0) if balanced else np.full(len(tags), True)
        best = np.nanmax(np.where(allowed, found, -np.inf)) / worth_spread
        count = best_count(fixed, 1, balanced=balanced)
        assert count is not None
        assert count.correlation == pytest.approx(best, abs=1e-11)
        assert count.sum_of_deck == 0 or not balanced
        same = find_count(",".join(str(count.tags[letter]) for letter in LETTERS))
        assert count.correlation == pytest.approx(same.correlation(fixed), abs=1e-11)


def test_every_level_balanced_or_not(fixed: Effects) -> None:
    """A higher level is no worse, and neither are counts that need not be balanced."""
    found = {(one.level, one.balanced): one.correlation for one in best_counts(fixed)}
    assert list(found) == [(level, balanced) for level in (1, 2, 3) for balanced in (True, False)]
    for balanced in (True, False):
        levels = [found[level, balanced] for level in (1, 2, 3)]
        assert levels == sorted(levels)
    assert all(found[level, False] >= found[level, True] for level in (1, 2, 3))


def test_ranks_are_told_apart_where_the_wager_tells_them(three_cards: Effects) -> None:
    """21+3: three straights hold each rank, but for A, 2 and K, which two hold; a king is no ten there.

    So there are two kinds of ranks, and a count that tells them apart follows the bet as well as any can.
    """
    in_straights = {
        rank: sum(
            rank in straight for straight in [*((low, low + 1, low + 2) for low in range(1, 12)), (12, 13, 1)]
        )
        for rank in map(int, Rank)
    }
    few = {Rank(rank).letter for rank, number in in_straights.items() if number == 2}
    assert few == {"A", "2", "K"}
    best = best_count(three_cards, 1, balanced=False)
    assert best is not None
    assert {letter for letter, tag in best.tags.items() if tag} == few
    assert best.tag_words == "A 2 K +1"
    assert best.correlation == pytest.approx(1, abs=1e-11)
    balanced = best_count(three_cards, 1, balanced=True)
    assert balanced is not None
    # Three ranks of 13 against three others: 6 = 3 · 1 + 3 · 1 of squares, 3 − 3 · 3/13 … in fractions below.
    spread = Fraction(3 * 10, 13)
    assert balanced.correlation**2 == pytest.approx(float(Fraction(3) ** 2 / (6 * spread)), abs=1e-11)


def test_the_correlation_of_a_count_is_over_cards(three_cards: Effects) -> None:
    """Hi-Lo with 21+3, by hand: A and K go against it, a 2 with it, and it knows a king as a ten only.

    Its tags add up to 0, ten of them are ±1; with +1 for A, 2 and K: (−1 + 1 − 1) over roots of 10 and 30/13.
    """
    by_hand = -1 / (10 * 30 / 13) ** 0.5
    assert find_count("hi-lo").correlation(three_cards) == pytest.approx(by_hand, abs=1e-12)


def test_none_stands_twice(three_cards: Effects) -> None:
    shown = [tuple(count.tags.values()) for count in different_counts(three_cards)]
    assert len(shown) == len(set(shown))
    assert {tuple(count.tags.values()) for count in best_counts(three_cards)} == set(shown)


@pytest.mark.slow
def test_all_levels_in_the_terminal(cardroom: CommandLine) -> None:
    text = cardroom("protect", "blackjack", "--count", "hi-lo").out
    for level in (1, 2, 3):
        assert f"level {level}, balanced" in text
    assert "The best counts for 21+3" in text
    assert "A 2 K +1 " in text
    answer = cardroom("protect", "blackjack", "--count", "hi-lo", "--json").json
    levels = {(one["wager"], one["level"], one["balanced"]) for one in answer["best_counts"]}
    assert {("21+3", level, balanced) for level in (1, 2, 3) for balanced in (True, False)} <= levels


def test_effects_of_two_cards(cardroom: CommandLine) -> None:
    """Against the bet counted anew in the shoes without both cards, and without each."""
    rules: TwentyOneRules = load_rules("spanish-21", {"decks": 1})
    answer = cardroom("protect", "spanish-21", "--set", "decks=1", "--second-order", "--json").json
    (found,) = answer["second_order"]
    assert found["wager"] == "match-the-dealer"
    shoe = rules.shoe()

    def worth(*ranks: Rank) -> Fraction:
        """Mean over the suits of the cards that are missing."""
        ways = [
            cards
            for cards in product(*([card for card in shoe.cards() if card.rank is rank] for rank in ranks))
            if len(set(cards)) == len(cards)
        ]
        found = values(rules, [shoe.without(cards) for cards in ways], "match-the-dealer")
        return sum((Fraction(one) for one in found), Fraction(0)) / len(ways)

    for one, other in ((Rank.SEVEN, Rank.SEVEN), (Rank.SEVEN, Rank.KING)):
        expected = worth(one, other) - worth(one) - worth(other) + worth()
        assert found["fractions"][one.letter][other.letter] == str(expected)
        assert found["fractions"][other.letter][one.letter] == str(expected)
        assert found["beyond_both_effects"][one.letter][other.letter] == pytest.approx(float(expected))
    text = cardroom("protect", "spanish-21", "--second-order").out
    assert "two of one rank" in text
    assert "two of different ranks" in text


def test_effects_of_two_cards_where_there_are_none(cardroom: CommandLine) -> None:
    assert "are for side bets" in cardroom.refused(
        "protect", "blackjack", "--second-order", "--only", "insurance"
    )
