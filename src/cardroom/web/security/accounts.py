"""The accounts of the people who run a house, read from its database for a command beside the server."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import msgspec

from cardroom.core.errors import Conflict
from cardroom.records.house import OperatorAppointed, PasswordChanged, SecondFactorSet
from cardroom.store.checkpoints import Checkpoints, DamagedCheckpoint
from cardroom.store.log import parse_time
from cardroom.store.mark import head_of
from cardroom.store.unit import read_log
from cardroom.web.broken import CONTRADICTIONS
from cardroom.web.memory import HOUSE, VERSION
from cardroom.web.security.operators import Operator, Operators, Role, hashed, parse_name

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.store.unit import Unit
    from cardroom.web.settings import Settings

logger = logging.getLogger("cardroom.web")

FOUNDING: Final = "the founding of the house"
"""Who appointed the first accounts of a house."""
_KINDS: Final = [OperatorAppointed.__name__, PasswordChanged.__name__, SecondFactorSet.__name__]
_LEAST_FOUNDERS: Final = 2


def operators_of(database: Database, settings: Settings) -> Operators:
    """Everybody who may sign, from the last checkpoint and the log after it."""
    operators = Operators(settings)
    operators.database = database
    with database.read() as connection:
        operators.known_until = head_of(connection).seq
    checkpoints = Checkpoints(database, VERSION)
    checkpoint, saved = checkpoints.last(), None
    if checkpoint is not None:
        try:
            saved = checkpoints.part(HOUSE)
        except DamagedCheckpoint as error:  # the server makes it anew; here all is read from the log
            logger.warning("%s", error)
            checkpoint = None
    for plain in (saved or {}).get("operators", ()):
        operators.appoint(msgspec.convert(plain, Operator))
    after = checkpoint.head.seq if checkpoint else 0
    with database.read() as connection:
        for logged in read_log(connection, after=after, kinds=_KINDS):
            with suppress(*CONTRADICTIONS):  # a record that cannot have happened made no account
                operators.apply(logged.read()[0], parse_time(logged.at))
    return operators


def have_changed(unit: Unit, *, since: int) -> bool:
    """Whether accounts have changed since a record of the log, by others or in this very transaction."""
    written = any(record.kind in _KINDS for record in unit.records)
    return written or any(True for _ in read_log(unit.connection, after=since, kinds=_KINDS))


def record_appointment(unit: Unit, appointed: OperatorAppointed, *, since: int) -> None:
    """Write an appointment that was decided by the accounts as they were at a record of the log.

    Where they have changed since, it is to be decided anew: somebody who is alone could else appoint two at
    once, and sign as both of them.
    """
    if have_changed(unit, since=since):
        raise Conflict("accounts have changed in the meantime; look at them, and ask again")
    unit.record(appointed)


def found_house(database: Database, operators: Operators, passwords: Iterable[tuple[str, str]]) -> list[str]:
    """Make the first accounts of a house, each with the password that its owner chose; their names.

    There are two at least, so that nobody of them appointed the other.
    """
    if len(operators):
        raise Conflict("this house has operators; one of them appoints others: cardroom operators appoint")
    people = [(parse_name(name), password) for name, password in passwords]
    if len({name.casefold() for name, _ in people}) < max(len(people), _LEAST_FOUNDERS):
        raise Conflict("a house is founded by two people or more, each with a name of their own")
    if len({password for _, password in people}) < len(people):
        raise Conflict("two founders gave the same password; each chooses one that nobody else knows")
    hashes = {name: hashed(password) for name, password in people}

    def run(unit: Unit) -> None:
        if have_changed(unit, since=operators.known_until):
            raise Conflict("somebody else has made accounts of this house in the meantime")
        for name, password_hash in hashes.items():
            unit.record(
                OperatorAppointed(name=name, role="operator", password_hash=password_hash, by=FOUNDING)
            )
            unit.record(PasswordChanged(name=name, password_hash=password_hash))

    database.write(run, alone=True)
    return list(hashes)


def appoint(
    database: Database,
    operators: Operators,
    name: str,
    role: Role,
    password: str,
    *,
    by: str,
    second: str | None = None,
) -> None:
    """Let somebody sign from now on, or change their role and password."""
    before = operators.role_before(parse_name(name), role)
    record = OperatorAppointed(
        name=name,
        role=role,
        password_hash=hashed(password),
        by=by,
        before=before,
        after=role,
        second=second,
    )
    since = operators.known_until
    database.write(lambda unit: record_appointment(unit, record, since=since), alone=True)


def change_password(database: Database, name: str, password: str) -> None:
    """Somebody's own new password."""
    record = PasswordChanged(name=name, password_hash=hashed(password))
    database.write(lambda unit: unit.record(record), alone=True)
