"""What happened at a table, told for the floor record by record, whatever is played there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from cardroom.engine import twentyone
from cardroom.records import FloorRecord
from cardroom.records.floor import FloorAnswered, FloorCalled, TableFrozen, TableReleased


@dataclass(frozen=True, slots=True)
class Happened:
    """One record of a table told: when, who, what was asked, what came of it, and why."""

    seq: int
    at: str
    who: str
    what: str
    events: tuple[str, ...] = ()
    reason: str = ""
    after: twentyone.Round | None = None
    """The round after it, where it is a card or a decision of the blackjack family."""


def floor_words(record: FloorRecord) -> str:
    """What the floor did, as words that follow a name."""
    match record:
        case FloorCalled():
            return "calls the floor"
        case FloorAnswered():
            return "answers the call"
        case TableFrozen():
            return "freezes the table"
        case TableReleased():
            return "releases the table"
        case _:
            assert_never(record)
