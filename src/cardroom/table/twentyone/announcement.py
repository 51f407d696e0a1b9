"""Rules that the house has announced for a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from cardroom.core.errors import Conflict, MalformedInput
from cardroom.records.tables import TableRulesAnnounced
from cardroom.rules import change_rules
from cardroom.rules.twentyone import TwentyOneRules
from cardroom.table.payable import OF_THE_HOUSE, require_payable


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
    if after.game != rules.game:
        raise MalformedInput(f"a table of {rules.game} cannot become one of {after.game}")
    require_payable(after, OF_THE_HOUSE)
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
