"""What the floor sees to between rounds: spots offered to those who wait, who has gone, announced rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from cardroom.core.errors import Conflict
from cardroom.records.tables import TableRulesAnnounced
from cardroom.rules import change_rules
from cardroom.rules.twentyone import TwentyOneRules


@dataclass(frozen=True, slots=True)
class Announcement:
    """Rules that the house has announced for a table; they hold from the next shoe on."""

    at: datetime
    by: str
    changes: Mapping[str, Any]
    before: Mapping[str, Any]
    """Each changed option as it was when the change was announced."""
    words: tuple[tuple[str, str], ...]
    """Each changed rule in words, with its clause."""
    needs_opening: bool
    """Other decks and another number of spots are put in play when the table opens (PROC-1)."""
    in_force: bool = False

    rules: str = ""
    """The canonical text of the rules announced."""

    @classmethod
    def of(cls, record: TableRulesAnnounced, at: datetime) -> Announcement | None:
        """The announcement of a record; None where one was taken back."""
        if not record.changes:
            return None
        words = tuple((sentence, clause) for sentence, clause in record.words)
        return cls(
            at, record.by, record.after, record.before, words, record.needs_opening, rules=record.rules
        )

    def saved(self) -> dict[str, Any]:
        """As plain data, for a checkpoint."""
        return {**asdict(self), "at": self.at.isoformat()}

    @classmethod
    def restored(cls, plain: dict[str, Any]) -> Announcement:
        """The announcement of `saved`."""
        words = tuple((sentence, clause) for sentence, clause in plain["words"])
        return cls(**{**plain, "at": datetime.fromisoformat(plain["at"]), "words": words})

    def taken_up(self) -> Announcement:
        return replace(self, in_force=True)


def announced(
    table: str, rules: TwentyOneRules, changes: Mapping[str, object], by: str, reason: str
) -> TableRulesAnnounced:
    """The record of an announcement; what is not allowed is refused before anybody hears of it (R-47)."""
    after = change_rules(rules, changes)
    differences = after.differences(rules)
    if changes and not differences:
        raise Conflict("these are the table's rules already")
    return TableRulesAnnounced(
        table=table,
        by=by,
        reason=reason,
        changes=dict(changes),
        before={key: old for key, (_, old) in differences.items()},
        after={key: new for key, (new, _) in differences.items()},
        rules_before=rules.rules_hash,
        rules_after=after.rules_hash,
        rules=after.canonical_text(),
        words=[[sentence, clause] for key, sentence, clause in after.sentences() if key in differences],
        needs_opening=after.shoe() != rules.shoe() or after.procedure.spots != rules.procedure.spots,
    )


class Presence:
    """Who has a table's page open, and since when others have not; it is no part of the log."""

    def __init__(self, seconds: float) -> None:
        self._time = timedelta(seconds=seconds)
        self._pages: Counter[str] = Counter()
        self._closed: dict[str, datetime] = {}
        self._resumed: datetime | None = None

    def came(self, player: str) -> None:
        """A page of the player's was opened."""
        self._pages[player] += 1
        self._closed.pop(player, None)

    def went(self, player: str, now: datetime) -> None:
        """A page of the player's was closed, or its connection was lost."""
        self._pages[player] -= 1
        if not self._pages[player]:
            del self._pages[player]
            self._closed[player] = now

    def forget(self, player: str) -> None:
        self._closed.pop(player, None)

    def gone_at(self, player: str, acted: datetime) -> datetime | None:
        """When somebody without a page, who acted last at a moment, has gone; None while a page is open."""
        if self._pages[player]:
            return None
        signs = (acted, self._closed.get(player), self._resumed)
        return max(sign for sign in signs if sign is not None) + self._time

    def resume(self, now: datetime) -> None:
        """After the server was away everybody has the whole time to come back."""
        self._resumed = now


class Offers:
    """Spots that fell to those who waited, and until when each is kept; time counts while wagers are open."""

    def __init__(self, seconds: float) -> None:
        self._time = timedelta(seconds=seconds)
        self._until: dict[str, datetime] = {}
        self._round_began: datetime | None = None

    def until(self, name: str) -> datetime | None:
        return self._until.get(name)

    def due_at(self) -> datetime | None:
        return min(self._until.values(), default=None)

    def over(self, now: datetime) -> list[str]:
        """Those whose time is over."""
        return [name for name, until in self._until.items() if until <= now]

    def make(self, name: str, at: datetime) -> None:
        self._until[name] = at + self._time

    def forget(self, name: str) -> None:
        self._until.pop(name, None)

    def round_began(self, at: datetime) -> None:
        self._round_began = at

    def round_ended(self, at: datetime) -> None:
        if self._round_began is not None:
            lasted = at - self._round_began
            self._until = {name: until + lasted for name, until in self._until.items()}
            self._round_began = None

    def saved(self) -> dict[str, Any]:
        """As plain data, for a checkpoint."""
        began = self._round_began
        return {
            "until": {name: until.isoformat() for name, until in self._until.items()},
            "round_began": None if began is None else began.isoformat(),
        }

    def restore(self, plain: dict[str, Any]) -> None:
        """Take what was saved."""
        self._until = {name: datetime.fromisoformat(until) for name, until in plain["until"].items()}
        began = plain["round_began"]
        self._round_began = None if began is None else datetime.fromisoformat(began)

    def resume(self, now: datetime) -> None:
        """After the server was away everybody has their whole time again."""
        for name in self._until:
            self.make(name, now)
        if self._round_began is not None:
            self._round_began = now
