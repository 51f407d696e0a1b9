"""A stranger's checkers, written from the documents alone, on real houses and on tampered ones."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cardroom.fair import verify_record
from cardroom.lottery.record import draw_record, proof_of_ticket
from cardroom.lottery.verify import verify_draw
from cardroom.store.log_text import log_lines, parse_log
from cardroom.table.evidence import check_evidence
from tests import chance
from tests.busy_day import live_through
from tests.golden_house import VERSIONS, GoldenSet
from tests.independent.draw_verifier import faults_of_draw, faults_of_record, proves
from tests.independent.log_verifier import verify_log
from tests.independent.shoe_verifier import canonical, faults_of_proof
from tests.independent.streams import sha256
from tests.lottery_house import open_house

Record = dict[str, Any]
Body = dict[str, Any]
FOLDER = Path(__file__).parent


@pytest.mark.parametrize("path", sorted(FOLDER.glob("[!t]*.py")), ids=lambda path: path.name)
def test_the_checkers_use_nothing_of_cardroom(path: Path) -> None:
    allowed = {
        "tests.independent.streams",
        "tests.independent.shoe_verifier",
        "tests.independent.draw_verifier",
    }
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        assert all(not name.startswith(("cardroom", "tests")) or name in allowed for name in names), names


# What earlier versions left.


@pytest.mark.parametrize("version", VERSIONS)
def test_golden_shoes_draws_and_logs(version: str) -> None:
    golden = GoldenSet(version)
    for line in golden.text("shoes.jsonl").splitlines():
        assert faults_of_proof(line) == []
    assert faults_of_record(golden.text("draw.json")) == []
    for ticket in golden.lines("tickets.jsonl"):
        if (proof := ticket["proof"]) is not None:
            assert proves(proof["ticket"], proof["index"], proof["count"], proof["path"], proof["root"])
            assert not proves(
                proof["ticket"] + "0", proof["index"], proof["count"], proof["path"], proof["root"]
            )
    report = verify_log("\n".join(log_lines(golden.log())))
    assert (report.faults, report.shoes, report.games, report.draws) == ([], 3, 1, 2)


# A real draw, and its record changed field by field.


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The published record of a draw with some tickets, one of them altered."""
    chance.begin("the record of a draw, for a stranger")
    folder = tmp_path_factory.mktemp("draw")
    with open_house(f"sqlite:///{folder}/draw.sqlite3") as house:
        for _ in range(5):
            house.sell(tickets=3)
        house.settled(1)
        text = draw_record(house.lottery, 1)
        first = json.loads(text)["tickets"][0].split(" ")[0]
        proof = proof_of_ticket(house.lottery, first)
        assert proves(proof["ticket"], proof["index"], proof["count"], proof["path"], proof["root"])
        yield text


def sealed(fields: Body) -> str:
    """A record with its seals and marks made anew, as a careful forger would."""
    fields = {name: value for name, value in fields.items() if name != "seals"}
    if "tickets" in fields:
        fields["ticket_marks"] = [sha256("cardroom/ticket-mark/1", line)[:8] for line in fields["tickets"]]
    seals = {name: sha256("cardroom/seal/1", name, canonical(value)) for name, value in fields.items()}
    return canonical({**fields, "seals": seals}) + "\n"


def test_a_real_draw_holds_for_both(record: str) -> None:
    assert faults_of_record(record) == []
    assert verify_draw(record).findings == ()
    assert sealed(json.loads(record)) == record


def other_choice(line: str) -> str:
    ticket_id, hands, choices, price = line.split(" ")
    return f"{ticket_id} {hands} {'S' if choices[0] == 'H' else 'H'}{choices[1:]} {price}"


FORGERIES: dict[str, Callable[[Body], Body]] = {
    "a choice": lambda one: {"tickets": [other_choice(one["tickets"][0]), *one["tickets"][1:]]},
    "a ticket less": lambda one: {"tickets": one["tickets"][1:]},
    "a ticket twice": lambda one: {"tickets": [one["tickets"][0], *one["tickets"]]},
    "the order of tickets": lambda one: {"tickets": one["tickets"][::-1]},
    "the root": lambda one: {"root": "00" * 32},
    "the secret": lambda one: {"secret": "00" * 32},
    "the commitment": lambda one: {"commitment": "00" * 32},
    "the opening": lambda one: {"opening_seed": "00" * 32},
    "the opening's commitment": lambda one: {"opening_commitment": "00" * 32},
    "a first card": lambda one: {"first_cards": one["first_cards"][2:] + one["first_cards"][:2]},
    "a card": lambda one: {"cards": one["cards"][:2].swapcase() + one["cards"][2:]},
    "the number": lambda one: {"number": one["number"] + 1},
    "the rules": lambda one: {"rules": {**one["rules"], "game_1_hit": "literal"}},
    "the rules' hash": lambda one: {"rules_hash": "00" * 32},
    "a prize": lambda one: {"prizes": [[one["prizes"][0][0], 1, "1"], *one["prizes"][1:]]},
    "a winner": lambda one: {"prizes": one["prizes"][1:]},
    "the count": lambda one: {"ticket_count": one["ticket_count"] + 1},
    "the total": lambda one: {"total_cents": one["total_cents"] + 500},
}


@pytest.mark.parametrize("what", FORGERIES)
def test_a_tampered_draw_is_found_by_both(record: str, what: str) -> None:
    fields = json.loads(record)
    forged = sealed({**fields, **FORGERIES[what](fields)})
    assert forged != record
    assert faults_of_record(forged) != []
    assert faults_of_draw(json.loads(forged)) != []
    assert not verify_draw(forged).holds


def test_seals_find_what_was_changed_without_them(record: str) -> None:
    assert "day does not fit its seal" in faults_of_record(record.replace('"day":"2', '"day":"3'))


# A seeded busy day, from its exported log alone.


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> str:
    chance.begin("a busy day, for a stranger")
    folder = tmp_path_factory.mktemp("day")
    return live_through(f"sqlite:///{folder / 'day.sqlite3'}", rounds=40, buyers=20)


@pytest.mark.slow
def test_all_shoes_and_draws_of_a_busy_day(day: str) -> None:
    report = verify_log(day)
    assert report.faults == []
    assert (report.shoes > 5, report.games > 5, report.draws > 3) == (True, True, True)
    assert (report.tickets > 20, report.revealed > 20, len(report.withheld) > 0) == (True, True, True)
    # The house's own check of the same log comes to the same.
    ours = check_evidence(parse_log(day)[1])
    assert (ours.faults, ours.proofs) == ([], report.shoes + report.games)
    assert (ours.revealed, ours.withheld) == (report.revealed, report.withheld)
    assert (ours.without_word, ours.given_up) == (report.without_word, report.given_up)


def chained(records: list[Record], header: str) -> str:
    """A log whose chain is made anew, as a careful forger would."""
    lines, previous, last_at = [header], "0" * 64, ""
    for seq, record in enumerate(records, 1):
        body = record["body"] if isinstance(record["body"], str) else canonical(record["body"])
        at = max(record["at"], last_at)
        digest = sha256("cardroom/log/1", previous, str(seq), at, record["kind"], body)
        line = {"seq": seq, "at": at, "kind": record["kind"], "body": body, "hash": digest}
        lines.append(canonical(line))
        previous, last_at = digest, at
    return "\n".join(lines) + "\n"


def records_of(text: str) -> tuple[str, list[Record]]:
    header, *lines = text.splitlines()
    records = [json.loads(line) for line in lines]
    return header, [{**record, "body": json.loads(record["body"])} for record in records]


def first(records: list[Record], kind: str, wanted: Callable[[Body], Any] = lambda body: True) -> int:
    return next(at for at, one in enumerate(records) if one["kind"] == kind and wanted(one["body"]))


def at_own_table(body: Body) -> bool:
    """Whether a record is of a table that was closed in the end, so that all of its shoes are told."""
    return str(body["table"]).startswith("own")


def asks(what: str) -> Callable[[Body], bool]:
    return lambda body: body["request"]["request"] == what and at_own_table(body)


Tamper = Callable[[list[Record]], Any]


def change(kind: str, wanted: Callable[[Body], Any] = lambda body: True, **values: Any) -> Tamper:
    def tamper(records: list[Record]) -> None:
        body = records[first(records, kind, wanted)]["body"]
        for name, value in values.items():
            body[name] = value(body) if callable(value) else value

    return tamper


def drop(kind: str, wanted: Callable[[Body], Any] = lambda body: True) -> Tamper:
    return lambda records: records.pop(first(records, kind, wanted))


def before(source: str, target: str) -> Tamper:
    """The first record of one kind, for the table or draw of the first of another, put before that one."""

    def tamper(records: list[Record]) -> None:
        at = first(records, source)
        moved = records.pop(at)
        same = "table" if "table" in moved["body"] else "draw"
        place = first(records, target, lambda body: body.get(same) == moved["body"].get(same))
        records.insert(place if place < at else at, moved)

    return tamper


def other_secret(body: Body) -> Any:
    proof = json.loads(body["record"])
    proof["secret"] = "00" * 32
    return sealed(proof).rstrip("\n")


def without_salts(body: Body) -> Any:
    proof = json.loads(body["record"])
    proof.update(salts=[], salt="")
    return sealed(proof).rstrip("\n")


def cheaper_winner(body: Body) -> Any:
    ticket, cents, games = body["prizes"][0]
    return [[ticket, cents - 5, games], *body["prizes"][1:]]


def has_prizes(body: Body) -> bool:
    return bool(body["prizes"])


def sold_first(body: Body) -> bool:
    return any(ticket["draw"] == 1 for ticket in body["tickets"])


TAMPERS: dict[str, Tamper] = {
    "a commitment of a draw": change(
        "DayCommitted",
        draws=lambda body: [[*body["draws"][0][:3], "00" * 32, body["draws"][0][4]], *body["draws"][1:]],
    ),
    "an opening": change("DrawOpened", opening_seed="11" * 32),
    "the tickets of a purchase": change(
        "TicketsSold",
        sold_first,
        tickets=lambda body: [
            {**one, "choices": "S" * 11 if one["choices"] != "S" * 11 else "H" * 11}
            for one in body["tickets"]
        ],
    ),
    "a purchase less": drop("TicketsSold", sold_first),
    "a root": change("DrawSealed", root="00" * 32),
    "a secret of a draw": change("DrawDrawn", secret="22" * 32),
    "the cards of a draw": change("DrawDrawn", cards=lambda body: body["cards"].replace("+", "+", 1)[::-1]),
    "a prize": change("DrawSettled", has_prizes, prizes=cheaper_winner),
    "no seal of a pool": drop("DrawSealed"),
    "cards before the seal": before("DrawDrawn", "DrawSealed"),
    "another secret of a game": change("Knockout52GameEnded", record=other_secret),
    "salts left out of a proof": change(
        "Knockout52GameEnded", lambda body: json.loads(body["record"])["salt"], record=without_salts
    ),
    "another commitment of a game": change("Knockout52ShoeCommitted", commitment="33" * 32),
    "another card of a game": change("Knockout52CardDealt", card="Xx"),
    "a game's salts before the wagers": before("Knockout52SaltRevealed", "Knockout52WagersPlaced"),
    "a game's proof less": drop("Knockout52GameEnded"),
    "a game's reveal less": drop("Knockout52SaltRevealed"),
    "another commitment of a shoe": change(
        "TableRequestGranted",
        asks("shuffle"),
        request=lambda body: {**body["request"], "commitment": "44" * 32},
    ),
    "a hash of a shoe": change(
        "TableRequestGranted",
        asks("commit salt"),
        request=lambda body: {**body["request"], "salt_hash": "55" * 32},
    ),
    "a reveal of a shoe less": drop("TableRequestGranted", asks("reveal salt")),
    "no asking for salts": drop("TableRequestGranted", asks("close wagers")),
    "no end of the salts": drop("TableRequestGranted", asks("close salts")),
    "the cut of a shoe": change(
        "TableRequestGranted",
        asks("cut shoe"),
        request=lambda body: {**body["request"], "cards_deep": body["request"]["cards_deep"] + 1},
    ),
    "a round of a shoe": change(
        "TwentyOneRoundEnded", at_own_table, notation=lambda body: body["notation"] + "dealer: Ah\n"
    ),
    "a shoe's proof less": drop("TwentyOneShoeEnded"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", TAMPERS)
def test_a_tampered_day_is_found(day: str, what: str) -> None:
    header, records = records_of(day)
    TAMPERS[what](records)
    assert verify_log(chained(records, header)).faults != []


@pytest.mark.slow
def test_a_chain_that_is_not_made_anew_is_found(day: str) -> None:
    header, records = records_of(day)
    assert chained(records, header) == day
    for forged in (
        day.replace("round-1", "round-2", 1),
        "\n".join(day.splitlines()[:5] + day.splitlines()[6:]),
    ):
        assert verify_log(forged).faults != []


def is_salted(body: Body) -> bool:
    """Whether a proof is of a shoe that was cut and has a player's salt in it."""
    proof = json.loads(body["proof"])
    return bool(proof["cut"]) and any(one["salt"] for one in proof["salts"])


def test_a_tampered_shoe_is_found_by_both(day: str) -> None:
    _, records = records_of(day)
    text = records[first(records, "TwentyOneShoeEnded", is_salted)]["body"]["proof"]
    assert faults_of_proof(text) == []
    proof = json.loads(text)
    forgeries: list[Body] = [
        {"secret": "00" * 32},
        {"salt": "00" * 32},
        {"cut": "00"},
        {"salts": [one for one in proof["salts"] if not one["salt"]]},
        {"salts": [{**one, "salt": "66" * 32} for one in proof["salts"]]},
        {"cards": proof["cards"][2:] + proof["cards"][:2]},
        {"shoe_id": "another"},
        {"rules_hash": "00" * 32},
        {"rounds": proof["rounds"][1:]},
        {"commitment": "00" * 32},
    ]
    for forgery in forgeries:
        forged = sealed({**proof, **forgery}).rstrip("\n")
        assert faults_of_proof(forged) != [], forgery
        assert not verify_record(forged).holds, forgery
