"""Seeds, keystream, shuffle and commitment against published vectors and a second implementation."""

from __future__ import annotations

import inspect
from collections import Counter
from itertools import islice

import pytest

from cardroom.core.cards import CARDS
from cardroom.core.decks import CardCounts
from cardroom.core.errors import MalformedInput, Unavailable
from cardroom.fair import (
    Binding,
    Commitment,
    Seed,
    commit,
    deal,
    deck_of,
    infinite_deck,
    keystream,
    selftest,
)
from cardroom.fair.deals import LARGEST_DEAL, keystream_of
from cardroom.fair.keystream import Keystream, derive_key
from tests import second_derivation

SEED = Seed(bytes(range(32)))
BINDING = Binding("knockout-52", "ab" * 32, "shoe-1", deck_of("standard", 1))
BOUND = {"game": "knockout-52", "rules_hash": "ab" * 32, "shoe_id": "shoe-1"}


def test_the_second_implementation_knows_the_standard() -> None:
    """FIPS 197, appendix C.3."""
    keys = second_derivation._round_keys(bytes(range(32)))
    block = bytes.fromhex("00112233445566778899aabbccddeeff")
    assert second_derivation.aes_256(keys, block).hex() == "8ea2b7ca516745bfeafc49904b496089"


def test_hkdf_by_rfc_5869_test_case_3() -> None:
    """No salt, no info; the RFC's output begins with the 32 bytes of a shorter one."""
    key = derive_key(b"\x0b" * 22, salt=b"", info=b"")
    assert key.hex() == "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"


def test_keystream_is_aes_in_counter_mode() -> None:
    key = bytes(range(100, 132))
    ours = Keystream(key)
    assert [int.from_bytes(ours.read(4), "big") for _ in range(600)] == list(
        islice(second_derivation.words(key), 600)
    )


@pytest.mark.parametrize("salt", [b"", b"cut here", "ü".encode(), bytes(100)])
@pytest.mark.parametrize("decks", [1, 8])
def test_a_shuffle_by_the_second_implementation(salt: bytes, decks: int) -> None:
    binding = Binding("knockout-52", "ab" * 32, "shoe-1", deck_of("standard", decks))
    ours = [card.text for card in deal(SEED, binding, salt=salt).cards]
    assert ours == second_derivation.cards(SEED.secret, salt=salt, deck=binding.deck, **BOUND)


def test_independent_cards_by_the_second_implementation() -> None:
    binding = Binding("knockout-52", "ab" * 32, "shoe-1", infinite_deck("standard"))
    ours = [card.text for card in deal(SEED, binding, count=200).cards]
    stream = second_derivation.card_stream(SEED.secret, salt=b"", deck=binding.deck, **BOUND)
    assert ours == [second_derivation.DECK[second_derivation.below(stream, 52)] for _ in range(200)]


def test_a_commitment_by_the_second_implementation() -> None:
    assert str(commit(SEED, BINDING)) == second_derivation.commitment(SEED.secret, deck=BINDING.deck, **BOUND)
    assert Commitment.parse(str(commit(SEED, BINDING))).opens_to(SEED, BINDING)


@pytest.mark.parametrize(
    "other",
    [
        Binding("knockout-21", BINDING.rules_hash, BINDING.shoe_id, BINDING.deck),
        Binding("knockout-52", "ac" * 32, BINDING.shoe_id, BINDING.deck),
        Binding("knockout-52", BINDING.rules_hash, "shoe-2", BINDING.deck),
        Binding("knockout-52", BINDING.rules_hash, BINDING.shoe_id, deck_of("standard", 2)),
        Binding("knockout-52", BINDING.rules_hash + "s", "hoe-1", BINDING.deck),
    ],
)
def test_a_commitment_holds_for_one_binding_only(other: Binding) -> None:
    commitment = commit(SEED, BINDING)
    assert not commitment.opens_to(SEED, other)
    assert not commitment.opens_to(Seed(bytes(32)), BINDING)
    assert deal(SEED, other).cards[:52] != deal(SEED, BINDING).cards


@pytest.mark.requirement("R-4", "R-11")
def test_words_are_used_in_order_and_refused_ones_counted() -> None:
    """A bound of three quarters of all words refuses the words of the last quarter, and no other."""
    bound, key = 3 << 30, bytes(range(32))
    stream = Keystream(key)
    drawn = [stream.below(bound) for _ in range(500)]
    raw = list(islice(second_derivation.words(key), stream.words_used))
    assert drawn == [word for word in raw if word < bound]
    assert stream.words_rejected == sum(word >= bound for word in raw) > 50
    assert stream.words_used == len(drawn) + stream.words_rejected


@pytest.mark.requirement("R-4")
@pytest.mark.parametrize("bound", [1, 2, 3, 5, 7, 52, 100, 129, 256])
def test_scaling_gives_every_value_equally_many_words(bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With words of one byte, all 256 of them in turn: every value comes equally often, to the word."""
    monkeypatch.setattr(keystream, "WORD_BYTES", 1)
    monkeypatch.setattr(keystream, "WORDS", 256)

    class EveryByte(Keystream):
        def read(self, length: int) -> bytes:
            return bytes([self.words_used % 256])

    stream = EveryByte(bytes(32))
    drawn = Counter(stream.below(bound) for _ in range(256 // bound * bound))
    assert drawn == dict.fromkeys(range(bound), 256 // bound)


@pytest.mark.requirement("R-11")
def test_a_shuffle_takes_one_word_for_each_place_but_the_last() -> None:
    dealt = deal(SEED, BINDING)
    assert dealt.words_used - dealt.words_rejected == len(dealt.cards) - 1


@pytest.mark.requirement("R-13")
def test_the_drawing_function_sees_no_stakes_players_or_history() -> None:
    assert list(inspect.signature(deal).parameters) == ["seed", "binding", "salt", "count"]
    assert set(BINDING.__slots__) == {"game", "rules_hash", "shoe_id", "deck"}
    assert deal(SEED, BINDING) == deal(SEED, BINDING)


@pytest.mark.requirement("R-15")
def test_an_interrupted_shoe_goes_on_with_the_same_cards() -> None:
    whole = deal(SEED, BINDING).cards
    for dealt_so_far in (0, 1, 13, 51, 52):
        assert deal(SEED, BINDING, count=dealt_so_far).cards == whole[:dealt_so_far]


@pytest.mark.requirement("R-7")
def test_one_bit_of_the_secret_changes_half_of_the_keystream() -> None:
    """256 neighbours of a secret, 1024 bits each: the mean number of changed bits is 512 ± 4 σ / √256."""
    length = 128
    base = int.from_bytes(keystream_of(SEED, BINDING).read(length), "big")
    changed = []
    for bit in range(256):
        secret = bytearray(SEED.secret)
        secret[bit // 8] ^= 1 << bit % 8
        other = int.from_bytes(keystream_of(Seed(bytes(secret)), BINDING).read(length), "big")
        changed.append((base ^ other).bit_count())
    assert abs(sum(changed) / 256 - 512) < 4 * 16 / 16
    assert min(changed) > 512 - 6 * 16


@pytest.mark.requirement("R-7")
def test_no_short_linear_rule_predicts_the_next_bit() -> None:
    """The linear complexity (Berlekamp, Massey) of n bits of chance is n/2; a register's stays small."""
    raw = int.from_bytes(keystream_of(SEED, BINDING).read(128), "big")
    bits = [raw >> i & 1 for i in range(1024)]
    assert abs(linear_complexity(bits) - 512) <= 10
    register = [1, 0, 0, 1, 0, 1, 1]
    while len(register) < 1024:
        register.append(register[-7] ^ register[-6])
    assert linear_complexity(register) == 7


def linear_complexity(bits: list[int]) -> int:
    current, previous, length, last = 1, 1, 0, -1
    for n in range(len(bits)):
        window = sum(bits[n - i] << i for i in range(length + 1))
        if (current & window).bit_count() & 1:
            kept = current
            current ^= previous << (n - last)
            if 2 * length <= n:
                length, last, previous = n + 1 - length, n, kept
    return length


@pytest.mark.requirement("R-14")
def test_nothing_is_dealt_after_a_failed_self_test(monkeypatch: pytest.MonkeyPatch) -> None:
    assert selftest.failures() == []
    selftest.require_self_test.cache_clear()
    monkeypatch.setattr(selftest, "_HKDF_KEY", "00" * 32)
    with pytest.raises(Unavailable, match=r"self-test.*HKDF"):
        deal(SEED, BINDING)
    monkeypatch.undo()
    assert len(deal(SEED, BINDING).cards) == 52


@pytest.mark.parametrize("name", ["_SHA256_ABC", "_HKDF_KEY", "_AES_FIRST_BLOCK", "_ENCODED"])
def test_every_known_answer_counts(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(selftest, name, "00")
    assert len(selftest.failures()) == 1


@pytest.mark.parametrize(
    "deck",
    ["", "Ac", "Ac:0", "2c:1,Ac:1", "Ac:01", "Ac:²", f"Ac:{'9' * 5000}", "Ac:1000001", "infinite", "1c:1"],
)
def test_a_deck_that_is_none_is_refused(deck: str) -> None:
    with pytest.raises(MalformedInput):
        deal(SEED, Binding("knockout-52", "", "", deck))


@pytest.mark.parametrize("count", [None, -1, LARGEST_DEAL + 1])
def test_an_infinite_deck_deals_a_given_number(count: int | None) -> None:
    with pytest.raises(MalformedInput, match="given number"):
        deal(SEED, Binding("knockout-21", "", "", infinite_deck("standard")), count=count)


def test_a_spanish_deck_has_no_tens() -> None:
    binding = Binding("spanish-21", "", "", infinite_deck("spanish"))
    drawn = set(deal(SEED, binding, count=5000).cards)
    assert drawn == {card for card in CARDS if card.text[0] != "T"}
    shoe = deal(SEED, Binding("spanish-21", "", "", deck_of("spanish", 6))).cards
    assert CardCounts.of_cards(shoe) == CardCounts.of_decks("spanish", 6)
