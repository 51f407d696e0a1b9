"""Laws of fair deals over generated secrets, salts, decks and records."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom import load_rules
from cardroom.core.cards import CARDS
from cardroom.core.decks import CardCounts
from cardroom.engine.knockout52 import Stakes, format_game, start, step
from cardroom.fair import Binding, Commitment, CommittedShoe, Seed, commit, deal, verify_record
from cardroom.fair.encoding import encode
from cardroom.fair.keystream import WORDS, Keystream
from cardroom.fair.record import canonical
from cardroom.rules.knockout52 import WAGERS, Knockout52Rules
from cardroom.rules.round_head import RulesForm

SECRETS = st.binary(min_size=32, max_size=32)
SALTS = st.binary(max_size=40)
FIELDS = st.lists(st.binary(max_size=8), max_size=5)
DECKS = st.dictionaries(st.sampled_from(CARDS), st.integers(1, 4), min_size=1).map(
    lambda counts: CardCounts(counts.get(card, 0) for card in CARDS)
)


@given(FIELDS, FIELDS)
def test_encoding_is_one_to_one(one: list[bytes], other: list[bytes]) -> None:
    assert (encode(*one) == encode(*other)) == (one == other)


@given(SECRETS, st.lists(st.integers(1, WORDS), min_size=1, max_size=30))
def test_integers_are_the_words_that_are_not_refused(key: bytes, bounds: list[int]) -> None:
    stream, raw = Keystream(key), Keystream(key)
    used = 0
    for bound in bounds:
        drawn = stream.below(bound)
        while True:
            word = int.from_bytes(raw.read(4), "big")
            used += 1
            if word < WORDS // bound * bound:
                break
        assert drawn == word % bound
    assert stream.words_used == used


@given(SECRETS, SALTS, DECKS)
def test_a_shuffle_is_a_permutation(secret: bytes, salt: bytes, deck: CardCounts) -> None:
    binding = Binding("knockout-52", "", "", str(deck))
    dealt = deal(Seed(secret), binding, salt=salt)
    assert CardCounts.of_cards(dealt.cards) == deck
    assert dealt.words_used == deck.total - 1 + dealt.words_rejected


@pytest.mark.slow
@given(SECRETS, st.text(max_size=20), st.text(max_size=20))
def test_texts_parse_back(secret: bytes, rules_hash: str, shoe_id: str) -> None:
    seed, binding = Seed(secret), Binding("knockout-52", rules_hash, shoe_id, "Ac:1")
    assert Seed.parse(str(seed)) == seed
    commitment = commit(seed, binding)
    assert Commitment.parse(str(commitment)) == commitment
    assert commitment.opens_to(seed, binding)


@given(
    SECRETS,
    SALTS,
    st.text(max_size=20),
    st.sampled_from([1, 2, 4, 6, 8]),
    st.dictionaries(st.sampled_from(WAGERS), st.integers(1, 500), min_size=1),
)
def test_the_record_of_any_game_holds(
    secret: bytes, salt: bytes, shoe_id: str, decks: int, dollars: dict[str, int]
) -> None:
    rules = load_rules("knockout-52", {"decks": decks})
    assert isinstance(rules, Knockout52Rules)
    shoe = CommittedShoe.of(rules, shoe_id=shoe_id, deck=str(rules.shoe), seed=Seed(secret))
    cards = shoe.cards(salt=salt)
    game, _ = start(rules, [Stakes("Ann", {wager: 100 * stake for wager, stake in dollars.items()})])
    while game.outcome is None:
        game, _ = step(game, cards[len(game.cards)])
    text = shoe.record(cards=cards, rounds=(format_game(game, RulesForm.APART),), salt=salt)
    assert verify_record(text).findings == ()
    assert canonical(json.loads(text)) == text
    assert "\n" not in text
