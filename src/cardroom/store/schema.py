"""The tables; `triggers.py` says what may be added to them and what may never change.

The log is the truth. Every other table is a projection of it, written in the same transaction, so that a
question is answered without reading the whole log; `cardroom.lottery.replay` shows that the two agree.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMES)

log = Table(
    "log",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("hash", Text, nullable=False, unique=True),
)

mentions = Table(
    "mentions",
    metadata,
    Column("name", Text, nullable=False),
    Column("seq", BigInteger, ForeignKey("log.seq"), nullable=False, index=True),
    PrimaryKeyConstraint("name", "seq"),
)
"""Where the log speaks of something by its name, such as `round:linden-7`: an index, made with the record."""

requests = Table(
    "requests",
    metadata,
    Column("key", Text, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("answer", Text, nullable=False),
    Column("seq", BigInteger, ForeignKey("log.seq"), nullable=False, index=True),
)

spent_keys = Table(
    "spent_keys",
    metadata,
    Column("key_hash", Text, primary_key=True),
    Column("digest_hash", Text, nullable=False),
    Column("answer", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Requests whose record is sealed, by a hash of their key: a key has one outcome for ever."""

transfers = Table(
    "transfers",
    metadata,
    Column("seq", BigInteger, ForeignKey("log.seq"), nullable=False),
    Column("line", Integer, nullable=False),
    Column("source", Text, nullable=False, index=True),
    Column("target", Text, nullable=False, index=True),
    Column("amount_cents", BigInteger, nullable=False),
    PrimaryKeyConstraint("seq", "line"),
    CheckConstraint("amount_cents > 0", name="amount"),
    CheckConstraint("source <> target", name="two_accounts"),
)

balances = Table(
    "balances",
    metadata,
    Column("account", Text, nullable=False),
    Column("step", BigInteger, nullable=False),
    Column("seq", BigInteger, ForeignKey("log.seq"), nullable=False, index=True),
    Column("balance_cents", BigInteger, nullable=False),
    PrimaryKeyConstraint("account", "step"),
    CheckConstraint("balance_cents >= 0", name="not_negative"),
)

settings = Table(
    "settings",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

rules = Table(
    "rules",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("text", Text, nullable=False),
)

STATUSES: Final = ("committed", "open", "closed", "sealed", "drawn", "settled", "void")
"""What becomes of a draw, in order; `void` is the end of a draw that two people called off."""

draws = Table(
    "draws",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Text, nullable=False, index=True),
    Column("scheduled_at", Text, nullable=False, unique=True),
    Column("due_at", Text, nullable=False),
    Column("closes_at", Text, nullable=False),
    Column("status", Text, nullable=False, index=True),
    Column("rules_hash", Text, ForeignKey("rules.hash"), nullable=False),
    Column("commitment", Text, nullable=False, unique=True),
    Column("opening_commitment", Text, nullable=False, unique=True),
    Column("opening_seed", Text, unique=True),
    Column("first_cards", Text),
    Column("root", Text),
    Column("ticket_count", BigInteger),
    Column("total_cents", BigInteger),
    Column("secret", Text, unique=True),
    Column("cards", Text, unique=True),
    Column("settlement", Text),
    Column("held", Text),
    CheckConstraint("status IN ({})".format(", ".join(f"'{name}'" for name in STATUSES)), name="status"),
    CheckConstraint("status NOT IN ('sealed', 'drawn', 'settled') OR root IS NOT NULL", name="sealed"),
    CheckConstraint("status NOT IN ('drawn', 'settled') OR cards IS NOT NULL", name="drawn"),
)

tickets = Table(
    "tickets",
    metadata,
    Column("id", Text, primary_key=True),
    Column("draw", BigInteger, ForeignKey("draws.number"), nullable=False),
    Column("purchase", BigInteger, ForeignKey("log.seq"), nullable=False, index=True),
    Column("control_tag", Text, nullable=False, unique=True),
    Column("terminal", Text, nullable=False),
    Column("sold_at", Text, nullable=False),
    Column("alter_until", Text),
    Column("price_cents", BigInteger, nullable=False),
    Column("hands", Text, nullable=False),
    Column("choices", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("draft_choices", Text),
    Column("reprints", BigInteger, nullable=False, server_default="0"),
    Column("stopped", Text),
    Column("approval", Text),
    CheckConstraint("price_cents > 0", name="price"),
    CheckConstraint("state IN ('choosing', 'issued', 'altered')", name="state"),
    Index("ix_tickets_draw_state", "draw", "state"),
)

prizes = Table(
    "prizes",
    metadata,
    Column("ticket", Text, ForeignKey("tickets.id"), primary_key=True),
    Column("draw", BigInteger, ForeignKey("draws.number"), nullable=False, index=True),
    Column("amount_cents", BigInteger, nullable=False),
    Column("games", Text, nullable=False),
    CheckConstraint("amount_cents > 0", name="amount"),
    UniqueConstraint("ticket", "amount_cents"),
)

claims = Table(
    "claims",
    metadata,
    Column("ticket", Text, primary_key=True),
    Column("amount_cents", BigInteger, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("seq", BigInteger, ForeignKey("log.seq"), nullable=False, index=True),
    CheckConstraint("outcome IN ('paid', 'expired')", name="outcome"),
    ForeignKeyConstraint(["ticket", "amount_cents"], ["prizes.ticket", "prizes.amount_cents"]),
)
"""One row per prize that has left the books, paid or expired: the key makes a second payment impossible."""

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("log_hash", Text, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("parts", BigInteger, nullable=True),
)
"""One row at most: the record of the log up to which the parts go, and how many there are."""

parts = Table(
    "parts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("body", Text, nullable=False),
    Column("hash", Text, nullable=False),
)
"""What the log has folded to, by name; made anew from the log where it is lost."""

guests = Table(
    "guests",
    metadata,
    Column("id", Text, primary_key=True),
    Column("wishes", Text, nullable=False),
    Column("until", Text, nullable=False, index=True),
)
"""What guests wish who have no chips yet: names, limits, breaks. It comes into the log with their first
chips, and is forgotten after `until`."""

used_codes = Table(
    "used_codes",
    metadata,
    Column("name", Text, primary_key=True),
    Column("step", BigInteger, nullable=False),
)
"""The step of time of the last code that each operator has signed with: a code is good once."""

archives = Table(
    "archives",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("first_seq", BigInteger, nullable=False),
    Column("last_seq", BigInteger, nullable=False),
    Column("start_hash", Text, nullable=False),
    Column("end_hash", Text, nullable=False),
    Column("hash", Text, nullable=False),
    Column("file", Text, nullable=False),
    CheckConstraint("first_seq <= last_seq", name="not_empty"),
)
"""The files that hold the log up to a record, in their order; `start_hash` is that of the record before."""

sealed_names = Table(
    "sealed_names",
    metadata,
    Column("stem", Text, nullable=False),
    Column("archive", BigInteger, ForeignKey("archives.number"), nullable=False),
    Column("first", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    PrimaryKeyConstraint("stem", "archive"),
)
"""Which archive speaks of what: `round:linden-7` is in one whose numbers of `round:linden` reach over 7."""
