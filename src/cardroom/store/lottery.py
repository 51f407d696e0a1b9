"""The lottery's rows: draws, tickets, prizes and claims, read and written inside a transaction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, func, select, update

from cardroom.records.house import SettingChanged
from cardroom.records.lottery import DayCommitted, DrawDrawn
from cardroom.store.archives import archived_about
from cardroom.store.log import LogHead, LogRecord, parse_time, time_text
from cardroom.store.schema import claims, draws, log, mentions, prizes, rules, settings, tickets
from cardroom.store.unit import Unit, read_log


@dataclass(frozen=True, slots=True)
class DrawRow:
    """A draw as it stands."""

    number: int
    day: str
    scheduled_at: datetime
    due_at: datetime
    closes_at: datetime
    status: str
    rules_hash: str
    commitment: str
    opening_commitment: str
    opening_seed: str | None = None
    first_cards: str | None = None
    root: str | None = None
    ticket_count: int | None = None
    total_cents: int | None = None
    secret: str | None = None
    cards: str | None = None
    settlement: str | None = None
    held: str | None = None


@dataclass(frozen=True, slots=True)
class TicketRow:
    """A ticket as it stands; `control_tag` finds it by its control number without telling the number.

    While its buyer is choosing, `choices` are the charts' and `draft_choices` the buyer's so far.
    """

    id: str
    draw: int
    purchase: int
    control_tag: str
    terminal: str
    sold_at: datetime
    alter_until: datetime | None
    price_cents: int
    hands: str
    choices: str
    state: str
    draft_choices: str | None = None
    reprints: int = 0
    """How often it was printed anew because it was lost."""
    stopped: str | None = None
    """Why no print of it is paid, where it was reported lost."""
    approval: str | None = None
    """What became of its large prize: asked, approved or declined."""


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A prize and what became of it: `outcome` is None while it waits, else paid or expired."""

    ticket: str
    draw: int
    amount_cents: int
    games: str
    outcome: str | None
    outcome_seq: int | None


_DRAW_TIMES = ("scheduled_at", "due_at", "closes_at")
_TICKET_TIMES = ("sold_at", "alter_until")


def _values(row: RowMapping, times: tuple[str, ...]) -> dict[str, Any]:
    return {name: parse_time(value) if name in times and value else value for name, value in row.items()}


def _draw(row: RowMapping) -> DrawRow:
    return DrawRow(**_values(row, _DRAW_TIMES))


def ticket_of_row(row: RowMapping) -> TicketRow:
    """A ticket as its row has it."""
    return TicketRow(**_values(row, _TICKET_TIMES))


# Draws


def all_draws(connection: Connection) -> list[DrawRow]:
    """Every draw, by number."""
    return [_draw(row) for row in connection.execute(select(draws).order_by(draws.c.number)).mappings()]


def draws_of_day(connection: Connection, day: str) -> list[DrawRow]:
    """The draws of a draw day, by number."""
    statement = select(draws).where(draws.c.day == day).order_by(draws.c.number)
    return [_draw(row) for row in connection.execute(statement).mappings()]


def draws_of_days(connection: Connection, first_day: str, last_day: str) -> list[DrawRow]:
    """The draws of some days, by number."""
    statement = (
        select(draws).where(draws.c.day >= first_day, draws.c.day <= last_day).order_by(draws.c.number)
    )
    return [_draw(row) for row in connection.execute(statement).mappings()]


def draws_between(connection: Connection, first: int, last: int) -> list[DrawRow]:
    """The draws with numbers from one to another, by number."""
    statement = select(draws).where(draws.c.number.between(first, last)).order_by(draws.c.number)
    return [_draw(row) for row in connection.execute(statement).mappings()]


def draws_with_status(connection: Connection, *statuses: str, limit: int | None = None) -> list[DrawRow]:
    """The draws that stand at one of some statuses, by number."""
    statement = select(draws).where(draws.c.status.in_(statuses)).order_by(draws.c.number).limit(limit)
    return [_draw(row) for row in connection.execute(statement).mappings()]


def draws_still_to_close(
    connection: Connection, at: datetime, *statuses: str, limit: int | None = None
) -> list[DrawRow]:
    """The draws at one of some statuses whose sales close after a moment, by number."""
    statement = (
        select(draws)
        .where(draws.c.status.in_(statuses), draws.c.closes_at > time_text(at))
        .order_by(draws.c.number)
        .limit(limit)
    )
    return [_draw(row) for row in connection.execute(statement).mappings()]


def last_day_not_over(connection: Connection) -> str | None:
    """The last draw day that has a draw that is neither settled nor void."""
    not_over = draws.c.status.in_(("committed", "open", "closed", "sealed", "drawn"))
    day: str | None = connection.execute(select(func.max(draws.c.day)).where(not_over)).scalar()
    return day


def next_close(connection: Connection) -> datetime | None:
    """When the first sales are to close, or were to, that have not."""
    statement = select(func.min(draws.c.closes_at)).where(draws.c.status.in_(("open", "committed")))
    closes: str | None = connection.execute(statement).scalar()
    return parse_time(closes) if closes else None


def find_draw(connection: Connection, number: int) -> DrawRow | None:
    """One draw by its number."""
    row = connection.execute(select(draws).where(draws.c.number == number)).mappings().first()
    return _draw(row) if row else None


def any_ticket(connection: Connection, draw: int | None = None) -> bool:
    """Whether a ticket was ever sold, or one of a draw."""
    statement = select(tickets.c.id).limit(1)
    if draw is not None:
        statement = statement.where(tickets.c.draw == draw)
    return connection.execute(statement).first() is not None


def last_draw_number(connection: Connection) -> int:
    """The highest number given so far; 0 before the first."""
    return int(connection.execute(select(func.coalesce(func.max(draws.c.number), 0))).scalar_one())


def add_draws(unit: Unit, new: Sequence[DrawRow]) -> None:
    """New draws, at once, inside the transaction."""
    unit.connection.execute(draws.insert(), [_row_of(draw) for draw in new])


def change_draw(unit: Unit, number: int, **values: Any) -> None:
    """Change a draw at once, inside the transaction."""
    changed = {name: _plain(value) for name, value in values.items()}
    unit.connection.execute(update(draws).where(draws.c.number == number).values(**changed))


def _row_of(row: DrawRow | TicketRow) -> dict[str, Any]:
    return {name: _plain(getattr(row, name)) for name in row.__dataclass_fields__}


def _plain(value: Any) -> Any:
    return time_text(value) if isinstance(value, datetime) else value


def rules_text(connection: Connection, rules_hash: str) -> str | None:
    """The canonical text of rules by their hash."""
    text: str | None = connection.execute(select(rules.c.text).where(rules.c.hash == rules_hash)).scalar()
    return text


def add_rules(unit: Unit, rules_hash: str, text: str) -> None:
    """Keep the text of rules once."""
    if rules_text(unit.connection, rules_hash) is None:
        unit.connection.execute(rules.insert(), {"hash": rules_hash, "text": text})


# Tickets


def add_ticket(unit: Unit, ticket: TicketRow) -> None:
    """A ticket sold, to be written with the transaction."""
    unit.add(tickets, **_row_of(ticket))


def ticket_of_event(
    entry: Mapping[str, Any], *, purchase: int, terminal: str, sold_at: datetime, state: str
) -> TicketRow:
    """The row of a ticket as the record of its sale tells it."""
    return TicketRow(
        id=entry["id"],
        draw=entry["draw"],
        purchase=purchase,
        control_tag=entry["tag"],
        terminal=terminal,
        sold_at=sold_at,
        alter_until=parse_time(entry["alter_until"]) if entry["alter_until"] else None,
        price_cents=entry["price_cents"],
        hands=entry["hands"],
        choices=entry["choices"],
        state=state,
    )


def change_ticket(unit: Unit, ticket_id: str, **values: Any) -> None:
    """Change a ticket at once, inside the transaction."""
    unit.connection.execute(update(tickets).where(tickets.c.id == ticket_id).values(**values))


def issue_all(unit: Unit, draw: int) -> list[str]:
    """Issue the tickets of a draw whose buyers are still choosing, as they stand; their ids (KO21-2.8)."""
    choosing = (tickets.c.draw == draw) & (tickets.c.state == "choosing")
    outcome = (
        unit.connection.execute(select(tickets.c.id).where(choosing).order_by(tickets.c.id)).scalars().all()
    )
    if outcome:
        unit.connection.execute(update(tickets).where(choosing).values(state="issued", draft_choices=None))
    return list(outcome)


def count_and_total(connection: Connection, draw: int) -> tuple[int, int]:
    """How many tickets a draw has, and what they cost."""
    statement = select(func.count(), func.coalesce(func.sum(tickets.c.price_cents), 0)).where(
        tickets.c.draw == draw
    )
    count, total = connection.execute(statement).one()
    return int(count), int(total)


def tickets_of_draw(connection: Connection, draw: int) -> Iterator[TicketRow]:
    """The tickets of a draw in the order of the sealed pool: by id."""
    statement = select(tickets).where(tickets.c.draw == draw).order_by(tickets.c.id)
    for row in connection.execute(statement).mappings():
        yield ticket_of_row(row)


def pool_of_draw(connection: Connection, draw: int) -> list[tuple[str, str, str, int]]:
    """(id, hands, choices, price) of every ticket of a draw, by id: what is sealed and settled."""
    statement = (
        select(tickets.c.id, tickets.c.hands, tickets.c.choices, tickets.c.price_cents)
        .where(tickets.c.draw == draw)
        .order_by(tickets.c.id)
    )
    return [(row[0], row[1], row[2], row[3]) for row in connection.execute(statement)]


def tickets_of_purchase(connection: Connection, seq: int) -> list[TicketRow]:
    """The tickets sold in one transaction, by draw and id."""
    statement = select(tickets).where(tickets.c.purchase == seq).order_by(tickets.c.draw, tickets.c.id)
    return [ticket_of_row(row) for row in connection.execute(statement).mappings()]


def tickets_being_chosen(connection: Connection, purchases: Sequence[int]) -> list[TicketRow]:
    """The tickets of some purchases whose buyer is still choosing, by purchase, draw and id."""
    statement = (
        select(tickets)
        .where(tickets.c.purchase.in_(purchases), tickets.c.state == "choosing")
        .order_by(tickets.c.purchase, tickets.c.draw, tickets.c.id)
    )
    return [ticket_of_row(row) for row in connection.execute(statement).mappings()]


def find_ticket(connection: Connection, *, ticket_id: str = "", control_tag: str = "") -> TicketRow | None:
    """One ticket, by its id or by the tag of its control number."""
    where = tickets.c.id == ticket_id if ticket_id else tickets.c.control_tag == control_tag
    row = connection.execute(select(tickets).where(where)).mappings().first()
    return ticket_of_row(row) if row else None


def tickets_by_id(connection: Connection, ids: Sequence[str]) -> list[TicketRow]:
    """Some tickets, in the order of their sale: by purchase, draw and id."""
    statement = (
        select(tickets)
        .where(tickets.c.id.in_(ids))
        .order_by(tickets.c.purchase, tickets.c.draw, tickets.c.id)
    )
    return [ticket_of_row(row) for row in connection.execute(statement).mappings()]


# Prizes and claims


def add_prizes(unit: Unit, draw: int, won: Iterable[tuple[str, int, str]]) -> None:
    """The prizes of a draw: (ticket, cents, games)."""
    for ticket, cents, games in won:
        unit.add(prizes, ticket=ticket, draw=draw, amount_cents=cents, games=games)


def add_claim(unit: Unit, prize: PrizeRow, outcome: str, seq: int) -> None:
    """A prize leaves the books: paid or expired."""
    unit.add(claims, ticket=prize.ticket, amount_cents=prize.amount_cents, outcome=outcome, seq=seq)


def take_back_expiry(unit: Unit, tickets: Sequence[str]) -> None:
    """Prizes that had left the books as expired wait again; the record that says so is written first."""
    unit.write(unit.connection)
    unit.connection.execute(delete(claims).where(claims.c.ticket.in_(tickets)))


def expiry_name(ticket: str) -> str:
    """The name by which the log's record of an expiry that was taken back is found."""
    return f"expiry:{ticket}"


_PRIZES = select(
    prizes.c.ticket,
    prizes.c.draw,
    prizes.c.amount_cents,
    prizes.c.games,
    claims.c.outcome,
    claims.c.seq.label("outcome_seq"),
).select_from(prizes.outerjoin(claims, prizes.c.ticket == claims.c.ticket))


_NOT_BROUGHT = tickets.c.approval.is_(None) | (tickets.c.approval == "declined")
"""A large prize that was brought in time and waits for the house does not expire."""


def find_prize(connection: Connection, ticket: str) -> PrizeRow | None:
    """The prize of a ticket, if it won one."""
    row = connection.execute(_PRIZES.where(prizes.c.ticket == ticket)).mappings().first()
    return PrizeRow(**row) if row else None


def prizes_of_tickets(connection: Connection, ids: Sequence[str]) -> dict[str, PrizeRow]:
    """The prizes of some tickets, by ticket; those that won nothing are not among them."""
    matching = connection.execute(_PRIZES.where(prizes.c.ticket.in_(ids))).mappings()
    return {row["ticket"]: PrizeRow(**row) for row in matching}


def prizes_of_draw(connection: Connection, draw: int) -> list[PrizeRow]:
    """The prizes of a draw, by ticket."""
    statement = _PRIZES.where(prizes.c.draw == draw).order_by(prizes.c.ticket)
    return [PrizeRow(**row) for row in connection.execute(statement).mappings()]


def days_and_rules(connection: Connection, *, until_day: str) -> dict[int, tuple[str, str]]:
    """The day and the hash of the rules of every draw up to a day, by number."""
    statement = select(draws.c.number, draws.c.day, draws.c.rules_hash).where(draws.c.day <= until_day)
    return {row.number: (row.day, row.rules_hash) for row in connection.execute(statement)}


def waiting_prizes(connection: Connection, *, until_day: str) -> list[PrizeRow]:
    """The prizes of draw days up to one that nobody has claimed."""
    statement = (
        _PRIZES.join(draws, prizes.c.draw == draws.c.number)
        .join(tickets, prizes.c.ticket == tickets.c.id)
        .where(claims.c.ticket.is_(None), draws.c.day <= until_day, _NOT_BROUGHT)
        .order_by(prizes.c.ticket)
    )
    return [PrizeRow(**row) for row in connection.execute(statement).mappings()]


# Settings and the log


def setting(connection: Connection, name: str) -> str | None:
    """The value of a setting."""
    value: str | None = connection.execute(select(settings.c.value).where(settings.c.name == name)).scalar()
    return value


def all_settings(connection: Connection) -> dict[str, str]:
    """Every setting by name."""
    rows = connection.execute(select(settings.c.name, settings.c.value).order_by(settings.c.name))
    return {row.name: row.value for row in rows}


def change_setting(unit: Unit, name: str, value: str, *, by: Sequence[str]) -> None:
    """Change a setting and say so in the log: who, before, after (R-47)."""
    before = setting(unit.connection, name)
    unit.record(SettingChanged(setting=name, before=before, after=value, by=list(by)))
    put_setting(unit, name, value)


def put_setting(unit: Unit, name: str, value: str) -> None:
    """Write a setting, inside the transaction of the record that tells of it."""
    if setting(unit.connection, name) is None:
        unit.connection.execute(settings.insert(), {"name": name, "value": value})
    else:
        unit.connection.execute(update(settings).where(settings.c.name == name).values(value=value))


def records(
    connection: Connection, *, after: int = 0, kinds: Sequence[str] | None = None
) -> Iterator[LogRecord]:
    """The log from a record on, or only some kinds of it."""
    return read_log(connection, after=after, kinds=kinds)


def record_at(connection: Connection, seq: int) -> LogRecord | None:
    """One record of the live log; of one that is sealed only the head may be left, without kind and body."""
    row = connection.execute(select(log).where(log.c.seq == seq)).first()
    return LogRecord(int(row.seq), row.at, row.kind, row.body, row.hash) if row else None


def newest_about(connection: Connection, name: str) -> LogRecord | None:
    """The last record that speaks of something by its name, in the live log or in an archive."""
    statement = select(log).join(mentions, mentions.c.seq == log.c.seq).where(mentions.c.name == name)
    row = connection.execute(statement.order_by(log.c.seq.desc()).limit(1)).first()
    if row is None:
        return archived_about(connection, name)
    return LogRecord(int(row.seq), row.at, row.kind, row.body, row.hash)


def day_committed_at(connection: Connection) -> datetime | None:
    """When the last day was committed, by the record of it; the search begins at the newest."""
    committed = next(_newest_first(connection, DayCommitted.__name__), None)
    return parse_time(committed.at) if committed else None


def drawn_at(connection: Connection, draw: int) -> datetime | None:
    """When a draw was drawn, by the record of it; the search begins at the newest."""
    for logged in _newest_first(connection, DrawDrawn.__name__):
        if logged.read_as(DrawDrawn).draw == draw:
            return parse_time(logged.at)
    return None


def _newest_first(connection: Connection, kind: str) -> Iterator[LogRecord]:
    """The records of a kind in the live log, fetched one by one as they are asked for."""
    statement = select(log).where(log.c.kind == kind).order_by(log.c.seq.desc())
    with connection.execute(statement.execution_options(yield_per=1)) as selected:
        for row in selected:
            yield LogRecord(int(row.seq), row.at, row.kind, row.body, row.hash)


def head(connection: Connection) -> LogHead:
    """The log's last record."""
    row = connection.execute(select(log.c.seq, log.c.hash).order_by(log.c.seq.desc()).limit(1)).first()
    return LogHead(int(row.seq), row.hash) if row else LogHead(0, "0" * 64)


def last_seq_before_draws(connection: Connection) -> int:
    """The last record of the log before the first draw that is not over was committed."""
    not_over = draws.c.status.in_(("committed", "open", "closed", "sealed", "drawn"))
    first = select(draws.c.day).where(not_over).order_by(draws.c.number).limit(1)
    day = connection.execute(first).scalar()
    if day is None:
        return head(connection).seq
    for logged in _newest_first(connection, DayCommitted.__name__):
        if logged.read_as(DayCommitted).day == day:
            return logged.seq - 1
    return 0
