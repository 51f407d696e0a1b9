"""Records of shoes: verified from the text alone, and every changed byte named."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from cardroom import load_rules
from cardroom.core.cards import format_cards
from cardroom.core.errors import MalformedInput, Unavailable
from cardroom.engine.knockout52 import Game, Stakes, format_game, start, step
from cardroom.fair import CommittedShoe, Seed, repeatable_seed, verify_record, verify_records
from cardroom.fair.record import FIELDS, canonical, seal
from cardroom.fair.replay import replay_of
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm
from tests import second_derivation

SALT = b"my cut"


def played(rules: Knockout52Rules, shoe: CommittedShoe, salt: bytes, stakes: dict[str, int]) -> Game:
    game, _ = start(rules, [Stakes("Ann", stakes)])
    cards = shoe.cards(salt=salt)
    while game.outcome is None:
        game, _ = step(game, cards[len(game.cards)])
    return game


def make(
    decks: int = 1, *, seed: Seed | None = None, repeatable: int | None = None, salt: bytes = SALT
) -> tuple[CommittedShoe, str]:
    rules = load_rules("knockout-52", {"decks": decks})
    assert isinstance(rules, Knockout52Rules)
    shoe = CommittedShoe.of(
        rules,
        shoe_id="table 1 shoe 9",
        deck=str(rules.shoe),
        seed=seed or Seed(bytes(range(32))),
        repeatable=repeatable,
    )
    game = played(rules, shoe, salt, {"round-1": 500, "all-the-way": 100})
    return shoe, shoe.record(
        cards=shoe.cards(salt=salt), rounds=(format_game(game, RulesForm.APART),), salt=salt
    )


SHOE, RECORD = make()


def names(text: str) -> set[str]:
    """Where the findings are."""
    return {finding.where for finding in verify_record(text).findings}


def changed(field: str, value: Any, *, sealed: bool = True) -> str:
    """The record with another value in a field; `sealed` again as by somebody who knows how."""
    fields = json.loads(RECORD)
    fields[field] = value
    if sealed:
        fields["seals"][field] = seal(field, value)
    return canonical(fields)


@pytest.mark.parametrize("decks", [1, 2, 4, 6, 8])
def test_a_record_holds(decks: int) -> None:
    assert verify_record(make(decks)[1]).findings == ()


def test_a_record_is_what_the_second_implementation_derives() -> None:
    fields = json.loads(RECORD)
    bound = {name: fields[name] for name in ("game", "rules_hash", "shoe_id", "deck")}
    secret = bytes.fromhex(fields["secret"])
    assert second_derivation.commitment(secret, **bound) == fields["commitment"]
    salt = bytes.fromhex(fields["salt"])
    assert "".join(second_derivation.cards(secret, salt=salt, **bound)) == fields["cards"]
    assert set(fields) == set(FIELDS)


@pytest.mark.slow
def test_any_changed_byte_is_named() -> None:
    """Every byte in turn gets its lowest bit flipped; a byte of a value is named by its field."""
    spans = {}
    for name, kind in FIELDS.items():
        if kind is str:
            found = re.search(rf'"{name}":"([^"]*)"', RECORD)
            assert found is not None
            spans[name] = found.span(1)
    data = RECORD.encode()
    for position in range(len(data)):
        flipped = bytearray(data)
        flipped[position] ^= 1
        where = names(flipped.decode())
        assert where, f"byte {position} can be changed unseen"
        for name, (first, end) in spans.items():
            if first <= position < end and "text" not in where:
                assert name in where, f"byte {position} of {name}: only {where}"


@pytest.mark.parametrize("cut", [0, 1, 100, -1])
def test_a_record_cut_short_is_named(cut: int) -> None:
    assert names(RECORD[:cut]) == {"text"}


@pytest.mark.parametrize(
    ("field", "value", "where"),
    [
        ("secret", "00" * 32, {"commitment", "cards"}),
        ("commitment", "00" * 32, {"commitment"}),
        ("salt", "", {"cards"}),
        ("shoe_id", "another shoe", {"commitment", "cards"}),
        ("rules_hash", "00" * 32, {"rules_hash", "commitment", "cards"}),
        ("game", "knockout-21", {"rules", "commitment", "cards"}),
        ("game", "poker", {"game"}),
        ("format", "cardroom shoe 2", {"cut", "salts"}),
        ("format", "cardroom shoe 3", {"format"}),
        ("origin", "the dealer", {"origin"}),
        ("origin", "repeatable seed 7", {"secret"}),
        ("origin", "repeatable seed -7", {"origin"}),
        ("origin", "repeatable seed 99999999999999999999", {"origin"}),
        ("secret", "zz", {"record"}),
        ("salt", "A", {"record"}),
        ("cards", "AcAc", {"cards"}),
        ("cards", "not cards", {"record"}),
        ("deck", "Ac:1", {"commitment", "cards", "deck"}),
        ("deck", "Ac:" + "9" * 10, {"commitment", "deck"}),
        ("rounds", ["nonsense"], {"round 1"}),
        ("rounds", [17], {"round 1"}),
        ("rules", {}, {"rules"}),
    ],
)
def test_a_forger_who_seals_again_is_still_found(field: str, value: Any, where: set[str]) -> None:
    found = names(changed(field, value))
    assert where <= found <= where | {"round 1", "deck"}, found
    assert field in names(changed(field, value, sealed=False))


def test_a_changed_stake_is_named() -> None:
    """Nothing else in the record says what was staked, so it is the seal that speaks."""
    notation = json.loads(RECORD)["rounds"][0]
    raised = notation.replace("round-1 5.00", "round-1 9.00")
    assert raised != notation
    assert names(changed("rounds", [raised], sealed=False)) == {"rounds"}


def test_another_game_of_the_same_shoe_is_named() -> None:
    """Cards that the shoe does not deal, a game that is not over, and a text that is not its own."""
    notation = json.loads(RECORD)["rounds"][0]
    other = load_rules("knockout-52")
    assert isinstance(other, Knockout52Rules)
    _, foreign = make(seed=Seed(bytes(32)))
    said = {
        json.loads(foreign)["rounds"][0]: "but the shoe holds",
        notation.rpartition(" ")[0] + "\n": "is not over",
        notation + "\n": "not the one that its wagers and cards give",
        json.loads(make(8)[1])["rounds"][0]: "other rules",
    }
    for text, words in said.items():
        (finding,) = verify_record(changed("rounds", [text])).findings
        assert finding.where == "round 1"
        assert words in finding.what


def test_other_rules_are_named() -> None:
    rules = json.loads(RECORD)["rules"]
    assert names(changed("rules", {**rules, "decks": 8})) == {"rules_hash", "deck", "round 1"}
    assert names(changed("rules", {**rules, "decks": 3})) == {"rules"}
    assert "rules" in names(changed("rules", {**rules, "limits": {**rules["limits"], "max": "500"}}))


def test_a_field_more_or_less_is_named() -> None:
    fields = json.loads(RECORD)
    assert names(canonical({**fields, "note": ""})) == {"note"}
    for name in FIELDS:
        assert name in names(canonical({key: value for key, value in fields.items() if key != name}))
        assert name in names(canonical({**fields, name: 7}))
    seals = {**fields["seals"], "note": ""}
    assert names(canonical({**fields, "seals": seals})) == {"seals"}


@pytest.mark.parametrize(
    "text", ["[]", "7", "null", '"x"', "{", "[" * 100_000, '{"a":NaN}', "1" * 5000, "{}"]
)
def test_what_is_no_record(text: str) -> None:
    assert names(text)


def test_a_repeatable_shoe_says_so() -> None:
    number = 7
    _, text = make(seed=repeatable_seed(number, "table 1 shoe 9"), repeatable=number)
    assert verify_record(text).holds
    assert json.loads(text)["origin"] == "repeatable seed 7"


def test_several_records_in_a_file() -> None:
    other = make(2, seed=Seed(bytes(range(1, 33))))[1]
    verdicts = verify_records(f"{RECORD}\n{other}\n")
    assert [(verdict.line, verdict.holds) for verdict in verdicts] == [(1, True), (2, True)]
    verdicts = verify_records(f"{RECORD}\n\n{other[:-1]}\n")
    assert [verdict.holds for verdict in verdicts] == [True, False, False]


@pytest.mark.requirement("R-8")
def test_a_shoe_comes_once_in_a_file() -> None:
    other = make(2, seed=Seed(bytes(range(1, 33))))[1]
    verdicts = verify_records(f"{RECORD}\n{other}\n{RECORD}\n")
    assert [verdict.holds for verdict in verdicts] == [True, True, False]
    assert [str(finding) for finding in verdicts[2].findings] == [
        "secret: is that of line 1: a shoe is dealt once"
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "this file is empty"),
        ("\n", "this file is empty"),
        ("hello", "not a record"),
        ("game knockout-52\n", "not a record"),
    ],
)
def test_a_file_without_records(text: str, words: str) -> None:
    with pytest.raises(MalformedInput, match=words):
        verify_records(text)


def test_a_game_without_replay_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="knockout-52"):
        replay_of(load_rules("knockout-21"))


@pytest.mark.requirement("R-12")
def test_what_is_recorded_is_what_was_drawn() -> None:
    fields = json.loads(RECORD)
    assert fields["cards"] == format_cards(SHOE.cards(salt=SALT))
    rows = re.findall(r"row \d: (.*)", fields["rounds"][0])
    assert fields["cards"].startswith("".join(rows).replace(" ", ""))
