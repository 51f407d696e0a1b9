"""Cards, ranks, suits and decks."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.core.cards import CARDS, Card, Rank, Suit, format_cards, parse_card, parse_cards, parse_rank
from cardroom.core.decks import DECKS, CardCounts
from cardroom.core.errors import MalformedInput

CARD = st.sampled_from(CARDS)
COUNTS = st.lists(st.integers(0, 9), min_size=52, max_size=52).map(CardCounts)


@given(CARD)
def test_every_text_of_a_card_is_the_card(card: Card) -> None:
    rank, suit = ("10" if card.rank is Rank.TEN else card.rank.letter), card.suit
    for text in (
        str(card),
        repr(card),
        card.text.lower(),
        card.text.upper(),
        card.pretty,
        rank + suit.letter,
    ):
        assert parse_card(text) is card
        assert parse_card(f" {text} ") is card


@given(st.lists(CARD))
def test_cards_written_together_read_back(cards: list[Card]) -> None:
    assert parse_cards(format_cards(cards)) == tuple(cards)
    assert parse_cards(" ".join(card.pretty for card in cards)) == tuple(cards)
    assert parse_cards(", ".join(card.text for card in cards)) == tuple(cards)


@pytest.mark.parametrize("text", ["", "T", "h", "1h", "Tx", "11h", "Th9", "AhKh", "?", "A h", "Ａh"])
def test_what_is_not_one_card_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput, match="a card is a rank"):
        parse_card(text)


def test_a_suit_may_be_drawn_as_an_emoji() -> None:
    assert parse_card("10♥\ufe0f") is parse_card("Th")


def test_there_are_52_cards_and_one_object_of_each() -> None:
    assert [card.index for card in CARDS] == list(range(52))
    assert len({(card.rank, card.suit) for card in CARDS}) == 52
    for card in CARDS:
        assert pickle.loads(pickle.dumps(card)) is copy.deepcopy(card) is copy.copy(card) is card


def test_values_of_cards() -> None:
    assert [parse_card(f"{rank}s").value for rank in "A23456789TJQK"] == [*range(1, 11), 10, 10, 10]


@given(st.sampled_from(Rank))
def test_ranks_read_back(rank: Rank) -> None:
    assert parse_rank(rank.letter) is parse_rank(rank.letter.lower()) is rank


def test_the_ten_has_two_names_and_nothing_else_is_a_rank() -> None:
    assert parse_rank("10") is parse_rank("T") is Rank.TEN
    for text in ("", "1", "11", "0", "AK", "x"):
        with pytest.raises(MalformedInput, match="is not a rank"):
            parse_rank(text)


def test_suits_have_letters_and_symbols() -> None:
    assert [(suit.letter, suit.symbol) for suit in Suit] == [("c", "♣"), ("d", "♦"), ("h", "♥"), ("s", "♠")]


def test_a_spanish_deck_has_no_tens() -> None:
    assert len(DECKS["standard"]) == 52
    assert len(DECKS["spanish"]) == 48
    counts = CardCounts.of_decks("spanish", 6)
    assert counts.by_rank() == (*[24] * 9, 0, 24, 24, 24)


@given(COUNTS)
def test_counts_read_back(counts: CardCounts) -> None:
    assert CardCounts.parse(str(counts)) == counts
    assert eval(repr(counts), {"CardCounts": CardCounts}) == counts
    assert hash(CardCounts.parse(str(counts))) == hash(counts)
    assert CardCounts.of_cards(counts.cards()) == counts
    assert sum(counts.by_rank()) == counts.total == len(counts.cards())


@pytest.mark.slow
@given(COUNTS, st.lists(CARD, max_size=8))
def test_cards_leave_the_counts_or_are_refused(counts: CardCounts, cards: list[Card]) -> None:
    if all(cards.count(card) <= counts[card] for card in cards):
        left = counts.without(cards)
        assert left.total == counts.total - len(cards)
        assert all(left[card] == counts[card] - cards.count(card) for card in CARDS)
    else:
        with pytest.raises(MalformedInput, match="is more often in play than in the shoe"):
            counts.without(cards)


@pytest.mark.parametrize("text", ["7d", "7d:", "7d:-1", "7d:x", "7d:²", "7:2", "7d:1 8d:1"])
def test_what_is_not_a_count_is_refused(text: str) -> None:
    with pytest.raises(MalformedInput, match=r"is not (a count of cards|one card|a card)"):
        CardCounts.parse(text)


def test_counts_are_52_numbers_from_zero() -> None:
    for numbers in ([1] * 51, [0] * 51 + [-1]):
        with pytest.raises(MalformedInput, match="52 numbers"):
            CardCounts(numbers)
