"""The published record of a draw: one line of canonical JSON from which a stranger works out all of it.

Every field has a seal, and every ticket a mark, so that `cardroom.lottery.verify` names what was changed.
"""

from __future__ import annotations

import itertools
import json
from typing import Any, Final

from cardroom.core.errors import Conflict
from cardroom.fair.merkle import inclusion_proof, leaf_hash
from cardroom.fair.record import canonical, seal
from cardroom.lottery.accounts import RESERVE
from cardroom.lottery.house import Lottery, code_version, draw_or_refuse, ticket_or_refuse
from cardroom.lottery.record_format import FORMAT, VOID_FORMAT, ticket_mark
from cardroom.lottery.ticket_text import leaf_text
from cardroom.store import lottery as rows
from cardroom.store.archives import archived_backwards, sealed_head
from cardroom.store.ledger import balance
from cardroom.store.log import LogRecord

_KINDS: Final = {
    "DayCommitted": "committed",
    "DrawOpened": "opened",
    "DrawClosed": "closed",
    "DrawSealed": "sealed",
    "DrawDrawn": "drawn",
    "DrawSettled": "settled",
    "DrawVoided": "void",
}


def draw_record(lottery: Lottery, number: int) -> str:
    """The record of a settled draw, or of one that was called off, ready to be published."""
    with lottery.database.read() as connection:
        draw = draw_or_refuse(connection, number)
        if draw.status == "void":
            return _void_record(lottery, connection, draw)
        if draw.status != "settled":
            raise Conflict(f"draw {number} is {draw.status}; a record is published when it is settled")
        rules = lottery.rules_of(connection, draw.rules_hash)
        times: dict[str, str] = {}
        reserve = 0
        operators: list[str] = []
        code = ""
        for record in _records_of(connection, number):
            times[_KINDS[record.kind]] = record.at
            if record.kind == "DrawDrawn":
                operators, code = record.content["operators"], record.content["code"]
            if record.kind == "DrawSettled":
                reserve = _reserve_before(connection, record.seq)
        tickets = [leaf_text(*ticket) for ticket in rows.pool_of_draw(connection, number)]
        prizes = [
            [prize.ticket, prize.amount_cents, prize.games]
            for prize in rows.prizes_of_draw(connection, number)
        ]
        fields = {
            "account": json.loads(draw.settlement or "{}"),
            "cards": draw.cards,
            "code": code,
            "commitment": draw.commitment,
            "day": draw.day,
            "first_cards": draw.first_cards,
            "format": FORMAT,
            "log_head": str(rows.head(connection)),
            "number": number,
            "opening_commitment": draw.opening_commitment,
            "opening_seed": draw.opening_seed,
            "operators": operators,
            "prizes": prizes,
            "reserve_before_cents": reserve,
            "root": draw.root,
            "rules": json.loads(rules.canonical_text()),
            "rules_hash": draw.rules_hash,
            "secret": draw.secret,
            "ticket_count": draw.ticket_count,
            "ticket_marks": [ticket_mark(ticket) for ticket in tickets],
            "tickets": tickets,
            "times": times,
            "total_cents": draw.total_cents,
        }
    return _sealed(fields)


def _sealed(fields: dict[str, Any]) -> str:
    seals = {name: seal(name, value) for name, value in fields.items()}
    return canonical({**fields, "seals": seals}) + "\n"


def _void_record(lottery: Lottery, connection: Any, draw: rows.DrawRow) -> str:
    """The record of a draw that two people called off: its tickets, and that each got its price back."""
    stages = _records_of(connection, draw.number)
    called_off = stages[-1].content
    tickets = [leaf_text(*ticket) for ticket in rows.pool_of_draw(connection, draw.number)]
    returned = rows.prizes_of_draw(connection, draw.number)
    return _sealed(
        {
            "code": code_version(),
            "commitment": draw.commitment,
            "day": draw.day,
            "first_cards": draw.first_cards or "",
            "format": VOID_FORMAT,
            "log_head": str(rows.head(connection)),
            "number": draw.number,
            "opening_commitment": draw.opening_commitment,
            "opening_seed": draw.opening_seed or "",
            "operators": called_off["by"],
            "reason": called_off["reason"],
            "returned": [[prize.ticket, prize.amount_cents] for prize in returned],
            "rules": json.loads(lottery.rules_of(connection, draw.rules_hash).canonical_text()),
            "rules_hash": draw.rules_hash,
            "ticket_count": len(tickets),
            "ticket_marks": [ticket_mark(ticket) for ticket in tickets],
            "tickets": tickets,
            "times": {_KINDS[record.kind]: record.at for record in stages},
            "total_cents": sum(prize.amount_cents for prize in returned),
        }
    )


def _records_of(connection: Any, number: int) -> list[LogRecord]:
    """The records of a draw's stages; archives are opened from the newest, as far back as is needed."""
    found: list[LogRecord] = []
    live = rows.records(connection, after=sealed_head(connection).seq, kinds=list(_KINDS))
    for records in itertools.chain([live], archived_backwards(connection, list(_KINDS))):
        found = [record for record in records if _is_about(record, number)] + found
        if any(record.kind == "DayCommitted" for record in found):
            break
    return found


def _is_about(record: LogRecord, number: int) -> bool:
    content = record.content
    return content.get("draw") == number or number in [entry[0] for entry in content.get("draws", ())]


def _reserve_before(connection: Any, seq: int) -> int:
    """What the reserve held before a record, which may be sealed."""
    if seq > sealed_head(connection).seq:
        return balance(connection, RESERVE, before=seq)
    cents = 0
    for record in rows.records(connection):
        if record.seq == seq:
            break
        for move in record.read()[1]:
            cents += move.amount_cents * ((move.target == RESERVE) - (move.source == RESERVE))
    return cents


def proof_of_ticket(lottery: Lottery, ticket_id: str) -> dict[str, Any]:
    """The proof that a ticket is in its draw's sealed pool; `verify.check_proof` reads it."""
    with lottery.database.read() as connection:
        row = ticket_or_refuse(connection, ticket_id)
        draw = draw_or_refuse(connection, row.draw)
        if draw.root is None:
            raise Conflict(f"the pool of draw {draw.number} is not sealed yet")
        pool = [leaf_text(*ticket) for ticket in rows.pool_of_draw(connection, draw.number)]
    text = leaf_text(row.id, row.hands, row.choices, row.price_cents)
    index = pool.index(text)
    path = inclusion_proof([leaf_hash(leaf) for leaf in pool], index)
    return {
        "draw": draw.number,
        "ticket": text,
        "index": index,
        "count": len(pool),
        "path": [step.hex() for step in path],
        "root": draw.root,
    }
