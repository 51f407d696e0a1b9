"""The log replayed: what every row must be, from the records alone (R-44, R-51)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from cardroom.store import lottery as rows
from cardroom.store import plain_rows
from cardroom.store.log import LogRecord, body_text

Table = dict[Any, dict[str, Any]]


class DrawRows:
    """The rows of draws and tickets that the records give, of all draws or of those that are not over.

    A record about a draw that is not known is passed over: it was over when the records began.
    """

    def __init__(self) -> None:
        self.draws: Table = {}
        self.tickets: Table = {}

    def hear(self, record: LogRecord, body: dict[str, Any]) -> None:
        """Take in one record."""
        step = getattr(self, f"_{record.kind}", None)
        if step is not None:
            step(record, body)

    def forget(self, draw: int) -> None:
        """Leave out a draw that is over, and its tickets."""
        self.draws.pop(draw, None)
        for ticket in [row["id"] for row in self.tickets.values() if row["draw"] == draw]:
            del self.tickets[ticket]

    def tickets_of(self, draw: int) -> Table:
        """The rows of a draw's tickets."""
        return {ticket: row for ticket, row in self.tickets.items() if row["draw"] == draw}

    def _DayCommitted(self, _record: LogRecord, body: dict[str, Any]) -> None:
        for number, scheduled_at, closes_at, commitment, opening_commitment in body["draws"]:
            self.draws[number] = {
                "number": number,
                "day": body["day"],
                "scheduled_at": scheduled_at,
                "due_at": scheduled_at,
                "closes_at": closes_at,
                "status": "committed",
                "rules_hash": body["rules_hash"],
                "commitment": commitment,
                "opening_commitment": opening_commitment,
                **dict.fromkeys(_LATER),
            }

    def _SecretsRetired(self, _record: LogRecord, body: dict[str, Any]) -> None:
        for number, commitment, opening_commitment in body["draws"]:
            if number in self.draws:
                self.draws[number].update(commitment=commitment, opening_commitment=opening_commitment)

    def _DrawOpened(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._draw(body, status="open", opening_seed=body["opening_seed"], first_cards=body["first_cards"])

    def _TicketsSold(self, record: LogRecord, body: dict[str, Any]) -> None:
        for entry in body["tickets"]:
            if entry["draw"] not in self.draws:
                continue
            self.tickets[entry["id"]] = {
                "id": entry["id"],
                "draw": entry["draw"],
                "purchase": record.seq,
                "control_tag": entry["tag"],
                "terminal": body["terminal"],
                "sold_at": record.at,
                "alter_until": entry["alter_until"],
                "price_cents": entry["price_cents"],
                "hands": entry["hands"],
                "choices": entry["choices"],
                "state": body["state"],
                "draft_choices": None,
                "reprints": 0,
                "stopped": None,
                "approval": None,
            }

    def _ChoicesSaved(self, _record: LogRecord, body: dict[str, Any]) -> None:
        for entry in body["saved"]:
            self._ticket(entry["id"], draft_choices=entry["choices"])

    def _ChoicesMade(self, _record: LogRecord, body: dict[str, Any]) -> None:
        for entry in body["made"]:
            self._ticket(entry["id"], choices=entry["choices"], state="issued", draft_choices=None)
        self._issue(body)

    def _TicketAltered(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._ticket(body["id"], choices=body["after"], state="altered")

    def _TicketStopped(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._ticket(body["ticket"], stopped=body["reason"])

    def _StopLifted(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._ticket(body["ticket"], stopped=None)

    def _TicketReissued(self, _record: LogRecord, body: dict[str, Any]) -> None:
        if body["ticket"] in self.tickets:
            reprints = self.tickets[body["ticket"]]["reprints"] + 1
            self._ticket(body["ticket"], stopped=None, reprints=reprints)

    def _ApprovalAsked(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._ticket(body["ticket"], approval="asked")

    def _PrizeApproved(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._ticket(body["ticket"], approval="approved")

    def _PrizeDeclined(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._ticket(body["ticket"], approval="declined")

    def _issue(self, body: dict[str, Any]) -> None:
        for ticket in body["issued"]:
            self._ticket(ticket, state="issued", draft_choices=None)

    def _DrawPostponed(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._draw(body, due_at=body["due_at"], closes_at=body["closes_at"])

    def _DrawClosed(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._issue(body)
        self._draw(body, status="closed")

    def _DrawSealed(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._draw(
            body,
            status="sealed",
            root=body["root"],
            ticket_count=body["count"],
            total_cents=body["total_cents"],
        )

    def _DrawDrawn(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._draw(body, status="drawn", secret=body["secret"], cards=body["cards"])

    def _DrawHeld(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._draw(body, held=body["reason"])

    def _DrawReleased(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._draw(body, held=None)

    def _DrawSettled(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._draw(body, status="settled", settlement=body_text(body["account"]))

    def _DrawVoided(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._issue(body)
        self._draw(body, status="void")

    def _draw(self, body: dict[str, Any], **values: Any) -> None:
        if body["draw"] in self.draws:
            self.draws[body["draw"]].update(values)

    def _ticket(self, ticket: str, **values: Any) -> None:
        if ticket in self.tickets:
            self.tickets[ticket].update(values)


class Replay(DrawRows):
    """All rows that the records give."""

    def __init__(self) -> None:
        super().__init__()
        self.prizes: Table = {}
        self.claims: Table = {}
        self.settings: Table = {}
        self.rules: Table = {}
        self.faults: list[str] = []
        """Records that do not fit what came before them."""

    def of(self, records: Iterable[LogRecord]) -> Replay:
        for record in records:
            try:
                self.hear(record, json.loads(record.body) if record.body else {})
            except (LookupError, TypeError, ValueError) as error:
                why = f"cannot have happened: {type(error).__name__} {error}"
                self.faults.append(f"record {record.seq} ({record.kind}) {why}")
        return self

    def table(self, name: str) -> Table:
        """The rows of a table by its name."""
        table: Table = getattr(self, name)
        return table

    def _DayCommitted(self, record: LogRecord, body: dict[str, Any]) -> None:
        super()._DayCommitted(record, body)
        self._keep_rules(body)
        if body.get("zone_data") and "zone_data" not in self.settings:
            self._set("zone_data", body["zone_data"])

    def _keep_rules(self, body: dict[str, Any]) -> None:
        self.rules[body["rules_hash"]] = {"hash": body["rules_hash"], "text": body["rules"]}

    def _DrawSettled(self, record: LogRecord, body: dict[str, Any]) -> None:
        super()._DrawSettled(record, body)
        self._win(body)

    def _DrawVoided(self, record: LogRecord, body: dict[str, Any]) -> None:
        super()._DrawVoided(record, body)
        self._win(body)

    def _win(self, body: dict[str, Any]) -> None:
        for ticket, cents, games in body["prizes"]:
            self.prizes[ticket] = {
                "ticket": ticket,
                "draw": body["draw"],
                "amount_cents": cents,
                "games": games,
            }

    def _PrizePaid(self, record: LogRecord, body: dict[str, Any]) -> None:
        self._claim(record, body["ticket"], "paid")

    def _PrizesExpired(self, record: LogRecord, body: dict[str, Any]) -> None:
        for ticket in body["tickets"]:
            self._claim(record, ticket, "expired")

    def _ExpiryCorrected(self, _record: LogRecord, body: dict[str, Any]) -> None:
        for ticket in body["tickets"]:
            del self.claims[ticket]

    def _claim(self, record: LogRecord, ticket: str, outcome: str) -> None:
        self.claims[ticket] = {
            "ticket": ticket,
            "amount_cents": self.prizes[ticket]["amount_cents"],
            "outcome": outcome,
            "seq": record.seq,
        }

    def _PlayDisabled(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._switch(body, "yes")

    def _PlayEnabled(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._switch(body, "no")

    def _switch(self, body: dict[str, Any], value: str) -> None:
        name = f"off:{body['what']}"
        self.settings[name] = {"name": name, "value": value}

    def _LotteryRulesSet(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._keep_rules(body)
        self._set(f"rules:{body['from_day']}", body["rules_hash"])

    def _ZoneDataChanged(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self._set("zone_data", body["after"])

    def _ClockAccepted(self, record: LogRecord, _body: dict[str, Any]) -> None:
        self._set("clock", record.at)

    _ClockPutBack = _ClockAccepted

    def _set(self, name: str, value: str) -> None:
        self.settings[name] = {"name": name, "value": value}

    def _SettingChanged(self, _record: LogRecord, body: dict[str, Any]) -> None:
        self.settings[body["setting"]] = {"name": body["setting"], "value": body["after"]}


_LATER = (
    "opening_seed",
    "first_cards",
    "root",
    "ticket_count",
    "total_cents",
    "secret",
    "cards",
    "settlement",
    "held",
)


def state_faults(connection: Any) -> list[str]:
    """Where the rows are not what the log says: the table, the row and the column of each difference."""
    replayed = Replay().of(rows.records(connection))
    faults = list(replayed.faults)
    for table, found in plain_rows.snapshot(connection).items():
        faults += row_faults(table, replayed.table(table), found)
    faults += row_faults("rules", replayed.rules, plain_rows.kept_rules(connection, replayed.rules))
    return faults


def row_faults(table: str, expected: Table, found: Table) -> Iterator[str]:
    """How the rows of a table differ from what the log says: the row, and the column."""
    for key in sorted({*found, *expected}, key=str):
        if key not in expected:
            yield f"{table} {key}: no record of the log made it"
        elif key not in found:
            yield f"{table} {key}: the log has it, the table has not"
        else:
            for column, value in expected[key].items():
                if found[key][column] != value:
                    yield f"{table} {key}: {column} is not what the log says"
