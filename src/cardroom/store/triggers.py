"""The triggers: append-only tables, tickets only in an open draw, draws that only go forward.

They hold even against a program that forgets the lock; the lock makes refusals rare and friendly.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

APPEND_ONLY: Final = (
    "log",
    "requests",
    "spent_keys",
    "transfers",
    "balances",
    "rules",
    "prizes",
    "claims",
    "archives",
    "sealed_names",
)

_DRAW_OPEN: Final = "a ticket enters or changes only while its draw is open (KO21-2.4, KO21-2.7)"
_TICKET_FIXED: Final = "what a ticket shows cannot change except its choices (KO21-2.5)"
_ALTERED_ONCE: Final = "a ticket is altered once and only once (KO21-2.7)"
_FORWARD: Final = "a draw goes forward only"
_LATER: Final = "the close of a draw is put off only while it is open, and only to a later time"
_COMMITTED: Final = "a commitment stands until the log retires it, and while a ticket shows it"
_RETIRED: Final = (
    "OLD.status IN ('committed', 'open') "
    "AND (SELECT kind FROM log ORDER BY seq DESC LIMIT 1) = 'SecretsRetired' "
    "AND NOT EXISTS (SELECT 1 FROM tickets WHERE draw = OLD.number)"
)
_SEALED: Final = "a sealed pool, its cards and its settlement cannot change"

_TICKET_CONSTANTS: Final = (
    "id",
    "draw",
    "purchase",
    "control_tag",
    "terminal",
    "sold_at",
    "alter_until",
    "price_cents",
    "hands",
)
_DRAW_CONSTANTS: Final = (
    "number",
    "day",
    "scheduled_at",
    "rules_hash",
)
_COMMITMENTS: Final = ("commitment", "opening_commitment")
_DRAW_SET_ONCE: Final = (
    "opening_seed",
    "first_cards",
    "root",
    "ticket_count",
    "total_cents",
    "secret",
    "cards",
    "settlement",
)
_NEXT: Final = (
    ("committed", "open"),
    ("open", "closed"),
    ("closed", "sealed"),
    ("sealed", "drawn"),
    ("drawn", "settled"),
    ("committed", "void"),
    ("open", "void"),
    ("closed", "void"),
    ("sealed", "void"),
)


def _changed(columns: tuple[str, ...], differs: str) -> str:
    return " OR ".join(f"NEW.{column} {differs} OLD.{column}" for column in columns)


def _set_once(differs: str) -> str:
    return " OR ".join(
        f"(OLD.{column} IS NOT NULL AND NEW.{column} {differs} OLD.{column})" for column in _DRAW_SET_ONCE
    )


def _backward() -> str:
    allowed = " OR ".join(f"(OLD.status = '{old}' AND NEW.status = '{new}')" for old, new in _NEXT)
    return f"NEW.status <> OLD.status AND NOT ({allowed})"


_NOT_SEALED: Final = "OLD.seq > COALESCE((SELECT MAX(last_seq) FROM archives), 0)"
"""Only what an archive holds may go, and the database itself looks whether one does."""
_NEEDED_BALANCE: Final = (
    f"{_NOT_SEALED} OR (OLD.balance_cents <> 0 AND NOT EXISTS (SELECT 1 FROM balances AS later "
    "WHERE later.account = OLD.account AND later.step > OLD.step))"
)
_MORE_THAN_REDUCED: Final = (
    f"{_NOT_SEALED} OR NEW.seq <> OLD.seq OR NEW.hash <> OLD.hash OR NEW.at <> OLD.at "
    "OR NEW.kind <> '' OR NEW.body <> ''"
)
_NO_CORRECTION: Final = (
    "OLD.outcome <> 'expired' OR NOT EXISTS (SELECT 1 FROM mentions "
    "WHERE mentions.name = 'expiry:' || OLD.ticket AND mentions.seq > OLD.seq)"
)
"""An expiry may be taken back, where a record of the log speaks of it; a payment never."""
_SEALING: Final = {
    ("log", "DELETE"): _NOT_SEALED,
    ("log", "UPDATE"): _MORE_THAN_REDUCED,
    ("requests", "DELETE"): _NOT_SEALED,
    ("transfers", "DELETE"): _NOT_SEALED,
    ("balances", "DELETE"): _NEEDED_BALANCE,
    ("claims", "DELETE"): _NO_CORRECTION,
}
"""When a change is refused, in tables of which a part may be sealed or taken back; elsewhere it always is."""
_FOLLOWS: Final = (
    "NEW.number <> COALESCE((SELECT MAX(number) FROM archives), 0) + 1 "
    "OR NEW.first_seq <> COALESCE((SELECT MAX(last_seq) FROM archives), 0) + 1 "
    "OR NOT EXISTS (SELECT 1 FROM log WHERE seq = NEW.last_seq AND hash = NEW.end_hash) "
    "OR NOT EXISTS (SELECT 1 FROM checkpoints WHERE seq > NEW.last_seq)"
)
_IN_ORDER: Final = "an archive goes on where the last one ended, and ends before the checkpoint"


def _checks(differs: str, draw_not_open: str) -> list[tuple[str, str, str, str]]:
    """(table, event, condition, message) of every conditional trigger."""
    changed_choices = f"NEW.choices {differs} OLD.choices OR NEW.state {differs} OLD.state"
    return [
        ("tickets", "INSERT", draw_not_open, _DRAW_OPEN),
        ("tickets", "UPDATE", f"({changed_choices}) AND {draw_not_open}", _DRAW_OPEN),
        ("tickets", "UPDATE", _changed(_TICKET_CONSTANTS, differs), _TICKET_FIXED),
        ("tickets", "UPDATE", f"OLD.state = 'altered' AND ({changed_choices})", _ALTERED_ONCE),
        ("tickets", "DELETE", "1 = 1", "a ticket cannot be cancelled (KO21-2.10)"),
        ("draws", "UPDATE", _backward(), _FORWARD),
        (
            "draws",
            "UPDATE",
            "NEW.closes_at < OLD.closes_at OR (NEW.closes_at <> OLD.closes_at AND OLD.status <> 'open')",
            _LATER,
        ),
        ("draws", "UPDATE", f"{_changed(_DRAW_CONSTANTS, differs)} OR {_set_once(differs)}", _SEALED),
        ("draws", "UPDATE", f"({_changed(_COMMITMENTS, differs)}) AND NOT ({_RETIRED})", _COMMITTED),
        ("draws", "DELETE", "1 = 1", "a draw keeps its number"),
        ("archives", "INSERT", _FOLLOWS, _IN_ORDER),
        *(
            (table, event, _SEALING.get((table, event), "1 = 1"), f"{table} is append-only")
            for table in APPEND_ONLY
            for event in ("UPDATE", "DELETE")
        ),
    ]


def sqlite_triggers() -> Iterator[str]:
    """The statements that make the triggers of SQLite."""
    not_open = "(SELECT status FROM draws WHERE number = NEW.draw) IS NOT 'open'"
    for number, (table, event, condition, message) in enumerate(_checks("IS NOT", not_open), 1):
        yield (
            f"CREATE TRIGGER trigger_{number}_{table} BEFORE {event} ON {table} WHEN {condition} "
            f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
        )


def postgresql_triggers() -> Iterator[str]:
    """The same for PostgreSQL; a ticket's check locks its draw, so that a close cannot slip in between."""
    not_open = "(SELECT status FROM draws WHERE number = NEW.draw FOR SHARE) IS DISTINCT FROM 'open'"
    for number, (table, event, condition, message) in enumerate(_checks("IS DISTINCT FROM", not_open), 1):
        row = "OLD" if event == "DELETE" else "NEW"
        yield (
            f"CREATE FUNCTION trigger_{number}_{table}() RETURNS trigger LANGUAGE plpgsql AS $trigger$ BEGIN "
            f"IF {condition} THEN RAISE EXCEPTION '{message}' USING ERRCODE = 'check_violation'; END IF; "
            f"RETURN {row}; END $trigger$"
        )
        yield (
            f"CREATE TRIGGER trigger_{number}_{table} BEFORE {event} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION trigger_{number}_{table}()"
        )
    for table in (*APPEND_ONLY, "tickets", "draws"):
        yield (
            f"CREATE FUNCTION keep_{table}() RETURNS trigger LANGUAGE plpgsql AS $trigger$ BEGIN "
            f"RAISE EXCEPTION '{table} is never emptied' USING ERRCODE = 'check_violation'; END $trigger$"
        )
        yield (
            f"CREATE TRIGGER keep_{table} BEFORE TRUNCATE ON {table} "
            f"FOR EACH STATEMENT EXECUTE FUNCTION keep_{table}()"
        )


def triggers_of(dialect: str) -> list[str]:
    """The statements for a database by its SQLAlchemy name."""
    return list(sqlite_triggers() if dialect == "sqlite" else postgresql_triggers())
