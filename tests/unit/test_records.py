"""Every kind of record: one class each, read back from its text, also from an earlier version."""

from __future__ import annotations

from typing import Any, ClassVar, get_args

import pytest

from cardroom import records
from cardroom.core.errors import MalformedInput
from cardroom.records import KINDS, AnyRecord, read_record
from cardroom.records.base import Record
from cardroom.records.house import LoggedIn
from cardroom.records.players import LimitSet


def test_every_class_is_a_kind_and_every_kind_a_class() -> None:
    def leaves(cls: type[Record]) -> set[str]:
        own = {one for one in cls.__subclasses__() if one.__module__.startswith(records.__name__)}
        return {one.__name__ for one in own}

    assert leaves(Record) == set(KINDS)
    assert len(get_args(AnyRecord)) == len(KINDS)
    assert all(kind.__doc__ for kind in KINDS.values())


def test_a_record_reads_back() -> None:
    record = LimitSet(player="1a", limit="loss", period="day", value=None)
    assert read_record(record.kind, record.content()) == record


@pytest.mark.parametrize(
    ("kind", "content", "why"),
    [
        ("Nothing", {}, "no kind of record"),
        ("LoggedIn", {"name": "Ann"}, "role"),
        ("LoggedIn", {"name": "Ann", "role": "floor", "more": 1}, "more"),
        ("LoggedIn", {"name": 5, "role": "floor"}, "str"),
        ("LoggedIn", {"name": "Ann", "role": "floor", "version": 2}, "up to version 1"),
        ("LoggedIn", {"name": "Ann", "role": "floor", "version": "x"}, "version"),
        ("LoggedIn", {"name": "Ann", "role": "floor", "version": 0}, "version"),
    ],
)
def test_what_is_no_record_is_refused(kind: str, content: dict[str, Any], why: str) -> None:
    with pytest.raises(MalformedInput, match=why):
        read_record(kind, content)


class Renamed(Record, frozen=True, kw_only=True):
    """A kind that had another shape twice before."""

    version: ClassVar[int] = 3

    person: str
    place: str

    @staticmethod
    def upgrade_from_1(plain: dict[str, Any]) -> dict[str, Any]:
        return {"person": plain["name"], "where": plain.get("where", "nowhere")}

    @staticmethod
    def upgrade_from_2(plain: dict[str, Any]) -> dict[str, Any]:
        return {"person": plain["person"], "place": plain["where"]}


@pytest.mark.parametrize(
    "stored",
    [
        {"name": "Ann", "where": "table 1"},
        {"person": "Ann", "where": "table 1", "version": 2},
        {"person": "Ann", "place": "table 1", "version": 3},
    ],
)
def test_every_earlier_version_is_read(stored: dict[str, Any]) -> None:
    record = Renamed.read(stored)
    assert record == Renamed(person="Ann", place="table 1")
    assert record.content() == {"person": "Ann", "place": "table 1", "version": 3}


def test_a_field_that_came_later_is_its_default_where_it_is_absent() -> None:
    class Later(LoggedIn, frozen=True, kw_only=True):
        """Tomorrow's record of a log-in."""

        second_factor: bool = False

    old = LoggedIn(name="Ann", role="floor").content()
    assert Later.read(old) == Later(name="Ann", role="floor", second_factor=False)
    assert Later(name="Ann", role="floor").content() == old
