"""The players' salts: hashes after the commitment, reveals after all hashes, and what is left out."""

from __future__ import annotations

import hashlib
import json

import pytest

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.fair import Binding, CommittedShoe, Seed, commit, verify_record
from cardroom.fair.record import canonical, seal
from cardroom.fair.salts import Salts, Stage, faults_in, joint_salt, salt_hash
from cardroom.rules import load_rules

RULES = load_rules("knockout-52")
SHOE = CommittedShoe.of(RULES, shoe_id="shoe-1", deck="Ac:1,2c:1,3c:1", seed=Seed(bytes(range(32))))
ANN, BOB = "a1" * 32, "b2" * 32


def hashed(salt: str, shoe: CommittedShoe = SHOE) -> str:
    """By hand: the label, the commitment's 32 bytes and the salt's, each behind its length."""
    label = b"cardroom/player-salt/1"
    parts = (label, shoe.commitment.digest, bytes.fromhex(salt))
    return hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).hexdigest()


def given(*salts: str) -> Salts:
    found = Salts()
    for number, salt in enumerate(salts):
        found = found.committed(f"player {number}", hashed(salt))
    return found


def test_the_hash_covers_the_commitment_and_the_salt() -> None:
    assert salt_hash(SHOE.commitment, bytes.fromhex(ANN)) == hashed(ANN)
    other = commit(Seed(bytes(32)), Binding("knockout-52", "", "shoe-1", "Ac:1"))
    assert salt_hash(other, bytes.fromhex(ANN)) != hashed(ANN)


def test_the_salt_of_a_deal_is_the_cut_and_all_salts_in_order() -> None:
    parts = (b"cardroom/salts/2", b"cut 5 back", bytes.fromhex(ANN), bytes.fromhex(BOB))
    expected = hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
    salts = (
        given(ANN, BOB)
        .with_wagers_closed()
        .revealed(SHOE.commitment, BOB)
        .revealed(SHOE.commitment, ANN)
        .closed()
    )
    assert salts.joint(b"cut 5 back") == expected  # the order of the hashes, not of the reveals
    assert joint_salt(b"cut 5 back", ()) == b"cut 5 back"


def test_who_does_not_reveal_is_left_out_and_counted() -> None:
    salts = given(ANN, BOB).with_wagers_closed().revealed(SHOE.commitment, BOB)
    assert not salts.all_revealed
    closed = salts.closed()
    assert closed.withheld == 1
    assert closed.joint() == joint_salt(b"", [bytes.fromhex(BOB)])
    assert closed.shown() == [{"hash": hashed(ANN), "salt": ""}, {"hash": hashed(BOB), "salt": BOB}]


def test_one_hash_for_each_player_of_one_length() -> None:
    salts = given(ANN)
    assert salts.committed("player 0", hashed(ANN)) is salts  # again: the same
    with pytest.raises(Conflict, match="stands already"):
        salts.committed("player 0", hashed(BOB))
    with pytest.raises(Conflict, match="another player's"):
        salts.committed("player 1", hashed(ANN))
    for bad in ("ab", hashed(BOB) + "00", hashed(BOB).upper(), "x" * 64):
        with pytest.raises(MalformedInput, match="64 hexadecimal digits"):
            salts.committed("player 1", bad)


def test_each_stage_takes_what_belongs_to_it() -> None:
    salts = given(ANN)
    with pytest.raises(Conflict, match="when wagers are closed"):
        salts.revealed(SHOE.commitment, ANN)
    asked = salts.with_wagers_closed()
    with pytest.raises(Conflict, match="closed"):
        asked.committed("player 1", hashed(BOB))
    for once in (asked, Salts()):
        with pytest.raises(Conflict, match="asked for once"):
            once.with_wagers_closed()
    with pytest.raises(Conflict, match="no hash of this salt"):
        asked.revealed(SHOE.commitment, BOB)
    assert asked.without("player 0") == asked  # who leaves now has not revealed
    assert salts.without("player 0") == Salts()
    closed = asked.revealed(SHOE.commitment, ANN).closed()
    assert closed.stage is Stage.CLOSED
    with pytest.raises(Conflict, match="before the first card"):
        closed.revealed(SHOE.commitment, ANN)
    assert Salts.restored(json.loads(json.dumps(closed.saved()))) == closed


def record(salts: Salts) -> dict[str, object]:
    cards = SHOE.cards(salt=salts.joint(b"cut"))
    found: dict[str, object] = json.loads(SHOE.record(cards=cards, rounds=(), salt=b"cut", salts=salts))
    return found


def findings(fields: dict[str, object]) -> set[str]:
    fields = {name: value for name, value in fields.items() if name != "seals"}
    text = canonical({**fields, "seals": {name: seal(name, value) for name, value in fields.items()}})
    rules = {"deck", "rules"}  # of three cards no game is dealt
    return {finding.where for finding in verify_record(text).findings} - rules


def test_a_record_with_salts_holds_and_says_who_was_left_out() -> None:
    fields = record(given(ANN, BOB).with_wagers_closed().revealed(SHOE.commitment, BOB).closed())
    assert findings(fields) == set()
    assert fields["cut"] == b"cut".hex()
    for name, value, where in (
        ("salt", "", "salt"),  # the deal's salt is another
        ("salts", [{"hash": hashed(ANN), "salt": ""}], "salt"),  # a salt that was revealed is dropped
        ("salts", [{"hash": hashed(ANN), "salt": BOB}], "salts"),  # and does not fit another's hash
        ("salts", [{"hash": hashed(BOB), "salt": BOB}] * 2, "salts"),
        ("salts", [{"hash": hashed(BOB)}], "salts"),
        ("salts", ["a"], "salts"),
        ("salts", [{"hash": "ab", "salt": ""}], "salts"),
        ("cut", "00", "salt"),
    ):
        assert where in findings({**fields, name: value}), name


def test_a_salt_hashed_for_another_commitment_does_not_fit() -> None:
    """A house that picks its secret after it has seen a salt needs another commitment, and the hash tells."""
    salts = given(ANN).with_wagers_closed().revealed(SHOE.commitment, ANN).closed()
    picked = CommittedShoe.of(RULES, shoe_id="shoe-1", deck="Ac:1,2c:1,3c:1", seed=Seed(b"p" * 32))
    (fault,) = faults_in(picked.commitment, salts.shown())
    assert fault == "number 1 does not fit the hash that was given before it, for this commitment"
