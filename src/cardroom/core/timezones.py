"""Time zones, from the package `tzdata` alone: the files of a machine may be years behind the law."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.resources import files
from zoneinfo import ZoneInfo

from cardroom.core.errors import MalformedInput


def zone_data_version() -> str:
    """Which zone data this machine has, such as 2026f."""
    return str(import_module("tzdata").IANA_VERSION)


@cache
def time_zone(name: str) -> ZoneInfo:
    """The time zone of a name such as America/Vancouver, the same on every machine."""
    parts = name.split("/")
    path = files("tzdata").joinpath("zoneinfo", *parts)
    if not all(part and part[0].isalpha() for part in parts) or not path.is_file():
        raise MalformedInput(f"{name!r} is not the name of a time zone, such as America/Vancouver")
    with path.open("rb") as file:
        return ZoneInfo.from_file(file, key=name)


def _by_name(zone: ZoneInfo) -> tuple[Callable[[str], ZoneInfo], tuple[str]]:
    return time_zone, (str(zone.key),)


copyreg.pickle(ZoneInfo, _by_name)  # a moment that goes to another process has its zone from the same files
