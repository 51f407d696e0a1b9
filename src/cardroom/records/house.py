"""Records of the house: what it opened and closed, who works there, what was refused and checked."""

from __future__ import annotations

import msgspec

from cardroom.records.base import Record


class HouseFounded(Record, frozen=True, kw_only=True):
    """The first server on a database: a house that plays for real, or a demonstration."""

    demonstration: bool


class PlayDisabled(Record, frozen=True, kw_only=True):
    """The house closed something: `all`, `game:…`, `table:…`, `terminal:…` (R-46)."""

    what: str
    by: str
    before: str
    after: str
    reason: str


class PlayEnabled(Record, frozen=True, kw_only=True):
    """The house opened it again."""

    what: str
    by: str
    before: str
    after: str
    reason: str


class OperatorAppointed(Record, frozen=True, kw_only=True):
    """Somebody got a role, or a new password; `second` is who signed beside whoever gave it."""

    name: str
    role: str
    password_hash: str
    by: str
    before: str | None = None
    after: str | None = None
    second: str | None = None


class PasswordChanged(Record, frozen=True, kw_only=True):
    """An operator chose a new password."""

    name: str
    password_hash: str


class SecondFactorSet(Record, frozen=True, kw_only=True):
    """An operator logs in with a code that changes with time, besides the password."""

    name: str
    sealed_secret: str


class LoggedIn(Record, frozen=True, kw_only=True):
    """An operator logged in."""

    name: str
    role: str


class LoggedOut(Record, frozen=True, kw_only=True):
    """An operator logged out."""

    name: str


class LoginRefused(Record, frozen=True, kw_only=True):
    """Somebody tried a name with a wrong password (R-50)."""

    name: str
    address: str = ""


class CookieRefused(Record, frozen=True, kw_only=True):
    """A visitor's cookie was not one of ours; how often since the last such record."""

    path: str
    address: str
    times: int = 1


class RequestRefused(Record, frozen=True, kw_only=True):
    """A request came without the token of its session; how often since the last such record."""

    path: str
    address: str
    times: int = 1


class LogChecked(Record, frozen=True, kw_only=True):
    """An operator had the whole log checked."""

    by: str
    head: str
    faults: int


class SettingChanged(Record, frozen=True, kw_only=True):
    """A setting got another value (R-47)."""

    setting: str
    before: str | None
    after: str
    by: list[str]


class SecretsRetired(Record, frozen=True, kw_only=True):
    """No secret that was not told yet is used any more: an older state of the log may have been put back.

    Tables were cleared, and draws that nobody had a ticket for got new commitments.
    """

    because: str
    head: str
    """The last record before."""
    mark: str | None
    """How far the log had come by the mark beside the key."""
    tables: list[str]
    draws: list[tuple[int, str, str]]
    """Number, commitment, commitment of the opening."""
    voided: list[int]
    """Draws on sale with tickets: they were called off, and every ticket gets its price back."""


class ClockAccepted(Record, frozen=True, kw_only=True):
    """Two people said that the time is right, though it is long after what was expected."""

    expected: str
    """Until when the lottery would have gone on by itself."""
    by: list[str]
    reason: str


class ClockPutBack(Record, frozen=True, kw_only=True):
    """Two people put the log's time right: it was ahead, and goes on at the time of this record."""

    before: str
    """The time of the record before this one."""
    by: list[str]
    reason: str


class ZoneDataChanged(Record, frozen=True, kw_only=True):
    """Local times are reckoned by another version of the time zones from now on."""

    before: str
    after: str
    by: list[str]


class DrawVerified(Record, frozen=True, kw_only=True):
    """An operator had a draw worked out again from its record."""

    draw: int
    by: str
    findings: int


class OverrideRefused(Record, frozen=True, kw_only=True):
    """An act that takes two people was not done (R-25)."""

    draw: int = 0
    """The draw that it was about; 0 where it was about none."""
    what: str
    reason: str
    by: str
    second: str
    why: str


class DrawOverridden(Record, frozen=True, kw_only=True):
    """Two people did something to a draw that does not happen by itself (R-25)."""

    draw: int
    what: str
    reason: str
    by: list[str]
    before: str
    after: str
    appointed: dict[str, str] = msgspec.field(default_factory=dict)
    """Who had appointed each of the two."""
