"""A draw's published record: checked by a stranger from the file alone, and any changed byte is named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.core.errors import Conflict
from cardroom.fair.record import canonical, seal
from cardroom.lottery.record import draw_record, proof_of_ticket
from cardroom.lottery.verify import check_proof, verify_draw
from tests.lottery_house import open_house


@pytest.fixture(scope="module")
def record(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    from tests.databases import sqlite_copy

    url = sqlite_copy(sqlite_template, tmp_path_factory.mktemp("record"))
    with open_house(url) as house:
        for _ in range(4):
            house.sell(3)
        house.settled(1)
        return draw_record(house.lottery, 1)


@pytest.mark.requirement("R-23", "R-24")
def test_a_record_holds_everything_and_is_in_order(record: str) -> None:
    verdict = verify_draw(record)
    assert verdict.findings == ()
    fields = verdict.fields
    for name in (
        "number",
        "rules_hash",
        "code",
        "commitment",
        "root",
        "times",
        "operators",
        "log_head",
        "cards",
    ):
        assert name in fields
    assert list(fields["times"]) == sorted(["committed", "opened", "closed", "sealed", "drawn", "settled"])
    assert fields["ticket_count"] == len(fields["tickets"]) == 12


@pytest.mark.slow
@settings(max_examples=400)
@given(st.data())
@pytest.mark.requirement("R-23")
def test_any_changed_byte_is_named(record: str, data: st.DataObject) -> None:
    raw = record.encode()
    place = data.draw(st.integers(0, len(raw) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != raw[place]))
    changed = raw[:place] + bytes([byte]) + raw[place + 1 :]
    text = changed.decode("latin-1")  # bytes that are no UTF-8 are named by the command that reads the file
    findings = verify_draw(text).findings
    assert findings
    assert all(finding.where for finding in findings)
    field = _field_at(record, place)
    if field is not None and _is_json(text):
        assert field in {finding.where for finding in findings}


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return text.endswith("\n") and text.count("\n") == 1


def _field_at(record: str, place: int) -> str | None:
    """The field whose value holds a byte; None for the marks between values."""
    fields = json.loads(record)
    position = 1
    for name in sorted(fields):
        start = position + len(json.dumps(name)) + 1
        end = start + len(canonical(fields[name]))
        if start < place < end - 1:
            return name if name != "seals" else None
        position = end + 1
    return None


@pytest.mark.requirement("R-23")
@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("secret", "0" * 64, "commitment"),
        ("opening_seed", "1" * 64, "opening_commitment"),
        ("root", "2" * 64, "root"),
        ("ticket_count", 11, "ticket_count"),
        ("total_cents", 1, "total_cents"),
        ("number", 2, "commitment"),
        ("prizes", [], "prizes"),
        ("format", "cardroom draw 2", "format"),
    ],
)
def test_a_forger_who_seals_again_is_found_by_the_derivation(
    record: str, field: str, value: object, named: str
) -> None:
    fields = json.loads(record)
    fields[field] = value
    fields["seals"][field] = seal(field, value)
    findings = verify_draw(canonical(fields) + "\n").findings
    assert named in {finding.where for finding in findings}


@pytest.mark.requirement("R-12", "R-23")
def test_a_swapped_ticket_and_a_swapped_card_are_named(record: str) -> None:
    fields = json.loads(record)
    first = fields["tickets"][0]
    ticket_id, hands, choices, price = first.split(" ")
    fields["tickets"][0] = f"{ticket_id} {hands[2:] + hands[:2]} {choices} {price}"
    names = {finding.where for finding in verify_draw(canonical(fields) + "\n").findings}
    assert {"tickets", "ticket 1", "root"} <= names
    fields = json.loads(record)
    cards = fields["cards"].split(" ")
    fields["cards"] = " ".join([cards[1], cards[0], *cards[2:]])
    found = [
        finding for finding in verify_draw(canonical(fields) + "\n").findings if finding.where == "cards"
    ]
    assert any("position 1" in finding.what for finding in found)


@pytest.mark.parametrize(
    "text", ["", "{}", "{}\n", "[]\n", "nonsense\n", '{"format":"cardroom draw 1"}\n', "1\n2\n"]
)
def test_what_is_no_record_is_named_too(text: str) -> None:
    assert verify_draw(text).findings


@pytest.mark.requirement("R-23")
def test_a_stranger_needs_no_database(record: str, tmp_path: Path) -> None:
    """On a machine where SQLAlchemy cannot even be imported."""
    path = tmp_path / "draw.json"
    path.write_text(record, "utf-8")
    program = (
        "import sys\n"
        "class No:\n"
        "    def find_spec(self, name, *rest):\n"
        "        if name.split('.')[0] in {'sqlalchemy', 'alembic', 'psycopg', 'sqlite3'}:\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, No())\n"
        "from cardroom.cli import main\n"
        f"sys.exit(main(['verify', 'draw', {str(path)!r}]))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "all in order" in done.stdout


@pytest.mark.requirement("R-21", "R-23")
def test_every_ticket_has_its_proof(database_url: str) -> None:
    with open_house(database_url) as house:
        tickets = [ticket for _ in range(3) for ticket in house.sell(3).tickets]
        with pytest.raises(Conflict, match="not sealed"):
            proof_of_ticket(house.lottery, tickets[0].id)
        house.seal(1)
        for ticket in tickets:
            proof = proof_of_ticket(house.lottery, ticket.id)
            assert ticket.id in proof["ticket"]
            assert check_proof(proof)
            assert not check_proof({**proof, "ticket": proof["ticket"][:-1] + "1"})
            assert not check_proof({**proof, "index": (proof["index"] + 1) % proof["count"]})
            assert not check_proof({**proof, "root": "0" * 64})
