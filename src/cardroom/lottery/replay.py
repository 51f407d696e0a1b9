"""The log replayed: what every row must be, from the records alone (R-44, R-51)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, assert_never, cast, get_args

from cardroom.records import HouseRecord, LotteryRecord, desk, house, lottery
from cardroom.store import lottery as rows
from cardroom.store import plain_rows
from cardroom.store.log import LogRecord, body_text

Table = dict[Any, dict[str, Any]]
DrawRecord = LotteryRecord | house.SecretsRetired
"""Whatever may change the row of a draw or of a ticket."""
RowRecord = LotteryRecord | HouseRecord
"""Whatever may change a row of the lottery, its settings included."""


class DrawRows:
    """The rows of draws and tickets that the records give, of all draws or of those that are not over.

    A record about a draw that is not known is passed over: it was over when the records began.
    """

    def __init__(self) -> None:
        self.draws: Table = {}
        self.tickets: Table = {}

    def hear(self, logged: LogRecord) -> None:
        """Take in one record; those that can change no row here are not even read."""
        if logged.kind in _DRAW_KINDS:
            record, _ = logged.read()
            self._hear_of_draws(logged, cast(DrawRecord, record))

    def _hear_of_draws(self, logged: LogRecord, record: DrawRecord) -> None:
        match record:
            case lottery.TicketsSold():
                self._sell(logged, record)
            case lottery.DayCommitted():
                self._commit(record)
            case house.SecretsRetired():
                for number, commitment, opening_commitment in record.draws:
                    self._draw(number, commitment=commitment, opening_commitment=opening_commitment)
            case lottery.DrawOpened():
                seed, cards = record.opening_seed, record.first_cards
                self._draw(record.draw, status="open", opening_seed=seed, first_cards=cards)
            case lottery.ChoicesSaved():
                for entry in record.saved:
                    self._ticket(entry["id"], draft_choices=entry["choices"])
            case lottery.ChoicesMade():
                for entry in record.made:
                    self._ticket(entry["id"], choices=entry["choices"], state="issued", draft_choices=None)
                self._issue(record.issued)
            case lottery.TicketAltered():
                self._ticket(record.id, choices=record.after, state="altered")
            case desk.TicketStopped():
                self._ticket(record.ticket, stopped=record.reason)
            case desk.StopLifted():
                self._ticket(record.ticket, stopped=None)
            case desk.TicketReissued():
                if record.ticket in self.tickets:
                    reprints = self.tickets[record.ticket]["reprints"] + 1
                    self._ticket(record.ticket, stopped=None, reprints=reprints)
            case desk.ApprovalAsked():
                self._ticket(record.ticket, approval="asked")
            case desk.PrizeApproved():
                self._ticket(record.ticket, approval="approved")
            case desk.PrizeDeclined():
                self._ticket(record.ticket, approval="declined")
            case lottery.DrawPostponed():
                self._draw(record.draw, due_at=record.due_at, closes_at=record.closes_at)
            case lottery.DrawClosed():
                self._issue(record.issued)
                self._draw(record.draw, status="closed")
            case lottery.DrawSealed():
                count, total = record.count, record.total_cents
                self._draw(
                    record.draw, status="sealed", root=record.root, ticket_count=count, total_cents=total
                )
            case lottery.DrawDrawn():
                self._draw(record.draw, status="drawn", secret=record.secret, cards=record.cards)
            case lottery.DrawHeld():
                self._draw(record.draw, held=record.reason)
            case lottery.DrawReleased():
                self._draw(record.draw, held=None)
            case lottery.DrawSettled():
                self._draw(record.draw, status="settled", settlement=body_text(record.account))
            case lottery.DrawVoided():
                self._issue(record.issued)
                self._draw(record.draw, status="void")
            case (
                lottery.LotteryRulesSet()
                | lottery.DaysWithoutDraws()
                | lottery.LargeWinNoted()
                | lottery.TicketChecked()
                | lottery.ClaimRefused()
                | lottery.PrizePaid()
                | lottery.PrizesExpired()
                | lottery.ExpiryCorrected()
                | lottery.RowsRebuilt()
                | desk.LostTicketSought()
            ):
                pass  # they change neither a draw nor a ticket
            case _:
                assert_never(record)

    def forget(self, draw: int) -> None:
        """Leave out a draw that is over, and its tickets."""
        self.draws.pop(draw, None)
        for ticket in [row["id"] for row in self.tickets.values() if row["draw"] == draw]:
            del self.tickets[ticket]

    def tickets_of(self, draw: int) -> Table:
        """The rows of a draw's tickets."""
        return {ticket: row for ticket, row in self.tickets.items() if row["draw"] == draw}

    def _commit(self, day: lottery.DayCommitted) -> None:
        for number, scheduled_at, closes_at, commitment, opening_commitment in day.draws:
            self.draws[number] = {
                "number": number,
                "day": day.day,
                "scheduled_at": scheduled_at,
                "due_at": scheduled_at,
                "closes_at": closes_at,
                "status": "committed",
                "rules_hash": day.rules_hash,
                "commitment": commitment,
                "opening_commitment": opening_commitment,
                **dict.fromkeys(_LATER),
            }

    def _sell(self, logged: LogRecord, sale: lottery.TicketsSold) -> None:
        for entry in sale.tickets:
            if entry["draw"] not in self.draws:
                continue
            self.tickets[entry["id"]] = {
                "id": entry["id"],
                "draw": entry["draw"],
                "purchase": logged.seq,
                "control_tag": entry["tag"],
                "terminal": sale.terminal,
                "sold_at": logged.at,
                "alter_until": entry["alter_until"],
                "price_cents": entry["price_cents"],
                "hands": entry["hands"],
                "choices": entry["choices"],
                "state": sale.state,
                "draft_choices": None,
                "reprints": 0,
                "stopped": None,
                "approval": None,
            }

    def _issue(self, tickets: Iterable[str]) -> None:
        for ticket in tickets:
            self._ticket(ticket, state="issued", draft_choices=None)

    def _draw(self, draw: int, **values: Any) -> None:
        if draw in self.draws:
            self.draws[draw].update(values)

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
        for logged in records:
            try:
                self.hear(logged)
            except (LookupError, TypeError, ValueError) as error:
                why = f"cannot have happened: {type(error).__name__} {error}"
                self.faults.append(f"record {logged.seq} ({logged.kind}) {why}")
        return self

    def hear(self, logged: LogRecord) -> None:
        if logged.kind in _ROW_KINDS:
            record, _ = logged.read()
            if logged.kind in _DRAW_KINDS:
                self._hear_of_draws(logged, cast(DrawRecord, record))
            self._hear_of_the_rest(logged, cast(RowRecord, record))

    def table(self, name: str) -> Table:
        """The rows of a table by its name."""
        table: Table = getattr(self, name)
        return table

    def _hear_of_the_rest(self, logged: LogRecord, record: RowRecord) -> None:
        """Prizes, claims, settings and rules."""
        match record:
            case lottery.DayCommitted():
                self._keep_rules(record)
                if record.zone_data and "zone_data" not in self.settings:
                    self._set("zone_data", record.zone_data)
            case lottery.DrawSettled() | lottery.DrawVoided():
                self._win(record.draw, record.prizes)
            case lottery.PrizePaid():
                self._claim(logged, record.ticket, "paid")
            case lottery.PrizesExpired():
                for ticket in record.tickets:
                    self._claim(logged, ticket, "expired")
            case lottery.ExpiryCorrected():
                for ticket in record.tickets:
                    del self.claims[ticket]
            case lottery.LotteryRulesSet():
                self._keep_rules(record)
                self._set(f"rules:{record.from_day}", record.rules_hash)
            case house.PlayDisabled():
                self._set(f"off:{record.what}", "yes")
            case house.PlayEnabled():
                self._set(f"off:{record.what}", "no")
            case house.ZoneDataChanged():
                self._set("zone_data", record.after)
            case house.ClockAccepted() | house.ClockPutBack():
                self._set("clock", logged.at)
            case house.SettingChanged():
                self._set(record.setting, record.after)
            case (
                lottery.DaysWithoutDraws()
                | lottery.DrawOpened()
                | lottery.DrawPostponed()
                | lottery.DrawClosed()
                | lottery.DrawSealed()
                | lottery.DrawHeld()
                | lottery.DrawReleased()
                | lottery.DrawDrawn()
                | lottery.LargeWinNoted()
                | lottery.TicketsSold()
                | lottery.ChoicesSaved()
                | lottery.ChoicesMade()
                | lottery.TicketAltered()
                | lottery.TicketChecked()
                | lottery.ClaimRefused()
                | lottery.RowsRebuilt()
                | desk.LostTicketSought()
                | desk.TicketStopped()
                | desk.StopLifted()
                | desk.TicketReissued()
                | desk.ApprovalAsked()
                | desk.PrizeApproved()
                | desk.PrizeDeclined()
                | house.HouseFounded()
                | house.OperatorAppointed()
                | house.PasswordChanged()
                | house.SecondFactorSet()
                | house.LoggedIn()
                | house.LoggedOut()
                | house.LoginRefused()
                | house.CookieRefused()
                | house.RequestRefused()
                | house.LogChecked()
                | house.SecretsRetired()
                | house.DrawVerified()
                | house.OverrideRefused()
                | house.DrawOverridden()
            ):
                pass  # rows of draws and tickets alone, or none
            case _:
                assert_never(record)

    def _keep_rules(self, record: lottery.DayCommitted | lottery.LotteryRulesSet) -> None:
        self.rules[record.rules_hash] = {"hash": record.rules_hash, "text": record.rules}

    def _win(self, draw: int, prizes: Sequence[tuple[str, int, str]]) -> None:
        for ticket, cents, games in prizes:
            self.prizes[ticket] = {"ticket": ticket, "draw": draw, "amount_cents": cents, "games": games}

    def _claim(self, logged: LogRecord, ticket: str, outcome: str) -> None:
        self.claims[ticket] = {
            "ticket": ticket,
            "amount_cents": self.prizes[ticket]["amount_cents"],
            "outcome": outcome,
            "seq": logged.seq,
        }

    def _set(self, name: str, value: str) -> None:
        self.settings[name] = {"name": name, "value": value}


# A kind names its class: to look it up here takes a tenth of the time of `isinstance` with so many classes.
_DRAW_KINDS: Final = frozenset(kind.__name__ for kind in get_args(DrawRecord))
_ROW_KINDS: Final = frozenset(kind.__name__ for kind in get_args(RowRecord))
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
    for table, actual in plain_rows.snapshot(connection).items():
        faults += row_faults(table, replayed.table(table), actual)
    faults += row_faults("rules", replayed.rules, plain_rows.kept_rules(connection, replayed.rules))
    return faults


def row_faults(table: str, expected: Table, actual: Table) -> Iterator[str]:
    """How the rows of a table differ from what the log says: the row, and the column."""
    for key in sorted({*actual, *expected}, key=str):
        if key not in expected:
            yield f"{table} {key}: no record of the log made it"
        elif key not in actual:
            yield f"{table} {key}: the log has it, the table has not"
        else:
            for column, value in expected[key].items():
                if actual[key][column] != value:
                    yield f"{table} {key}: {column} is not what the log says"
