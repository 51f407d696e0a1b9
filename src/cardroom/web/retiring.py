"""Secrets that may have been seen before are never used: what the house does before it opens on such a log.

Every table is cleared: stakes of unfinished rounds go back, and its next shoe or game has a new commitment.
Draws of the lottery are dealt with by `cardroom.lottery.retiring`. All of it is one commit.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Final

from cardroom.records.house import SecretsRetired
from cardroom.store.mark import Mark, forget_restore
from cardroom.store.unit import Unit
from cardroom.web.clearing import Cause, clearings

if TYPE_CHECKING:
    from cardroom.store.database import Database
    from cardroom.web.following import Following
    from cardroom.web.settings import Settings

logger = logging.getLogger("cardroom.web")
_BY: Final = "the house"


def retire_secrets(database: Database, settings: Settings, following: Following, because: str) -> None:
    """Retire every secret that was not told yet, and settle what was open, by records."""
    from cardroom.lottery.retiring import retire_draws, take_up
    from cardroom.web.live.vaults import vault_of

    tables = sorted(following.memory.tables)
    known = None if settings.mark is None else Mark(settings.mark).read()

    def run(unit: Unit) -> None:
        head, cause = unit.head, Cause(because, [_BY])
        for entry in clearings(unit.connection, following, tables, cause):
            unit.record(entry.record, entry.moves)
        draws = retire_draws(unit, lambda: vault_of(settings), because)
        unit.record(
            SecretsRetired(
                because=because,
                head=str(head),
                mark=None if known is None else str(known),
                tables=tables,
                draws=draws.renewed,
                voided=draws.voided,
            )
        )
        take_up(unit, draws)
        forget_restore(unit)

    database.write(run, alone=True)
    logger.warning("every secret that was not told yet is retired: %s", because)
