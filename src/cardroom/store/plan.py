"""What is to be written into the log: records with the money that moves, and the answer to whoever asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cardroom.records import Record
from cardroom.rules import HouseRules
from cardroom.store.ledger import Transfer


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that is to be recorded, and the money that moves with it."""

    record: Record
    moves: Sequence[Transfer] = ()
    about: Sequence[str] = ()
    """The names by which the record is found again."""
    rules: HouseRules | None = None
    """Rules that the record names by their hash, to be kept with it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a request leads to: entries of the log, all in one commit, and the answer to whoever asked."""

    entries: Sequence[Entry]
    answer: Mapping[str, Any] = field(default_factory=dict)
