"""The people who run the house: passwords, roles, log-ins and how they end."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final, Literal, get_args

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.fair.sealing import open_secret
from cardroom.fair.tokens import fresh_token
from cardroom.presentation.numbers import counted
from cardroom.records.house import OperatorAppointed, PasswordChanged, SecondFactorSet
from cardroom.store.codes import last_step, use_code
from cardroom.web.errors import CodeNeeded, Forbidden, NotLoggedIn, TooMany
from cardroom.web.security.totp import step_of

if TYPE_CHECKING:
    from argon2 import PasswordHasher

    from cardroom.store.database import Database
    from cardroom.web.settings import Settings

Role = Literal["operator", "auditor", "floor"]
ROLES: Final[tuple[Role, ...]] = get_args(Role)
SHORTEST_PASSWORD: Final = 12
FIRST_OPERATOR: Final = "operator"
_ANY_NAME: Final = ""
_NAMES_TRIED: Final = 4
"""So many times the failures of one name make all names wait at an address."""
_MOST_LOGINS: Final = 1_000
"""Log-ins at once; the one that did nothing for longest ends first."""
_MOST_FAILURES: Final = 10_000
"""Addresses and names whose failures are remembered; the oldest is forgotten first."""

RIGHTS: Final[Mapping[Role, frozenset[str]]] = {
    "operator": frozenset({"see", "see-log", "disable", "announce", "floor", "operate", "appoint"}),
    "floor": frozenset({"see", "disable", "announce", "floor"}),
    "auditor": frozenset({"see", "see-log"}),
}
"""What each role may do; nobody may more than their work needs (R-54)."""


@dataclass(frozen=True, slots=True)
class Operator:
    """Somebody with a password."""

    name: str
    role: Role
    password_hash: str
    appointed_by: str
    appointed_at: datetime
    chose_password: bool = False
    """Whether the password is their own; somebody else's first one is good for choosing it only."""
    second_factor: str | None = None
    """The sealed secret of the codes they log in with."""
    seconded_by: str | None = None
    """Who signed their appointment beside whoever appointed them."""


@dataclass(frozen=True, slots=True)
class Login:
    """One person logged in, from when to when."""

    token: str
    name: str
    role: Role
    since: datetime
    last_seen: datetime
    password_hash: str
    """Of the password that they gave: with another one the log-in ends."""
    chose_password: bool = True

    def may(self, right: str) -> bool:
        return right in RIGHTS[self.role]

    def require(self, right: str) -> None:
        """Refuse what the role may not do."""
        require(self.role, right)


def require(role: Role, right: str) -> None:
    """Refuse what a role may not do."""
    if right not in RIGHTS[role]:
        allowed = ", ".join(role for role in ROLES if right in RIGHTS[role])
        raise Forbidden(f"the role {role} may not do this; it needs the role {allowed}")


@dataclass(slots=True)
class _Failures:
    count: int = 0
    waits_until: datetime | None = None


def second_of(operators: Operators, first: str, second: Operator, now: datetime, hours: float) -> Operator:
    """The second person of an act that takes two; refused where they may not sign beside the first."""
    if second.name == first:
        raise Forbidden("this takes two people; the second one is somebody else")
    require_signature(second, "operate")
    require_two(operators.named(first), second, now, hours)
    return second


def second_appointer(operators: Operators, first: str, second: Operator, now: datetime, hours: float) -> str:
    """The name of whoever signs an appointment beside another, whoever of the two appointed the other."""
    require_signature(second, "appoint")
    require_known_two(operators.named(first), second, now, hours)
    return second.name


def require_signature(operator: Operator, right: str) -> None:
    """Refuse somebody who may not do this, or whose password somebody else knows."""
    require(operator.role, right)
    if not operator.chose_password:
        raise Forbidden(f"{operator.name} has not chosen a password yet: somebody else knows this one")


def require_two(first: Operator, second: Operator, now: datetime, hours: float) -> None:
    """Refuse two who may be one: one appointed the other, or was appointed a moment ago."""
    for one, other in ((first, second), (second, first)):
        if one.appointed_by == other.name:
            raise Forbidden(f"{other.name} appointed {one.name}; two people were appointed by others")
    require_known_two(first, second, now, hours)


def require_known_two(first: Operator, second: Operator, now: datetime, hours: float) -> None:
    """Refuse one person as two, and somebody who was appointed a moment ago."""
    if first.name == second.name:
        raise Forbidden("this takes two people; the second one is somebody else")
    for one in (first, second):
        if now < one.appointed_at + timedelta(hours=hours):
            raise Forbidden(f"{one.name} was appointed less than {hours:g} hours ago; ask somebody else")


class Operators:
    """Everybody who may log in, and everybody who has."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._operators: dict[str, Operator] = {}
        self._logins: dict[str, Login] = {}
        self.database: Database | None = None
        """Where it is kept which codes were used."""
        self.known_until = 0
        """The record of the log up to which a command has read the accounts."""
        self.time_of_day: Callable[[], datetime] | None = None
        """What the machine's clock shows, where the house's time may be another: codes follow the world's."""
        self._failures: OrderedDict[tuple[str, str], _Failures] = OrderedDict()

    def __len__(self) -> int:
        return len(self._operators)

    def names(self) -> list[Operator]:
        return sorted(self._operators.values(), key=lambda operator: operator.name)

    def named(self, name: str) -> Operator:
        """An operator by name."""
        try:
            return self._operators[name]
        except KeyError:
            raise NotLoggedIn(f"{name[:40]!r} is no operator any more") from None

    def apply(self, record: object, at: datetime) -> bool:
        """Take in what the log says of accounts; whether it was about one."""
        match record:
            case OperatorAppointed():
                role = parse_role(record.role)
                fields = (record.name, role, record.password_hash, record.by, at)
                self.appoint(Operator(*fields, seconded_by=record.second))
            case PasswordChanged():
                self.change_password(record.name, record.password_hash)
            case SecondFactorSet():
                self.set_second_factor(record.name, record.sealed_secret)
            case _:
                return False
        return True

    def role_before(self, name: str, role: Role) -> Role | None:
        """The role of somebody who is to be given one; a name that reads like another is refused.

        The last operator stays one: without any, nobody could ever be appointed again.
        """
        for operator in self._operators.values():
            if operator.name != name and operator.name.casefold() == name.casefold():
                raise Conflict(f"{operator.name} is an operator; {name} would read like the same person")
        before = self._operators[name].role if name in self._operators else None
        operators = [one for one in self._operators.values() if one.role == "operator"]
        if before == "operator" and role != "operator" and len(operators) == 1:
            raise Conflict(f"{name} is the only operator; appoint another one first")
        return before

    def takes_two(self, name: str, role: Role, by: str) -> bool:
        """Whether giving somebody a role takes a second signature.

        Making and unmaking an operator does, and giving one a new password, wherever there is another
        operator than whoever does it: else one person would make the two who sign together. An account whose
        password nobody has chosen yet is nobody's; whoever is alone with it may give it a new one.
        """
        there = {one.name: one for one in self._operators.values() if one.role == "operator"}
        if role != "operator" and name not in there:
            return False
        return any(
            one.name != by and (one.name != name or one.chose_password or one.appointed_by != by)
            for one in there.values()
        )

    def change_password(self, name: str, password_hash: str) -> None:
        """Somebody's own new password; their log-ins end."""
        self.appoint(replace(self.named(name), password_hash=password_hash, chose_password=True))

    def set_second_factor(self, name: str, sealed: str) -> None:
        """From now on somebody logs in with a code too."""
        self._operators[name] = replace(self.named(name), second_factor=sealed)

    def appoint(self, operator: Operator) -> None:
        """Enter somebody, or change their role or password; their log-ins end."""
        self._operators[operator.name] = operator
        self._logins = {token: login for token, login in self._logins.items() if login.name != operator.name}

    def log_in(self, name: str, password: str, now: datetime, address: str, code: str | None = None) -> Login:
        """Let somebody in who knows their password, and the code of the moment where they have one."""
        operator = self.known_by(name, password, now, address, code)
        login = Login(
            token=fresh_token(),
            name=operator.name,
            role=operator.role,
            since=now,
            last_seen=now,
            password_hash=operator.password_hash,
            chose_password=operator.chose_password,
        )
        self._logins = {token: one for token, one in self._logins.items() if not self._has_ended(one, now)}
        while len(self._logins) >= _MOST_LOGINS:
            del self._logins[min(self._logins.values(), key=lambda one: one.last_seen).token]
        self._logins[login.token] = login
        return login

    def known_by(
        self,
        name: str,
        password: str,
        now: datetime,
        address: str,
        code: str | None = None,
        *,
        with_code: bool = True,
    ) -> Operator:
        """Whose password it is; the answer does not tell an unknown name from a wrong password.

        Failures make a name wait at the address they came from, and all names there after more of them.
        Nobody else waits: whoever guesses cannot lock an operator out.
        """
        counts = [
            (self._failures_of(address, name[:80]), self._settings.failed_logins),
            (self._failures_of(address, _ANY_NAME), _NAMES_TRIED * self._settings.failed_logins),
        ]
        for failures, _most in counts:
            if failures.waits_until is not None and now < failures.waits_until:
                wait = int((failures.waits_until - now).total_seconds()) + 1
                raise TooMany(
                    f"too many failures; try again in {counted(wait // 60 + 1, 'minute')}", retry_seconds=wait
                )
        operator = self._operators.get(name)
        known = _verified(operator.password_hash if operator else _nobody(), password)
        with_code &= operator is not None and operator.second_factor is not None
        if known and with_code and not code:
            raise CodeNeeded("write the code that your authenticator shows, too")
        if not known or operator is None or (with_code and not self._code_fits(operator, code, now)):
            for failures, most in counts:
                failures.count += 1
                if failures.count >= most:
                    failures.waits_until = now + timedelta(minutes=self._settings.lock_minutes)
                    failures.count = 0
            raise NotLoggedIn("the name, the password or the code is wrong")
        del self._failures[address, name[:80]]
        return operator

    def _code_fits(self, operator: Operator, code: str | None, now: datetime) -> bool:
        """Whether the code is that of the moment, and was not used before."""
        assert operator.second_factor is not None
        secret = open_secret(self._settings.key, operator.second_factor, operator.name)
        assert self.database is not None
        used = last_step(self.database, operator.name)
        for moment in self.moments_of_codes(now):
            step = step_of(secret, code or "", moment.timestamp(), after=used)
            if step is not None:
                return use_code(self.database, operator.name, step)
        return False

    def moments_of_codes(self, now: datetime) -> tuple[datetime, datetime]:
        """When a code may have been made: by the house's time, and by the time of day, which an authenticator
        has also while the house does not believe it.
        """
        return now, self.time_of_day() if self.time_of_day else now

    def _failures_of(self, address: str, name: str) -> _Failures:
        failures = self._failures.setdefault((address, name), _Failures())
        self._failures.move_to_end((address, name))
        while len(self._failures) > _MOST_FAILURES:
            self._failures.popitem(last=False)
        return failures

    def seen(self, token: str | None, now: datetime, *, acts: bool = True) -> Login | None:
        """The log-in of a cookie, unless it has ended: by idleness, by age, or with its account.

        A page that looks again by itself does not act: whoever has left it open is idle.
        """
        login = self._logins.get(token or "")
        if login is None:
            return None
        if self._has_ended(login, now):
            del self._logins[login.token]
            return None
        if acts:
            login = self._logins[login.token] = replace(login, last_seen=now)
        return login

    def _has_ended(self, login: Login, now: datetime) -> bool:
        idle = now - login.last_seen > timedelta(minutes=self._settings.idle_minutes)
        account = self._operators.get(login.name)  # it may have changed while the password was looked at
        is_same = account is not None and account.password_hash == login.password_hash
        return not is_same or idle or now - login.since > timedelta(hours=self._settings.session_hours)

    def move_time(self, step: timedelta) -> None:
        """The house's time was put ahead by people: log-ins and waits last as long as they would have."""
        for token, login in self._logins.items():
            self._logins[token] = replace(login, since=login.since + step, last_seen=login.last_seen + step)
        for failures in self._failures.values():
            if failures.waits_until is not None:
                failures.waits_until += step

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

    return PasswordHasher(parallelism=1)  # one core at a time, so that wagers have the other


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
