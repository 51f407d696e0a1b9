"""The people who run the house: passwords, roles, log-ins and how they end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, get_args

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.fair.tokens import fresh_token
from cardroom.web.errors import Forbidden, NotLoggedIn, TooMany

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from cardroom.web.settings import Settings

Role = Literal["operator", "auditor", "floor"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
SHORTEST_PASSWORD: Final = 12
FIRST_OPERATOR: Final = "operator"

RIGHTS: Final[Mapping[Role, frozenset[str]]] = {
    "operator": frozenset({"see", "see-log", "disable", "announce", "operate", "appoint"}),
    "floor": frozenset({"see", "disable", "announce"}),
    "auditor": frozenset({"see", "see-log"}),
}
"""What each role may do; nobody may more than their work needs (R-54)."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Somebody with a password."""

    name: str
    role: Role
    password_hash: str


@dataclass(frozen=True, slots=True)
class Login:
    """One person logged in, from when to when."""

    token: str
    name: str
    role: Role
    since: datetime
    last_seen: datetime

    def may(self, right: str) -> bool:
        return right in RIGHTS[self.role]

    def require(self, right: str) -> None:
        """Refuse what the role may not do."""
        require(self.role, right)


def require(role: Role, right: str) -> None:
    """Refuse what a role may not do."""
    if right not in RIGHTS[role]:
        allowed = ", ".join(role for role in ROLES if right in RIGHTS[role])
        raise Forbidden(f"a {role} may not do this; it needs the role {allowed}")


@dataclass(slots=True)
class _Failures:
    count: int = 0
    locked_until: datetime | None = None


class Operators:
    """Everybody who may log in, and everybody who has."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._operators: dict[str, Operator] = {}
        self._logins: dict[str, Login] = {}
        self._failures: dict[str, _Failures] = {}

    def __len__(self) -> int:
        return len(self._operators)

    def names(self) -> list[Operator]:
        return sorted(self._operators.values(), key=lambda operator: operator.name)

    def appoint(self, operator: Operator) -> None:
        """Enter somebody, or change their role or password; their log-ins end."""
        self._operators[operator.name] = operator
        self._logins = {token: login for token, login in self._logins.items() if login.name != operator.name}

    def log_in(self, name: str, password: str, now: datetime) -> Login:
        """Let somebody in who knows their password."""
        operator = self.known_by(name, password, now)
        login = Login(fresh_token(), operator.name, operator.role, now, now)
        self._logins[login.token] = login
        return login

    def known_by(self, name: str, password: str, now: datetime) -> Operator:
        """Whose password it is; the answer does not tell an unknown name from a wrong password."""
        failures = self._failures.setdefault(name[:80], _Failures())
        if failures.locked_until is not None and now < failures.locked_until:
            wait = int((failures.locked_until - now).total_seconds()) + 1
            raise TooMany(f"too many failures; try again in {wait // 60 + 1} minutes", retry_seconds=wait)
        operator = self._operators.get(name)
        if not _verified(operator.password_hash if operator else _nobody(), password) or operator is None:
            failures.count += 1
            if failures.count >= self._settings.failed_logins:
                failures.locked_until = now + timedelta(minutes=self._settings.lock_minutes)
                failures.count = 0
            raise NotLoggedIn("the name or the password is wrong")
        del self._failures[name[:80]]
        return operator

    def seen(self, token: str | None, now: datetime) -> Login | None:
        """The log-in of a cookie, unless it has ended by idleness or age."""
        login = self._logins.get(token or "")
        if login is None:
            return None
        idle = now - login.last_seen > timedelta(minutes=self._settings.idle_minutes)
        if idle or now - login.since > timedelta(hours=self._settings.session_hours):
            del self._logins[login.token]
            return None
        login = self._logins[login.token] = replace(login, last_seen=now)
        return login

    def log_out(self, login: Login) -> None:
        self._logins.pop(login.token, None)


def hashed(password: str) -> str:
    """The argon2 hash of a password that is long enough."""
    if len(password) < SHORTEST_PASSWORD:
        raise MalformedInput(f"a password has at least {SHORTEST_PASSWORD} characters")
    return _hasher().hash(password)


def parse_role(text: str) -> Role:
    """Read the name of a role."""
    for role in ROLES:
        if text == role:
            return role
    raise MalformedInput(f"{text[:40]!r} is not a role; the roles are {', '.join(ROLES)}")


def parse_name(text: str) -> str:
    """Read an operator's name: letters, digits, dots and dashes."""
    if not (3 <= len(text) <= 40 and text.isascii() and text.replace(".", "").replace("-", "").isalnum()):
        raise Conflict("an operator's name has 3 to 40 letters, digits, dots and dashes")
    return text


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _nobody() -> str:
    """A hash that no password fits, so that an unknown name takes as long as a known one."""
    return _hasher().hash(fresh_token())


def _verified(password_hash: str, password: str) -> bool:
    from argon2.exceptions import VerificationError

    try:
        return _hasher().verify(password_hash, password)
    except VerificationError:
        return False
