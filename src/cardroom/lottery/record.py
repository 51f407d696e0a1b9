"""The published record of a draw: one line of canonical JSON from which a stranger works out all of it.

Every field has a seal, and every ticket a mark, so that `cardroom.lottery.verify` names what was changed.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from typing import Any, Final, assert_never, get_args

from cardroom.core.errors import Conflict
from cardroom.fair.merkle import inclusion_proof, leaf_hash
from cardroom.fair.record import canonical, seal
from cardroom.lottery.accounts import RESERVE
from cardroom.lottery.house import Lottery, code_version, draw_or_refuse, ticket_or_refuse
from cardroom.lottery.record_format import FORMAT, VOID_FORMAT, ticket_mark
from cardroom.lottery.ticket_text import leaf_text
from cardroom.records.lottery import (
    DayCommitted,
    DrawClosed,
    DrawDrawn,
    DrawOpened,
    DrawSealed,
    DrawSettled,
    DrawVoided,
)
from cardroom.store import lottery as rows
from cardroom.store.archives import archived_backwards, sealed_head
from cardroom.store.ledger import balance
from cardroom.store.log import LogRecord

StageRecord = DayCommitted | DrawOpened | DrawClosed | DrawSealed | DrawDrawn | DrawSettled | DrawVoided
"""A record by which a draw reaches its next stage."""
_KINDS: Final = [kind.__name__ for kind in get_args(StageRecord)]


@dataclass(frozen=True, slots=True)
class _Stage:
    """A stage of a draw: its record, and where it stands in the log."""

    seq: int
    at: str
    record: StageRecord

    @property
    def name(self) -> str:
        """What a published record calls it."""
        match self.record:
            case DayCommitted():
                return "committed"
            case DrawOpened():
                return "opened"
            case DrawClosed():
                return "closed"
            case DrawSealed():
                return "sealed"
            case DrawDrawn():
                return "drawn"
            case DrawSettled():
                return "settled"
            case DrawVoided():
                return "void"
            case _:
                assert_never(self.record)

    def is_about(self, number: int) -> bool:
        if isinstance(self.record, DayCommitted):
            return any(number == committed for committed, *_ in self.record.draws)
        return self.record.draw == number


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
        for stage in _stages_of(connection, number):
            times[stage.name] = stage.at
            if isinstance(stage.record, DrawDrawn):
                operators, code = stage.record.operators, stage.record.code
            if isinstance(stage.record, DrawSettled):
                reserve = _reserve_before(connection, stage.seq)
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
    stages = _stages_of(connection, draw.number)
    called_off = next(stage.record for stage in stages if isinstance(stage.record, DrawVoided))
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
            "operators": called_off.by,
            "reason": called_off.reason,
            "returned": [[prize.ticket, prize.amount_cents] for prize in returned],
            "rules": json.loads(lottery.rules_of(connection, draw.rules_hash).canonical_text()),
            "rules_hash": draw.rules_hash,
            "ticket_count": len(tickets),
            "ticket_marks": [ticket_mark(ticket) for ticket in tickets],
            "tickets": tickets,
            "times": {stage.name: stage.at for stage in stages},
            "total_cents": sum(prize.amount_cents for prize in returned),
        }
    )


def _stages_of(connection: Any, number: int) -> list[_Stage]:
    """The stages of a draw; archives are opened from the newest, as far back as is needed."""
    stages: list[_Stage] = []
    live = rows.records(connection, after=sealed_head(connection).seq, kinds=_KINDS)
    for records in itertools.chain([live], archived_backwards(connection, _KINDS)):
        stages = [stage for stage in map(_stage, records) if stage.is_about(number)] + stages
        if any(isinstance(stage.record, DayCommitted) for stage in stages):
            break
    return stages


def _stage(logged: LogRecord) -> _Stage:
    record, _ = logged.read()
    assert isinstance(record, StageRecord)
    return _Stage(logged.seq, logged.at, record)


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
