"""The lottery's house: its database, vault, rules and source of chance, handed to everything that it does."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

import cardroom
from cardroom.core.errors import Conflict, IllegalAction, MalformedInput
from cardroom.fair.encoding import encode
from cardroom.fair.entropy import Entropy
from cardroom.games import GAMES
from cardroom.lottery.codes import CodeKey, is_ticket_id
from cardroom.lottery.control import Control
from cardroom.lottery.readiness import make_ready, rules_at, rules_on, settings_of
from cardroom.lottery.vault import Vault
from cardroom.records.house import PlayDisabled, PlayEnabled
from cardroom.rules.knockout21 import Knockout21Rules
from cardroom.store import lottery as rows
from cardroom.store.database import Database
from cardroom.store.log import body_text
from cardroom.store.unit import Unit

Done = TypeVar("Done")

TWO_PEOPLE: Final = 2
LONGEST_NAME: Final = 64
LARGEST_NUMBER: Final = 2**63 - 1
"""What the databases' integers hold."""


@dataclass
class Lottery:
    """Everything a lottery works with.

    `first_rules` are those of a database that has none yet; from its first day on its own records say which
    rules hold from which day, and `rules` are those of the day.
    """

    database: Database
    vault: Vault
    first_rules: Knockout21Rules
    entropy: Entropy
    control: Control = field(default_factory=Control)
    skips_past: bool = False
    """Whether a day that is opened late leaves out the draws that are past: a demonstration's does."""
    expiries_booked_on: date | None = None
    """The day on which this process has looked for prizes whose year is over: once a day is enough."""
    _known_rules: dict[str, Knockout21Rules] = field(default_factory=dict)
    rules: Knockout21Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = self.first_rules
        with suppress(Conflict):  # rules that were changed in the database: whatever is done is refused
            self.look_at_rules()

    def look_at_rules(self) -> None:
        """Take the rules that are in force at the time of the clock."""
        with self.database.read() as connection:
            self.take_rules(connection, self.database.clock.now(), rows.all_settings(connection))

    def take_rules(self, connection: Any, moment: datetime, settings: Mapping[str, str]) -> None:
        """Take the rules that are in force at a moment."""
        self.rules = rules_at(self, connection, moment, settings)

    def rules_on(self, connection: Any, day: date) -> Knockout21Rules:
        """The rules of a draw day that is not committed yet."""
        return rules_on(self, connection, day, rows.all_settings(connection))

    def write(self, run: Callable[[Unit], Done], *, key: str | None = None, alone: bool = False) -> Done:
        """Do something inside a transaction, if the lottery may do anything now."""

        def run_when_ready(unit: Unit) -> Done:
            make_ready(self, unit)
            return run(unit)

        return self.database.write(run_when_ready, key=key, alone=alone)

    @cached_property
    def codes(self) -> CodeKey:
        return self.vault.code_key()

    def rules_of(self, connection: Any, rules_hash: str) -> Knockout21Rules:
        """The rules that a draw was committed with."""
        if rules_hash not in self._known_rules:
            text = rows.rules_text(connection, rules_hash)
            if text is None:
                raise Conflict(f"the rules {rules_hash[:12]}… are not in this database")
            known = Knockout21Rules.model_validate_json(text)
            if known.rules_hash != rules_hash:
                raise Conflict(
                    f"the text of the rules {rules_hash[:12]}… was changed in the database; it is made anew "
                    "from the log by: cardroom lottery rebuild"
                )
            self._known_rules[rules_hash] = known
        return self._known_rules[rules_hash]


def draw_or_refuse(connection: Any, number: int) -> rows.DrawRow:
    """A draw by its number; an unknown one is refused."""
    draw = rows.find_draw(connection, number) if 0 < number <= LARGEST_NUMBER else None
    if draw is None:
        raise Conflict(
            f"there is no draw {number}; a ticket takes part only in a draw with a number", clause="KO21-2.11"
        )
    return draw


def ticket_or_refuse(connection: Any, ticket_id: str) -> rows.TicketRow:
    """A ticket by its id; an unknown one is refused."""
    row = rows.find_ticket(connection, ticket_id=ticket_id) if is_ticket_id(ticket_id) else None
    if row is None:
        raise Conflict(f"there is no ticket {ticket_id[:40]!a}")
    return row


def checked_name(text: str, what: str) -> str:
    """A name of a terminal, person or request: 1 to 64 printable characters."""
    if not 0 < len(text) <= LONGEST_NAME or not text.isprintable():
        raise MalformedInput(f"{what} is 1 to {LONGEST_NAME} printable characters")
    return text


def two_people(operators: Sequence[str], what: str, *, clause: str | None = None) -> list[str]:
    """The names of two different people, or a refusal (R-25); names that read alike are one person's."""
    names = sorted({checked_name(name, "an operator's name") for name in operators})
    if odd := next((name for name in names if name != " ".join(name.split())), None):
        raise MalformedInput(f"{odd!r} is not an operator's name: it has blanks too many")
    if len({name.casefold() for name in names}) < TWO_PEOPLE:
        raise IllegalAction(f"{what} takes two people, and {len(names)} signed for it", clause=clause)
    return names


def request_digest(content: Mapping[str, Any]) -> str:
    """What tells one request from another under the same key."""
    return hashlib.sha256(encode("cardroom/request/1", body_text(content))).hexdigest()


def switched_off(unit: Unit, *scopes: str) -> str | None:
    """The first of some scopes that is switched off, such as `terminal:7` (R-46)."""
    values = settings_of(unit)
    return next((scope for scope in scopes if values.get(f"off:{scope}") == "yes"), None)


def switch(lottery: Lottery, scope: str, *, off: bool, by: Sequence[str], reason: str = "") -> None:
    """Switch sales off or on: `all`, `game:knockout-21`, `terminal:NAME` or `draw:NUMBER` (R-46)."""
    kind, colon, name = scope.partition(":")
    if not (scope == "all" or (colon and name and kind in {"game", "terminal", "draw"})):
        raise MalformedInput(
            f"{scope!r} cannot be switched; write all, game:ID, terminal:NAME or draw:NUMBER"
        )
    if kind == "game" and name not in GAMES:
        raise MalformedInput(f"{name[:40]!r} is not a game; the games are {', '.join(GAMES)}")
    if kind == "draw":
        if not (name.isascii() and name.isdecimal()):
            raise MalformedInput(f"{name[:40]!r} is not the number of a draw; write draw:17")
        with lottery.database.read() as connection:
            scope = f"draw:{draw_or_refuse(connection, int(name[:20])).number}"
    signed = [checked_name(person, "an operator's name") for person in by]
    if not signed:
        raise IllegalAction("a change of settings is signed by somebody")
    switch_in(lottery.database, scope, off=off, by=" and ".join(signed), reason=reason)


def switch_in(database: Database, scope: str, *, off: bool, by: str, reason: str) -> None:
    """Close or open something, for pages, tables and sales alike: one record, one commit (R-46, R-47)."""
    kind = PlayDisabled if off else PlayEnabled

    def run(unit: Unit) -> None:
        before = rows.setting(unit.connection, f"off:{scope}") == "yes"
        unit.record(kind(what=scope, by=by, before=_state(before), after=_state(off), reason=reason))
        rows.put_setting(unit, f"off:{scope}", "yes" if off else "no")

    database.write(run, alone=True)


def _state(off: bool) -> str:  # noqa: FBT001 — a word for a value
    return "closed" if off else "open"


@cache
def code_digest() -> str:
    """SHA-256 over the program's own source files: which code runs here, on demand (R-53)."""
    root = Path(cardroom.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix in {".py", ".toml"}:
            digest.update(encode(path.relative_to(root).as_posix(), path.read_bytes()))
    return digest.hexdigest()


def code_version() -> str:
    """The program's version and digest, as they stand in records."""
    return f"cardroom {cardroom.__version__} {code_digest()}"
