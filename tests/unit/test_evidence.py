"""The log as evidence: commitment, hashes, reveals, cards; a house that does otherwise is found out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from cardroom.engine import knockout52 as engine
from cardroom.fair import CommittedShoe, Seed
from cardroom.fair.commitment import Commitment
from cardroom.fair.salts import Salts, salt_hash
from cardroom.records import Record, tables
from cardroom.rules import load_rules, load_rules_as
from cardroom.rules.knockout52 import Knockout52Rules
from cardroom.rules.round_head import RulesForm
from cardroom.store.log import GENESIS, LogRecord, body_text, chained
from cardroom.store.log_text import log_lines, parse_log
from cardroom.table.evidence import Evidence, check_evidence
from cardroom.table.knockout52.running import Knockout52Table
from cardroom.table.running import RunningTable
from cardroom.table.twentyone import ClearWagers, CloseSalts, CloseWagers
from cardroom.table.twentyone.running import TwentyOneTable
from tests.command_line import CommandLine
from tests.golden_house import VERSIONS, GoldenSet
from tests.table_house import Conduct, Evening

SALTS = {"ann": "a1" * 32, "bob": "b2" * 32}


@pytest.fixture
def cardroom(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def chain_of(records: Sequence[Record]) -> list[LogRecord]:
    """A log of records, whatever their order: its chain is always right."""
    log: list[LogRecord] = []
    for record in records:
        before = log[-1].hash if log else GENESIS
        at = f"2025-06-14T12:00:00.{len(log):06d}Z"
        log.append(chained(before, len(log) + 1, at, record.kind, body_text(record.content())))
    return log


def checked(records: Sequence[Record]) -> Evidence:
    return check_evidence(chain_of(records))


class Written(Evening[Any]):
    """An evening of which all records are kept."""

    def __init__(self, table: RunningTable) -> None:
        self.records: list[Record] = []
        super().__init__(table)

    def do(self, plan: Any) -> Any:
        self.records += [entry.record for entry in plan.entries]
        return super().do(plan)

    def hash_of(self, player: str, commitment: Commitment) -> str:
        return salt_hash(commitment, bytes.fromhex(SALTS[player]))


def game(*, late: str = "") -> Written:
    """A game of Knockout 52 with Ann and Bob; somebody may be too late with the salt."""
    evening = Written(Knockout52Table.opened("willow", load_rules("knockout-52"), None, Conduct()))
    table = evening.table
    for player in SALTS:
        hashed = evening.hash_of(player, table.commitment)
        evening.do(table.place(evening.purse(player), {"round-1": 500}, hashed))
        table.ask_for_deal(player, evening.now)
    evening.step()
    for player, salt in SALTS.items():
        if player != late:
            evening.do(table.reveal(salt))
    evening.now += timedelta(seconds=3)
    evening.play_out()
    return evening


def shoe(*, late: str = "", salted: bool = True) -> Written:
    """A round from a shoe, which is then ended."""
    rules = load_rules("blackjack", {"decks": 1})
    evening = Written(TwentyOneTable.opened("own", rules, "ann", Conduct()))
    evening.step()
    table = evening.table
    for spot, player in enumerate(SALTS, 1):
        hashed = evening.hash_of(player, Commitment.parse(table.state.shoe.committed.commitment))
        evening.do(table.place(evening.purse(player), spot, 400, {}, hashed if salted else ""))
        table.ask_for_deal(player, evening.now)
    evening.step()
    for player, salt in SALTS.items():
        if salted and player != late:
            evening.do(table.reveal(salt))
    evening.now += timedelta(seconds=3)
    while table.last is None:
        evening.step()
    evening.do(table.renew("ann"))
    return evening


def test_honest_logs_hold_and_say_who_had_no_word() -> None:
    found = checked(game().records)
    assert (found.faults, found.proofs, found.revealed, found.without_word, found.withheld) == (
        [],
        1,
        2,
        [],
        [],
    )
    late = checked(game(late="bob").records)
    assert (late.faults, late.revealed, len(late.withheld)) == ([], 1, 1)
    assert late.withheld[0].startswith("willow-1 ")
    for found in (checked(shoe().records), checked(shoe(late="ann").records)):
        assert (found.faults, found.proofs, found.without_word) == ([], 1, [])
    silent = checked(shoe(salted=False).records)
    assert (silent.faults, len(silent.without_word), silent.revealed) == ([], 1, 0)
    assert "no player's word is in the cards of 1" in " ".join(silent.sentences())


@pytest.mark.parametrize("version", VERSIONS)
def test_the_golden_log_holds(version: str) -> None:
    found = check_evidence(GoldenSet(version).log())
    assert found.faults == []
    assert found.proofs >= 4


def place(records: Sequence[Record], wanted: str, which: int = 0) -> int:
    """Where a record stands: by its kind, or by the request that was granted."""
    found = [
        number
        for number, record in enumerate(records)
        if record.kind == wanted
        or (isinstance(record, tables.TableRequestGranted) and record.request["request"] == wanted)
    ]
    return found[which]


def moved(records: list[Record], source: str, target: str, *, which: int = 0) -> list[Record]:
    """The first record of one kind put before the first of another."""
    changed = list(records)
    record = changed.pop(place(changed, source, which))
    changed.insert(place(changed, target), record)
    return changed


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("shuffle", "sit"),  # the house commits after nothing: still in order
    ],
)
def test_what_may_move_may_move(source: str, target: str) -> None:
    assert checked(moved(shoe().records, source, target)).faults == []


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("commit salt", "shuffle"),  # a hash before the commitment
        ("reveal salt", "commit salt"),  # a salt before its hash
        ("reveal salt", "close wagers"),  # a salt before wagers are closed
        ("deal card", "close wagers"),  # a card before the salts are asked for
        ("start round", "reveal salt"),  # and before they are revealed
        ("start round", "close salts"),
        ("close salts", "close wagers"),
    ],
)
def test_a_shoe_in_another_order_is_found_out(source: str, target: str) -> None:
    assert checked(moved(shoe().records, source, target)).faults


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Knockout52WagersPlaced", "Knockout52ShoeCommitted"),
        ("Knockout52SaltRevealed", "Knockout52WagersPlaced"),
        ("Knockout52SaltRevealed", "Knockout52WagersClosed"),
        ("Knockout52DealStarted", "Knockout52SaltRevealed"),
        ("Knockout52CardDealt", "Knockout52DealStarted"),
        ("Knockout52DealStarted", "Knockout52WagersClosed"),
    ],
)
def test_a_game_in_another_order_is_found_out(source: str, target: str) -> None:
    assert checked(moved(game().records, source, target)).faults


def test_a_hash_that_comes_when_salts_are_known_is_found_out() -> None:
    records = game().records
    late = records[place(records, "Knockout52WagersPlaced")]
    assert isinstance(late, tables.Knockout52WagersPlaced)
    shill = tables.Knockout52WagersPlaced(**{**_fields(late), "player": "shill", "salt_hash": "00" * 32})
    records.insert(place(records, "Knockout52DealStarted"), shill)
    (fault, *_) = checked(records).faults
    assert "the salts of these cards are closed" in fault


def _fields(record: Record) -> dict[str, Any]:
    return {name: getattr(record, name) for name in record.__struct_fields__}


def test_a_shoe_that_is_given_up_when_salts_are_known_is_found_out() -> None:
    records = game().records
    commit = records[place(records, "Knockout52ShoeCommitted", 1)]
    records.insert(place(records, "Knockout52DealStarted"), commit)
    faults = " ".join(checked(records).faults)
    assert "the secret of willow-1 was never told; salts were revealed for it" in faults


Forge = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.mark.parametrize(
    ("forge", "told"),
    [
        (lambda proof: {**proof, "salts": []}, "salt"),
        (lambda proof: {**proof, "commitment": "00" * 32}, "commitment"),
        (lambda proof: {**proof, "format": "cardroom shoe 1"}, "cut"),
        (lambda proof: {**proof, "rounds": []}, "its rounds are not those of the log"),
    ],
)
def test_a_proof_that_is_not_of_the_log_is_found_out(forge: Forge, told: str) -> None:
    from cardroom.fair.record import canonical, seal

    records = shoe().records
    number = place(records, "TwentyOneShoeEnded")
    ended = records[number]
    assert isinstance(ended, tables.TwentyOneShoeEnded)
    forged = {name: value for name, value in forge(json.loads(ended.proof)).items() if name != "seals"}
    proof = canonical({**forged, "seals": {name: seal(name, value) for name, value in forged.items()}})
    records[number] = tables.TwentyOneShoeEnded(table=ended.table, shoe=ended.shoe, proof=proof)
    (fault,) = checked(records).faults
    assert told in fault


# The house that picks its secret after it has seen the salts: it steered 14 of 14 games, and nothing told.


def played_with(picked: CommittedShoe, salts: Salts) -> engine.Game:
    """The game that a secret and salts make of Ann's wager on the first round."""
    rules = load_rules_as(Knockout52Rules, "knockout-52")
    game, _ = engine.start(rules, [engine.Stakes("Ann", {"round-1": 500})])
    for card in picked.cards(salt=salts.joint()):
        if game.outcome is None:
            game, _ = engine.step(game, card)
    return game


def steered(salts: Salts) -> CommittedShoe:
    """A secret with which the first round is lost by who staked on it, for these salts."""
    rules = load_rules_as(Knockout52Rules, "knockout-52")
    for number in range(10_000):
        seed = Seed(number.to_bytes(32, "big"))
        picked = CommittedShoe.of(rules, shoe_id=f"steered-{number}", deck=str(rules.shoe), seed=seed)
        if played_with(picked, salts).outcome != "round-1":
            return picked
    raise AssertionError("no secret steers the game")


def forged_game(shown: Commitment, *, hash_too: bool) -> tuple[list[Record], CommittedShoe]:
    """Ann was shown a commitment, gave a hash for it and revealed her salt; then the house wrote its log.

    The house picks its secret, commits to it "before" Ann's hash, and everything else is in order.
    """
    salt = SALTS["ann"]
    honest = salt_hash(shown, bytes.fromhex(salt))
    known = Salts().committed("ann", honest).with_wagers_closed().revealed(shown, salt).closed()
    picked = steered(known)
    given = salt_hash(picked.commitment, bytes.fromhex(salt)) if hash_too else honest
    salts = replace(known, entries=(replace(known.entries[0], hash=given),))
    rules_hash = picked.binding.rules_hash
    played = played_with(picked, known)
    rounds = (engine.format_game(played, RulesForm.APART),)
    where: dict[str, Any] = {"table": "willow", "game": 1}
    records: list[Record] = [
        tables.Knockout52ShoeCommitted(
            **where,
            shoe_id=picked.binding.shoe_id,
            deck=picked.binding.deck,
            rules_hash=rules_hash,
            commitment=str(picked.commitment),
            sealed_seed="",
        ),
        tables.Knockout52WagersPlaced(
            **where, player="ann", name="Ann", stakes={"round-1": 500}, salt_hash=given, rules_hash=rules_hash
        ),
        tables.Knockout52WagersClosed(**where),
        tables.Knockout52SaltRevealed(**where, salt=salt),
        tables.Knockout52DealStarted(**where, salt=known.joint().hex()),
        *(
            tables.Knockout52CardDealt(**where, space=space, card=card.text)
            for space, card in enumerate(played.cards)
        ),
        tables.Knockout52GameEnded(
            **where,
            outcome=str(played.outcome),
            record=picked.record(cards=played.cards, rounds=rounds, salts=salts),
            players={"Ann": "ann"},
        ),
    ]
    return records, picked


SHOWN = Commitment(bytes(range(32)))


def test_a_house_that_picks_its_secret_after_it_has_seen_the_salts_fails_verify(
    tmp_path: Path, cardroom: CommandLine
) -> None:
    records, _ = forged_game(SHOWN, hash_too=False)
    found = checked(records)
    assert any("no hash of this salt was given for these cards" in fault for fault in found.faults)
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(log_lines(chain_of(records))) + "\n", "utf-8")
    answer = cardroom("verify", "log", str(file))
    assert answer.code == 1
    assert "no hash of this salt was given" in answer.out
    # The proof alone tells it as well.
    (ended,) = [record for record in records if isinstance(record, tables.Knockout52GameEnded)]
    file.write_text(ended.record + "\n", "utf-8")
    answer = cardroom("verify", str(file))
    assert answer.code == 1
    assert "salts: number 1 does not fit the hash" in answer.out


def test_a_house_that_writes_another_hash_is_told_by_what_the_player_kept(
    tmp_path: Path, cardroom: CommandLine
) -> None:
    """Who rewrites the player's hash as well has a log in order; but the player kept commitment and hash."""
    records, picked = forged_game(SHOWN, hash_too=True)
    assert checked(records).faults == []
    (ended,) = [record for record in records if isinstance(record, tables.Knockout52GameEnded)]
    file = tmp_path / "game.jsonl"
    file.write_text(ended.record + "\n", "utf-8")
    assert cardroom("verify", str(file)).code == 0
    assert cardroom("verify", str(file), "--commitment", str(SHOWN)).code == 1
    proof = json.loads(ended.record)
    own_hash = salt_hash(SHOWN, bytes.fromhex(SALTS["ann"]))
    assert own_hash not in [one["hash"] for one in proof["salts"]]  # which is what the page looks for
    assert str(picked.commitment) != str(SHOWN)


def test_an_exported_log_is_read_back(tmp_path: Path, cardroom: CommandLine) -> None:
    log = chain_of(game().records)
    start, records = parse_log("\n".join(log_lines(log)))
    assert (start.seq, records) == (0, log)
    file = tmp_path / "log.jsonl"
    lines = list(log_lines(log))
    file.write_text("\n".join(lines) + "\n", "utf-8")
    answer = cardroom("verify", str(file))
    assert answer.code == 0
    assert "commitment, hashes, reveals, cards: all in this order" in answer.out
    del lines[3]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    answer = cardroom("verify", "log", str(file))
    assert (answer.code, "record 3 is missing" in answer.out) == (1, True)
    for bad in ("", "{}", "[]", '{"format":"cardroom log 2","start":"0:' + "0" * 64 + '"}'):
        file.write_text(f'{{"format": "cardroom log 1"}}\n{bad}\n' if bad == "[]" else f"{bad}\n", "utf-8")
        assert cardroom("verify", "log", str(file)).code == 2


def cleared(table: str, impossible: int = 0) -> tables.TableCleared:
    return tables.TableCleared(
        table=table,
        game="knockout-52",
        rules_hash="",
        owner=None,
        because="a back-up was restored",
        by=["anna", "bert"],
        rounds=1,
        shoes=0,
        impossible=impossible,
    )


def test_a_table_that_was_cleared_is_named_and_what_was_impossible_there_is_settled() -> None:
    records = game().records
    at = place(records, "Knockout52CardDealt")
    found = checked([*records[:at], cleared("willow")])
    assert (found.faults, found.given_up) == ([], ["willow-1"])
    assert "1 were given up" in " ".join(found.sentences())
    twice = [*records[:at], records[place(records, "Knockout52SaltRevealed")]]
    assert checked(twice).faults
    assert checked([*twice, cleared("willow", impossible=len(twice))]).faults == []
    assert checked([*twice, cleared("another", impossible=len(twice))]).faults


@pytest.mark.parametrize("holds", [False, True])
def test_a_shoe_that_ends_without_a_card_when_salts_are_known_is_named(*, holds: bool) -> None:
    """From the day on which stakes are held it is a fault: such a shoe is dealt."""
    rules = load_rules("blackjack", {"decks": 1})
    evening = Written(TwentyOneTable.opened("own", rules, "ann", Conduct()))
    evening.step()
    table = evening.table
    hashed = evening.hash_of("ann", Commitment.parse(table.state.shoe.committed.commitment))
    evening.do(table.place(evening.purse("ann"), 1, 400, {}, hashed))
    evening.do(table.cut_by("ann", 19, "back"))
    evening.do(table._plan([(CloseWagers(holds=holds), None)]))
    evening.do(table.reveal(SALTS["ann"]))
    evening.do(table._plan([(CloseSalts(), None), (ClearWagers("Ann", 1), None)]))  # older programs did so
    evening.do(table.renew("ann"))
    found = checked(evening.records)
    assert (len(found.given_up), found.revealed) == (1, 0)
    assert [fault.partition("its stakes were held")[1] != "" for fault in found.faults] == [True] * holds


@pytest.mark.parametrize("version", VERSIONS)
def test_a_houses_log_is_printed_and_verified(version: str, tmp_path: Path, cardroom: CommandLine) -> None:
    golden = GoldenSet(version)
    printed = cardroom("log", "--database", golden.sqlite(tmp_path))
    assert printed.code == 0
    assert parse_log(printed.out)[1] == golden.log()
    file = tmp_path / "log.jsonl"
    file.write_text(printed.out, "utf-8")
    answer = cardroom("verify", "log", str(file), "--json")
    assert (answer.code, answer.json["chain"], answer.json["evidence"]["faults"]) == (0, [], [])
    assert "not for a log" in cardroom.refused("verify", str(file), "--replay")
    assert "there is no database" in cardroom.refused("log", "--database", "sqlite:///nowhere.sqlite3")
