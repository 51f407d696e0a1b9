"""What every record of the log shares: a class of its own, a version, and one canonical text.

The name of the class is the record's kind. A record is stored as canonical JSON of its fields; a version
above the first stands beside them. An older version is read by a method of the class, `upgrade_from_N`, which
turns the plain fields of version N into those of version N + 1.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar, Final, Self

import msgspec

from cardroom.core.errors import MalformedInput

VERSION: Final = "version"
"""The name under which a version above the first is stored."""


class UnknownRecord(MalformedInput):
    """A record of a newer program: a kind or a version that this one does not know."""


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One kind of record. A field added with a default needs no new version: absent, it is the default."""

    version: ClassVar[int] = 1

    @property
    def kind(self) -> str:
        return type(self).__name__

    def content(self) -> dict[str, Any]:
        """The fields as plain data, and the version where it is not the first."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return {**plain, VERSION: self.version} if self.version > 1 else plain

    @classmethod
    def upgraded(cls, content: dict[str, Any]) -> dict[str, Any]:
        """The plain fields of stored content, brought up from the version in which they were written."""
        plain = dict(content)
        version = plain.pop(VERSION, 1)
        if not isinstance(version, int) or not 1 <= version <= cls.version:
            known = f"this program reads up to version {cls.version}"
            raise UnknownRecord(f"{cls.__name__} of version {version!r}: {known}")
        for earlier in range(version, cls.version):
            plain = getattr(cls, f"upgrade_from_{earlier}")(plain)
        return plain

    @classmethod
    def read(cls, content: dict[str, Any]) -> Self:
        """The record of stored content, whatever version it was written in."""
        try:
            return msgspec.convert(cls.upgraded(content), cls)
        except msgspec.ValidationError as error:
            raise MalformedInput(f"this is not a record {cls.__name__}: {error}") from None


def canonical(content: object) -> str:
    """The one JSON text of plain data: sorted keys, no spaces."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
